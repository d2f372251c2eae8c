from pathlib import Path

import numpy as np
import pytest

from reasoning.encoders import TextTooLong, load_encoder
from reasoning.encoders.folders import packaged_minilm
from reasoning.encoders.sentence_encoder import SentenceEncoder
from storage.encoders import MINILM


def test_the_packaged_weights_are_those_of_the_shipped_manifest(minilm: SentenceEncoder) -> None:
    assert minilm.manifest == MINILM


def test_vectors_are_those_of_sentence_transformers_in_the_order_given(minilm: SentenceEncoder) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(packaged_minilm()), device="cpu")
    passages = [("Gout", "Colchicine helps. " * n) for n in (20, 1, 7)] + [("", "Untitled text.")]
    expected = model.encode([f"{title} {text}".strip() for title, text in passages])
    assert np.allclose(minilm.encode_passages(passages), expected, atol=1e-5)
    assert np.allclose(minilm.encode_query("Does it help?").vector, model.encode("Does it help?"), atol=1e-5)


def test_the_right_passage_is_found(minilm: SentenceEncoder) -> None:
    passages = [
        ("Migraine", "Propranolol lowers the number of migraine attacks a month."),
        ("Gout", "Allopurinol lowers uric acid and prevents attacks of gout."),
        ("Asthma", "Inhaled steroids prevent exacerbations of asthma."),
    ]
    scores = minilm.encode_passages(passages) @ minilm.encode_query("how can I prevent gout?").vector
    assert scores.argmax() == 1


def test_counting_agrees_with_the_models_own_tokenizer(minilm: SentenceEncoder) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(packaged_minilm()))
    texts = ["", "NSAIDs, e.g. ibuprofen", "p.Gln1756Profs*74", "二甲双胍", "word " * 300]
    expected = [len(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in texts]
    assert minilm.count_tokens(texts) == expected
    assert (minilm.special_tokens(False), minilm.special_tokens(True)) == (2, 3)


def test_a_passage_of_the_full_budget_with_the_longest_title_fits_and_one_word_more_does_not(
    minilm: SentenceEncoder,
) -> None:
    title = "fever " * 100  # capped at 64
    assert minilm.measure_passages([(title, "drug " * minilm.budget.limit)]) == [256]
    with pytest.raises(TextTooLong, match=r"Window: 256 tokens; no\. 1 \(257 tokens\)\."):
        minilm.encode_passages([("", "short"), (title, "drug " * (minilm.budget.limit + 1))])


def test_the_last_word_of_a_full_window_reaches_the_vector(minilm: SentenceEncoder) -> None:
    words = ["drug"] * 253
    one, other = minilm.encode_passages([("", " ".join([*words, end])) for end in ("death", "cure")])
    assert not np.allclose(one, other, atol=1e-4)


def test_damaged_text_is_cleaned_as_it_is_before_storing(minilm: SentenceEncoder) -> None:
    dirty, clean = minilm.encode_passages([("", "Left\x00right \ud83d."), ("", "Left right \ufffd.")])
    assert np.allclose(dirty, clean, atol=1e-6)
    assert minilm.count_tokens(["Left\x00right \ud83d."]) == minilm.count_tokens(["Left right \ufffd."])


def test_a_sentence_beyond_the_window_is_split_and_its_end_counts(minilm: SentenceEncoder) -> None:
    long = "The dose was raised and " * 100
    one, other, short = minilm.encode_sentences([long + "two died", long + "all slept well", "Two died."])
    assert np.isclose(np.linalg.norm(one), 1, atol=1e-5)
    assert not np.allclose(one, other, atol=1e-4)
    assert np.allclose(short, minilm.encode_passages([("", "Two died.")])[0], atol=1e-5)


def test_a_question_beyond_the_window_is_shortened_and_this_is_told(minilm: SentenceEncoder) -> None:
    asked = "Is ibuprofen safe in pregnancy?"
    found = minilm.encode_query("I walked to the shop with my dog today. " * 60 + asked)
    assert found.question.kept.endswith(asked)
    assert found.question.dropped_tokens > 300
    assert found.vector @ minilm.encode_query(asked).vector > 0.2
    assert not minilm.encode_query(asked).question.shortened


def test_no_texts_give_no_vectors(minilm: SentenceEncoder) -> None:
    assert minilm.encode_passages([]).shape == (0, 384)
    assert minilm.encode_sentences([]).shape == (0, 384)
    assert minilm.encode_queries([]) == []


def test_work_is_counted_by_role() -> None:
    encoder = load_encoder("minilm")
    encoder.encode_passages([("ab", "cdef")])
    encoder.encode_sentences(["abc", "word " * 400])
    encoder.encode_query("abcd")
    assert encoder.counts.of("sentence").texts == 2
    assert encoder.counts.of("sentence").characters == 3 + 5 * 400
    assert encoder.counts.of("passage").texts == encoder.counts.of("query").texts == 1
    assert encoder.counts.encoded == 4


def test_half_precision_is_close_has_unit_length_and_is_another_space(minilm: SentenceEncoder) -> None:
    half = load_encoder("minilm", dtype="bfloat16")
    passages = [("Gout", "Allopurinol lowers uric acid."), ("", "Fever in children is common.")]
    vectors = half.encode_passages(passages)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert ((vectors * minilm.encode_passages(passages)).sum(axis=1) > 0.99).all()
    assert not half.manifest.matches(minilm.manifest)


def test_any_saved_folder_can_serve(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(packaged_minilm()), device="cpu")
    model.prompts = {"query": "query: ", "document": "passage: "}
    model.max_seq_length = 40
    model.save(str(tmp_path / "Our Model"), create_model_card=False)
    encoder = load_encoder("Our Model", models_dir=tmp_path)
    manifest = encoder.manifest
    assert (manifest.dimensions, manifest.pooling, manifest.normalised) == (384, "mean", True)
    assert (manifest.passage_max_tokens, manifest.table) == (40, "embedding_our_model")
    assert np.allclose(
        encoder.encode_query("is it safe?").vector, model.encode("query: is it safe?"), atol=1e-5
    )
    assert np.allclose(
        encoder.encode_passages([("Gout", "Hurts.")])[0], model.encode("passage: Gout Hurts."), atol=1e-5
    )
    assert encoder.measure_passages([("", "drug " * 36)]) == [40]  # the prefix counts: 2 + 2 + 36
    with pytest.raises(TextTooLong):
        encoder.encode_passages([("", "drug " * 37)])
