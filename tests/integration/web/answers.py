"""Answers as they are kept, of each method, with words that would do harm if a page took them for its own."""

from __future__ import annotations

from typing import Any

from reasoning.types import Answer, AnswerBody, Citation, CitedFact, Notice, Route, Sentence, Signals, Support
from reasoning.types import Usage as Spent
from storage.history import CitedSource

MARKER = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"
ESCAPED = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&#34;&gt;&lt;img src=x onerror=alert(1)&gt;"


def kept(run_id: str, *, method: str = "literature", words: str = "warm", **more: Any) -> dict[str, Any]:
    """Fields of a run: an answer of two sentences on two sources."""
    citations = [
        Citation(
            n=n,
            pmid=str(n),
            pmcid=f"PMC{n}",
            title=f"Trial {n} of {words}",
            journal="Journal of Socks",
            year=2020 + n,
            url=f"https://example.org/{n}",
            quote=f"Socks {n} are {words}.",
            language="en",
            standing="ok",
            facts=[CitedFact(head="wool", relation="treats", tail="cold feet", source=str(n))],
        )
        for n in (1, 2)
    ]
    sentences = [
        Sentence(text=f"Socks are {words}.", citations=[1, 2]),
        Sentence(
            text=f"Wool is {words}.",
            citations=[2],
            support=[Support(n=2, passage="p", quote=f"Wool 2 is {words}, too.")],
        ),
    ]
    answer = Answer(
        run_id=run_id,
        question=f"Are socks {words}?",
        language="en",
        triage={"level": "none"},
        route=Route(
            method="literature", ran=method, reason=f"no {words}", signals=Signals(entities=["sock", words])
        ),
        answer=AnswerBody(
            text=f"Socks are {words}. [1][2]",
            abstained=False,
            confidence="moderate",
            sentences=sentences,
            notices=[Notice(code="scope", text=f"General information, {words}.")],
        ),
        citations=citations,
        usage=Spent(llm_calls=3, prompt_tokens=1200, completion_tokens=80, seconds=4.2),
        report=more.pop("report", None),
    )
    return {
        "ran": method,
        "question": answer.question,
        "answer": answer.model_dump(mode="json", exclude={"trace"}),
        "trace": [
            span(0, None, "retrieve", 0.0, 1200.0, {"query": words}),
            span(1, 0, "search", 10.0, 900.0, {}),
            span(2, None, "llm", 1300.0, 2900.0, MODEL, {"prompt_tokens": 1200, "cost": 0.0123}),
        ],
        "citations": tuple(
            CitedSource(one.n, str(one.n), one.pmid, one.title, one.url, one.quote, "ok") for one in citations
        ),
        "masked": f"Are socks {words}?\n\nSocks are {words}.",
    } | more


MODEL = {"step": "answer", "prompt": "answer", "version": 3, "model": "small-model"}


def span(
    number: int,
    parent: int | None,
    stage: str,
    started: float,
    took: float,
    params: dict[str, Any],
    output: dict[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "span_id": number,
        "parent_id": parent,
        "stage": stage,
        "params": params,
        "output": output or {},
        "started_ms": started,
        "latency_ms": took,
    }


LEVELS = [
    {"level": "L1", "why": "all concepts", "query": "sock[tiab] AND warm[tiab]", "count": 2, "kept": ["1"],
     "state": "ok", "reason": None, "ms": 12.5},
    {"level": "L2", "why": "fewer concepts", "query": "sock[tiab]", "count": 40, "kept": ["1", "2"],
     "state": "ok", "reason": None, "ms": 8.0},
]  # fmt: skip
ROUNDS = [
    {"queries": [{"query": "sock warmth", "hits": 9, "new": 4}], "sufficient": False, "by": "rule",
     "gap": "how long it lasts", "followups": ["sock warmth duration"]},
    {"queries": [{"query": "sock warmth duration", "hits": 5, "new": 3}], "sufficient": True, "by": "model",
     "gap": None, "followups": []},
]  # fmt: skip
CHAINS: dict[str, Any] = {
    "asked": [["wool"], ["cold feet"]],
    "facts_found": 1,
    "claims": [{"facts": [1]}],
    "rejected": [],
    "facts": {
        "1": {
            "head": "wool",
            "relation": "treats",
            "tail": "cold feet",
            "sources": ["1"],
            "text": "Wool may.",
        }
    },
    "chains": [
        {
            "subq_id": "q1",
            "text": "What does wool do?",
            "status": "done",
            "turns": 2,
            "by": "rule",
            "reason": None,
            "answer": "It warms.",
            "searches": [{"query": "wool", "mode": "anchor", "evidence_ids": [1], "error": None}],
        }
    ],
}
