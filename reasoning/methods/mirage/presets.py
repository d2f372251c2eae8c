"""The parameters of the method (methods.md 2.1): as the paper and its code have them, and as we use them."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """All that bounds one question; the trace and the report hold every value."""

    name: str
    parts: int = 4  # N_q, sub-questions
    searches: int = 5  # N_r, a chain
    neighbours: int = 10  # k, a relation
    hops: int = 4  # h
    paths: int = 5  # a pair
    turns: int = 10  # replies of a chain, searches and refused ones together
    repeats: float = 0.95  # cosine from which a part repeats another
    rerank: bool = True  # neighbours by likeness to the question, beside the graph's order
    chain_tokens: int = 8000  # of a chain's prompt
    chain_share: float = 0.7  # of the time left for the question, the rest for what follows; our choice
    statements: int = 6  # of the answer, our choice
    tails: int = 4  # named by one statement, our choice
    told_hops: int = 2  # of a path in the answer: a longer one joins what a reader would not; our choice
    corroborated: bool = True

    def effective(self) -> dict[str, object]:
        return asdict(self)


PRODUCT = Preset("product")
FAITHFUL = Preset("faithful", hops=3, told_hops=3, rerank=False, corroborated=False)
