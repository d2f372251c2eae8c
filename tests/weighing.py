"""`python -m tests.weighing [--out FILE]`: learn the weights of reasoning/safety/weighing.py from messages.

1. The authors are dealt into tenths; weights are learned from nine and weigh the messages of the tenth.
2. From those unseen weights, and the levels that the patterns found, follow what a level is worth and where
   an alarm begins: at FALSE_ALARMS of the look-alikes by authors who wrote what people would most likely
   type. Of the messages of the fourth file only, since the others have mended the patterns.
3. The weights of the file are learned from all messages but those of the third, fifth and sixth files, which
   only measure.

It takes some minutes and prints, by author, recall and false alarms of the whole triage with the weights of 1
and the bounds of 2.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from reasoning.safety.red_flags import choose_lexicons
from reasoning.safety.triage import ALARMS, Level, doubt, fold, is_alarm, read_level
from reasoning.safety.weighing import BUCKETS, FILE, hash_parts
from tests.red_flag_messages import USUAL, Message, read_learned

FALSE_ALARMS = 0.035  # below the 0.05 asked for, since the next authors are others
SURE = 1.0  # by how much less a message must weigh before self-harm is lowered
_STRENGTH = 150.0  # of the regression: the inverse of its penalty
_FOLDS = 10
_RARE = 2  # messages in which a part must occur
LEVELS = tuple(Level)
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Read:
    """What the patterns say of messages, shape (messages,): the level, the doubt, whether it is an alarm
    whatever the weight, and whether it may be one."""

    levels: tuple[Level, ...]
    doubts: Floats
    always: Truths
    perhaps: Truths

    @property
    def by_patterns(self) -> Truths:
        return np.array([level in ALARMS for level in self.levels])

    def add_worth(self, weights: Floats, worth: dict[Level, float]) -> Floats:
        return weights + np.array([worth[level] for level in self.levels]) - self.doubts

    def find_alarms(self, sums: Floats) -> Truths:
        return self.always | (self.perhaps & (sums > 0))


def read_by_patterns(messages: Sequence[Message]) -> Read:
    texts = [fold(message.text) for message in messages]
    levels = tuple(read_level(text) for text in texts)
    lexicons = [choose_lexicons(text) for text in texts]
    always, perhaps = (
        np.array([is_alarm(*one, weight) for one in zip(texts, lexicons, levels, strict=True)])
        for weight in (-math.inf, math.inf)
    )
    doubts = np.array([doubt(text, level) for text, level in zip(texts, levels, strict=True)])
    return Read(levels, doubts, always, perhaps)


def count_parts(messages: Sequence[Message]) -> csr_matrix:
    """One row a message, phrases then fragments, each half of length 1."""
    kinds = zip(*(hash_parts(fold(message.text)) for message in messages), strict=True)
    return hstack([_rows(list(kind)) for kind in kinds], format="csr")


def _rows(found: list[list[int]]) -> csr_matrix:
    lengths = np.array([len(one) for one in found])
    ends = np.concatenate([[0], np.cumsum(lengths)])
    values = np.repeat(1 / np.sqrt(np.maximum(lengths, 1)), lengths)
    return csr_matrix((values, np.concatenate(found), ends), shape=(len(found), BUCKETS))


def learn(parts: csr_matrix, wanted: Truths) -> tuple[Floats, float]:
    """The weight of every part, zero for the rarest, and the bias.

    A part counts by its inverse document frequency (Sparck Jones 1972), squared: what is in every message
    tells nothing. The weights hold it, so that whoever weighs a message need not know it.
    """
    seen = parts.getnnz(axis=0)
    kept = np.flatnonzero(seen >= _RARE)
    rarity = (1 - np.log(seen[kept]) / np.log(parts.shape[0])) ** 2
    found = LogisticRegression(C=_STRENGTH, solver="liblinear").fit(parts[:, kept] @ diags(rarity), wanted)
    weights = np.zeros(parts.shape[1])
    weights[kept] = found.coef_[0] * rarity
    return weights, float(found.intercept_[0])


def weigh_unseen(parts: csr_matrix, wanted: Truths, authors: NDArray[np.str_]) -> Floats:
    """The weight of every message by what is learned from other authors."""
    unseen = np.empty(len(authors))
    for others, own in GroupKFold(_FOLDS).split(parts, wanted, authors):
        weights, bias = learn(parts[others], wanted[others])
        unseen[own] = parts[own] @ weights + bias
        sys.stderr.write(".")
        sys.stderr.flush()
    sys.stderr.write("\n")
    return unseen


def worth_of_levels(weights: Floats, levels: Sequence[Level], wanted: Truths) -> dict[Level, float]:
    """What a level adds to the weight, by a regression on both."""
    known = np.array([[level is one for one in LEVELS] for level in levels], float)
    found = LogisticRegression(C=1.0).fit(np.column_stack([weights, known]), wanted).coef_[0]
    worth = {level: float(value / found[0]) for level, value in zip(LEVELS, found[1:], strict=True)}
    return worth | {Level.SELF_HARM: worth[Level.SELF_HARM] + SURE}


def begin_alarms(sums: Floats, read: Read, harmless: Truths) -> float:
    """The sum above which FALSE_ALARMS of the harmless messages are alarms."""
    bounded = np.where(read.always, np.inf, np.where(read.perhaps, sums, -np.inf))
    ordered = np.sort(bounded[harmless])[::-1]
    return float(ordered[int(FALSE_ALARMS * len(ordered))])


def show(name: str, alarms: Truths, wanted: Truths) -> None:
    shares = [
        f"{what} {chosen.sum():5} of {len(chosen):5} = {chosen.mean() if len(chosen) else math.nan:.3f}"
        for what, chosen in (("recall", alarms[wanted]), ("false alarms", alarms[~wanted]))
    ]
    sys.stdout.write(f"{name:10} {'   '.join(shares)}\n")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.weighing", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("config") / FILE)
    options = parser.parse_args(arguments)
    messages = read_learned()
    sys.stderr.write(f"counting the parts of {len(messages)} messages\n")
    parts = count_parts(messages)
    wanted = np.array([message.is_danger for message in messages])
    authors = np.array([message.author for message in messages])
    sys.stderr.write("weighing every author by the others ")
    unseen = weigh_unseen(parts, wanted, authors)
    new = np.flatnonzero([message.file == "rg4" for message in messages])
    shift = bound([messages[place] for place in new], unseen[new])
    told = np.array([message.kind in ("emergency", "self_harm") for message in messages])
    harm = np.array([message.kind == "self_harm" for message in messages])
    save(options.out, [learn(parts, wanted), learn(parts[told], harm[told])], shift)


def bound(messages: Sequence[Message], unseen: Floats) -> dict[Level, float]:
    """What each level adds to a weight so that alarms begin above 0; prints what that finds."""
    sys.stderr.write("reading them by the patterns\n")
    read = read_by_patterns(messages)
    wanted = np.array([message.is_danger for message in messages])
    authors = np.array([message.author for message in messages])
    usual = np.isin(authors, sorted(USUAL))
    worth = worth_of_levels(unseen, read.levels, wanted)
    begin = begin_alarms(read.add_worth(unseen, worth), read, usual & ~wanted)
    shift = {level: value - begin for level, value in worth.items()}
    alarms = read.find_alarms(read.add_worth(unseen, shift))
    for author in dict.fromkeys(authors):
        show(author, alarms[authors == author], wanted[authors == author])
    for name, chosen in (("usual", usual), ("other", ~usual)):
        show(name, alarms[chosen], wanted[chosen])
        show(" patterns", read.by_patterns[chosen], wanted[chosen])
    sys.stdout.write(f"a level adds {', '.join(f'{level} {value:.2f}' for level, value in shift.items())}\n")
    return shift


def save(out: Path, learned: Sequence[tuple[Floats, float]], shift: dict[Level, float]) -> None:
    weights = np.array([one for one, _ in learned]).reshape(len(learned), 2, BUCKETS)
    step = np.abs(weights).max(axis=(1, 2)) / 127
    np.savez_compressed(
        out,
        parts=np.rint(weights / step[:, None, None]).astype(np.int8),
        step=step,
        bias=np.array([bias for _, bias in learned]),
        levels=np.array([level.value for level in shift]),
        shift=np.array(list(shift.values())),
    )
    sys.stderr.write(f"{out}: {out.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
