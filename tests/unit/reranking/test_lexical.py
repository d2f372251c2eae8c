"""The lexical reranker, its features, and who may say that nothing is evidence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from reasoning.retrieval.reranking import LexicalReranker, describe, refuses_all
from reasoning.retrieval.reranking.cross_encoder import FLOOR
from storage.corpus.reading import StoredPassage
from storage.documents import Article, Passage

QUESTION = "What is the effect of balance training compared with stretching on falls?"
FOUND = "Falls were fewer with balance training than with stretching (p = 0.02)."
METHOD = "Balance training took place in a hall. Stretching was taught elsewhere. Falls were noted."


def passage(text: str, section: str | None = None, title: str = "A study") -> StoredPassage:
    own = Passage(
        doc_id="d", idx=0, text=text, start=0, own_start=0, end=len(text), n_tokens=9, section=section
    )
    return StoredPassage(0, own, Article(doc_id="d", title=title, source="test"), 1)


async def alike(question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
    return [0.5] * len(passages)


async def test_a_finding_goes_before_a_method_and_before_what_is_off_the_subject() -> None:
    texts = [
        passage("The hall was warm.", "Methods"),
        passage(METHOD, "Methods"),
        passage(FOUND, "Results"),
    ]
    scores = await LexicalReranker(alike).rank(QUESTION, texts)
    assert scores[2] > scores[1] > scores[0]


async def test_nothing_to_rank() -> None:
    assert list(await LexicalReranker(alike).rank(QUESTION, [])) == []


def test_features_are_shares() -> None:
    texts = [passage(FOUND, "Results"), passage("", None), passage("平衡训练减少跌倒。")]
    for features in describe(QUESTION, texts, [0.1, 0.2, 0.3]):
        assert all(0.0 <= value <= 1.0 for value in features)


def test_findings_count_only_where_an_effect_is_asked_for() -> None:
    (effect,) = describe(QUESTION, [passage(FOUND)], [0.0])
    (nature,) = describe("What is balance training?", [passage(FOUND)], [0.0])
    assert effect.finding > 0.0
    assert nature.finding == 0.0


def test_numbers_of_the_question() -> None:
    with_it, without = describe("Does 20 mg lower it?", [passage("20 mg did"), passage("40 mg did")], [0, 0])
    assert (with_it.numbers, without.numbers) == (1.0, 0.0)


class Judging:
    name, floor = "judging", FLOOR

    async def rank(self, question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
        raise NotImplementedError


@pytest.mark.parametrize(("scores", "refused"), [([-9.0, -15.2], True), ([-9.0, -3.0], False), ([], False)])
def test_only_a_judge_refuses(scores: list[float], refused: bool) -> None:
    assert refuses_all(Judging(), scores) is refused
    assert not refuses_all(LexicalReranker(alike), scores)
