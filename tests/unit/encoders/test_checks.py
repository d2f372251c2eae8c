import numpy as np
import pytest

from reasoning.encoders.checks import check_vectors
from reasoning.encoders.errors import BadVector, CountMismatch

GOOD = [0.6, 0.8]


@pytest.mark.parametrize(
    "bad", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0], [1.0], [1.0, 2.0, 3.0]], ids=repr
)
def test_a_bad_vector_is_named_and_the_others_are_kept(bad: list[float]) -> None:
    with pytest.raises(BadVector, match=r"no\. 1\.") as caught:
        check_vectors([GOOD, bad, GOOD], count=3, dimensions=2)
    assert caught.value.positions == (1,)
    assert np.allclose(caught.value.vectors[[0, 2]], GOOD)


@pytest.mark.parametrize("returned", [1, 3])
def test_a_missing_or_surplus_vector_is_never_paired_with_another_text(returned: int) -> None:
    with pytest.raises(CountMismatch, match=f"2 texts, {returned} results"):
        check_vectors([GOOD] * returned, count=2, dimensions=2)


def test_good_vectors_come_out_as_float32() -> None:
    vectors = check_vectors(np.array([GOOD]), count=1, dimensions=2)
    assert vectors.dtype == np.float32
    assert vectors.shape == (1, 2)
    assert check_vectors([], count=0, dimensions=2).shape == (0, 2)
