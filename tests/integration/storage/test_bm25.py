"""The lexical index against BM25 written out plainly, over the same terms."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from storage.corpus import EVERYTHING, Corpus, Filters
from storage.corpus import lexical as lexical_index
from storage.corpus.terms import count_terms
from storage.database import create_engine
from storage.documents import PartialDate
from storage.encoders import MINILM
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import cut, doc_ids, query

K1, B = 0.9, 0.4


def bm25(documents: Mapping[str, str], asked: str) -> dict[str, float]:
    """Scores of the documents that share a term with the question."""
    terms = {doc_id: count_terms(words) for doc_id, words in documents.items()}
    n = len(terms)
    average = sum(sum(counts.values()) for counts in terms.values()) / n
    scores: dict[str, float] = {}
    for term, times in count_terms(asked).items():
        df = sum(term in counts for counts in terms.values())
        idf = math.log(1 + (n - df + 0.5) / (df + 0.5))
        for doc_id, counts in terms.items():
            if tf := counts[term]:
                length = sum(counts.values())
                part = tf * (K1 + 1) / (tf + K1 * (1 - B + B * length / average))
                scores[doc_id] = scores.get(doc_id, 0.0) + times * idf * part
    return scores


def generate(count: int, seed: int, *, vocabulary: int = 200, longest: int = 40) -> dict[str, str]:
    """Documents of made-up words, whose frequencies fall as in natural text (Zipf)."""
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, vocabulary + 1)
    lengths = random.integers(1, longest, count)
    words = random.choice(vocabulary, size=lengths.sum(), p=weights / weights.sum())
    parts = np.split(words, np.cumsum(lengths)[:-1])
    return {str(n): " ".join(f"zq{word}" for word in part) for n, part in enumerate(parts)}


QUESTIONS = ["zq0 zq5 zq150", "zq3", "zq7 zq7 zq7 zq90", "zq199 zq198 zq197 zq1", "zq2 nowhere zq60"]


async def store(corpus: Corpus, documents: Mapping[str, str], size: int = 1000) -> None:
    items = list(documents.items())
    for start in range(0, len(items), size):
        await corpus.replace([cut(doc_id, [words]) for doc_id, words in items[start : start + size]], "test")


async def scores_of(
    corpus: Corpus, asked: str, limit: int = 10_000, filters: Filters = EVERYTHING
) -> dict[str, float]:
    terms = await corpus.weigh_terms(count_terms(asked))
    hits = await corpus.search_lexical(terms, limit, filters)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(hit.score < terms.ceiling for hit in hits)
    return {hit.article_key: hit.score for hit in hits}


async def check_exact(corpus: Corpus, url: str, documents: Mapping[str, str]) -> None:
    names = doc_ids(url)
    for asked in QUESTIONS:
        wanted = bm25(documents, asked)
        assert await scores_of(corpus, asked) == pytest.approx(wanted, abs=1e-4)
        assert await scores_of(corpus, asked, 7) == pytest.approx(best(wanted, 7, names), abs=1e-4)
        terms = await corpus.weigh_terms(count_terms(asked))
        given_ids = {key: wanted[name] for key, name in names.items() if name in wanted}
        assert await corpus.score_lexical(terms, list(names)) == pytest.approx(given_ids, abs=1e-4)


def best(scores: Mapping[str, float], limit: int, names: Mapping[int, str]) -> dict[str, float]:
    """The first `limit`; ties go to the smaller passage id."""
    place = {name: key for key, name in names.items()}
    order = sorted(scores, key=lambda name: (-round(scores[name], 9), place[name]))
    return {name: scores[name] for name in order[:limit]}


async def test_exact_scores(corpus: Corpus, corpus_url: str) -> None:
    documents = generate(300, seed=1)
    await store(corpus, documents)
    await check_exact(corpus, corpus_url, documents)


async def test_exact_after_many_segments(corpus: Corpus, corpus_url: str) -> None:
    """Twenty loads: segments of several sizes, some merged on the way."""
    documents = generate(300, seed=2)
    await store(corpus, documents, size=15)
    ((segments, passages),) = query(corpus_url, "SELECT count(*), sum(passages) FROM lexical_segments")
    assert 1 < segments < 20
    assert passages == 300
    await check_exact(corpus, corpus_url, documents)


async def test_exact_after_changes_and_deletions(corpus: Corpus, corpus_url: str) -> None:
    """Replaced and removed documents still weigh in until `optimise`; they are never returned."""
    documents = generate(300, seed=3)
    await store(corpus, documents, size=60)
    changed = {str(n): f"zq5 fresh{n} " * (n % 4 + 1) for n in range(0, 300, 7)}
    await store(corpus, changed)
    kept = {
        name: words for name, words in {**documents, **changed}.items() if name in changed or int(name) % 5
    }
    removed = await corpus.remove_missing("pubmed", list(kept))
    assert removed == 300 - len(kept) > 0
    for asked in (*QUESTIONS, "zq5 fresh7"):
        assert set(await scores_of(corpus, asked)) == set(bm25(kept, asked))
    await corpus.optimise()
    assert query(corpus_url, "SELECT count(*), sum(passages) FROM lexical_segments") == [(1, len(kept))]
    assert query(corpus_url, "SELECT count(*) FROM lexical_documents") == [(len(kept),)]
    await check_exact(corpus, corpus_url, kept)


async def test_optimise_leaves_a_good_index_alone(corpus: Corpus, corpus_url: str) -> None:
    segments = "SELECT array_agg(id) FROM lexical_segments"
    await corpus.optimise()
    assert query(corpus_url, segments) == [(None,)]
    await store(corpus, generate(20, seed=4))
    before = query(corpus_url, segments)
    await corpus.optimise()
    assert query(corpus_url, segments) == before
    await corpus.remove_missing("pubmed", ["3"])
    await corpus.optimise()
    assert query(corpus_url, segments) != before
    await corpus.remove_missing("pubmed", [])
    await corpus.optimise()
    assert query(corpus_url, "SELECT count(*) FROM lexical_postings") == [(0,)]
    assert await scores_of(corpus, "zq0") == {}


async def test_head_is_full_of_deleted_passages(corpus: Corpus) -> None:
    """The best candidates have gone since the last merge; the search goes on behind them."""
    await store(corpus, {str(n): "sock" for n in range(300)})
    await store(corpus, {str(n): "sock with a long tail of other words" for n in range(300, 330)})
    await corpus.remove_missing("pubmed", [str(n) for n in range(300, 330)])
    assert set(await scores_of(corpus, "sock", 20)) <= {str(n) for n in range(300, 330)}
    assert len(await scores_of(corpus, "sock", 20)) == 20


async def test_nothing_to_find(corpus: Corpus) -> None:
    empty = await corpus.weigh_terms(count_terms("warm socks"))
    assert (empty.weights, empty.unknown) == ({}, {"warm", "sock"})
    assert await corpus.search_lexical(empty, 10) == []
    await store(corpus, {"1": "socks"})
    terms = await corpus.weigh_terms(count_terms("warm socks"))
    assert (set(terms.weights), terms.unknown) == ({"sock"}, {"warm"})
    alone = await corpus.weigh_terms(count_terms("socks"))
    assert terms.ceiling > alone.ceiling  # what nobody names still counts as asked
    nothing = await corpus.weigh_terms({})
    assert (nothing.ceiling, await corpus.search_lexical(nothing, 5)) == (0.0, [])
    assert await corpus.score_lexical(terms, []) == {}


async def test_filters(corpus: Corpus, corpus_url: str) -> None:
    """With a filter everything is read: all that match, with the scores they have without it."""
    documents = generate(300, seed=5)
    batch = [
        cut(
            name,
            [words],
            issue_date=PartialDate(1990 + int(name) % 30),
            language="de" if name < "2" else "en",
        )
        for name, words in documents.items()
    ]
    await corpus.replace(batch, "test")
    everything = await scores_of(corpus, QUESTIONS[0])
    recent = await scores_of(corpus, QUESTIONS[0], filters=Filters(year_from=2010, languages=("en",)))
    assert recent == {
        name: score for name, score in everything.items() if int(name) % 30 >= 20 and not name < "2"
    }
    limited = await scores_of(corpus, QUESTIONS[0], 5, Filters(year_from=2010, languages=("en",)))
    assert limited == best(recent, 5, doc_ids(corpus_url))


async def test_titles_and_keywords_count(corpus: Corpus) -> None:
    await corpus.replace(
        [cut("1", ["plain"], title="Woollen socks", keywords=("footwear",)), cut("2", ["plain"])], "t"
    )
    assert set(await scores_of(corpus, "footwear wool")) == {"1"}


async def test_blocks(corpus: Corpus, corpus_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frequent term has its heaviest passages in the first block, and the blocks hold each passage once."""
    size = str(lexical_index.POSTINGS_PER_BLOCK)
    monkeypatch.setattr(lexical_index, "_POSTINGS", lexical_index._POSTINGS.replace(size, "64"))
    documents = generate(300, seed=6)
    await store(corpus, documents)
    assert query(corpus_url, "SELECT max(cardinality(passage_ids)), max(block) FROM lexical_postings") == [
        (64, 4)
    ]
    once = (
        "SELECT count(*), count(DISTINCT id) FROM lexical_postings, unnest(passage_ids) id WHERE term = 'zq0'"
    )
    ((all_of_them, different),) = query(corpus_url, once)
    assert (
        all_of_them == different == max(df for (df,) in query(corpus_url, "SELECT df FROM lexical_postings"))
    )
    wanted = bm25(documents, "zq0")
    found = await scores_of(corpus, "zq0", 20)
    assert found == pytest.approx(best(wanted, 20, doc_ids(corpus_url)), abs=1e-4)
    assert await scores_of(corpus, "zq0") == pytest.approx(wanted, abs=1e-4)  # beyond the head: all blocks


@pytest.fixture(scope="module")
async def zipf(new_database: NewDatabase) -> AsyncIterator[Corpus]:
    """6,000 documents in blocks of 500, of which the most frequent words have many."""
    engine = create_engine(new_database("corpus"))
    corpus = Corpus(engine, MINILM)
    size = str(lexical_index.POSTINGS_PER_BLOCK)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexical_index, "_POSTINGS", lexical_index._POSTINGS.replace(size, "500"))
        await store(corpus, generate(6000, seed=7, vocabulary=3000, longest=60), size=3000)
        await corpus.optimise()
    yield corpus
    await engine.dispose()


async def test_heads_against_everything(zipf: Corpus) -> None:
    """Overlap at 20 with the exact order, of questions that mix frequent words with rare ones."""
    random = np.random.default_rng(8)
    overlaps = []
    for _ in range(60):
        words = {*random.choice(15, 3, replace=False), *random.choice(3000, 3)}
        terms = await zipf.weigh_terms(count_terms(" ".join(f"zq{word}" for word in words)))
        heads = await zipf.search_lexical(terms, 20)
        exact = await zipf.search_lexical(terms, 20, Filters(languages=("en",)))
        overlaps.append(len({hit.passage_id for hit in heads} & {hit.passage_id for hit in exact}) / 20)
        scores = {hit.passage_id: hit.score for hit in exact}
        assert all(scores.get(hit.passage_id, hit.score) == pytest.approx(hit.score) for hit in heads)
    assert np.mean(overlaps) >= 0.95


async def test_no_blocks_but_the_first_are_read(zipf: Corpus) -> None:
    """What keeps a frequent word cheap: the plan reads one block of it, of the many it has."""
    terms = await zipf.weigh_terms(count_terms("zq0"))
    async with zipf._engine.connect() as connection:
        params = lexical_index.posting_params(terms) | {"limit": 20, "candidates": 100}
        plan = await connection.execute(text(f"EXPLAIN (ANALYZE) {lexical_index._SEARCH_HEADS}"), params)
        lines = [line for line in plan.scalars() if "lexical_postings" in line]
    assert len(lines) == 1
    assert "Index Scan using pk_lexical_postings" in lines[0]
    assert "rows=1.00" in lines[0]


WORDS = st.lists(st.sampled_from(["wool", "sock", "warm", "foot", "PD-L1", "漢方薬"]), max_size=12)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(texts=st.lists(WORDS, min_size=1, max_size=6), asked=WORDS)
async def test_any_corpus(corpus: Corpus, texts: list[list[str]], asked: list[str]) -> None:
    """Scores are those of the formula and stay below the ceiling, in corpora of any shape."""
    documents = {str(n): " ".join(words) for n, words in enumerate(texts)}
    await corpus.remove_missing("pubmed", [])
    await store(corpus, documents)
    await corpus.optimise()
    wanted = bm25(documents, " ".join(asked)) if any(documents.values()) else {}
    assert await scores_of(corpus, " ".join(asked)) == pytest.approx(wanted, abs=1e-4)
