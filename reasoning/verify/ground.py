"""What a sentence rests on: its quotes as stored, the sentences they stand in, title and section."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from reasoning.evidence import Claim, Evidence
from reasoning.retrieval.segmentation import split_sentences
from reasoning.verify.typography import level, locate

Likeness = Mapping[tuple[str, str], float]
_HAN = re.compile(r"[㐀-鿿]")
_EDGE = " \t\n\"'“”‘’.。!！;；"


@dataclass(frozen=True, slots=True)
class Cited:
    """One quote: `span` is the stored text of [start, end), `sentences` those it touches, in order."""

    item: Evidence
    start: int
    end: int
    sentences: tuple[str, ...]

    @property
    def span(self) -> str:
        return self.item.text[self.start : self.end]

    @property
    def language(self) -> str:
        return self.item.source.article.language

    @property
    def heading(self) -> str:
        """Title and section: they may carry the population."""
        parts = (self.item.source.article.title, self.item.source.passage.section)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True)
class Ground:
    """A proposed sentence with what it rests on; `rivals` is all the evidence that could be cited instead."""

    text: str
    language: str
    cited: tuple[Cited, ...]
    rivals: Sequence[Evidence] = ()
    likeness: Likeness = field(default_factory=dict)

    @cached_property
    def said(self) -> str:
        """The sentences that the quotes stand in, one a line."""
        return "\n".join(dict.fromkeys(one for cited in self.cited for one in cited.sentences))

    @cached_property
    def source_language(self) -> str:
        return language_of(self.said, self.cited[0].language)

    @cached_property
    def headings(self) -> str:
        return "\n".join(dict.fromkeys(cited.heading for cited in self.cited))

    @cached_property
    def passages(self) -> str:
        return "\n".join(dict.fromkeys(cited.item.text for cited in self.cited))

    @property
    def translated(self) -> bool:
        return self.language != self.source_language

    @cached_property
    def verbatim(self) -> bool:
        """Whether the sentence repeats a whole sentence of its source, its label aside."""
        text = level(self.text)[0].strip(_EDGE)
        return bool(text) and any(
            _repeats(text, level(sentence)[0].strip(_EDGE), cited.item.source.labels)
            for cited in self.cited
            for sentence in (*cited.sentences, " ".join(cited.sentences))
        )


def _repeats(text: str, sentence: str, labels: Sequence[str]) -> bool:
    if not sentence.endswith(text):
        return False
    before = sentence[: -len(text)].rstrip()
    return not before or before.rstrip(":：").rstrip() in labels


def language_of(text: str, expected: str) -> str:
    """The expected language, unless the writing system says otherwise."""
    han = len(_HAN.findall(text))
    if expected == "zh":
        return "zh" if han else "en"
    return "zh" if han > len(text) / 5 else expected


def ground(
    claim: Claim, cited: Sequence[Cited], rivals: Sequence[Evidence], language: str, likeness: Likeness
) -> Ground:
    return Ground(claim.text, language_of(claim.text, language), tuple(cited), rivals, likeness)


def cite(item: Evidence, quote: str) -> Cited | None:
    """The stored span that a quote repeats, or None."""
    found = locate(quote, item.text)
    if found is None:
        return None
    start, end = found
    spans = [span for span in sentences_of(item.text) if span[0] < end and span[1] > start]
    return Cited(item, start, end, tuple(item.text[a:b].strip() for a, b in spans))


@lru_cache(maxsize=512)
def sentences_of(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((span.start, span.end) for span in split_sentences(text))
