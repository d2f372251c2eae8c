from hypothesis import given
from hypothesis import strategies as st

from reasoning.encoders.batches import plan_batches


@given(st.lists(st.integers(0, 600)), st.integers(1, 2000), st.integers(1, 20))
def test_each_text_goes_once_and_no_batch_is_over_its_budget(
    lengths: list[int], most: int, texts: int
) -> None:
    batches = plan_batches(lengths, most, texts)
    assert sorted(at for batch in batches for at in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) <= texts
        assert len(batch) == 1 or len(batch) * max(lengths[at] for at in batch) <= most


def test_like_lengths_go_together_longest_first() -> None:
    assert plan_batches([10, 200, 12, 190], 400) == [[1, 3], [2, 0]]
