"""The step "standalone": a model's completed question, or the rule's where the reply cannot be right."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pydantic import Field

from reasoning.followups.concepts import Named, find_named
from reasoning.followups.cues import LANGUAGES, read_correction
from reasoning.followups.rule import complete_by_rule, topics_of
from reasoning.followups.topics import Topic, base_for
from reasoning.followups.turns import LONGEST, MOST_TURNS, Earlier
from reasoning.llm import Closed, Step
from reasoning.retrieval.subject import zipf
from reasoning.verify.quantities import quantities_in
from reasoning.verify.statement import negations_in

_MORE = 800  # characters that a completed question may be longer than its message
_PLAIN = 3.5  # Zipf frequency in English from which a word is no name
_NUMBER = re.compile(r"\d+(?:[.,/:]\d+)*")
_WORD = re.compile(r"[^\W\d_]{3,}", re.ASCII)
_HAN = re.compile(r"[㐀-鿿]")


@dataclass(frozen=True, slots=True)
class Shown:
    """An earlier turn as the person who writes now may have it."""

    who: str
    text: str = field(repr=False)
    language: str


@dataclass(frozen=True, slots=True)
class Talk:
    """What the step reads: the turns before, the oldest first, and the message of `person`."""

    earlier: tuple[Earlier, ...]
    message: str = field(repr=False)
    language: str
    person: str

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The person's own turns whole; of others the question freed of its asker, or its subjects alone."""
        kept = self.earlier[-MOST_TURNS:]
        return tuple(
            shown
            for turn, topic in zip(kept, topics_of(self.earlier), strict=True)
            if topic is not None and (shown := self._show(turn, topic)) is not None
        )

    def _show(self, turn: Earlier, topic: Topic) -> Shown | None:
        if turn.person == self.person:
            said = " ; ".join((turn.text[:LONGEST], *turn.answered[:1]))
            return Shown("the same person", said, turn.language)
        base = base_for(topic, self.person)
        said = base.asked or ", ".join(named.text for named in base.names)
        return Shown("another person", said, turn.language) if said else None


class Draft(Closed):
    """The message so that it can be read alone."""

    question: str = Field(min_length=1, max_length=4_000)


def draft_by_rule(talk: Talk) -> Draft:
    return Draft(question=complete_by_rule(talk.earlier, talk.message, talk.language, talk.person).question)


def check_draft(talk: Talk, draft: Draft) -> str | None:
    """Why a reply cannot be the message with what the talk says, or None."""
    said, message = draft.question, talk.message
    if len(said) > len(message) + _MORE:
        return "It is far longer than the message."
    if (talk.language == "zh") != bool(_HAN.search(said)) and talk.language in LANGUAGES:
        return "It is in another language."
    correction = read_correction(message, talk.language) if talk.language in LANGUAGES else None
    kept = correction[0] if correction else message
    return _loses(kept, said, talk.language) or _invents(talk, said)


def _loses(kept: str, said: str, language: str) -> str | None:
    """Numbers, units, negations and names of the message are all in the reply."""
    if not set(_NUMBER.findall(kept)) <= set(_NUMBER.findall(said)):
        return "It loses a number of the message."
    if not _measures(kept, language) <= _measures(said, language):
        return "It loses a number or unit of the message."
    if len(negations_in(said, language)) < len(negations_in(kept, language)):
        return "It loses a negation of the message."
    names = find_named(said, language)
    lost = [one.text for one in find_named(kept, language) if not _is_among(one, names)]
    return f"It leaves out {', '.join(lost)}." if lost else None


def _invents(talk: Talk, said: str) -> str | None:
    """Nothing is in the reply that neither the message nor a turn as shown has."""
    sources = [(talk.message, talk.language), *((one.text, one.language) for one in talk.shown)]
    texts = " ".join(text for text, _ in sources)
    if not set(_NUMBER.findall(said)) <= set(_NUMBER.findall(texts)):
        return "It has a number that nobody said."
    allowed = [one for text, language in sources for one in find_named(text, language)]
    new = [one.text for one in find_named(said, talk.language) if not _is_among(one, allowed)]
    if new:
        return f"It names {', '.join(new)}, which nobody did."
    if negations_in(said, talk.language) and not any(negations_in(*source) for source in sources):
        return "It denies what nobody denied."
    known = {word.casefold() for word in _WORD.findall(texts)}
    strange = [
        word
        for word in _WORD.findall(said)
        if word.casefold() not in known
        and zipf(word.casefold()) < _PLAIN
        and not any(word.casefold() in one.name.casefold() for one in allowed)
    ]
    return f"It has the word {strange[0]}, which nobody said." if strange else None


def _measures(text: str, language: str) -> set[tuple[float, float, str]]:
    return {(*each.ends, each.kind) for each in quantities_in(text, language) if each.kind}


def _is_among(one: Named, others: Iterable[Named]) -> bool:
    return any(one.is_like(other) for other in others)


def _without_oldest(talk: Talk) -> Talk | None:
    return replace(talk, earlier=talk.earlier[1:]) if len(talk.earlier) > 1 else None


STANDALONE: Step[Talk, Draft] = Step(
    "standalone", "standalone.v1", Draft, draft_by_rule, check_draft, _without_oldest
)
