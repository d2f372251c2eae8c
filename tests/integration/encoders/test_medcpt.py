from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reasoning.encoders import CountMismatch, ModelUnusable, TextTooLong, load_encoder
from reasoning.encoders.errors import BadVector, ModelMissing, WindowUnknown
from reasoning.encoders.sentence_encoder import SentenceEncoder

SaveTinyBert = Callable[..., None]


def reference(folder: Path, *texts: str) -> np.ndarray:
    """The last hidden state at [CLS], straight from transformers."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(folder))
    model = AutoModel.from_pretrained(str(folder)).eval()
    with torch.inference_mode():
        inputs = tokenizer(*texts, return_tensors="pt")
        vector: np.ndarray = model(**inputs).last_hidden_state[0, 0].numpy()
    return vector


def test_an_article_is_a_pair_of_title_and_text_read_at_cls(
    medcpt: SentenceEncoder, models_dir: Path
) -> None:
    passages = [
        ("aspirin thins the blood", "fever in children is common . " * 5),
        ("", "the blood is common ."),
    ]
    vectors = medcpt.encode_passages(passages)
    for vector, (title, text) in zip(vectors, passages, strict=True):
        assert np.allclose(vector, reference(models_dir / "MedCPT-Article-Encoder", title, text), atol=1e-5)
    joined = reference(models_dir / "MedCPT-Article-Encoder", " ".join(passages[0]))
    assert not np.allclose(vectors[0], joined, atol=1e-3)


def test_a_question_goes_through_the_other_tower(medcpt: SentenceEncoder, models_dir: Path) -> None:
    question = "is fever common ?"
    vector = medcpt.encode_query(question).vector
    assert np.allclose(vector, reference(models_dir / "MedCPT-Query-Encoder", question), atol=1e-5)
    assert not np.allclose(vector, medcpt.encode_sentences([question])[0], atol=1e-3)


def test_sentences_go_through_the_article_tower(medcpt: SentenceEncoder, models_dir: Path) -> None:
    expected = reference(models_dir / "MedCPT-Article-Encoder", "fever is common .")
    assert np.allclose(medcpt.encode_sentences(["fever is common ."])[0], expected, atol=1e-5)


def test_vectors_keep_their_length(medcpt: SentenceEncoder) -> None:
    lengths = np.linalg.norm(medcpt.encode_passages([("a", "fever"), ("b", "blood in the blood")]), axis=1)
    assert not medcpt.manifest.normalised
    assert medcpt.manifest.distance == "inner_product"
    assert abs(lengths - 1).min() > 0.1


def test_windows_are_64_and_512(medcpt: SentenceEncoder) -> None:
    full = "blood " * (512 - 3 - 1)
    assert medcpt.measure_passages([("aspirin", full)]) == [512]
    assert medcpt.encode_passages([("aspirin", full)]).shape == (1, 768)
    with pytest.raises(TextTooLong):
        medcpt.encode_passages([("aspirin", full + "fever")])
    assert not medcpt.encode_query("fever " * 62).question.shortened
    assert medcpt.encode_query("fever " * 63).question.dropped_tokens == 1
    assert medcpt.budget == (445, 356)


def test_revision_follows_the_weights_of_both_towers(
    medcpt: SentenceEncoder, tmp_path: Path, save_tiny_bert: SaveTinyBert
) -> None:
    save_tiny_bert(tmp_path / "MedCPT-Query-Encoder", seed=9)
    save_tiny_bert(tmp_path / "MedCPT-Article-Encoder", seed=1)
    other = load_encoder("medcpt", models_dir=tmp_path)
    assert len(medcpt.manifest.revision) == 12
    assert not other.manifest.matches(medcpt.manifest)


@pytest.mark.parametrize(
    ("shape", "reason"),
    [
        ({"hidden_size": 48}, "vectors of 48 numbers where 768"),
        ({"max_position_embeddings": 128}, "reads 128 tokens"),
    ],
)
def test_a_tower_of_another_shape_is_found_at_the_start(
    tmp_path: Path, save_tiny_bert: SaveTinyBert, shape: dict[str, int], reason: str
) -> None:
    save_tiny_bert(tmp_path / "MedCPT-Query-Encoder")
    save_tiny_bert(tmp_path / "MedCPT-Article-Encoder", **shape)
    with pytest.raises(ModelUnusable, match=reason):
        load_encoder("medcpt", models_dir=tmp_path)


def test_broken_weights_are_one_message_with_the_folder(tmp_path: Path, save_tiny_bert: SaveTinyBert) -> None:
    for name in ("MedCPT-Query-Encoder", "MedCPT-Article-Encoder"):
        save_tiny_bert(tmp_path / name)
    (tmp_path / "MedCPT-Query-Encoder" / "model.safetensors").write_bytes(b"half a download")
    with pytest.raises(ModelUnusable, match="MedCPT-Query-Encoder: it cannot be loaded"):
        load_encoder("medcpt", models_dir=tmp_path)


def test_a_pointer_in_place_of_the_weights_is_recognised(
    tmp_path: Path, save_tiny_bert: SaveTinyBert
) -> None:
    save_tiny_bert(tmp_path / "MedCPT-Query-Encoder")
    (tmp_path / "MedCPT-Query-Encoder" / "model.safetensors").write_text(
        "version https://git-lfs.github.com/spec/v1"
    )
    with pytest.raises(ModelMissing, match="Git LFS pointer") as caught:
        load_encoder("medcpt", models_dir=tmp_path)
    assert "git lfs pull" in caught.value.remedy


def test_a_folder_that_does_not_say_how_it_pools_is_refused(
    tmp_path: Path, save_tiny_bert: SaveTinyBert
) -> None:
    save_tiny_bert(tmp_path / "plain")
    with pytest.raises(ModelUnusable, match=r"modules\.json"):
        load_encoder("plain", models_dir=tmp_path)


def test_a_model_without_a_window_needs_one_from_the_settings(
    tmp_path: Path, save_tiny_bert: SaveTinyBert
) -> None:
    save_windowless(tmp_path / "open", save_tiny_bert)
    with pytest.raises(WindowUnknown):
        load_encoder("open", models_dir=tmp_path)
    encoder = load_encoder("open", models_dir=tmp_path, window=100)
    assert encoder.measure_passages([("", "blood " * 98)]) == [100]
    with pytest.raises(TextTooLong):
        encoder.encode_passages([("", "blood " * 99)])


def test_one_damaged_word_spoils_one_vector(tmp_path: Path, save_tiny_bert: SaveTinyBert) -> None:
    import torch

    for name in ("MedCPT-Query-Encoder", "MedCPT-Article-Encoder"):
        save_tiny_bert(tmp_path / name)
    encoder = load_encoder("medcpt", models_dir=tmp_path)
    tower = encoder._passage_tower
    with torch.no_grad():
        body: Any = tower[0]
        embeddings = body.auto_model.embeddings.word_embeddings
        embeddings.weight[tower.tokenizer.convert_tokens_to_ids("fever")] = torch.nan
    passages = [("", "the blood " * 9), ("", "a fever"), ("", "aspirin")]
    with pytest.raises(BadVector) as caught:
        encoder.encode_passages(passages)
    assert caught.value.positions == (1,)
    good = encoder.encode_passages([passages[0], passages[2]])
    assert np.allclose(caught.value.vectors[[0, 2]], good, atol=1e-5)


def test_a_model_that_loses_a_text_is_found_out(medcpt: SentenceEncoder) -> None:
    class Loses(type(medcpt._passage_tower)):  # type: ignore[misc]
        def encode(self, *args: object, **kwargs: object) -> np.ndarray:
            vectors: np.ndarray = super().encode(*args, **kwargs)[:-1]
            return vectors

    loses = Loses(modules=list(medcpt._passage_tower), device="cpu")
    with pytest.raises(CountMismatch, match="2 texts, 1 results"):
        SentenceEncoder(medcpt.manifest, loses, loses).encode_passages([("", "fever"), ("", "blood")])


def save_windowless(folder: Path, save_tiny_bert: SaveTinyBert) -> None:
    """A T5 encoder: relative positions, so neither model nor tokenizer states a length."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import AutoTokenizer, T5Config, T5EncoderModel

    save_tiny_bert(folder / "tokenizer")
    tokenizer = AutoTokenizer.from_pretrained(str(folder / "tokenizer"), model_max_length=None)
    body = folder / "body"
    T5EncoderModel(
        T5Config(vocab_size=len(tokenizer), d_model=16, d_kv=4, num_heads=4, num_layers=1, d_ff=16)
    ).save_pretrained(body)
    tokenizer.save_pretrained(body)
    transformer = Transformer(str(body))
    model = SentenceTransformer(modules=[transformer, Pooling(16, pooling_mode="mean")], device="cpu")
    model.save(str(folder), create_model_card=False)
