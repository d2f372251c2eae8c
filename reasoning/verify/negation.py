"""Whether a sentence denies what its source says, or says what its source denies."""

from __future__ import annotations

import re
from collections import Counter

from config.resources import read_toml
from reasoning.verify.certainty import is_hedged, nearest_clauses, supporting_lines
from reasoning.verify.cues import fold
from reasoning.verify.direction import LIMIT
from reasoning.verify.figures import agree, figures_are_level, has_equal_figures
from reasoning.verify.ground import Cited, Ground
from reasoning.verify.quantities import quantities_in
from reasoning.verify.statement import (
    Negation,
    claims_difference,
    has_quasi_negation,
    has_quasi_negation_at,
    is_noun_cue,
    negations_in,
    poles_in,
    says_no_difference,
)
from reasoning.verify.words import Term, keys_in, terms_in

# Words that carry little: what is negated is the word behind them.
_LIGHT = frozenset(read_toml("lexicons/polarity.toml")["phrases"]["light"].split())
_SOFT = frozenset(["alway", "necessarili", "all", "everi", "everyon", "only", "entir", "complet", "fulli"])
_REQUIRED = re.compile(r"\b(?:should|must|needs?(?: to)?|ha(?:s|ve) to)\b(?! not)")
_EDGE = re.compile(r"[,;:.!?](?=\s|$)|\n")
_HEADS = 2  # terms of a scope that may be what is denied
_RARE = frozenset(
    {"rarely", "rare", "seldom", "uncommon", "infrequent", "hardly", "few", "unusual", "罕见", "很少", "少见"}
)
_ONLY = re.compile(r"\b(?:only|until|unless|if)\b")
_REST = 0.03
_UNTIL = re.compile(r"\b(?:until|before|unless|without|till)\b")
_NON = re.compile(r"(?<![\w-])non-?([a-z]{4,})")
_NEARBY = 3  # terms of a scope that decide what is negated


def object_to_negation(ground: Ground) -> str | None:
    """More denials than the lines that bear the sentence out, or fewer, about something they name."""
    mine = negations_in(ground.text, ground.language)
    if ground.translated:
        return _compare_loosely(ground, mine, negations_in(ground.said, ground.source_language))
    if _loses_non(ground.text, ground.said) or _loses_non(ground.said, ground.text):
        return "mixes up a group with the one that is not it"
    lines = supporting_lines(ground)
    odd = _odd_ones(mine)
    due = _odd_ones(negations_in("\n".join(lines), ground.source_language))
    if len(odd) > len(due):
        theirs = negations_in(ground.said, ground.source_language)
        for negation in odd:
            if not _is_denied(negation, theirs, ground):
                return f"denies (“{negation.cue}”) what the source does not deny"
    nearest = "\n".join(nearest_clauses(ground, lines))
    due = _odd_ones(negations_in(nearest, ground.source_language))
    if _claims_what_is_equal(ground, mine) or (len(odd) < len(due) and _affirms_what_is_denied(ground, mine)):
        return "says without a “no” what the source denies"
    return None


def _loses_non(with_non: str, without: str) -> bool:
    """ "non-small cell" on one side where the other side has "small cell" alone."""
    theirs = fold(without)
    for match in _NON.finditer(fold(with_non)):
        word = re.escape(match[1])
        alone = re.search(rf"(?<![\w-]){word}", theirs)
        if (
            alone
            and not re.search(rf"(?:non-?|not |no |without |nor )(?:\w+ )?{word}", theirs)
            and not re.search(rf"(?<![\w-]){word}", fold(with_non))
        ):
            return True
    return False


def _odd_ones(mine: tuple[Negation, ...]) -> list[Negation]:
    """Two negations in one clause make none: "without a biopsy it cannot be confirmed"."""
    clauses = Counter(negation.clause[-1].end if negation.clause else -1 for negation in mine)
    return [n for n in mine if clauses[n.clause[-1].end if n.clause else -1] % 2]


def _is_denied(negation: Negation, theirs: tuple[Negation, ...], ground: Ground) -> bool:
    if _opposite_is_said(negation, ground) or _is_soft(negation, ground) or _is_rest(ground):
        return True
    if "unless" in fold(ground.text) and _ONLY.search(fold(ground.said)):
        return True
    if claims_difference(ground.text, ground.language) and (
        says_no_difference(ground.said, ground.source_language) or has_equal_figures(ground)
    ):
        return True
    if (
        negation.scope
        and "@learn" in negation.scope[0].keys
        and (theirs or is_hedged(ground.said, ground.source_language))
    ):
        return True  # "could not show"
    if negation.cue in _RARE and any(word in fold(ground.said) for word in _RARE):
        return True
    if "free" in negation.cue and any(other.compound and "free" in other.cue for other in theirs):
        return True
    head = _head(negation.scope)
    if head is None or not head.covered_by(keys_in(ground.said, ground.source_language)):
        head = next((t for t in negation.scope[:_NEARBY] if _is_named(t, ground)), head)
    if negation.scope and negation.scope[0].keys & _LIGHT and (head is None or not _is_named(head, ground)):
        before = [term for term in negation.clause if term.end <= negation.start]
        head = next(
            (term for term in reversed(before) if _is_named(term, ground)), head
        )  # "X does not occur"
    if head is None or not _is_named(head, ground):
        return True  # a gloss: what is denied is not what the source speaks of
    if head.covered_by(keys_in(ground.said, ground.source_language)):
        if any(head.covered_by(_keys(_reach(other))) or _cue_is(head, other) for other in theirs):
            return True
        if _is_free(head, theirs):
            return (
                has_quasi_negation_at(ground.said, ground.source_language, head, ground.text)
                and not _predicate_is_free(negation, ground)
                and not _is_required(head, ground)
            )
    return bool(theirs) or has_quasi_negation(ground.said, ground.source_language)


def _predicate_is_free(negation: Negation, ground: Ground) -> bool:
    """Whether the pole word right behind the negation stands in the source as it is."""
    theirs = poles_in(ground.said, ground.source_language)
    reach = negation.scope[0].end if negation.scope else negation.end
    return any(
        negation.end <= pole.start <= reach
        and any(o.axis == pole.axis and o.sign == pole.sign and not o.negated for o in theirs)
        for pole in poles_in(ground.text, ground.language)
    )


def _is_named(term: Term, ground: Ground) -> bool:
    return not term.keys & _LIGHT and term.covered_by(keys_in(ground.said, ground.source_language))


def _is_required(head: Term, ground: Ground) -> bool:
    """Whether the source asks for what the sentence does without."""
    for match in _REQUIRED.finditer(fold(ground.said)):
        behind = [t for t in terms_in(ground.said, ground.source_language) if t.start >= match.end()][:2]
        if any(head.covered_by(term.keys) for term in behind):
            return True
    return False


def _is_rest(ground: Ground) -> bool:
    """ "94 % did not have it" where 6 % had it."""
    theirs = [q for q in quantities_in(ground.said, ground.source_language) if q.kind == "ratio"]
    mine = [q for q in quantities_in(ground.text, ground.language) if q.kind == "ratio"]
    return any(
        abs(1 - q.ends[0] - other.ends[0]) <= _REST and not any(agree(q, one) for one in theirs)
        for q in mine
        for other in theirs
    )


def _is_soft(negation: Negation, ground: Ground) -> bool:
    """ "not always", "does not have to": only a "may" that is spelled out."""
    first = negation.scope[0] if negation.scope else None
    behind = ground.text[negation.end : negation.end + 9].lower().strip()
    soft = (first is not None and bool(first.keys & _SOFT)) or behind.startswith(
        ("always", "have to", "need")
    )
    return soft and is_hedged(ground.said, ground.source_language)


def _is_free(head: Term, theirs: tuple[Negation, ...]) -> bool:
    """Whether the source uses the negated word outside of every clause with a negation."""
    return not any(head.covered_by(term.keys) for other in theirs for term in other.clause)


def _reach(other: Negation) -> tuple[Term, ...]:
    """A short scope is a passive's: what is denied stands before it."""
    return other.scope if len(other.scope) >= _NEARBY else (*other.scope, *other.clause)


def _opposite_is_said(negation: Negation, ground: Ground) -> bool:
    """ "not dangerous" where the source says "safe"."""
    theirs = poles_in(ground.said, ground.source_language)
    reach = negation.scope[min(_NEARBY, len(negation.scope)) - 1].end if negation.scope else negation.end
    return any(
        negation.end <= pole.start <= reach
        and any(o.axis == pole.axis and o.sign == -pole.sign and not o.negated for o in theirs)
        for pole in poles_in(ground.text, ground.language)
    )


def _claims_what_is_equal(ground: Ground, mine: tuple[Negation, ...]) -> bool:
    """ "lived longer" where survival did not differ."""
    if mine or says_no_difference(ground.text, ground.language):
        return False
    if not claims_difference(ground.text, ground.language):
        return False
    lines = supporting_lines(ground)
    return bool(lines) and all(_is_level(line, ground.source_language) for line in lines)


def _is_level(line: str, language: str) -> bool:
    """Said in words, or by figures alone: a ratio that may as well be one, or twice the same figure."""
    if claims_difference(line, language):
        return False
    return says_no_difference(line, language) or figures_are_level(line, language)


def _affirms_what_is_denied(ground: Ground, mine: tuple[Negation, ...]) -> bool:
    """Whether the sentence names what the source denies, outside of any negation of its own."""
    if says_no_difference(ground.text, ground.language) or LIMIT.search(fold(ground.text)):
        return False
    theirs = negations_in(quoted_clauses(ground), ground.source_language)
    if len(mine) >= len([n for n in theirs if not n.compound]):
        return False
    denied = {(t.start, t.end) for n in mine for t in _covers(n)}
    open_keys = _keys(
        tuple(t for t in terms_in(ground.text, ground.language) if (t.start, t.end) not in denied)
    )
    free = _keys(tuple(_terms_outside(ground)))
    for other in theirs:
        if other.compound or _opposite_in(ground, other) or _is_conditional(ground, other):
            continue
        heads = [t for t in other.scope if not t.keys & _LIGHT][:_HEADS] or list(other.scope[:1])
        if not any(
            head.covered_by(open_keys)
            and not head.covered_by(free)
            and not has_quasi_negation_at(ground.text, ground.language, head, ground.said)
            for head in heads
        ):
            continue
        rest = [term for term in other.clause if term not in heads and not term.keys & _LIGHT]
        if len(rest) < _NEARBY or sum(term.covered_by(open_keys) for term in rest) >= len(rest) / 2:
            return True
    return False


def _covers(negation: Negation) -> tuple[Term, ...]:
    """What a negation of the sentence denies: a verb's all of its clause, a noun's its own words."""
    return negation.scope[:_NEARBY] if is_noun_cue(negation.cue) else (*negation.clause, *negation.scope)


def _is_conditional(ground: Ground, other: Negation) -> bool:
    """ "not until", "not without": what is denied holds under a condition."""
    return bool(_UNTIL.search(re.split(r"[;.]", fold(quoted_clauses(ground))[other.end :])[0]))


def quoted_clauses(ground: Ground) -> str:
    """The quotes out to the ends of their clauses, one a line."""
    return "\n".join(dict.fromkeys(" ".join(clause.split("\n")) for clause in map(widen, ground.cited)))


def widen(cited: Cited) -> str:
    """A quote with the rest of the clauses that it begins and ends in."""
    text = cited.item.text
    start = max((m.end() for m in _EDGE.finditer(text, 0, cited.start)), default=0)
    last = _EDGE.search(text, max(cited.start, cited.end - 1))
    return text[start : last.start() if last else len(text)]


def _terms_outside(ground: Ground) -> list[Term]:
    """Terms of the source outside of its negated clauses; lines are read one by one, as negations are."""
    found: list[Term] = []
    for line in ground.said.split("\n"):
        denied = {(t.start, t.end) for n in negations_in(line, ground.source_language) for t in n.clause}
        found += [t for t in terms_in(line, ground.source_language) if (t.start, t.end) not in denied]
    return found


def _opposite_in(ground: Ground, other: Negation) -> bool:
    """Whether the sentence says by an opposite what the source says by "not"."""
    named = _keys(other.scope[:_NEARBY])
    theirs = [p for p in poles_in(ground.said, ground.source_language) if p.negated]
    return bool(named) and any(
        m.axis == pole.axis and m.sign == -pole.sign
        for pole in theirs
        for m in poles_in(ground.text, ground.language)
    )


def _compare_loosely(ground: Ground, mine: tuple[Negation, ...], theirs: tuple[Negation, ...]) -> str | None:
    """Across languages: whether there is a negation at all."""
    if mine and not theirs and not has_quasi_negation(ground.said, ground.source_language):
        return f"denies (“{mine[0].cue}”) what the source does not deny"
    if theirs and not mine and not has_quasi_negation(ground.text, ground.language):
        clauses = [part for part in re.split(r"[\n,;:]| and ", ground.said) if len(part.split()) > 1]
        if all(negations_in(line, ground.source_language) for line in clauses):
            return "says without a “no” what the source denies"
    return None


def _head(scope: tuple[Term, ...]) -> Term | None:
    """The first word of a scope that carries meaning."""
    return next((term for term in scope if not term.keys & _LIGHT), scope[0] if scope else None)


def _keys(terms: tuple[Term, ...]) -> frozenset[str]:
    return frozenset().union(*(term.keys | set(term.parts) for term in terms)) if terms else frozenset()


def _cue_is(head: Term, other: Negation) -> bool:
    return any(len(key) > 3 and key in other.cue for key in head.keys)
