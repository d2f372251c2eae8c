"""PubMed with a real corpus and a real history: fetched once, found again, gone with its run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.replies import HistorySearches
from reasoning.encoders import Encoder
from reasoning.literature import SearchReply
from reasoning.retrieval.eutils import PubMed, Store
from reasoning.retrieval.indexing import index_articles
from storage.corpus import Corpus
from storage.database import create_engine
from storage.documents import Article, Standing
from storage.errors import ServerUnavailable
from storage.history import History, StoredSearch
from storage.query import Term
from tests.emulators.scripted_eutils import Asked, Reply, ScriptedEutils, esearch, failure, records
from tests.fault.eutils_doors import open_door
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import query
from tests.integration.storage.test_history import RUN

JATS = (
    '<pmc-articleset><article><front><article-meta><article-id pub-id-type="pmcid">PMC70</article-id>'
    '<permissions><license xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xlink:href="https://creativecommons.org/licenses/by/4.0/"/></permissions></article-meta></front>'
    "<body><sec><title>Results</title><p>Socks kept feet warm in all of the trials.</p></sec></body>"
    "</article></pmc-articleset>"
)


@pytest.fixture
def store(corpus: Corpus, minilm: Encoder) -> Store:
    async def put(articles: Sequence[Article]) -> None:
        async for _ in index_articles(articles, corpus, minilm):
            pass

    return put


def serve(asked: Asked, number: int) -> Reply:
    if asked.params["db"] == "pmc":
        return Reply(JATS)
    return Reply(records(*(pmid for pmid in asked.ids if pmid != "404")))


async def test_the_corpus_grows_by_what_is_fetched(corpus: Corpus, store: Store) -> None:
    with ScriptedEutils(serve) as server:
        async with open_door(server, records=corpus, store=store) as door:
            first = await door.for_question().fetch(["70000001", "70000002", "404"])
            second = await door.for_question().fetch(["70000003", "70000002", "70000001"])
            text = await door.for_question().read_full_texts(["PMC70"])
            again = await door.for_question().read_full_texts(["PMC70"])
    assert (set(first.articles), first.missing) == ({"70000001", "70000002"}, ("404",))
    assert set(second.articles) == {"70000001", "70000002", "70000003"}
    assert second.articles["70000001"] == first.articles["70000001"]
    assert [asked.ids for asked in server.asked] == [["70000001", "70000002", "404"], ["70000003"], ["70"]]
    assert await corpus.count_articles() == {"pubmed": 3, "pmc": 1}
    assert text.articles == again.articles
    assert (text.calls, again.calls) == (1, 0)
    assert text.articles["PMC70"].licence == "CC BY 4.0"


async def test_an_old_record_is_fetched_anew_for_its_standing(
    corpus: Corpus, corpus_url: str, store: Store
) -> None:
    """And where that fails, the old one stands in, and the reply says so."""
    retracted = records("70000001").replace(
        "<ArticleTitle>",
        "<PublicationTypeList><PublicationType>Retracted Publication</PublicationType>"
        "</PublicationTypeList><ArticleTitle>",
    )
    replies = [Reply(records("70000001")), Reply(failure("Search Backend failed: x"), 400), Reply(retracted)]
    with ScriptedEutils(replies) as server:
        async with open_door(server, records=corpus, store=store, record_days=7) as door:
            await door.for_question().fetch(["70000001"])
            query(corpus_url, "UPDATE articles SET standing_checked_at = now() - interval '8 days'")
            failed = await door.for_question().fetch(["70000001"])
            fresh = await door.for_question().fetch(["70000001"])
            stored = await corpus.read_article("70000001")
            await door.for_question().fetch(["70000001"])
    assert (failed.state, set(failed.articles)) == ("permanent", {"70000001"})
    assert fresh.articles["70000001"].standing is Standing.RETRACTED
    assert stored is not None
    assert stored.standing is Standing.RETRACTED
    assert len(server.asked) == 3


async def test_a_corpus_that_fails_costs_requests_only(
    corpus: Corpus, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(articles: Sequence[Article]) -> None:
        raise ServerUnavailable

    engine = create_engine("postgresql://nobody@127.0.0.1:9/none")
    gone = Corpus(engine, corpus.manifest)
    with ScriptedEutils(serve) as server:
        async with open_door(server, records=gone, store=refuse) as door:
            reply = await door.for_question().fetch(["70000001"])
    await engine.dispose()
    assert (set(reply.articles), reply.state) == ({"70000001"}, "results")
    assert "1 fetched articles could not be stored (ServerUnavailable)" in caplog.text


# --- search replies ----------------------------------------------------------------------------------------


@pytest.fixture
async def history(new_database: NewDatabase) -> AsyncIterator[tuple[History, str]]:
    url = new_database("history")
    engine = create_engine(url)
    yield History(engine), url
    await engine.dispose()


def searches(pubmed: PubMed) -> dict[str, StoredSearch]:
    return {key: StoredSearch(kept.reply, kept.kept_at) for key, kept in pubmed.kept.items()}


SEARCHED = Reply(
    esearch(
        *("12", "11"),
        count=9,
        translation="socks[tiab]",
        more="<ErrorList><PhraseNotFound>zzz</PhraseNotFound></ErrorList>",
    )
)


async def test_a_search_is_found_again_and_goes_with_its_run(history: tuple[History, str]) -> None:
    kept, url = history
    with ScriptedEutils([SEARCHED]) as server:
        async with open_door(server, cache=HistorySearches(kept)) as door:
            first = door.for_question()
            fresh = await first.search(Term("socks zzz"), 20)
            await kept.store_run(replace(RUN, searches=searches(first)))
            second = door.for_question()
            again = await second.search(Term("socks zzz"), 20)
            await door.for_question().search(Term("socks zzz"), 21)
            assert second.kept == first.kept, "a reply that was used is kept with this run too"
            query(url, "DELETE FROM runs")
            await door.for_question().search(Term("socks zzz"), 20)
    assert isinstance(again, SearchReply)
    assert (fresh.calls, again.calls, len(server.asked)) == (1, 0, 3)
    assert again.kept_since is not None
    assert abs(again.kept_since - datetime.now(UTC)) < timedelta(minutes=1)
    assert replace(again, kept_since=None, calls=1) == fresh
    assert again.dropped == ("zzz",)
    assert query(url, "SELECT count(*) FROM search_replies") == [(0,)]


async def test_an_old_reply_is_not_used(history: tuple[History, str]) -> None:
    kept, url = history
    with ScriptedEutils([SEARCHED]) as server:
        async with open_door(server, cache=HistorySearches(kept), search_hours=24) as door:
            pubmed = door.for_question()
            await pubmed.search(Term("socks"), 20)
            await kept.store_run(replace(RUN, searches=searches(pubmed)))
            query(url, "UPDATE search_replies SET kept_at = now() - interval '23 hours'")
            assert (await door.for_question().search(Term("socks"), 20)).calls == 0
            query(url, "UPDATE search_replies SET kept_at = now() - interval '25 hours'")
            assert (await door.for_question().search(Term("socks"), 20)).calls == 1
        async with open_door(server, cache=HistorySearches(kept), search_hours=0) as door:
            query(url, "UPDATE search_replies SET kept_at = now()")
            assert (await door.for_question().search(Term("socks"), 20)).calls == 1


async def test_what_cannot_be_found_or_read_is_asked_anew(history: tuple[History, str]) -> None:
    kept, url = history
    with ScriptedEutils([SEARCHED]) as server:
        async with open_door(server, cache=HistorySearches(kept)) as door:
            pubmed = door.for_question()
            await pubmed.search(Term("socks"), 20)
            await kept.store_run(replace(RUN, searches=searches(pubmed)))
            query(url, """UPDATE search_replies SET reply = '{"state": "splendid"}'""")
            assert (await door.for_question().search(Term("socks"), 20)).state == "results"
            query(url, "DROP TABLE search_replies")
            assert (await door.for_question().search(Term("socks"), 20)).state == "results"
    assert len(server.asked) == 3


# --- headings and spelling ---------------------------------------------------------------------------------


def mesh(asked: Asked, number: int) -> Reply:
    """MeSH as the older search engine behind db=mesh answers: counts of each term of the translation."""
    if asked.endpoint == "espell.fcgi":
        spelt = (
            "<CorrectedQuery>lung cancer</CorrectedQuery>" if asked.params["term"] == "lumg cancer" else ""
        )
        return Reply(f"<eSpellResult><Query/>{spelt}<ERROR/></eSpellResult>")
    if " OR " not in asked.params["term"]:
        return Reply(esearch("68", translation='"myocardial infarction"[MeSH Terms]'))
    stack = (
        '<TranslationStack><TermSet><Term>"lung neoplasms"[MeSH Terms]</Term><Count>1</Count></TermSet>'
        '<TermSet><Term>"myocardial infarction"[MeSH Terms]</Term><Count>1</Count></TermSet><OP>OR</OP>'
        "</TranslationStack><ErrorList><PhraseNotFound>Zzz[mh]</PhraseNotFound></ErrorList>"
    )
    return Reply(esearch("67", "68", translation="x", more=stack))


async def test_headings_are_verified_together_and_doubtful_ones_alone(history: tuple[History, str]) -> None:
    kept, _ = history
    names = ["Lung Neoplasms", "Zzz", "Heart Attack", 'a"b']
    with ScriptedEutils(mesh) as server:
        async with open_door(server, cache=HistorySearches(kept)) as door:
            pubmed = door.for_question()
            found = await pubmed.verify_headings(names)
            await kept.store_run(replace(RUN, searches=searches(pubmed)))
            again = await door.for_question().verify_headings(list(reversed(names)))
    assert found == again == {"Lung Neoplasms", "Heart Attack"}
    assert [asked.params["db"] for asked in server.asked] == ["mesh", "mesh"]
    assert server.asked[1].params["term"] == '"Heart Attack"[mh]'


async def test_spelling() -> None:
    with ScriptedEutils(mesh) as server:
        async with open_door(server) as door:
            pubmed = door.for_question()
            assert await pubmed.suggest_spelling("lumg cancer") == "lung cancer"
            assert await pubmed.suggest_spelling("lung") is None
            assert await pubmed.suggest_spelling("lumg cancer") == "lung cancer"
    assert len(server.asked) == 2
