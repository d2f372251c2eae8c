"""Messages that name nothing known: a bare question word, a side of the last subject, or something new."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from config.resources import read_toml
from reasoning.followups.concepts import Named
from reasoning.followups.cues import cue
from reasoning.retrieval.subject import zipf
from reasoning.routing.entity_lexicon import load_generic
from reasoning.routing.words import split_words
from reasoning.verify.cues import fold
from storage.words import STOP_WORDS

_COMMON = 5.3  # Zipf frequency in English from which a word tells nothing
_TELLING = 2  # telling words that make a topic of their own
_RARE = 3.5  # Zipf frequency below which a word may be a name
_HAN_BARE, _HAN_NAME, _HAN_LONG = 4, 8, 30  # characters


def is_bare(text: str, language: str) -> bool:
    """ "why?", "how much?", 多少？: question words and nothing else."""
    if language == "zh":
        rest = cue("openers", "zh").sub("", text.strip(" ?？。.!！"))
        return len(cue("light", "zh").sub("", rest)) == 0 and len(text) <= 2 * _HAN_BARE
    words = [word.raw.casefold() for word in split_words(text)]
    return 0 < len(words) <= 3 and all(word in STOP_WORDS or word in _asking() for word in words)


def is_short(text: str, names: Sequence[Named], language: str) -> bool:
    """ "is eczema?", 丙肝也会吗: a name with at most two words, none of which asks what or how."""
    said = text
    for named in reversed(names):
        said = said[: named.start] + " " + said[named.end :]
    if language == "zh":
        return len("".join(said.split())) <= _HAN_BARE
    words = [word.raw.casefold() for word in split_words(said)]
    return len(words) <= 2 and _asking().isdisjoint(words)


def is_new(text: str, language: str) -> bool:
    """Whether words of a subject stand in it that no table has, and none of a side of a medical question."""
    if language == "zh":
        return len(text) > _HAN_LONG
    words = [word for word in split_words(text) if word.raw.casefold() not in STOP_WORDS]
    if any(word.key in load_generic() or word.raw.casefold().startswith(_sides()) for word in words):
        return False
    telling = [word for word in words if len(word.raw) > 2 and zipf(word.raw.casefold()) < _COMMON]
    return len(telling) >= _TELLING


def is_name(text: str, language: str) -> bool:
    """Whether it can be a name that no table has: one or two rare words, none of grammar or of a side."""
    text = text.strip(" ?？.。!！")
    if language == "zh":
        return 2 <= len(text) <= _HAN_NAME and text.isalpha() and not cue("openers", "zh").search(text)
    words = text.casefold().split()
    return 0 < len(words) <= 2 and all(
        word.isalpha() and word not in STOP_WORDS and not word.startswith(_sides()) and zipf(word) < _RARE
        for word in words
    )


@cache
def _asking() -> frozenset[str]:
    words = "why|how|what|when|where|who|which|much|many|often|long|not|so|else|more|really"
    return frozenset(words.split("|"))


@cache
def _sides() -> tuple[str, ...]:
    """Beginnings of words that ask for a side of a subject: its dose, its causes, its outlook."""
    asked = [word for entry in read_toml("lexicons/intents.toml").values() for word in entry["asked"]]
    return tuple(fold(word) for word in (*asked, "dose", "dosage"))
