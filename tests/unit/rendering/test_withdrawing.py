"""An answer that was found wrong, as both platforms show it then."""

from __future__ import annotations

import pytest

from bot.render.look import Look
from bot.render.looks import LOOKS
from bot.render.parts import utf16
from reasoning.notices import LANGUAGES, notice
from reasoning.types import Notice
from tests.unit.rendering.answers import build, sized

CALL = "Call 112 now. Say where you are."
LIMIT = 4_096  # UTF-16 units of a message on Telegram; Slack's parts are cut shorter


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_advice_to_call_for_help_is_not_struck(look: Look):
    answer = build([["Socks cure gout."]], notices=[Notice(code="emergency", text=CALL)], level="emergency")
    (body,) = look.withdraw(answer, "Withdrawn. Do not rely on it.")
    if "entities" in body:
        struck = [
            body["text"][one["offset"] : one["offset"] + one["length"]]
            for one in body["entities"]
            if one["type"] == "strikethrough"
        ]
    else:
        elements = [part for block in body["blocks"] for row in block["elements"] for part in row["elements"]]
        struck = [one["text"] for one in elements if one.get("style") == {"strike": True}]
    assert "Socks cure gout." in "".join(struck)
    assert "Call" not in "".join(struck)
    assert body["text"].startswith("Withdrawn. Do not rely on it.\n\nCall 112 now.")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_the_mark_finds_room_in_full_messages(look: Look, language: str):
    mark = notice("correction_mark", language, date="2026-11-30")
    answer = sized("word " * 3_000)
    whole, struck = look.answer(answer), look.withdraw(answer, mark)
    assert len(struck) == len(whole) > 2
    for body in struck:
        assert mark.split("，")[0] in body["text"]
        assert body["text"].count("word") > 500 or body is struck[-1]
        assert utf16(body["text"]) <= LIMIT
