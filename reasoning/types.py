"""The object that `carecite ask --json` prints, closed: unknown fields are refused, later work only adds.

Its JSON schema is committed as `answer.schema.json` beside this file; a test compares the two.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Method = Literal["cometa", "mirage", "sema-rag", "literature"]
Confidence = Literal["high", "moderate", "low"]
Level = Literal["none", "urgent", "emergency", "self_harm"]
NoticeCode = Literal[
    "scope",
    "emergency",
    "urgent",
    "abstain",
    "degraded",
    "language",
    "handover",
    "stale",
    "conflict",
    "retracted",
    "concern",
    "unknown_name",
    "other_options",
    "more_questions",
]


class _Closed(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_serialization_defaults_required=True,  # a field with a default is printed all the same
    )


class Triage(_Closed):
    level: Level = "none"
    matched: list[str] = Field(default_factory=list)
    message: str | None = None


class Signals(_Closed):
    cancer_terms: list[str] = Field(default_factory=list)
    entities: list[str] = Field(default_factory=list)
    options: list[str] = Field(default_factory=list)


class Route(_Closed):
    """`method` is the decision, `ran` what ran."""

    method: Method
    ran: Method | Literal["none"]
    reason: str
    signals: Signals = Field(default_factory=Signals)


class Choice(_Closed):
    label: str
    text: str


class Support(_Closed):
    """A verbatim span of a passage of citation `n`; passages of one article stay apart (case F27)."""

    n: int
    passage: str
    quote: str


class Sentence(_Closed):
    """A supported statement; `citations` are numbers of the citation list, never empty."""

    text: str
    citations: list[int] = Field(min_length=1)
    paragraph: int = 1
    support: list[Support] = Field(default_factory=list)


class Notice(_Closed):
    code: NoticeCode
    text: str


class AnswerBody(_Closed):
    text: str
    choice: Choice | None = None
    abstained: bool
    confidence: Confidence
    written_by: Literal["model", "rule"] = "rule"  # the rule quotes and never generates
    sentences: list[Sentence] = Field(default_factory=list)
    notices: list[Notice] = Field(default_factory=list)


class CitedFact(_Closed):
    head: str
    relation: str
    tail: str
    source: str


class Citation(_Closed):
    """One article in the list; `quote` is a verbatim span of the stored passage, `url` ends in #page=N where
    the source has pages; `standing_checked` is the day on which PubMed or PMC was last asked about it."""

    n: int
    kind: Literal["passage", "path"] = "passage"
    pmid: str | None = None
    pmcid: str | None = None
    title: str
    journal: str | None = None
    year: int | None = None
    publication_types: list[str] = Field(default_factory=list)
    url: str | None = None
    quote: str
    language: str
    standing: Literal["ok", "concern", "corrected"]
    standing_checked: date | None = None
    facts: list[CitedFact] = Field(default_factory=list)


class Rejected(_Closed):
    """A sentence that is not said; `by` the rules, or a model that read it beside its source."""

    claim: str
    reason: str
    by: Literal["rule", "model"] = "rule"


class Remark(_Closed):
    """A warning, or what worked only in part."""

    code: str
    detail: str


class Usage(_Closed):
    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    retrievals: int = 0
    esearch_calls: int = 0
    seconds: float = 0.0


class Answer(_Closed):
    """`question` as it was written; `standalone` a follow-up as completed, null where it stands alone."""

    run_id: str
    question: str
    standalone: str | None = None
    language: str
    triage: Triage
    route: Route
    answer: AnswerBody
    citations: list[Citation] = Field(default_factory=list)
    rejected: list[Rejected] = Field(default_factory=list)
    report: dict[str, Any] | None = None
    warnings: list[Remark] = Field(default_factory=list)
    degraded: list[Remark] = Field(default_factory=list)
    usage: Usage = Field(default_factory=Usage)
    trace: list[dict[str, Any]] | None = None  # added by --trace
