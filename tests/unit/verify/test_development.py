"""The sentences written for developing the checks: what the rules alone remove, per kind.

The floors are what was reached, less two points; a change of a check or a lexicon that falls below them is a
loss. How the checks do on sentences they were not made on is measured by `carecite eval support`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from reasoning.evidence import Claim, Evidence
from reasoning.verify import verify_claims
from tests.unit.verify.sources import read_development, read_examples

CLEAN_AT_MOST = {"development": 0.13, "examples": 0.11}
AT_LEAST = {
    "development": {
        "wrong_number": 0.85,
        "wrong_unit": 0.91,
        "population": 0.64,
        "negation": 0.6,
        "direction": 0.59,
        "certainty": 0.8,
    },
    "examples": {
        "negation": 0.63,
        "direction": 0.82,
        "wrong_number": 0.81,
        "wrong_unit": 0.98,
        "certainty": 0.85,
        "population": 0.84,
        "wrong_source": 0.98,
    },
}


def sentences(name: str) -> Iterable[tuple[str, str, str, Evidence, tuple[str, ...]]]:
    if name == "development":
        return read_development()
    return ((kind, text, "en", item, (item.text,)) for kind, text, item in read_examples())


@pytest.mark.parametrize("name", AT_LEAST)
def test_shares_removed(name: str) -> None:
    seen, removed = Counter[str](), Counter[str]()
    for kind, text, language, item, quotes in sentences(name):
        claim = Claim(text, tuple((item.eid, quote) for quote in quotes))
        seen[kind] += 1
        removed[kind] += not verify_claims([claim], [item], language=language).claims
    shares = {kind: removed[kind] / seen[kind] for kind in seen}
    assert shares["clean"] <= CLEAN_AT_MOST[name]
    for kind, least in AT_LEAST[name].items():
        assert shares[kind] >= least, (kind, shares[kind])
