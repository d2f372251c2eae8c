"""Why a model gave no answer: whatever a call brings that is no whole reply ends in one of these (F23-F26).

NoAnswer
├── Unreachable      no connection, or silence until the time is up
├── Overloaded       busy or broken for now (429, 5xx), with the wait that the server asks for
├── BrokenReply      an envelope or a stream that holds no whole reply
├── Refused          any other status, with the server's words
│   ├── FormatRefused    of the format of the reply: one step down the ladder
│   ├── OptionRefused    of a parameter: left out from then on
│   └── PromptTooLong    of the length of the prompt
├── TooSlow          it had begun to reply when the time was up
├── Incomplete       cut at the token limit, even where it parses
├── PromptCut        the server read only a part of the prompt
├── Withheld         the model or its filter declines
├── Nonsense         no JSON, not of the schema, or against the step's own check
├── NotConfigured    there is no model
├── Resting          not asked: the server failed a moment ago
└── BudgetSpent      not asked: the question has used up what it may spend
"""

from __future__ import annotations

import re

from config.errors import CareciteError
from storage.text import clean_text

_MARKUP = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^<>]{0,300}>", re.DOTALL | re.IGNORECASE)
_KEY = re.compile(r"\b(?:(?:sk|pk|key)[-_]|bearer )[A-Za-z0-9*_.-]{4,}", re.IGNORECASE)
_LONGEST = 200  # characters of a server's own words


def tidy_words(words: object) -> str:
    """A server's own words, free of mark-up, line breaks and what looks like a key, cut (case F02)."""
    text = words if isinstance(words, str) else ""
    text = " ".join(_KEY.sub("…", _MARKUP.sub(" ", clean_text(text[:20_000]))).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


class NoAnswer(CareciteError):
    """The model gave no answer."""

    remedy = "`carecite doctor` asks the model's server what it can do."


class Unreachable(NoAnswer):
    """The model's server does not answer."""

    retryable = True
    remedy = "Check CARECITE_LLM_BASE_URL, and that the server runs."


class Overloaded(NoAnswer):
    """The model's server is busy or broken."""

    retryable = True
    remedy = "Wait, or choose an endpoint with more room."

    def __init__(self, detail: str | None = None, *, wait: float | None = None) -> None:
        """`wait` in seconds, as the server asks; None where it does not."""
        super().__init__(detail)
        self.wait = wait


class BrokenReply(NoAnswer):
    """The model's reply is broken."""

    retryable = True
    remedy = "Check that CARECITE_LLM_BASE_URL leads to a chat endpoint; it usually ends in /v1."

    def __init__(self, detail: str | None = None, *, retryable: bool = True) -> None:
        super().__init__(detail)
        self.retryable = retryable


class Refused(NoAnswer):
    """The model's server refuses the request."""

    remedy = "Check CARECITE_LLM_MODEL and CARECITE_LLM_API_KEY."


class FormatRefused(Refused):
    """The model's server does not take this format of reply."""

    def __init__(self, detail: str | None = None, *, of_schema: bool = False) -> None:
        """`of_schema`: a part of the schema is refused, not schemas as such."""
        super().__init__(detail)
        self.of_schema = of_schema


class OptionRefused(Refused):
    """The model's server does not take an option of the request."""

    def __init__(self, option: str, detail: str | None = None) -> None:
        super().__init__(detail)
        self.option = option


class PromptTooLong(Refused):
    """The prompt does not fit the model's context."""

    remedy = "Set CARECITE_LLM_CONTEXT to the context length that the server really has."

    def __init__(self, detail: str | None = None, *, context: int | None = None) -> None:
        """`context` in tokens, where the server says how long it is."""
        super().__init__(detail)
        self.context = context


class TooSlow(NoAnswer):
    """The model did not finish in time."""

    remedy = "Raise CARECITE_LLM_TIMEOUT and CARECITE_LLM_DEADLINE, or choose a quicker model."


class Incomplete(NoAnswer):
    """The model's reply was cut at the token limit."""

    remedy = "Raise CARECITE_LLM_MAX_REPLY."

    def __init__(self, detail: str | None = None, *, blank: bool = False, thought: bool = False) -> None:
        """`blank`: it ends in white space only; `thought`: the room went into thinking."""
        super().__init__(detail)
        self.blank, self.thought = blank, thought


class PromptCut(NoAnswer):
    """The model's server read only a part of the prompt."""

    remedy = (
        "Raise the context length in the server's own settings, or set CARECITE_LLM_CONTEXT to what it has."
    )


class Withheld(NoAnswer):
    """The model declines to answer."""

    remedy = "Nothing needs doing: the answer is made without it."


class Nonsense(NoAnswer):
    """The model's reply makes no sense."""

    remedy = "A larger model makes fewer such mistakes."

    def __init__(self, detail: str | None = None, *, shapeless: bool = False) -> None:
        """`shapeless`: there is no JSON object in it at all, so the format was not kept."""
        super().__init__(detail)
        self.shapeless = shapeless


class NotConfigured(NoAnswer):
    """No model is configured."""

    remedy = "Set CARECITE_LLM_BASE_URL and CARECITE_LLM_MODEL."


class Resting(NoAnswer):
    """The model is not asked, since its server failed a moment ago."""

    remedy = "It is asked again within a minute."


class BudgetSpent(NoAnswer):
    """This question has used up what it may spend on the model."""

    remedy = "Raise the limits of CARECITE_LLM_… that are named."
