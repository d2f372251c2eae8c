"""Likeness of meaning between sentences and their sources, from an encoder; the checks themselves stay pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reasoning.evidence import Claim, Evidence
from reasoning.verify.ground import sentences_of

if TYPE_CHECKING:
    from reasoning.encoders import Encoder


def measure_likeness(
    encoder: Encoder, claims: Sequence[Claim], evidence: Sequence[Evidence]
) -> dict[tuple[str, str], float]:
    """Cosine of every claim with every sentence of the evidence, -1 to 1. Blocking.

    Every sentence of the evidence is a rival of the one that is cited. Raises BadVector, CountMismatch.
    """
    import numpy as np

    sources = list(
        dict.fromkeys(item.text[a:b].strip() for item in evidence for a, b in sentences_of(item.text))
    )
    texts = list(dict.fromkeys(claim.text for claim in claims if claim.text.strip()))
    if not sources or not texts:
        return {}
    vectors = encoder.encode_sentences([*texts, *sources])
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    cosines = unit[: len(texts)] @ unit[len(texts) :].T
    return {
        (text, source): float(cosines[i, j]) for i, text in enumerate(texts) for j, source in enumerate(sources)
    }
