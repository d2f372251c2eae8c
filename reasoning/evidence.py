"""What travels between the steps of one question (methods.md 0.1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from reasoning.llm import Budget, LanguageModel
from reasoning.trace import Trace
from reasoning.types import Choice, Rejected, Remark
from storage.corpus.filters import EVERYTHING, Filters
from storage.corpus.reading import StoredPassage
from storage.facts import Fact

if TYPE_CHECKING:
    from reasoning.encoders.interface import Vectors
    from reasoning.graph import GraphSearch
    from reasoning.linking.types import Linker


@dataclass(frozen=True, slots=True)
class Question:
    """`text` is cleaned and as asked; `language` ISO 639-1; `filters` limit what may be found."""

    text: str
    language: str = "en"
    filters: Filters = EVERYTHING
    offline: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """One passage with how it was found, and the passages around it where it cannot stand alone.

    Facts of a graph are evidence of the same form: their wording is the passage, who states them its article.
    """

    eid: str  # the passage's id
    source: StoredPassage
    score: float  # of the fused ranking
    streams: dict[str, tuple[int, float]]  # stream -> (rank from 1, score)
    coverage: float = 0.0  # share of the question's subject that its article names, 0 to 1
    before: str | None = None
    after: str | None = None
    facts: tuple[Fact, ...] = ()  # in the order of the path; empty for a passage

    @property
    def text(self) -> str:
        return self.source.passage.text

    @property
    def key(self) -> str:
        """What has one number in the list of sources: an article, or a path beside it."""
        return self.eid if self.facts else self.source.article.key


@dataclass(frozen=True, slots=True)
class Claim:
    """A proposed sentence with the spans it rests on: (eid, verbatim quote)."""

    text: str
    support: tuple[tuple[str, str], ...]
    paragraph: int = 1


Gate = Literal["found", "nothing_found", "search_failed", "off_topic", "retracted", "language"]


@dataclass(frozen=True, slots=True)
class Findings:
    """What a method hands back: evidence, claims drawn from it, and the state of the gate (case F28)."""

    gate: Gate
    evidence: Sequence[Evidence] = ()
    claims: Sequence[Claim] = ()
    by: Literal["model", "rule"] = "rule"  # who wrote the claims
    quotes: Sequence[Claim] = ()  # the rule's claims, where what a model wrote does not stand
    choice: Choice | None = None
    searched: Mapping[str, int] = field(default_factory=dict)  # articles that could have been found, by door
    report: dict[str, object] | None = None
    warnings: Sequence[Remark] = ()
    degraded: Sequence[Remark] = ()
    rejected: Sequence[Rejected] = ()  # claims that lost to others before anything was written


@dataclass(frozen=True, slots=True)
class HandOver:
    """A method declines; the assistant lets `to` run instead, once."""

    to: str
    reason: str


class Retrieval(Protocol):
    """What a method may ask of the evidence layer."""

    async def retrieve(self, question: Question, limit: int, trace: Trace) -> Retrieved: ...

    async def encode(self, texts: Sequence[str]) -> Vectors | None:
        """Vectors of sentences, a row each; None where the encoder failed."""
        ...

    async def compare(self, found: Retrieved, texts: Sequence[str]) -> Sequence[float] | None:
        """Similarity of each text to the question that found this; None where the encoder failed."""
        ...


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Ranked evidence, best first, at most two passages an article; empty and degraded if search failed."""

    evidence: Sequence[Evidence] = ()
    similarity: float = 0.0  # of the nearest passage to the question, by the encoder
    comparable: bool = True  # whether similarities of different questions mean the same
    coverage: float = 0.0  # the best of the evidence; of all together where the question compares things
    searched: Mapping[str, int] = field(default_factory=dict)  # articles by door
    vector: Vectors | None = field(default=None, repr=False, compare=False)  # of the question
    missing_terms: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()  # titles of retracted articles that match
    warnings: tuple[Remark, ...] = ()
    degraded: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Tools:
    """What a method is given; it knows no SQL, no HTTP, no other method. `graph` and `linker` go together."""

    retrieval: Retrieval
    llm: LanguageModel
    budget: Budget
    trace: Trace
    graph: GraphSearch | None = None
    linker: Linker | None = None


Method = Callable[[Question, Tools], Awaitable[Findings | HandOver]]
