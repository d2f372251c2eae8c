"""Evidence as retrieval hands it over, made of plain text."""

from __future__ import annotations

from reasoning.evidence import Evidence
from storage.corpus.reading import StoredPassage
from storage.documents import Article, Passage, Standing


def evidence(eid: str, text: str, *, title: str = "A page", standing: Standing = Standing.OK) -> Evidence:
    """A passage of the article named before the colon of `eid`; digits there make it a PubMed record."""
    doc_id, idx = eid.split(":")
    pmid = doc_id if doc_id.isdigit() else None
    article = Article(
        doc_id=doc_id, title=title, source="pubmed" if pmid else "library", pmid=pmid, standing=standing
    )
    passage = Passage(
        doc_id=doc_id, idx=int(idx), text=text, start=0, own_start=0, end=len(text), n_tokens=len(text) // 4
    )
    return Evidence(eid, StoredPassage(0, passage, article, 1), score=1.0, streams={}, coverage=1.0)
