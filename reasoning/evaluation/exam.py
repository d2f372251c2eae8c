"""`carecite eval exam`: multiple-choice and yes/no questions, answered in several ways side by side.

A file of `qa/` or `kg/` holds a question a line. Its options never enter a query; the field `answer` is read
here, for measuring only. `pmids` are the articles that a question was made from: a question that has some is
asked a second time with those withheld, since a corpus that holds them flatters retrieval (methods.md 6, row
19).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from reasoning.evaluation.items import ItemLog
from reasoning.evaluation.questions import DataMissing, is_held_out, open_set, read_rows
from reasoning.evidence import Question
from reasoning.routing import Option
from storage.corpus import Filters

SETS = ("medqa_us", "medmcqa", "mmlu_med", "pubmedqa_star", "bioasq_yn", "cmmqa_like", "explaincpe")
_FOLDERS = ("qa", "kg")
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class ExamItem:
    """One question of a set; `source` is the set it was taken from, where one is made of several."""

    id: str
    dataset: str
    source: str
    stem: str
    options: tuple[Option, ...]
    answer: str
    pmids: tuple[str, ...]
    language: str = "en"

    def question(self, *, withheld: bool) -> Question:
        """As every arm is asked; what is found is in the measuring corpus alone."""
        filters = Filters(without=self.pmids if withheld else ())
        return Question(self.stem, self.language, filters, offline=True, options=self.options)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one arm made of a question: `said` is the label a person would be told, `chosen` that or the one
    it was forced to; `gate` is "unsettled" where passages fit and bear no option out, "handed_over" where a
    method declined. `rounds` of retrieval ended by `stop`. Counts are of all that it took: `calls` with
    repairs and retries, `steps` without; `forced_*` are the part that forcing took."""

    said: str | None
    chosen: str
    by: str
    insufficient: bool
    gate: str | None = None
    reason: str | None = None
    stop: str | None = None
    rounds: int = 0
    steps: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    retrievals: int = 0
    esearch_calls: int = 0
    seconds: float = 0.0
    forced_calls: int = 0
    forced_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Marked:
    """An attempt with its mark."""

    id: str
    dataset: str
    source: str
    arm: str
    model: str | None
    withheld: bool
    held_out: bool
    answer: str
    attempt: Attempt
    preset: str = "product"

    @property
    def key(self) -> tuple[str, str, str, str | None, bool, str]:
        return self.dataset, self.id, self.arm, self.model, self.withheld, self.preset

    @property
    def right(self) -> bool:
        """The choice was right, said or forced."""
        return self.attempt.chosen == self.answer

    @property
    def said_right(self) -> bool:
        return self.attempt.said == self.answer

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Arm:
    """A way to answer; only one that retrieves is asked again with sources withheld. `language` is the only
    one that it is asked in, None for any."""

    answer: Callable[[Question], Awaitable[Attempt]]
    retrieves: bool
    language: str | None = None


def read_items(folder: Path, sets: Sequence[str], limit: int | None = None) -> list[ExamItem]:
    """Questions of `folder`, the first `limit` of each set. Raises DataMissing."""
    return [_item(row, name) for name in sets for row in islice(read_rows(_find(folder, name)), limit)]


def _find(folder: Path, name: str) -> Path:
    for part in _FOLDERS:
        try:
            return open_set(folder / part, name)
        except DataMissing:
            continue
    raise DataMissing(f"{folder} has no {name}.jsonl in {' or '.join(_FOLDERS)}.")


def _item(row: dict[str, Any], name: str) -> ExamItem:
    return ExamItem(
        str(row["id"]),
        name,
        row.get("dataset") or name,
        row["question"],
        tuple(Option(label, text) for label, text in row["options"].items()),
        row["answer"],
        tuple(str(pmid) for pmid in row.get("pmids", ())),
        "zh" if _HAN.search(row["question"]) else "en",
    )


async def measure(
    items: Sequence[ExamItem],
    arms: Mapping[str, Arm],
    model: str | None,
    out: Path | None,
    step: Callable[[], None],
    *,
    withhold: bool = True,
    preset: str = "product",
) -> list[Marked]:
    """Every question through every arm; with `withhold` again without the articles that it was made from.

    What `out` already holds under this preset is not asked again, and arms that are one are asked once.
    """
    log = ItemLog(out, "exam")
    done = {mark.key: mark for mark in map(_read, log.read())}
    marks: list[Marked] = []
    for item in items:
        made: dict[tuple[Arm, bool], Attempt] = {}
        for name, arm in arms.items():
            if arm.language not in (None, item.language):
                continue
            again = withhold and arm.retrieves and item.pmids
            for withheld in (False, True) if again else (False,):
                mark = done.get((item.dataset, item.id, name, model, withheld, preset))
                if mark is None:
                    attempt = made.get((arm, withheld)) or await arm.answer(item.question(withheld=withheld))
                    mark = _mark(item, name, model, withheld, attempt, preset)
                    log.add([mark.as_json()])
                made[arm, withheld] = mark.attempt
                marks.append(mark)
        step()
    return marks


def _mark(
    item: ExamItem, arm: str, model: str | None, withheld: bool, attempt: Attempt, preset: str
) -> Marked:
    held_out = is_held_out(item.id)
    about = (item.id, item.dataset, item.source, arm, model)
    return Marked(*about, withheld, held_out, item.answer, attempt, preset)


def _read(row: dict[str, Any]) -> Marked:
    return Marked(**row | {"attempt": Attempt(**row["attempt"])})
