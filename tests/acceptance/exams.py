"""A tiny folder for measuring, self-written: three invented studies, and questions on and beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

_DOCUMENTS = (
    (
        "90060001",
        "Dolexan and attacks of gout: a trial",
        "Dolexan prevented attacks of gout in half of the people who took it for a year. Attacks of gout were"
        " prevented by dolexan in men and in women.",
    ),
    (
        "90060002",
        "Merivast and colorectal cancer",
        "Merivast did not reduce the risk of colorectal cancer. The risk of colorectal cancer was not reduced"
        " by merivast in any group.",
    ),
    ("90060003", "Sleep in shift workers", "Shift workers slept six hours a night on average."),
)
_YES_NO = {"A": "yes", "B": "no"}
QUESTIONS: Sequence[Mapping[str, object]] = (
    {
        "id": "t1",
        "question": "Which drug prevents attacks of gout?",
        "options": {"A": "warfarin", "B": "dolexan", "C": "salbutamol", "D": "omeprazole"},
        "answer": "B",
    },
    {
        "id": "t2",
        "question": "Does merivast reduce the risk of colorectal cancer?",
        "options": _YES_NO,
        "answer": "B",
        "pmids": ["90060002"],
    },
    {
        "id": "t3",
        "question": "Which bone is the longest of the body?",
        "options": {"A": "femur", "B": "tibia", "C": "ulna"},
        "answer": "A",
    },
)


def write_exam(folder: Path) -> Path:
    """The folder, laid out like the measuring data."""
    documents = [
        {"doc_id": pmid, "pmid": pmid, "title": title, "abstract": text, "year": 2024, "source": "tiny"}
        for pmid, title, text in _DOCUMENTS
    ]
    _write(folder / "retrieval" / "corpus_tiny.jsonl", documents)
    _write(folder / "qa" / "tiny.jsonl", QUESTIONS)
    return folder


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
