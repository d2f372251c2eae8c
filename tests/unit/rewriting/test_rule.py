"""What the rule makes of a question: spelling, lay words, brands, genes, roles, dates, other languages."""

from __future__ import annotations

import pytest

from reasoning.llm import Budget, RulesOnly
from reasoning.rewriting import Rewriting, Rewritten, rewrite
from reasoning.trace import Trace
from tests.unit.rewriting.vocabularies import SmallCorpus


async def rewritten(question: str, language: str = "en") -> Rewritten:
    return await rewrite(question, language, SmallCorpus(), RulesOnly(), Budget(), Trace())


def names(rewriting: Rewriting) -> set[str]:
    return {concept.name for concept in rewriting.concepts}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "My father had a heart attack, is a water tablet right for him?",
            {"myocardial infarction", "diuretics"},
        ),
        ("He gets up at night to pee", {"nocturia"}),
        ("Since her chemo my aunt can't keep food down", {"chemotherapy", "vomiting"}),
        ("Is Tagrisso better than Iressa?", {"osimertinib", "gefitinib"}),
        ("What does EGFR T790M mean?", {"EGFR", "T790M"}),
        ("BRAF p.V600E in melanoma", {"BRAF", "p.V600E", "melanoma"}),
        ("her2 and PD-L1 in breast cancer", {"HER2", "PD-L1", "breast cancer"}),
        ("EGFR exon 20 insertion", {"EGFR", "exon 20 insertion"}),
        ("Does chylothorax follow esophagectomy?", {"chylothorax", "esophagectomy"}),
    ],
)
async def test_concepts_in_the_words_of_the_literature(question: str, expected: set[str]) -> None:
    assert expected <= names((await rewritten(question)).value)


async def test_a_story_yields_what_carries_it() -> None:
    story = (
        "Hello, my mum is 64 and lives with us in a small house near the station, and since last week she "
        "feels so tired and my sister thinks we should ask somebody. She has lung cancer and takes Tagrisso "
        "every morning with her tea. Please help, is there anything that keeps it from coming back?"
    )
    found = names((await rewritten(story)).value)
    assert {"lung cancer", "osimertinib"} <= found
    assert found.isdisjoint({"mum", "house", "station", "week", "sister", "tea", "morning", "please", "help"})
    must = [concept for concept in (await rewritten(story)).value.concepts if concept.must]
    assert 2 <= len(must) <= 5


async def test_roles_by_kind_and_by_comparison() -> None:
    value = (
        await rewritten("Does naproxen rather than warfarin cause bleeding in psoriasis, and survival?")
    ).value
    assert [concept.name for concept in value.pico.I] == ["naproxen"]
    assert [concept.name for concept in value.pico.C] == ["warfarin"]
    assert "psoriasis" in {concept.name for concept in value.pico.P}
    assert "survival" in {concept.name for concept in value.pico.O}


async def test_a_clear_misspelling_is_put_right() -> None:
    value = (await rewritten("osimertinb for lung cancr")).value
    assert value.corrected == "osimertinib for lung cancer"
    assert {"osimertinib", "lung cancer"} <= names(value)


async def test_of_two_that_are_as_near_the_one_is_meant_that_a_table_has() -> None:
    assert (await rewritten("I keep voiting")).value.corrected == "I keep vomiting"  # not voiding
    # of these, tables have two
    assert (await rewritten("Is a diaretic safe?")).value.corrected == "Is a diaretic safe?"


async def test_where_nothing_is_known_a_common_word_is_the_subject() -> None:
    assert "mittens" in names((await rewritten("Which mittens do you suggest?")).value)
    assert not names((await rewritten("What do you suggest for these symptoms?")).value)


async def test_what_may_be_misspelt_is_no_must_beside_what_is_known() -> None:
    typed = (
        "My suggetions for mum, sir: she has had psoriasis since years, and vaarts, and hevy bleedin of the "
        "gumbs in the evnings, and so I wish to ask you which of the docters of the clenic is right for her?"
    )
    must = {concept.name for concept in (await rewritten(typed)).value.concepts if concept.must}
    assert "psoriasis" in must
    alone = (await rewritten("What helps with Veldhoven-Asakura syndrome?")).value
    assert {"veldhoven", "asakura"} <= {concept.name.lower() for concept in alone.concepts if concept.must}


@pytest.mark.parametrize("name", ["prednisoln", "xanthovirimab", "zolpimertix"])
async def test_a_drug_is_never_swapped_for_one_that_looks_like_it(name: str) -> None:
    value = (await rewritten(f"Is {name} safe?")).value
    assert name in value.corrected
    assert name in names(value)


async def test_words_that_are_known_stay() -> None:
    assert (await rewritten("Prednisone or prednisolone?")).value.corrected == "Prednisone or prednisolone?"


@pytest.mark.parametrize(
    ("question", "kind", "value"),
    [
        ("Studies on gout of the last five years", "last_years", "5"),
        ("Treatments of glioma since 2020", "since", "2020"),
        ("Trials of statins from 2015 to 2019", "range", "2015-2019"),
        ("I have had gout for the last five years", "none", None),
        ("My back hurts since 2020", "none", None),
        ("What is gout?", "none", None),
    ],
)
async def test_only_what_is_published_is_limited_by_date(question: str, kind: str, value: str | None) -> None:
    date = (await rewritten(question)).value.date
    assert (date.kind, date.value) == (kind, value)


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("What are the side effects of naproxen?", "side_effect"),
        ("How is gout treated?", "treatment"),
        ("Should I be screened for breast cancer?", "screening"),
        ("How long do people with glioma survive?", "prognosis"),
        ("What causes gout?", "cause"),
        ("Hello", "other"),
    ],
)
async def test_intent(question: str, intent: str) -> None:
    assert (await rewritten(question)).intent == intent


async def test_newest_evidence() -> None:
    assert (await rewritten("What is the latest research on gout?")).value.wants_recent
    assert not (await rewritten("What is gout?")).value.wants_recent


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("我妈得了EGFR突变的肺癌，奥希替尼还有用吗？", "zh", {"EGFR", "lung cancer", "osimertinib"}),
        ("父亲胃癌手术后一直咳嗽", "zh", {"gastric cancer", "surgery", "cough"}),
        ("¿Sirve el osimertinib para el cáncer de pulmón?", "es", {"osimertinib", "lung cancer"}),
        ("Mi abuela tiene tumores en el hígado", "es", {"tumor"}),
    ],
)
async def test_chinese_and_spanish_by_tables(question: str, language: str, expected: set[str]) -> None:
    result = await rewritten(question, language)
    assert expected <= names(result.value)
    assert result.understood
    assert result.question_en.isascii()


async def test_a_drug_that_no_table_has_is_said_to_be_unknown() -> None:
    result = await rewritten("我妈在吃阿哈西林，可以拔牙吗？", "zh")
    assert result.unrecognised == ("阿哈西林",)
    assert {"penicillins", "tooth extraction"} <= names(result.value)
    assert "amoxicillin" not in names(result.value)


@pytest.mark.parametrize(
    ("question", "language"), [("你好，今天天气很好", "zh"), ("Was hilft bei Gicht?", "de")]
)
async def test_what_cannot_be_put_into_english_is_told(question: str, language: str) -> None:
    result = await rewritten(question, language)
    assert not result.understood
    assert not result.value.concepts


async def test_the_trace_says_what_was_corrected() -> None:
    trace = Trace()
    await rewrite("osimertinb?", "en", SmallCorpus(), RulesOnly(), Budget(), trace)
    assert any("osimertinib" in str(span) for span in trace.as_json())
