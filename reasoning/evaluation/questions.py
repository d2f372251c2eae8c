"""Question sets for retrieval. Fields named gold_* are read here, for measuring only."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from reasoning.errors import ReasoningError


class DataMissing(ReasoningError):
    """The measuring data is not there."""

    remedy = "Give the folder that holds the measuring data with --data."


Style = Literal["standard", "narrative", "patient"]


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A file of questions; `fields` joined by a line break are what a person would type.

    `part` is the field that splits the set. Without gold documents, only what searches find is measured.
    """

    folder: str
    file: str
    style: Style
    fields: tuple[str, ...] = ("question",)
    part: str | None = None
    has_gold: bool = True


_MESSAGE = ("subject", "message")  # a web form: the line above and the text below it
SETS: Mapping[str, QuestionSet] = {
    "pubmedqa": QuestionSet("retrieval", "questions_pubmedqa", "standard"),
    "bioasq": QuestionSet("retrieval", "questions_bioasq", "standard"),
    "narratives": QuestionSet("retrieval", "narratives", "narrative", ("narrative",), "dataset"),
    "multilingual": QuestionSet("retrieval", "narratives_multilingual", "narrative", ("narrative",), "lang"),
    "healthsearchqa": QuestionSet("patient", "healthsearchqa", "patient", has_gold=False),
    "meqsum": QuestionSet("patient", "meqsum", "patient", _MESSAGE, has_gold=False),
    "liveqa_med": QuestionSet("patient", "liveqa_med", "patient", _MESSAGE, has_gold=False),
    "medicationqa": QuestionSet("patient", "medicationqa", "patient", has_gold=False),
    "kqa": QuestionSet("patient", "kqa", "patient", has_gold=False),
}


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """`gold` are document ids, empty in a set that has none; `part` is what splits its set."""

    qid: str
    dataset: str
    style: Style
    text: str
    gold: frozenset[str] = frozenset()
    part: str | None = None

    @property
    def held_out(self) -> bool:
        return is_held_out(self.qid)


def is_held_out(item: str) -> bool:
    """Parameters are chosen on even SHA-1 sums of the id, and reported on the odd ones and on all."""
    return int(hashlib.sha1(item.encode()).hexdigest(), 16) % 2 == 1


def open_set(folder: Path, name: str) -> Path:
    """The file of a set, plain or gzip. Raises DataMissing."""
    for suffix in (".jsonl", ".jsonl.gz"):
        if (folder / f"{name}{suffix}").exists():
            return folder / f"{name}{suffix}"
    raise DataMissing(f"{folder} has no {name}.jsonl or {name}.jsonl.gz.")


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def present_sets(folder: Path) -> list[str]:
    """The sets that a folder has. Raises DataMissing where it has none."""
    present = []
    for name, one in SETS.items():
        try:
            open_set(folder / one.folder, one.file)
        except DataMissing:
            continue
        present.append(name)
    if not present:
        raise DataMissing(f"{folder} has no set of questions, such as retrieval/questions_pubmedqa.jsonl.")
    return present


def read_questions(
    folder: Path, limit: int | None = None, sets: Sequence[str] = ("pubmedqa", "bioasq", "narratives")
) -> list[GoldQuestion]:
    """The first `limit` questions of each set. Raises DataMissing."""
    questions = []
    for name in sets:
        one = SETS[name]
        for row in islice(read_rows(open_set(folder / one.folder, one.file)), limit):
            questions.append(_question(row, name, one))
    return questions


def _question(row: dict[str, Any], name: str, of: QuestionSet) -> GoldQuestion:
    text = "\n".join(filter(None, (row.get(field) for field in of.fields)))
    gold = frozenset(str(pmid) for pmid in row["gold_pmids"]) if of.has_gold else frozenset()
    part = str(row[of.part]) if of.part else None
    return GoldQuestion(str(row.get("qid") or row["id"]), name, of.style, text, gold, part)


def corpus_files(folder: Path) -> list[Path]:
    """The files of documents, in a fixed order. Raises DataMissing."""
    files = sorted((folder / "retrieval").glob("corpus_*.jsonl*"))
    if not files:
        raise DataMissing(f"{folder / 'retrieval'} has no corpus_*.jsonl.")
    return files
