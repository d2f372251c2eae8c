"""Two Slack workspaces and Telegram on one `carecite serve`, two people in each, direct chats and two threads
at once: no text crosses, and what all of them delete is nowhere (chat.md 7, checks 4 and 5)."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest

from reasoning.notices import notice
from tests.acceptance.serving import Serving, dump, serving
from tests.acceptance.talks import Seat, Side, SlackSide, Talk, TelegramSide
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.tiers import Windows
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.test_slack_workspaces import install, several
from tests.integration.emulators.test_telegram_webhook import free_port
from tests.program import Program
from tests.stages.slack import redelivered

SUFFIXES = ("0ISLEOFQA", "0ISLEOFQB")  # in all ids of a workspace
NUMBERS, GROUP, TOPICS = ("770011223", "770011224"), "-1007700112255", ("7", "8")
IDS = (*SUFFIXES, *NUMBERS, GROUP.removeprefix("-100"))


@pytest.fixture
async def slack() -> AsyncIterator[SlackSide]:
    async with SlackServer(redelivery=redelivered(), windows=Windows(tier=0.0)) as server:
        for suffix in SUFFIXES:
            await server.people.add_workspace(f"T{suffix}")
        seats = tuple(Seat(f"U{n}-{suffix}", f"T{suffix}") for suffix in SUFFIXES for n in (1, 2))
        yield SlackSide(server, seats)


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramSide]:
    async with TelegramServer() as server:
        seats = tuple(Seat(number) for number in NUMBERS)
        await server.people.add_group(int(GROUP), topics=dict.fromkeys(TOPICS, "topic"), user=int(NUMBERS[0]))
        yield TelegramSide(server, seats)


async def test_no_text_crosses_and_what_is_deleted_is_nowhere(
    carecite: Program, slack: SlackSide, telegram: TelegramSide
) -> None:
    hooks, health = free_port(), free_port()
    await slack.server.request_url(f"http://127.0.0.1:{hooks}/slack/events")
    own = several(slack.server, hooks, ",".join(f"T{suffix}" for suffix in SUFFIXES))
    settings = {f"CARECITE_SLACK_{name.upper()}": str(value) for name, value in own.items() if value}
    settings |= {"CARECITE_SLACK_BASE_URL": slack.server.base_url, "CARECITE_LOG_LEVEL": "debug"}
    settings |= {"CARECITE_HEALTH_PORT": str(health)}
    async with serving(carecite, telegram.server, "nothing_crosses", **settings) as served:
        for suffix in SUFFIXES:
            assert await install(slack.server, hooks, f"T{suffix}") == 200
        await asyncio.gather(*(telegram.agree(seat) for seat in telegram.seats))
        talks: list[tuple[Side, Talk]] = [(slack, talk) for talk in slack_talks(slack.seats)]
        talks += [(telegram, talk) for talk in telegram_talks(telegram.seats)]
        await asyncio.gather(*(hold(side, talk) for side, talk in talks))
        await served.until_finished()
        everybody = [(side, seat) for side in (slack, telegram) for seat in side.seats]
        await asyncio.gather(*(ask_for_all(side, seat) for side, seat in everybody))
        await served.until_finished()
        words = [word for _, talk in talks for word in talk.words.values()]
        nothing_crossed(served, talks)
        before = await asyncio.to_thread(dump, served.settings["CARECITE_HISTORY_URL"])
        assert found(words, before) == set(words)

        await asyncio.gather(*(delete_everything(side, seat) for side, seat in everybody))
        await served.until_finished()
        metrics = await asyncio.to_thread(read_metrics, health)
        assert await served.end() == 0
        after = await asyncio.to_thread(dump, served.settings["CARECITE_HISTORY_URL"])
        assert served.query("SELECT count(*) FROM people") == [(0,)]
    ids = [*IDS, *slack.asked]
    said = "\n".join(served.lines)
    assert "waits for jobs" in said
    for sink in (after, said, metrics, *logs_of(carecite.home)):
        assert found(words, sink) == set()
        assert found(ids, sink) == set()
    assert found(ids, before) == set()
    assert [found(words, side.left(seat)) for side, seat in everybody] == [set()] * len(everybody)
    assert slack.server.ledger.ignored == telegram.server.ledger.ignored == []


def slack_talks(seats: Sequence[Seat]) -> list[Talk]:
    """In each workspace: two threads, in which the other person goes on, and a direct chat with each."""
    talks = []
    for suffix in SUFFIXES:
        one, two = (seat for seat in seats if seat.team == f"T{suffix}")
        talks += [Talk((one, two, one), f"C1-{suffix}"), Talk((two, one), f"C1-{suffix}")]
        talks += [Talk((one,)), Talk((two,))]
    return talks


def telegram_talks(seats: Sequence[Seat]) -> list[Talk]:
    """Fewer in the group, where Telegram takes a message every three seconds."""
    one, two = seats
    topics = (Talk((one, two), GROUP, TOPICS[0]), Talk((two, one), GROUP, TOPICS[1]))
    return [*topics, Talk((one, one)), Talk((two,))]


async def hold(side: Side, talk: Talk) -> None:
    for seat, text in talk.turns():
        await side.say(talk, seat, text)


async def ask_for_all(side: Side, seat: Seat) -> None:
    for name in ("/history", "/export"):
        await side.command(seat, name)


async def delete_everything(side: Side, seat: Seat) -> None:
    await side.command(seat, "/delete")
    await side.press(seat, notice("chat_delete", "en"), "delete:everything")
    await side.press(seat, notice("chat_delete_sure", "en"), "erase:everything")


def found(words: Iterable[str], text: str) -> set[str]:
    """Those that stand in it, as they are or as bytes are printed."""
    return {word for word in words if word in text or word.encode().hex() in text}


def nothing_crossed(served: Serving, talks: Sequence[tuple[Side, Talk]]) -> None:
    """Neither in what people were shown nor in what their answers were made of."""
    own: dict[Seat, set[str]] = defaultdict(set)
    for _, talk in talks:
        for seat, word in talk.words.items():
            own[seat].add(word)
    words = set().union(*own.values())
    assert len(words) == sum(len(talk.words) for _, talk in talks)
    for side, talk in talks:
        shown = found(words, side.shown(talk))
        if talk.place is None:
            assert shown == own[talk.seats[0]]  # `/history` and `/export` show it all
        else:
            assert shown <= set(talk.words.values())
    rows = served.query(
        "SELECT i.conversation_id, i.person_id, i.text, r::text || coalesce(string_agg(m::text, ' '), '')"
        " FROM inbox i JOIN runs r USING (run_id) LEFT JOIN model_replies m USING (run_id)"
        " WHERE i.kind = 'question' GROUP BY i.id, r.run_id"
    )
    assert len(rows) == sum(len(talk.seats) for _, talk in talks)
    seats: dict[tuple[int, int], set[str]] = defaultdict(set)
    carried = 0
    for conversation, person, text, run in rows:
        seats[conversation, person] |= found(words, run)
        carried += not found(words, text) and bool(found(words, run))
    assert sorted(len(one) for one in seats.values()) == [1] * len(words)
    assert set().union(*seats.values()) == words
    assert carried == sum(len(talk.seats) - len(talk.words) for _, talk in talks)  # one's own is carried


def read_metrics(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as reply:
        return str(reply.read().decode())


def logs_of(home: Path) -> list[str]:
    """Of the database server."""
    logs = [path.read_text(errors="replace") for path in home.rglob("server.log")]
    assert logs
    return logs
