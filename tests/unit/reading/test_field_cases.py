"""The field cases F07 to F13 and F17, on their own inputs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reasoning.retrieval.reading import Article, citation_line, read_documents, read_pubmed
from storage.documents import SectionKind

pytestmark = pytest.mark.shared_data

STANDINGS = {
    "retracted": "retracted",
    "retraction notice": "retraction_notice",
    "expression of concern": "concern",
    "corrected": "corrected",
    "normal": "ok",
    "superseded": "superseded",
}


@pytest.fixture(scope="module")
def inputs(shared: Path) -> Path:
    return shared / "cases" / "inputs"


@pytest.fixture(scope="module")
def expected(inputs: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((inputs / "expectations.json").read_text())
    return loaded


def read(inputs: Path, name: str) -> dict[str, Article]:
    found = list(read_documents(inputs / name))
    articles = [item for item in found if isinstance(item, Article)]
    assert len(articles) == len(found)
    return {article.doc_id: article for article in articles}


def whole(article: Article) -> str:
    parts = [article.title, *(f"{part.label or ''} {part.text}" for part in article.sections)]
    return " ".join(" ".join(parts).split())


def abstract(article: Article) -> str | None:
    parts = (part.text for part in article.sections if part.kind is SectionKind.ABSTRACT)
    return " ".join(parts) or None


def check_texts(article: Article, wanted: dict[str, Any]) -> None:
    for choice in wanted.get("text_has", []):
        assert any(" ".join(one.split()) in whole(article) for one in choice.split("|")), choice
    raw = "".join([article.title, *(part.text for part in article.sections)])
    for never in wanted.get("text_never", []):
        assert never not in whole(article)
        assert never not in raw
    for part in wanted.get("title_has", []):
        assert part in article.title
    for part in wanted.get("title_never", []):
        assert part not in article.title


@pytest.mark.parametrize(
    "name",
    [
        "F07_markup.xml",
        "F08_abstracts.xml",
        "F09_dates.xml",
        "F11_titles_authors.xml",
        "F17_future_schema.xml",
    ],
)
def test_pubmed_records(inputs: Path, expected: dict[str, Any], name: str) -> None:
    articles = read(inputs, name)
    for pmid, wanted in expected[name].items():
        article = articles[pmid]
        check_texts(article, wanted)
        shown = {
            "title": article.title,
            "abstract": abstract(article),
            "sections": [[part.label, part.text] for part in article.sections],
            "usable_as_evidence": bool(article.sections),
            "year": article.year,
            "issue": str(article.issue_date),
            "online": str(article.online_date),
            "language": article.original_language,
            "original_title": article.original_title,
            "authors": list(article.authors),
            "authors_first": (*article.authors, None)[0],
            "plain_summary": article.plain_summary,
            "other_language": next(([other.language, other.text] for other in article.other_abstracts), None),
        }
        assert {key: shown[key] for key in shown if key in wanted} == {
            key: wanted[key] for key in shown if key in wanted
        }
        for never in wanted.get("never", []) + wanted.get("abstract_never", []):
            assert never not in f"{article.issue_date} {article.online_date} {abstract(article)}"
        for name_part in wanted.get("has", []):
            assert name_part in article.authors
        for never in wanted.get("authors_never", []):
            assert never not in " ".join(article.authors)


def test_citation_lines_are_well_formed(inputs: Path) -> None:
    lines = {
        article.doc_id: citation_line(article)
        for name in ("F10_books.xml", "F11_titles_authors.xml", "F09_dates.xml")
        for article in read(inputs, name).values()
    }
    for line in lines.values():
        assert not re.search(r"None|^\W|\.\.|, ?[,.]|\[Not Available", line), line
    assert lines["90001102"].endswith(" 2020. Article in Spanish.")
    assert "et al." in lines["90001108"]
    assert "et al." not in lines["90001107"]
    assert lines["90001001"].endswith("Handbook of Invented Conditions. Invented Handbook Press, 2023-09-14.")
    assert lines["90001002"].count("Thermometers for Home Use") == 1


def test_books_in_the_order_asked_for(inputs: Path, expected: dict[str, Any]) -> None:
    wanted = expected["F10_books.xml"]
    articles = read(inputs, "F10_books.xml")
    assert list(articles) == wanted["pmids_in_order"]
    for pmid in ("90001001", "90001002"):
        article = articles[pmid]
        check_texts(article, wanted[pmid])
        assert article.title == wanted[pmid]["title"]
        assert list(article.authors) == wanted[pmid]["authors"]
        assert article.year in wanted[pmid]["year_any_of"]
        assert "Book" in [kind.name for kind in article.publication_types]
    assert articles["90001001"].container == wanted["90001001"]["container"]


def test_standing(inputs: Path, expected: dict[str, Any]) -> None:
    articles = read(inputs, "F12_standing.xml")
    for pmid, wanted in expected["F12_standing.xml"].items():
        name, _, successor = wanted.partition(" by ")
        assert articles[pmid].standing.value == STANDINGS[name], pmid
        assert articles[pmid].superseded_by == (successor or None)


def test_full_text_with_tables(inputs: Path, expected: dict[str, Any]) -> None:
    wanted = expected["F13_pmc_tables.xml"]
    (article,) = read(inputs, "F13_pmc_tables.xml").values()
    check_texts(article, wanted)
    assert (article.doc_id, article.pmid, article.full_text) == (wanted["pmcid"], wanted["pmid"], True)
    text = "\n".join(f"{part.label}\n{part.text}" for part in article.sections)
    places = [text.index(f"{title}\n") for title in wanted["sections_in_order"]]
    assert places == sorted(places)
    tables = [part for part in article.sections if part.kind is SectionKind.TABLE]
    for table, one in zip(tables, wanted["tables"], strict=True):
        rows = [" | ".join(row) for row in one["rows"]]
        assert (table.label, table.text.splitlines()) == (
            one["label"],
            [one["caption"], *rows, *([one["foot"]] if "foot" in one else [])],
        )


def test_front_matter_alone_is_no_full_text(inputs: Path, expected: dict[str, Any]) -> None:
    wanted = expected["F13_pmc_front_only.xml"]
    (article,) = read(inputs, "F13_pmc_front_only.xml").values()
    assert (article.pmcid, article.full_text, abstract(article)) == (
        wanted["pmcid"],
        False,
        wanted["abstract"],
    )


def test_a_future_schema_with_and_without_its_doctype(inputs: Path) -> None:
    data = (inputs / "F17_future_schema.xml").read_bytes()
    assert list(read_pubmed(data)) == list(read_pubmed(re.sub(rb"<!DOCTYPE[^>]*>", b"", data)))
