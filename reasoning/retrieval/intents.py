"""What a question wants to know of its subject, by words (methods.md 1.2; lexicon `intents.toml`)."""

from __future__ import annotations

import re
from functools import cache

from config.resources import read_toml


@cache
def _patterns(side: str) -> dict[str, re.Pattern[str]]:
    """`side` is asked or said; words match from their beginning."""
    return {
        intent: re.compile(r"\b(?:" + "|".join(re.escape(word) for word in words[side]) + ")")
        for intent, words in read_toml("lexicons/intents.toml").items()
    }


def intents_of(question: str) -> frozenset[str]:
    """Names of the intents that a question's words show; empty for none."""
    text = question.lower()
    return frozenset(intent for intent, pattern in _patterns("asked").items() if pattern.search(text))


def speaks_to(text: str, intents: frozenset[str]) -> bool:
    """Whether a heading or sentence has words of one of the intents."""
    lower = text.lower()
    return any(_patterns("said")[intent].search(lower) for intent in intents)


def without_intent_words(question: str) -> str:
    """The question without the words that only show its intent: what is left is the subject."""
    text = question.lower()
    for pattern in _patterns("asked").values():
        text = re.sub(pattern.pattern + r"\w*", " ", text)
    return text


_COMPARES = re.compile(r"\b(?:difference|differ|versus|vs|compared|better than)\b")


def compares(question: str) -> bool:
    """Whether a question sets two things side by side."""
    return _COMPARES.search(question.lower()) is not None
