"""Whatever is done to a file, readers give articles, Rejected or a ReadingError: never anything else."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoning.retrieval.reading import Article, ReadingError, Rejected, read_jats, read_pubmed
from reasoning.retrieval.reading.jsonl import read_jsonl
from reasoning.retrieval.reading.markdown import read_markdown
from reasoning.retrieval.reading.medline import read_medline

PUBMED = b"""\
<!DOCTYPE PubmedArticleSet [<!ENTITY a "b">]>
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article>
<Journal><JournalIssue><PubDate><Year>2009</Year><Month>02</Month><Day>29</Day></PubDate></JournalIssue>
<Title>J</Title></Journal><ArticleTitle>[T<sup>2</sup>].</ArticleTitle><Abstract><AbstractText Label="AIM">
&a;<m:math xmlns:m="u"><m:mfrac><m:mn>1</m:mn><m:mi>b</m:mi></m:mfrac></m:math></AbstractText></Abstract>
<AuthorList><Author><LastName>E</LastName></Author></AuthorList><Language>spa</Language></Article>
<CommentsCorrectionsList><CommentsCorrections RefType="UpdateIn"><PMID>8</PMID></CommentsCorrections>
</CommentsCorrectionsList></MedlineCitation></PubmedArticle></PubmedArticleSet>
"""
JATS = b"""\
<article article-type="review-article"><front><article-meta><article-id pub-id-type="pmc">7</article-id>
<pub-date pub-type="epub"><year>2020</year></pub-date></article-meta></front><body><sec><title>T</title>
<p>a<xref ref-type="bibr">1</xref>, <xref ref-type="bibr">2</xref><list><list-item><p>b</p></list-item></list>
<table-wrap><table><tr><td rowspan="2" colspan="3">c</td></tr><tr><td>d</td></tr></table></table-wrap></p>
</sec></body></article>
"""
MEDLINE = b"""\
PMID- 7
TI  - T
      more
DP  - 2005 Sep
RIN - J. PMID: 8
MH  - *Foot/injuries

PMID- 8
TI  - U
"""
PAGE = b"""\
---
id: a
title: T
kind: drug
source_read: 2026-05-01
---
# T

- a
- b

| a | b |
|---|---|
| c | d |
"""
LINES = b"""\
{"doc_id": "a", "title": "T", "abstract": "AIM: a. B: c.", "year": 2001}
{"pmid": 7, "title": "U"}
"""


@st.composite
def damaged(draw: st.DrawFn, source: bytes) -> bytes:
    """`source` with a few pieces cut, doubled, swapped for other bytes or for pieces of itself."""
    data = source
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 30)))
        other = draw(st.integers(0, len(source)))
        piece = draw(
            st.sampled_from([b"", data[start:end] * 2, source[other : other + 20]]) | st.binary(max_size=8)
        )
        data = data[:start] + piece + data[end:]
    return data


def check(read: Callable[[], Iterator[Article | Rejected]]) -> None:
    try:
        found = list(read())
    except ReadingError:
        return
    for item in found:
        assert isinstance(item, Article | Rejected)
        if isinstance(item, Article):
            assert item.doc_id
            assert all(section.text.strip() for section in item.sections)


@given(damaged(PUBMED))
def test_pubmed(data: bytes) -> None:
    check(lambda: read_pubmed(data))


@given(damaged(JATS))
def test_jats(data: bytes) -> None:
    check(lambda: read_jats(data))


@given(damaged(MEDLINE))
def test_medline(data: bytes) -> None:
    check(lambda: read_medline(io.BytesIO(data)))


@given(damaged(LINES))
def test_json_lines(data: bytes) -> None:
    check(lambda: read_jsonl(io.BytesIO(data), "a"))


@given(damaged(PAGE))
@settings(deadline=None)
def test_markdown(data: bytes) -> None:
    check(lambda: iter([read_markdown(io.BytesIO(data), Path("a.md"))]))


@pytest.mark.parametrize("depth", [200, 900, 2000])
def test_deep_nesting(depth: int) -> None:
    deep = b"<i>" * depth + b"x" + b"</i>" * depth
    check(lambda: read_pubmed(PUBMED.replace(b"<sup>2</sup>", deep)))
    check(lambda: read_jats(JATS.replace(b"<p>a", b"<p>" + deep)))
    check(lambda: iter([read_markdown(io.BytesIO(b"---\na: " + b"[" * depth + b"\n---\nx"), Path("a.md"))]))
