"""MiniLM from its package, and random models of MedCPT's shape (one layer, few words) in a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reasoning.encoders import CrossScorer, load_cross_scorer, load_encoder
from reasoning.encoders.sentence_encoder import SentenceEncoder

VOCABULARY = """[PAD] [UNK] [CLS] [SEP] [MASK]
aspirin thins the blood fever in children is common ? . , a b c""".split()  # noqa: SIM905

SaveTinyBert = Callable[..., None]


@pytest.fixture(scope="session")
def models_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    for seed, name in enumerate(["MedCPT-Query-Encoder", "MedCPT-Article-Encoder", "MedCPT-Cross-Encoder"]):
        _save(folder / name, seed=seed, scores="Cross" in name)
    return folder


@pytest.fixture(scope="session")
def save_tiny_bert() -> SaveTinyBert:
    """save_tiny_bert(folder, seed=0, scores=False, **config): another model."""
    return _save


@pytest.fixture(scope="session")
def medcpt(models_dir: Path) -> SentenceEncoder:
    return load_encoder("medcpt", models_dir=models_dir)


@pytest.fixture(scope="session")
def scorer(models_dir: Path) -> CrossScorer:
    return load_cross_scorer(models_dir=models_dir)


def _save(folder: Path, *, seed: int = 0, scores: bool = False, **config: int) -> None:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    torch.manual_seed(seed)
    shape: dict[str, Any] = {
        "hidden_size": 768,
        "num_hidden_layers": 1,
        "num_attention_heads": 12,
        "intermediate_size": 64,
        "max_position_embeddings": 512,
        "num_labels": 1,
        "initializer_range": 0.3,
    }
    settings = BertConfig(vocab_size=len(VOCABULARY), **{**shape, **config})
    (BertForSequenceClassification if scores else BertModel)(settings).save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY))
    BertTokenizer(str(folder / "vocab.txt"), model_max_length=512).save_pretrained(folder)
