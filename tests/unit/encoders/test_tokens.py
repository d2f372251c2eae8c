import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.encoders.tokens import Tokens

DENSE = "p.Arg132His/c.395G>A;" * 30
CHINESE = "二甲双胍可降低血糖并减轻体重" * 20


def test_long_texts_are_counted_to_their_end(tokens: Tokens) -> None:
    assert tokens.count("fever " * 400) == 400  # the file says: cut at 128, pad to 128
    assert tokens.count_all(["fever", ""]) == [1, 0]


@given(st.text(st.sampled_from("ab .;/>=5-\n二糖é🙂"), max_size=200), st.integers(4, 30))
def test_parts_fit_and_give_back_the_text(tokens: Tokens, text: str, room: int) -> None:
    parts = tokens.split(text, room)
    assert "".join(parts) == text
    assert all(tokens.count(part) <= room for part in parts)


@pytest.mark.parametrize(
    "text", [DENSE, CHINESE, "aspirin and ibuprofen " * 60], ids=["dense", "chinese", "plain"]
)
def test_parts_are_nearly_full(tokens: Tokens, text: str) -> None:
    assert len(tokens.split(text, 50)) <= tokens.count(text) // 50 + 2


def test_words_stay_whole(tokens: Tokens) -> None:
    text = "hydroxychloroquine thrombocytopenia " * 10
    words = set(text.split())
    assert set(tokens.head(text, 23).split()) <= words
    assert set(tokens.tail(text, 23).split()) <= words
    assert text.startswith(tokens.head(text, 23))
    assert text.endswith(tokens.tail(text, 23))


def test_no_room_means_no_text(tokens: Tokens) -> None:
    assert tokens.head("aspirin", 0) == ""
    assert tokens.tail("aspirin", 0) == ""
