"""What the segmenter did with one document, on demand (methods.md 1.6 "Log")."""

from __future__ import annotations

from dataclasses import dataclass

from reasoning.retrieval.segmentation.overlaps import Overlap
from reasoning.retrieval.segmentation.seos import Break, SeosParams
from storage.documents import Passage, SectionKind


@dataclass(frozen=True, slots=True)
class UnitTrace:
    """A unit that did not fit one passage."""

    kind: SectionKind
    label: str | None
    sentences: int  # pieces of cut sentences count
    sims: tuple[float, ...] | None  # of its gaps; None: not embedded
    breaks: tuple[Break, ...]
    overlaps: tuple[Overlap, ...]  # one for each break
    parts_wanted: int  # K of step 6
    sentences_cut: int  # were longer than b_max

    @property
    def parts(self) -> int:
        return len(self.breaks) + 1


@dataclass(frozen=True, slots=True)
class SegmentationTrace:
    """`characters_embedded` leaves out sentences whose vector came with an earlier one of the same text."""

    doc_id: str
    params: SeosParams
    characters: int
    characters_embedded: int
    units: int
    split_units: tuple[UnitTrace, ...]
    shortened: int  # passages that the encoder, counting the whole text, found above b_max


@dataclass(frozen=True, slots=True)
class Segmentation:
    passages: tuple[Passage, ...]
    trace: SegmentationTrace
