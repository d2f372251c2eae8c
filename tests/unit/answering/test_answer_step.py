"""From numbered sentences to claims: what a model wrote is read generously, and closed over what it got."""

from __future__ import annotations

import json

import pytest

from reasoning.composing import compose, paragraphs_of
from reasoning.grounding.answering import (
    ANSWER,
    AnswerInputs,
    AnswerReply,
    claims_of,
    drop_last_passage,
    find_nonsense,
    quote_sentences,
)
from reasoning.grounding.passages import number_passages
from reasoning.grounding.references import read_references
from reasoning.verify import verify_claims
from tests.evidence import evidence

GOUT = evidence(
    "lib-gout:0",
    "Gout is a painful kind of arthritis that often starts in the big toe. It comes and goes in attacks. "
    "Medicines can lower the level of uric acid and prevent attacks of gout in most people.",
    title="Gout",
)
MORE = evidence("lib-gout:1", "Drinking a lot of beer raises the risk of an attack of gout.", title="Gout")
DIET = evidence("lib-diet:0", "People with gout are told to eat less red meat and seafood.", title="Diet")


def inputs(*items: object) -> AnswerInputs:
    passages = number_passages(items or (GOUT, MORE, DIET))  # type: ignore[arg-type]
    texts = {text: 0.7 for given in passages for text in given.texts}
    question = "How is gout prevented?"
    return AnswerInputs(question, question, "en", passages, texts)


def reply(*sentences: tuple[str, list[str]], sufficient: bool = True) -> AnswerReply:
    written = [{"text": text, "cites": cites} for text, cites in sentences]
    return AnswerReply.model_validate({"sufficient": sufficient, "paragraphs": [{"sentences": written}]})


@pytest.mark.parametrize(
    ("text", "cites", "plain", "refs"),
    [
        ("Gout hurts.", ["1.1"], "Gout hurts.", ["1.1"]),
        ("Gout hurts.", ["[1.1]", "S1.2"], "Gout hurts.", ["1.1", "1.2"]),
        ("Gout hurts.", ["1.1-1.3"], "Gout hurts.", ["1.1", "1.2", "1.3"]),
        ("Gout hurts.", ["1.1–3"], "Gout hurts.", ["1.1", "1.2", "1.3"]),
        ("Gout hurts [1.1].", [], "Gout hurts.", ["1.1"]),
        ("Gout hurts [1.1, 2.1] at times.", ["1.1"], "Gout hurts at times.", ["1.1", "2.1"]),
        ("The interval was [1.2, 3.4].", ["2.1"], "The interval was [1.2, 3.4].", ["2.1"]),
        ("Beer is bad.", ["9.1", "1.77", "x", ""], "Beer is bad.", []),
        ("Medicines prevent attacks.", ["1"], "Medicines prevent attacks.", ["1.3"]),
        ("Beer is bad.", ["1", "7"], "Beer is bad.", ["1.1"]),
    ],
)
def test_references_are_read_generously(text: str, cites: list[str], plain: str, refs: list[str]):
    assert read_references(text, cites, inputs().passages) == (plain, refs)


def test_a_quote_is_a_span_of_the_stored_passage():
    claims = claims_of(inputs(), reply(("Gout hurts and comes back.", ["1.1", "1.2"]), ("Beer.", ["2.1"])))
    assert [eid for claim in claims for eid, _ in claim.support] == ["lib-gout:0", "lib-gout:0", "lib-gout:1"]
    texts = {item.eid: item.text for item in (GOUT, MORE, DIET)}
    assert all(quote in texts[eid] for claim in claims for eid, quote in claim.support)


def test_one_article_has_one_number_and_its_passages_stay_apart():
    claims = claims_of(inputs(), reply(("Gout hurts.", ["1.1"]), ("Beer is bad.", ["2.1", "3.1"])))
    composed = compose(claims, [GOUT, MORE, DIET])
    assert [sentence.citations for sentence in composed.sentences] == [[1], [1, 2]]
    assert [(span.n, span.passage) for span in composed.sentences[1].support] == [
        (1, "lib-gout:1"),
        (2, "lib-diet:0"),
    ]
    assert composed.citations[0].quote in GOUT.text


def test_a_sentence_that_cites_nothing_given_is_not_said():
    claims = claims_of(inputs(), reply(("Cherries cure gout.", ["8.1"]), ("Gout hurts.", ["1.1"])))
    kept = verify_claims(claims, [GOUT, MORE, DIET])
    assert "Cherries cure gout." not in {claim.text for claim in kept.claims}
    assert kept.rejected[0].claim == "Cherries cure gout."


def test_paragraphs_are_kept():
    written = {
        "sufficient": True,
        "paragraphs": [
            {"sentences": [{"text": "Gout hurts.", "cites": ["1.1"]}]},
            {"sentences": [{"text": "Beer is bad.", "cites": ["2.1"]}]},
        ],
    }
    claims = claims_of(inputs(), AnswerReply.model_validate(written))
    assert len(paragraphs_of(compose(claims, [GOUT, MORE, DIET]).sentences)) == 2


def test_the_rule_quotes_and_its_quotes_verify():
    rule = quote_sentences(inputs())
    claims = claims_of(inputs(), rule)
    assert rule.sufficient
    assert claims
    assert all(claim.text == claim.support[0][1] for claim in claims)
    assert not verify_claims(claims, [GOUT, MORE, DIET]).rejected
    assert find_nonsense(inputs(), rule) is None


def test_without_sentences_the_rule_declines():
    assert not quote_sentences(inputs(evidence("a:0", "Short."))).sufficient
    assert number_passages([evidence("a:0", "")]) == ()


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (reply(), "no sentence"),
        (reply((" ", ["1.1"])), "no sentence"),
        (reply(("Gout hurts.", ["the first"])), "numbers of source sentences"),
        (reply(*[("Gout hurts.", ["1.1"])] * 17), "at most"),
    ],
)
def test_nonsense_is_named(written: AnswerReply, words: str):
    assert words in (find_nonsense(inputs(), written) or "")


def test_declining_is_no_nonsense():
    assert find_nonsense(inputs(), reply(sufficient=False)) is None


def test_passages_are_dropped_from_the_end_and_keep_their_numbers():
    fewer = drop_last_passage(inputs())
    assert fewer is not None
    assert [given.evidence.eid for given in fewer.passages] == ["lib-gout:0", "lib-gout:1"]
    assert read_references("Diet.", ["3.1"], fewer.passages) == ("Diet.", [])
    assert drop_last_passage(inputs(GOUT)) is None


def test_the_schema_keeps_to_the_common_core():
    """Servers break on patterns, lengths and item limits (case F24)."""
    schema = json.dumps(ANSWER.reply.model_json_schema())
    assert not any(word in schema for word in ("pattern", "maxLength", "minLength", "maxItems", "minItems"))
