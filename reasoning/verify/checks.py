"""The checks of a sentence's content, in the order in which they are run; the first objection counts.

A check is a function from a `Ground` to the reason why the sentence may not be said, or None. Whole sentences
of the source, repeated letter for letter, pass without.
"""

from __future__ import annotations

from collections.abc import Callable

from reasoning.verify.certainty import object_to_certainty
from reasoning.verify.direction import object_to_direction
from reasoning.verify.figures import object_to_figures
from reasoning.verify.ground import Ground
from reasoning.verify.negation import object_to_negation
from reasoning.verify.population import object_to_population
from reasoning.verify.topic import object_to_topic

Check = Callable[[Ground], str | None]

CHECKS: tuple[tuple[str, Check], ...] = (
    ("figures", object_to_figures),
    ("negation", object_to_negation),
    ("direction", object_to_direction),
    ("population", object_to_population),
    ("certainty", object_to_certainty),
    ("topic", object_to_topic),
)


def first_objection(ground: Ground) -> str | None:
    """Why a sentence may not be said, or None."""
    if ground.verbatim:
        return None
    return next((reason for _, check in CHECKS if (reason := check(ground))), None)
