"""Whether a sentence denies what its source says, or says what its source denies."""

from __future__ import annotations

from reasoning.verify.ground import Ground
from reasoning.verify.statement import Negation, has_quasi_negation, negations_in, poles_in
from reasoning.verify.words import Term, keys_in, terms_in

# Verbs that carry little: what is negated is the word behind them.
_LIGHT = frozenset(
    "@use @need @cause @tell @recommend @common @include @learn @people @help @start @treat make mean alway usual"
    " requir want caus relat @diagnose @depend".split()
)


def object_to_negation(ground: Ground) -> str | None:
    mine = negations_in(ground.text, ground.language)
    theirs = negations_in(ground.said, ground.source_language)
    if ground.translated:
        return _compare_loosely(ground, mine, theirs)
    keys = keys_in(ground.said, ground.source_language)
    for negation in mine:
        if not _is_denied(negation, keys, theirs, ground):
            return f"denies (“{negation.cue}”) what the source does not deny"
    if not mine and _affirms_what_is_denied(ground, theirs):
        return "says without a “no” what the source denies"
    return None


def _is_denied(
    negation: Negation, keys: frozenset[str], theirs: tuple[Negation, ...], ground: Ground
) -> bool:
    head = _head(negation.scope)
    if head is not None and head.covered_by(keys):
        if any(head.covered_by(_keys(other.scope)) or _cue_is(head, other) for other in theirs):
            return True
        if _is_free(head, theirs, ground):
            return _opposite_is_said(negation, ground)
    return bool(theirs) or has_quasi_negation(ground.said, ground.source_language) or _opposite_is_said(
        negation, ground
    )


def _is_free(head: Term, theirs: tuple[Negation, ...], ground: Ground) -> bool:
    """Whether the source uses the negated word outside of every clause with a negation."""
    in_denied = [t for other in theirs for t in other.clause]
    return not any(head.covered_by(term.keys) for term in in_denied)


def _opposite_is_said(negation: Negation, ground: Ground) -> bool:
    """ "not dangerous" where the source says "safe"."""
    theirs = poles_in(ground.said, ground.source_language)
    reach = negation.scope[-1].end if negation.scope else negation.end
    for pole in poles_in(ground.text, ground.language):
        if negation.end <= pole.start <= reach and any(
            other.axis == pole.axis and other.sign == -pole.sign and not other.negated for other in theirs
        ):
            return True
    return False


def _affirms_what_is_denied(ground: Ground, theirs: tuple[Negation, ...]) -> bool:
    if has_quasi_negation(ground.text, ground.language):
        return False
    mine = terms_in(ground.text, ground.language)
    said = keys_in(ground.text, ground.language)
    for other in theirs:
        head = _head(other.scope)
        if head is None or not head.covered_by(said) or _opposite_in(ground, other):
            continue
        rest = [term for term in other.clause if term is not head and term.weight >= 1]
        shared = sum(term.covered_by(said) for term in rest)
        free = terms_outside(ground, theirs)
        if (not rest or shared >= max(1, len(rest) / 2)) and not any(head.covered_by(t.keys) for t in free):
            return bool(mine)
    return False


def terms_outside(ground: Ground, theirs: tuple[Negation, ...]) -> list[Term]:
    denied = {(term.start, term.end) for other in theirs for term in other.clause}
    return [t for t in terms_in(ground.said, ground.source_language) if (t.start, t.end) not in denied]


def _opposite_in(ground: Ground, other: Negation) -> bool:
    reach = other.scope[-1].end if other.scope else other.end
    mine = poles_in(ground.text, ground.language)
    return any(
        other.end <= pole.start <= reach and any(m.axis == pole.axis and m.sign == -pole.sign for m in mine)
        for pole in poles_in(ground.said, ground.source_language)
    )


def _compare_loosely(
    ground: Ground, mine: tuple[Negation, ...], theirs: tuple[Negation, ...]
) -> str | None:
    """Across languages: whether there is a negation at all."""
    if mine and not theirs and not has_quasi_negation(ground.said, ground.source_language):
        return f"denies (“{mine[0].cue}”) what the source does not deny"
    if theirs and not mine and not has_quasi_negation(ground.text, ground.language):
        clauses = [line for line in ground.said.split("\n") if line]
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
