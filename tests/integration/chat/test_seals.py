"""Keys outside the database, hashes that find again, seals that open, and nothing that shows any of it."""

from __future__ import annotations

import base64
import dataclasses
import logging
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from config import Settings
from storage.errors import HomeUnusable, KeysUnusable, SealBroken
from storage.history.chat import Chat, Message, Part, Place, Workspace, open_chat
from storage.history.chat.keys import FILE, KeyRing, load_keys
from storage.history.chat.seals import Seals
from tests.integration.chat.conftest import NO_PACE, PLENTY, message, run_of
from tests.integration.storage.documents import query

A, B = (base64.b64encode(bytes([n]) * 32).decode() for n in (251, 7))


def settings_with(home: Path, hash_key: str | None = A, sealing: str | None = f"k1:{B}") -> Settings:
    keys = {"hash_key": hash_key, "sealing_keys": sealing}
    return Settings.model_validate({"home": home, "chat": {k: v for k, v in keys.items() if v}})


def test_a_file_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    with ThreadPoolExecutor(8) as pool:
        rings = list(pool.map(load_keys, [Settings(home=home)] * 8))
    assert len({(ring.hash_key, *ring.sealing.items()) for ring in rings}) == 1
    assert [path.name for path in home.iterdir()] == [FILE]
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600
    assert len({len(rings[0].hash_key), *map(len, rings[0].sealing.values())}) == 1
    assert rings[0].hash_key not in rings[0].sealing.values()
    (home / FILE).chmod(0o644)
    with pytest.raises(KeysUnusable, match="Others may read"):
        load_keys(Settings(home=home))


def test_the_lines_of_the_file_are_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = load_keys(Settings(home=tmp_path))
    for line in (tmp_path / FILE).read_text().splitlines():
        monkeypatch.setenv(*line.split("=", 1))
    (tmp_path / FILE).unlink()
    configured = load_keys(Settings(home=tmp_path))
    assert (configured.hash_key, configured.sealing) == (made.hash_key, made.sealing)
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    ("hash_key", "sealing", "named"),
    [
        (None, f"k1:{B}", "HASH_KEY is not set"),
        (A, None, "SEALING_KEYS is not set"),
        ("c2VjcmV0", f"k1:{B}", "HASH_KEY: a key is 32 bytes"),
        ("secret!", f"k1:{B}", "HASH_KEY: a key is 32 bytes"),
        (A, B, "SEALING_KEYS: each key is NAME:BASE64"),
        (A, "k1:secret", "SEALING_KEYS: a key is 32 bytes"),
        (A, f"k1:{B},k1:{A}", "SEALING_KEYS: each key is"),
        (A, f"k1:{B},", "SEALING_KEYS: each key is"),
    ],
)
def test_keys_that_cannot_be_used(
    tmp_path: Path, hash_key: str | None, sealing: str | None, named: str
) -> None:
    with pytest.raises(KeysUnusable, match=named) as caught:
        load_keys(settings_with(tmp_path, hash_key, sealing))
    for value in ("secret", "c2VjcmV0", A, B):
        assert value not in f"{caught.value!r} {caught.value.__cause__!r} {caught.value.remedy}"


def test_a_broken_file(tmp_path: Path) -> None:
    (tmp_path / FILE).touch(mode=0o600)
    with pytest.raises(KeysUnusable):
        load_keys(Settings(home=tmp_path))
    with pytest.raises(HomeUnusable):
        load_keys(Settings(home=Path("/dev/null/home")))


def test_seals() -> None:
    seals = Seals(KeyRing(b"h" * 32, {"k1": b"1" * 32}))
    sealed = seals.seal("person", "U1 \ud83d ü")
    assert seals.open("person", sealed) == "U1 \ufffd ü"
    assert seals.seal("person", "U1") != seals.seal("person", "U1")
    assert b"U1" not in sealed
    changed = [sealed[:n] + bytes([sealed[n] ^ 1]) + sealed[n + 1 :] for n in range(len(sealed))]
    for broken in (*changed, sealed[:-1], sealed[:5], b"", b"\x01"):
        with pytest.raises(SealBroken) as caught:
            seals.open("person", broken)
        assert caught.value.__context__ is None or caught.value.__suppress_context__
    with pytest.raises(SealBroken):
        seals.open("token", sealed)


def test_rotation() -> None:
    """The first key seals and all open; a key that was taken away opens nothing, and says so."""
    old = Seals(KeyRing(b"h" * 32, {"k1": b"1" * 32}))
    both = Seals(KeyRing(b"h" * 32, {"k2": b"2" * 32, "k1": b"1" * 32}))
    new = Seals(KeyRing(b"h" * 32, {"k2": b"2" * 32}))
    first, second = old.seal("person", "U1"), both.seal("person", "U1")
    assert (both.open("person", first), new.open("person", second)) == ("U1", "U1")
    assert [sealed.startswith(both.head) for sealed in (first, second)] == [False, True]
    for seals, sealed in ((new, first), (old, second)):
        with pytest.raises(SealBroken):
            seals.open("person", sealed)


def test_hashes() -> None:
    """Keyed; moving a letter from one part to the next, or another purpose, is another hash."""
    seals, other = (Seals(KeyRing(key * 32, {"k1": b"1" * 32})) for key in (b"h", b"i"))
    assert seals.hash("person", "1", "U1") == seals.hash("person", "1", "U1")
    hashes = [
        seals.hash("person", "1", "U1"),
        seals.hash("person", "1U", "1"),
        seals.hash("person", "1", "U", "1"),
        seals.hash("chat", "1", "U1"),
        other.hash("person", "1", "U1"),
    ]
    assert len(set(hashes)) == 5
    assert {len(found) for found in hashes} == {32}


@pytest.mark.parametrize("resealed", [True, False])
async def test_rotation_in_the_store(engine: AsyncEngine, url: str, tmp_path: Path, resealed: bool) -> None:
    """All is found again under the new key; once sealed anew, the old one may go, and else its posts fail."""
    chat = await open_chat(engine, settings_with(tmp_path))
    slack = await chat.workspaces.install("slack", "T0", {"bot_token": "xoxb-1"})
    asked = message(slack, "k1", place=Place("C1", "1.0"))
    before = await chat.inbox.accept(asked, PLENTY, parts=[Part("one", {})])
    rotated = await open_chat(engine, settings_with(tmp_path, sealing=f"k2:{A},k1:{B}"))
    after = await rotated.inbox.accept(
        replace(asked, key="k2", message="k2"), PLENTY, parts=[Part("two", {})]
    )
    assert (after.person, after.conversation) == (before.person, before.conversation)
    assert await rotated.workspaces.tokens(slack.id) == {"bot_token": "xoxb-1"}
    assert await rotated.people.external_id(before.person or 0) == "U1"
    first = await rotated.outbox.fetch_next("slack", NO_PACE)
    assert first
    assert first.place == asked.place
    await rotated.outbox.postpone(first, 0, "retry")

    if resealed:
        assert await rotated.reseal() == 5  # the workspace twice, a person, a place and a message
        assert await rotated.reseal() == 0
    lost = await open_chat(engine, settings_with(tmp_path, sealing=f"k2:{A}"))
    if resealed:
        assert await lost.outbox.fetch_next("slack", NO_PACE) == replace(first, attempt=2)
        assert await lost.workspaces.tokens(slack.id) == {"bot_token": "xoxb-1"}
        assert await lost.people.external_id(before.person or 0) == "U1"
        return
    assert await lost.outbox.fetch_next("slack", NO_PACE) is None
    assert query(url, "SELECT DISTINCT state, last_error FROM outbox") == [("failed", "seal_broken")]
    with pytest.raises(SealBroken):
        await lost.workspaces.tokens(slack.id)


async def test_people(chat: Chat, slack: Workspace, telegram: Workspace) -> None:
    assert await chat.people.find(telegram.id, "5") is None
    await chat.people.choose_language(telegram.id, "5", "fr")
    assert await chat.people.find(telegram.id, "5") is None
    given = await chat.people.note_consent(telegram.id, "5", "given", "de")
    assert (given.consent, given.language, given.consent_at is not None) == ("given", "de", True)
    assert await chat.people.find(telegram.id, "5") == given
    assert await chat.people.find(slack.id, "5") is None
    await chat.people.choose_language(telegram.id, "5", "fr")
    withdrawn = await chat.people.note_consent(telegram.id, "5", "withdrawn", "en")
    assert (withdrawn.id, withdrawn.consent, withdrawn.language) == (given.id, "withdrawn", "fr")
    assert withdrawn.consent_at
    assert given.consent_at
    assert withdrawn.consent_at > given.consent_at
    assert await chat.people.external_id(given.id) == "5"
    assert await chat.people.external_id(given.id + 1) is None
    receipt = await chat.inbox.accept(message(slack, "k", sender="9"), PLENTY)
    met = await chat.people.find(slack.id, "9")
    assert met
    assert (met.id, met.consent, met.consent_at) == (receipt.person, "unasked", None)


async def test_workspaces(chat: Chat, slack: Workspace, telegram: Workspace) -> None:
    assert await chat.workspaces.find("slack", "T0WORK") == slack
    assert await chat.workspaces.find("telegram", "T0WORK") is None
    assert await chat.workspaces.list("telegram") == [telegram]
    assert await chat.workspaces.tokens(slack.id) == {"bot_token": "xoxb-1"}
    assert await chat.workspaces.tokens(telegram.id) is None
    assert await chat.workspaces.install("slack", "T0WORK") == slack
    assert await chat.workspaces.tokens(slack.id) == {"bot_token": "xoxb-1"}
    await chat.workspaces.install("slack", "T0WORK", {"bot_token": "xoxb-2"})
    assert await chat.workspaces.tokens(slack.id) == {"bot_token": "xoxb-2"}


CANARY = "canary-4711"


async def test_nothing_is_shown(
    engine: AsyncEngine, url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Ids, tokens, words and keys: in no `repr`, no log of any library at DEBUG, and no exception."""
    caplog.set_level(logging.DEBUG)
    settings = settings_with(tmp_path)
    chat = await open_chat(engine, settings)
    slack = await chat.workspaces.install("slack", f"T-{CANARY}", {"bot_token": f"xoxb-{CANARY}"})
    place = Place(f"C-{CANARY}", f"th-{CANARY}")
    asked = Message(slack.id, f"k-{CANARY}", f"U-{CANARY}", place, f"{CANARY}?", f"m-{CANARY}", "en")
    receipt = await chat.inbox.accept(asked, PLENTY, parts=[Part("placeholder", {"text": CANARY})])
    claim = await chat.questions.claim(receipt.question or 0)
    assert claim
    delivery = await chat.outbox.fetch_next("slack", NO_PACE)
    assert delivery
    await chat.outbox.note_sent(delivery, f"post-{CANARY}")
    await chat.questions.keep(claim, run_of(claim, "r1", CANARY))
    again = await chat.questions.claim(claim.question)
    turns = await chat.conversations.past(slack.id, asked.sender)
    assert CANARY in turns[0].text
    query(url, "ALTER TABLE inbox ADD CONSTRAINT broken CHECK (text NOT LIKE 'canary%%')NOT VALID")
    errors: list[Exception] = []
    for attempt in (
        chat.inbox.accept(replace(asked, key="k2", message="m2"), PLENTY),
        chat.inbox.edit(replace(asked, text=f"{CANARY}??")),
        chat.questions.keep(claim, run_of(claim, "r1", CANARY)),
        chat.inbox.park(slack.id + 99, f"k-{CANARY}", "unreadable"),
    ):
        with pytest.raises(Exception, match="refused") as caught:
            await attempt
        errors.append(caught.value)
    query(url, "ALTER TABLE inbox DROP CONSTRAINT broken")
    erased = await chat.erasure.of_person(slack.id, asked.sender, "everything")
    assert len(erased.posts) == 1

    shown = [
        chat,
        slack,
        asked,
        receipt,
        claim,
        again,
        delivery,
        turns,
        erased,
        settings,
        load_keys(settings),
    ]
    shown += [Seals(load_keys(settings)), *errors, *(error.__cause__ for error in errors), caplog.text]
    shown += [record.__dict__ for record in caplog.records]
    words = " ".join(f"{each!r} {each}" for each in shown)
    for secret in (CANARY, A, B, repr(bytes([251]) * 4), repr(bytes([7]) * 4)):
        assert secret not in words
    assert "conversation" in words
    assert all(error.__suppress_context__ for error in errors)


def test_the_canary_would_be_seen() -> None:
    """A field that is not hidden shows itself."""
    hidden = {field.name for field in dataclasses.fields(Message) if not field.repr}
    assert hidden == {"key", "sender", "text", "message"}
    assert "U1" in repr(dataclasses.make_dataclass("Open", ["sender"])("U1"))
    assert os.environ.get("CARECITE_CHAT_HASH_KEY") is None
