"""A boolean query on the corpus means what the plain reference says, and loosening it loses nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from sqlalchemy import text

from reasoning.retrieval.pubmed import parse_query
from storage.corpus import EVERYTHING, Corpus, Filters, vocabulary
from storage.database import connect, create_engine
from storage.documents import (
    Article,
    ForeignText,
    MeshHeading,
    PartialDate,
    PublicationType,
    Section,
    Standing,
)
from storage.encoders import MINILM
from storage.loosening import drop_limits, leave_one_out, loosen
from storage.query import AllOf, AnyOf, Field, Published, Query, Term, normalise
from storage.schema import downgrade, upgrade
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import counted, cut, query
from tests.integration.storage.reference import matches
from tests.queries import HEADINGS, TYPES, WORDS, examples, trees

TIAB = Field.TITLE_ABSTRACT


def generate(count: int, seed: int) -> list[dict[str, Any]]:
    """Records of the words, headings, types and dates that the trees ask for."""
    random = np.random.default_rng(seed)

    def some(things: Iterable[str], most: int) -> list[str]:
        return [str(thing) for thing in random.choice(list(things), int(random.integers(0, most + 1)))]

    def day() -> PartialDate | None:
        year, month, date = (int(random.integers(*ends)) for ends in ((2018, 2023), (0, 13), (0, 29)))
        return PartialDate(year, month or None, (date or None) if month else None) if date != 1 else None

    return [
        {
            "title": " ".join(some(WORDS, 4)),
            "sections": tuple(Section(words) for words in [" ".join(some(WORDS, 12))] if words),
            "keywords": tuple(some(WORDS, 2)),
            "mesh": tuple(MeshHeading(name) for name in some(HEADINGS, 2)),
            "publication_types": tuple(PublicationType(name) for name in some(TYPES, 1)),
            "original_language": "ger" if random.random() < 0.3 else None,
            "issue_date": day(),
        }
        for _ in range(count)
    ]  # fmt: skip


async def fill(corpus: Corpus, records: Iterable[dict[str, Any]]) -> dict[str, Article]:
    cuts = [
        cut(str(n), [part.text for part in fields["sections"]], **fields)
        for n, fields in enumerate(records, start=1)
    ]
    await corpus.replace(cuts, "test")
    return {item.article.key: item.article for item in cuts}


async def found(corpus: Corpus, asked: Query | str, filters: Filters = EVERYTHING) -> set[str]:
    tree = parse_query(asked) if isinstance(asked, str) else asked
    hits = await corpus.search_boolean(tree, 1000, filters)
    assert len(set(hits.keys)) == len(hits.keys) == hits.count
    return set(hits.keys)


@pytest.fixture(scope="module")
async def generated(new_database: NewDatabase) -> AsyncIterator[tuple[Corpus, dict[str, Article]]]:
    engine = create_engine(new_database("corpus"))
    corpus = Corpus(engine, MINILM)
    yield corpus, await fill(corpus, generate(200, seed=11))
    await engine.dispose()


@examples(150)
@given(tree=trees())
async def test_means_what_the_reference_says(
    generated: tuple[Corpus, dict[str, Article]], tree: Query
) -> None:
    corpus, articles = generated
    if (normal := normalise(tree)) is not None:
        for undated in (False, True):
            wanted = {key for key, article in articles.items() if matches(article, normal, undated=undated)}
            assert await found(corpus, normal, Filters(unknown_year=undated)) == wanted


@examples(60)
@given(tree=trees())
async def test_loosening_loses_nothing(generated: tuple[Corpus, dict[str, Article]], tree: Query) -> None:
    corpus, _ = generated
    if (normal := normalise(tree)) is None:
        return
    before = await found(corpus, normal)
    for wider in (drop_limits(normal), *leave_one_out(normal)):
        assert wider is None or before <= await found(corpus, wider)
    for _ in range(6):
        wider = loosen(normal)
        assert wider is not None
        after = await found(corpus, wider)
        assert before <= after
        normal, before = wider, after


async def test_the_reference_tells_queries_apart(generated: tuple[Corpus, dict[str, Article]]) -> None:
    """Neither everything nor nothing, so that the comparison above can fail."""
    corpus, articles = generated
    for asked in (
        '"hip pain"[tiab]',
        '"hip pain"[tiab:~2]',
        "Neoplasms[mh]",
        "2019:2020[dp]",
        "canc* NOT hip[ti]",
    ):
        assert 0 < len(await found(corpus, asked)) < len(articles)


async def test_fields(corpus: Corpus) -> None:
    await corpus.replace(
        [
            cut("1", ["Wool keeps feet warm."], title="Socks", keywords=("hosiery",), container="Foot Care"),
            cut("2", ["Felt."], mesh=(MeshHeading("Foot Diseases", qualifiers=("prevention & control",)),)),
            cut("3", ["Body."], other_abstracts=(ForeignText("ger", "Wolle wärmt."),), plain_summary="wool"),
            cut("4", ["A page on socks, without abstract."], source="library"),
            cut("5", [], title="Socks alone", original_title="Nur Socken"),
        ],
        "test",
    )  # fmt: skip
    for asked, keys in {
        "wool[tiab]": "13", "wool[ti]": "", "socks[ti]": "15", "socks[tiab]": "145", "hosiery[tiab]": "1",
        "foot[tiab]": "", "foot": "12", "prevention": "2", "wolle[tiab]": "3", "wärmt[tiab]": "3",
        "warmt[tiab]": "3", "socken": "5", "socken[tiab]": "", "socks hasabstract": "14", "Diseases[mh]": "2",
        '"Foot"[mh]': "", '"Foot Diseases/therapy"[mh]': "2", "Diseases[mh:noexp]": "",
        '"feet warm socks"[tiab:~5]': "", '"socks wool"[tiab:~50]': "",
    }.items():  # fmt: skip
        assert await found(corpus, asked) == set(keys), asked


async def test_best_first(corpus: Corpus) -> None:
    """By BM25 of the query's words; equals, and what has no passage, by date, the newest first."""
    await corpus.replace(
        [
            cut(
                "1", ["wool and many other words that are not about it at all"], issue_date=PartialDate(2020)
            ),
            cut("2", ["wool wool"], issue_date=PartialDate(2001)),
            cut("3", [], title="wool", issue_date=PartialDate(2022)),
            cut("4", [], title="wool", issue_date=PartialDate(2023)),
            cut("5", [], title="wool"),
            cut("6", ["felt"], issue_date=PartialDate(2020)),
        ],
        "test",
    )
    hits = await corpus.search_boolean(Term("wool", TIAB), 10)
    assert hits.keys == ("2", "1", "4", "3", "5")
    best = await corpus.search_boolean(Term("wool", TIAB), 2)
    assert (best.keys, best.count) == (("2", "1"), 5)


async def test_unknown_words(corpus: Corpus) -> None:
    await corpus.replace([cut("1", ["wool socks"], mesh=(MeshHeading("Feet"),))], "test")
    tree = AllOf((AnyOf((Term("wool", TIAB), Term("zzfelt", TIAB))), Term("Nowhere", Field.MESH)))
    hits = await corpus.search_boolean(tree, 10)
    assert (hits.keys, hits.count, hits.unknown) == ((), 0, ("zzfelt",))


async def test_what_was_retracted_is_not_found(corpus: Corpus) -> None:
    """Nor its full text, in whichever order they came; it is again once the record is in good standing."""
    full = cut("PMC9900001", ["wool in full"], pmid="1", pmcid="PMC9900001", full_text=True, source="pmc")
    await corpus.replace([full, cut("2", ["wool"])], "test")
    assert await found(corpus, "wool[tiab]") == {"1", "2"}
    await corpus.replace([cut("1", ["wool"], standing=Standing.RETRACTED)], "test")
    assert await found(corpus, "wool[tiab]") == {"2"}
    assert await corpus.read_full_texts(["PMC9900001"]) == {}
    assert (await corpus.read_records(["1"]))["1"].standing is Standing.RETRACTED
    stored = await corpus.replace([cut("1", ["wool"])], "test")
    assert stored.revived == ["PMC9900001"]
    assert await found(corpus, "wool[tiab]") == {"1", "2"}


async def test_a_record_stands_for_its_full_text(corpus: Corpus) -> None:
    """A key comes once, and its MeSH, type and date are the record's."""
    full = cut("PMC9900001", ["wool body"], pmid="1", full_text=True, source="pmc")
    record = cut("1", ["wool"], publication_types=(PublicationType("Review"),))
    await corpus.replace([full], "test")
    assert await found(corpus, "wool[tiab] NOT review[pt]") == {"1"}
    await corpus.replace([record], "test")
    assert await found(corpus, "wool[tiab]") == {"1"}
    assert await found(corpus, "wool[tiab] NOT review[pt]") == set()
    assert await found(corpus, "body[tiab]") == set()
    assert (await corpus.read_records(["1", "2"])).keys() == {"1"}
    assert (await corpus.read_records(["1"]))["1"].doc_id == "1"
    assert (await corpus.read_full_texts(["PMC9900001", "PMC9900002"])).keys() == {"PMC9900001"}


async def test_dates_are_as_precise_as_stated(corpus: Corpus) -> None:
    """Case F09: 1998 is out of "1999 and later", 2000 is in, no year passes only if allowed."""
    dates = {
        "1": PartialDate(1998),
        "2": PartialDate(2000),
        "3": PartialDate(2000, 6),
        "4": PartialDate(2000, 6, 9),
    }
    await corpus.replace([*(cut(key, issue_date=day) for key, day in dates.items()), cut("5")], "test")
    for first, last, keys in [
        (PartialDate(1999), None, "234"),
        (PartialDate(2000, 2), PartialDate(2000, 3), "2"),
        (PartialDate(2000, 6, 10), None, "23"),
        (PartialDate(2000, 6), PartialDate(2000, 6), "234"),
        (None, PartialDate(1999, 12, 31), "1"),
        (None, PartialDate(2000, 6, 8), "123"),
    ]:
        tree = AllOf((Term("socks", TIAB), Published(first, last)))
        assert await found(corpus, tree) == set(keys)
        assert await found(corpus, tree, Filters(unknown_year=True)) == {*keys, "5"}


async def test_filters(corpus: Corpus) -> None:
    await corpus.replace([cut("1", source="library"), cut("2", language="de")], "test")
    assert await found(corpus, "socks", Filters(sources=("library",))) == {"1"}
    assert await found(corpus, "socks", Filters(languages=("de",))) == {"2"}


async def test_a_changed_article_is_found_by_its_new_words_only(corpus: Corpus) -> None:
    await corpus.replace([cut("1", ["wool"])], "test")
    await corpus.replace([cut("1", ["felt"])], "test")
    assert (await found(corpus, "wool"), await found(corpus, "felt")) == (set(), {"1"})
    await corpus.remove_missing("pubmed", [])
    assert await found(corpus, "felt") == set()


async def test_strange_texts_are_stored(corpus: Corpus) -> None:
    """Quotes, backslashes, a month that no year has, a text of 60,000 words (case F20)."""
    texts = ["it's \\ 'quoted' \" : & | ! <-> \x00", " ".join(f"w{n}ö{'x' * 80}" for n in range(60_000))]
    strange = {"language": "x'y", "issue_date": PartialDate(2020, 13), "mesh": (MeshHeading("O'Neil's \\"),)}
    await corpus.replace([cut("1", texts, **strange), cut("2", ["quoted"])], "test")
    assert await found(corpus, "quoted[tiab]") == {"1", "2"}
    assert await found(corpus, Term("O'Neil's \\", Field.MESH)) == {"1"}


async def test_words_and_headings_of_the_corpus(corpus: Corpus) -> None:
    await corpus.replace(
        [
            cut("1", ["hypertension and TNFα"], mesh=(MeshHeading("Heart Failure"),)),
            cut("2", ["hypertension, hypotension"]),
        ],
        "test",
    )
    assert await corpus.known_headings(["Heart Failure", "heart failure", "Failure", "Gout", "'"]) == {
        "Heart Failure",
        "heart failure",
    }
    counts = {"hypertension": 2, "Hypotension": 1, "TNF-alpha": 1, "gout": 0, "&": 0}
    assert await corpus.known_terms(list(counts)) == counts
    assert await corpus.similar_terms("hypertention") == ["hypertension"]
    assert await corpus.similar_terms("hypertension") == ["hypotension"]
    assert await corpus.similar_terms("gout") == []


async def test_words_are_counted_once(generated: tuple[Corpus, dict[str, Article]]) -> None:
    """A word that no article has may come with the next one."""
    corpus, _ = generated
    counts = await corpus.known_terms(["hip", "xyzzy"])
    assert counts["hip"]
    assert not counts["xyzzy"]
    with counted(corpus._engine) as sent:
        assert await corpus.known_terms(["hip"]) == {"hip": counts["hip"]}
        assert [statement for statement in sent if "article_words" in statement] == []
        assert await corpus.known_terms(["hip", "xyzzy"]) == counts
    assert len([statement for statement in sent if "article_words" in statement]) == 1


async def test_words_are_counted_by_the_index_whatever_is_asked(corpus: Corpus) -> None:
    """The plan for all calls, which a connection takes from the sixth one on, where articles are many."""
    many = (
        "CREATE TEMP TABLE article_words (LIKE article_words INCLUDING INDEXES)",
        "ALTER TABLE article_words ALTER words SET STORAGE PLAIN",
        "INSERT INTO article_words SELECT n, to_tsvector('simple', string_agg(md5(concat(n, m)), ' '))"
        " FROM generate_series(1, 3000) n, generate_series(1, 50) m GROUP BY n",
        "ANALYZE article_words",
        "SET LOCAL seq_page_cost = 4",  # as of a table some times as large
    )
    async with connect(corpus._engine) as connection:
        for statement in many:
            await connection.exec_driver_sql(statement)
        counts = f"EXPLAIN (GENERIC_PLAN) {vocabulary._COUNTS.replace(':entries', '$1')}"
        plan = "\n".join(row[0] for row in (await connection.execute(text(counts))).all())
    assert "Bitmap Index Scan on article_words_words_idx" in plan
    assert "Seq Scan on article_words" not in plan


async def test_the_index_serves(generated: tuple[Corpus, dict[str, Article]]) -> None:
    """One statement for the terms' weights and one for the search, whose plan reads the index of words; what
    the index cannot answer does not keep the other parts from it."""
    corpus, _ = generated
    trees = ["hip[tiab] AND (pain[tiab] OR Neoplasms[mh])", "(hip[tiab] OR Pain[mh]) AND 2019:2020[dp]"]
    for asked in (*trees, '("hip pain"[tiab:~2] OR aspirin[tiab]) AND hasabstract'):
        with counted(corpus._engine) as sent:
            await corpus.search_boolean(parse_query(asked), 10)
        weigh, search = (statement for statement in sent if statement != "BEGIN")
        assert "matched" in search
        assert "matched" not in weigh
        plan = await explain(corpus, parse_query(asked))
        assert "Bitmap Index Scan on ix_article_words_words" in plan
        assert "Seq Scan on article_words" not in plan
    with counted(corpus._engine) as sent:
        await corpus.known_headings(["Heart", "Pain", "Gout"])
        await corpus.known_terms(["hip", "gout"])
        await corpus.read_records(["1", "2", "3"])
    assert len([statement for statement in sent if statement != "BEGIN"]) == 3


async def explain(corpus: Corpus, tree: Query) -> str:
    """The plan of the search, where to read every row is dear, as in a large corpus."""
    from storage.corpus import boolean

    conditions = boolean._Conditions(undated=False)
    where = conditions.of(tree)
    async with connect(corpus._engine) as connection:
        await connection.execute(text("SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off"))
        statement = f"EXPLAIN WITH {boolean._MATCHED.format(condition=where)} SELECT * FROM matched"
        return "\n".join((await connection.execute(text(statement), conditions.params)).scalars())


async def test_articles_from_before_are_indexed_by_the_migration(new_database: NewDatabase) -> None:
    url = new_database("corpus")
    engine = create_engine(url)
    corpus = Corpus(engine, MINILM)
    await corpus.replace(
        [cut(str(n), [f"wool number{n}"], issue_date=PartialDate(2020)) for n in range(3)], "test"
    )
    rows = query(url, "SELECT * FROM article_words ORDER BY 1")
    await engine.dispose()
    downgrade(url, "corpus", "0001")
    assert upgrade(url, "corpus")
    assert query(url, "SELECT * FROM article_words ORDER BY 1") == rows
    assert len(rows) == 3
