"""Cases F01 to F04 and F13, word by word, over real sockets."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from reasoning.retrieval.eutils.allowance import Allowance
from reasoning.retrieval.eutils.transport import Transport
from storage.query import Term
from tests.emulators.scripted_eutils import Asked, Reply, ScriptedEutils, esearch, records, who
from tests.fault.eutils_doors import HANG, chain, gaps, leaks, open_door, open_pubmed

pytestmark = pytest.mark.shared_data


@pytest.fixture(scope="session")
def inputs(shared: Path) -> Path:
    return shared / "cases" / "inputs"


def wire(row: dict[str, Any], inputs: Path) -> Reply:
    """A reply as the cases write it down."""
    kind = row.get("content_type") or row.get("headers", {}).get("Content-Type", "text/xml")
    headers = {name: value for name, value in row.get("headers", {}).items() if name != "Content-Type"}
    body = (inputs / row["body_file"]).read_bytes() if "body_file" in row else row["body"]
    return Reply(body, row["status"], kind, headers)


async def test_f01_a_limit_told_in_json(inputs: Path, caplog: pytest.LogCaptureFixture) -> None:
    exchange = json.loads((inputs / "F01_exchange.json").read_text())
    replies = [wire(each["reply"], inputs) for each in exchange["exchanges"]]
    with ScriptedEutils(replies) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.search(Term("example term"), 20)
    assert (reply.state, reply.keys, reply.calls) == ("results", ("90000101", "90000102"), 2)
    assert gaps(server)[0] >= 2.0
    assert "XML" not in caplog.text


async def test_f01_a_burst_keeps_the_limit(inputs: Path) -> None:
    """At the pace that is the default, without a key: four chains of three searches, side by side."""
    burst = json.loads((inputs / "F01_exchange.json").read_text())["burst"]
    with ScriptedEutils([Reply(esearch("1"))]) as server:

        async def search(chain_: int) -> list[str]:
            async with open_pubmed(server, per_second=None) as pubmed:  # each its own, in one process
                found = [
                    await pubmed.search(Term(f"word{chain_} {n}"), 5)
                    for n in range(burst["searches_per_chain"])
                ]
                return [reply.state for reply in found]

        states = await asyncio.wait_for(asyncio.gather(*map(search, range(burst["chains"]))), HANG)
    assert states == [["results"] * 3] * 4
    assert len(server.asked) == 12
    assert server.most_in(burst["window_seconds"]) <= burst["limit_without_key"]


ROWS = range(7)


@pytest.mark.parametrize("number", ROWS)
async def test_f02_errors_that_look_like_results(
    number: int, inputs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each row through a search, and through the layer that has the error itself."""
    exchange = json.loads((inputs / "F02_exchange.json").read_text())
    assert len(exchange["rows"]) == len(ROWS)
    row, secret, words = exchange["rows"][number], exchange["secret"], exchange["patient_words"]
    caplog.set_level(logging.INFO)
    with ScriptedEutils([wire(row, inputs)]) as server:
        async with open_pubmed(server, key=secret) as pubmed:
            reply = await asyncio.wait_for(pubmed.search(Term(words), 5), HANG)
        transport = Transport(server.eutils(), who(secret))
        params = {"db": "pubmed", "term": words}
        outcome = await transport.ask("esearch.fcgi", params, ["eSearchResult"], Allowance(8.0))
        await transport.aclose()
    assert {"empty": "none"}.get(reply.state, reply.state) == row["class"]
    assert server.asked[0].params["api_key"] == secret, "it was sent, so it could leak"
    tries = {"transient": 3, "permanent": 1, "none": 1}[row["class"]]
    assert reply.calls == tries
    errors = " ".join(f"{error} {error!r}" for error in chain(outcome.failure))
    told = f"{caplog.text} {errors} {reply!r} {reply.reason} {outcome.reason}"
    assert leaks(told, secret, words) == []
    if row["class"] != "none":
        assert "E-utilities, esearch.fcgi" in caplog.text, "the operator learns of it"
        assert reply.reason
        assert "<" not in reply.reason.replace("a <", "")


async def test_f02_the_reason_reaches_the_operator(inputs: Path) -> None:
    with ScriptedEutils([Reply((inputs / "F02_backend_failed.xml").read_text())]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.search(Term("lump"), 5)
    assert "Search Backend failed: no answer from the index, node 14" in (reply.reason or "")


async def test_f03_a_clamped_search(inputs: Path) -> None:
    with ScriptedEutils([Reply((inputs / "F03_clamped_search.xml").read_text())]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.search(Term("hypertension"), 1_000_000)
    assert (reply.count, len(reply.keys), reply.clamped) == (48_210, 3, True)
    assert reply.warnings == ("Restrictions applied: start and count were changed to 0 and 9999",)
    assert len(server.asked) == 1
    assert int(server.asked[0].params["retmax"]) <= 9_999
    assert int(server.asked[0].params.get("retstart", 0)) == 0


async def test_f03_out_of_range_is_not_retried(inputs: Path) -> None:
    with ScriptedEutils([Reply((inputs / "F03_out_of_range.xml").read_text())]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.search(Term("hypertension"), 5)
    assert (reply.state, len(server.asked)) == ("permanent", 1)


async def test_f03_many_ids_and_a_long_term_go_by_post() -> None:
    def script(asked: Asked, number: int) -> Reply:
        if asked.endpoint == "esearch.fcgi":
            return Reply(esearch("1"))
        return Reply("<PubmedArticleSet></PubmedArticleSet>")

    ids = [str(90_000_000 + n) for n in range(1_300)]
    with ScriptedEutils(script) as server:
        async with open_pubmed(server) as pubmed:
            fetched = await pubmed.fetch(ids)
            reply = await pubmed.search(Term("word " * 1_200), 5)
    posts = [asked for asked in server.asked if asked.endpoint == "efetch.fcgi"]
    assert len(posts) == 7
    assert {asked.method for asked in server.asked} == {"POST"}
    assert max(len(asked.ids) for asked in posts) == 200
    assert sorted(each for asked in posts for each in asked.ids) == ids
    assert max(len(asked.target) for asked in server.asked) < 2_000
    assert reply.state == "results"
    assert sorted(fetched.missing) == ids
    assert fetched.state == "empty"


async def test_f04_the_word_that_mattered_was_dropped(inputs: Path) -> None:
    with ScriptedEutils([Reply((inputs / "F04_term_dropped.xml").read_text())]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.search_text("Veldhoven-Asakura syndrome", 20)
    assert reply.dropped == ("Veldhoven-Asakura",)
    assert (reply.state, reply.count, reply.translation) == ("results", 104_377, "syndrome[All Fields]")


async def test_f04_a_missing_quoted_phrase_is_reported(inputs: Path) -> None:
    with ScriptedEutils([Reply((inputs / "F04_quoted_not_found.xml").read_text())]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.search(Term("osimertinib diarrhoea"), 20)
    assert reply.keys == ("90000404", "90000405")
    assert reply.phrases_not_found == ('"osimertinib belly cramps"',)
    assert (reply.ignored, reply.dropped) == (("the",), ())


async def test_f04_no_hits_are_a_true_empty_result(inputs: Path) -> None:
    with ScriptedEutils([Reply((inputs / "F04_no_hits.xml").read_text())]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.search(Term("qqzzitis"), 20)
    assert (reply.state, reply.count, reply.reason) == ("empty", 0, None)
    assert reply.dropped == ("qqzzitis",)


async def test_f05_the_characters_arrive_as_typed() -> None:
    typed = "vitamin C & cold + zinc 50% dose #2 = β-blocker; Sjögren's"
    with ScriptedEutils([Reply(esearch("1"))]) as server:
        async with open_pubmed(server, key="k0000000000000000000000000000000test") as pubmed:
            await pubmed.search_text(typed, 5)
    sent = dict(server.asked[0].params)
    assert sent.pop("term") == typed
    assert set(sent) == {"db", "sort", "retmax", "retmode", "tool", "email", "api_key"}
    assert (sent["tool"], sent["sort"]) == ("carecite", "relevance")


@pytest.mark.parametrize("term", ["", "  ", "AND OR ( )", "the of", "?!"])
async def test_f05_a_query_without_a_word_is_not_sent(term: str) -> None:
    with ScriptedEutils([Reply(esearch("1"))]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.search_text(term, 5)
    assert (reply.state, server.asked) == ("permanent", [])
    assert reply.reason == "refused: It has no search word."


async def test_f13_front_matter_is_no_full_text(inputs: Path) -> None:
    stored: list[str] = []

    async def store(articles: Any) -> None:
        stored.extend(article.doc_id for article in articles)

    replies = {
        "9900131": (inputs / "F13_pmc_front_only.xml").read_text(),
        "9900132": (inputs / "F13_pmc_tables.xml").read_text(),
    }
    parts = [text[text.index("<article ") : text.index("</article>") + 10] for text in replies.values()]
    body = f"<pmc-articleset>{''.join(parts)}</pmc-articleset>"
    with ScriptedEutils([Reply(body)]) as server:
        async with open_door(server, store=store) as door:
            texts = await door.for_question().read_full_texts(["PMC9900131", "9900132", "PMC7", "PMID: 5"])
    assert list(texts.articles) == ["PMC9900132"] == stored
    assert texts.absent == {"PMC9900131": "publisher_blocked", "PMC7": "not_open", "PMID: 5": "no_pmcid"}
    assert server.asked[0].ids == ["9900131", "9900132", "7"]
    assert server.asked[0].params["db"] == "pmc"


async def test_f13_ids_are_not_taken_for_one_another() -> None:
    with ScriptedEutils([Reply(records("90001302", "5"))]) as server:
        async with open_pubmed(server) as pubmed:
            reply = await pubmed.fetch(["90001302", "PMC9900132", "90001303"])
    assert server.asked[0].ids == ["90001302", "90001303"]
    assert list(reply.articles) == ["90001302"], "5 was not asked for"
    assert set(reply.missing) == {"90001303", "PMC9900132"}
    assert "PMC9900132 is a PMCID" in (reply.reason or "")
