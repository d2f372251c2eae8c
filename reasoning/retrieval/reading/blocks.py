"""Blocks of running text as one text."""

from __future__ import annotations

from collections.abc import Sequence

ITEM = "- "


def join_blocks(blocks: Sequence[str]) -> str:
    """Paragraphs apart by an empty line, the items of a list by a line break."""
    text = ""
    for before, block in zip(("", *blocks), blocks, strict=False):
        between = "\n" if before.startswith(ITEM) and block.startswith(ITEM) else "\n\n"
        text = f"{text}{between}{block}" if text else block
    return text
