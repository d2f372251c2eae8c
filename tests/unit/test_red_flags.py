"""Red flags in five languages: recall and false alarms on messages written before the rules were mended.

`pytest -s tests/unit/test_red_flags.py` prints them by half, language and group. An alarm is the level
emergency or self_harm.

First scores of the rules as they were, even half: English 51 of 79 and 9 of 68 false alarms, Chinese 55 of 79
and 11 of 66; no rules for the others. The even half (SHA-1 of the id) mended them. The odd half was scored
once, after it: recall 326 of 341 = 0.956 (en 65 of 69, zh 67 of 68, es 68 of 71, de 59 of 63, fr 67 of 70),
false alarms 18 of 309 = 0.058 (en 6 of 67, zh 6 of 57, es 3 of 62, de 3 of 70, fr none of 53).

Since then both halves have mended the rules, so neither is unseen any more.
They missed recall 0.99 and false alarms 0.05 on messages not seen. The author of the messages also wrote the
Spanish, German and French rules and widened the others, so 0.956 flatters: see the first scores of batches 6
to 25 in test_triage.py.

The second file comes from an author who had seen neither rules nor messages. Its even half scored recall 134
of 145 = 0.924 and false alarms 27 of 154 = 0.175, then mended the rules; its odd half, scored once after
that, recall 145 of 155 = 0.935 and false alarms 7 of 146 = 0.048. Since then it is among those that weights
are learned from (reasoning/safety/weighing.py).

The third file comes from two authors who had seen neither, and a second reader who agreed with every label;
it has mended and taught nothing. By the patterns alone its even half scores recall 170 of 193 = 0.881 and
false alarms 14 of 211 = 0.066. With the first weights its odd half, nowhere looked into, was scored three
times: at last recall 199 of 203 = 0.980, false alarms 11 of 188 = 0.059.

The fourth file, by 56 further authors, teaches the weights; `python -m tests.weighing` prints what is found
in the messages of authors who were left out.

The fifth file comes from two more authors like those of the third, likewise read a second time with the same
labels, and was kept before the weights were learned anew by inverse document frequency. By the patterns its
even half scores recall 160 of 202 and false alarms 15 of 178, its odd half 161 of 186 and 15 of 214. With the
new weights the even half, scored as they were made: 202 of 202 and 3 of 178 = 0.017; the odd half, scored
once, after everything: 186 of 186 = 1.000 and 2 of 214 = 0.009. The odd half of the third file then had 202
of 203 = 0.995 and 1 of 188 = 0.005.

The sixth file, by one more such author and with the same second reading, was written after that and scored
once: 186 of 188 = 0.989 and 0 of 193; so what was scored once has recall 372 of 374 = 0.995 and false alarms
2 of 407 = 0.005. All these messages were written for this; real ones may be harder.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass

import pytest

from reasoning.safety.red_flags import LANGUAGES
from reasoning.safety.triage import ALARMS, Level, triage
from tests.red_flag_messages import Message, read_messages

# recall at least, false alarms at most, as the issue asks; on messages that mended the rules
BOUNDS = dict.fromkeys(("even", "odd", "both"), (0.99, 0.05))


MESSAGES = read_messages("red_flag_messages.jsonl")
SECOND = read_messages("red_flag_messages_2.jsonl")
THIRD = read_messages("red_flag_messages_3.jsonl")
FOURTH = read_messages("red_flag_messages_4.jsonl")
FIFTH = read_messages("red_flag_messages_5.jsonl")
SIXTH = read_messages("red_flag_messages_6.jsonl")


@dataclass(frozen=True)
class Score:
    """Shares: dangers alarmed at, look-alikes alarmed at, self-harm that gets its own reply."""

    recall: float
    false_alarms: float
    at_level: float
    dangers: int
    look_alikes: int


def score(messages: list[Message]) -> Score:
    levels = {m.id: triage(m.text, m.language).level for m in messages}
    alarmed = {id_ for id_, level in levels.items() if level in ALARMS}
    dangers = [m.id for m in messages if m.is_danger]
    others = [m.id for m in messages if not m.is_danger]
    own = [levels[m.id] is Level.SELF_HARM for m in messages if m.kind == "self_harm"]
    return Score(
        recall=len(alarmed.intersection(dangers)) / max(1, len(dangers)),
        false_alarms=len(alarmed.intersection(others)) / max(1, len(others)),
        at_level=sum(own) / max(1, len(own)),
        dangers=len(dangers),
        look_alikes=len(others),
    )


def show(name: str, found: Score) -> None:
    sys.stdout.write(
        f"{name:22} recall {found.recall:.3f} of {found.dangers:4}   "
        f"false alarms {found.false_alarms:.3f} of {found.look_alikes:4}   self-harm {found.at_level:.3f}\n"
    )


def test_the_messages_cover_every_group_in_every_language():
    counts = Counter((m.language, m.group, m.is_danger) for m in MESSAGES)
    groups = {m.group for m in MESSAGES}
    assert len(groups) == 16
    assert all(
        counts[lang, group, danger] for lang in LANGUAGES for group in groups for danger in (True, False)
    )
    assert sum(m.is_danger for m in MESSAGES) >= 400
    assert sum(not m.is_danger for m in MESSAGES) >= 400
    every = MESSAGES + SECOND + THIRD + FOURTH + FIFTH + SIXTH
    assert len({m.id for m in every}) == len({m.text for m in every}) == len(every)


@pytest.mark.parametrize("half", BOUNDS)
def test_recall_and_false_alarms(half: str):
    check(half, [m for m in MESSAGES if half in (m.half, "both")], BOUNDS[half])


def test_the_even_half_of_the_second_author():
    check("second even", [m for m in SECOND if m.half == "even"], BOUNDS["even"])


@pytest.mark.parametrize("messages", [THIRD, FIFTH], ids=["third", "fifth"])
def test_the_even_half_of_files_that_taught_nothing(messages: list[Message]):
    check(messages[0].file, [m for m in messages if m.half == "even"], BOUNDS["even"], at_level=0.9)


def test_what_was_scored_once_as_a_whole():
    """Only the sum is shown, so that nobody mends a message of it."""
    found = score([m for m in FIFTH if m.half == "odd"] + SIXTH)
    show("scored once", found)
    assert found.recall >= 0.99
    assert found.false_alarms <= 0.05


def check(name: str, messages: list[Message], bounds: tuple[float, float], at_level: float = 0.95) -> None:
    sys.stdout.write("\n")
    for language in LANGUAGES:
        show(f"{name} {language}", score([m for m in messages if m.language == language]))
    for group in dict.fromkeys(m.group for m in messages):
        show(f"{name} {group}", score([m for m in messages if m.group == group]))
    found = score(messages)
    show(name, found)
    least, most = bounds
    assert found.recall >= least
    assert found.false_alarms <= most
    assert found.at_level >= at_level
