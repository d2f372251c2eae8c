"""From articles to passages, on any encoder (methods.md 1.6, cases F08, F14)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reasoning.retrieval.segmentation import (
    CountMismatch,
    LimitTooSmall,
    SeosParams,
    VectorsUnusable,
    document_text,
    segment,
    segment_many,
    segment_traced,
)
from storage.documents import Article, Passage, Section, SectionKind

SMALL = SeosParams(b_max=40, b=32)

_SENTENCES = st.sampled_from(
    [
        "The first group took the tablet for eight weeks. ",
        "However, none of them slept longer; two left, one came back, and four kept a diary (see Fig. 2). ",
        "None died. ",
        "Such effects were seen by Sample et al. in mice. ",
        "胃溃疡患者慎用！",
        "能与布洛芬同服吗？",
        "60 mg | 50 | 4\n",
        "- your tablets\n",
        "\n\n",
        "c.5266dupC/p.Gln1756Profs*74;" * 4,
        "word " * 60,
        "\u0436" * 400,
        "\u200b \u00a0",
    ]
)
_ARTICLES = st.builds(
    lambda sections: Article(doc_id="7", title="Sample", source="text", sections=tuple(sections)),
    st.lists(
        st.builds(
            Section,
            text=st.lists(_SENTENCES, max_size=14).map("".join),
            label=st.sampled_from([None, "RESULTS", "Harm"]),
            kind=st.sampled_from(SectionKind),
            page=st.none() | st.integers(1, 3),
        ),
        max_size=4,
    ),
)


def _article(text: str, label: str | None = None, kind: SectionKind = SectionKind.BODY) -> Article:
    return Article(doc_id="1", title="Sample", source="text", sections=(Section(text, label, kind),))


def _own(passages: list[Passage]) -> str:
    return "".join(passage.text[passage.own_start - passage.start :] for passage in passages)


@settings(deadline=None)
@given(st.lists(_ARTICLES, max_size=3))
def test_what_holds_for_every_batch(encoder_class: type[Any], articles: list[Article]) -> None:
    encoder = encoder_class()
    batch = segment_many(articles, encoder, SMALL)
    assert len(batch) == len(articles)
    for article, passages in zip(articles, batch, strict=True):
        document = document_text(article)
        assert _own(passages) == document
        assert [passage.idx for passage in passages] == list(range(len(passages)))
        at = 0
        for place, passage in enumerate(passages):
            assert passage.own_start == at
            assert passage.text == document[passage.start : passage.end]
            assert passage.n_tokens == encoder.count_tokens([passage.text])[0] <= SMALL.b_max
            before = passages[place - 1].own_start if place else 0
            assert (
                before <= passage.start <= passage.own_start < passage.end
            )  # carried: the left part's own tail
            at = passage.end
        assert at == len(document)
    assert encoder.calls <= 1
    assert all(times == 1 for times in encoder.encoded.values())


@settings(deadline=None)
@given(_ARTICLES, _ARTICLES)
def test_a_batch_is_its_articles_one_by_one(encoder_class: type[Any], one: Article, other: Article) -> None:
    encoder = encoder_class()
    alone = [segment(each, encoder, SMALL) for each in (one, other)]
    assert (
        segment_many([one, other], encoder, SMALL)
        == alone
        == segment_many([one, other], encoder_class(), SMALL)
    )


def test_what_fits_is_not_encoded(encoder: Any) -> None:
    (traced,) = segment_traced([_article("It helps. It harms. Ask first.", "Harm")], encoder, SMALL)
    assert len(traced.passages) == 1
    assert encoder.calls == 0
    assert (traced.trace.characters, traced.trace.characters_embedded) == (35, 0)


def test_carried_sentences_are_whole(encoder: Any) -> None:
    article = _article(" ".join(f"This is line {place} of it." for place in range(60)))
    passages = segment(article, encoder, SeosParams(b_max=60, b=40, o_budget=0.4))
    carried = [passage.text[: passage.own_start - passage.start] for passage in passages]
    assert any(carried)
    assert all(text == "" or text.startswith("This") for text in carried)


def test_sections_never_share_a_passage_and_labels_follow(encoder: Any) -> None:
    parts = [("BACKGROUND", "Cramps are common. "), ("RESULTS", "Stretching helped many people. ")]
    article = Article(
        doc_id="90000801",
        title="Sample",
        source="pubmed",
        sections=(
            *(Section(text * 12, label, SectionKind.ABSTRACT, page=4) for label, text in parts),
            Section("Iron helps.", "Benefit", page=5),
            Section("No birth defects.", "Harm"),
        ),
    )
    passages = segment(article, encoder, SMALL)
    assert [passage.section for passage in passages][-2:] == ["Benefit", "Harm"]
    assert passages[-2].text.strip() == "Benefit\nIron helps."
    results = [passage for passage in passages if passage.section == "RESULTS"]
    assert len(results) > 1  # a later part still says so (case F08)
    assert "RESULTS: Stretching" in "".join(passage.text for passage in passages)
    assert {passage.page for passage in passages} == {4, 5, None}


def test_no_passage_is_a_label_alone(encoder: Any) -> None:
    for words in (39, 40, 45, 90):
        passages = segment(_article("word " * words, "Harm"), encoder, SMALL)
        assert passages[0].text.startswith("Harm\nword")
        assert len(passages) > 1 or words == 39


def test_a_table_is_cut_between_rows_and_never_encoded(encoder: Any) -> None:
    rows = [f"{dose} mg | {dose * 2} people | {dose} upset" for dose in range(40)]
    passages = segment(_article("\n".join(rows), "Table 1", SectionKind.TABLE), encoder, SMALL)
    assert encoder.calls == 0
    assert len(passages) > 3
    assert passages[0].text.startswith("Table 1\n0 mg")
    assert all(passage.start == passage.own_start for passage in passages)
    assert [row for passage in passages for row in passage.text.split("\n") if row] == ["Table 1", *rows]


def test_chinese_is_cut_between_sentences(encoder: Any) -> None:
    text = "阿司匹林可以防止血栓。胃溃疡患者慎用！能与布洛芬同服吗？" * 30
    passages = segment(_article(text), encoder, SMALL)
    assert len(passages) > 1
    assert all(passage.text[-1] in "。！？" for passage in passages)


def test_the_trace_tells_what_was_chosen(encoder: Any) -> None:
    (traced,) = segment_traced([_article("One came back late. Two left. " * 20)], encoder, SMALL)
    (unit,) = traced.trace.split_units
    assert unit.sentences == 40
    assert unit.sims is not None
    assert len(unit.sims) == 39
    assert unit.parts == len(unit.overlaps) + 1 == len(traced.passages)
    assert unit.parts_wanted > 1
    assert traced.trace.characters_embedded == len("One came back late.Two left.")


class _Joining:
    """An encoder by whose count the whole is more than its parts."""

    def count_tokens(self, texts: list[str]) -> list[int]:
        return [len(text.split()) * (2 if len(text) > 100 else 1) for text in texts]

    def encode_sentences(self, texts: list[str]) -> NDArray[np.floating]:
        return np.eye(len(texts))


def test_passages_are_counted_whole() -> None:
    article = _article(" ".join(f"This is line {place}." for place in range(60)))
    (traced,) = segment_traced([article], _Joining(), SMALL)
    assert traced.trace.shortened > 0
    assert max(passage.n_tokens for passage in traced.passages) <= SMALL.b_max
    assert _own(list(traced.passages)) == document_text(article)


class _Faulty(_Joining):
    def __init__(self, vectors: Any, *, counts: int = 0) -> None:
        self.vectors, self.fewer_counts = vectors, counts

    def count_tokens(self, texts: list[str]) -> list[int]:
        return super().count_tokens(texts)[self.fewer_counts :]

    def encode_sentences(self, texts: list[str]) -> NDArray[np.floating]:
        return np.asarray(self.vectors(len(texts)))


_LONG = " ".join(f"This is line {place}." for place in range(60))


@pytest.mark.parametrize(
    ("encoder", "error"),
    [
        (_Faulty(lambda n: np.ones((n - 1, 3))), CountMismatch),
        (_Faulty(lambda n: np.ones((n + 1, 3))), CountMismatch),
        (_Faulty(lambda n: np.ones((n, 3)), counts=1), CountMismatch),
        (_Faulty(lambda n: np.full((n, 3), np.nan)), VectorsUnusable),
        (_Faulty(lambda n: np.ones(n)), VectorsUnusable),
    ],
)
def test_a_faulty_encoder_is_an_error_by_name(encoder: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        segment(_article(_LONG), encoder, SMALL)


class _Dense(_Joining):
    def count_tokens(self, texts: list[str]) -> list[int]:
        return [99 * len(text) for text in texts]


def test_a_character_above_the_limit_is_an_error_by_name() -> None:
    with pytest.raises(LimitTooSmall):
        segment(_article("ab"), _Dense(), SMALL)


class _Same(_Joining):
    def encode_sentences(self, texts: list[str]) -> NDArray[np.floating]:
        return np.ones((len(texts), 3))


def test_identical_vectors_still_give_passages() -> None:
    article = _article(_LONG)
    passages = segment(article, _Same(), SMALL)
    assert len(passages) > 1
    assert _own(passages) == document_text(article)


@pytest.mark.shared_data
def test_degenerate_texts(case_input: Callable[[str], Any], encoder: Any) -> None:
    rows = case_input("F14_texts.json")["rows"]
    assert rows
    for row in rows:
        text = row.get("text", "")
        if "text_repeat" in row:
            text = row["text_repeat"][0] * row["text_repeat"][1]
        for params in (SeosParams(), SeosParams(b_max=12, b=10)):
            passages = segment(_article(text), encoder, params)
            wanted = row["chunks"]
            assert len(passages) == wanted if params == SeosParams() and wanted is not None else True, row[
                "id"
            ]
            assert bool(passages) == (wanted != 0), row["id"]
            assert _own(passages).split() == (text.split() if wanted != 0 else []), row["id"]
            assert not passages or passages[-1].text.endswith(row.get("must_end_with", ""))
            assert not passages or passages[0].text.startswith(row.get("must_start_with", ""))
