"""Which texts go through the model together."""

from __future__ import annotations

from collections.abc import Sequence


def plan_batches(lengths: Sequence[int], max_tokens: int, max_texts: int = 64) -> list[list[int]]:
    """Positions grouped by like length, longest first.

    All rows of a batch are padded to its longest, so a batch costs rows x longest, which stays within
    `max_tokens` (a single longer text goes alone). Longest first, so that memory peaks at once and not at
    the end.
    """
    batches: list[list[int]] = []
    for position in sorted(range(len(lengths)), key=lambda at: -lengths[at]):
        batch = batches[-1] if batches else []
        if batch and len(batch) < max_texts and (len(batch) + 1) * lengths[batch[0]] <= max_tokens:
            batch.append(position)
        else:
            batches.append([position])
    return batches
