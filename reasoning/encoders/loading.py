"""From a name in the settings to a loaded encoder or cross-encoder.

Everything is loaded from folders, so no start asks a model hub; call it once per process, after forking
(case F17). The imports of torch and sentence-transformers take seconds and stay inside the functions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reasoning.encoders.cross_encoder import CROSS_ENCODER, CrossScorer
from reasoning.encoders.errors import EncoderError, ModelUnusable, WindowUnknown
from reasoning.encoders.folders import model_folder, packaged_minilm, weights_revision
from reasoning.encoders.sentence_encoder import SentenceEncoder
from storage.encoders import MEDCPT, MINILM, Dtype, EncoderManifest, with_weights

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

T = TypeVar("T")

QUERY_ENCODER = "MedCPT-Query-Encoder"
ARTICLE_ENCODER = "MedCPT-Article-Encoder"
_HUB = "ncbi"


def load_encoder(
    name: str,
    *,
    models_dir: Path | None = None,
    dtype: Dtype = "float32",
    allow_download: bool = False,
    window: int | None = None,
) -> SentenceEncoder:
    """`minilm` (from its package), `medcpt` (two folders below `models_dir`), or the name of a folder there.

    Any other folder is one that sentence-transformers saved; `window` (tokens) is for a model that states
    none. Only MedCPT is ever downloaded, into `models_dir`.

    Raises ModelMissing, ModelUnusable, WindowUnknown.
    """
    if name == MINILM.name:
        folder = packaged_minilm()
        tower = _loaded(folder, lambda: _saved_tower(folder, dtype))
        return _fitted(MINILM, folder, tower, tower, dtype)
    if name == MEDCPT.name:
        query, article = (
            model_folder(models_dir, part, hub=f"{_HUB}/{part}", allow_download=allow_download)
            for part in (QUERY_ENCODER, ARTICLE_ENCODER)
        )
        towers = (
            _loaded(query, lambda: _cls_tower(query, MEDCPT.query_max_tokens, dtype)),
            _loaded(article, lambda: _cls_tower(article, MEDCPT.passage_max_tokens, dtype)),
        )
        return _fitted(MEDCPT, article, *towers, dtype, folders=(query, article))
    folder = model_folder(models_dir, name)
    if not (folder / "modules.json").is_file():
        raise ModelUnusable(folder, "modules.json is missing, so its pooling is unknown")
    tower = _loaded(folder, lambda: _saved_tower(folder, dtype))
    return _fitted(_describe(name, folder, tower, window), folder, tower, tower, dtype)


def load_wide_minilm(window: int, *, dtype: Dtype = "float32") -> SentenceEncoder:
    """MiniLM reading up to 512 tokens, for measuring: its weights have places for them, but it was trained on
    shorter texts and its maker sets 256. Raises ModelMissing, ModelUnusable."""
    folder = packaged_minilm()
    tower = _loaded(folder, lambda: _saved_tower(folder, dtype))
    tower.max_seq_length = window
    manifest = replace(MINILM, query_max_tokens=window, passage_max_tokens=window)
    return _fitted(manifest, folder, tower, tower, dtype)


def load_cross_scorer(
    *, models_dir: Path | None, dtype: Dtype = "float32", allow_download: bool = False
) -> CrossScorer:
    """MedCPT's cross-encoder. Raises ModelMissing, ModelUnusable."""
    folder = model_folder(
        models_dir, CROSS_ENCODER, hub=f"{_HUB}/{CROSS_ENCODER}", allow_download=allow_download
    )

    def load() -> CrossScorer:
        from sentence_transformers import CrossEncoder

        model = CrossEncoder(
            str(folder), device="cpu", local_files_only=True, max_length=512, model_kwargs=_weights(dtype)
        )
        if model.num_labels != 1:
            raise ModelUnusable(folder, f"it gives {model.num_labels} scores a pair, not one")
        return CrossScorer(model)

    return _loaded(folder, load)


def _saved_tower(folder: Path, dtype: Dtype) -> SentenceTransformer:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True, model_kwargs=_weights(dtype))


def _cls_tower(folder: Path, window: int, dtype: Dtype) -> SentenceTransformer:
    """A plain BERT would be given mean pooling without a word; MedCPT's vector is the one at [CLS]."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    kwargs = {"local_files_only": True}
    body = Transformer(
        str(folder),
        max_seq_length=window,
        model_kwargs={**kwargs, **_weights(dtype)},
        processor_kwargs=kwargs,
        config_kwargs=kwargs,
    )
    pooling = Pooling(body.get_embedding_dimension(), pooling_mode="cls")
    return SentenceTransformer(modules=[body, pooling], device="cpu", similarity_fn_name="dot")


def _describe(name: str, folder: Path, tower: SentenceTransformer, window: int | None) -> EncoderManifest:
    """The manifest of a model we do not ship, from what its own files say."""
    from sentence_transformers.base.modules import Normalize
    from sentence_transformers.sentence_transformer.modules import Pooling

    pooling = next((module.pooling_mode for module in tower if isinstance(module, Pooling)), None)
    if pooling is None:
        raise ModelUnusable(folder, "it has no pooling module")
    window = window or tower.max_seq_length
    if not window or window > 1_000_000:  # transformers says "unknown" by a very large number
        raise WindowUnknown(f"{folder}.")
    tower.max_seq_length = window
    prompts = tower.prompts
    return EncoderManifest(
        name=name,
        revision="",
        dimensions=tower.get_embedding_dimension() or 0,
        pooling=str(pooling),
        query_max_tokens=window,
        passage_max_tokens=window,
        distance="inner_product" if tower.similarity_fn_name == "dot" else "cosine",
        normalised=any(isinstance(module, Normalize) for module in tower),
        dtype="float32",
        title_pair=False,
        query_prefix=prompts.get("query") or "",
        passage_prefix=prompts.get("document") or prompts.get("passage") or "",
        table=f"embedding_{re.sub(r'[^a-z0-9]+', '_', name.lower()).strip('_')}",
    )


def _fitted(
    manifest: EncoderManifest,
    folder: Path,
    query_tower: SentenceTransformer,
    passage_tower: SentenceTransformer,
    dtype: Dtype,
    *,
    folders: tuple[Path, ...] = (),
) -> SentenceEncoder:
    """The encoder, if the weights are what the manifest says: found at the start, not at the first insert."""
    for tower, window in (
        (query_tower, manifest.query_max_tokens),
        (passage_tower, manifest.passage_max_tokens),
    ):
        if (found := tower.get_embedding_dimension()) != manifest.dimensions:
            raise ModelUnusable(
                folder, f"vectors of {found} numbers where {manifest.dimensions} are expected"
            )
        reads = min(tower.max_seq_length or 0, _positions(tower))
        if reads < window:
            raise ModelUnusable(folder, f"it reads {reads} tokens where {window} are expected")
    revision = weights_revision(*(folders or (folder,)))
    return SentenceEncoder(with_weights(manifest, revision, dtype), query_tower, passage_tower)


def _positions(tower: SentenceTransformer) -> float:
    """How many tokens the weights have places for; the length that was asked for does not change that."""
    config = getattr(getattr(tower[0], "auto_model", None), "config", None)
    return getattr(config, "max_position_embeddings", None) or math.inf


def _weights(dtype: Dtype) -> dict[str, object]:
    import torch

    return {"dtype": getattr(torch, dtype)}


def _loaded(folder: Path, load: Callable[[], T]) -> T:
    """What `load` returns; whatever the libraries raise over broken files becomes one message."""
    from transformers.utils import logging

    # It draws on the terminal of whoever asked a question.
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        return load()
    except EncoderError:
        raise
    except Exception as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelUnusable(folder, f"it cannot be loaded ({reason})") from error
