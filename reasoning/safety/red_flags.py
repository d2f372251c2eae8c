"""The red-flag lexicons of `config/lexicons`, ready for matching."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from config.resources import read_toml
from reasoning.safety.patterns import Matcher, choose_anchor, compile_matcher, compile_rows

Kind = Literal["event", "symptom", "condition", "intent", "given", "then"]
KINDS: tuple[Kind, ...] = ("event", "symptom", "condition", "intent", "given", "then")
LANGUAGES = ("en", "zh", "es", "de", "fr")
_STEM = 3  # letters; the shortest beginning that `x*` may ask for
_SHORT = 2  # common words; so few do not tell languages apart

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+(?:'[^\W\d_]+)*|[,:()–—]|(?<= )-(?= )")
_KEYS = {
    "a": "qsz",
    "e": "wrd",
    "i": "uok",
    "o": "ipl",
    "u": "yij",
    "t": "ry",
    "n": "bm",
    "s": "ad",
    "r": "et",
}


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a language is written: without blanks between words or with them, its commonest words, and which
    characters stand for others."""

    joined: bool
    common: frozenset[str]
    characters: dict[int, str]

    def simplify(self, text: str) -> str:
        """Characters as the lexicon writes them."""
        return text.translate(self.characters) if self.characters else text

    def count_common(self, text: str) -> int:
        """Of a contraction ("he's") the parts count as well."""
        words = _TOKEN.findall(self.simplify(text))
        return len(self.common.intersection(part for word in words for part in {word, *word.split("'")}))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language. `hot` maps a word (joined: a fragment) to the groups that it may belong to."""

    language: str
    spelling: Spelling
    groups: dict[str, dict[Kind, Matcher]]
    cues: dict[str, re.Pattern[str]]
    question: re.Pattern[str]
    hot: dict[str, frozenset[str]]
    waking: frozenset[str]  # as people type them
    words: dict[str, str]
    longest_stem: int
    with_effort: frozenset[str]  # groups whose signs are chronic when they come with effort
    transient: frozenset[str]  # groups whose signs of today count although they went away

    @property
    def joined(self) -> bool:
        return self.spelling.joined

    def simplify(self, text: str) -> str:
        return self.spelling.simplify(text)

    def find_hot(self, text: str) -> set[str]:
        """The words or fragments of a folded text that may begin something; empty for most texts."""
        if self.joined:
            return {fragment for fragment in self.hot if fragment in text}
        return self._list_forms(_TOKEN.findall(text)) & self.waking

    def _list_forms(self, tokens: list[str]) -> set[str]:
        """The words themselves and, where the lexicon has stems, what they begin with."""
        if not self.longest_stem:
            return set(tokens)
        stems = {f"{t[:n]}*" for t in tokens for n in range(_STEM, min(len(t), self.longest_stem) + 1)}
        return stems | set(tokens)

    def rewrite(self, sentence: str) -> str:
        """The sentence as the patterns expect it: known words, or simplified characters without blanks."""
        if self.joined:
            return "".join(sentence.split()).rstrip(".!?;")
        return f" {' '.join(self.words.get(word, word) for word in _TOKEN.findall(sentence))} "

    def wake_groups(self, rewritten: str, hot: set[str]) -> set[str]:
        """Which groups are worth matching against a rewritten sentence of a text with these hot words."""
        found = (
            (f for f in hot if f in rewritten)
            if self.joined
            else self.hot.keys() & self._list_forms(rewritten.split())
        )
        return {code for fragment in found for code in self.hot[fragment]}

    def asks(self, rewritten: str) -> bool:
        """Whether it is built as a question, with or without a question mark."""
        return (self.question.search if self.joined else self.question.match)(rewritten) is not None

    def has(self, cue: str, text: str) -> bool:
        """Whether a cue occurs in a stretch of rewritten text."""
        return self.cues[cue].search(text if self.joined else f"{text} ") is not None


def choose_lexicons(text: str) -> list[Lexicon]:
    """Those whose language a folded text may be in: a word of two languages ("convulsion") is read where
    its negations and questions are understood. By common words, since a message may mix languages; all
    lexicons where none of them occurs, those with one less where they are few, and those of joined languages
    always."""
    spellings = {code: load_spelling(code) for code in LANGUAGES}
    counts = {code: one.count_common(text) for code, one in spellings.items() if not one.joined}
    most = max(counts.values())
    enough = most * 0.6 if most > _SHORT else most - 1
    return [load_lexicon(code) for code in LANGUAGES if spellings[code].joined or counts[code] >= enough]


@cache
def load_spelling(language: str) -> Spelling:
    """Read what tells a language; nothing is compiled, which takes a tenth of a second each."""
    raw = read_toml(f"lexicons/red_flags.{language}.toml")
    letters = raw["spelling"]["letters"].split()
    return Spelling(
        joined=bool(raw["joined"]),
        common=frozenset(raw["common"].split()),
        characters={ord(pair[0]): pair[1:].replace("_", " ") for pair in letters},
    )


@cache
def load_lexicon(language: str) -> Lexicon:
    """Read and compile one language. Raises ValueError where a pattern cannot be woken up."""
    raw = read_toml(f"lexicons/red_flags.{language}.toml")
    slots, spelling = raw["slots"], load_spelling(language)
    joined, common = spelling.joined, spelling.common
    hot: dict[str, set[str]] = defaultdict(set)
    groups: dict[str, dict[Kind, Matcher]] = {}
    for code, kinds in raw["groups"].items():
        groups[code] = {}
        for kind in KINDS:
            patterns = kinds.get(kind, [])
            if patterns:
                groups[code][kind] = compile_matcher(patterns, slots, joined=joined)
            for pattern in patterns if kind != "given" else ():
                for word in choose_anchor(pattern, slots, common, joined=joined):
                    hot[word].add(code)
    cues = {
        name: compile_rows(p, slots, joined=joined) or re.compile(r"(?!)") for name, p in raw["cues"].items()
    }
    question = compile_rows(raw["question"], slots, joined=joined)
    assert question is not None
    words = {} if joined else _spell_out(raw["spelling"], raw["words"])
    return Lexicon(
        language=language,
        spelling=spelling,
        groups=groups,
        cues=cues,
        question=question,
        hot={word: frozenset(codes) for word, codes in hot.items()},
        waking=frozenset(hot) | {w for w, meant in words.items() if not hot.keys().isdisjoint(meant.split())},
        words=words,
        with_effort=frozenset(raw["with_effort"]),
        transient=frozenset(raw["transient"]),
        longest_stem=max((len(word) - 1 for word in hot if word.endswith("*")), default=0),
    )


def _spell_out(spelling: dict[str, str], words: dict[str, str]) -> dict[str, str]:
    """Every spelling that is understood, mapped to the words of the patterns."""
    right = spelling["forgiven"].split()
    real = {*spelling["real"].split(), *right}
    slips = {slip: word for word in right for slip in _slips(word) if slip not in real}
    return slips | words


def _slips(word: str) -> Iterator[str]:
    """Words one slip away with the same first letter: dropped, doubled, swapped, neighbouring letter."""
    for i in range(1, len(word)):
        if i < len(word) - 1:  # without its last letter it is mostly another form of the word
            yield word[:i] + word[i + 1 :]
        yield word[:i] + word[i] + word[i:]
        for other in set(_KEYS.get(word[i], "")) | (set("aeiou") if word[i] in "aeiou" else set()):
            yield word[:i] + other + word[i + 1 :]
    for i, (a, b) in enumerate(pairwise(word)):
        if i and a != b:
            yield word[:i] + b + a + word[i + 2 :]
