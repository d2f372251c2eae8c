"""What travels between the steps of one question (methods.md 0.1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from math import inf
from typing import TYPE_CHECKING, Literal, Protocol

from reasoning.literature import Literature
from reasoning.llm import Budget, LanguageModel
from reasoning.routing.options import Option
from reasoning.trace import Trace
from reasoning.types import Choice, Rejected, Remark
from storage.corpus.filters import EVERYTHING, Filters
from storage.corpus.reading import StoredPassage
from storage.facts import Fact

if TYPE_CHECKING:
    from reasoning.encoders.interface import ShortQuestion, Vectors
    from reasoning.graph import GraphSearch
    from reasoning.linking.types import Linker
    from reasoning.retrieval.reranking import Reranker


@dataclass(frozen=True, slots=True)
class Question:
    """`text` is cleaned and as asked, without its list of options; `language` ISO 639-1; `filters` limit what
    may be found."""

    text: str
    language: str = "en"
    filters: Filters = EVERYTHING
    offline: bool = False
    options: tuple[Option, ...] = ()  # of an exam question; they never enter a query (methods.md 1.7)
    further: int = 0  # exam questions that were pasted behind this one, and are not answered


@dataclass(frozen=True, slots=True)
class Evidence:
    """One passage with how it was found, and the passages around it where it cannot stand alone.

    Facts of a graph are evidence of the same form: their wording is the passage, who states them its article.
    """

    eid: str  # the passage's id
    source: StoredPassage
    score: float  # of the fused ranking
    streams: dict[str, tuple[int, float]]  # stream -> (rank from 1, score)
    similarity: float = 0.0  # to the question, by the encoder
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


PER_ARTICLE = 2  # passages of one article (methods.md 1.7)

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
    doubtful: bool = False  # what is said follows from no finding by itself: its confidence is low
    unnamed: Sequence[Choice] = ()  # options other than the choice that nothing found speaks for
    searched: Mapping[str, int] = field(default_factory=dict)  # articles that could have been found, by door
    dropped_retracted: int = 0  # articles that matched and were left out before their text was read
    live: bool = False  # whether PubMed itself was searched, and answered
    stale_after: int | None = None  # years, by what is asked; None: the same for all questions
    unknown_names: Sequence[str] = ()  # of drugs in the question that nothing here knows
    esearch_calls: int = 0
    retracted_checked: date | None = None  # the oldest check of those
    withdrawn: Sequence[str] = ()  # titles of those that the question itself seems to be about
    report: dict[str, object] | None = None
    warnings: Sequence[Remark] = ()
    degraded: Sequence[Remark] = ()
    rejected: Sequence[Rejected] = ()  # claims that lost to others before anything was written

    def lacking(self, code: str, detail: str) -> Findings:
        """The same, with a part that was not available."""
        return replace(self, degraded=(*self.degraded, Remark(code=code, detail=detail)))


@dataclass(frozen=True, slots=True)
class HandOver:
    """A method declines; the assistant lets `to` run instead, once. `failed` where it should not have had to:
    the answer then says that a part was missing."""

    to: str
    reason: str
    failed: bool = False


class Retrieval(Protocol):
    """What a method may ask of the evidence layer."""

    @property
    def encoder(self) -> str:
        """Name of the encoder behind similarities."""
        ...

    async def retrieve(
        self,
        question: Question,
        limit: int,
        trace: Trace,
        *,
        per_article: int | None = PER_ARTICLE,
        lexical_weight: float | None = None,
    ) -> Retrieved:
        """Passages of the corpus in one go, with what the gate needs. No cap on those of one article with
        `per_article` None; a `lexical_weight` of 0 ranks by vectors alone."""
        ...

    async def rank_articles(
        self,
        question: Question,
        limit: int,
        trace: Trace,
        *,
        within: Collection[str] | None = None,
        lexical_weight: float | None = None,
    ) -> Ranking:
        """The semantic stream: articles of the corpus, or of those given; 0 ranks by vectors alone."""
        ...

    async def recall(
        self,
        question: Question,
        keys: Collection[str],
        limit: int,
        trace: Trace,
        *,
        whole_studies: bool = False,
    ) -> Retrieved:
        """The first stage of passages: the best of given articles. Full texts of primary studies count only
        with `whole_studies`, or where nothing else is held of one."""
        ...

    async def narrow(
        self,
        question: Question,
        found: Retrieved,
        chosen: Sequence[Evidence],
        trace: Trace,
        *,
        enough: float = inf,
    ) -> Retrieved:
        """The second: what was chosen of them, with neighbours and coverage, ready for the gate. An article
        that names `enough` of the question's weight covers it."""
        ...

    async def known_terms(self, words: Collection[str]) -> dict[str, int]:
        """How many articles have each word; nothing known where the corpus cannot be asked."""
        ...

    async def similar_terms(self, word: str, limit: int = 5) -> list[str]:
        """Words of the articles that are spelled almost like this one, the likeliest first."""
        ...

    async def shorten(self, text: str) -> ShortQuestion:
        """What the encoder reads of a query, and what does not fit its window, in its own word pieces."""
        ...

    async def encode(self, texts: Sequence[str]) -> Vectors | None:
        """Vectors of sentences, a row each; None where the encoder failed."""
        ...

    async def compare(self, found: Retrieved, texts: Sequence[str]) -> Sequence[float] | None:
        """Similarity of each text to the question that found this; None where the encoder failed."""
        ...


@dataclass(frozen=True, slots=True)
class Ranking:
    """Article keys, best first, with their scores: those of one question can be compared, whatever they were
    ranked among. Empty and degraded if the search failed."""

    keys: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    warnings: tuple[Remark, ...] = ()
    degraded: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Ranked evidence, best first; empty and degraded if search failed."""

    evidence: Sequence[Evidence] = ()
    similarity: float = 0.0  # of the nearest passage to the question, by the encoder
    comparable: bool = True  # whether similarities of different questions mean the same
    coverage: float = 0.0  # the best of the evidence; of all together where the question compares things
    searched: Mapping[str, int] = field(default_factory=dict)  # articles by door
    vector: Vectors | None = field(default=None, repr=False, compare=False)  # of the question
    missing_terms: tuple[str, ...] = ()
    retracted: frozenset[str] = frozenset()  # keys of retracted articles that match, left out
    retracted_checked: date | None = None  # the oldest check of those
    withdrawn: tuple[str, ...] = ()  # titles of those that have the whole subject in their title
    warnings: tuple[Remark, ...] = ()
    degraded: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Tools:
    """What a method is given; it knows no SQL, no HTTP, no other method. `graph` and `linker` go together."""

    retrieval: Retrieval
    literature: Sequence[Literature]  # doors of the ladder of sources, the first that answers is used
    reranker: Reranker | None
    llm: LanguageModel
    budget: Budget
    trace: Trace
    graph: GraphSearch | None = None
    linker: Linker | None = None


Method = Callable[[Question, Tools], Awaitable[Findings | HandOver]]
