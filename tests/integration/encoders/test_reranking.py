"""The rerankers that have a model of their own, through real models."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from reasoning.encoders import EncoderError, ModelThread, load_encoder
from reasoning.retrieval.reranking import Judge, load_reranker
from storage.corpus.reading import StoredPassage
from storage.documents import Article, Passage


def passage(title: str, text: str) -> StoredPassage:
    own = Passage(doc_id="d", idx=0, text=text, start=0, own_start=0, end=len(text), n_tokens=9)
    return StoredPassage(0, own, Article(doc_id="d", title=title, source="test"), 1)


PASSAGES = [
    passage("Fever", "fever in children is common"),
    passage("Aspirin", "aspirin thins the blood"),
]


async def unknown(question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
    raise NotImplementedError


async def test_a_second_encoder_ranks_and_keeps_no_question(tmp_path: Path) -> None:
    thread = ModelThread()
    reranker = load_reranker("minilm", unknown, vectors=tmp_path, thread=thread)
    scores = await reranker.rank("Does aspirin thin blood?", PASSAGES)
    encoder = load_encoder("minilm")
    wanted = encoder.encode_passages([(each.article.title, each.passage.text) for each in PASSAGES])
    assert list(scores) == pytest.approx(
        list(wanted @ encoder.encode_query("Does aspirin thin blood?").vector), abs=1e-4
    )
    assert scores[1] > scores[0]
    assert await reranker.rank("Nothing?", []) == []
    await thread.close()
    with sqlite3.connect(tmp_path / "minilm.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (len(PASSAGES),)


async def test_the_cross_encoder_gives_logits_and_judges(models_dir: Path, tmp_path: Path) -> None:
    thread = ModelThread()
    name = "MedCPT-Cross-Encoder"
    reranker = load_reranker(name, unknown, vectors=tmp_path, thread=thread, models_dir=models_dir)
    scores = await reranker.rank("is aspirin common ?", PASSAGES)
    assert len(scores) == 2
    assert reranker.name == name
    assert isinstance(reranker, Judge)
    await thread.close()


def test_a_model_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EncoderError):
        load_reranker(
            "all-mpnet-base-v2", unknown, vectors=tmp_path, thread=ModelThread(), models_dir=tmp_path
        )
