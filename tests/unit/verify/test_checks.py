"""Each check: what it lets pass, and the fault it is there for."""

from __future__ import annotations

import pytest

from reasoning.verify.certainty import object_to_certainty
from reasoning.verify.checks import Check
from reasoning.verify.direction import object_to_direction
from reasoning.verify.figures import object_to_figures
from reasoning.verify.negation import object_to_negation
from reasoning.verify.population import object_to_population
from reasoning.verify.topic import object_to_topic
from tests.unit.verify.sources import beside, passage, why_not

DOSE = "Adults take 500 mg twice a day for 7 days, and never more than 4 g in 24 hours."
TRIAL = "In 200 adults, events fell from 12% to 9% with the drug (hazard ratio 0.75, 95% CI 0.60 to 0.95)."
IRON = "Iron tablets may cause constipation. They do not cause fever."
WOMEN = "In postmenopausal women, the drug lowered the risk of fractures by 30%."

PASS = [
    (object_to_figures, "You take half a gram two times a day.", DOSE, "en"),
    (object_to_figures, "Take it for one week.", DOSE, "en"),
    (object_to_figures, "一天两次，每次500毫克。", DOSE, "zh"),
    (object_to_figures, "Four grams in a day is the most.", DOSE, "en"),
    (object_to_figures, "Events were about a quarter fewer.", TRIAL, "en"),
    (object_to_figures, "Se toman 500 mg dos veces al día.", DOSE, "es"),
    (object_to_negation, "Fever is not something that iron tablets cause.", IRON, "en"),
    (object_to_negation, "Iron tablets can lead to constipation.", IRON, "en"),
    (object_to_negation, "The drug had no benefit.", "The drug was of no benefit.", "en"),
    (object_to_negation, "It is not dangerous.", "The tablets are safe.", "en"),
    (object_to_negation, "它不会引起发热。", "It does not cause fever.", "zh"),
    (object_to_direction, "The drug cut the risk of stroke.", "The drug reduces the risk of stroke.", "en"),
    (object_to_direction, "Lower doses cause less pain.", "Lower doses cause less pain.", "en"),
    (object_to_population, "Women past menopause broke fewer bones on the drug.", WOMEN, "en"),
    (object_to_population, "绝经后女性骨折较少。", WOMEN, "zh"),
    (object_to_certainty, "Iron tablets can make you constipated.", IRON, "en"),
    (object_to_certainty, "There is no cure.", "The disease cannot be cured.", "en"),
    (object_to_topic, "Iron pills may make you constipated.", IRON, "en"),
]

FAIL = [
    (object_to_figures, "You take 600 mg twice a day.", DOSE, "en"),
    (object_to_figures, "You take 500 g twice a day.", DOSE, "en"),
    (object_to_figures, "You take 500 mg three times a day.", DOSE, "en"),
    (object_to_figures, "Take it for 7 weeks.", DOSE, "en"),
    (object_to_figures, "Take at least 4 g in 24 hours.", DOSE, "en"),
    (object_to_figures, "每天两次，每次850毫克。", DOSE, "zh"),
    (object_to_figures, "Se toman 500 g dos veces al día.", DOSE, "es"),
    (object_to_figures, "Events were about half as frequent.", TRIAL, "en"),
    (object_to_negation, "Iron tablets do not cause constipation.", IRON, "en"),
    (object_to_negation, "Iron tablets cause fever.", "Iron tablets do not cause fever.", "en"),
    (
        object_to_negation,
        "The drug helped them live longer.",
        "Survival did not differ between groups.",
        "en",
    ),
    (object_to_negation, "它会引起发热。", "It does not cause fever.", "zh"),
    (object_to_negation, "Small cell lung cancer is meant.", "Non-small cell lung cancer is meant.", "en"),
    (
        object_to_direction,
        "The drug raises the risk of stroke.",
        "The drug reduces the risk of stroke.",
        "en",
    ),
    (object_to_direction, "Most moles are malignant.", "Most moles are benign.", "en"),
    (object_to_direction, "You should take it in pregnancy.", "You must not take it in pregnancy.", "en"),
    (object_to_direction, "Exercise works better than surgery.", "Surgery works better than exercise.", "en"),
    (object_to_direction, "腹泻是罕见的副作用。", "Diarrhea is a common side effect.", "zh"),
    (object_to_direction, "Durchfall ist selten.", "Diarrhea is common.", "de"),
    (object_to_population, "Men broke fewer bones on the drug.", WOMEN, "en"),
    (object_to_population, "Children broke fewer bones on the drug.", WOMEN, "en"),
    (
        object_to_population,
        "The drug lowered fractures in people.",
        "In mice, the drug lowered fractures.",
        "en",
    ),
    (object_to_population, "The drug lowered fractures.", "In mice, the drug lowered fractures.", "en"),
    (object_to_certainty, "Iron tablets always cause constipation.", IRON, "en"),
    (object_to_certainty, "Tea causes cancer.", "Tea was associated with cancer.", "en"),
    (object_to_certainty, "The drug lowers pain.", "The drug might lower pain.", "en"),
    (object_to_certainty, "这种药可以治愈癌症。", "The drug may slow cancer.", "zh"),
    (object_to_topic, "Dialysis cleans the blood when kidneys fail.", IRON, "en"),
    (object_to_topic, "Rituximab may cause constipation.", IRON, "en"),
]


@pytest.mark.parametrize(("check", "sentence", "source", "language"), PASS)
def test_passes(check: Check, sentence: str, source: str, language: str) -> None:
    assert check(beside(sentence, source, language)) is None


@pytest.mark.parametrize(("check", "sentence", "source", "language"), FAIL)
def test_objects(check: Check, sentence: str, source: str, language: str) -> None:
    assert check(beside(sentence, source, language))


def test_a_title_may_carry_the_population() -> None:
    sentence, source = "In children, fever is common.", "Fever is common."
    assert why_not(sentence, source, title="Infections in children") is None
    assert why_not(sentence, source, title="Infections")


def test_a_better_sentence_elsewhere_is_the_source() -> None:
    from reasoning.evidence import Claim
    from reasoning.verify import verify_claims

    right = passage("Rest helps a sprained ankle to heal.", "right")
    wrong = passage("A cold pack eases a sprained ankle in the first days.", "wrong")
    sentence = "Resting a sprained ankle helps it to heal."
    for item, kept in ((right, 1), (wrong, 0)):
        found = verify_claims([Claim(sentence, ((item.eid, item.text),))], [right, wrong])
        assert len(found.claims) == kept


def test_whole_sentences_of_the_source_pass_unchecked() -> None:
    source = "It is unlikely that this cures everyone. In mice it did."
    assert why_not("In mice it did.", source) is None
    assert why_not("It is unlikely that this cures everyone.", source) is None
    assert why_not("this cures everyone", source)  # a part of a sentence is none
