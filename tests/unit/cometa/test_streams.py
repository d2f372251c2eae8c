"""Fusing, choosing and dropping: the pure parts of CoMeta."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reasoning.evidence import Evidence, Ranking
from reasoning.literature import SearchReply
from reasoning.methods.cometa.adapting import Adapted, LevelHit, lost_words
from reasoning.methods.cometa.fusing import FoundStreams, fuse_documents
from reasoning.methods.cometa.presets import FAITHFUL, PRODUCT
from reasoning.methods.cometa.records import Records, replace_superseded, withdrawn_of
from reasoning.methods.cometa.selecting import take_passages
from reasoning.trace import Trace
from reasoning.types import Remark
from storage.documents import Article, Standing
from storage.query import AllOf, AnyOf, Field, HasAbstract, Term, Without
from tests.evidence import evidence

SYNDROME = Term("Veldhoven-Asakura syndrome")
STROKE = AnyOf((Term("Stroke", Field.MESH), Term("stroke", Field.TITLE_ABSTRACT)))


@pytest.mark.parametrize(
    ("query", "dropped", "lost"),
    [
        (SYNDROME, ["veldhoven", "asakura"], {"veldhoven", "asakura"}),
        (SYNDROME, ["Veldhoven-Asakura"], {"Veldhoven-Asakura"}),
        (SYNDROME, ["of"], set()),
        (AllOf((SYNDROME, STROKE, HasAbstract())), ["asakura"], {"asakura"}),
        (AnyOf((SYNDROME, STROKE)), ["asakura"], set()),  # another name holds (case F04.4)
        (AllOf((AnyOf((SYNDROME, Term("asakura disease"))), STROKE)), ["asakura"], {"asakura"}),
        (Without(STROKE, SYNDROME), ["asakura"], set()),
        (STROKE, ["strokes"], {"strokes"}),
    ],
)
def test_a_query_that_lost_its_subject(query, dropped: list[str], lost: set[str]) -> None:
    assert set(lost_words(query, SearchReply("results", "pubmed", dropped=tuple(dropped)))) == lost


def test_a_heading_that_does_not_exist_is_no_loss_where_its_words_were_searched() -> None:
    query = AnyOf((Term("Sotorasib", Field.MESH), Term("sotorasib", Field.TITLE_ABSTRACT)))
    translation = '"sotorasib"[Title/Abstract]'
    reply = SearchReply("results", "pubmed", dropped=("Sotorasib",), translation=translation)
    assert lost_words(query, reply) == ()


def ranking(*keys: str, degraded: tuple[Remark, ...] = ()) -> Ranking:
    """Scores 0.9, 0.8 and so on."""
    scores = tuple(0.9 - 0.1 * place for place in range(len(keys)))
    return Ranking(keys, scores, degraded=degraded)


def found(levels: dict[str, list[str]], whole: list[str], *, failed: bool = False) -> FoundStreams:
    hits = [LevelHit(key, level) for level, keys in levels.items() for key in keys]
    degraded = (Remark(code="dense_failed", detail="x"),) if failed else ()
    return FoundStreams(Adapted(hits), {"global": ranking(*whole, degraded=degraded)})


def test_the_papers_fusion_by_hand() -> None:
    fused = fuse_documents(found({"L1": ["1", "2"], "L2": ["3"]}, ["3", "4"]), FAITHFUL)
    assert [one.key for one in fused] == ["3", "1", "2", "4"]
    assert [one.label for one in fused] == ["both", "symbolic", "symbolic", "semantic"]
    assert fused[0].score == pytest.approx(1 / 63 + 1 / 61, abs=1e-12)
    assert fused[0].level == "L2"
    assert fused[0].ranks == {"symbolic": 3, "global": 1}


def test_a_loose_level_has_fewer_votes() -> None:
    order = [one.key for one in fuse_documents(found({"L1": ["1"], "L4": ["2"]}, []), PRODUCT)]
    assert order == ["1", "2"]
    strict = fuse_documents(found({"L1": ["1"]}, []), PRODUCT)[0].score
    loose = fuse_documents(found({"L4": ["1"]}, []), PRODUCT)[0].score
    assert strict > loose


def test_scores_by_hand() -> None:
    streams = FoundStreams(
        Adapted([LevelHit("3", "L1"), LevelHit("5", "L1")]),
        {"global": ranking("1", "2"), "pool": ranking("2", "3"), "concepts": ranking("3")},
    )
    scores = {one.key: one.score for one in fuse_documents(streams, PRODUCT)}
    concepts, vote = 0.2 * 0.9, PRODUCT.votes["L1"]
    assert scores == pytest.approx(
        {
            "1": 0.9 + concepts,
            "2": 0.9 + concepts,  # the pool's score is the better one
            "3": 0.8 + concepts + vote,
            "5": 0.8 + concepts + vote * 5 / 6,  # as the last of the ranking
        }
    )


def test_a_failed_stream_leaves_the_other_and_is_named() -> None:
    streams = found({"L1": ["1", "2"]}, [], failed=True)
    assert [one.key for one in fuse_documents(streams, PRODUCT)] == ["1", "2"]
    assert [remark.code for remark in streams.degraded] == ["dense_failed"]


def test_ties_go_to_the_newer_article() -> None:
    streams = FoundStreams(Adapted(), {"global": ranking("1"), "pool": ranking("2")})
    years = {"1": 2001, "2": 2020}
    fused = fuse_documents(streams, PRODUCT, lambda key: (years[key], 0, 0))
    assert [one.key for one in fused] == ["2", "1"]


def passage(eid: str, text: str = "") -> Evidence:
    return evidence(eid, text or f"Text {eid}")


def test_at_most_two_passages_an_article() -> None:
    ordered = [passage(f"1:{n}") for n in range(4)] + [passage("2:0"), passage("3:0")]
    assert [item.eid for item in take_passages(ordered, PRODUCT)] == ["1:0", "1:1", "2:0", "3:0"]


def test_where_few_articles_are_left_they_may_say_more() -> None:
    ordered = [passage(f"1:{n}") for n in range(9)]
    assert len(take_passages(ordered, PRODUCT)) == PRODUCT.passages


def test_what_abstract_and_full_text_share_counts_once() -> None:
    ordered = [passage("1:0", "Same."), passage("PMC1:0", "Same."), passage("1:1"), passage("2:0")]
    assert [item.eid for item in take_passages(ordered, PRODUCT)] == ["1:0", "1:1", "2:0"]


def article(key: str, standing: Standing = Standing.OK, newer: str | None = None) -> Article:
    return Article(
        doc_id=key, pmid=key, title=f"Study {key}", source="pubmed", standing=standing, superseded_by=newer
    )


def test_a_superseded_review_yields_to_its_update_where_that_is_at_hand() -> None:
    old = article("1", Standing.SUPERSEDED, "2")
    assert replace_superseded({"1": old, "2": article("2")}, ["1"]) == {"1": "2"}
    assert replace_superseded({"1": old}, ["1"]) == {}
    assert replace_superseded({"1": old, "2": article("2", Standing.RETRACTED)}, ["1"]) == {}


def test_studies_and_notices_that_support_nothing() -> None:
    records = {
        "1": article("1", Standing.RETRACTED),
        "2": article("2", Standing.RETRACTION_NOTICE),
        "3": article("3", Standing.CONCERN),
        "4": article("4", Standing.CORRECTED),
    }
    assert [item.key for item in withdrawn_of(records, ["4", "3", "2", "1", "5"])] == ["2", "1"]


def test_every_value_is_in_the_report() -> None:
    assert PRODUCT.as_json()["votes"] == dict(PRODUCT.votes)
    assert replace(PRODUCT, name="x").as_json().keys() == FAITHFUL.as_json().keys()


async def test_without_a_door_no_record_is_missing() -> None:
    records = Records()
    await records.gather(["1"], [], Trace())
    assert records.missing == set()
