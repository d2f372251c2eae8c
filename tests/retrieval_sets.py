"""A folder laid out like the measuring data's `retrieval/` and `patient/`, self-written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

RINSING, METFORMIN, LIGHT, BALANCE, UNNUMBERED = "90050001", "90050002", "90050003", "90050004", "own-0001"
_DOCUMENTS = (
    (
        RINSING,
        "Saline rinsing for chronic sinusitis",
        "Rinsing the nose with saline eased chronic sinusitis in adults. Nosebleeds were rare.",
        ["Sinusitis", "Adult"],
    ),
    (
        METFORMIN,
        "Metformin and weight in polycystic ovary syndrome",
        "Metformin lowered body weight of women with polycystic ovary syndrome by two kilograms.",
        ["Polycystic Ovary Syndrome", "Metformin"],
    ),
    (
        LIGHT,
        "Bright light against winter depression",
        "Bright light in the morning eased seasonal depression within two weeks.",
        ["Seasonal Affective Disorder", "Phototherapy"],
    ),
    (
        BALANCE,
        "Balance training and falls after stroke",
        "Balance training halved falls of people who had a stroke.",
        ["Stroke", "Accidental Falls"],
    ),
    (
        UNNUMBERED,
        "Falls in nursing homes",
        "Falls are common in nursing homes, and osteoporosis makes fractures likely.",
        ["Accidental Falls", "Osteoporosis"],
    ),
)
_STORY = (
    "My sister is thirty and has polycystic ovary syndrome. She gained a lot since spring, lies awake until "
    "the morning and falls asleep at work. A friend told us of metformin, could that bring her weight down?"
)
_ROWS: Mapping[str, Sequence[dict[str, object]]] = {
    "retrieval/questions_pubmedqa": (
        {"qid": "p1", "question": "Does saline rinsing help chronic sinusitis?", "gold_pmids": [RINSING]},
        {
            "qid": "p2",
            "question": "Does balance training reduce falls after stroke?",
            "gold_pmids": [BALANCE],
        },
        {"qid": "p3", "question": "Is this one answered elsewhere?", "gold_pmids": ["90059999"]},
    ),
    "retrieval/questions_bioasq": (
        {
            "qid": "b1",
            "question": "Is bright light used against depression?",
            "gold_pmids": [LIGHT, "90059998"],
        },
    ),
    "retrieval/narratives": (
        {"qid": "n1", "dataset": "pubmedqa", "narrative": _STORY, "gold_pmids": [METFORMIN]},
    ),
    "retrieval/narratives_multilingual": (
        {"qid": "m1", "lang": "zh", "narrative": "二甲双胍能让我减肥吗？", "gold_pmids": [METFORMIN]},
        {
            "qid": "m2",
            "lang": "de",
            "narrative": "Hilft Salzwasser gegen die Nebenhöhlen?",
            "gold_pmids": [RINSING],
        },
    ),
    "patient/healthsearchqa": (
        {"id": "h1", "question": "Can osteoporosis be cured?"},
        {"id": "h2", "question": "Can people have both of these together?"},
    ),
    "patient/meqsum": (
        {
            "id": "q1",
            "subject": "stroke",
            "message": "What can be done so that I do not fall?",
            "summary": "Falls?",
        },
    ),
}


def write_retrieval_sets(folder: Path) -> Path:
    """Five documents, one of them without a PMID, and nine questions; one has its answer elsewhere."""
    documents = [
        {
            "doc_id": key,
            "pmid": key if key.isdecimal() else None,
            "title": title,
            "abstract": abstract,
            "mesh": mesh,
            "year": 2020 + number,
        }
        for number, (key, title, abstract, mesh) in enumerate(_DOCUMENTS)
    ]
    for name, rows in {"retrieval/corpus_own": documents, **_ROWS}.items():
        path = folder / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder
