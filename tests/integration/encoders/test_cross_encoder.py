from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from reasoning.encoders import CrossScorer, ModelMissing, ModelUnusable, TextTooLong, load_cross_scorer

SaveTinyBert = Callable[..., None]


def reference(folder: Path, question: str, text: str) -> float:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(folder))
    model = AutoModelForSequenceClassification.from_pretrained(str(folder)).eval()
    with torch.inference_mode():
        return float(model(**tokenizer(question, text, return_tensors="pt")).logits[0, 0])


def test_scores_are_raw_logits_of_question_and_titled_text_in_the_order_given(
    scorer: CrossScorer, models_dir: Path
) -> None:
    passages = [("aspirin", "thins the blood . " * 20), ("", "fever"), ("is fever common ?", "in children")]
    laid_out = ["aspirin. " + "thins the blood . " * 20, "fever", "is fever common ? in children"]
    scores = scorer.score("is fever common ?", passages)
    folder = models_dir / "MedCPT-Cross-Encoder"
    expected = [reference(folder, "is fever common ?", text) for text in laid_out]
    assert np.allclose(scores, expected, atol=1e-4)
    assert not all(0 <= score <= 1 for score in scores)


def test_a_full_passage_fits_with_the_longest_question_and_the_title_gives_way(scorer: CrossScorer) -> None:
    question, title = "fever " * 63 + "?", "aspirin " * 64
    assert scorer.measure(question, [(title, "blood " * 445)]) == [512]
    assert scorer.measure("fever ?", [(title, "blood " * 450)]) == [512]
    assert len(scorer.score(question, [(title, "blood " * 445)])) == 1
    with pytest.raises(TextTooLong):
        scorer.score(question, [("", "blood " * 446)])


def test_a_long_question_is_shortened_to_the_question_itself(scorer: CrossScorer) -> None:
    short = scorer.shorten_question("the blood is common . " * 30 + "is fever common ?")
    assert short.shortened
    assert short.kept.endswith("is fever common ?")


def test_nothing_to_score(scorer: CrossScorer) -> None:
    assert scorer.score("fever ?", []) == []


def test_a_classifier_with_many_labels_is_refused(tmp_path: Path, save_tiny_bert: SaveTinyBert) -> None:
    save_tiny_bert(tmp_path / "MedCPT-Cross-Encoder", scores=True, num_labels=3)
    with pytest.raises(ModelUnusable, match="it gives 3 scores a pair"):
        load_cross_scorer(models_dir=tmp_path)


def test_a_missing_cross_encoder_names_its_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=str(tmp_path / "MedCPT-Cross-Encoder")):
        load_cross_scorer(models_dir=tmp_path)
