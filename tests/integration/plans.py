"""What the server makes of statements: noted as they are sent, and explained."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine


@contextmanager
def noted(engine: AsyncEngine) -> Iterator[list[tuple[str, Any]]]:
    """Statements that go to the server meanwhile, with their parameters."""
    sent: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, params: Any, ___: Any, many: bool) -> None:
        sent.append((statement, params[0] if many else params))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", note)


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def explain(url: str, statement: str, params: Any) -> list[dict[str, Any]]:
    with psycopg.connect(url) as connection:
        row = connection.execute(f"EXPLAIN (FORMAT JSON) {statement}", params).fetchone()  # type: ignore[arg-type]
        connection.rollback()
    assert row
    found = row[0] if isinstance(row[0], list) else json.loads(row[0])
    return list(nodes(found[0]["Plan"]))
