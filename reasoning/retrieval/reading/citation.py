"""The citation line of an article or a book, without gaps where the record has none (cases F10, F11)."""

from __future__ import annotations

from storage.documents import Article
from storage.languages import language_name

_SHOWN = 3  # authors before "et al." (our choice)


def citation_line(article: Article) -> str:
    """`Authors. Title. Container. Publisher, date. Article in German.`, of the parts that the record has."""
    where = None if article.container == article.title else article.container
    when = str(article.published) if article.published else None
    made = ", ".join(part for part in (article.publisher if _is_book(article) else None, when) if part)
    parts = (_authors(article), article.title or article.original_title, where, made, _language(article))
    return " ".join(_closed(part) for part in parts if part)


def _authors(article: Article) -> str:
    """The first names; "et al." where the list goes on, or where the record says that it does."""
    if not article.authors:
        return ""
    shown = article.authors[:_SHOWN]
    more = len(article.authors) > len(shown) or not article.authors_complete
    return ", ".join(shown) + (", et al." if more else "")


def _language(article: Article) -> str | None:
    """The language of an article whose title is shown in translation, or in that language (case F11)."""
    name = language_name(article.original_language or "")
    return f"Article in {name}" if name else None


def _is_book(article: Article) -> bool:
    return article.publisher is not None and any(kind.name == "Book" for kind in article.publication_types)


def _closed(part: str) -> str:
    return part if part.endswith((".", "?", "!")) else f"{part}."
