"""A verdict with a correction in Chromium, and the chat that the answer was given in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from storage.history.chat import Chat
from storage.history.review import Grant
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat import surface
from tests.integration.chat.answerer import LONG, settled
from tests.integration.review.wrong import RUN, answer_wrong, posts_behind
from tests.integration.storage.documents import query
from tests.integration.web.chromium import sign_in
from tests.integration.web.conftest import NewLocal


async def test_the_correction_is_seen_in_the_chat(
    page: Any, new_local: NewLocal, chat: Chat, url: str, tmp_path: Path, faults: list[str]
) -> None:
    ann = await new_local("ann", Grant("reviewer", None), name="Ann")
    async with TelegramServer(pace=0.0) as api, surface.running(chat, api, tmp_path):
        await api.people.add_group(-100, topics={"7": "gout"})
        await surface.agree(api)
        asked = await api.people.say("/ask Do socks cure gout?", chat=-100, topic=7)
        await api.until(lambda: query(url, "SELECT 1 FROM inbox WHERE state = 'received'"), LONG)
        await settled(api, url)
        await answer_wrong(chat, url, "Socks cure gout.")
        await settled(api, url)
        [wrong] = posts_behind(api, asked)

        await sign_in(page, ann)
        await page.get_by_role("link", name="Open the answer").click()
        await page.get_by_label("unsupported").check()
        await page.get_by_label("Severity").select_option("major")
        await page.get_by_label("Corrected answer").fill("Socks keep feet warm. They cure nothing.")
        await page.get_by_label("Tell the person").check()
        await page.get_by_role("button", name="Submit").click()
        await (
            page.get_by_text("The correction is on its way")
            .or_(page.get_by_text("was told"))
            .first.wait_for()
        )
        await settled(api, url)

        [marked, correction] = posts_behind(api, asked)
        assert marked.id == wrong.id
        assert marked.text.startswith("Withdrawn on 20")
        assert correction.text.startswith("This corrects my answer of 20")
        assert "They cure nothing." in correction.text
        assert (correction.reply_to, correction.topic) == (asked, 7)
    assert RUN in page.url
    assert faults == []
