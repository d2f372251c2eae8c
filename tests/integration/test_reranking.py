"""The lexical reranker on passages that the corpus holds, with the vectors that are stored there."""

from __future__ import annotations

import pytest

from reasoning.encoders import AsyncEncoder, Encoder
from reasoning.retrieval.reranking import LexicalReranker, stored_similarity
from storage.corpus import Corpus
from tests.integration.storage.documents import article, load

QUESTION = "Do wool socks keep feet warm?"


async def test_similarity_is_that_of_the_stored_vectors(corpus: Corpus, minilm: Encoder) -> None:
    texts = ["Wool socks kept feet warm in winter.", "Gout attacks are treated with colchicine."]
    await load(corpus, minilm, [article(str(n), text, title="") for n, text in enumerate(texts)])
    encoder = AsyncEncoder(minilm)
    asked = minilm.encode_query(QUESTION).vector
    hits = await corpus.search_dense(asked, 5)
    found = await corpus.read_passages([hit.passage_id for hit in hits])
    passages = [found[hit.passage_id] for hit in reversed(hits)]
    measure = stored_similarity(corpus, encoder)
    assert list(await measure(QUESTION, passages)) == pytest.approx([hit.score for hit in reversed(hits)])
    scores = await LexicalReranker(measure).rank(QUESTION, passages)
    assert scores[1] > scores[0]
    await encoder.close()
