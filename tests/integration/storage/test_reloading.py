"""Loading again replaces, and what did not change is not embedded again (case F21)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from reasoning.encoders import Encoder
from reasoning.retrieval import indexing
from reasoning.retrieval.reading import read_pubmed
from storage.corpus import Corpus
from storage.database import create_engine
from storage.documents import Article
from storage.encoders import MINILM
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import article, load, query, words_found

STATE = """
SELECT a.doc_id, a.text, p.idx, p.text, p.start, p.own_start, p.stop, p.section, d.terms, d.tfs, d.length,
       e.passage_id IS NOT NULL
FROM articles a LEFT JOIN passages p ON p.article_id = a.id
LEFT JOIN lexical_documents d ON d.passage_id = p.id
LEFT JOIN embedding_minilm e ON e.passage_id = p.id ORDER BY 1, 3
"""
LONG = " ".join(f"Pair {n} of the socks kept feet warm in the first version." for n in range(30))
FIRST = [article("1", f"{LONG} Warmth doubled."), article("2", "Hats keep ears warm.")]
SECOND = [article("1", "The first version held an error. Warmth did not change."), FIRST[1]]


async def check_reload(
    url: str, fresh_url: str, encoder: Encoder, first: Sequence[Article], second: Sequence[Article]
) -> None:
    engines = [create_engine(each) for each in (url, fresh_url)]
    corpus, fresh = (Corpus(engine, MINILM) for engine in engines)
    for engine_corpus in (corpus, fresh):
        await engine_corpus.open()
    assert (await load(corpus, encoder, first)).stored == 2
    state = query(url, STATE)
    work = encoder.counts.encoded
    again = await load(corpus, encoder, first)
    assert (again.stored, again.unchanged) == (0, 2)
    assert encoder.counts.encoded == work
    assert query(url, STATE) == state
    assert await words_found(corpus, "doubled")

    work = encoder.counts.of("passage").texts
    replaced = await load(corpus, encoder, second)
    assert (replaced.stored, replaced.unchanged) == (1, 1)
    assert (
        encoder.counts.of("passage").texts == work + replaced.passages
    )  # the neighbour was not embedded again
    await load(fresh, encoder, second)
    assert query(url, STATE) == query(fresh_url, STATE)
    assert await words_found(corpus, "doubled") == []
    asked = encoder.encode_query("Did it double?").vector
    hits = await corpus.search_dense(asked, 50)
    read = await corpus.read_passages([hit.passage_id for hit in hits])
    assert len(read) == len(hits) == len(query(fresh_url, "SELECT 1 FROM passages"))
    assert not any("doubled" in item.passage.text for item in read.values())
    for engine in engines:
        await engine.dispose()


async def test_first_twice_then_second(new_database: NewDatabase, minilm: Encoder) -> None:
    await check_reload(new_database("corpus"), new_database("corpus"), minilm, FIRST, SECOND)


@pytest.mark.shared_data
async def test_the_field_case(new_database: NewDatabase, minilm: Encoder, shared: Path) -> None:
    loads = []
    for name in ("F21_first_load.xml", "F21_second_load.xml"):
        found = list(read_pubmed((shared / "cases" / "inputs" / name).read_bytes()))
        loads.append([item for item in found if isinstance(item, Article)])
    first, second = loads
    await check_reload(new_database("corpus"), new_database("corpus"), minilm, first, second)


async def test_metadata_alone_changes(corpus: Corpus, corpus_url: str, minilm: Encoder) -> None:
    await load(corpus, minilm, FIRST)
    changed = replace(FIRST[1], keywords=("headgear",))
    assert (await load(corpus, minilm, [FIRST[0], changed])).stored == 1
    assert await words_found(corpus, "headgear") == ["2"]
    assert len(query(corpus_url, "SELECT 1 FROM articles")) == 2


async def test_text_goes_away(corpus: Corpus, corpus_url: str, minilm: Encoder) -> None:
    await load(corpus, minilm, FIRST)
    report = await load(corpus, minilm, [article("1", "")])
    assert (report.stored, report.passages, report.without_text) == (1, 0, 1)
    assert await words_found(corpus, "doubled") == []
    assert query(
        corpus_url, "SELECT DISTINCT doc_id FROM articles JOIN passages ON articles.id = article_id"
    ) == [("2",)]


@pytest.mark.parametrize("stored_before", [False, True])
async def test_two_versions_in_one_batch(corpus: Corpus, minilm: Encoder, stored_before: bool) -> None:
    """The last one counts, whichever is stored already."""
    if stored_before:
        await load(corpus, minilm, [FIRST[0]])
    await load(corpus, minilm, [FIRST[0], SECOND[0]])
    assert await words_found(corpus, "doubled") == []
    await load(corpus, minilm, [SECOND[0], FIRST[0]])
    assert await words_found(corpus, "doubled")


async def test_refresh_embeds_anew(corpus: Corpus, corpus_url: str, minilm: Encoder) -> None:
    await load(corpus, minilm, FIRST)
    state, work = query(corpus_url, STATE), minilm.counts.of("passage").texts
    assert (await load(corpus, minilm, FIRST, refresh=True)).stored == 2
    assert minilm.counts.of("passage").texts > work
    assert query(corpus_url, STATE) == state


async def test_another_window_cuts_anew(corpus: Corpus, minilm: Encoder) -> None:
    await load(corpus, minilm, FIRST)
    assert await corpus.unchanged(FIRST, indexing.cut_for(minilm)) == {"1", "2"}
    assert await corpus.unchanged(FIRST, "minilm/90/70") == set()
