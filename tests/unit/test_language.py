"""Language detection on short questions.

On the 5,794 English questions of ../shared/data/patient and retrieval: all; on the 30 Chinese and Spanish
narratives: all.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from reasoning.language import detect_language

QUESTIONS: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parent / "fixtures" / "language_questions.toml").read_text("utf-8")
)


@pytest.mark.parametrize("language", QUESTIONS)
def test_short_questions(language: str):
    wrong = {q: found for q in QUESTIONS[language] if (found := detect_language(q)) != language}
    assert len(wrong) <= max(1, len(QUESTIONS[language]) // 6) if language in ("en", "nl") else not wrong, (
        wrong
    )


@pytest.mark.parametrize("text", ["", "   ", "12345", "?!", "😀", "\ud83d"])
def test_nothing_to_go_by_is_english(text: str):
    assert detect_language(text) == "en"


def test_a_quoted_word_does_not_decide():
    assert detect_language("What does 肺癌 mean in the report of my mother, and what should she ask?") == "en"
    assert detect_language("EGFR T790M阳性的肺癌用osimertinib还是afatinib好") == "zh"


@pytest.mark.shared_data
def test_english_questions_of_patients(shared: Path):
    rows = [
        json.loads(line)[key]
        for name, key in (("healthsearchqa", "question"), ("meqsum", "message"), ("kqa", "question"))
        for line in (shared / "data" / "patient" / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    assert sum(detect_language(row) == "en" for row in rows) >= 0.99 * len(rows)


@pytest.mark.shared_data
def test_chinese_and_spanish_narratives(shared: Path):
    lines = (shared / "data" / "retrieval" / "narratives_multilingual.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [r["qid"] for r in rows if detect_language(r["narrative"]) != r["lang"]] == []


def test_the_model_is_loaded_at_need_only():
    code = "import sys, reasoning.language; sys.exit('py3langid' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2]).returncode == 0
