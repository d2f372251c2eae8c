"""`python -m tests.weighing [--out FILE]`: learn the weights of reasoning/safety/weighing.py from messages.

1. The authors are dealt into tenths; weights are learned from nine and weigh the messages of the tenth.
2. From those unseen weights, and the levels that the patterns found, follow what a level is worth and where
   an alarm begins: at FALSE_ALARMS of the look-alikes by authors who wrote what people would most likely
   type. Of the messages of the fourth file only, since the others have mended the patterns.
3. The weights of the file are learned from all messages but those of the third file, which only measures.

It takes some minutes and prints recall and false alarms of 2 by author.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from reasoning.safety.triage import Level, fold, read_level
from reasoning.safety.weighing import BUCKETS, FILE, hash_parts
from tests.red_flag_messages import USUAL, Message, read_learned

FALSE_ALARMS = 0.05
_STRENGTH = 30.0  # of the regression: the inverse of its penalty
_FOLDS = 10
_RARE = 2  # messages in which a part must occur
LEVELS = tuple(Level)
Floats = NDArray[np.float64]


def count_parts(messages: Sequence[Message]) -> csr_matrix:
    """One row a message, phrases then fragments, each half of length 1."""
    kinds = zip(*(hash_parts(fold(message.text)) for message in messages), strict=True)
    return hstack([_rows(list(kind)) for kind in kinds], format="csr")


def _rows(found: list[list[int]]) -> csr_matrix:
    lengths = np.array([len(one) for one in found])
    ends = np.concatenate([[0], np.cumsum(lengths)])
    values = np.repeat(1 / np.sqrt(np.maximum(lengths, 1)), lengths)
    return csr_matrix((values, np.concatenate(found), ends), shape=(len(found), BUCKETS))


def learn(parts: csr_matrix, wanted: NDArray[np.bool_]) -> tuple[Floats, float]:
    """The weight of every part, zero for rare ones, and the bias."""
    common = np.flatnonzero(parts.getnnz(axis=0) >= _RARE)
    found = LogisticRegression(C=_STRENGTH, solver="liblinear").fit(parts[:, common], wanted)
    weights = np.zeros(parts.shape[1])
    weights[common] = found.coef_[0]
    return weights, float(found.intercept_[0])


def weigh_unseen(parts: csr_matrix, wanted: NDArray[np.bool_], authors: NDArray[np.str_]) -> Floats:
    """The weight of every message by what is learned from other authors."""
    unseen = np.empty(len(authors))
    for others, own in GroupKFold(_FOLDS).split(parts, wanted, authors):
        weights, bias = learn(parts[others], wanted[others])
        unseen[own] = parts[own] @ weights + bias
        sys.stderr.write(".")
        sys.stderr.flush()
    sys.stderr.write("\n")
    return unseen


def worth_of_levels(
    weights: Floats, levels: Sequence[Level], wanted: NDArray[np.bool_]
) -> dict[Level, float]:
    """What a level adds to the weight, by a regression on both."""
    known = np.array([[level is one for one in LEVELS] for level in levels], float)
    found = LogisticRegression(C=1.0).fit(np.column_stack([weights, known]), wanted).coef_[0]
    return {level: float(worth / found[0]) for level, worth in zip(LEVELS, found[1:], strict=True)}


def begin_alarms(sums: Floats, levels: Sequence[Level]) -> float:
    """The sum above which look-alikes with these levels raise FALSE_ALARMS; self-harm always does."""
    always = np.array([level is Level.SELF_HARM for level in levels])
    ordered = np.sort(np.where(always, np.inf, sums))[::-1]
    return float(ordered[int(FALSE_ALARMS * len(ordered))])


def show(name: str, alarms: NDArray[np.bool_], wanted: NDArray[np.bool_]) -> None:
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
    new = np.array([message.id.startswith("rg4-") for message in messages])
    sys.stderr.write("weighing every author by the others ")
    unseen = weigh_unseen(parts, wanted, authors)[new]
    sys.stderr.write("reading them by the patterns\n")
    levels = [read_level(fold(message.text)) for message, one in zip(messages, new, strict=True) if one]
    authors_new, wanted_new = authors[new], wanted[new]
    worth = worth_of_levels(unseen, levels, wanted_new)
    sums = unseen + np.array([worth[level] for level in levels])
    usual = np.isin(authors_new, sorted(USUAL))
    harmless = np.flatnonzero(usual & ~wanted_new)
    begin = begin_alarms(sums[harmless], [levels[place] for place in harmless])
    alarms = (sums > begin) | np.array([level is Level.SELF_HARM for level in levels])
    by_patterns = np.array([level in (Level.EMERGENCY, Level.SELF_HARM) for level in levels])
    for author in sorted(set(authors_new)):
        show(author, alarms[authors_new == author], wanted_new[authors_new == author])
    for name, chosen in (("usual", usual), ("other", ~usual)):
        show(name, alarms[chosen], wanted_new[chosen])
        show(" patterns", by_patterns[chosen], wanted_new[chosen])
    sys.stdout.write(f"a level adds {', '.join(f'{level} {worth[level] - begin:.2f}' for level in LEVELS)}\n")
    told = np.array([message.kind in ("emergency", "self_harm") for message in messages])
    harm = np.array([message.kind == "self_harm" for message in messages])
    learned = [learn(parts, wanted), learn(parts[told], harm[told])]
    save(options.out, learned, {level: worth[level] - begin for level in LEVELS})


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
