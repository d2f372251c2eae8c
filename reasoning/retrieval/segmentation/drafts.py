"""The state of a batch while it is cut: articles, their units, passages to be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil

from reasoning.retrieval.segmentation.overlaps import Overlap
from reasoning.retrieval.segmentation.sentences import Span
from reasoning.retrieval.segmentation.seos import Break, SeosParams
from reasoning.retrieval.segmentation.trace import Segmentation, SegmentationTrace, UnitTrace
from reasoning.retrieval.segmentation.units import Unit, lay_out
from storage.documents import Article, Passage


@dataclass(frozen=True, slots=True)
class Draft:
    """A passage to be: carried text from `start`, own sentences."""

    start: int
    own: tuple[Span, ...]
    tokens: int = 0


@dataclass(slots=True)
class Cut:
    """One unit on its way."""

    document: str
    unit: Unit
    spans: list[Span] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    sims: list[float] | None = None
    breaks: list[Break] = field(default_factory=list)
    overlaps: list[Overlap] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    sentences_cut: int = 0
    embedded: int = 0  # characters
    shortened: int = 0

    @property
    def text(self) -> str:
        return self.document[self.unit.start : self.unit.end]

    def sentence(self, place: int) -> str:
        return self.document[slice(*self.spans[place])].strip()

    def trace(self, params: SeosParams) -> UnitTrace:
        return UnitTrace(
            kind=self.unit.kind,
            label=self.unit.parts[0].label,
            sentences=len(self.spans),
            sims=None if self.sims is None else tuple(self.sims),
            breaks=tuple(self.breaks),
            overlaps=tuple(self.overlaps),
            parts_wanted=ceil(sum(self.tokens) / params.b),
            sentences_cut=self.sentences_cut,
        )


@dataclass(frozen=True, slots=True)
class Work:
    """One article on its way."""

    article: Article
    document: str
    cuts: list[Cut]

    @classmethod
    def begin(cls, article: Article) -> Work:
        document = lay_out(article)
        return cls(article, document.text, [Cut(document.text, unit) for unit in document.units])

    def finish(self, params: SeosParams) -> Segmentation:
        trace = SegmentationTrace(
            doc_id=self.article.doc_id,
            params=params,
            characters=len(self.document),
            characters_embedded=sum(cut.embedded for cut in self.cuts),
            units=len(self.cuts),
            split_units=tuple(cut.trace(params) for cut in self.cuts if cut.spans),
            shortened=sum(cut.shortened for cut in self.cuts),
        )
        return Segmentation(tuple(self._passages()), trace)

    def _passages(self) -> Iterator[Passage]:
        drafts = [(cut.unit, draft) for cut in self.cuts for draft in cut.drafts]
        for idx, (unit, draft) in enumerate(drafts):
            own_start, end = draft.own[0].start, draft.own[-1].end
            part = unit.part_at(own_start)
            yield Passage(
                doc_id=self.article.doc_id,
                idx=idx,
                text=self.document[draft.start : end],
                start=draft.start,
                own_start=own_start,
                end=end,
                n_tokens=draft.tokens,
                section=part.label,
                page=part.page,
            )
