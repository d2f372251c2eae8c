"""The order of possible diseases."""

from __future__ import annotations

from reasoning.linking.types import Link
from reasoning.methods.mirage.candidates import rank_candidates
from reasoning.methods.mirage.claims import GraphClaim, normalise
from reasoning.methods.mirage.conflicts import Loser, Resolution, resolve
from reasoning.methods.mirage.synthesis import Synthesis, find_touched
from storage.graph import Weight
from tests.unit.mirage.graphs import entity, fact


def link(name: str, kind: str = "symptom") -> Link:
    return Link(name, 0, len(name), entity(name, kind), 1.0, 1.0, "alias")


def found(*lines: str, asked: tuple[Link, ...], resolution: Resolution | None = None) -> Synthesis:
    facts = [fact(line) for line in lines]
    return Synthesis(
        resolution or resolve([]), {one.id: one for one in facts}, (), find_touched(facts, asked)
    )


def names(synthesis: Synthesis, asked: tuple[Link, ...], **signs: float) -> list[str]:
    weights = {entity(name).id: Weight(0, None, value) for name, value in signs.items()}
    return [one.entity.name for one in rank_candidates(synthesis, asked, weights)]


FEVER, COUGH = link("fever"), link("cough")
LINES = (
    "ague|has_symptom|fever",
    "croup|has_symptom|cough",
    "gripe|has_symptom|fever",
    "gripe|has_symptom|cough",
)


def diagnosis(subject: str, value: str, polarity: str = "affirmed") -> GraphClaim:
    return normalise("diagnosis", subject, value, None, polarity, (1,), {})  # type: ignore[arg-type]


def test_what_touches_more_comes_before_what_looks_more_like_it():
    asked = (FEVER, COUGH)
    candidates = names(found(*LINES, asked=asked), asked, ague=0.9, croup=0.3, gripe=0.1)
    # The helper makes every entity a disease: symptoms stand behind, as they touch only themselves.
    assert candidates[0] == "gripe"


def test_among_equals_their_signs_decide_and_then_the_name():
    asked = (FEVER,)
    lines = ("ague|has_symptom|fever", "gripe|has_symptom|fever", "dropsy|has_symptom|fever")
    ranked = [one for one in names(found(*lines, asked=asked), asked, gripe=0.8) if one != "fever"]
    assert ranked == ["gripe", "ague", "dropsy"]


def test_a_disease_that_the_question_names_stands_before_its_equals():
    asked = (link("croup", "disease"), FEVER)
    synthesis = found("ague|has_symptom|fever", "croup|has_symptom|cough", asked=asked)
    ranked = [one for one in names(synthesis, asked, ague=0.9) if one in ("ague", "croup")]
    assert ranked == ["croup", "ague"]


def test_a_denied_disease_is_left_out_and_a_rival_is_not():
    asked = (FEVER,)
    lines = ("ague|has_symptom|fever", "gripe|has_symptom|fever", "dropsy|has_symptom|fever")
    denied = Loser(diagnosis("fever", "ague"), "polarity", diagnosis("fever", "ague", "denied"))
    rival = Loser(diagnosis("fever", "dropsy"), "exclusive", diagnosis("fever", "gripe"))
    synthesis = found(*lines, asked=asked, resolution=Resolution((), (denied, rival)))
    assert [one for one in names(synthesis, asked) if one != "fever"] == ["dropsy", "gripe"]
