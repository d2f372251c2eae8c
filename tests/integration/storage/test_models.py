"""Vectors of two models never meet; a change of model is a planned one (case F21)."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest

from storage.corpus import Corpus
from storage.database import create_engine
from storage.encoders import MINILM, EncoderManifest
from storage.errors import EncoderMismatch
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import cut, pad, query, words_found

OTHER = replace(MINILM, revision="another model of 384 dimensions")


async def test_another_model_is_refused(corpus: Corpus, corpus_url: str) -> None:
    await corpus.open()
    await corpus.replace([cut("1")], "test")
    engine = create_engine(corpus_url)
    other = Corpus(engine, OTHER)
    for refused in (
        other.open(),
        other.replace([cut("2")], "test"),
        other.search_dense(pad([1.0]), 5),
        other.store_vectors([1], np.array([pad([1.0])])),
    ):
        with pytest.raises(EncoderMismatch) as mismatch:
            await refused
        assert "add-encoder" in mismatch.value.remedy
    assert query(corpus_url, "SELECT doc_id FROM articles") == [("1",)]
    assert await words_found(other, "warm") == ["1"]  # words need no model
    await engine.dispose()


@pytest.mark.parametrize("change", ["dimensions", "pooling", "passage_prefix", "passage_max_tokens"])
async def test_what_makes_another_model(corpus: Corpus, corpus_url: str, change: str) -> None:
    values = {"dimensions": 768, "pooling": "cls", "passage_prefix": "passage: ", "passage_max_tokens": 512}
    await corpus.open()
    engine = create_engine(corpus_url)
    with pytest.raises(EncoderMismatch):
        await Corpus(engine, replace(MINILM, **{change: values[change]})).open()
    await engine.dispose()


async def test_planned_change_of_model(corpus: Corpus, corpus_url: str) -> None:
    """Old vectors go at once and never meet a vector of the new model, in a process that still has the old
    one neither; passages and words stay. What is missing can be filled in by parts."""
    await corpus.replace([cut("1", ["a", "b"]), cut("2", ["c"])], "test")
    engine = create_engine(corpus_url)
    other = Corpus(engine, OTHER)
    assert await other.adopt()
    assert not await other.adopt()
    assert await other.search_dense(pad([1.0]), 5) == []
    with pytest.raises(EncoderMismatch):
        await corpus.search_dense(pad([1.0]), 5)
    with pytest.raises(EncoderMismatch):
        await corpus.replace([cut("3")], "test")
    first = await other.missing_passages(0, 2)
    assert [(item.title, item.text) for item in first] == [("", "a"), ("", "b")]
    assert await other.store_vectors([item.passage_id for item in first], np.array([pad([1.0])] * 2)) == 2
    assert {hit.article_key for hit in await other.search_dense(pad([1.0]), 5)} == {"1"}
    rest = await other.missing_passages(0, 10)
    assert [item.text for item in rest] == ["c"]
    assert await other.store_vectors([item.passage_id for item in rest], np.array([pad([1.0])])) == 1
    assert await other.missing_passages(0, 10) == []
    await engine.dispose()


async def test_passages_change_while_they_are_embedded(corpus: Corpus, corpus_url: str) -> None:
    """A passage that went, one that has its vector already, a vector of zeros: the others are stored."""
    await corpus.replace([cut("1"), cut("2"), cut("3"), cut("4")], "test")
    engine = create_engine(corpus_url)
    other = Corpus(engine, OTHER)
    await other.adopt()
    ids = [item.passage_id for item in await other.missing_passages(0, 10)]
    await other.store_vectors(ids[1:2], np.array([pad([1.0])]))
    await other.remove_missing("pubmed", ["2", "3", "4"])
    vectors = np.array([pad([1.0]), pad([0.5]), np.zeros(384), pad([0.0, 1.0])])
    assert await other.store_vectors(ids, vectors) == 1
    assert {hit.article_key for hit in await other.search_dense(pad([1.0]), 5)} == {"2", "4"}
    await engine.dispose()


async def test_encoders_side_by_side(new_database: NewDatabase) -> None:
    """Another name, another table: each finds its own vectors only."""
    second = EncoderManifest(**{**asdict(MINILM), "name": "house", "table": "embedding_house"})
    url = new_database("corpus")
    query(url, "CREATE TABLE embedding_house (LIKE embedding_minilm INCLUDING ALL)")
    engine = create_engine(url)
    corpus, house = Corpus(engine, MINILM), Corpus(engine, second)
    await corpus.replace([cut("1")], "test")
    await house.replace([cut("2")], "test")
    assert [hit.article_key for hit in await corpus.search_dense(pad([1.0]), 5)] == ["1"]
    assert [hit.article_key for hit in await house.search_dense(pad([1.0]), 5)] == ["2"]
    await engine.dispose()
