"""SEMA-RAG's arms as presets of the method: whole, without a role, narrower, and with other numbers of rounds
(methods.md 3.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reasoning.methods.sema_rag import FAITHFUL, PRODUCT, Preset

PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in (PRODUCT, FAITHFUL)}


def vary(base: Preset) -> dict[str, Preset]:
    """Arm -> its preset; those that come to the same values are equal: by default m = 3 is the whole."""
    return {
        "sema_rag": base,
        "sema_rag-I": replace(base, interpreter=False),
        "sema_rag-E": replace(base, explorer=False),
        "sema_rag-A": replace(base, arbiter=False),
        "sema_rag unread": replace(base, retrieves=False),
        **{f"sema_rag m{width}": replace(base, width=width) for width in (1, 2, 3)},
        **{f"sema_rag T{rounds}": replace(base, rounds=rounds) for rounds in (1, 2, 3, 4)},
    }


def reduce(base: Preset, per_query: int | None, sentences: int | None) -> tuple[Preset, str]:
    """The preset with less to read, for a slow model, and a name for what was changed."""
    name = base.name
    if per_query is not None:
        base, name = replace(base, per_query=per_query), f"{name}, k {per_query}"
    if sentences is not None:
        base, name = replace(base, sentences=sentences), f"{name}, {sentences} sentences"
    return base, name
