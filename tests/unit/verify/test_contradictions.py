"""Sources that disagree are found; sources that speak of other things or people are not."""

from __future__ import annotations

import pytest

from reasoning.evidence import Claim
from reasoning.verify import find_contradictions
from reasoning.verify.contradictions import contradict
from tests.unit.verify.sources import passage


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Vitamin D lowered the risk of falls.", "Vitamin D did not lower the risk of falls.", "negation"),
        ("Vitamin D lowered the risk of falls.", "Vitamin D raised the risk of falls.", "direction"),
        ("Aspirin is recommended after a stroke.", "Aspirin is contraindicated after a stroke.", "negation"),
        ("Adults need 7 to 9 hours of sleep.", "Adults need 4 to 6 hours of sleep.", "range"),
        ("维生素D降低跌倒风险。", "维生素D增加跌倒风险。", "direction"),
    ],
)
def test_pairs_that_disagree(one: str, other: str, kind: str) -> None:
    language = "zh" if "维" in one else "en"
    assert contradict(one, other, language, language) == kind
    assert contradict(other, one, language, language) == kind


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Vitamin D lowered the risk of falls.", "Vitamin D reduced the risk of falls."),
        ("Vitamin D lowered the risk of falls.", "Iron did not lower the risk of fever."),
        ("Aspirin is safe in adults.", "Aspirin is not safe in children."),
        ("Adults need 7 to 9 hours of sleep.", "Adults need 8 to 10 hours of sleep."),
        ("The drug helped 51% of patients.", "The drug helped 54% of patients."),
        ("Vitamin D lowered the risk of falls.", "维生素D增加跌倒风险。"),
    ],
)
def test_pairs_that_do_not(one: str, other: str) -> None:
    assert contradict(one, other) is None


def test_only_claims_of_different_articles_are_compared() -> None:
    yes, no = "Vitamin D lowered the risk of falls.", "Vitamin D did not lower the risk of falls."
    evidence = [passage(yes, "a"), passage(no, "b"), passage(f"{yes} {no}", "c")]
    claims = [Claim(yes, (("a", yes),)), Claim(no, (("b", no),))]
    (found,) = find_contradictions(claims, evidence)
    assert (found.first, found.second, found.kind) == (claims[0], claims[1], "negation")
    assert found.quotes == (yes, no)
    assert not find_contradictions([Claim(yes, (("c", yes),)), Claim(no, (("c", no),))], evidence)
    assert not find_contradictions([claims[0], Claim(no, (("gone", no),))], evidence)
