"""Both streams over one corpus, with the embedded encoder."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import make_url

from reasoning.encoders import AsyncEncoder, Encoder
from reasoning.evidence import Question, Retrieved
from reasoning.retrieval.hybrid import HybridRetrieval
from reasoning.retrieval.reading import Article, read_pubmed
from reasoning.trace import Trace
from storage.corpus import Corpus, CutArticle, Filters
from storage.database import create_engine
from storage.documents import PartialDate, Passage, PublicationType, Standing
from storage.encoders import MINILM
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import article, load, query

REVIEW = (PublicationType("Review"),)
LIBRARY = [
    article(
        "1",
        "Wool socks keep feet warm in winter. " * 40 + "Cold feet were rarer with wool socks. " * 30,
        title="Wool socks",
        issue_date=PartialDate(1998),
        publication_types=REVIEW,
    ),
    article(
        "2", "Hats made of felt keep the ears warm.", title="Felt hats", issue_date=PartialDate(2000, 12)
    ),
    article(
        "3", "Migraine attacks are treated with triptans.", title="Migraine", issue_date=PartialDate(2021)
    ),
    article(
        "4",
        "Gout attacks are treated with colchicine.",
        title="Gout",
        language="de",
        publication_types=REVIEW,
    ),
    article(
        "5", "Socks of nettle cured every cold.", title="Nettle socks and colds", standing=Standing.RETRACTED
    ),
    article("6", "This notice retracts the study on nettle socks.", standing=Standing.RETRACTION_NOTICE),
]
WARM = Question("Do wool socks keep feet warm?")


@pytest.fixture
async def encoder(minilm: Encoder) -> AsyncIterator[AsyncEncoder]:
    encoder = AsyncEncoder(minilm)
    yield encoder
    await encoder.close()


@pytest.fixture(scope="module")
async def library_url(new_database: NewDatabase, minilm: Encoder) -> str:
    """The library, which tests only read."""
    url = new_database("corpus")
    engine = create_engine(url)
    await load(Corpus(engine, MINILM), minilm, LIBRARY)
    await engine.dispose()
    return url


@pytest.fixture
async def retrieval(library_url: str, encoder: AsyncEncoder) -> AsyncIterator[HybridRetrieval]:
    engine = create_engine(library_url)
    yield HybridRetrieval(Corpus(engine, MINILM), encoder)
    await engine.dispose()


@pytest.fixture
def copied_url(copy_database: Callable[[str], str], library_url: str) -> str:
    """A library to damage."""
    return copy_database(str(make_url(library_url).database))


@pytest.fixture
async def damaged(copied_url: str, encoder: AsyncEncoder) -> AsyncIterator[HybridRetrieval]:
    engine = create_engine(copied_url)
    yield HybridRetrieval(Corpus(engine, MINILM), encoder)
    await engine.dispose()


async def retrieve(retrieval: HybridRetrieval, question: Question, limit: int = 8) -> Retrieved:
    return await retrieval.retrieve(question, limit, Trace())


async def ranked_keys(retrieval: HybridRetrieval, question: Question) -> tuple[str, ...]:
    return (await retrieval.rank_articles(question, 50, Trace())).keys


def keys(found: Retrieved) -> list[str]:
    return [item.source.article.key for item in found.evidence]


def codes(found: Retrieved) -> list[str]:
    return [remark.code for remark in found.degraded]


async def test_two_passages_an_article(retrieval: HybridRetrieval, library_url: str) -> None:
    count = "SELECT count(*) FROM passages p JOIN articles a ON a.id = article_id WHERE key = '1'"
    ((stored,),) = query(library_url, count)
    assert stored > 3
    found = await retrieve(retrieval, WARM)
    assert keys(found)[:2] == ["1", "1"]
    assert len(keys(found)) == len({item.eid for item in found.evidence}) == 5
    assert keys(found).count("1") == 2
    assert (codes(found), found.missing_terms, found.coverage) == ([], (), 1.0)
    assert found.searched == {"pubmed": 6}
    first = found.evidence[0]
    assert set(first.streams) == {"dense", "lexical"}
    assert found.similarity == pytest.approx(max(item.streams["dense"][1] for item in found.evidence))
    scores = [item.score for item in found.evidence]
    assert scores == sorted(scores, reverse=True)
    assert [item.eid for item in (await retrieve(retrieval, WARM, limit=1)).evidence] == [first.eid]


async def test_the_same_order_every_time(retrieval: HybridRetrieval) -> None:
    ways = set()
    for _ in range(6):
        found = await retrieve(retrieval, WARM)
        ways.add(tuple((item.eid, round(item.score, 9)) for item in found.evidence))
    assert len(ways) == 1


async def test_words_and_meaning(retrieval: HybridRetrieval) -> None:
    """A name that only words find, a paraphrase that only vectors find."""
    assert (await retrieval.rank_lexical(Question("colchicine")))[0] == "4"
    asked = Question("Which remedy helps against severe one-sided headaches?")
    assert await retrieval.rank_lexical(asked) == []
    assert (await retrieval.rank_dense(asked))[0] == "3"
    assert (await ranked_keys(retrieval, asked))[0] == (await retrieval.rank_plain(asked))[0] == "3"
    assert keys(await retrieve(retrieval, asked))[0] == "3"


async def test_retracted_studies(retrieval: HybridRetrieval) -> None:
    found = await retrieve(retrieval, Question("Do nettle socks cure colds?"))
    assert not {"5", "6"} & set(keys(found))
    assert found.withdrawn == ("Nettle socks and colds",)


@pytest.mark.parametrize(
    ("filters", "passing"),
    [
        (Filters(year_from=1999), {"2", "3"}),
        (Filters(year_from=1999, unknown_year=True), {"2", "3", "4"}),
        (Filters(year_to=1998), {"1"}),
        (Filters(year_from=1998, year_to=2000), {"1", "2"}),
        (Filters(languages=("de",)), {"4"}),
        (Filters(languages=("de", "en")), {"1", "2", "3", "4"}),
        (Filters(publication_types=("Review", "Guideline")), {"1", "4"}),
        (Filters(publication_types=("Review",), languages=("en",)), {"1"}),
        (Filters(sources=("pmc",)), set()),
    ],
    ids=str,
)
async def test_filters(retrieval: HybridRetrieval, filters: Filters, passing: set[str]) -> None:
    asked = Question("Socks, hats, migraine or gout?", filters=filters)
    assert set(keys(await retrieve(retrieval, asked, 20))) == passing
    assert set(await retrieval.rank_dense(asked)) == passing
    assert set(await retrieval.rank_lexical(asked)) == passing


@pytest.mark.shared_data
async def test_years_of_the_field_case(
    corpus: Corpus, encoder: AsyncEncoder, minilm: Encoder, shared: Path
) -> None:
    """F09: with "1999 and later", 90000901 (1998) is out and 90000904 (2000) is in."""
    found = read_pubmed((shared / "cases" / "inputs" / "F09_dates.xml").read_bytes())
    await load(corpus, minilm, [item for item in found if isinstance(item, Article)])
    asked = Question("date year study", filters=Filters(year_from=1999))
    retrieval = HybridRetrieval(corpus, encoder)
    ranked = await ranked_keys(retrieval, asked)
    assert "90000904" in ranked
    assert "90000901" not in ranked
    assert "90000901" in await ranked_keys(retrieval, replace(asked, filters=Filters()))


async def test_neighbours_are_restored(corpus: Corpus, encoder: AsyncEncoder, minilm: Encoder) -> None:
    """A passage that announces a list comes with it; a list's middle comes with both sides."""
    texts = ["Warm feet need three things:", "2. Wool socks.\n3. A stove.", "Hats are another matter."]
    passages = [
        Passage(doc_id="1", idx=idx, text=text, start=idx, own_start=idx, end=idx + 1, n_tokens=9)
        for idx, text in enumerate(texts)
    ]
    vectors = minilm.encode_passages([("Feet", text) for text in texts])
    await corpus.replace([CutArticle(article("1", "x", title="Feet"), "x", passages, vectors)], "test")
    retrieval = HybridRetrieval(corpus, encoder)
    found = await retrieve(retrieval, Question("What do warm feet need?"))
    around = {item.source.passage.idx: (item.before, item.after) for item in found.evidence}
    assert around[0] == (None, texts[1])
    found = await retrieve(retrieval, Question("wool socks stove"), 1)
    assert (found.evidence[0].before, found.evidence[0].after) == (texts[0], texts[2])


async def test_questions_without_words_to_look_up(retrieval: HybridRetrieval) -> None:
    found = await retrieve(retrieval, Question("What should I do?"))
    assert {stream for item in found.evidence for stream in item.streams} == {"dense"}
    assert codes(found) == []


async def test_a_question_that_is_too_long(retrieval: HybridRetrieval) -> None:
    found = await retrieve(retrieval, Question(WARM.text + " My grandmother lives by the sea." * 90))
    assert [remark.code for remark in found.warnings] == ["question_shortened"]
    assert codes(found) == []
    assert found.evidence


# One stream fails, the other answers


async def check_alone(retrieval: HybridRetrieval, failed: str, detail: str, stream: str) -> None:
    found = await retrieve(retrieval, WARM)
    assert [(remark.code, remark.detail) for remark in found.degraded] == [(f"{failed}_failed", detail)]
    assert keys(found)[:2] == ["1", "1"]
    assert {name for item in found.evidence for name in item.streams} == {stream}


async def test_the_encoder_has_stopped(retrieval: HybridRetrieval, encoder: AsyncEncoder) -> None:
    await encoder.close()
    await check_alone(retrieval, "dense", "EncoderClosed", "lexical")


async def test_the_vectors_are_gone(damaged: HybridRetrieval, copied_url: str) -> None:
    query(copied_url, "DROP TABLE embedding_minilm")
    await check_alone(damaged, "dense", "DatabaseDamaged", "lexical")


async def test_the_vectors_are_those_of_another_model(damaged: HybridRetrieval) -> None:
    """A change of model under way: the answer step is told that dense search is off (case F21)."""
    assert await Corpus(damaged._corpus._engine, replace(MINILM, revision="another")).adopt()
    await check_alone(damaged, "dense", "EncoderMismatch", "lexical")


@pytest.mark.parametrize("table", ["lexical_postings", "lexical_documents", "lexical_segments"])
async def test_a_lexical_table_is_gone(damaged: HybridRetrieval, copied_url: str, table: str) -> None:
    query(copied_url, f"ALTER TABLE {table} RENAME TO elsewhere")
    await check_alone(damaged, "lexical", "DatabaseDamaged", "dense")


async def test_both_fail(damaged: HybridRetrieval, encoder: AsyncEncoder, copied_url: str) -> None:
    query(copied_url, "ALTER TABLE lexical_postings RENAME TO elsewhere")
    await encoder.close()
    found = await retrieve(damaged, WARM)
    assert set(codes(found)) == {"dense_failed", "lexical_failed"}
    assert list(found.evidence) == []


async def test_the_database_is_gone(encoder: AsyncEncoder, unused_tcp_port: int) -> None:
    engine = create_engine(f"postgresql://carecite:x@127.0.0.1:{unused_tcp_port}/corpus")
    found = await retrieve(HybridRetrieval(Corpus(engine, MINILM), encoder), WARM)
    assert [(remark.code, remark.detail) for remark in found.degraded] == [
        ("search_failed", "ServerUnavailable")
    ]
    await engine.dispose()


async def test_a_mistake_of_ours_is_no_failed_stream(retrieval: HybridRetrieval) -> None:
    """Only what is known to go wrong degrades a search; a fault in the code is raised."""
    retrieval._corpus.manifest = replace(MINILM, dimensions=8)
    with pytest.raises(ValueError, match="8 dimensions"):
        await retrieve(retrieval, WARM)
