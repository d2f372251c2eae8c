"""Likeness of meaning between sentences and their sources, from an encoder; the checks stay pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reasoning.evidence import Claim, Evidence
from reasoning.verify.ground import sentences_of

if TYPE_CHECKING:
    from reasoning.encoders.interface import Vectors


def list_rivals(claims: Sequence[Claim], evidence: Sequence[Evidence]) -> tuple[list[str], list[str]]:
    """The sentences of the claims and all of the evidence, each once: rivals of those that are cited."""
    sources = dict.fromkeys(item.text[a:b].strip() for item in evidence for a, b in sentences_of(item.text))
    return list(dict.fromkeys(claim.text for claim in claims if claim.text.strip())), list(sources)


def cosines(texts: Sequence[str], sources: Sequence[str], vectors: Vectors) -> dict[tuple[str, str], float]:
    """Cosine of every text with every source, -1 to 1; `vectors` are those of the texts, then the sources."""
    import numpy as np

    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    values = unit[: len(texts)] @ unit[len(texts) :].T
    return {
        (text, source): float(values[i, j])
        for i, text in enumerate(texts)
        for j, source in enumerate(sources)
    }
