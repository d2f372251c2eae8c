"""One bad value does not take the batch with it (case F20)."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from storage.corpus import Corpus, CutArticle, clean_article
from storage.corpus.rows import is_usable
from storage.corpus.terms import count_terms, terms_of
from storage.documents import ForeignText, MeshHeading, PartialDate, PublicationType, Section, Standing
from storage.text import clean_json, clean_text, text_hash
from tests.integration.storage.documents import DIMENSIONS, cut, pad, query

BAD = "a\x00b \ud83d c"
CLEAN = "a b \ufffd c"
KINDS = {"zeros": np.zeros(DIMENSIONS), "nan": np.full(DIMENSIONS, np.nan), None: pad([1.0, 0.1])}


def as_articles(rows: Sequence[dict[str, Any]]) -> list[CutArticle]:
    return [cut(str(row["n"]), [row["text"]], [KINDS[row.get("vector")]]) for row in rows]


OWN = [
    {"n": 1, "text": "Wool socks keep feet warm."},
    {"n": 2, "text": "Left\x00right."},
    {"n": 3, "text": "Half a pair \ud83d here."},
    {"n": 4, "text": "No vector at all.", "vector": "zeros"},
    {"n": 5, "text": "A pair \U0001f642 and a tab\t."},
    {"n": 6, "text": "Not a number.", "vector": "nan"},
]


async def check_batch(corpus: Corpus, url: str, rows: Sequence[dict[str, Any]], cleaned: set[int]) -> None:
    bad = [str(row["n"]) for row in rows if row.get("vector")]
    stored = await corpus.replace(as_articles(rows), "test")
    assert stored.unsearchable == [f"{n}:0" for n in bad]
    texts = dict(query(url, "SELECT a.doc_id, p.text FROM passages p JOIN articles a ON a.id = p.article_id"))
    for row in rows:
        if row["n"] in cleaned:
            assert texts[str(row["n"])] not in (row["text"], "")
            assert not {"\x00", "\ud83d"} & set(texts[str(row["n"])])
        else:
            assert texts[str(row["n"])] == row["text"]
    good = {str(row["n"]) for row in rows} - set(bad)
    for asked in (KINDS[None], -KINDS[None]):
        found = [hit.article_key for hit in await corpus.search_dense(asked, 50)]
        assert set(found) == good
        assert len(found) == len(good)
    terms = await corpus.weigh_terms(count_terms(rows[-1]["text"] + " vector"))
    assert await corpus.search_lexical(terms, 50)


async def test_a_batch_with_damage(corpus: Corpus, corpus_url: str) -> None:
    await check_batch(corpus, corpus_url, OWN, cleaned={2, 3})
    texts = dict(query(corpus_url, "SELECT doc_id, text FROM articles"))
    assert texts["2"] == "Left right."
    assert texts["3"] == "Half a pair \ufffd here."


@pytest.mark.shared_data
async def test_the_field_case(corpus: Corpus, corpus_url: str, shared: Path) -> None:
    case = json.loads((shared / "cases" / "inputs" / "F20_poison.json").read_text())
    await check_batch(corpus, corpus_url, case["chunks"], cleaned={3, 5})
    assert clean_json(case["json_field"])["value"] == "x y"


async def test_damage_in_every_field(corpus: Corpus, corpus_url: str) -> None:
    """Titles, labels, names: columns and jsonb alike; what is read back is clean."""
    poisoned = cut(
        f"doc {BAD}",
        [BAD],
        title=BAD,
        container=BAD,
        authors=(BAD,),
        keywords=(BAD,),
        publication_types=(PublicationType(BAD, BAD),),
        mesh=(MeshHeading(BAD, qualifiers=(BAD,)),),
        other_abstracts=(ForeignText("ger", BAD),),
        sections=(Section(BAD, label=BAD),),
        plain_summary=BAD,
        url=BAD,
        language="en",
        issue_date=PartialDate(2020, 2),
        source=BAD,
    )
    stored = await corpus.replace([cut("1"), poisoned, cut("2")], "test")
    assert (stored.articles, stored.passages, stored.unsearchable) == (3, 3, [])
    article = await corpus.read_article(f"doc {CLEAN}")
    assert article
    assert (article.title, article.keywords, article.sections[0].label) == (CLEAN, (CLEAN,), CLEAN)
    assert article.mesh == (MeshHeading(CLEAN, qualifiers=(CLEAN,)),)
    assert (article.published, article.standing) == (PartialDate(2020, 2), Standing.OK)
    assert query(corpus_url, "SELECT publication_types, source FROM articles WHERE title <> ''") == [
        ([CLEAN], CLEAN)
    ]
    terms = await corpus.weigh_terms(count_terms(BAD))
    assert [hit.article_key for hit in await corpus.search_lexical(terms, 5)] == [f"doc {CLEAN}"]
    assert await corpus.unchanged([clean_article(poisoned.article)], "test") == {f"doc {CLEAN}"}


async def test_sizes_beyond_the_columns(corpus: Corpus, corpus_url: str) -> None:
    """A gene printed without blanks, a year that is a whole date, a text of one word 40,000 times."""
    random = np.random.default_rng(4)
    gene = "".join(random.choice(list("acgtbdefhijklmnopqrsuvwxyz0123456789"), 9000))
    loud = "aspirin " * 40_000
    batch = [
        cut("1", [gene]),
        cut("2", [loud]),
        cut("3", ["plain"], issue_date=PartialDate(20250101)),
        cut("4", ["plain"]),
    ]
    assert (await corpus.replace(batch, "test")).passages == 4
    for text, doc_id in ((gene, "1"), ("aspirin", "2")):
        terms = await corpus.weigh_terms(count_terms(text))
        assert [hit.article_key for hit in await corpus.search_lexical(terms, 5)] == [doc_id]
    assert query(corpus_url, "SELECT year FROM articles WHERE doc_id = '3'") == [(None,)]


@pytest.mark.parametrize(
    "vector",
    [
        pytest.param([1e-9] * DIMENSIONS, id="zero in half precision"),
        pytest.param([1e6] * DIMENSIONS, id="infinite in half precision"),
        pytest.param([float("inf")] * DIMENSIONS, id="infinite"),
        pytest.param([float("nan"), *[1.0] * (DIMENSIONS - 1)], id="one NaN"),
        pytest.param([0.0] * DIMENSIONS, id="zero"),
    ],
)
async def test_vectors_that_cannot_be_compared(corpus: Corpus, vector: list[float]) -> None:
    """Left out when stored, and no hits when asked; never an error, never first."""
    batch = [cut("1", ["x", "y"], [np.array(vector, dtype=np.float32), pad([1.0])])]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (await corpus.replace(batch, "test")).unsearchable == ["1:0"]
        assert len(await corpus.search_dense(pad([1.0]), 5)) == 1
        assert await corpus.search_dense(vector, 5) == []
        assert await corpus.score_dense(vector, [1, 2]) == []


async def test_vectors_of_a_wrong_length(corpus: Corpus) -> None:
    assert not is_usable(np.ones(383), DIMENSIONS)
    with pytest.raises(ValueError, match="384 dimensions"):
        await corpus.search_dense([1.0] * 768, 5)


async def test_every_kind_of_query_vector(corpus: Corpus) -> None:
    await corpus.replace([cut("1", ["x"], [(1.0, 0.0)]), cut("2", ["x"], [(0.0, 1.0)])], "test")
    wanted = await corpus.search_dense(pad([0.0, 1.0]), 5)
    assert [hit.article_key for hit in wanted] == ["2", "1"]
    for vector in (
        [0.0, 1.0, *[0.0] * (DIMENSIONS - 2)],
        (0.0, 1.0, *[0.0] * (DIMENSIONS - 2)),
        pad([0.0, 1.0]).astype(np.float64),
        pad([0.0, 1.0]).astype(np.float16),
        pad([0.0, 1.0]).astype(np.int32),
    ):
        assert await corpus.search_dense(vector, 5) == wanted
    assert await corpus.search_dense(None, 5) == []
    assert await corpus.score_dense(None, [1]) == []


def test_cleaning_is_one_way_and_stable() -> None:
    joined = "e\u0301 \ud83d\ude42 \ud83d\u2028x\ufeff\x07"
    assert clean_text(joined) == "\u00e9 \U0001f642 \ufffd x  "
    assert clean_text(clean_text(joined)) == clean_text(joined)
    assert text_hash(joined) == text_hash(clean_text(joined))
    assert text_hash("a", "b") != text_hash("ab", "")
    assert clean_json({BAD: [BAD, 1, None, (BAD,)]}) == {CLEAN: [CLEAN, 1, None, [CLEAN]]}


def test_long_words_are_the_same_term_stored_and_asked() -> None:
    long = "q" * 5000
    assert terms_of(long) == terms_of(long + "x")
    assert max(map(len, terms_of(f"{long} {long}-{long} 漢{long}"))) <= 64
