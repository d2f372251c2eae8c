"""The starter library: every article is well formed, and its facts trace back to the documents it names."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections import defaultdict
from datetime import date
from functools import cache
from pathlib import Path

import frontmatter
import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "config" / "starter" / "library"
DOCS = Path(os.environ.get("CARECITE_TEST_SHARED", ROOT.parent / "shared")) / "data" / "docs"

ARTICLES = sorted(LIBRARY.glob("*.md"))
KEYS = {
    *("id", "title", "kind", "keywords", "language"),
    *("source_name", "source_url", "source_read", "checked"),
}
KINDS = {"cancer", "condition", "drug", "test"}
LONGEST_RUN = 9  # words in a row that an article may share with its source

each_article = pytest.mark.parametrize("path", ARTICLES, ids=lambda path: path.stem)


@cache
def answers() -> dict[str, list[str]]:
    """The answer texts of the source documents, by url."""
    if not DOCS.is_dir():
        pytest.skip(f"no source documents at {DOCS} (set CARECITE_TEST_SHARED)")
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(DOCS.glob("medquad_*.jsonl*")):
        raw = name.read_bytes()
        for line in (gzip.decompress(raw) if name.suffix == ".gz" else raw).splitlines():
            row = json.loads(line)
            found[row["url"]].append(row["answer"])
    if not found:
        pytest.skip(f"no medquad files in {DOCS}")
    return found


def strings(value: object) -> list[str]:
    """A front matter list of non-empty strings."""
    assert isinstance(value, list)
    assert all(isinstance(item, str) and item.strip() for item in value)
    return value


def sources(article: frontmatter.Post) -> list[str]:
    return strings([article["source_url"], *strings(article.get("more_sources", []))])


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.,]\d+)*", text))


def runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    size = LONGEST_RUN + 1
    return {tuple(words[start : start + size]) for start in range(len(words) - size + 1)}


def test_library_is_large_enough() -> None:
    kinds = [frontmatter.load(str(path))["kind"] for path in ARTICLES]
    assert len(kinds) >= 120
    assert kinds.count("cancer") >= 70


@each_article
def test_front_matter(path: Path) -> None:
    article = frontmatter.load(str(path))
    assert set(article.keys()) - {"more_sources"} == KEYS
    assert article["id"] == path.stem
    assert re.fullmatch(r"lib(-[a-z0-9]+)+", path.stem)
    assert article["kind"] in KINDS
    assert article["language"] == "en"
    assert strings([article["title"], article["source_name"]])
    assert strings(article["keywords"])
    assert all(re.match(r"https?://\S+$", url) for url in sources(article))
    assert isinstance(article["checked"], bool)
    if article["checked"]:
        assert isinstance(article["source_read"], date)
    else:
        assert article["source_read"] is None


@each_article
def test_body(path: Path) -> None:
    article = frontmatter.load(str(path))
    assert 120 <= len(article.content.split()) <= 450
    assert 2 <= len(re.findall(r"^## \S", article.content, re.MULTILINE)) <= 5
    if not article["checked"]:
        assert not re.search(r"\d", article.content), "an unchecked article states no numbers"


@pytest.mark.shared_data
@each_article
def test_facts_come_from_the_named_documents(path: Path) -> None:
    article = frontmatter.load(str(path))
    if not article["checked"]:
        pytest.skip("checked: no, its source is not among the documents")
    by_url = answers()
    missing = [url for url in sources(article) if url not in by_url]
    assert not missing, f"not among the documents: {missing}"
    texts = [text for url in sources(article) for text in by_url[url]]
    unsupported = numbers(article.content) - numbers("\n".join(texts))
    assert not unsupported, f"numbers that the source does not state: {sorted(unsupported)}"
    copied = runs(article.content) & set().union(*map(runs, texts))
    assert not copied, f"copied from the source: {[' '.join(run) for run in sorted(copied)]}"
