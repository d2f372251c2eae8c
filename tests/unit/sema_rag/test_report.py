"""The validator of the report, and the rule's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reasoning.grounding.passages import number_passages
from reasoning.methods.sema_rag.adjudicating import (
    ADJUDICATE,
    AdjudicateInputs,
    Adjudication,
    WrittenConflict,
    WrittenDrop,
    WrittenFinding,
    adjudicate_by_rule,
    find_nonsense,
    read_report,
)
from reasoning.methods.sema_rag.linearising import join_parts, list_parts
from reasoning.methods.sema_rag.report import Conflict, Finding, Report, validate
from reasoning.methods.sema_rag.ruling import rule_in_words
from reasoning.routing import Option
from tests.evidence import evidence

PRO = evidence("90070001:0", "Dolexan prevents attacks of gout. It is taken once a day.", title="Gout")
CON = evidence("90070002:0", "Dolexan does not prevent attacks of gout.", title="Gout again")
OPTIONS = (Option("A", "dolexan"), Option("B", "rest"))
GOOD = Finding(
    1,
    "Dolexan prevents gout.",
    (("90070001:0", "Dolexan prevents attacks of gout."),),
    {"A": "supports"},
    "weak",
    2024,
)


def checked(*findings: Finding, **more: object) -> Report:
    return validate(replace(Report(findings=findings), **more), [PRO, CON], ["A", "B"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("finding", "reason"),
    [
        (GOOD, None),
        (replace(GOOD, spans=(("90079999:0", "Dolexan."),)), "there is no evidence 90079999:0"),
        (replace(GOOD, spans=(("90070001:0", "Dolexan cures gout."),)), "its quote is not in 90070001:0"),
        (replace(GOOD, spans=(("90070002:0", GOOD.spans[0][1]),)), "its quote is not in 90070002:0"),
        (replace(GOOD, spans=()), "it rests on no evidence"),
        (replace(GOOD, claim=" "), "it says nothing"),
    ],
)
def test_a_finding_stands_on_the_evidence_that_there_is(finding: Finding, reason: str | None) -> None:
    report = checked(finding)
    assert bool(report.findings) is (reason is None)
    assert [why for _, why in report.refused] == ([reason] if reason else [])


def test_stances_hint_and_conflicts_are_closed_over_what_is_left() -> None:
    other = replace(GOOD, n=2, spans=(), claim="It does not.")
    report = checked(
        replace(GOOD, stances={"A": "supports", "Z": "refutes"}),
        other,
        hint="Z",
        conflicts=(Conflict(1, 2, 1, "newer"), Conflict(1, 1, 1, "odd")),
        dropped=(("90070001:0", "duplicate"), ("90070002:0", "off_topic")),
    )
    assert report.findings[0].stances == {"A": "supports"}
    assert report.hint is None
    assert not report.conflicts
    assert report.dropped == (("90070002:0", "off_topic"),), "what a finding rests on is not dropped"


def inputs() -> AdjudicateInputs:
    passages = number_passages([PRO, CON])
    texts = {text: 0.5 for given in passages for text in given.texts}
    ruled = rule_in_words("Does dolexan prevent attacks of gout?", passages, texts, [PRO, CON], ["the dose"])
    return AdjudicateInputs("Does dolexan prevent attacks of gout?", OPTIONS, passages, ruled)


def written(**changed: object) -> Adjudication:
    finding = WrittenFinding(
        claim="Dolexan prevents gout.", cites=["1.1"], supports=["A)"], refutes=[], strength="moderate"
    )
    fields = {
        "summary": "It helps.",
        "findings": [finding],
        "conflicts": [],
        "dropped": [],
        "missing": [],
        "verdict_hint": "A",
    }
    return Adjudication.model_validate(fields | changed)


def test_a_models_report_has_quotes_by_construction() -> None:
    report = validate(read_report(inputs(), written()), [PRO, CON], ["A", "B"])
    assert report.findings[0].spans == GOOD.spans
    assert report.findings[0].stances == {"A": "supports", "B": "neutral"}
    assert report.as_json()["findings"][0]["quote"] == "Dolexan prevents attacks of gout."


def test_what_a_model_cites_beyond_the_sources_is_refused_and_told() -> None:
    lost = WrittenFinding(claim="It cures.", cites=["9.9"], supports=[], refutes=[], strength="strong")
    both = WrittenFinding(claim="So so.", cites=["2.1"], supports=["A"], refutes=["A"], strength="weak")
    conflict = WrittenConflict(first=1, second=7, resolution="first", why="newer")
    drop = WrittenDrop(source=9, reason="duplicate")
    reply = written(findings=[lost, both], conflicts=[conflict], dropped=[drop])
    report = validate(read_report(inputs(), reply), [PRO, CON], ["A", "B"])
    assert [finding.claim for finding in report.findings] == ["So so."]
    assert report.findings[0].stances["A"] == "neutral", "what does both does neither"
    assert report.refused == (("It cures.", "it rests on no evidence"),)
    assert not report.conflicts
    assert not report.dropped


def test_a_report_without_findings_says_what_is_missing() -> None:
    assert find_nonsense(inputs(), written(findings=[])) is not None
    assert find_nonsense(inputs(), written(findings=[], missing=["all of it"])) is None
    alone = [WrittenFinding(claim="x", cites=["8.8"], supports=[], refutes=[], strength="weak")]
    assert find_nonsense(inputs(), written(findings=alone)) is not None


def test_the_rules_report_is_a_reply_that_passes_its_own_check() -> None:
    given = inputs()
    reply = adjudicate_by_rule(given)
    assert ADJUDICATE.check(given, reply) is None
    report = read_report(given, reply)
    assert [one.spans for one in report.findings] == [one.spans for one in given.ruled.findings]
    assert report.missing == ("the dose",)


def test_sources_that_disagree_are_a_conflict_that_neither_wins() -> None:
    report = inputs().ruled
    claims = {finding.claim for finding in report.findings}
    assert {"Dolexan prevents attacks of gout.", "Dolexan does not prevent attacks of gout."} <= claims
    (conflict,) = report.conflicts
    assert conflict.resolution is None
    assert report.as_json()["conflicts"][0]["resolution"] == "open"


def test_a_schema_is_one_line_with_nothing_said_twice() -> None:
    parts = list_parts("drug for gout ", ["kidney disease", "Gout"], ["uric acid", "kidney disease", ""])
    assert parts == ["drug for gout", "kidney disease", "uric acid"]
    assert join_parts(parts) == "drug for gout kidney disease; uric acid"
