from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from storage.encoders import MINILM
from storage.vector_cache import VectorCache

VECTOR = np.array([0.1, -2.5, 30.25], dtype=np.float32)


def test_vectors_survive_the_process(tmp_path: Path) -> None:
    first = VectorCache(tmp_path / "new" / "vectors.db", MINILM)
    key = first.key("passage", "title", "text")
    first.keep({key: VECTOR})
    first.close()
    again = VectorCache(tmp_path / "new" / "vectors.db", MINILM)
    assert np.array_equal(again.find([key, "unknown"])[key], VECTOR)
    again.close()


@pytest.mark.parametrize("other", [replace(MINILM, revision="else"), replace(MINILM, dtype="bfloat16")])
def test_two_encoders_in_one_file_never_share_a_vector(tmp_path: Path, other: object) -> None:
    one = VectorCache(tmp_path / "vectors.db", MINILM)
    two = VectorCache(tmp_path / "vectors.db", other)  # type: ignore[arg-type]
    one.keep({one.key("query", "", "text"): VECTOR})
    assert two.find([two.key("query", "", "text")]) == {}
    one.close()
    two.close()


def test_roles_and_titles_are_part_of_the_key(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "vectors.db", MINILM)
    keys = {cache.key(*parts) for parts in [("query", "", "a"), ("passage", "", "a"), ("passage", "a", "")]}
    assert len(keys) == 3
    cache.close()


def test_half_precision_halves_the_file_and_hardly_turns_a_vector(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    vectors = rng.normal(size=(700, 384)).astype(np.float32)
    sizes = {}
    for precision in ("float32", "float16"):
        cache = VectorCache(tmp_path / precision, MINILM, precision=precision)
        keys = [
            cache.key("passage", "", str(number)) for number in range(700)
        ]  # more than one statement holds
        cache.keep(dict(zip(keys, vectors, strict=True)))
        found = cache.find(keys)
        back = np.stack([found[key] for key in keys])
        cosines = (back * vectors).sum(1) / np.linalg.norm(back, axis=1) / np.linalg.norm(vectors, axis=1)
        assert back.dtype == np.float32
        assert cosines.min() > 0.99999
        cache.close()
        sizes[precision] = (tmp_path / precision).stat().st_size
    assert sizes["float16"] < 0.7 * sizes["float32"]
