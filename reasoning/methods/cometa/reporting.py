"""CoMeta's own report in the answer: levels and depth, streams, counts, what was dropped and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from reasoning.evidence import Findings, Gate, Retrieved
from reasoning.methods.cometa.adapting import Adapted
from reasoning.methods.cometa.depth import Depth
from reasoning.methods.cometa.documents import Documents
from reasoning.methods.cometa.fusing import FoundStreams
from reasoning.methods.cometa.presets import Preset
from reasoning.methods.cometa.records import Records
from reasoning.rewriting import Rewritten
from reasoning.types import Remark


@dataclass(slots=True)
class Course:
    """What each step of one question came to."""

    preset: Preset
    rewritten: Rewritten
    model: bool = False  # whether one is configured
    records: Records = field(default_factory=Records)
    streams: FoundStreams = field(default_factory=lambda: FoundStreams(Adapted()))
    documents: Documents = field(default_factory=Documents)
    depth: Depth = field(default_factory=Depth)
    lost: Sequence[Remark] = ()

    @property
    def search_failed(self) -> bool:
        """Whether something may have been missed: a search of no concept could not have found it."""
        failed = self.streams.degraded or self.records.degraded
        return bool(failed and self.rewritten.value.concepts)

    def findings(self, gate: Gate, found: Retrieved) -> Findings:
        """The findings before an answer is written: the gate, and all that has to be told."""
        live = "pubmed" in self.streams.symbolic.answered
        degraded = (*self.streams.degraded, *self.records.degraded, *found.degraded, *self.lost)
        return Findings(
            gate,
            evidence=found.evidence,
            searched=found.searched,
            live=live,
            dropped_retracted=len(found.retracted | {item.key for item in self.documents.withdrawn}),
            retracted_checked=found.retracted_checked or (_today() if live else None),
            withdrawn=found.withdrawn,
            stale_after=self.preset.stale_years.get(self.rewritten.intent),
            unknown_names=self.rewritten.unrecognised,
            esearch_calls=self.streams.symbolic.calls,
            report=self._report(found),
            warnings=_distinct((*self._rewriting_warnings(), *self.streams.warnings, *found.warnings)),
            degraded=_distinct(degraded),
        )

    def _rewriting_warnings(self) -> list[Remark]:
        """A model that could not rewrite costs an answer little, and is told all the same."""
        if self.rewritten.by == "model" or not self.model:
            return []
        return [Remark(code="rewritten_by_rule", detail=self.rewritten.reason or "")]

    def _report(self, found: Retrieved) -> dict[str, Any]:
        kept = self.documents.kept
        labels = Counter(document.label for document in kept)
        streams = {name: len(ranking.keys) for name, ranking in self.streams.semantic.items()}
        classes = dict(Counter(item.source.article.doc_class.value for item in found.evidence))
        years = sorted(item.source.article.year for item in found.evidence if item.source.article.year)
        return {
            "preset": self.preset.name,
            "values": {name: value for name, value in self.preset.as_json().items() if name != "name"},
            "question_en": self.rewritten.question_en,
            "intent": self.rewritten.intent,
            "concepts": [concept.name for concept in self.rewritten.value.concepts],
            "levels": [run.as_json() for run in self.streams.symbolic.runs],
            "not_searchable": self.streams.symbolic.lost,
            "streams": {"symbolic": len(self.streams.symbolic.hits), **streams},
            "documents": {
                "fused": self.documents.fused,
                "kept": [document.as_json() for document in kept],
                "by_label": dict(labels),
            },
            "dropped": {
                "withdrawn": [item.key for item in self.documents.withdrawn],
                "superseded": dict(self.documents.updated),
                "no_record": sorted(self.records.missing),
            },
            "depth": self.depth.as_json() | {"passages": classes},
            "evidence_years": [years[0], years[-1]] if years else None,
            "similarity": round(found.similarity, 4),  # the rest depends on what is encoded beside it
            "coverage": found.coverage,
        }


def _today() -> date:
    return datetime.now(UTC).date()


def _distinct(remarks: Sequence[Remark]) -> tuple[Remark, ...]:
    return tuple({(remark.code, remark.detail): remark for remark in remarks}.values())
