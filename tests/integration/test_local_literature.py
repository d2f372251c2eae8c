"""The corpus asked as PubMed is (issue 4.2, cases F02, F04, F05)."""

from __future__ import annotations

import pytest

from reasoning.literature import Literature
from reasoning.retrieval.local_literature import LocalLiterature
from storage.corpus import Corpus, Filters
from storage.database import create_engine
from storage.documents import MeshHeading, PartialDate
from storage.encoders import MINILM
from storage.query import AllOf, Field, HasAbstract, Published, Term
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import cut, query

TIAB = Field.TITLE_ABSTRACT


@pytest.fixture
async def literature(corpus: Corpus) -> LocalLiterature:
    await corpus.replace(
        [
            cut("90000001", ["Naproxen or not with warfarin"], mesh=(MeshHeading("Drug Interactions"),)),
            cut("90000002", ["Warfarin and alcohol"], issue_date=PartialDate(2001)),
            cut("house-1", ["Warfarin, naproxen and alcohol"], source="markdown"),
            cut("PMC9900003", ["Body"], pmid="90000003", pmcid="PMC9900003", full_text=True, source="pmc"),
        ],
        "test",
    )
    return LocalLiterature(corpus)


async def test_is_a_literature(literature: Literature) -> None:
    assert literature.door == "corpus"


async def test_search(literature: LocalLiterature) -> None:
    tree = AllOf((Term("warfarin", TIAB), Term("naproxen", TIAB)))
    reply = await literature.search(tree, 1)
    assert (reply.state, reply.door, len(reply.keys), reply.count) == ("results", "corpus", 1, 2)
    assert reply.sent == reply.translation == "warfarin[tiab] AND naproxen[tiab]"
    assert (reply.calls, reply.clamped, reply.failed) == (0, False, False)
    nothing = await literature.search(AllOf((Term("warfarin", TIAB), Term("qqzzitis", TIAB))), 5)
    assert (nothing.state, nothing.keys, nothing.count, nothing.dropped) == ("empty", (), 0, ("qqzzitis",))


async def test_without_a_search_word_nothing_is_searched(literature: LocalLiterature) -> None:
    for tree in (HasAbstract(), Term("the of"), Published(PartialDate(2000)), AllOf(())):
        reply = await literature.search(tree, 5)
        assert (reply.state, reply.sent, reply.keys) == ("permanent", "", ())
    assert (await literature.search_text("???", 5)).state == "permanent"


async def test_words_of_a_person(literature: LocalLiterature) -> None:
    """Operators are words; words that nothing here has are dropped and named, as PubMed does."""
    reply = await literature.search_text("NAPROXEN OR NOT (with Warfarin", 5)
    assert (reply.state, set(reply.keys), reply.dropped) == ("results", {"90000001", "house-1"}, ())
    reply = await literature.search_text("naproxen qqzzitis", 5)
    assert (reply.count, reply.dropped, reply.sent) == (2, ("qqzzitis",), "naproxen qqzzitis")
    reply = await literature.search_text("qqzzitis", 5)
    assert (reply.state, reply.dropped) == ("empty", ("qqzzitis",))


async def test_within_filters(corpus: Corpus, literature: LocalLiterature) -> None:
    within = LocalLiterature(corpus, Filters(sources=("pubmed",)))
    assert set((await within.search(Term("alcohol"), 5)).keys) == {"90000002"}
    dated = AllOf((Term("alcohol"), Published(PartialDate(2000))))
    assert set((await literature.search(dated, 5)).keys) == {"90000002"}
    undated = LocalLiterature(corpus, Filters(unknown_year=True))
    assert set((await undated.search(dated, 5)).keys) == {"90000002", "house-1"}


async def test_headings_and_spelling(literature: LocalLiterature) -> None:
    assert await literature.verify_headings(["Drug Interactions", "Drugs"]) == {"Drug Interactions"}
    assert (
        await literature.suggest_spelling("Is warfarine safe with alcohol?")
        == "Is warfarin safe with alcohol?"
    )
    assert await literature.suggest_spelling("warfarin and gout") is None


async def test_records_and_full_texts(literature: LocalLiterature) -> None:
    fetched = await literature.fetch(["90000001", "90000009", "90000003"])
    assert (set(fetched.articles), fetched.missing, fetched.calls) == (
        {"90000001", "90000003"},
        ("90000009",),
        0,
    )
    read = await literature.read_full_texts(["PMC9900003", "PMC9900004"])
    assert (set(read.articles), read.absent) == ({"PMC9900003"}, {"PMC9900004": "not_held"})


@pytest.mark.parametrize(("fault", "state"), [("gone", "transient"), ("damaged", "permanent")])
async def test_a_database_that_fails_is_said(new_database: NewDatabase, fault: str, state: str) -> None:
    url = new_database("corpus")
    if fault == "damaged":
        query(url, "DROP TABLE article_words, articles CASCADE")
    engine = create_engine("postgresql://carecite@127.0.0.1:1/nowhere" if fault == "gone" else url)
    literature = LocalLiterature(Corpus(engine, MINILM))
    for reply in (await literature.search(Term("gout"), 5), await literature.search_text("gout", 5)):
        assert (reply.state, reply.keys, reply.failed) == (state, (), True)
        assert reply.reason
        assert "gout" not in reply.reason
    fetched = await literature.fetch(["1"])
    assert (fetched.state, fetched.missing) == (state, ())
    assert (await literature.read_full_texts(["PMC1"])).absent == {"PMC1": "fetch_error"}
    assert await literature.verify_headings(["Gout"]) == frozenset()
    assert await literature.suggest_spelling("gotu") is None
    await engine.dispose()
