"""When requests start: one pace for threads, loops and chains, waits for all, rests after an outage."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import pytest

from reasoning.literature import SearchReply
from reasoning.retrieval.eutils.breaker import MOST_FAILURES
from reasoning.retrieval.eutils.host import WITH_KEY, WITHOUT_KEY, host_of
from reasoning.retrieval.eutils.pacing import IN_FLIGHT
from storage.query import Term
from tests.emulators.scripted_eutils import KEY, Asked, Reply, ScriptedEutils, esearch, limit, records, who
from tests.fault.eutils_doors import HANG, gaps, open_door, open_pubmed

GOOD = Reply(esearch("11", "12"))


class Bucket:
    """The limit as NCBI keeps it: so many requests in any second, the rest refused with a wait."""

    def __init__(self, most: int, wait: str | None = "1") -> None:
        self.refused = 0
        self._most, self._wait = most, wait
        self._times: list[float] = []
        self._lock = Lock()

    def __call__(self, asked: Asked, number: int) -> Reply:
        with self._lock:
            self._times = [at for at in self._times if at > asked.at - 1.0]
            self._times.append(asked.at)
            if len(self._times) <= self._most:
                return GOOD
            self.refused += 1
            return limit(self._wait)


def search_in_threads(server: ScriptedEutils, threads: int, **settings: object) -> list[SearchReply]:
    """One search each, in an event loop of its own."""

    async def search(number: int) -> SearchReply:
        async with open_pubmed(server, **settings) as pubmed:
            return await asyncio.wait_for(pubmed.search(Term(f"word{number}"), 5), HANG)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda number: asyncio.run(search(number)), range(threads)))


def ended(replies: list[SearchReply]) -> tuple[int, int]:
    """How many were answered, and how many were told that the limit was hit; nothing else may happen."""
    answered = sum(reply.state == "results" for reply in replies)
    limited = sum((reply.reason or "").startswith("rate_limited") for reply in replies)
    assert answered + limited == len(replies), [reply.reason for reply in replies]
    return answered, limited


def test_32_threads_keep_one_pace() -> None:
    """10 a second start, room is for 14 as some may arrive closer together: none is refused."""
    bucket = Bucket(14)
    with ScriptedEutils(bucket) as server:
        replies = search_in_threads(server, 32, per_second=10.0, deadline=30.0)
    assert ended(replies) == (32, 0)
    assert (len(server.asked), bucket.refused) == (32, 0)
    assert server.most_at_once <= IN_FLIGHT


async def test_who_comes_too_late_is_told_so() -> None:
    """Of 32 questions with two seconds each, 20 at most get their turn; the others hear of the limit."""
    with ScriptedEutils([GOOD]) as server:
        async with open_door(server, per_second=10.0, deadline=2.0) as door:
            questions = (door.for_question().search(Term(f"word{n}"), 5) for n in range(32))
            replies = await asyncio.wait_for(asyncio.gather(*questions), HANG)
    answered, limited = ended(replies)
    assert answered
    assert limited >= 11
    assert len(server.asked) >= answered


def test_a_storm_of_refusals_over_32_threads() -> None:
    """The server allows less than the settings claim. Each refusal holds everybody, and all end."""
    bucket = Bucket(5)
    with ScriptedEutils(bucket) as server:
        replies = search_in_threads(server, 32, per_second=20.0, deadline=6.0)
    answered, _ = ended(replies)
    assert bucket.refused
    assert answered >= 5
    assert server.most_in(1.0) <= 21
    assert max(gaps(server)) >= 0.9


async def test_all_wait_when_one_is_refused() -> None:
    """Three chains and a fetch; the first is refused for a second, and nothing comes in that second."""

    def script(asked: Asked, number: int) -> Reply:
        if number == 0:
            return limit("1")
        return Reply(records(*asked.ids)) if asked.endpoint == "efetch.fcgi" else GOOD

    with ScriptedEutils(script) as server:
        async with open_door(server, per_second=5.0) as door:
            chains = [door.for_question() for _ in range(4)]
            replies = await asyncio.gather(
                *(chain.search(Term(f"word {n}"), 5) for n, chain in enumerate(chains[:3])),
                chains[3].fetch(["1"]),
            )
    assert {reply.state for reply in replies} == {"results"}
    assert len(server.asked) == 5
    times = sorted(asked.at for asked in server.asked)
    assert sum(at < times[0] + 0.95 for at in times) == 1


async def test_the_time_of_a_question_is_spent_on_ncbi_alone() -> None:
    """Two requests of 0.3 s with a pause of 0.5 s between, in 0.8 s; side by side they count once."""
    with ScriptedEutils([Reply(GOOD.body, before=0.3)]) as server:
        async with open_pubmed(server, deadline=0.8) as pubmed:
            first = await pubmed.search(Term("lump"), 5)
            await asyncio.sleep(0.5)
            second = await pubmed.search(Term("cough"), 5)
        async with open_pubmed(server, deadline=0.8) as pubmed:
            beside = await asyncio.gather(*(pubmed.search(Term(f"word{n}"), 5) for n in range(3)))
    assert [reply.state for reply in (first, second, *beside)] == ["results"] * 5


async def test_an_ingest_has_all_the_time_it_takes() -> None:
    with ScriptedEutils([limit("1"), GOOD]) as server:
        async with open_door(server, deadline=0.5) as door:
            assert (await door.for_question().search(Term("lump"), 5)).state == "transient"
            reply = await door.for_ingest().search(Term("lump"), 5)
    assert (reply.state, len(server.asked)) == ("results", 2)
    assert gaps(server)[0] >= 1.0


async def test_an_outage_in_the_middle_of_a_question() -> None:
    """The search works, then everything breaks: what was found stays, and the rest says so."""

    def script(asked: Asked, number: int) -> Reply:
        return GOOD if number == 0 else Reply("<html>Maintenance</html>", 503, "text/html")

    with ScriptedEutils(script) as server:
        async with open_door(server, per_second=100) as door:
            pubmed = door.for_question()
            found = await pubmed.search(Term("lump"), 5)
            fetched = await pubmed.fetch(found.keys)
            again = await pubmed.search(Term("cough"), 5)
            texts = await pubmed.read_full_texts(["PMC1"])
    assert (found.state, fetched.state, fetched.missing) == ("results", "transient", ())
    assert again.failed
    assert texts.absent == {"PMC1": "fetch_error"}
    assert len(server.asked) == 1 + MOST_FAILURES, "then the host is left alone"
    assert pubmed.calls == {"esearch.fcgi": 3, "efetch.fcgi": 3}


def tripped(server: ScriptedEutils, rest: float) -> Callable[[], bool]:
    """A short rest for this server's breaker; whether it has tripped."""
    breaker = host_of(server.eutils(), who(None)).breaker
    breaker.rest = rest
    return lambda: breaker.tripped


async def test_one_request_finds_out_whether_the_host_works_again() -> None:
    down = True

    def script(asked: Asked, number: int) -> Reply:
        return Reply("", 500) if down else GOOD

    with ScriptedEutils(script) as server:
        is_tripped = tripped(server, 0.4)
        async with open_door(server) as door:

            async def search_many() -> list[SearchReply]:
                return await asyncio.gather(
                    *(door.for_question().search(Term(f"word{n}"), 5) for n in range(8))
                )

            await search_many()
            asked = len(server.asked)
            assert is_tripped()
            assert MOST_FAILURES <= asked <= MOST_FAILURES + IN_FLIGHT
            await asyncio.sleep(0.5)
            await search_many()
            assert len(server.asked) == asked + 1, "one tries, the others do not"
            down = False
            await asyncio.sleep(0.5)
            (probe, *others) = await search_many()
            assert (probe.state, len(server.asked)) == ("results", asked + 2)
            assert all(reply.calls == 0 for reply in others)
            assert [reply.state for reply in await search_many()] == ["results"] * 8


async def test_refusals_and_limits_are_no_outage() -> None:
    replies = [Reply("", 400), limit("0")] * 8
    with ScriptedEutils(lambda _, n: replies[n] if n < len(replies) else GOOD) as server:
        is_tripped = tripped(server, 30.0)
        async with open_door(server) as door:
            for n in range(6):
                assert (await door.for_question().search(Term(f"word{n}"), 5)).failed
            assert not is_tripped()


@pytest.mark.parametrize(("key", "rate"), [(None, WITHOUT_KEY), (KEY, WITH_KEY)])
def test_the_pace_without_a_setting(key: str | None, rate: float) -> None:
    with ScriptedEutils([GOOD]) as server:
        assert host_of(server.eutils(per_second=None), who(key)).pacer.gap == 1.0 / rate
        assert host_of(server.eutils(per_second=1.0), who(key)).pacer.gap == 1.0
        same = host_of(server.eutils(), who(key))
        assert host_of(server.eutils(), who(key)) is same
        assert host_of(server.eutils(), who("k2")) is not same


async def test_a_stalled_process_sends_no_burst_afterwards() -> None:
    """The event loop stands still while several wait for their turn."""
    with ScriptedEutils([GOOD]) as server:
        async with open_door(server, per_second=10.0) as door:
            tasks = [asyncio.create_task(door.for_question().search(Term(f"word{n}"), 5)) for n in range(8)]
            assert await asyncio.to_thread(server.wait_for, 2)
            time.sleep(0.6)  # noqa: ASYNC251
            replies = await asyncio.gather(*tasks)
    assert [reply.state for reply in replies] == ["results"] * 8
    assert server.most_in(0.35) <= 5, "3 starts at this pace, and what the stall held back on the way"
