"""A tiny folder for measuring graphs, self-written: two graphs, a Chinese one, and questions on them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

SMALL = """
Hay_fever|has_symptom|Sneezing
Hay_fever|has_symptom|Itchy_eyes
Common_cold|has_symptom|Sneezing
Common_cold|has_symptom|Sore_throat
Asthma|has_symptom|Wheezing
Asthma|has_symptom|Cough
Asthma|need_medication|Inhaler;_reliever
Migraine|has_symptom|Headache
Tension_headache|has_symptom|Headache
"""
CHINESE = """
感冒|症状|咳嗽
感冒|症状|发热
肺炎|症状|咳嗽
肺炎|检查项目|胸片
"""
DOCUMENTS = {
    "Hay fever": "Pollen makes people sneeze, and their eyes are itchy.",
    "Common cold": "A cold begins with a sore throat.",
    "Asthma": "Wheezing at night, and a cough.",
    "Migraine": "Throbbing pain on one side.",
    "Tension headache": "A band around the head.",
}
QUESTIONS: Sequence[tuple[str, str, Sequence[str], str]] = (
    ("g1", "My eyes itch in spring: sneezing and itchy eyes.", ("Sneezing", "Itchy_eyes"), "Hay_fever"),
    ("g2", "There is wheezing at night, and a cough.", ("Wheezing", "Cough"), "Asthma"),
    ("g3", "Is it a migraine? I have a headache.", ("Migraine", "Headache"), "Migraine"),
    ("g4", "It is like a tight band.", ("Headache",), "Tension_headache"),
    ("g5", "Sneezing with a sore throat since Monday.", ("Sneezing", "Sore_throat"), "Common_cold"),
    ("g6", "Nothing of this is in the graph.", (), "Asthma"),
)


def write_dialogues(folder: Path) -> Path:
    """The folder, laid out like the measuring data; both English graphs are the same."""
    kg = folder / "kg"
    kg.mkdir(parents=True)
    for name, lines in (("chatdoctor", SMALL), ("chatdoctor_full", SMALL), ("zh_39health", CHINESE)):
        rows = ["head|relation|tail", *lines.strip().splitlines()]
        (kg / f"{name}_triples.tsv").write_text("\n".join(rows).replace("|", "\t"), encoding="utf-8")
        documents = [{"doc_id": f"d-{n}", "disease": each} for n, each in enumerate(DOCUMENTS)]
        documents = [row | {"text": DOCUMENTS[row["disease"]]} for row in documents]
        _write(kg / f"{name}_disease_documents.jsonl", documents)
    rows_ = [
        {"id": name, "question": text, "answer": f"It may be {gold}."}
        | {f"{full}question_kg_entities": list(given) for full in ("", "full_")}
        | {f"{full}gold_diseases": [gold] for full in ("", "full_")}
        for name, text, given, gold in QUESTIONS
    ]
    _write(kg / "genmedgpt5k.jsonl", rows_)
    consultations = ("我咳嗽发热，是感冒吗？", "咳嗽要紧吗？", "你好，谢谢。")
    _write(kg / "cmcqa.jsonl", [{"id": f"c{n}", "question": text} for n, text in enumerate(consultations)])
    return folder


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
