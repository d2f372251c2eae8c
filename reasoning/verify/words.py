"""Content words of a sentence with the things they name, plain and clinical words alike.

The names come from `config/lexicons/plain_words.toml`, in five languages; a rare word weighs more than a
common one, as in `reasoning.retrieval.subject`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import Stemmer

from config.resources import read_toml
from reasoning.retrieval.subject import word_weight
from reasoning.verify.cues import fold
from storage.words import STOP_WORDS

LANGUAGES = ("en", "es", "de", "fr", "zh")
_STEMMERS = {"en": "english", "es": "spanish", "de": "german", "fr": "french"}
_WORD = re.compile(r"[^\W_㐀-鿿]+(?:['-][^\W_㐀-鿿]+)*")
_HAN = re.compile(r"[㐀-鿿]+")
_LONGEST_NAME = 5  # words
_LONGEST_HAN_NAME = 8  # characters
_NAMED = 3.0  # weight of a thing of the lexicon
_UNNAMED_HAN = 1.0


_ENDINGS = frozenset(
    {"free", "naive", "negative", "positive", "independent", "non", "related", "associated", "induced"}
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word or name at [start, end). `keys` are what it may mean, `parts` the stems of a longer name."""

    start: int
    end: int
    keys: frozenset[str]
    weight: float
    parts: tuple[str, ...] = ()
    category: str | None = None

    def covered_by(self, keys: frozenset[str]) -> bool:
        if self.keys & keys or (self.parts and keys.issuperset(self.parts)):
            return True
        return any(_kin(mine, other) for mine in self.keys if mine[0] != "@" for other in keys)


@lru_cache(maxsize=50_000)
def _kin(mine: str, other: str) -> bool:
    """Words of one family: "diagnos", "diagnost"; never over so short a stem as "hyper"."""
    if other[0] == "@" or min(len(mine), len(other)) < 5 or mine[:3] != other[:3]:
        return False
    same = next((i for i, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), None)
    shared = min(len(mine), len(other)) if same is None else same
    return shared >= max(5, 0.75 * min(len(mine), len(other)))


def spell_plainly(word: str) -> str:
    """Without accents, and British as American where the sound is the same."""
    plain = unicodedata.normalize("NFKD", word)
    if not plain.isascii():
        plain = "".join(c for c in plain if not unicodedata.combining(c))
    return (
        plain.replace("aemia", "emia")
        .replace("oedema", "edema")
        .replace("haem", "hem")
        .replace("paed", "ped")
    )


@lru_cache(maxsize=100_000)
def stem(word: str, language: str) -> str:
    plain = spell_plainly(word)
    name = _STEMMERS.get(language)
    return _stemmer(name).stemWord(plain) if name else plain


@cache
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name)


@cache
def _names(language: str) -> dict[tuple[str, ...], frozenset[str]]:
    """Stems of a name -> things it may be. English names count in every language: drugs, acronyms."""
    found: dict[tuple[str, ...], set[str]] = {}
    for _, things in read_toml("lexicons/plain_words.toml").items():
        for thing, variants in things.items():
            for code in {language, "en"}:
                for name in fold(variants.get(code, "")).split("|"):
                    key = tuple(stem(word, code) for word in _WORD.findall(name))
                    if key and len(key) <= _LONGEST_NAME:
                        found.setdefault(key, set()).add(f"@{thing}")
    return {key: frozenset(things) for key, things in found.items()}


@cache
def _han_names() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for things in read_toml("lexicons/plain_words.toml").values():
        for thing, variants in things.items():
            for name in variants.get("zh", "").split("|"):
                if name:
                    found.setdefault(name, set()).add(f"@{thing}")
    return {name: frozenset(things) for name, things in found.items()}


@cache
def category_of(thing: str) -> str | None:
    return next(
        (name for name, things in read_toml("lexicons/plain_words.toml").items() if thing[1:] in things), None
    )


@cache
def _stop_words(part: str) -> frozenset[str]:
    """Words of grammar in one language, or words that fill up an English sentence."""
    data: dict[str, str] = read_toml("lexicons/stop_words.toml")
    return frozenset(data.get(part, "").split())


@lru_cache(maxsize=4096)
def terms_in(text: str, language: str) -> tuple[Term, ...]:
    """Content terms in order; a longer name is taken before its words."""
    folded = fold(text)
    found = list(_latin_terms(folded, language))
    if language == "zh" or _HAN.search(folded):
        found += _han_terms(folded)
    return tuple(sorted(found, key=lambda term: term.start))


def _latin_terms(text: str, language: str) -> Iterator[Term]:
    stops = STOP_WORDS if language == "en" else _stop_words(language)
    words = [(m.start(), m.end(), m[0]) for m in _WORD.finditer(text)]
    stems = [stem(word, language) for _, _, word in words]
    names, at = _names(language), 0
    while at < len(words):
        for length in range(min(_LONGEST_NAME, len(words) - at), 0, -1):
            key = tuple(stems[at : at + length])
            if key in names and not (length == 1 and words[at][2] in stops):
                yield _named(words[at : at + length], key, names[key], language)
                at += length
                break
        else:
            start, end, word = words[at]
            if (
                word not in stops
                and word not in _stop_words("filler")
                and not word.isdigit()
                and len(word) > 1
            ):
                keys = {stems[at]} | {
                    stem(part, language) for part in word.split("-") if len(part) > 2 and part not in _ENDINGS
                }
                yield Term(
                    start, end, frozenset(keys), max(0.3, word_weight(word)) if language == "en" else 1.5
                )
            at += 1


def _named(
    words: list[tuple[int, int, str]], key: tuple[str, ...], things: frozenset[str], language: str
) -> Term:
    categories = {category_of(thing) for thing in things}
    category = categories.pop() if len(categories) == 1 else None
    single = len(key) == 1
    rarest = max(word_weight(word) for _, _, word in words) if language == "en" else 2.0
    weight = max(0.3, 0.6 * rarest if category == "general" else rarest)
    parts = () if single else tuple(stem(w, language) for _, _, w in words if w not in STOP_WORDS)
    return Term(words[0][0], words[-1][1], things | ({key[0]} if single else set()), weight, parts, category)


def _han_terms(text: str) -> Iterator[Term]:
    names = _han_names()
    for run in _HAN.finditer(text):
        at, end = run.span()
        while at < end:
            for length in range(min(_LONGEST_HAN_NAME, end - at), 0, -1):
                name = text[at : at + length]
                if name in names and (length > 1 or name in "癌肺肝肾心脑胃皮痛酒盐水药"):
                    categories = {category_of(thing) for thing in names[name]}
                    category = categories.pop() if len(categories) == 1 else None
                    yield Term(
                        at, at + length, names[name] | {name}, _NAMED if category != "general" else 1.5,
                        (), category,
                    )  # fmt: skip
                    at += length
                    break
            else:
                if at + 2 <= end:
                    yield Term(at, at + 2, frozenset({text[at : at + 2]}), _UNNAMED_HAN)
                at += 1


def words_within(text: str, language: str, name: Term) -> list[Term]:
    """The words of a longer name as terms of their own: kidney and cancer of "kidney cancer"."""
    if not name.parts:
        return [name]
    return [term for word in text[name.start : name.end].split() for term in terms_in(word, language)]


@lru_cache(maxsize=4096)
def keys_in(text: str, language: str) -> frozenset[str]:
    """Everything a text names: things, stems, and the stems inside its longer names."""
    keys: set[str] = set()
    for term in terms_in(text, language):
        keys |= term.keys
        keys.update(term.parts)
    for word in _WORD.findall(fold(text)):
        keys.add(stem(word, language))
    folded = fold(text)
    for run in _HAN.findall(folded):
        keys.update(run[i : i + 2] for i in range(len(run) - 1))
    return frozenset(keys)
