"""How sure a sentence is, against its source: "may" is not "will", a link is no cause, some are not all."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from config.resources import read_toml
from reasoning.verify.cues import compile_cues, fold
from reasoning.verify.ground import Ground
from reasoning.verify.quantities import quantities_in
from reasoning.verify.statement import negations_in
from reasoning.verify.words import Term, keys_in, terms_in

_FAR = 2  # steps of frequency that rounding in words may not cost
_CLEAR = 0.6  # of the best sentence's words: those that the sentence may rest on


_EVERY = re.compile(
    r"(?<!for )(?<!nearly )(?<!almost )\b(?:every (?!day|week|month|year|hour|minute|other|one|two|three|four"
    r"|five|six|seven|eight|nine|ten|\d|morning|night|evening|time|few|second|third|single day"
    r"|\w+ (?:days|weeks|months|years|hours)|further|additional|extra)|all (?:heart|cases|types|forms|attacks"
    r"|fractures|strokes|infections|deaths|tumou?rs|cancers|symptoms|complications|pain|risk|users|patients"
    r"|people|women|men|children|babies|adults))[\w-]*"
)
_CLAUSES = re.compile(
    r"[;:]|, (?:but|though|although|yet|and|so|which)|\b(?:but|although|though|whereas|while|because|yet)\b"
    r"|\band (?=(?:led|may|can|should|must|is|are|was|were|has|have|had|did|do|does)\b)|\bin contrast to\b"
)
_COMPARED = re.compile(
    r"\b(?:more|less|as|times|twice|most|least|equally) likely\b|\bif possible\b|\bas \w+ as possible\b"
)
_NEARLY = re.compile(r"\b(?:nearly|almost|not|mostly|far from)\s+$")
_CHANCE = re.compile(r"\b(?:can|risk|more likely|chance)\b")
_RISK = re.compile(r"risk|ratio|likely")
_CAUSES = re.compile(r"\b(?:causes?|because of|due to|responsible|proves?)\b")
_EFFECT = re.compile(
    r"\b(?:lower(?:s|ed)|reduc(?:es|ed)|increas(?:es|ed)|rais(?:es|ed)|improv(?:es|ed)|prevent(?:s|ed)|cut|cuts)\b"
)
_EACH = re.compile(r"\b(?:every|all|each|any|no|none|routine(?:ly)?|universal)\b")


@cache
def _lexicon() -> dict[str, Any]:
    return read_toml("lexicons/certainty.toml")


@cache
def _pattern(part: str, language: str, family: str = "") -> re.Pattern[str]:
    entry = _lexicon()[part][family] if family else _lexicon()[part]
    return compile_cues(entry.get(language, ""))


def object_to_certainty(ground: Ground) -> str | None:
    said = supporting_lines(ground)
    return (
        _too_strong(ground)
        or _hedge_lost(ground, said)
        or _link_made_cause(ground, said)
        or _too_often(ground, said)
    )


def supporting_lines(ground: Ground) -> list[str]:
    """The sentences of the source that share most of the sentence's words; all, across languages."""
    lines = [line for line in ground.said.split("\n") if line.strip()]
    if ground.translated or len(lines) < 2:
        return lines
    terms = terms_in(ground.text, ground.language)
    shared = [
        sum(term.weight for term in terms if term.covered_by(keys_in(line, ground.source_language)))
        for line in lines
    ]
    best = max(shared)
    return [line for line, score in zip(lines, shared, strict=True) if score >= _CLEAR * best]


def _too_strong(ground: Ground) -> str | None:
    text, said = fold(ground.text), fold(ground.said)
    for family in _lexicon()["strong"]:
        match = next(
            (
                m
                for m in _pattern("strong", ground.language, family).finditer(text)
                if not _denied(ground, m) and not _NEARLY.search(text[: m.start()])
            ),
            None,
        )
        if match is None or _excused(family, ground, said):
            continue
        if family == "will" and (
            text[match.end() : match.end() + 4] == " not"
            or _is_softened(text, ground.language)
            or not _is_doubtful(ground, said)
        ):
            continue
        return f"“{match[0]}” is more than the source says"
    every = _EVERY.search(text) if ground.language == "en" else None
    if every and not _denied(ground, every) and not (ground.source_language == "en" and _EACH.search(said)):
        return f"“{every[0]}” is more than the source says"
    return None


def _is_doubtful(ground: Ground, said: str) -> bool:
    if any(q.kind == "ratio" for q in quantities_in(ground.text, ground.language)):
        return False  # a share says itself that it is not for everyone
    chance = ground.source_language == "en" and _CHANCE.search(said)
    return bool(chance) or is_hedged(said, ground.source_language) or _is_measured(ground)


def _is_softened(text: str, language: str) -> bool:
    """Whether a sentence says itself that it does not hold always."""
    return any(_pattern(part, language).search(text) for part in ("hedges", "soft"))


def _is_measured(ground: Ground) -> bool:
    """Rates and shares of a study: what was so there will not be so for everyone."""
    return any(q.kind == "ratio" or q.step < 1 for q in quantities_in(ground.said, ground.source_language))


def _denied(ground: Ground, match: re.Match[str]) -> bool:
    """ "not always", "no cure": denied, a strong word is a weak one."""
    return any(
        n.start <= match.start() and (not n.scope or match.start() <= n.scope[-1].end)
        for n in negations_in(ground.text, ground.language)
        if n.cue not in match[0]
    )


def _excused(family: str, ground: Ground, said: str) -> bool:
    own = _pattern("strong", ground.source_language, family)
    excuse = _lexicon()["excuses"].get(family, "") if ground.source_language == "en" else ""
    return any(
        not _denied_in(said, ground.source_language, m)
        for pattern in (own, compile_cues(excuse))
        for m in pattern.finditer(said)
    )


def _denied_in(text: str, language: str, match: re.Match[str]) -> bool:
    return any(
        n.end <= match.start() <= (n.scope[min(2, len(n.scope) - 1)].end if n.scope else n.end)
        for n in negations_in(text, language)
    )


def is_hedged(text: str, language: str) -> bool:
    """Whether a text says that it may not be so; "more likely" compares, it does not doubt."""
    return bool(_pattern("hedges", language).search(_COMPARED.sub(" ", fold(text))))


def _hedge_lost(ground: Ground, said: list[str]) -> str | None:
    if not said or not all(
        is_hedged(clause, ground.source_language) for clause in nearest_clauses(ground, said)
    ):
        return None
    text, source = fold(ground.text), fold(ground.said)
    kept = [_pattern(part, ground.language).search(text) for part in ("hedges", "linked")]
    soft = any(m[0] not in source for m in _pattern("soft", ground.language).finditer(text))
    if soft or any(kept) or negations_in(ground.text, ground.language):
        return None
    return "drops the source's “may”"


def nearest_clauses(ground: Ground, lines: list[str]) -> list[str]:
    """Of each line the clause that shares most with the sentence."""
    if ground.translated:
        return lines
    terms = terms_in(ground.text, ground.language)
    return [max(_CLAUSES.split(line), key=lambda clause: _shared(terms, clause, ground)) for line in lines]


def _shared(terms: tuple[Term, ...], text: str, ground: Ground) -> float:
    keys = keys_in(text, ground.source_language)
    return sum(term.weight for term in terms if term.covered_by(keys))


def _link_made_cause(ground: Ground, said: list[str]) -> str | None:
    source = fold(" ".join(said))
    if negations_in(ground.text, ground.language):
        return None
    linked = [
        m[0] for m in _pattern("linked", ground.source_language).finditer(source.replace("-associated", ""))
    ]
    risk_only = all(_RISK.search(word) for word in linked)
    if not linked or (risk_only and (_EFFECT.search(source) or not _CAUSES.search(fold(ground.text)))):
        return None  # a trial's ratio is no mere link
    if any(
        not _denied_in(source, ground.source_language, m)
        for m in _pattern("causal", ground.source_language).finditer(source)
    ):
        return None
    text = fold(ground.text)
    if not _pattern("causal", ground.language).search(text):
        return None
    if any(_pattern(part, ground.language).search(text) for part in ("hedges", "linked")):
        return None
    return "makes a cause of what the source calls a link"


def _too_often(ground: Ground, said: list[str]) -> str | None:
    mine = _steps(ground.text, ground.language)
    theirs = _steps(" ".join(said), ground.source_language)
    if not mine or not theirs:
        return None
    if min(abs(a - b) for a in mine for b in theirs) >= _FAR:
        return "says another frequency than the source"
    return None


def _steps(text: str, language: str) -> set[int]:
    words: dict[str, int] = _lexicon()["often"].get(language, {})
    return {words[m[0]] for m in compile_cues("|".join(words)).finditer(fold(text)) if m[0] in words}
