"""Everything that can come back instead of an answer: each ends as a reply that says so, never as empty."""

from __future__ import annotations

import asyncio
import gzip
import socket
from dataclasses import dataclass

import pytest

from reasoning.retrieval.eutils import PubMedDoor
from storage.query import Term
from tests.emulators.scripted_eutils import (
    Asked,
    Reply,
    ScriptedEutils,
    esearch,
    failure,
    limit,
    records,
    who,
)
from tests.fault.eutils_doors import HANG, open_door, open_pubmed

GOOD = Reply(esearch("11", "12"))
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Fault:
    """`tries` until it ends; `said` is part of the reason."""

    reply: Reply
    state: str
    tries: int
    said: str


FAULTS = {
    "limit, bare 429": Fault(Reply("", 429), "transient", 3, "rate_limited"),
    "limit in a body with status 200": Fault(
        Reply(limit().body, 200, JSON), "transient", 3, "rate_limited: E-utilities asks to wait. API rate"
    ),
    "limit, longer than the question": Fault(limit("3600"), "transient", 1, "rate_limited"),
    "limit, a date far away": Fault(limit("Fri, 31 Dec 2100 23:59:59 GMT"), "transient", 1, "rate_limited"),
    "503 with a wait beyond the question": Fault(limit("60", 503), "transient", 1, "rate_limited"),
    "503": Fault(Reply("busy", 503), "transient", 3, "backend_failed: "),
    "500, a web page": Fault(Reply("<html><title>Oops</title>", 500, "text/html"), "transient", 3, "Oops"),
    "502, no words": Fault(Reply("", 502), "transient", 3, "Status 502"),
    "backend failed, in XML": Fault(
        Reply(failure("Search Backend failed: Database is not supported: pubmed")),
        *("transient", 3, "backend_failed"),
    ),
    "backend failed, in JSON with a raw line break": Fault(
        Reply('{"esearchresult": {"ERROR": "Search Backend failed:\n no answer"}}', 200, JSON),
        *("transient", 3, "Search Backend failed: no answer"),
    ),
    "web page": Fault(
        Reply("<!DOCTYPE html><html><title>Sign in</title></html>", 200, "text/html"),
        *("transient", 3, "A web page came back: Sign in"),
    ),
    "web page that says it is XML": Fault(
        Reply("<html><title>Sign in</title></html>"), "transient", 3, "broken_reply"
    ),
    "XHTML": Fault(
        Reply('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head/></html>'),
        *("transient", 3, "broken_reply"),
    ),
    "redirect to a sign-in page": Fault(
        Reply("", 302, headers={"Location": "http://127.0.0.1:9/login"}), "transient", 3, "another address"
    ),
    "empty": Fault(Reply(""), "transient", 3, "It is empty."),
    "blanks": Fault(Reply(" \n "), "transient", 3, "It is empty."),
    "204": Fault(Reply("", 204), "transient", 3, "It is empty."),
    "torn XML": Fault(Reply(str(GOOD.body)[:-40]), "transient", 3, "breaks off"),
    "torn connection": Fault(Reply(GOOD.body, ending="torn"), "transient", 3, "connection broke"),
    "reset": Fault(Reply(ending="reset"), "transient", 3, "connection broke"),
    "not XML inside": Fault(
        Reply("<eSearchResult><Count>2<IdList></eSearchResult>"), "transient", 1, "holds no count"
    ),
    "no count": Fault(
        Reply("<eSearchResult><IdList><Id>1</Id></IdList></eSearchResult>"), "transient", 1, "no count"
    ),
    "hits without ids": Fault(Reply(esearch(count=7)), "transient", 1, "7 hits are told"),
    "another document": Fault(Reply("<eInfoResult/>"), "transient", 3, "eInfoResult"),
    "plain words": Fault(Reply("Bad gateway", kind="text/plain"), "transient", 3, "It is no XML."),
    "bytes": Fault(Reply(b"\xff\x00\x1b[31m"), "transient", 3, "It is no XML."),
    "JSON without an error": Fault(Reply('{"header": {}}', 200, JSON), "transient", 3, "It is no XML."),
    "gzip that is none": Fault(
        Reply(b"no gzip", headers={"Content-Encoding": "gzip"}), "transient", 3, "connection broke"
    ),
    "torn gzip": Fault(
        Reply(gzip.compress(str(GOOD.body).encode())[:-20], headers={"Content-Encoding": "gzip"}),
        *("transient", 3, "broken_reply"),
    ),
    "400": Fault(Reply('{"error": "API key invalid"}', 400, JSON), "permanent", 1, "API key invalid"),
    "400, bad history window": Fault(
        Reply("<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>", 400),
        *("permanent", 1, "Unable to obtain query"),
    ),
    "400 that blames the backend": Fault(
        Reply(failure("Search Backend failed: x"), 400), "permanent", 1, "refused: "
    ),
    "403": Fault(Reply("<html><title>Blocked</title>", 403, "text/html"), "permanent", 1, "Blocked"),
    "404": Fault(Reply("no such page", 404, "text/plain"), "permanent", 1, "Status 404"),
    "414": Fault(Reply("", 414), "permanent", 1, "Status 414"),
    "invalid database": Fault(Reply(failure("Invalid db name specified: x")), "permanent", 1, "Invalid db"),
    "an error in an unknown JSON": Fault(
        Reply('{"esearchresult": {"ERROR": "Unknown field tag"}}', 200, JSON),
        *("permanent", 1, "Unknown field tag"),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_is_told_and_never_taken_for_no_result(name: str) -> None:
    fault = FAULTS[name]
    with ScriptedEutils([fault.reply]) as server:
        async with open_pubmed(server, deadline=8.0) as pubmed:
            reply = await asyncio.wait_for(pubmed.search(Term("lump"), 5), HANG)
    assert (reply.state, reply.keys, reply.count) == (fault.state, (), 0)
    assert fault.said in (reply.reason or "")
    assert (reply.calls, len(server.asked)) == (fault.tries, fault.tries)
    assert pubmed.kept == {}, "a failure is not kept"


PASSING = [name for name, fault in FAULTS.items() if fault.tries == 3]


@pytest.mark.parametrize("name", PASSING)
async def test_what_passes_by_itself_is_asked_again(name: str) -> None:
    with ScriptedEutils([FAULTS[name].reply, GOOD]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await asyncio.wait_for(pubmed.search(Term("lump"), 5), HANG)
    assert (reply.state, reply.keys, reply.calls) == ("results", ("11", "12"), 2)


@pytest.mark.parametrize("ending", ["silent", "stalled"])
async def test_a_half_open_socket_costs_the_questions_time_and_no_more(ending: str) -> None:
    with ScriptedEutils([Reply(GOOD.body, ending=ending)]) as server:  # type: ignore[arg-type]
        async with open_pubmed(server, deadline=1.0) as pubmed:
            reply = await asyncio.wait_for(pubmed.search(Term("lump"), 5), HANG)
            second = await pubmed.search(Term("cough"), 5)
    assert (reply.state, reply.reason) == (
        "transient",
        "unreachable: E-utilities cannot be reached. No whole reply in time.",
    )
    assert (second.state, second.calls) == ("transient", 0)
    assert "is spent" in (second.reason or "")


async def test_a_reply_that_drips_ends_with_the_questions_time() -> None:
    """Each byte comes in time for the limit on reading, the whole does not."""
    body = str(GOOD.body).encode()
    listener = socket.create_server(("127.0.0.1", 0))

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 9999\r\n\r\n")
        try:
            for byte in body:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.02)
        except OSError:
            pass
        finally:
            writer.close()

    dripping = await asyncio.start_server(drip, sock=listener)
    with ScriptedEutils([]) as server:
        settings = server.eutils(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}/", deadline=0.5)
    door = PubMedDoor(settings, who(None))
    reply = await asyncio.wait_for(door.for_question().search(Term("lump"), 5), HANG)
    await door.aclose()
    dripping.close()
    await dripping.wait_closed()
    assert "No whole reply in time" in (reply.reason or "")


async def test_a_refused_connection_is_not_tried_again() -> None:
    with ScriptedEutils([GOOD]) as server:
        settings = server.eutils()
    door = PubMedDoor(settings, who(None))
    pubmed = door.for_question()
    first, second = await pubmed.search(Term("lump"), 5), await pubmed.search(Term("cough"), 5)
    fetched = await pubmed.fetch(["1"])
    texts = await pubmed.read_full_texts(["PMC1"])
    await door.aclose()
    assert (first.state, first.calls) == ("transient", 1)
    assert "unreachable" in (first.reason or "")
    assert (second.state, second.calls, fetched.state, fetched.calls) == ("transient", 0, "transient", 0)
    assert (fetched.missing, texts.absent) == ((), {"PMC1": "fetch_error"})
    assert await pubmed.suggest_spelling("lumpp") is None
    assert await pubmed.verify_headings(["Lung"]) == frozenset()


async def test_headings_and_spelling_are_silent_about_faults() -> None:
    with ScriptedEutils([Reply("<html/>", 500)]) as server:
        async with open_pubmed(server) as pubmed:
            assert await pubmed.verify_headings(["Lung Neoplasms"]) == frozenset()
            assert await pubmed.suggest_spelling("lumpp") is None
            assert pubmed.kept == {}


# --- fetching ----------------------------------------------------------------------------------------------

TORN = records("1", "2")
BROKEN_RECORDS = {
    "torn in the second record": TORN[: TORN.index("<PMID>2")],
    "torn, and closed by a proxy": TORN[: TORN.index("<PMID>2")] + "</PubmedArticleSet>",
    "an empty set in another document": "<eFetchResult><ERROR>Backend timeout</ERROR></eFetchResult>",
}


@pytest.mark.parametrize("name", BROKEN_RECORDS)
async def test_what_a_broken_reply_does_not_hold_is_not_missing(name: str) -> None:
    """Missing is only what a whole reply leaves out: the other may exist."""
    with ScriptedEutils([Reply(BROKEN_RECORDS[name])]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.fetch(["1", "2"])
    assert (reply.state, reply.missing) == ("transient", ())
    assert set(reply.articles) <= {"1"}
    assert reply.reason


async def test_one_batch_of_many_fails() -> None:
    def script(asked: Asked, number: int) -> Reply:
        return Reply("", 400) if "201" in asked.ids else Reply(records(*asked.ids))

    with ScriptedEutils(script) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.fetch([str(n) for n in range(1, 451)])
    assert (len(reply.articles), reply.state, reply.missing) == (250, "permanent", ())


async def test_no_id_is_known() -> None:
    """EFetch answers with an error, where it knows none of the ids."""
    words = "ID list is empty! In it there are neither IDs nor accessions."
    with ScriptedEutils([Reply(f"<eFetchResult><ERROR>{words}</ERROR></eFetchResult>", 400)]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.fetch(["1", "2"])
    assert (reply.state, reply.missing, reply.reason) == ("empty", ("1", "2"), None)


async def test_an_unknown_pmcid_is_not_open() -> None:
    body = '<pmc-articleset><Reply Id="7" error="The following PMCID is not available: 7"/></pmc-articleset>'
    with ScriptedEutils([Reply(body)]) as server:
        async with open_pubmed(server) as pubmed:
            texts = await pubmed.read_full_texts(["PMC7"])
    assert texts.absent == {"PMC7": "not_open"}


async def test_nothing_is_asked_for_nothing() -> None:
    with ScriptedEutils([GOOD]) as server:
        async with open_pubmed(server) as pubmed:
            assert (await pubmed.fetch([])).state == "empty"
            assert (await pubmed.read_full_texts([])).articles == {}
            assert await pubmed.verify_headings(["", '"', "a]b"]) == frozenset()
    assert server.asked == []


async def test_a_cancelled_search_gives_its_place_back() -> None:
    """Four leave while they are waited for; the fifth is served, though three places are all there are."""
    replies = [Reply(ending="silent")] * 3 + [GOOD]
    with ScriptedEutils(lambda _, n: replies[min(n, 3)]) as server:
        async with open_door(server, deadline=30.0) as door:
            tasks = [asyncio.create_task(door.for_question().search(Term("lump"), 5)) for _ in range(4)]
            assert await asyncio.to_thread(server.wait_for, 3)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            reply = await asyncio.wait_for(door.for_question().search(Term("cough"), 5), HANG)
    assert reply.state == "results"
