"""Question sets for retrieval. Fields named gold_* are read here, for measuring only."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from reasoning.errors import ReasoningError


class DataMissing(ReasoningError):
    """The measuring data is not there."""

    remedy = "Give the folder that holds the measuring data with --data."


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """`gold` are document ids; `style` is standard or narrative."""

    qid: str
    dataset: str
    style: str
    text: str
    gold: frozenset[str]

    @property
    def held_out(self) -> bool:
        return is_held_out(self.qid)


def is_held_out(item: str) -> bool:
    """Parameters are chosen on even SHA-1 sums of the id, and reported on the odd ones and on all."""
    return int(hashlib.sha1(item.encode()).hexdigest(), 16) % 2 == 1


_SETS = (
    ("questions_pubmedqa", "pubmedqa", "standard", "question"),
    ("questions_bioasq", "bioasq", "standard", "question"),
    ("narratives", "narratives", "narrative", "narrative"),
)


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


def read_questions(folder: Path, limit: int | None = None) -> list[GoldQuestion]:
    """Questions of `folder`/retrieval, the first `limit` of each set. Raises DataMissing."""
    questions = []
    for name, dataset, style, field in _SETS:
        for row in islice(read_rows(open_set(folder / "retrieval", name)), limit):
            gold = frozenset(str(pmid) for pmid in row["gold_pmids"])
            questions.append(GoldQuestion(str(row["qid"]), dataset, style, row[field], gold))
    return questions


def corpus_files(folder: Path) -> list[Path]:
    """The files of documents, in a fixed order. Raises DataMissing."""
    files = sorted((folder / "retrieval").glob("corpus_*.jsonl*"))
    if not files:
        raise DataMissing(f"{folder / 'retrieval'} has no corpus_*.jsonl.")
    return files
