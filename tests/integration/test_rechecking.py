"""The standing of cached and cited records is read again, in batches that stay (case F12.4)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from config.settings import Eutils, Ncbi
from reasoning.encoders import Encoder
from reasoning.retrieval.eutils import PubMedDoor
from reasoning.retrieval.reading import Article, read_pubmed
from reasoning.retrieval.rechecking import Door, Recheck, recheck_standing
from storage.corpus import Corpus
from storage.database import create_engine
from storage.documents import Standing
from storage.history import CitedSource, History, Run
from tests.emulators.records import Record, RecordServer, record_set
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import article, load, query, words_found

RECORDS = [Record(f"9000{n:04}", f"Socks of kind {n}", f"Sock{n} keeps feet warm.") for n in range(12)]
PMIDS = [record.pmid for record in RECORDS]


@pytest.fixture
def pubmed() -> Iterator[RecordServer]:
    with RecordServer(RECORDS) as running:
        yield running


@pytest.fixture(scope="module")
def history_of_module(new_database: NewDatabase) -> str:
    return new_database("history")


@pytest.fixture
def history_url(history_of_module: str) -> str:
    query(history_of_module, "TRUNCATE runs, cited_standings CASCADE")
    return history_of_module


@dataclass(frozen=True, slots=True)
class House:
    """Both databases, and the way to PubMed."""

    corpus: Corpus
    corpus_url: str
    history: History
    history_url: str
    door: Door
    encoder: Encoder

    async def recheck(self, batch: int = 5) -> Recheck:
        reports = [report async for report in self.rechecking(batch)]
        return reports[-1]

    def rechecking(self, batch: int = 5) -> AsyncIterator[Recheck]:
        return recheck_standing(self.corpus, self.history, self.door, timedelta(days=7), batch)

    async def load(self, records: Sequence[Record]) -> None:
        found = read_pubmed(record_set(records))
        await load(self.corpus, self.encoder, [item for item in found if isinstance(item, Article)])

    def age(self, days: int, *pmids: str) -> None:
        past = "UPDATE articles SET standing_checked_at = now() - make_interval(days => %s)"
        query(self.corpus_url, f"{past} WHERE key = ANY(%s)", days, list(pmids))

    async def cite(self, run_id: str, *pmids: str, standing: str = "ok") -> None:
        cited = [
            CitedSource(n=n, doc_id=pmid, pmid=pmid, title="T", url=None, quote="Q", standing=standing)
            for n, pmid in enumerate(pmids, start=1)
        ]
        fixed = {"person": "local", "question": "q", "language": "en", "triage": "none", "method": "cometa"}
        run = Run(run_id=run_id, ran="cometa", abstained=False, answer={}, trace=[], citations=cited, **fixed)  # type: ignore[arg-type]
        await self.history.store_run(run)


@pytest.fixture
async def house(
    corpus: Corpus, corpus_url: str, history_url: str, minilm: Encoder, pubmed: RecordServer
) -> AsyncIterator[House]:
    address = pubmed.settings()["CARECITE_EUTILS_BASE_URL"]
    eutils = Eutils.model_validate({"base_url": address, "per_second": 500})
    way = PubMedDoor(eutils, Ncbi.model_validate({}))
    engine = create_engine(history_url)

    async def store(articles: Sequence[Article]) -> None:
        await load(corpus, minilm, articles)

    door = Door(way.for_ingest().fetch, store)
    yield House(corpus, corpus_url, History(engine), history_url, door, minilm)
    await way.aclose()
    await engine.dispose()


def flat(asked: Sequence[Sequence[str]]) -> list[str]:
    return [pmid for pmids in asked for pmid in pmids]


async def test_the_oldest_first_and_none_that_is_young(house: House, pubmed: RecordServer) -> None:
    await house.load(RECORDS)
    assert (await house.recheck()).done == 0
    for n, pmid in enumerate(PMIDS[:7]):
        house.age(8 + n, pmid)
    house.age(6, PMIDS[7])
    report = await house.recheck(batch=3)
    assert pubmed.asked == [PMIDS[6:3:-1], PMIDS[3:0:-1], PMIDS[:1]]
    assert (report.due, report.checked, report.left, report.changes) == (7, 7, 0, [])
    assert (await house.recheck()).done == 0
    assert len(pubmed.asked) == 3


async def test_what_changed_is_told_and_holds_at_once(house: House, pubmed: RecordServer) -> None:
    await house.load(RECORDS)
    standings = ("retracted", "concern", "corrected", "superseded")
    for record, standing in zip(RECORDS, standings, strict=False):
        pubmed.put(replace(record, standing=standing))
    house.age(30, *PMIDS)
    report = await house.recheck()
    assert [(change.pmid, change.was, change.now.value) for change in report.changes] == [
        (record.pmid, Standing.OK, standing) for record, standing in zip(RECORDS, standings, strict=False)
    ]
    assert report.changes[0].title == RECORDS[0].title
    assert await words_found(house.corpus, "sock0") == []
    assert await words_found(house.corpus, "sock1") == [PMIDS[1]]
    pubmed.put(RECORDS[0])
    house.age(30, PMIDS[0])
    report = await house.recheck()
    assert [change.pmid for change in report.changed_to(Standing.OK)] == [PMIDS[0]]
    assert await words_found(house.corpus, "sock0") == [PMIDS[0]]


async def test_full_texts_follow_their_record(house: House, pubmed: RecordServer) -> None:
    """A full text whose record was never here is asked for by its PMID, and goes when that is retracted."""
    whole = replace(article(PMIDS[0], "Sock0 in full."), doc_id="PMC1", pmcid="PMC1", source="pmc")
    await load(house.corpus, house.encoder, [whole])
    assert await words_found(house.corpus, "full") == [PMIDS[0]]
    pubmed.put(replace(RECORDS[0], standing="retracted"))
    house.age(30, PMIDS[0])
    assert [change.now for change in (await house.recheck()).changes] == [Standing.RETRACTED]
    assert await words_found(house.corpus, "full") == []
    assert (await house.recheck()).due == 0, "the record's check counts for both"


async def test_own_documents_are_nothing_to_pubmed(house: House, pubmed: RecordServer) -> None:
    own = replace(article("own", "Own words."), pmid=None, source="markdown")
    await load(house.corpus, house.encoder, [own])
    house.age(300, "own")
    assert (await house.recheck()).due == 0
    assert await house.corpus.oldest_check() is None
    assert pubmed.asked == []


async def test_what_answers_cite_comes_first_and_is_kept_apart(house: House, pubmed: RecordServer) -> None:
    """Also what the corpus does not hold any more; an answer on retracted evidence is found again."""
    await house.load(RECORDS[:6])
    await house.cite("r1", PMIDS[3], PMIDS[9])
    await house.cite("r2", PMIDS[2])
    await house.cite("r3", PMIDS[4], standing="concern")
    house.age(30, *PMIDS[:4])
    pubmed.put(replace(RECORDS[9], standing="retracted"), replace(RECORDS[4], standing="concern"))
    report = await house.recheck()
    assert pubmed.asked == [[PMIDS[2], PMIDS[3], PMIDS[9]], PMIDS[:2]]
    assert (report.due, report.checked, report.left) == (5, 5, 0)
    assert [(change.pmid, change.was) for change in report.changes] == [(PMIDS[9], Standing.OK)]
    assert report.overtaken == ["r1"]
    kept = "SELECT pmid, standing FROM cited_standings ORDER BY 1"
    assert query(house.history_url, kept) == [
        (PMIDS[2], "ok"),
        (PMIDS[3], "ok"),
        (PMIDS[4], "ok"),  # as the corpus has it, from a check that is young
        (PMIDS[9], "retracted"),
    ]


async def test_since_when_is_kept(house: House, pubmed: RecordServer) -> None:
    await house.cite("r1", PMIDS[0])
    pubmed.put(replace(RECORDS[0], standing="retracted"))
    await house.recheck()
    first = query(house.history_url, "SELECT since, checked_at FROM cited_standings")[0]
    query(house.history_url, "UPDATE cited_standings SET checked_at = now() - interval '8 days'")
    house.age(8, PMIDS[0])
    await house.recheck()
    since, checked = query(house.history_url, "SELECT since, checked_at FROM cited_standings")[0]
    assert since == first[0]
    assert checked > first[1]
    query(house.history_url, "DELETE FROM runs")
    await house.cite("r2", PMIDS[1])
    await house.recheck()
    assert query(house.history_url, "SELECT pmid FROM cited_standings") == [(PMIDS[1],)], "none uncited stays"


async def test_what_pubmed_lost_is_told_once(house: House, pubmed: RecordServer) -> None:
    await house.load(RECORDS[:3])
    await house.cite("r1", PMIDS[1])
    house.age(30, *PMIDS[:3])
    del pubmed.records[PMIDS[0]], pubmed.records[PMIDS[1]]
    report = await house.recheck()
    assert (report.checked, sorted(report.missing), report.left) == (1, PMIDS[:2], 0)
    assert query(house.history_url, "SELECT pmid, standing FROM cited_standings") == [(PMIDS[1], "missing")]
    assert (await house.recheck()).done == 0


async def test_an_outage_keeps_what_was_done(house: House, pubmed: RecordServer) -> None:
    await house.load(RECORDS)
    house.age(30, *PMIDS)
    pubmed.fails_from = 2
    report = await house.recheck()
    assert (report.checked, report.left) == (5, 7)
    assert report.reason
    assert report.reason.startswith("backend_failed")
    done = flat(pubmed.asked[:1])
    pubmed.fails_from = None
    pubmed.asked.clear()
    report = await house.recheck()
    assert (report.checked, report.left, report.reason) == (7, 0, None)
    assert sorted(flat(pubmed.asked)) == sorted(set(PMIDS) - set(done))


async def test_a_record_that_cannot_be_read_stops_nothing(house: House, pubmed: RecordServer) -> None:
    """The others go on; it stays due."""
    await house.load(RECORDS)
    house.age(30, *PMIDS)
    house.age(60, PMIDS[3])
    pubmed.put(replace(RECORDS[3], pmid="no number"))
    pubmed.records[PMIDS[3]] = pubmed.records.pop("no number")
    report = await house.recheck()
    assert (report.checked, report.failed, report.left, report.reason) == (11, [PMIDS[3]], 1, None)


async def test_ended_in_the_middle_and_gone_on(house: House, pubmed: RecordServer) -> None:
    await house.load(RECORDS)
    house.age(30, *PMIDS)
    async with aclosing(house.rechecking()) as reports:  # type: ignore[type-var]
        async for report in reports:
            if report.checked:
                break
    asked = len(pubmed.asked)
    assert asked == 1
    await house.recheck()
    assert sorted(flat(pubmed.asked)) == PMIDS, "none twice"
