"""Files that break off, grow out of measure or point elsewhere: flat memory, clear words (case F17)."""

from __future__ import annotations

import gzip
import io
import resource
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reasoning.retrieval.reading import Article, BombSuspected, Rejected, read_documents, read_pubmed

MakeSet = Callable[[int], bytes]

LIMIT = 96 << 20  # bytes of growth that a reader may need for any file of these tests


def test_a_plain_and_a_packed_file_give_the_same(tmp_path: Path, make_set: MakeSet) -> None:
    plain, packed = tmp_path / "a.xml", tmp_path / "a.xml.gz"
    plain.write_bytes(make_set(3))
    packed.write_bytes(gzip.compress(make_set(1)) + gzip.compress(b""))
    assert [article.doc_id for article in read_documents(plain) if isinstance(article, Article)] == [
        "70000001",
        "70000002",
        "70000003",
    ]
    assert list(read_documents(packed)) == list(read_documents(plain))[:1]


def test_records_come_before_the_file_is_read_to_its_end(make_set: MakeSet) -> None:
    stream = io.BytesIO(make_set(5000))
    next(read_pubmed(stream))
    assert stream.tell() < len(stream.getvalue()) / 4


@pytest.mark.parametrize("packed", [False, True])
def test_what_stands_before_a_break_is_delivered(tmp_path: Path, make_set: MakeSet, packed: bool) -> None:
    file = tmp_path / ("a.xml.gz" if packed else "a.xml")
    data = make_set(4000)
    file.write_bytes(gzip.compress(data)[:-2000] if packed else data[: len(data) // 2])
    *before, last = read_documents(file)
    assert len(before) > 500
    assert all(isinstance(item, Article) for item in before)
    assert isinstance(last, Rejected)
    assert f"after {len(before)} complete records" in last.reason
    assert last.where == file.name
    assert packed or f"line {len(before) + 1}" in last.reason or f"line {len(before) + 2}" in last.reason


def test_a_damaged_pack_is_reported(tmp_path: Path, make_set: MakeSet) -> None:
    file = tmp_path / "a.xml.gz"
    data = bytearray(gzip.compress(make_set(2000)))
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)
    assert isinstance(list(read_documents(file))[-1], Rejected)


def test_nothing_outside_the_file_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("TOP-SECRET")
    dtd = tmp_path / "own.dtd"
    dtd.write_text('<!ENTITY y "TOP-SECRET"><!ATTLIST Author ValidYN CDATA "N">')
    xml = (
        f'<!DOCTYPE PubmedArticleSet SYSTEM "{dtd}" [<!ENTITY x SYSTEM "file://{secret}">'
        f'<!ENTITY % p SYSTEM "file://{secret}"> %p;]>'
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article>"
        "<ArticleTitle>a &x; &y; b</ArticleTitle><AuthorList><Author><LastName>Example</LastName></Author>"
        "</AuthorList></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
    )
    (article,) = read_pubmed(xml.encode())
    assert isinstance(article, Article)
    assert article.title == "a &x; &y; b"
    assert article.authors == ("Example",)


def test_entities_are_not_multiplied() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    xml = (
        f'<!DOCTYPE PubmedArticleSet [<!ENTITY e0 "laugh">{entities}]>'
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article>"
        "<ArticleTitle>&e9;</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
        "</PubmedArticleSet>"
    )
    (found,) = read_pubmed(xml.encode())
    assert "laugh" not in str(found)


def _pieces(kind: str) -> Iterator[bytes]:
    """600 MB of one record without an end."""
    yield b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID>"
    piece = {"text": b"a" * (1 << 20), "elements": b"<a>x</a>" * (1 << 17), "depth": b"<a>" * (1 << 18)}[kind]
    for _ in range(600):
        yield piece


def _pack(file: Path, kind: str) -> None:
    packer = zlib.compressobj(1, wbits=31)
    with file.open("wb") as out:
        for piece in _pieces(kind):
            out.write(packer.compress(piece))
        out.write(packer.flush())


@pytest.mark.parametrize("kind", ["text", "elements", "depth"])
def test_a_packed_bomb_is_refused_with_little_memory(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "bomb.xml.gz"
    _pack(file, kind)
    assert _growth(file, "BombSuspected") < LIMIT


@pytest.mark.parametrize("line", [b'{"doc_id": "', b"PMID- 7\nTI  - "])
def test_an_endless_line_is_refused_with_little_memory(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "bomb.jsonl.gz"
    packer = zlib.compressobj(1, wbits=31)
    piece = bytes(65 + n * 7919 % 26 for n in range(1 << 16))  # packs less well than the ratio allows
    with file.open("wb") as out:
        out.write(packer.compress(line))
        for _ in range(4000):
            out.write(packer.compress(piece))
        out.write(packer.flush())
    assert _growth(file, "BombSuspected") < 2 * LIMIT


def test_an_unpacked_record_without_end_is_refused(
    monkeypatch: pytest.MonkeyPatch, make_set: MakeSet
) -> None:
    monkeypatch.setattr("reasoning.retrieval.reading.streams.MAX_RECORD", 1 << 18)
    assert len(list(read_pubmed(make_set(4000)))) == 4000
    with pytest.raises(BombSuspected, match="record 1 "):
        list(read_pubmed(b"<PubmedArticleSet>" + b"<junk/>" * (1 << 17)))


def test_memory_does_not_grow_with_the_number_of_records(tmp_path: Path, make_set: MakeSet) -> None:
    small, large = tmp_path / "small.xml.gz", tmp_path / "large.xml.gz"
    small.write_bytes(gzip.compress(make_set(2000), 1))
    large.write_bytes(gzip.compress(make_set(40000), 1))
    assert _growth(large, "40000") < _growth(small, "2000") + (8 << 20)


_CHILD = """
import resource, sys
from pathlib import Path
from reasoning.retrieval.reading import ReadingError, read_documents
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    print(sum(1 for _ in read_documents(Path(sys.argv[1]))))
except ReadingError as error:
    print(type(error).__name__)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def _growth(file: Path, expected: str) -> int:
    """Bytes by which the peak of a fresh process grows while it reads `file`, ending as `expected`."""
    child = subprocess.run(
        [sys.executable, "-c", _CHILD, str(file)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (120, 120)),
    )
    outcome, growth = child.stdout.split()
    assert outcome == expected
    return int(growth) * (1 if sys.platform == "darwin" else 1024)
