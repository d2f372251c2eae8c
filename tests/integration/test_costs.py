"""What a question and a load cost, by their causes: statements, plans, characters embedded. No times."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date

import numpy as np
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from reasoning.encoders import AsyncEncoder, Encoder
from reasoning.evidence import Question
from reasoning.llm import Budget, RulesOnly
from reasoning.methods.cometa import PRODUCT
from reasoning.methods.cometa.adapting import adapt
from reasoning.methods.cometa.strategy import plan_levels
from reasoning.retrieval.hybrid import HybridRetrieval
from reasoning.retrieval.local_literature import LocalLiterature
from reasoning.retrieval.segmentation import SeosParams, document_text, segment_many
from reasoning.rewriting import rewrite
from reasoning.trace import Trace
from storage.corpus import Corpus
from storage.corpus.terms import count_terms
from storage.database import connect, create_engine
from storage.encoders import MINILM
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import article, counted, cut

MOST = 7  # weigh and find words, find vectors, both scores of the union, read, ask after retractions


@pytest.fixture(scope="module")
async def engine(new_database: NewDatabase) -> AsyncIterator[AsyncEngine]:
    """300 passages, three of them an article; every word is in many of them."""
    engine = create_engine(new_database("corpus"))
    random = np.random.default_rng(3)
    words = "wool socks keep feet warm hats ears cold nights winter felt".split()  # noqa: SIM905
    cuts = []
    for number in range(100):
        texts = [" ".join(random.choice(words, 12)) for _ in range(3)]
        cuts.append(cut(str(number), texts, list(random.normal(size=(3, MINILM.dimensions)))))
    corpus = Corpus(engine, MINILM)
    await corpus.replace(cuts, "test")
    await corpus.optimise()
    yield engine
    await engine.dispose()


async def test_statements_of_a_question(engine: AsyncEngine, minilm: Encoder) -> None:
    """Few, and the same for one passage as for eight; articles are not counted each time."""
    encoder = AsyncEncoder(minilm)
    retrieval = HybridRetrieval(Corpus(engine, MINILM), encoder)
    sent: list[list[str]] = []
    for limit in (1, 1, 8):
        with counted(engine) as statements:
            found = await retrieval.retrieve(Question("Do wool socks warm giraffes?"), limit, Trace())
        assert len(found.evidence) == limit
        assert found.searched == {"pubmed": 100}
        sent.append([statement for statement in statements if statement != "BEGIN"])
    await encoder.close()
    first, second, third = sent
    assert len(first) == len(second) + 1
    assert len(second) == len(third) <= MOST
    assert not any("set_config" in statement for statement in second)


async def test_statements_of_the_levels(engine: AsyncEngine) -> None:
    """Two to put a question into concepts, two a search; misspelt words read the vocabulary once."""
    corpus = Corpus(engine, MINILM)
    for question, read in (("Do wool socks warm cold ears?", 0), ("Do wool soccks warm ears?", 1)):
        with counted(engine) as statements:
            found = await rewrite(question, "en", corpus, RulesOnly(), Budget(), Trace())
            levels = plan_levels(found.value, found.vocabulary, date(2026, 1, 1))
            symbolic = await adapt(levels, [LocalLiterature(corpus)], PRODUCT, Trace())
        assert symbolic.hits
        sent = [statement for statement in statements if statement != "BEGIN"]
        assert len(sent) == 2 + read + 2 * len(symbolic.runs)


async def test_counts_follow_a_load(engine: AsyncEngine) -> None:
    """Kept for a minute, but not beyond a load of one's own."""
    corpus = Corpus(engine, MINILM)
    assert await corpus.count_articles() == {"pubmed": 100}
    await corpus.replace([cut("one more", source="library")], "test")
    assert await corpus.count_articles() == {"library": 1, "pubmed": 100}
    await corpus.remove_missing("library", [])
    assert await corpus.count_articles() == {"pubmed": 100}


async def explain(engine: AsyncEngine, statement: str, params: object, *without: str) -> str:
    """The plan, without a sequential scan, and without what cannot be weighed on a few rows."""
    async with connect(engine) as connection:
        await connection.execute(text("SET LOCAL enable_seqscan = off"))
        for change in without:
            await connection.execute(text(change))
        plan = await connection.exec_driver_sql(f"EXPLAIN {statement}", params)  # type: ignore[arg-type]
        lines = "\n".join(plan.scalars())
        await connection.rollback()
        return lines


async def test_indexes_serve_words_and_withdrawals(engine: AsyncEngine) -> None:
    """The statements as sent: postings by primary key, retracted articles without reading the others."""
    corpus = Corpus(engine, MINILM)
    terms = await corpus.weigh_terms(count_terms("warm wool socks"))
    with counted(engine) as sent:
        await corpus.search_lexical(terms, 5)
        await corpus.find_withdrawn(["wool", "socks"])
    words, withdrawn = (statement for statement in sent if statement != "BEGIN")
    params = {"terms": ["wool"], "weights": [1.0], "base": 0.5, "slope": 0.01, "limit": 5, "candidates": 100}
    plan = await explain(engine, words, params)
    assert "Index Scan using pk_lexical_postings" in plan
    assert "Seq Scan" not in plan
    plan = await explain(engine, withdrawn, {"query": "wool | socks"}, "DROP INDEX ix_articles_withdrawn")
    assert "ix_articles_withdrawn_words" in plan


def test_characters_embedded_to_cut(minilm: Encoder) -> None:
    """Each sentence of a long text at most once, none of a text that fits one passage (methods.md 1.6)."""
    sentences = [f"In winter {n} the {n * 7}th walker wore socks of wool and of felt." for n in range(150)]
    articles = [article("1", " ".join(sentences)), article("2", "Short and warm.")]
    limit, target = minilm.budget
    before = minilm.counts.of("sentence").characters
    pieces = segment_many(articles, minilm, SeosParams(b_max=limit, b=target))
    embedded = minilm.counts.of("sentence").characters - before
    assert len(pieces[0]) > 5
    assert 0.9 < embedded / len(document_text(articles[0])) <= 1.05
