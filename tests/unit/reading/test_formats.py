"""How a format is found, and the formats beside XML."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from reasoning.retrieval.reading import (
    Article,
    Format,
    MissingExtra,
    Rejected,
    UnknownFormat,
    read_documents,
)
from reasoning.retrieval.reading.formats import detect_format
from storage.documents import MeshHeading, PublicationType, SectionKind, Standing


def read_file(path: Path, text: str | bytes) -> list[Article | Rejected]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(read_documents(path))


def read_article(path: Path, text: str | bytes) -> Article:
    (found,) = read_file(path, text)
    assert isinstance(found, Article), found
    return found


def units(article: Article) -> list[tuple[str, str | None, str]]:
    return [(section.kind.value, section.label, section.text) for section in article.sections]


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.xml", b"\xef\xbb\xbf<?xml version='1.0'?><!-- c --><PubmedArticleSet>", Format.PUBMED),
        ("a.txt", b"<PubmedArticleSet><PubmedArticle>", Format.PUBMED),
        ("a.xml.gz", "<?xml version='1.0' encoding='utf-16'?><pmc-articleset>".encode("utf-16"), Format.JATS),
        ("a.nxml", b'<!DOCTYPE article PUBLIC "x" "y"><article>', Format.JATS),
        ("pubmed-export.txt", b"PMID- 7\nTI  - x", Format.MEDLINE),
        ("a.NBIB", b"\nPMID- 7", Format.MEDLINE),
        ("a.md", b"<!-- a comment -->\n# T", Format.MARKDOWN),
        ("a.jsonl.gz", b'{"doc_id": 1}', Format.JSONL),
        ("a.html", b"<!doctype html><html>", Format.HTML),
        ("a.bin", b"%PDF-1.7\0", Format.PDF),
    ],
)
def test_content_decides_before_the_name(name: str, head: bytes, expected: Format) -> None:
    assert detect_format(head, Path(name)) is expected


@pytest.mark.parametrize(
    ("name", "head", "said"),
    [
        ("a.xml", b"<html><body>Too many requests", "<html>"),
        ("a.xml", b"<eFetchResult><ERROR>", "<eFetchResult>"),
        ("a.docx", b"PK\x03\x04", "neither"),
        ("a.txt", b"\0\1\2", "no text"),
        ("a.xml", b"", "neither"),
    ],
)
def test_what_is_no_document_is_refused_with_what_it_is(name: str, head: bytes, said: str) -> None:
    with pytest.raises(UnknownFormat, match=said):
        detect_format(head, Path(name))


NBIB = """\
PMID- 70000001
DP  - 2005 Sep
TI  - Warm socks and cold feet: a randomised
      trial.
LID - 10.5555/socks [doi]
AB  - BACKGROUND: Feet get cold. METHODS AND SETTING: Socks for 40 people. Feet
      warmed. (c) 2005 The Society.
AU  - Example A
CN  - SOCKS Group
LA  - eng
PT  - Journal Article
DEP - 20050531
TA  - J Feet
JT  - Journal of Feet
MH  - Cold Temperature/*adverse effects
OT  - *feet
PMC - PMC7000001
RIN - J Feet. 2007;3:9.
      PMID: 70000009
EDAT- 2005/06/01 09:00

PMID- 70000002
TI  - [Not Available].
TT  - Chaussettes.
LA  - fre
DP  - 1998 Dec-1999 Jan

      a stray continuation
TI  - No PMID

PMID- 70000003
BTI - Book of Feet
PB  - Invented Press
CTDT- 2008/03/05 00:00
DRDT- 2023/09/14 00:00
DP  - 1999
"""


def test_medline_gives_the_same_article_as_xml(tmp_path: Path) -> None:
    first, second, third, book = read_file(tmp_path / "a.nbib", NBIB)
    assert isinstance(first, Article)
    assert first.title == "Warm socks and cold feet: a randomised trial."
    assert units(first) == [
        ("abstract", "BACKGROUND", "Feet get cold."),
        ("abstract", "METHODS AND SETTING", "Socks for 40 people. Feet warmed."),
    ]
    assert first.authors == ("Example A", "SOCKS Group")
    assert (str(first.issue_date), str(first.online_date), str(first.entrez_date)) == (
        "2005-09",
        "2005-05-31",
        "2005-06-01",
    )
    assert (first.container, first.pmcid, first.doi) == ("Journal of Feet", "PMC7000001", "10.5555/socks")
    assert first.mesh == (MeshHeading("Cold Temperature", None, True, ("adverse effects",)),)
    assert first.keywords == ("feet",)
    assert (first.standing, first.standing_links) == (Standing.RETRACTED, ("70000009",))
    assert isinstance(second, Article)
    assert (second.title, second.original_language, second.year, second.sections) == (
        "Chaussettes.",
        "fre",
        1998,
        (),
    )
    assert isinstance(third, Rejected)
    assert isinstance(book, Article)
    assert (book.title, book.publisher, str(book.issue_date)) == (
        "Book of Feet",
        "Invented Press",
        "2023-09-14",
    )


PAGE = """\
---
id: lib-socks
title: Warm socks
kind: condition
keywords: [socks, cold feet]
source_name: Invented Foot Office
source_url: https://example.org/socks
source_read: 2026-05-01
published: 2026-04
checked: false
more_sources: [{name: a, url: b}]
---
# Warm socks

Intro with **bold**, `code` and a [link](https://example.org).

## What helps

- Wool, 10<sup>9</sup> fibres
- Cotton

### Details

5 < 6, and
a second line.

| Kind | Warm |
|------|------|
| Wool | yes |

## See a doctor

```
# not a heading
```
"""


def test_a_page_of_the_library(tmp_path: Path) -> None:
    page = read_article(tmp_path / "socks.md", PAGE)
    assert (page.doc_id, page.source, page.title, page.language) == (
        "lib-socks",
        "library",
        "Warm socks",
        "en",
    )
    assert (page.url, page.container, str(page.issue_date)) == (
        "https://example.org/socks",
        "Invented Foot Office",
        "2026-04",
    )
    assert page.publication_types == (PublicationType("Patient information"),)
    assert page.keywords == ("socks", "cold feet")
    assert units(page) == [
        ("abstract", None, "Intro with bold, code and a link."),
        ("abstract", "What helps", "- Wool, 10^9 fibres\n- Cotton\n\nDetails\n\n5 < 6, and a second line."),
        ("table", "What helps", "Kind | Warm\nWool | yes"),
        ("abstract", "See a doctor", "# not a heading"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kind: condition", "kind: song", "kind"),
        ("id: lib-socks\n", "", "`id`"),
        ("id: lib-socks", "id: 12345", "looks like a PMID"),
        ("keywords: [socks, cold feet]", "keywords: [socks", "YAML"),
        ("source_read: 2026-05-01", "source_read: soon", "source_read"),
    ],
)
def test_bad_front_matter_is_rejected_with_its_reason(tmp_path: Path, old: str, new: str, said: str) -> None:
    (found,) = read_file(tmp_path / "socks.md", PAGE.replace(old, new))
    assert isinstance(found, Rejected)
    assert said in found.reason
    assert found.where == "socks.md"


def test_an_own_document_is_known_by_its_place(tmp_path: Path) -> None:
    first = read_article(tmp_path / "plan.md", "# Care plan\r\n\r\nHello.\r\n\r\n## Steps\r\n\r\nWalk.\r\n")
    changed = read_article(tmp_path / "plan.md", "## Steps\n\nRun.\n")
    other = read_article(tmp_path / "plan.txt", "Line one\nline two.\n\nNext.")
    assert (first.title, changed.title, other.title) == ("Care plan", "plan", "plan")
    assert first.doc_id == changed.doc_id != other.doc_id
    assert units(first) == [("body", None, "Hello."), ("body", "Steps", "Walk.")]
    assert units(other) == [("body", None, "Line one line two.\n\nNext.")]


@pytest.mark.parametrize("text", ["", "   \n", "# Only a title\n"])
def test_an_empty_document_is_rejected(tmp_path: Path, text: str) -> None:
    (found,) = read_file(tmp_path / "a.md", text)
    assert isinstance(found, Rejected)


def test_json_lines(tmp_path: Path) -> None:
    lines = """\
{"doc_id": "70000001", "pmid": 70000001, "title": "", "title_from_question": "SECRET", "answer": "SECRET", "year": 2001, "abstract": "AIM: To warm.", "sections": [{"label": "AIM", "text": "To warm."}], "mesh": ["Foot"], "pub_types": ["Retracted Publication"], "gold_pmids": ["SECRET"]}
{"doc_id": "x-1", "title": "T", "abstract": "OBJECTIVE: To cool. RESULTS: Cool.", "language": "ger"}

{"doc_id": "x-2"
{"doc_id": "x-3", "title": 5}
{"title": "no id", "abstract": "a"}
{"pmid": "PMC12", "title": "t"}
{"pmcid": "PMC7", "pmid": "7", "title": "Full", "article_type": "review-article", "abstract": [{"label": null, "text": "Short."}], "paragraphs": [{"section": "M", "text": "a"}, {"section": "M > D", "text": "b"}, {"section": "R", "text": "c"}]}
"""  # noqa: E501
    first, second, *bad, last = read_file(tmp_path / "a.jsonl", lines)
    assert isinstance(first, Article)
    assert "SECRET" not in str(first)
    assert (first.doc_id, first.pmid, first.title, first.year) == ("70000001", "70000001", "", 2001)
    assert units(first) == [("abstract", "AIM", "To warm.")]
    assert first.standing is Standing.RETRACTED
    assert isinstance(second, Article)
    assert units(second) == [("abstract", "OBJECTIVE", "To cool."), ("abstract", "RESULTS", "Cool.")]
    assert second.language == "de"
    assert [item.where for item in bad if isinstance(item, Rejected)] == [
        f"a.jsonl, line {n}" for n in (4, 5, 6, 7)
    ]
    assert isinstance(last, Article)
    assert (last.doc_id, last.full_text, last.doc_class.value) == ("PMC7", True, "D2")
    assert units(last) == [("abstract", None, "Short."), ("body", "M", "a\n\nb"), ("body", "R", "c")]


def test_html_main_text_with_headings(tmp_path: Path) -> None:
    pytest.importorskip("trafilatura")
    page = read_article(
        tmp_path / "a.html",
        "<!doctype html><html lang='de'><head><title>Warme Socken</title></head><body>"
        "<nav>Menu Home</nav><main>"
        "<article><h1>Warme Socken</h1>"
        "<p>Socken halten die Füße warm, sagt eine lange Studie mit vielen Wörtern.</p>"
        "<h2>Wann</h2><p>Im Winter besonders, wenn es draußen friert und der Boden kalt ist.</p>"
        "</article></main>"
        "</body></html>",
    )
    assert (page.title, page.language, page.source) == ("Warme Socken", "de", "html")
    assert "Menu" not in str(page.sections)
    assert [section.label for section in page.sections] == [None, "Wann"]


def _pdf(*pages: str) -> bytes:
    """A small PDF with one line of text a page, written by hand."""
    count = len(pages)
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {count}/Kids[{' '.join(f'{4 + 2 * n} 0 R' for n in range(count))}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for number, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET" if text else ""
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {5 + 2 * number} 0 R"
            "/Resources<</Font<</F1 3 0 R>>>>>>"
        )
        objects.append(f"<</Length {len(stream)}>>stream\n{stream}\nendstream")
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(f"{number} 0 obj{body}endobj\n".encode())
    start = out.tell()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode())
    out.write(f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF".encode())
    return out.getvalue()


def test_pdf_pages_are_sections_with_their_numbers(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    leaflet = read_article(tmp_path / "leaflet.pdf", _pdf("Keep warm.", "", "See a doctor."))
    assert [(section.page, section.text) for section in leaflet.sections] == [
        (1, "Keep warm."),
        (3, "See a doctor."),
    ]
    assert {section.kind for section in leaflet.sections} == {SectionKind.BODY}


@pytest.mark.parametrize("data", [b"%PDF-1.4\nnothing", _pdf("")])
def test_a_pdf_without_text_is_rejected(tmp_path: Path, data: bytes) -> None:
    pytest.importorskip("pypdf")
    (found,) = read_file(tmp_path / "a.pdf", data)
    assert isinstance(found, Rejected)


@pytest.mark.parametrize(("name", "package"), [("a.pdf", "pypdf"), ("a.html", "trafilatura")])
def test_a_missing_extra_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=package) as raised:
        read_file(tmp_path / name, "<p>x</p>")
    assert raised.value.remedy == 'Run: pip install "carecite[documents]"'
