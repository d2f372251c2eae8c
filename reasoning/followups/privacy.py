"""What a question says of its asker, and what of it another person's follow-up may have (our choice).

A question is its `asked` part and the statements beside it, which are the asker's own. To somebody else goes
the asked part without what its asker says of themselves, and only where no number is left in it; else the
names of its subjects alone, without those that stand in the asker's own words. When in doubt, nothing goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from reasoning.followups.concepts import Named, find_named
from reasoning.followups.cues import LANGUAGES, cue, is_courtesy
from reasoning.routing import part_options
from reasoning.safety.sentences import cut_sentences
from reasoning.verify.cues import fold
from reasoning.verify.quantities import quantities_in

_CLAUSE = re.compile(r"(?:[^,，、;；\s]|\s(?![-–—]\s))+(?:[,，、;；]+|\s[-–—]\s)?\s*")
# Said of a person; "in pregnancy" and "pregnant women" are said of anybody.
_STATE = re.compile(
    r"\b(?:pregnant|breast-?feeding|nursing|expecting)\b(?!\s+(?:women|woman|people|patients|mothers|person))"
    r"|怀孕(?!期)|哺乳(?!期)",
    re.IGNORECASE,
)
_END = re.compile(r"[,，、;；.。!！?？\n]|$")
_DIGIT = re.compile(r"\d")
_AGE = ("time", "mass", "length")  # kinds of quantities in words: "thirty-four years"


@dataclass(frozen=True, slots=True)
class Parts:
    """`told` are statements beside the question, in order; `asked` may be empty."""

    told: tuple[str, ...]
    asked: str


def part_question(text: str, language: str) -> Parts:
    """Statements apart from what is asked. A question with options is asked as a whole."""
    if language not in LANGUAGES or part_options(text).options:
        return Parts((), text.strip())
    told: list[str] = []
    asked: list[str] = []
    for piece in _pieces(text, language):
        if is_courtesy(piece, language):
            continue
        (asked if _asks(piece, language) else told).append(piece)
    return Parts(tuple(told), " ".join(asked) if language == "en" else "".join(asked))


def public_part(asked: str, language: str) -> str | None:
    """The asked part for somebody else, None where it cannot be freed of its asker."""
    if language not in LANGUAGES:
        return None
    if part_options(asked).options:
        return None if _owns(asked, language) else asked
    kept = _asking_clause(asked, language)
    if language == "en":
        kept = re.sub(r"\s+([?.])", r"\1", _tie().sub("", kept)).strip()
    if _owns(kept, language) or _has_quantity(kept, language) or not find_named(kept, language):
        return None
    return kept


def public_names(asked: str, language: str) -> tuple[Named, ...]:
    """Subjects of the clause that asks, outside its asker's own words; groups of people are never among them.

    Beside own words or numbers a disease next to a drug is taken for the asker's.
    """
    if language not in LANGUAGES:
        return ()
    clause = asked if part_options(asked).options else _asking_clause(asked, language)
    own = list(_own_spans(clause, language))
    names = tuple(
        named
        for named in find_named(clause, language)
        if named.group != "people" and not any(a < named.end and named.start < b for a, b in own)
    )
    return names if public_part(asked, language) else without_conditions(names)


def without_conditions(names: tuple[Named, ...]) -> tuple[Named, ...]:
    """Only drugs, tests and the like, where there are any."""
    return tuple(named for named in names if named.group != "condition") or names


def _pieces(text: str, language: str) -> Iterator[str]:
    """Sentences; in Chinese the clauses in which somebody tells of themselves are apart from the question."""
    for sentence in cut_sentences(text):
        if language == "en":
            yield sentence.strip()
            continue
        clauses = [match[0].strip() for match in _CLAUSE.finditer(sentence)]
        first = next((n for n, clause in enumerate(clauses) if _asks(clause, "zh")), len(clauses))
        tells = any(_owns(clause, "zh") for clause in clauses[:first])
        if tells:
            yield "".join(clauses[:first])
            clauses = clauses[first:]
        if clauses:
            yield "".join(clauses)


def _asks(piece: str, language: str) -> bool:
    if piece.rstrip().endswith(("?", "？")):
        return True
    openers = cue("openers", language)
    folded = fold(piece).lstrip(" \"'(")
    return bool(openers.match(folded) if language == "en" else openers.search(folded))


def _asking_clause(asked: str, language: str) -> str:
    """ "As a 34-year-old, can I …" from the clause that asks, and no disease behind it."""
    clauses = [match[0] for match in _CLAUSE.finditer(asked)]
    asks = [n for n, clause in enumerate(clauses) if _asks(clause.strip(" ?？,，"), language)]
    first = asks[0] if asks else len(clauses) - 1
    kept = clauses[first : first + 1]
    for clause in clauses[first + 1 :]:
        if any(named.group in ("condition", "people") for named in find_named(clause, language)):
            break
        kept.append(clause)
    return "".join(kept).strip(" -–—,，、;；")


@cache
def _tie() -> re.Pattern[str]:
    ties, own = cue("ties", "en").pattern, cue("own", "en").pattern
    return re.compile(
        rf"[,\s]*(?:{ties})\s+(?:that\s+)?(?:{own}|i\b(?!\s+\w+\?)|{_STATE.pattern})[^,;?.]*(?:\.\d[^,;?.]*)*",
        re.IGNORECASE,
    )


def tells_of_oneself(text: str, language: str) -> bool:
    """ "I am pregnant", and a number: what stands before a question."""
    return _owns(text, language) or _has_quantity(text, language)


def _owns(clause: str, language: str) -> bool:
    return next(_own_spans(clause, language), None) is not None


def _own_spans(text: str, language: str) -> Iterator[tuple[int, int]]:
    """From each word of one's own to the end of its clause; "do I have" and "我能吃…吗" only say who asks."""
    folded = fold(text)
    for found in cue("own", language).finditer(folded):
        if language == "en" and re.search(rf"(?:{cue('asking', 'en').pattern})\s+$", folded[: found.start()]):
            continue
        if language == "zh" and re.match(
            r"我(?:们)?(?:能|可以|可不可以|该|应该|要|会|需要|想)", folded[found.start() :]
        ):
            continue
        edge = _END.search(text, found.end())
        yield found.start(), edge.start() if edge else len(text)

    yield from (match.span() for match in _STATE.finditer(text))


def _has_quantity(text: str, language: str) -> bool:
    return bool(_DIGIT.search(text)) or any(q.kind in _AGE for q in quantities_in(text, language))
