"""Articles to and from JSON; what counts as a change of content; which row stands for an article."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from storage.documents import Article
from storage.text import clean_json, text_hash

# One row stands for an article: the record, else the oldest of its other forms.
IS_RECORD = """NOT EXISTS (
  SELECT FROM articles b WHERE b.key = a.key AND b.id <> a.id
  AND (b.doc_id = b.key OR (a.doc_id <> a.key AND b.id < a.id))
)"""


@cache
def _adapter() -> TypeAdapter[Article]:
    return TypeAdapter(Article)


def article_to_json(article: Article) -> dict[str, Any]:
    """Plain JSON values; empty fields are left out."""
    document: dict[str, Any] = _adapter().dump_python(article, mode="json", exclude_defaults=True)
    return document


def article_from_json(document: dict[str, Any]) -> Article:
    return _adapter().validate_python(document)


def clean_article(article: Article) -> Article:
    """The article with all of its texts cleaned, before it is cut, hashed or stored (case F20)."""
    document = article_to_json(article)
    cleaned = clean_json(document)
    return article if cleaned == document else article_from_json(cleaned)


def content_hash(article: Article) -> str:
    """Changes with anything a reader or a citation could see, the standing included (cases F12, F21)."""
    return text_hash(json.dumps(clean_json(article_to_json(article)), sort_keys=True, ensure_ascii=False))
