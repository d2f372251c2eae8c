"""A tiny folder for measuring, self-written: three invented studies, questions on and beside them, and two
Chinese ones with a graph."""

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
CHINESE_QUESTIONS: Sequence[Mapping[str, object]] = (
    {
        "id": "z1",
        "question": "患者咳嗽，怀疑肺炎，应首选的检查是",
        "options": {"A": "心电图", "B": "胸片", "C": "胃镜"},
        "answer": "B",
        "explanation": "肺炎的检查项目是胸片。",
    },
    {
        "id": "z2",
        "question": "关于处方的说法，错误的是",
        "options": {"A": "甲", "B": "乙", "C": "丙"},
        "answer": "C",
        "explanation": "丙不对。",
    },
)
_TRIPLES = (
    ("head", "relation", "tail"),
    ("感冒", "症状", "咳嗽"),
    ("肺炎", "症状", "咳嗽"),
    ("肺炎", "检查项目", "胸片"),
)


def write_exam(folder: Path) -> Path:
    """The folder, laid out like the measuring data."""
    documents = [
        {"doc_id": pmid, "pmid": pmid, "title": title, "abstract": text, "year": 2024, "source": "tiny"}
        for pmid, title, text in _DOCUMENTS
    ]
    _write(folder / "retrieval" / "corpus_tiny.jsonl", documents)
    _write(folder / "qa" / "tiny.jsonl", QUESTIONS)
    _write(folder / "kg" / "explaincpe.jsonl", CHINESE_QUESTIONS)
    triples = "".join("\t".join(row) + "\n" for row in _TRIPLES)
    (folder / "kg" / "zh_39health_triples.tsv").write_text(triples, encoding="utf-8")
    return folder


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
