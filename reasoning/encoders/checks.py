"""No vector leaves the encoders unchecked (case F20)."""

from __future__ import annotations

from typing import Any

from reasoning.encoders.errors import BadVector, CountMismatch
from reasoning.encoders.interface import Vectors


def check_vectors(raw: Any, *, count: int, dimensions: int) -> Vectors:
    """`raw`, anything numpy can read, as float32 [count, dimensions], each row finite and not zero.

    Raises CountMismatch, or BadVector naming the rows; a row of the wrong length is NaN in its `vectors`.
    """
    import numpy as np

    if len(raw) != count:
        raise CountMismatch(count, len(raw))
    vectors = np.full((count, dimensions), np.nan, dtype=np.float32)
    for row, vector in zip(vectors, raw, strict=True):
        values = np.asarray(vector, dtype=np.float32)
        if values.shape == (dimensions,):
            row[:] = values
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1) | ~vectors.any(axis=1))
    if bad.size:
        raise BadVector(bad.tolist(), vectors)
    return vectors
