"""Exported answers as JSON lines and as a table, in which no cell is a formula."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from storage.history.review import Exported

Writer = Callable[["Exported"], None]

# A spreadsheet takes a cell that begins so for a formula (OWASP, CSV injection), in full width too.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
COLUMNS = (
    *(
        "run_id",
        "asked_at",
        "platform",
        "workspace",
        "conversation",
        "person",
        "method",
        "language",
        "triage",
    ),
    *("abstained", "degraded", "feedback", "state", "verdict", "severity", "question", "answer", "sources"),
    *("corrected", "notes"),
)


def guard(cell: Any) -> str:
    """The cell as text; what a spreadsheet would calculate gets an apostrophe before it."""
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def write_lines(stream: IO[str]) -> Writer:
    def write(row: Exported) -> None:
        stream.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")

    return write


def write_table(stream: IO[str]) -> Writer:
    """RFC 4180, with a line of headings."""
    table = csv.writer(stream)
    table.writerow(COLUMNS)

    def write(row: Exported) -> None:
        values = asdict(row) | {
            "answer": row.answer.get("answer", {}).get("text"),
            "sources": "; ".join(_name(source) for source in row.answer.get("citations", ())),
            "corrected": _join(row, "corrected"),
            "notes": _join(row, "note"),
        }
        table.writerow([guard(values[name]) for name in COLUMNS])

    return write


def _name(source: dict[str, Any]) -> str:
    return f"PMID {source['pmid']}" if source.get("pmid") else str(source.get("title", ""))


def _join(row: Exported, name: str) -> str:
    return "\n".join(review[name] for review in row.reviews if review[name])


WRITERS: dict[str, Callable[[IO[str]], Writer]] = {"jsonl": write_lines, "csv": write_table}
