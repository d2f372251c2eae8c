"""Whether a passage needs the one before or after it to be understood (methods.md 1.6 "neighbour restore").

Pure: from the text alone, so a list's last item asks for its neighbour as well.
"""

from __future__ import annotations

import re

from reasoning.retrieval.segmentation.lexicon import CELL_BORDER, LIST_ITEM, opens_with_anaphor
from storage.documents import Passage

_NOTE = re.compile(
    r"[ \t]*(?:[*†‡§¶‖]|(?:Notes?|Abbreviations?|Key|Legend)\b\s*[.:]|(?:注|注释|说明|缩写)[:：])", re.I
)
_NOTE_MARK = re.compile(r"[*†‡§¶‖]")
_FIRST_MARKS = {"1", "a", "i", "一"}
_OPEN_END = (":", "：", ";", "；", ",", "，", "、")


def needs_previous(passage: Passage) -> bool:
    """It opens in the middle of a list or table, with a note to one, or with a word that points back."""
    first = passage.text.strip().split("\n", 1)[0]
    if passage.section and passage.text.lstrip().startswith(passage.section):
        return False  # the label line: a unit starts here
    item = LIST_ITEM.match(first)
    if item:
        return (item["mark"] or item["number"] or item["han"]) not in _FIRST_MARKS
    return CELL_BORDER in first or _NOTE.match(first) is not None or opens_with_anaphor(first)


def needs_next(passage: Passage) -> bool:
    """It ends in a list, before what it announces, or in a table whose note marks it does not explain."""
    lines = passage.text.strip().split("\n")
    rows = [line for line in lines if CELL_BORDER in line]
    if CELL_BORDER in lines[-1]:
        return any(_NOTE_MARK.search(row) for row in rows)
    if rows and _NOTE.match(lines[-1]):
        return False
    return LIST_ITEM.match(lines[-1]) is not None or lines[-1].rstrip().endswith(_OPEN_END)
