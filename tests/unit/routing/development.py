"""The development questions, one triple each: label, language, question."""

from __future__ import annotations

import tomllib
from pathlib import Path

_FILE = Path(__file__).with_name("questions.toml")
QUESTIONS: list[tuple[str, str, str]] = [
    (label, language, question)
    for label, languages in tomllib.loads(_FILE.read_text("utf-8")).items()
    for language, questions in languages.items()
    for question in questions
]
