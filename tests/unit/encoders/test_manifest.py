from dataclasses import fields, replace
from typing import Any

import pytest

from storage.encoders import MEDCPT, MINILM, EncoderManifest, passage_budget


def test_fingerprint_is_the_same_in_every_process_and_release() -> None:
    assert MINILM.fingerprint() == "afa6f637db9b99f6"


@pytest.mark.parametrize("name", [field.name for field in fields(EncoderManifest) if field.name != "table"])
def test_whatever_shapes_a_vector_changes_the_fingerprint(name: str) -> None:
    old = getattr(MINILM, name)
    new: Any = not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else f"{old}x"
    assert not replace(MINILM, **{name: new}).matches(MINILM)


def test_where_vectors_are_stored_does_not_make_them_another_kind() -> None:
    assert replace(MINILM, table="embedding_elsewhere").matches(MINILM)


def test_budget_leaves_room_for_title_and_special_tokens() -> None:
    assert passage_budget(MINILM, 2) == (190, 152)
    assert passage_budget(MEDCPT, 3) == (445, 356)


def test_window_that_is_all_title_is_refused() -> None:
    with pytest.raises(ValueError, match="minilm: a window of 66 tokens"):
        passage_budget(replace(MINILM, passage_max_tokens=66), 2)
