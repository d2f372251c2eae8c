"""What a text names, by the tables that rewriting and routing have; rules only, no graph, no encoder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from config.resources import read_toml
from reasoning.rewriting.rule import known_mentions, unknown_names
from reasoning.routing import link_entities
from reasoning.routing.entity_lexicon import NO_KIND
from reasoning.routing.words import split_words
from reasoning.verify.cues import compile_cues, fold

# Kinds that can stand for each other in a question; outcomes ("side effects") name no subject.
_GROUPS = {
    "disease": "condition", "symptom": "condition", "topic": "condition", "drug": "means",
    "procedure": "means", "exposure": "means", "circumstance": "means", "weak": "means", "test": "test",
    "gene": "gene", "variant": "gene", "anatomy": "anatomy", "population": "people",
}  # fmt: skip
_TABLES = ("age", "reproduction")  # of populations.toml
_NO_SUBJECT = ("people", "anatomy")


@dataclass(frozen=True, slots=True)
class Named:
    """A concept at [start, end): `text` as written, `name` canonical, `weak` where it says little."""

    text: str
    name: str
    group: str
    start: int
    end: int
    weak: bool = False

    @property
    def is_subject(self) -> bool:
        """Whether a question can be about it alone: no group of people, no part of the body, no "surgery"."""
        return self.group not in _NO_SUBJECT and not self.weak

    def is_like(self, other: Named) -> bool:
        return self.name.casefold() == other.name.casefold() or self.text.casefold() == other.text.casefold()


@lru_cache(maxsize=512)
def find_named(text: str, language: str) -> tuple[Named, ...]:
    """In the order of the text, none within another; the longest at each place."""
    chosen: list[Named] = []
    for named in sorted(_all_named(text, language), key=lambda one: (one.start - one.end, one.start)):
        if not any(named.start < other.end and other.start < named.end for other in chosen):
            chosen.append(named)
    return tuple(sorted((one for one in chosen if one.group), key=lambda one: one.start))


def _all_named(text: str, language: str) -> Iterator[Named]:
    linked = link_entities(text)
    weak = [(one.start, one.end) for one in linked if one.kind == "weak"]
    known = known_mentions(text, split_words(text), language)
    for mention in known:
        kind = mention.meaning.kind
        if kind == "outcome" or kind == NO_KIND or kind in _GROUPS:
            faint = any(start < mention.end and mention.start < end for start, end in weak)
            yield Named(
                mention.text, mention.meaning.name, _GROUPS.get(kind, ""), mention.start, mention.end, faint
            )
    for name, _ in unknown_names(text, known):
        start = text.find(name)
        if start >= 0:
            yield Named(name, name, "means", start, start + len(name))
    for entity in linked:
        group = _GROUPS.get(entity.kind, "condition")
        yield Named(entity.text, entity.name, group, entity.start, entity.end, entity.kind == "weak")
    table = read_toml("lexicons/populations.toml")
    for members in (table[name] for name in _TABLES):
        for group_name, entry in members.items():
            for match in compile_cues(entry.get(language, "")).finditer(fold(text)):
                yield Named(
                    text[match.start() : match.end()], group_name, "people", match.start(), match.end()
                )
