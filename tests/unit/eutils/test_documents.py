"""Public answers of E-utilities, by both readers, against values of an independent parser; case F17."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reasoning.retrieval.eutils import documents
from reasoning.retrieval.eutils.classifying import classify
from reasoning.retrieval.eutils.documents import read_search, read_spelling, read_values, read_with_lxml
from reasoning.retrieval.eutils.errors import BrokenReply, EutilsError, RateLimited, Refused

ROOT = Path(__file__).resolve().parents[3]
ROOTS = ("eSearchResult", "eSpellResult", "PubmedArticleSet", "PubmedBookArticleSet", "pmc-articleset")
XML = {"content-type": "text/xml"}


def verdict(body: bytes, status: int = 200, roots: tuple[str, ...] = ROOTS) -> EutilsError | None:
    return classify(status, XML, body, roots, str)


def expected(shared: Path) -> list[dict[str, Any]]:
    text = (shared / "data" / "eutils" / "expected.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.shared_data
def test_searches_agree_with_an_independent_parser(shared: Path) -> None:
    lines = [line for line in expected(shared) if line["kind"] == "esearch"]
    assert len(lines) == 7
    for line in lines:
        body = (shared / "data" / "eutils" / line["file"]).read_bytes()
        if line["error"]:
            error = verdict(body)
            assert isinstance(error, Refused), line["file"]
            assert line["error"] in str(error)
            continue
        assert verdict(body) is None, line["file"]
        found = read_search(body)
        assert found is not None
        assert (found.count, len(found.ids)) == (int(line["count"]), line["ids"])
        assert found.translation == line["query_translation"]
        assert list(found.phrases_not_found) == line["phrases_not_found"]
        assert list(found.messages) == line["warnings"]


@pytest.mark.shared_data
def test_both_readers_say_the_same(shared: Path) -> None:
    paths = sorted((shared / "data" / "eutils").glob("es*/*.xml"))
    paths += sorted((shared / "cases" / "inputs").glob("F0[134]_*.xml"))
    read = 0
    for path in paths:
        body = path.read_bytes()
        if verdict(body, roots=("eSearchResult",)) is not None:
            continue
        read += 1
        search = read_search(body)
        assert search is not None
        by_lxml = read_with_lxml(body)
        assert by_lxml["Count"] == str(search.count)
        assert tuple(by_lxml["IdList"]) == search.ids
        assert read_search(body.replace(b"esearch.dtd", b"esearch_310101.dtd")) == search, path.name
    assert read >= 8


@pytest.mark.shared_data
def test_every_stored_error_is_classified(shared: Path) -> None:
    """By the endpoint that would have been asked; a true empty result and an empty set are no errors."""
    folder = shared / "data" / "eutils" / "errors"
    wanted = {
        "efetch_pubmed_empty_set.xml": None,
        "einfo_invalid_db.xml": Refused,
        "esearch_invalid_db.xml": Refused,
        "esearch_partial_phrase_not_found.xml": None,
        "esearch_phrase_not_found_zero_hits.xml": None,
        "esummary_no_id.xml": Refused,
        "esummary_pmc_one_id_missing.xml": BrokenReply,  # a summary where records were asked for
    }
    for name, kind in wanted.items():
        error = verdict((folder / name).read_bytes())
        assert error is None if kind is None else isinstance(error, kind), name
    limit = (folder / "rate_limit_http429.json").read_bytes()
    assert isinstance(verdict(limit, 429), RateLimited)
    assert isinstance(verdict(limit, 200), RateLimited), "the body tells it, whatever the status"
    assert {path.name for path in folder.iterdir()} == {*wanted, "rate_limit_http429.json"}


@pytest.mark.shared_data
def test_records_and_full_texts_are_whole(shared: Path) -> None:
    paths = [
        path
        for folder in ("efetch_pubmed", "efetch_pmc")
        for path in (shared / "data" / "eutils" / folder).iterdir()
    ]
    assert len(paths) > 50
    for path in paths:
        body = path.read_bytes()
        roots = (*ROOTS, "article", "PubmedArticle", "PubmedBookArticle")
        assert verdict(body, roots=roots) is None, path.name
        torn = body.rstrip()[: -len(body) // 3]
        assert isinstance(verdict(torn, roots=roots), BrokenReply), path.name


@pytest.mark.shared_data
def test_the_spelling(shared: Path) -> None:
    body = (shared / "data" / "eutils" / "espell" / "corrected_query.xml").read_bytes()
    assert verdict(body) is None, "an empty error element is none"
    assert read_spelling(body) == "biopython"
    assert read_spelling(body.replace(b"eSpell.dtd", b"eSpell_31.dtd")) == "biopython"


def test_what_cannot_be_read_has_no_values() -> None:
    for body in (b"", b"\xff", b"<a", b"{}", b"<eSearchResult/>", b"<!DOCTYPE a>"):
        assert read_search(body) is None
        assert read_spelling(body) is None


EVIL = (
    b'<?xml version="1.0"?>\n<!DOCTYPE eSearchResult PUBLIC "-//NLM//DTD esearch 20060628//EN" '
    b'"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd" '
    b'[<!ENTITY secret SYSTEM "file:///etc/passwd">]>\n'
    b"<eSearchResult><Count>1</Count><IdList><Id>1</Id></IdList>"
    b"<QueryTranslation>&secret;</QueryTranslation></eSearchResult>"
)


def test_entities_are_not_resolved() -> None:
    found = read_search(EVIL)
    assert found is not None
    assert "root:" not in str(found)
    assert documents._DOCTYPE.search(EVIL) is None, "Biopython does not get it"


FUTURE = """
import pathlib, socket, sys
def refuse(*_): raise AssertionError("a connection was opened")
socket.socket.connect = refuse
from reasoning.retrieval.eutils.documents import read_search, read_spelling
from reasoning.retrieval.reading import read_pubmed
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\\n'
TYPE = '<!DOCTYPE {root} PUBLIC "-//NLM//DTD x//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/{dtd}">\\n'
BODY = "<eSearchResult><Count>1</Count><New><Deep/></New><IdList><Id>7</Id></IdList></eSearchResult>"
for dtd in ("20060628/esearch.dtd", "20310101/esearch_31.dtd"):
    body = HEAD + TYPE.format(root="eSearchResult", dtd=dtd) + BODY
    assert read_search(body.encode()).ids == ("7",), dtd
assert read_search((HEAD + BODY).encode()).ids == ("7",)
assert read_search(BODY.encode()).ids == ("7",)
for path in sys.argv[1:]:
    text = pathlib.Path(path).read_text()
    plain = "\\n".join(line for line in text.splitlines() if not line.startswith("<!DOCTYPE"))
    for version in (text, plain):
        (article,) = read_pubmed(version.encode())
        assert "2 g/m" in article.sections[0].text
"""


@pytest.mark.parametrize("home", ["empty", "none"])
def test_f17_no_network_and_nothing_in_the_home(
    home: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """In a process of its own: what Biopython does, it does when it is first imported."""
    folder = tmp_path / "home"
    folder.mkdir()
    shared = ROOT.parent / "shared" / "cases" / "inputs" / "F17_future_schema.xml"
    files = [str(shared)] if shared.exists() else []
    where = str(folder) if home == "empty" else "/dev/null/home"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FUTURE, *files],
        cwd=ROOT,
        env={"HOME": where, "PYTHONPATH": str(ROOT), "PATH": "/usr/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list(folder.iterdir()) == []


def test_biopython_reads_what_it_can() -> None:
    """The other reader is for the rest; this shows that the first one is really used."""
    body = EVIL.replace(b' [<!ENTITY secret SYSTEM "file:///etc/passwd">]', b"").replace(b"&secret;", b"x")
    assert type(read_values(body)["Count"]).__module__ == "Bio.Entrez.Parser"
