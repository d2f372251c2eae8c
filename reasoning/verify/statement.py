"""A sentence as far as polarity goes: negations with their scope, and words with an opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from config.resources import read_toml
from reasoning.verify.cues import blank, compile_cues, fold
from reasoning.verify.words import Term, terms_in

_COMPOUND = re.compile(
    r"(?<![\w-])(?:[\w']+-(?:free|naive|naïve|negative|independent)|non-?[a-z]{5,}"
    r"|un(?:treated|proven|vaccinated|safe)|(?!use|un|regard|neverthe|none|doubt|breath)[a-z]{3,}less)(?![\w])"
)
_VERB = re.compile(
    r"(?<![\w])(?:is|are|was|were|will|can|could|may|might|must|should|would|has|have|had|do|does|did|need|needs|usually|often|require|requires|get|gets)(?![\w])"
)
_BARE = frozenset(["more", "less", "fewer", "frequent", "common", "commonly", "often", "likely", "rare"])
_BOUND_BY_NOT = re.compile(
    r"\b(?:no|not) (?:more|less|fewer|later|longer|greater|higher) than"
    r"(?= (?:about |around )?(?:\d|one|two|three|four|five|six|seven|eight|ten|half|a ))"
)
_BELOW_ZERO = re.compile(r"chang\w* by (?:an? )?(?:mean |average |median )?(?:of )?[−–-](?=\d)")
_SCOPE = 6  # content terms behind a negation
_NEAR = 4  # content terms around a pole word


@dataclass(frozen=True, slots=True)
class Negation:
    """One cue; `scope` the terms behind it in its clause, `clause` all terms of the clause."""

    cue: str
    start: int
    scope: tuple[Term, ...]
    clause: tuple[Term, ...]
    end: int
    compound: bool = False  # "disease-free", "non-small"


@dataclass(frozen=True, slots=True)
class Pole:
    """A word with an opposite: `sign` +1 or -1, `negated` by a cue before it, `near` the keys around it."""

    axis: str
    sign: int
    negated: bool
    word: str
    start: int
    near: frozenset[str]


@cache
def _cues(language: str, part: str) -> re.Pattern[str]:
    data = read_toml("lexicons/polarity.toml")["negation"]
    return compile_cues(data.get(language, {}).get(part, ""))


@lru_cache(maxsize=2048)
def negations_in(text: str, language: str) -> tuple[Negation, ...]:
    """Every cue with its scope: what follows it in its clause; where nothing does, what stands before."""
    found: list[Negation] = []
    for line in _lines(text):
        found += _negations_of_line(line, language)
    return tuple(found)


def is_noun_cue(cue: str) -> bool:
    """ "no", "without": they deny what follows them, not their clause."""
    return cue in _noun_cues()


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _negations_of_line(text: str, language: str) -> list[Negation]:
    folded = blank(_BOUND_BY_NOT, blank(_cues(language, "pseudo"), fold(text)))
    terms, edges = terms_in(text, language), _edges(folded)
    found: list[Negation] = []
    last_end = -3
    for match in _cues(language, "cues").finditer(folded):
        if (
            language == "fr"
            and match.start() - last_end < 25
            and found
            and match[0] in ("pas", "jamais", "rien")
        ):
            continue  # ne … pas is one negation
        begin, end = _clause_at(edges, match.start(), len(folded))
        opens = not any(c.isalnum() for c in folded[begin : match.start()])
        if match[0] in _noun_cues() and not (
            opens and match[0] == "no"
        ):  # "no anesthesia is needed" denies it all
            verb = _VERB.search(folded, match.end(), end)
            end = verb.start() if verb else end
        clause = tuple(
            t
            for t in terms
            if begin <= t.start < end and not (t.start <= match.start() and t.end <= match.end())
        )
        behind = tuple(t for t in clause if t.start >= match.end())[:_SCOPE]
        if _cues(language, "scopeless").fullmatch(match[0]):
            behind = clause
        behind = behind or terms  # "large doses were not"
        found.append(Negation(match[0], match.start(), behind, clause, match.end()))
        last_end = match.end()
    if language == "en":
        for match in _COMPOUND.finditer(folded):
            if blank(_cues(language, "cues"), match[0]) != match[0]:
                continue
            within = tuple(t for t in terms if t.start < match.end() and t.end > match.start())
            begin, end = _clause_at(edges, match.start(), len(folded))
            clause = tuple(t for t in terms if begin <= t.start < end)
            found.append(Negation(match[0], match.start(), within, clause, match.end(), compound=True))
    return found


def _edges(text: str) -> list[int]:
    return [match.start() for match in _clause_ends().finditer(text)]


def _clause_at(edges: list[int], at: int, end: int) -> tuple[int, int]:
    begin = max((edge + 1 for edge in edges if edge < at), default=0)
    return begin, min((edge for edge in edges if edge > at), default=end)


@lru_cache(maxsize=2048)
def has_quasi_negation(text: str, language: str, beside: str = "") -> bool:
    """Words that say "not" in another way, before, only, stop, remain; not where `beside` has them too."""
    known = fold(beside)
    return any(match[0] not in known for match in _cues(language, "quasi").finditer(fold(text)))


def has_quasi_negation_at(text: str, language: str, head: Term, beside: str) -> bool:
    """The same, in a clause of the text that names `head`."""
    known = fold(beside)
    for line in _lines(text):
        folded, edges = fold(line), _edges(fold(line))
        named = [t.start for t in terms_in(line, language) if head.covered_by(t.keys | set(t.parts))]
        clauses = {_clause_at(edges, at, len(folded)) for at in named}
        for match in _cues(language, "quasi").finditer(folded):
            if match[0] not in known and any(begin <= match.start() < end for begin, end in clauses):
                return True
    return False


@cache
def _axes(language: str) -> tuple[tuple[str, int, re.Pattern[str]], ...]:
    data: dict[str, Any] = read_toml("lexicons/polarity.toml")["axes"]
    return tuple(
        (axis, sign, compile_cues(poles[side].get(language, "")))
        for axis, poles in data.items()
        for side, sign in (("up", 1), ("down", -1))
    )


@lru_cache(maxsize=2048)
def says_no_difference(text: str, language: str) -> bool:
    """Whether an English text says that two things do not differ."""
    return language == "en" and bool(compile_cues(_sameness()["en"]).search(blank(_masks(), fold(text))))


@lru_cache(maxsize=2048)
def claims_difference(text: str, language: str) -> bool:
    folded = blank(compile_cues(_sameness()["en"]), blank(_masks(), fold(text)))
    return language == "en" and bool(compile_cues(_sameness()["claims"]).search(folded))


@cache
def _noun_cues() -> frozenset[str]:
    return frozenset(read_toml("lexicons/polarity.toml")["phrases"]["noun_cues"])


@cache
def _masks() -> re.Pattern[str]:
    """Phrases whose words are no direction: "at least 3", "check-up", "at high risk"."""
    return re.compile("|".join(read_toml("lexicons/polarity.toml")["phrases"]["masks"]))


@cache
def _clause_ends() -> re.Pattern[str]:
    phrases = read_toml("lexicons/polarity.toml")["phrases"]
    words = "|".join(phrases["clauses"])
    return re.compile(rf"{phrases['stops']}|(?<![^\W\d_])(?:{words})(?![^\W\d_])|{phrases['han_clauses']}")


def _sameness() -> dict[str, str]:
    data: dict[str, str] = read_toml("lexicons/polarity.toml")["sameness"]
    return data


@lru_cache(maxsize=2048)
def poles_in(text: str, language: str) -> tuple[Pole, ...]:
    """Pole words outside of names: "high" in "high blood pressure" is no direction."""
    return tuple(pole for line in _lines(text) for pole in _poles_of_line(line, language))


def _poles_of_line(text: str, language: str) -> tuple[Pole, ...]:
    folded = blank(_masks(), fold(text))
    terms = terms_in(text, language)
    named = [t for t in terms if t.category in ("conditions", "classes", "treatments", "tests", "symptoms")]
    negated = tuple(_negations_of_line(text, language))
    found = []
    matches = [
        (axis, sign, match) for axis, sign, pattern in _axes(language) for match in pattern.finditer(folded)
    ]
    for axis, sign, match in matches:
        if any(
            _is_within(match, other) and (axis == near or match[0] in _BARE) for near, _, other in matches
        ):
            continue  # "less frequent" is not frequent
        if axis != "nature" and any(
            t.parts and t.start <= match.start() and match.end() <= t.end for t in named
        ):
            continue
        found.append(
            Pole(axis, sign, _is_negated(match, negated), match[0], match.start(), _near(match, terms))
        )
    found += [
        Pole("change", -1, False, match[0], match.start(), _near(match, terms))
        for match in _BELOW_ZERO.finditer(folded)
    ]
    return tuple(sorted(found, key=lambda pole: pole.start))


def _is_within(match: re.Match[str], other: re.Match[str]) -> bool:
    return other.start() <= match.start() and match.end() <= other.end() and len(match[0]) < len(other[0])


def _is_negated(match: re.Match[str], negations: tuple[Negation, ...]) -> bool:
    """By a cue before it, or right behind it: "should not"."""
    return any(
        0 <= n.start - match.end() <= 2
        or (n.scope and n.end <= match.start() <= n.scope[min(2, len(n.scope) - 1)].end)
        or (n.start <= match.start() < n.end and len(n.cue) > len(match[0]) and not n.compound)
        for n in negations
        if n.cue != match[0]
    )


def _near(match: re.Match[str], terms: tuple[Term, ...]) -> frozenset[str]:
    before = [t for t in terms if t.end <= match.start()][-_NEAR:]
    after = [t for t in terms if t.start >= match.end()][:_NEAR]
    return frozenset(_meanings([*before, *after]))


def _meanings(terms: list[Term]) -> Iterator[str]:
    for term in terms:
        yield from term.keys
