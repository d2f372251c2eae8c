"""A schema as one query that the encoder reads whole (methods.md 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reasoning.evidence import Retrieval


@dataclass(frozen=True, slots=True)
class Linear:
    """`dropped` are parts that did not fit, from the end; `dropped_tokens` word pieces of the rest."""

    text: str
    dropped: tuple[str, ...] = ()
    dropped_tokens: int = 0


async def linearise(
    query: str, constraints: Sequence[str], entities: Sequence[str], retrieval: Retrieval
) -> Linear:
    """The query, then constraints, then entities, as many as the encoder's window of word pieces holds.

    What the query itself already says is not said again. A query that alone is too long is shortened as any
    question (case F16).
    """
    parts = list_parts(query, constraints, entities)
    for kept in range(len(parts), 0, -1):
        text = join_parts(parts[:kept])
        short = await retrieval.shorten(text)
        if not short.shortened:
            return Linear(text, tuple(parts[kept:]))
    return Linear(short.kept, (short.dropped, *parts[1:]), short.dropped_tokens)


def list_parts(query: str, constraints: Sequence[str], entities: Sequence[str]) -> list[str]:
    """In the order in which they count; the query first, each part once."""
    parts = [query.strip()]
    said = parts[0].casefold()
    for part in (*constraints, *entities):
        if part.strip() and part.casefold() not in said:
            parts.append(part.strip())
            said = f"{said} {part.casefold()}"
    return parts


def join_parts(parts: Sequence[str]) -> str:
    """The query, and what is added to it."""
    return " ".join((parts[0], "; ".join(parts[1:]))).strip()
