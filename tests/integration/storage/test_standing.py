"""What may not be cited cannot be found by any stream, in whatever order it is loaded (case F12)."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reasoning.encoders import Encoder
from reasoning.retrieval.reading import Article, read_pubmed
from storage.corpus import Corpus
from storage.documents import Section, Standing
from tests.integration.storage.documents import article, doc_ids, load, query, words_found

RECORD = article("1", "Green tea prevented strokes.", pmcid="PMC1")
RETRACTED = replace(RECORD, standing=Standing.RETRACTED)
NOTICE = article("2", "This retracts the green tea study.", standing=Standing.RETRACTION_NOTICE)
OTHER = article("3", "Green tea was drunk by many.")
TEXT = Section("Green tea prevented strokes in all towns.")


def full_text(pmid: str | None) -> Article:
    return Article(
        doc_id="PMC1", pmid=pmid, pmcid="PMC1", title="Tea", source="pmc", sections=(TEXT,), full_text=True
    )


async def found_by_any_stream(corpus: Corpus, url: str, encoder: Encoder) -> set[str]:
    """doc_ids of what the words, the vectors or the tables give."""
    names = doc_ids(url)
    vector = encoder.encode_query("Does green tea prevent strokes?").vector
    hits = await corpus.search_dense(vector, 50)
    found = {names[hit.passage_id] for hit in hits}
    terms = await corpus.weigh_terms({"green": 1, "tea": 1})
    assert {names[hit.passage_id] for hit in await corpus.search_lexical(terms, 50)} == found
    assert found == set(names.values())
    return found


@pytest.mark.parametrize("withdrawn", [RETRACTED, NOTICE], ids=["retracted", "notice"])
async def test_records(corpus: Corpus, corpus_url: str, minilm: Encoder, withdrawn: Article) -> None:
    await load(corpus, minilm, [withdrawn, OTHER])
    assert await found_by_any_stream(corpus, corpus_url, minilm) == {"3"}
    assert await corpus.read_article(withdrawn.doc_id) == withdrawn
    assert await corpus.count_articles() == {"pubmed": 2}


@pytest.mark.parametrize("standing", [Standing.CONCERN, Standing.CORRECTED, Standing.SUPERSEDED])
async def test_what_stays_usable(
    corpus: Corpus, corpus_url: str, minilm: Encoder, standing: Standing
) -> None:
    await load(corpus, minilm, [replace(RECORD, standing=standing)])
    assert await found_by_any_stream(corpus, corpus_url, minilm) == {"1"}
    (passage,) = (await corpus.read_passages(list(doc_ids(corpus_url)))).values()
    assert passage.article.standing is standing


@pytest.mark.parametrize("pmid", ["1", None], ids=["by PMID", "by PMCID"])
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
async def test_full_text_of_a_retracted_record(
    corpus: Corpus, corpus_url: str, minilm: Encoder, pmid: str | None, order: tuple[int, ...]
) -> None:
    """Whichever comes first, in loads of their own; and the reverse, once it is in good standing again."""
    documents = [RETRACTED, full_text(pmid), OTHER]
    for place in order:
        await load(corpus, minilm, [documents[place]])
    assert await found_by_any_stream(corpus, corpus_url, minilm) == {"3"}
    work = minilm.counts.encoded
    assert (await load(corpus, minilm, documents)).unchanged == 3
    assert minilm.counts.encoded == work
    await load(corpus, minilm, [RECORD])
    assert await found_by_any_stream(corpus, corpus_url, minilm) == {"1", "PMC1", "3"}
    assert (await load(corpus, minilm, [RECORD, *documents[1:]])).unchanged == 3
    await load(corpus, minilm, [RETRACTED])
    assert await found_by_any_stream(corpus, corpus_url, minilm) == {"3"}


@pytest.mark.parametrize("reverse", [False, True])
async def test_in_one_batch(corpus: Corpus, corpus_url: str, minilm: Encoder, reverse: bool) -> None:
    documents = [RETRACTED, full_text("1"), OTHER]
    report = await load(corpus, minilm, documents[::-1] if reverse else documents)
    assert (report.stored, report.passages) == (3, 1)
    assert await found_by_any_stream(corpus, corpus_url, minilm) == {"3"}


async def test_retracted_in_the_full_text_alone(corpus: Corpus, corpus_url: str, minilm: Encoder) -> None:
    """Either sign is enough, also when the PubMed record does not say it yet."""
    await load(corpus, minilm, [RECORD, replace(full_text("1"), standing=Standing.RETRACTED)])
    assert await found_by_any_stream(corpus, corpus_url, minilm) == set()
    await load(corpus, minilm, [full_text("1")])
    assert await found_by_any_stream(corpus, corpus_url, minilm) == {"1", "PMC1"}


async def test_the_retracted_record_is_removed(corpus: Corpus, corpus_url: str, minilm: Encoder) -> None:
    """The full text comes back when it is loaded again, not before."""
    await load(corpus, minilm, [RETRACTED, full_text("1")])
    await corpus.remove_missing("pubmed", [])
    assert await found_by_any_stream(corpus, corpus_url, minilm) == set()
    assert (await load(corpus, minilm, [full_text("1")])).stored == 1
    assert await found_by_any_stream(corpus, corpus_url, minilm) == {"PMC1"}


async def test_freshness(corpus: Corpus, corpus_url: str, minilm: Encoder) -> None:
    """An unchanged record that is seen again has its standing checked now."""
    await load(corpus, minilm, [OTHER])
    checked = "SELECT standing_checked_at FROM articles"
    query(corpus_url, "UPDATE articles SET standing_checked_at = now() - interval '1 year'")
    before = query(corpus_url, checked)
    await load(corpus, minilm, [OTHER])
    assert query(corpus_url, checked) > before


async def test_said_to_be_retracted(corpus: Corpus, minilm: Encoder) -> None:
    """Retracted studies are found by any word of title or abstract, the best first; no notice is."""
    other = replace(RETRACTED, doc_id="4", pmid="4", title="Black coffee")
    await load(corpus, minilm, [other, replace(RETRACTED, title="Green tea and strokes"), NOTICE, OTHER])
    found = await corpus.find_withdrawn(["green", "tea"])
    assert [(item.article.doc_id, item.article.sections) for item in found] == [("1", ()), ("4", ())]
    assert all("Green tea prevented strokes." in item.beginning for item in found)
    assert {item.checked for item in found} == {datetime.now(UTC).date()}
    assert [item.article.doc_id for item in await corpus.find_withdrawn(["coffee"])] == ["4"]
    assert await corpus.find_withdrawn(["milk"]) == []
    assert await corpus.find_withdrawn([]) == []
    assert await corpus.find_withdrawn(["milk", "tea'); DROP TABLE articles; --"]) == []


@pytest.mark.shared_data
async def test_the_field_case(corpus: Corpus, corpus_url: str, minilm: Encoder, shared: Path) -> None:
    found = read_pubmed((shared / "cases" / "inputs" / "F12_standing.xml").read_bytes())
    records = [item for item in found if isinstance(item, Article)]
    await load(corpus, minilm, records)
    gone = {record.doc_id for record in records if not record.standing.citable}
    assert {"90001201", "90001202", "90001206"} <= gone
    with_passages = set(doc_ids(corpus_url).values())
    assert with_passages.isdisjoint(gone)
    assert "90001208" in with_passages
    assert set(await words_found(corpus, "green tea stroke eyelids")).isdisjoint(gone)
