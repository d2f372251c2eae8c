"""What is measured on: a sample of the measuring documents beside the repository, or a generated corpus.

Either becomes a folder laid out like the measuring data, so that one door opens them all.
"""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import dataclass
from pathlib import Path

from reasoning.evaluation.questions import corpus_files, read_questions, read_rows

WORDS, TOPICS, TOPIC_WORDS = 20_000, 300, 40


@dataclass(frozen=True, slots=True)
class Source:
    """`folder` holds retrieval/corpus_*.jsonl; `questions` differ from each other."""

    folder: Path
    questions: list[str]
    origin: str


def find_source(data: Path, documents: int | None, questions: int, home: Path) -> Source:
    """`documents` of `data` (None: all) in a folder below `home`; generated where `data` is absent."""
    if not (data / "retrieval").is_dir():
        count = documents or 5000
        folder = home / "bench" / f"generated-{count}"
        generated = _generate(folder, count, questions)
        return Source(folder, generated, f"{count:,} generated documents ({data} is not there)")
    asked = sorted({question.text for question in read_questions(data)}, key=_order)[:questions]
    if documents is None:
        return Source(data, asked, f"all documents of {data}")
    folder = home / "bench" / f"sample-{documents}"
    _sample(data, folder, documents)
    return Source(folder, asked, f"{documents:,} documents of {data}")


def _order(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()


def _sample(data: Path, folder: Path, count: int) -> None:
    """The same documents whenever the same number is asked for."""
    rows = [row for path in corpus_files(data) for row in read_rows(path)]
    rows.sort(key=lambda row: _order(str(row["doc_id"])))
    _write(folder, rows[:count])


def _write(folder: Path, rows: list[dict[str, object]]) -> None:
    target = folder / "retrieval" / "corpus_sample.jsonl"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def _generate(folder: Path, count: int, questions: int) -> list[str]:
    """Documents on topics: common words as English has them (Zipf), and rare ones of the topic between."""
    from wordfreq import top_n_list

    chance = random.Random(1)
    words = [word for word in top_n_list("en", WORDS) if word.isalpha()]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    rare = words[len(words) // 4 :]
    topics = [chance.sample(rare, TOPIC_WORDS) for _ in range(TOPICS)]

    def sentence(topic: list[str], length: int) -> str:
        common = chance.choices(words, weights, k=length)
        told = [chance.choice(topic) if chance.random() < 0.3 else word for word in common]
        return " ".join(told).capitalize()

    rows: list[dict[str, object]] = []
    for number in range(count):
        topic = topics[number % TOPICS]
        text = " ".join(f"{sentence(topic, chance.randint(8, 24))}." for _ in range(chance.randint(4, 14)))
        rows.append({"doc_id": f"generated-{number}", "title": sentence(topic, 9), "abstract": text})
    _write(folder, rows)
    return [f"{sentence(topics[number % TOPICS], 10)}?" for number in range(questions)]
