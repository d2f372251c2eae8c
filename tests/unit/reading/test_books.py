"""Books and chapters (case F10)."""

from __future__ import annotations

from reasoning.retrieval.reading import Article, citation_line, read_pubmed

BOOK = (
    "<Book><Publisher><PublisherName>Invented Press</PublisherName></Publisher>"
    "<BookTitle>Book of Feet</BookTitle><PubDate><Year>1999</Year></PubDate>{authors}</Book>"
)
PERSON = "<Author><LastName>{}</LastName><Initials>{}</Initials></Author>"
EDITORS = f'<AuthorList Type="editors">{PERSON.format("Editor", "E")}</AuthorList>'
GROUP = "<AuthorList><Author><CollectiveName>Office of Feet</CollectiveName></Author></AuthorList>"


def read(document: str) -> Article:
    (found,) = read_pubmed(
        f"<PubmedArticleSet><PubmedBookArticle><BookDocument><PMID>7</PMID>{document}</BookDocument>"
        "</PubmedBookArticle></PubmedArticleSet>".encode()
    )
    assert isinstance(found, Article)
    return found


def test_a_chapter_has_its_own_title_authors_and_date() -> None:
    article = read(
        f"{BOOK.format(authors=EDITORS)}<ArticleTitle>Cold Feet</ArticleTitle>"
        f'<AuthorList Type="authors">{PERSON.format("Chapter", "C")}</AuthorList>'
        '<PublicationType UI="D016454">Review</PublicationType>'
        '<Abstract><AbstractText Label="MANAGEMENT">Socks.</AbstractText></Abstract>'
        "<ContributionDate><Year>2008</Year></ContributionDate><DateRevised><Year>2023</Year></DateRevised>"
        '<ReferenceList><Reference><ArticleIdList><ArticleId IdType="pubmed">8</ArticleId></ArticleIdList>'
        "</Reference></ReferenceList>"
    )
    assert (article.doc_id, article.title, article.container) == ("7", "Cold Feet", "Book of Feet")
    assert (article.authors, article.year, article.language) == (("Chapter C",), 2023, "en")
    assert [kind.name for kind in article.publication_types] == ["Review", "Book"]
    assert [(section.label, section.text) for section in article.sections] == [("MANAGEMENT", "Socks.")]
    assert citation_line(article) == "Chapter C. Cold Feet. Book of Feet. Invented Press, 2023."


def test_a_chapter_without_authors_does_not_get_the_editors() -> None:
    article = read(BOOK.format(authors=EDITORS) + "<ArticleTitle>Cold Feet</ArticleTitle>")
    assert article.authors == ()
    assert citation_line(article) == "Cold Feet. Book of Feet. Invented Press, 1999."


def test_a_whole_book_has_the_title_and_authors_of_the_book() -> None:
    article = read(BOOK.format(authors=GROUP) + "<Abstract><AbstractText>Warm.</AbstractText></Abstract>")
    assert (article.title, article.authors, article.year) == ("Book of Feet", ("Office of Feet",), 1999)
    assert citation_line(article) == "Office of Feet. Book of Feet. Invented Press, 1999."


def test_books_and_articles_keep_the_order_of_the_file() -> None:
    book = "<PubmedBookArticle><BookDocument><PMID>{}</PMID></BookDocument></PubmedBookArticle>"
    article = "<PubmedArticle><MedlineCitation><PMID>{}</PMID></MedlineCitation></PubmedArticle>"
    xml = f"<PubmedArticleSet>{book.format(3)}{article.format(1)}{book.format(2)}</PubmedArticleSet>"
    assert [found.doc_id for found in read_pubmed(xml.encode()) if isinstance(found, Article)] == [
        "3",
        "1",
        "2",
    ]
