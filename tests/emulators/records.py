"""EFetch of PubMed records on loopback, and nothing else: records whose standing a test changes between two
requests. The server that searches as well is `tests.emulators.eutils`.

    with RecordServer([Record("90000001", "Socks", "Socks warm feet.")]) as server:
        server.put(replace(record, standing="retracted"))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from tests.emulators.loopback import Loopback

_LINKS = {
    "retracted": "RetractionIn",
    "concern": "ExpressionOfConcernIn",
    "corrected": "ErratumIn",
    "superseded": "UpdateIn",
}


@dataclass(frozen=True, slots=True)
class Record:
    """`standing` as PubMed tells it, by a link to a notice, or of a retraction by the publication type; "ok"
    has neither. A record without an abstract has only its title."""

    pmid: str
    title: str
    abstract: str
    standing: str = "ok"
    by_type: bool = False

    @property
    def xml(self) -> str:
        link = None if self.by_type else _LINKS.get(self.standing)
        kind = '<PublicationType UI="D016441">Retracted Publication</PublicationType>' if self.by_type else ""
        abstract = f"<Abstract><AbstractText>{escape(self.abstract)}</AbstractText></Abstract>"
        notes = (
            f'<CommentsCorrectionsList><CommentsCorrections RefType="{link}"><RefSource>J Feet</RefSource>'
            "<PMID>99999999</PMID></CommentsCorrections></CommentsCorrectionsList>"
            if link
            else ""
        )
        return (
            f"<PubmedArticle><MedlineCitation><PMID>{self.pmid}</PMID><Article>"
            "<Journal><JournalIssue><PubDate><Year>2024</Year></PubDate></JournalIssue>"
            "<Title>Journal of Feet</Title></Journal>"
            f"<ArticleTitle>{escape(self.title)}</ArticleTitle>"
            f"{abstract if self.abstract else ''}"
            "<Language>eng</Language><PublicationTypeList>"
            '<PublicationType UI="D016428">Journal Article</PublicationType>'
            f"{kind}</PublicationTypeList>"
            f"</Article>{notes}</MedlineCitation></PubmedArticle>"
        )


def record_set(records: Iterable[Record]) -> bytes:
    """A file or a reply with these records."""
    body = "".join(record.xml for record in records)
    return f"<?xml version='1.0'?><PubmedArticleSet>{body}</PubmedArticleSet>".encode()


class RecordServer(Loopback):
    """`asked` holds the PMIDs of each request. From request number `fails_from` on (from 1) it answers 502;
    from number `holds_from` on, while that is set, it does not answer."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.records = {record.pmid: record for record in records}
        self.fails_from: int | None = None
        self.holds_from: int | None = None
        self.asked: list[list[str]] = []
        super().__init__(type("Handler", (_Handler,), {"server_of": self}))

    def put(self, *records: Record) -> None:
        self.records |= {record.pmid: record for record in records}

    def settings(self) -> dict[str, str]:
        """Variables that lead to this server, and no waiting between requests."""
        root = f"http://127.0.0.1:{self.port}"
        return {"CARECITE_EUTILS_BASE_URL": f"{root}/eutils", "CARECITE_EUTILS_PER_SECOND": "500"}

    def answer(self, path: str, params: dict[str, list[str]]) -> tuple[int, bytes]:
        if not path.endswith("/efetch.fcgi") or params.get("db") != ["pubmed"]:
            return 404, b"no such page"
        pmids = ",".join(params.get("id", [])).split(",")
        self.asked.append(pmids)
        number = len(self.asked)
        while self.holds_from is not None and number >= self.holds_from and not self.closing.wait(0.01):
            pass
        if self.fails_from is not None and number >= self.fails_from:
            return 502, b"Bad gateway"
        return 200, record_set(self.records[pmid] for pmid in pmids if pmid in self.records)


class _Handler(BaseHTTPRequestHandler):
    server_of: RecordServer

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        split = urlsplit(self.path)
        status, reply = self.server_of.answer(split.path, parse_qs(body or split.query))
        try:
            self.send_response(status)
            self.send_header("Content-Type", "text/xml")
            self.send_header("Content-Length", str(len(reply)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(reply)
        except OSError:  # the asker was killed
            pass
        self.close_connection = True

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """The tests' output stays clean."""
