"""Real records: values of an independent parser, and every full text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reasoning.retrieval.reading import Article, read_documents
from storage.documents import SectionKind, Standing

pytestmark = pytest.mark.shared_data


def articles_of(path: Path) -> list[Article]:
    found = list(read_documents(path))
    articles = [item for item in found if isinstance(item, Article)]
    assert len(articles) == len(found)
    return articles


def bare(text: str) -> str:
    """Letters and digits only: brackets, marks and blanks are ours to change."""
    return re.sub(r"[\W_]+", "", text)


def test_pubmed_records_agree_with_an_independent_parser(shared: Path) -> None:
    folder = shared / "data" / "eutils"
    lines = [json.loads(line) for line in (folder / "expected.jsonl").read_text().splitlines()]
    files = {path: articles_of(path) for path in sorted((folder / "efetch_pubmed").glob("*.xml"))}
    records = {(path.name, article.doc_id): article for path, found in files.items() for article in found}
    wanted = [line for line in lines if line["kind"] == "article"]
    assert len(wanted) > 40
    for line in wanted:
        check_record(records[Path(line["file"]).name, line["pmid"]], line)


def check_record(article: Article, line: dict[str, Any]) -> None:
    assert bare(article.title) == bare(line["title"])
    assert article.container == line["journal"]
    assert article.year == line["year"]
    assert [kind.name for kind in article.publication_types] == line["pub_types"]
    assert article.original_language == (line["languages"][0] if "eng" not in line["languages"] else None)
    assert bool(article.sections) is line["has_abstract"]
    assert [part.label for part in article.sections if part.label] == line["abstract_labels"]
    assert [heading.name for heading in article.mesh] == line["mesh"]
    assert article.pmcid == (line["pmcid"] and f"PMC{line['pmcid'].removeprefix('PMC')}")
    assert (article.standing is Standing.RETRACTED) is line["is_retracted"]
    length = sum(len(part.text) for part in article.sections)
    assert length == pytest.approx(line["abstract_chars"], abs=40, rel=0.02)


def test_pmc_records_agree_with_an_independent_parser(shared: Path) -> None:
    folder = shared / "data" / "eutils"
    for text in (folder / "expected.jsonl").read_text().splitlines():
        line = json.loads(text)
        if line["kind"] == "pmc_jats":
            (article,) = articles_of(folder / line["file"])
            assert (article.doc_id, article.pmid) == (line["pmcid"], line["pmid"])
            assert article.full_text
            assert (article.standing is Standing.RETRACTION_NOTICE) is ("retraction" in line["file"])


def test_the_book_record(shared: Path) -> None:
    (book,) = articles_of(shared / "data" / "eutils" / "efetch_pubmed" / "book_genereviews.xml")
    assert book.container == "GeneReviews™"
    assert book.authors == ()  # it names editors only
    assert book.sections


def test_every_full_text_is_read(shared: Path) -> None:
    folder = shared / "data" / "fulltext"
    index = [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]
    with_file = [line for line in index if line["file"]]
    assert len(with_file) == 180
    for line in with_file:
        (article,) = articles_of(folder / line["file"])
        body = [part.text for part in article.sections if part.kind is SectionKind.BODY]
        assert (article.doc_id, article.pmid) == (line["pmcid"], line["pmid"])
        assert article.doc_class.value == line["depth"][:2]
        assert article.full_text is (line["paragraphs"] > 0)
        assert sum(map(len, body)) > 0.8 * line["chars"], line["pmcid"]
        assert not any(set(part) & {"\0", "\1"} for part in body)
        assert not re.search(r"</?(?:xref|sup|italic|bold|p|sec)\b", " ".join(body))


def test_every_corpus_line_is_read(shared: Path) -> None:
    for path in sorted((shared / "data" / "retrieval").glob("corpus_*")):
        found = list(read_documents(path))
        assert found
        assert all(isinstance(item, Article) and (item.sections or item.title) for item in found), path.name
