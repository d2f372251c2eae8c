"""Stage 1: names that are equal, the longest first; case, plural and listed synonyms aside (case F22)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reasoning.linking.homographs import Sense, decide, senses_of
from reasoning.linking.spans import Span, find_spans, span_of
from reasoning.linking.synonyms import Concept, find_known, sense_of
from reasoning.linking.types import Link, RunnerUp
from reasoning.routing.words import Word, is_abbreviation
from storage.graph import Entity, NameMatch
from storage.words import split_words as fold_words

Matches = Mapping[str, Sequence[NameMatch]]
_LOWER = 3  # letters up to which an abbreviation must be in capitals


@dataclass(frozen=True, slots=True)
class Named:
    """A span with the tiers of names under which a graph may have it, the most literal first."""

    span: Span
    tiers: tuple[tuple[str, ...], ...]
    concept: Concept | None = None
    senses: tuple[Sense, ...] = ()

    @property
    def names(self) -> set[str]:
        return {name for tier in self.tiers for name in tier} | {
            name for sense in self.senses for name in sense_names(sense)
        }


def sense_names(sense: Sense) -> tuple[str, ...]:
    from reasoning.linking.synonyms import concept_of

    concept = concept_of(sense.name)
    return tuple(dict.fromkeys((sense.name, *(concept.names if concept else ()))))


def find_named(text: str, words: Sequence[Word]) -> list[Named]:
    """Everything that may be a name, longest first; at equal length what the tables know comes first."""
    known = {(one.first, one.last): one.concept for one in find_known(words)}
    spans = {(span.first, span.last): span for span in find_spans(text, words)}
    spans |= {place: span_of(text, words, *place) for place in known if place not in spans}
    named = [_name(text, span, known.get(place)) for place, span in spans.items()]
    return sorted(
        named, key=lambda one: (one.span.first - one.span.last, one.concept is None, one.span.first)
    )


def _name(text: str, span: Span, concept: Concept | None) -> Named:
    senses = senses_of(text[span.start : span.end])
    if concept is None:
        return Named(span, (span.names,), None, senses)
    usual = (*concept.local, concept.name)
    return Named(span, (span.names, usual, concept.others), concept, senses)


def link_equal(text: str, named: Sequence[Named], found: Matches) -> tuple[list[Link], list[Named]]:
    """The links, none within another, and the concepts that the tables know and no graph has.

    What lies within such a concept is not tied on its own: the insipidus of diabetes would be lost.
    """
    links: list[Link] = []
    missing: list[Named] = []
    taken: list[Span] = []
    for one in named:
        if any(one.span.overlaps(other.first, other.last) for other in taken):
            continue
        link = _link_senses(text, one, found) if one.senses else _link(text, one, found)
        if link is not None:
            links.append(link)
        elif one.concept is not None:
            missing.append(one)
        else:
            continue
        taken.append(one.span)
    return links, missing


def _link_senses(text: str, one: Named, found: Matches) -> Link | None:
    """A word with several meanings: the one that the context decides for, else none."""
    by_sense = {sense: _lookup(sense_names(sense), found) for sense in one.senses}
    literal = _lookup(one.tiers[0], found)
    meant = decide(one.senses, text, one.span.start, one.span.end)
    others = [match for sense, matches in by_sense.items() if sense is not meant for match in matches[:1]]
    if meant is not None:
        if by_sense[meant]:
            return _chosen(text, one, by_sense[meant], others)
        own = [match for match in literal if sense_of(match.entity.name) == sense_of(meant.name)]
        if own:
            return _chosen(text, one, own, others)
    listed = others if meant is not None else [m for matches in by_sense.values() for m in matches[:1]]
    listed = list({match.entity.id: match for match in (*listed, *literal)}.values())
    return _unlinked(text, one.span, listed) if listed else None


def _link(text: str, one: Named, found: Matches) -> Link | None:
    for tier in one.tiers:
        matches = [match for match in _lookup(tier, found) if not _is_shouted(text, one.span, match)]
        if not matches:
            continue
        own = [match for match in matches if fold_words(match.name) == fold_words(match.entity.name)]
        senses = {sense_of(match.entity.name) for match in own or matches}
        if len(senses) > 1 and not own:
            meant = _decide_by_names(text, one.span, matches)
            if meant is None:
                return _unlinked(text, one.span, matches)
            matches = [meant, *(match for match in matches if match is not meant)]
        rest = _lookup([name for each in one.tiers for name in each], found)
        return _chosen(text, one, own or matches, rest)
    return None


def _lookup(names: Sequence[str], found: Matches) -> list[NameMatch]:
    """Each entity once, those of earlier names first."""
    return list({m.entity.id: m for name in reversed(names) for m in reversed(found.get(name, ()))}.values())[
        ::-1
    ]


def _is_shouted(text: str, span: Span, match: NameMatch) -> bool:
    """A short abbreviation is one only in capitals: "ms." is no disease."""
    written = text[span.start : span.end]
    return is_abbreviation(match.name) and len(match.name) <= _LOWER and not written.rstrip("s").isupper()


def _decide_by_names(text: str, span: Span, matches: Sequence[NameMatch]) -> NameMatch | None:
    """Of several meanings the one whose own words stand elsewhere in the question."""
    around = set(fold_words(text[: span.start])) | set(fold_words(text[span.end :]))
    alike = [
        m for m in matches if any(len(word) > 3 and word in around for word in fold_words(m.entity.name))
    ]
    return alike[0] if len({sense_of(match.entity.name) for match in alike}) == 1 else None


def _chosen(text: str, one: Named, matches: Sequence[NameMatch], rest: Sequence[NameMatch]) -> Link:
    first = matches[0].entity
    sense = sense_of(first.name)
    twins: dict[str, Entity] = {}
    for match in (*matches, *rest):
        entity = match.entity
        if entity.graph != first.graph and sense_of(entity.name) == sense:
            twins.setdefault(entity.graph, entity)
    known = {first.id, *(twin.id for twin in twins.values())}
    others = {m.entity.id: m for m in (*rest, *matches) if m.entity.id not in known}.values()
    runners_up = tuple(RunnerUp(match.entity, match.name, match.score) for match in others)
    rivals = any(sense_of(match.entity.name) != sense for match in matches)
    margin = 0.0 if rivals else 1.0
    span = one.span
    return Link(
        text[span.start : span.end],
        span.start,
        span.end,
        first,
        1.0,
        margin,
        "alias",
        runners_up,
        tuple(twins.values()),
    )


def _unlinked(text: str, span: Span, matches: Sequence[NameMatch]) -> Link:
    runners_up = tuple(RunnerUp(match.entity, match.name, match.score) for match in matches)
    return Link(text[span.start : span.end], span.start, span.end, None, 1.0, 0.0, "alias", runners_up)
