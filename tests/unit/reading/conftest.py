"""Self-written records."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reasoning.retrieval.reading import Article, read_jats, read_pubmed


def article_xml(
    article: str = "", *, pmid: str = "70000001", citation: str = "", data: str = "", title: str = "A title."
) -> str:
    """One PubmedArticle; the parts are added to Article, MedlineCitation and PubmedData."""
    heading = f"<ArticleTitle>{title}</ArticleTitle>" if title else ""
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article>{heading}{article}</Article>{citation}"
        f"</MedlineCitation><PubmedData>{data}</PubmedData></PubmedArticle>"
    )


def pubmed_set(*records: str) -> bytes:
    return f"<PubmedArticleSet>{''.join(records)}</PubmedArticleSet>".encode()


@pytest.fixture
def read_record() -> Callable[..., Article]:
    """Read one PubmedArticle made of the given parts."""

    def read(*args: str, **parts: str) -> Article:
        (found,) = read_pubmed(pubmed_set(article_xml(*args, **parts)))
        assert isinstance(found, Article)
        return found

    return read


@pytest.fixture
def read_abstract(read_record: Callable[..., Article]) -> Callable[[str], Article]:
    """Read a record whose Abstract has this inside."""
    return lambda inside: read_record(f"<Abstract>{inside}</Abstract>")


@pytest.fixture
def read_full_text() -> Callable[..., Article]:
    """Read a JATS article made of a body, and of parts of front and root."""

    def read(body: str = "", *, meta: str = "", after: str = "", kind: str = "research-article") -> Article:
        xml = (
            f'<article article-type="{kind}" xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>'
            f'<article-id pub-id-type="pmc">7000001</article-id>{meta}</article-meta></front>'
            f"{body}{after}</article>"
        )
        (found,) = read_jats(xml.encode())
        assert isinstance(found, Article)
        return found

    return read


@pytest.fixture
def make_set() -> Callable[[int], bytes]:
    """A PubmedArticleSet of that many records, a line each."""
    abstract = "<Abstract><AbstractText>Socks kept forty pairs of feet warm.</AbstractText></Abstract>"

    def make(count: int) -> bytes:
        return pubmed_set(*(article_xml(f"{abstract}\n", pmid=str(70000001 + n)) for n in range(count)))

    return make
