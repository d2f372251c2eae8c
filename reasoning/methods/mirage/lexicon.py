"""What the method knows of words: categories, what a question asks for, how parts are put."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from config.resources import read_toml
from reasoning.methods.mirage.claims import fold_term
from reasoning.retrieval.intents import intents_of
from storage.facts import ClaimType


@cache
def _lexicon() -> dict[str, Any]:
    return read_toml("lexicons/mirage.toml")


@cache
def _generic() -> frozenset[str]:
    return frozenset(fold_term(word) for word in _lexicon()["generic"].split("|"))


def is_generic(name: str) -> bool:
    """Whether a name is a category word or made of such words only (methods.md 2.3)."""
    folded = fold_term(name)
    return folded in _generic() or all(word in _generic() for word in folded.split())


@cache
def _asks(which: str) -> re.Pattern[str]:
    words = _lexicon()["diagnosis"][which].split("|")
    return re.compile("|".join((r"\b" if word[0].isascii() else "") + re.escape(word) for word in words))


def asks_diagnosis(question: str) -> bool:
    return asks_one(question) or _asks("any").search(question.casefold()) is not None


def asks_one(question: str) -> bool:
    """Whether the question wants the one diagnosis that fits, and not possibilities."""
    return _asks("one").search(question.casefold()) is not None


def asked_types(question: str) -> frozenset[ClaimType]:
    """Types of claims that the question's words ask for; empty where they show none."""
    intents, types = intents_of(question), set[ClaimType]()
    if "treatment" in intents:
        types |= {"treatment", "dose"}
    if "diagnosis" in intents:
        types.add("test")
    if "symptoms" in intents or asks_diagnosis(question):
        types.add("diagnosis")
    if intents & {"side_effects", "cause", "interaction"}:
        types.add("advice")
    return frozenset(types)


def ask_about(names: tuple[str, ...], language: str) -> str:
    """A sub-question on one entity, or on how two are related."""
    wordings = _lexicon()["parts"].get(language) or _lexicon()["parts"]["en"]
    return str(wordings["anchor" if len(names) == 1 else "bridge"]).format(*names)


def say_uncertain(kind: str, first: str, second: str, language: str) -> str:
    """Two statements with equal support that cannot both hold, in one sentence."""
    wordings = _lexicon()["uncertain"]["exclusive" if kind == "exclusive" else "other"]
    return str(wordings.get(language, wordings["en"])).format(first, second)
