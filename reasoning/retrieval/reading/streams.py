"""Files as byte streams that cannot grow beyond measure, and their XML records one at a time.

Nothing is fetched and no entity is expanded (case F17.3): no DTD is loaded, `resolve_entities` is off.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from lxml import etree
from lxml.etree import _Element

from reasoning.retrieval.reading.errors import BombSuspected, TruncatedFile, UnknownFormat
from reasoning.retrieval.reading.rejected import Rejected

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

CHUNK = 1 << 16  # bytes fed to the parser at once
MAX_RECORD = 64 << 20  # bytes of one record or line; the largest PMC articles stay below 20 MB (our choice)
MAX_TAGS = 500_000  # opening and closing tags of one record: 60 MB of tree at worst (our choice)
MAX_RATIO = 200  # inflated to packed: PubMed files reach about 12 (our choice)
RATIO_FROM = 8 << 20  # inflated bytes from which the ratio counts

_LIMITS = ("Resource limit", "XML_PARSE_HUGE", "Excessive depth")  # what libxml2 says at its own limits
BROKEN = (EOFError, zlib.error, gzip.BadGzipFile)


class Inflated(io.RawIOBase):
    """The content of a gzip file. Raises BombSuspected while reading, long before memory is at stake."""

    def __init__(self, path: Path) -> None:
        self._packed = path.open("rb")
        self._gzip = gzip.GzipFile(fileobj=self._packed, mode="rb")
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        data = self._gzip.read(len(view))
        self._read += len(data)
        if self._read > RATIO_FROM and self._read > MAX_RATIO * self._packed.tell():
            raise BombSuspected(f"It inflates more than {MAX_RATIO} times.")
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._gzip.close()
        self._packed.close()
        super().close()


def open_document(path: Path) -> io.BufferedReader:
    """The bytes of a file, unpacked where its first bytes say gzip."""
    file: io.BufferedReader = io.BufferedReader(io.FileIO(path), CHUNK)
    if file.peek(2)[:2] != b"\x1f\x8b":
        return file
    file.close()
    return io.BufferedReader(Inflated(path), CHUNK)


def read_whole(stream: BinaryIO) -> bytes:
    """All bytes of a document that is read as one piece. Raises BombSuspected above MAX_RECORD."""
    data = stream.read(MAX_RECORD + 1)
    if len(data) > MAX_RECORD:
        raise BombSuspected(f"A single document is larger than {MAX_RECORD >> 20} MB.")
    return data


def read_lines(stream: BinaryIO, where: str) -> Iterator[str]:
    """Lines of text without a byte order mark; what is no UTF-8 becomes U+FFFD. Raises BombSuspected."""
    first = True
    while line := stream.readline(MAX_RECORD + 1):
        if len(line) > MAX_RECORD:
            raise BombSuspected(f"{where}: a line is larger than {MAX_RECORD >> 20} MB.")
        yield line.decode("utf-8-sig" if first else "utf-8", "replace")
        first = False


def pull_parser(
    *events: Literal["start", "end"], tag: tuple[str, ...] | None = None
) -> etree.XMLPullParser[_Element]:
    """The one way in which XML is parsed here.

    `collect_ids` is left alone: turned off, it makes libxml2 open the DTD after all.
    """
    return etree.XMLPullParser(
        events=events,
        tag=tag,
        load_dtd=False,
        no_network=True,
        resolve_entities=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def read_elements(
    stream: BinaryIO, tags: tuple[str, ...], roots: tuple[str, ...], where: str
) -> Iterator[_Element | Rejected]:
    """Each element named in `tags` when it is complete; it is emptied when the next one is asked for.

    A file that breaks off gives what came before, then one Rejected with line and count. Raises UnknownFormat
    for another root than `roots` (local names), BombSuspected for a record out of all proportion.
    """
    parser = pull_parser("end", tag=tags)
    count = size = tags_seen = 0
    broken: Exception | None = None
    while broken is None:
        try:
            chunk = stream.read(CHUNK)
            if not chunk:
                root = parser.close()
                break
            parser.feed(chunk)
        except (etree.XMLSyntaxError, *BROKEN) as error:
            broken = error
        size, tags_seen = size + len(chunk), tags_seen + chunk.count(b"<")
        for _, element in parser.read_events():
            count += 1
            size = tags_seen = 0
            yield element
            _forget(element)
        if size > MAX_RECORD or tags_seen > MAX_TAGS:
            raise BombSuspected(
                f"{where}: record {count + 1} has no end ({size >> 20} MB, {tags_seen} tags)."
            )
    if broken is not None:
        yield Rejected(where, _break_reason(broken, count, where))
    elif etree.QName(root).localname not in roots:
        raise UnknownFormat(f"{where}: the root element is <{etree.QName(root).localname}>.")


def _forget(element: _Element) -> None:
    """Free a record that has been read, and what stood before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _break_reason(error: Exception, count: int, where: str) -> str:
    text = str(error)
    if any(sign in text for sign in _LIMITS):
        raise BombSuspected(f"{where}: {text}") from error
    place = f"at line {error.lineno}" if isinstance(error, etree.XMLSyntaxError) else "inside the packed data"
    return str(TruncatedFile(f"It breaks {place} after {count} complete records ({text})."))
