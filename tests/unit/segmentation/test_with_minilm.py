"""The embedded model: nothing of a long text is lost to its window (case F16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from reasoning.retrieval.segmentation import SeosParams, document_text, segment, segment_many
from storage.documents import Article, Section


def _article(text: str) -> Article:
    return Article(doc_id="1", title="Sample", source="text", sections=(Section(text),))


def _window_holds(minilm: Any, text: str) -> bool:
    """With its special tokens, by the tokenizer that the model truncates with."""
    ids = minilm.model.tokenizer(text, truncation=False, verbose=False)["input_ids"]
    return bool(len(ids) <= minilm.window)


def test_the_break_is_where_the_topic_changes(minilm: Any) -> None:
    topics = [
        "Iron tablets raise haemoglobin in most people with anaemia. "
        "Tiredness falls within weeks of taking iron. "
        "Low iron stores are refilled after three months of tablets. "
        "Anaemia returns if bleeding goes on. "
        "Ferritin shows how much iron is stored. ",
        "Migraine attacks often start on one side of the head. "
        "Light and noise make the headache of migraine worse. "
        "Triptans stop many migraine attacks early. "
        "Some people see flashing lights before the headache. "
        "A headache diary helps to find what sets off attacks. ",
    ]
    article = _article("".join(topics))
    passages = segment(article, minilm, SeosParams(b_max=90, b=75))
    assert len(passages) == 2
    assert document_text(article)[passages[1].own_start :].startswith("Migraine attacks")


def test_batches_give_the_same_as_single_articles(minilm: Any) -> None:
    text = "Visits were held at home. Diaries of pain were checked by nurses. Sleep was short. "
    articles = [_article(f"Group {n} came first. {text * n * 20}") for n in (1, 2, 3)]
    assert segment_many(articles, minilm) == [segment(article, minilm) for article in articles]


@pytest.mark.shared_data
def test_the_tail_reaches_the_encoder(case_input: Callable[[str], Any], minilm: Any) -> None:
    case = case_input("F16_long_text.json")
    per_filler = minilm.count_tokens([case["filler"]])[0]
    text = f"{case['head']} {case['filler'] * (3 * minilm.window // per_filler + 1)}{case['tail']}"
    passages = segment(_article(text), minilm)
    assert len(passages) >= 3
    assert all(_window_holds(minilm, passage.text) for passage in passages)
    (last,) = [passage.text for passage in passages if case["tail"] in passage.text]
    with_tail, without = minilm.encode_sentences([last, last.replace(case["tail"], "").strip()])
    assert np.dot(with_tail, without) / np.linalg.norm(with_tail) / np.linalg.norm(without) < 0.99


@pytest.mark.shared_data
def test_dense_tokens_never_exceed_the_window(case_input: Callable[[str], Any], minilm: Any) -> None:
    dense = case_input("F16_long_text.json")["dense_tokens"]
    for text in (dense * 40, dense.replace(";", "") * 40):
        passages = segment(_article(text), minilm)
        assert len(passages) > 1
        assert all(_window_holds(minilm, passage.text) for passage in passages)
        assert "".join(passage.text[passage.own_start - passage.start :] for passage in passages) == text
