"""The articles kept of both streams: in good standing, each once, at most so many (methods.md 1.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reasoning.literature import Literature
from reasoning.methods.cometa.fusing import Document, FoundStreams, fuse_documents
from reasoning.methods.cometa.presets import Preset
from reasoning.methods.cometa.records import Records, Withdrawn, replace_superseded, withdrawn_of
from reasoning.trace import Trace

SPARE = 10  # records looked at beyond those kept: what is withdrawn among them leaves a place (our choice)


@dataclass(frozen=True, slots=True)
class Documents:
    """`kept` best first; what was dropped, and which articles gave way to their updates."""

    kept: Sequence[Document] = ()
    withdrawn: Sequence[Withdrawn] = ()
    updated: Mapping[str, str] = field(default_factory=dict)  # old key -> new one
    fused: int = 0  # articles that either stream found

    @property
    def keys(self) -> list[str]:
        return [document.key for document in self.kept]


async def keep_documents(
    streams: FoundStreams, records: Records, doors: Sequence[Literature], trace: Trace, preset: Preset
) -> Documents:
    """Fuse, fetch the records of the best, drop what may not be used, and fuse again with their dates."""
    with trace.span("fuse", by=preset.fusion) as span:
        head = [document.key for document in fuse_documents(streams, preset)[: preset.documents + SPARE]]
        await records.gather(head, doors, trace)
        fused = fuse_documents(streams, preset, records.newness)
        order = [document.key for document in fused]
        withdrawn = withdrawn_of(records.articles, order)
        updated = replace_superseded(records.articles, order)
        gone = {item.key for item in withdrawn} | records.missing
        kept: dict[str, Document] = {}
        for document in fused:
            key = updated.get(document.key, document.key)
            if key not in gone:
                kept.setdefault(key, replace(document, key=key))
        best = list(kept.values())[: preset.documents]
        span.note(
            fused=len(fused),
            kept=[document.as_json() for document in best],
            withdrawn=[item.key for item in withdrawn],
            updated=updated,
        )
    return Documents(best, withdrawn, updated, len(fused))
