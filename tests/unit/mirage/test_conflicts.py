"""The claim engine against conflicts whose resolution was written down beforehand (methods.md 2.6)."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reasoning.methods.mirage.claims import Backing, GraphClaim, fold_term, normalise
from reasoning.methods.mirage.conflicts import resolve
from reasoning.methods.mirage.doses import Dose, read_dose

CASES = tomllib.loads((Path(__file__).parent / "conflicts.toml").read_text("utf-8"))["case"]


def claim(place: int, given: dict[str, Any], synonyms: dict[str, str]) -> GraphClaim:
    """The claim as given; every chain, relation and entity behind it is its own."""
    canonical = {fold_term(name): other for name, other in synonyms.items()}
    made = normalise(
        given["type"],
        given["subject"],
        given["value"],
        given.get("unit"),
        given.get("polarity", "affirmed"),
        (place,),
        canonical,
    )
    backing = Backing(
        frozenset(f"{place}.{n}" for n in range(given.get("chains", 1))),
        frozenset(f"{place}.{n}" for n in range(given.get("relations", 1))),
        frozenset(100 * place + n for n in range(given.get("touched", 1))),
        given.get("likeness", 0.5),
    )
    return replace(made, backing=backing)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_conflict_is_resolved_as_written_down(case: dict[str, Any]):
    claims = [claim(n, given, case.get("synonyms", {})) for n, given in enumerate(case["claims"])]
    resolution = resolve(claims, asks_one=case.get("one", False))

    def place(one: GraphClaim) -> int:
        return min(one.facts)

    assert sorted(map(place, resolution.kept)) == case["kept"]
    rejected = {str(place(lost.claim)): lost.kind for lost in resolution.rejected}
    assert rejected == case.get("rejected", {})
    uncertain = [sorted((place(one), place(other))) for one, other, _ in resolution.uncertain]
    assert uncertain == case.get("uncertain", [])


def test_there_are_forty_cases_of_each_kind_some():
    kinds = [kind for case in CASES for kind in case.get("rejected", {}).values()]
    assert len(CASES) >= 40
    assert {kinds.count(kind) > 2 for kind in ("dose", "polarity", "exclusive")} == {True}
    assert kinds.count("contraindicated") > 1


@pytest.mark.parametrize("turned", [False, True])
def test_the_order_of_the_claims_changes_nothing(turned: bool):
    for case in CASES:
        claims = [claim(n, given, case.get("synonyms", {})) for n, given in enumerate(case["claims"])]
        resolution = resolve(claims[::-1] if turned else claims, asks_one=case.get("one", False))
        said = sorted(one.words for one in resolution.kept)
        assert len(said) == len(case["kept"])


def test_a_rejection_names_the_winner():
    lost = resolve(
        [
            claim(0, {"type": "dose", "subject": "digoxin", "value": "50 mcg", "chains": 2}, {}),
            claim(1, {"type": "dose", "subject": "digoxin", "value": "50 mg"}, {}),
        ]
    ).rejected
    assert [one.reason for one in lost] == [
        "another dose, which does not meet it, is better supported (digoxin: 50 mcg)"
    ]


@pytest.mark.parametrize(
    ("text", "dose"),
    [
        ("325 mg to 650 mg every 4 to 6 hours", Dose(1.3, 3.9, "mass", frozenset({"day"}))),
        ("50 mg bid", Dose(0.1, 0.1, "mass", frozenset({"day"}))),
        ("not more than 4000 mg in 24 hours", Dose(0.0, 4.0, "mass", frozenset({"day"}))),
        ("10 mg/kg/day", Dose(0.01, 0.01, "mass", frozenset({"kg", "day"}))),
        ("500毫克", Dose(0.5, 0.5, "mass", frozenset())),
        ("two tablets", None),
        ("a little", None),
        ("5 mg or 10 mL", None),
        ("0 mg every 0 hours", Dose(0.0, 0.0, "mass", frozenset())),
    ],
)
def test_doses_are_read_as_amounts(text: str, dose: Dose | None):
    assert read_dose(text) == dose
