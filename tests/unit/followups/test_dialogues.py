"""Sixty dialogues by rules alone: the share of right standalone questions (issue 7: at least 0.85)."""

from __future__ import annotations

import pytest

from tests.unit.followups.dialogues import Dialogue, read_dialogues

DIALOGUES = list(read_dialogues())
ASKED = 0.85


def share_right(dialogues: list[Dialogue]) -> tuple[float, dict[str, list[str]]]:
    """The share, and what is wrong with the others."""
    faults = {each.id: found for each in dialogues if (found := each.faults(each.complete()))}
    return 1 - len(faults) / len(dialogues), faults


def test_there_are_sixty_of_two_to_four_turns_in_both_languages() -> None:
    assert len(DIALOGUES) == 60
    assert {2, 3, 4} == {len(each.earlier) + 1 for each in DIALOGUES}
    assert [each.language for each in DIALOGUES].count("zh") == 30


@pytest.mark.parametrize("half", ["made on", "kept back", "all"])
def test_standalone_questions_are_right(half: str) -> None:
    chosen = [each for each in DIALOGUES if half == "all" or each.is_even == (half == "made on")]
    share, faults = share_right(chosen)
    assert share >= ASKED, faults


@pytest.mark.parametrize("language", ["en", "zh"])
def test_both_languages_reach_it(language: str) -> None:
    share, faults = share_right([each for each in DIALOGUES if each.language == language])
    assert share >= ASKED, faults


def test_the_score_tells_right_from_wrong() -> None:
    """A rule that carries nothing, and one that carries the whole question before, both fall short."""
    right = [not each.faults(each.message) for each in DIALOGUES]
    glued = [not each.faults(f"{each.earlier[-1].text} {each.message}") for each in DIALOGUES]
    assert sum(right) / len(right) < 0.3
    assert sum(glued) / len(glued) < 0.6
