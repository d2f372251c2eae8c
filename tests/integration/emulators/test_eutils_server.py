"""The emulator on the wire: methods, long targets, limits, faults, many threads, and what it writes down."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.emulators.eutils import faults
from tests.emulators.eutils.__main__ import read_arguments
from tests.emulators.eutils.folder import load_folder
from tests.emulators.eutils.pacing import RateLimit
from tests.emulators.eutils.server import EutilsServer
from tests.integration.emulators.conftest import make_corpus

GOUT = {"db": "pubmed", "term": "gout"}


def search(client: httpx.Client, **more: str) -> httpx.Response:
    return client.get("esearch.fcgi", params=GOUT | more)


def test_get_and_post_say_the_same(client: httpx.Client, eutils: EutilsServer) -> None:
    got = search(client)
    posted = client.post("esearch.fcgi", data=GOUT)
    assert got.content == posted.content
    assert [(one.method, one.path, one.status) for one in eutils.asked] == [
        ("GET", "esearch.fcgi", 200),
        ("POST", "esearch.fcgi", 200),
    ]
    assert eutils.asked[1].target_length == len("/entrez/eutils/esearch.fcgi")


def test_characters_arrive_unharmed(client: httpx.Client, eutils: EutilsServer) -> None:
    term = "β-blocker & Sjögren’s + 50% #2 «x»"
    search(client, term=term)
    client.post("esearch.fcgi", data=GOUT | {"term": term})
    assert eutils.searches == [term, term]
    assert eutils.asked[0].parameters == {"db": "pubmed", "term": term}


def test_long_targets_are_refused_but_posted(client: httpx.Client, eutils: EutilsServer) -> None:
    term = " OR ".join(["gout"] * 900)
    assert search(client, term=term).status_code == 414
    assert client.post("esearch.fcgi", data=GOUT | {"term": term}).status_code == 200
    assert [one.status for one in eutils.asked] == [414, 200]


def test_unknown_paths_and_keys(client: httpx.Client) -> None:
    assert client.get("eblast.fcgi").status_code == 404
    assert search(client, api_key="").status_code == 400  # an empty one is an invalid one
    server = EutilsServer(make_corpus(), keys=frozenset({"k1"}))
    with server, httpx.Client(base_url=server.base_url) as other:
        assert search(other, api_key="k1").status_code == 200
        bad = search(other, api_key="k2")
    assert (bad.status_code, bad.json()["error"]) == (400, "API key invalid")


def test_rate_limit() -> None:
    limit = RateLimit(window=60.0)
    server = EutilsServer(make_corpus(), limit=limit)
    with server, httpx.Client(base_url=server.base_url) as client:
        replies = [search(client) for _ in range(4)]
        keyed = [search(client, api_key="k") for _ in range(11)]
    assert [reply.status_code for reply in replies] == [200, 200, 200, 429]
    assert [reply.status_code for reply in keyed] == [200] * 10 + [429]
    assert replies[0].headers["X-RateLimit-Remaining"] == "2"
    refusal = replies[-1]
    assert refusal.headers["Retry-After"] == "2"
    assert refusal.headers["Content-Type"] == "application/json"
    assert refusal.json() == {
        "error": "API rate limit exceeded",
        "api-key": "127.0.0.1",
        "count": "4",
        "limit": "3",
    }
    assert limit.refused == 2


@pytest.mark.shared_data
def test_rate_limit_is_the_real_one_in_shape(
    client: httpx.Client, eutils: EutilsServer, shared: Path
) -> None:
    eutils.fail("esearch.fcgi", faults.too_many())
    real = json.loads((shared / "data" / "eutils" / "errors" / "rate_limit_http429.json").read_text())
    refusal = search(client)
    assert list(refusal.json()) == list(real)
    assert refusal.json()["error"] == real["error"]
    assert "Retry-After" not in refusal.headers


@pytest.mark.parametrize(
    ("fault", "status", "kind", "holds"),
    [
        (faults.too_many(retry_after=7), 429, "application/json", b"rate limit"),
        (faults.too_many(status=200), 200, "application/json", b"rate limit"),
        (faults.broken(), 500, "text/html", b"<h1>"),
        (faults.broken(200), 200, "text/html", b"<h1>"),
        (faults.backend_failed(), 200, "text/xml", b"<ERROR>Search Backend failed"),
        (faults.error_in_json(), 200, "application/json", b'"ERROR":"Search Backend failed:\n'),
        (faults.empty(), 200, "text/xml", b""),
        (faults.late(0.01), 200, "text/xml", b"<Count>2</Count>"),
        (faults.trickle(0.001), 200, "text/xml", b"<Count>2</Count>"),
    ],
)
def test_faulty_replies(
    client: httpx.Client, eutils: EutilsServer, fault: faults.Fault, status: int, kind: str, holds: bytes
) -> None:
    eutils.fail("esearch.fcgi", fault)
    assert client.get("einfo.fcgi").status_code == 200  # another path
    spoilt = search(client)
    assert (spoilt.status_code, spoilt.headers["Content-Type"].split(";")[0]) == (status, kind)
    assert holds in spoilt.content
    assert spoilt.content or holds == b""
    assert b"<Count>2</Count>" in search(client).content  # once only


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (faults.silence(), httpx.ReadTimeout),
        (faults.reset(), httpx.ReadError),
        (faults.torn(), httpx.ReadError),
        (faults.truncated(), httpx.RemoteProtocolError),
    ],
)
def test_faulty_connections(
    client: httpx.Client, eutils: EutilsServer, fault: faults.Fault, error: type[Exception]
) -> None:
    eutils.fail(None, fault)
    with pytest.raises(error):
        client.get("esearch.fcgi", params=GOUT, timeout=0.3)
    assert search(client).status_code == 200
    assert [one.path for one in eutils.asked] == ["esearch.fcgi"] * 2


def test_outage_from_a_request_on(client: httpx.Client, eutils: EutilsServer) -> None:
    eutils.fail(None, faults.broken(503), times=None, after=2)
    assert [search(client).status_code for _ in range(5)] == [200, 200, 503, 503, 503]
    eutils.recover()
    assert search(client).status_code == 200


def test_faults_come_in_their_order(client: httpx.Client, eutils: EutilsServer) -> None:
    eutils.fail("esearch.fcgi", faults.too_many(), times=2)
    eutils.fail("esearch.fcgi", faults.broken(502))
    assert [search(client).status_code for _ in range(4)] == [429, 429, 502, 200]


def test_many_threads(eutils: EutilsServer) -> None:
    eutils.fail(None, faults.late(0.3), times=32)

    def run(number: int) -> list[str]:
        with httpx.Client(base_url=eutils.base_url, timeout=30.0) as client:
            return [search(client, term=f"Study {number % 25} tremor").text for _ in range(10)]

    with ThreadPoolExecutor(32) as pool:
        texts = [text for many in pool.map(run, range(32)) for text in many]
    assert len(texts) == len(eutils.asked) == 320
    assert all("<Count>1</Count>" in text for text in texts)
    assert eutils.most_at_once > 8


def test_busiest_second(client: httpx.Client, eutils: EutilsServer) -> None:
    for _ in range(3):
        search(client)
    assert eutils.busiest(60.0) == 3
    assert eutils.busiest(1e-9) == 1
    eutils.forget()
    assert eutils.busiest() == 0


def test_it_ends_while_clients_hold_on(eutils: EutilsServer) -> None:
    """Neither an idle connection nor one that waits for a silent reply keeps the server from ending."""
    with EutilsServer(make_corpus()) as server, httpx.Client(base_url=server.base_url) as idle:
        search(idle)
        server.fail(None, faults.silence())
        with ThreadPoolExecutor(1) as pool, httpx.Client(base_url=server.base_url, timeout=20.0) as waiting:
            outcome = pool.submit(search, waiting)
            while len(server.asked) < 2:
                time.sleep(0.01)
            server.__exit__(None, None, None)
            with pytest.raises(httpx.HTTPError):
                outcome.result()


def test_folder_of_files(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    rows: list[dict[str, object]] = [
        {
            "doc_id": "11",
            "pmid": "11",
            "title": "Gout",
            "abstract": "Rest.",
            "year": "2019",
            "mesh": ["Gout"],
        },
        {"doc_id": "x-1", "pmid": None, "title": "Gout without a number", "abstract": "Rest.", "year": None},
        {"doc_id": "12", "pmid": "12", "title": "", "title_from_question": "Gout?", "abstract": "Only text."},
    ]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (tmp_path / "a.nxml").write_bytes(
        b'<?xml version="1.0"?><article article-type="review-article"><front><article-meta>'
        b'<article-id pub-id-type="pmid">11</article-id><article-id pub-id-type="pmc">77</article-id>'
        b"</article-meta></front><body><p>All of it.</p></body></article>"
    )
    (tmp_path / "mesh.tsv").write_text(
        "descriptor\ttree_numbers\tentry_terms\nGout\tC05.1\tPodagra\n", "utf-8"
    )
    told: list[str] = []
    corpus = load_folder(tmp_path, progress=told.append)
    assert [record.pmid for record in corpus.records] == ["11", "12"]
    assert corpus.records[0].pmcid == "PMC77"
    assert corpus.records[1].title == ""  # what is there for measuring only is not served
    assert told
    invented = load_folder(tmp_path, invent_pmids=True)
    assert [record.pmid for record in invented.records] == ["11", "95000001", "12"]
    with EutilsServer(corpus) as server, httpx.Client(base_url=server.base_url) as client:
        assert "<Id>11</Id>" in search(client, term="podagra[mh]").text
        assert "All of it." in client.get("efetch.fcgi", params={"db": "pmc", "id": "77"}).text


def test_command_line(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"pmid": "11", "title": "Gout", "abstract": "Rest."}\n')
    assert read_arguments(["--data", str(tmp_path)]).port == 8085
    words = [sys.executable, "-m", "tests.emulators.eutils", "--data", str(tmp_path), "--port", "0"]
    root = Path(__file__).resolve().parents[3]
    with subprocess.Popen(
        [*words, "--retract", "11"], cwd=root, stderr=subprocess.PIPE, text=True
    ) as program:
        try:
            assert program.stderr is not None
            lines = iter(program.stderr.readline, "")
            address = next(line for line in lines if "BASE_URL=" in line).strip().split("=", 1)[1]
            reply = httpx.get(f"{address}esearch.fcgi", params={"term": "retracted publication[pt]"})
            assert "<Id>11</Id>" in reply.text
        finally:
            program.terminate()
