"""What a server said, told without mark-up, key and the patient's words."""

from __future__ import annotations

import pytest

from reasoning.retrieval.eutils.wording import tell, title_of

KEY = "k0000000000000000000000000000000test"
ASKED = "my lump grew after the second infusion"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Search Backend failed: no answer", "Search Backend failed: no answer"),
        (f"api_key={KEY}&term=my+lump+grew", "api_key=…&term=…+…+…"),
        ("term=my%20lump%20grew", "term=… … …"),
        ("nothing for <b>my</b> <i>lump</i>", "nothing for my …"),
        ("the second try failed", "… … try failed"),
        ("after an error in the index", "after an error in the index"),
        ("LUMP", "…"),
        (f"{KEY[:3]} {KEY}", "k00 …"),
        ("a\x00b\n\x1b[31mc", "a b [31mc"),
    ],
)
def test_told_without_what_was_asked(said: str, told: str) -> None:
    assert tell(said, (KEY, ""), ASKED) == told


def test_cut_without_laying_half_a_key_open() -> None:
    for padding in range(150, 210):
        told = tell("x" * padding + " " + KEY, (KEY,), "")
        assert len(told) <= 200
        assert KEY[:6] not in told


def test_the_title_of_a_page() -> None:
    assert title_of("<html><head><TITLE lang='en'>Sign in</TITLE>") == "Sign in"
    assert title_of("<html><p>no title</p>") == ""
