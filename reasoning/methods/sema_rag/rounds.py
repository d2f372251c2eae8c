"""The rounds of the explorer as they are told: queries, what each brought, the judgement, what is next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from reasoning.methods.sema_rag.following import Followups
from reasoning.methods.sema_rag.pool import Added
from reasoning.methods.sema_rag.sufficiency import Judged

Stop = Literal["sufficient", "budget", "stagnation", "early_exit", "single_round", "no_retrieval"]


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """One query; `hits` were found, `below` of them did not pass the relevance floor."""

    text: str
    hits: int
    added: Added
    below: int = 0
    pubmed: tuple[str, ...] = ()  # what PubMed was asked for it

    def as_json(self) -> dict[str, object]:
        return {
            "query": self.text,
            "hits": self.hits,
            "new": self.added.new,
            "known": self.added.known,
            "capped": self.added.capped,
            "below_floor": self.below,
            "pubmed": list(self.pubmed),
        }


@dataclass(slots=True)
class Round:
    queries: list[AskedQuery] = field(default_factory=list)
    judged: Judged | None = None
    followups: Followups | None = None
    read: int = 0  # passages that fitted the call

    @property
    def new(self) -> int:
        return sum(query.added.new for query in self.queries)

    def as_json(self) -> dict[str, object]:
        judged, followups = self.judged, self.followups
        return {
            "queries": [query.as_json() for query in self.queries],
            "sufficient": judged.sufficient if judged else None,
            "read": self.read,
            "gap": judged.gap if judged else None,
            "literature": judged.literature if judged else None,
            "by": judged.by if judged else None,
            "forced": judged.forced if judged else None,
            "followups": list(followups.kept) if followups else [],
            "rejected": [list(pair) for pair in followups.rejected] if followups else [],
        }
