"""Every value that CoMeta's steps go by, in one place (methods.md 0).

`FAITHFUL` keeps to the paper where it gives a value, `PRODUCT` to what serves people best on the house's own
measurements, `LITERATURE` is the product's for questions that are not about cancer. The trace and the
report of an answer hold the preset's name and all of its values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Literal

# global: the corpus, by the question; concepts: the same, by the question's concepts alone; pool: what the
# searches touched, wider, by the question. A pool is never reported as global.
Backend = Literal["global", "concepts", "pool"]

_BOTH: Mapping[Backend, float] = {"global": 1.0, "pool": 1.0}
_ONE_VOTE = {"L1": 1.0, "L2": 1.0, "L3": 1.0, "L4": 1.0}
# Treatments change fastest; what causes a disease is found out slowly (our choice, methods.md 6 row 2).
_STALE_YEARS = {
    "treatment": 8,
    "screening": 8,
    "diagnosis": 10,
    "prognosis": 10,
    "side_effect": 10,
    "cause": 15,
    "other": 10,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Values of one run; counts are of documents or passages. What NCBI may take of the time of a question is
    a setting (CARECITE_EUTILS_DEADLINE)."""

    name: str
    # Adapt-E (methods.md 1.3)
    n_min: int = 20  # levels are tried until so many different articles are found
    per_level: int = 50  # hits kept of one level, by relevance
    live_searches: int = 4  # searches of PubMed for one question, at most
    # CHSDR (methods.md 1.4)
    pool_size: int = 300  # articles that a pool holds, at most
    lexical_weight: float = 0.6  # of words beside vectors in the semantic stream
    fusion: Literal["ranks", "scores"] = "ranks"  # reciprocal rank fusion, or by what streams score
    rrf_k: float = 60.0  # of ranks
    votes: Mapping[str, float] = field(default_factory=lambda: _ONE_VOTE)  # of a hit, by its level
    semantic: Mapping[Backend, float] = field(default_factory=lambda: _BOTH)  # votes of each backend
    stream_depth: int = 50  # hits a stream
    documents: int = 20  # articles kept of the fused list
    # Depth (methods.md 1.5)
    full_texts: int = 20  # reviews read in full, at most
    allow_d3: bool = False  # whether primary studies may be read in full
    # Passages (methods.md 1.7)
    recalled: int = 50  # passages of the first stage
    passages: int = 5  # passages of the second stage
    per_article: int = 2  # passages of one article, where at least `few` articles are left
    few: int = 3
    # Recency (methods.md 6 row 2)
    stale_years: Mapping[str, int] = field(default_factory=lambda: _STALE_YEARS)  # by intent

    def as_json(self) -> dict[str, object]:
        return asdict(self)


FAITHFUL = Preset(name="faithful", lexical_weight=0.0)
PRODUCT = Preset(
    name="product",
    # Chosen on half of the questions (even SHA-1): narratives, and a part of PubMedQA and BioASQ.
    fusion="scores",
    semantic={"global": 1.0, "concepts": 0.2, "pool": 1.0},
    votes={"L1": 0.06, "L2": 0.06, "L3": 0.06, "L4": 0.03},
    pool_size=60,  # each has to be encoded once while somebody waits
    full_texts=3,
)
LITERATURE = replace(PRODUCT, name="literature")
