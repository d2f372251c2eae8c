"""From one encoder to another (case F21), on a real corpus with weights that mean nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import library
from bot.app import open_assistant
from bot.encoding import embed_for
from config import Settings, load_settings
from storage.errors import EncoderMismatch
from tests.integration.embedded import FAST, new_home
from tests.integration.encoders.conftest import SaveTinyBert

QUESTION = "How is gout treated?"


PAGES = ("gout", "statins", "asthma", "anemia")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, models_dir: Path, tmp_path: Path) -> Iterator[Path]:
    """A home with four pages of the library, so that embedding them again and again is quick."""
    from storage.postgres import ensure_server

    for page in PAGES:
        shutil.copy(library.LIBRARY / f"lib-{page}.md", tmp_path)
    monkeypatch.setattr(library, "LIBRARY", tmp_path)
    with new_home() as place, ensure_server(place, options=FAST, linger=0.0):
        monkeypatch.setenv("CARECITE_HOME", str(place))
        monkeypatch.setenv("CARECITE_MODELS_DIR", str(models_dir))
        yield place


def settings_for(monkeypatch: pytest.MonkeyPatch, encoder: str) -> Settings:
    monkeypatch.setenv("CARECITE_ENCODER", encoder)
    return load_settings()


async def test_medcpt_is_embedded_beside_minilm_and_then_asked(home: Path, monkeypatch: pytest.MonkeyPatch):
    async with open_assistant(settings_for(monkeypatch, "minilm")) as (assistant, workshop):
        before = await assistant.answer(QUESTION, offline=True)
        assert workshop.corpus.unembedded == 0
    said: list[str] = []
    count = await embed_for(load_settings(), "medcpt", said.append)
    assert count >= len(PAGES)
    async with open_assistant(settings_for(monkeypatch, "medcpt"), said.append) as (assistant, workshop):
        assert workshop.corpus.unembedded == 0
        answered = await assistant.answer(QUESTION, offline=True)
        assert answered.answer.degraded == []
    assert not before.answer.answer.abstained


async def test_an_encoder_without_an_index_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch, models_dir: Path, save_tiny_bert: SaveTinyBert
):
    save_sentence_model(models_dir / "house-model", save_tiny_bert)
    with pytest.raises(EncoderMismatch, match="house-model"):
        async with open_assistant(settings_for(monkeypatch, "house-model")):
            pass
    await embed_for(load_settings(), "house-model", lambda _: None)
    async with open_assistant(load_settings()) as (assistant, _):
        answered = await assistant.answer(QUESTION, offline=True)
        assert answered.answer.degraded == []


def save_sentence_model(folder: Path, save_tiny_bert: SaveTinyBert) -> None:
    """A model as sentence-transformers saves it, with mean pooling and vectors of 96 numbers."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    save_tiny_bert(folder.with_name("plain"), hidden_size=96, num_attention_heads=4)
    body = Transformer(str(folder.with_name("plain")), max_seq_length=512)
    pooling = Pooling(body.get_embedding_dimension(), pooling_mode="mean")
    SentenceTransformer(modules=[body, pooling], device="cpu").save(str(folder))
