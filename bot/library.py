"""The starter library: loaded at the first start, and again when its files changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from reasoning.encoders import Encoder
from reasoning.retrieval.indexing import cut_for, index_articles
from storage.corpus import Corpus
from storage.documents import Article

LIBRARY = Path(__file__).resolve().parent.parent / "config" / "starter" / "library"
_MARK = "starter_library"


def fingerprint(files: Iterable[Path], cut: str) -> str:
    """Changes with any of the files (name and content), and with the window they are cut for."""
    digest = hashlib.sha256(cut.encode())
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


async def load_starter_library(corpus: Corpus, encoder: Encoder, say: Callable[[str], None]) -> None:
    """Bring the corpus to the shipped library, through the same door as any document."""
    pages = sorted(LIBRARY.glob("*.md"))
    wanted = fingerprint(pages, cut_for(encoder))
    if await corpus.read_mark(_MARK) == wanted:
        return
    from reasoning.retrieval.reading import read_documents

    read = [document for path in pages for document in read_documents(path)]
    articles = [document for document in read if isinstance(document, Article)]
    say(f"Loading the starter library ({len(articles)} articles) …")
    async for _ in index_articles(articles, corpus, encoder):
        pass
    await corpus.remove_missing("library", [article.doc_id for article in articles])
    await corpus.optimise()
    await corpus.write_mark(_MARK, wanted)
