"""What people do: each verb is a coroutine, here and on the control plane."""

from __future__ import annotations

import itertools
import time

from tests.emulators.telegram.places import Places, entities_of
from tests.emulators.telegram.state import File, Json, Query, Version

_queries = itertools.count(1)


class People(Places):
    """Texts are as a person types them; Telegram finds commands, mentions and addresses in them."""

    async def say(
        self,
        text: str,
        *,
        user: int = 11,
        chat: int | None = None,
        reply_to: int | None = None,
        topic: int | None = None,
        is_bot: bool = False,
        more: Json | None = None,
    ) -> int:
        """Write to the bot, or in a group; the message's id. `more` are fields as they are."""
        sender = self._user(user)
        sender.bot = is_bot
        place = self._chat(chat, user)
        message = self._put(place, sender, text, reply_to=reply_to, topic=topic, more=more or {})
        self._tell("message", place, message)
        return message.id

    async def edit(self, message_id: int, text: str, *, user: int = 11, chat: int | None = None) -> None:
        place = self._chat(chat, user)
        message = self._message(place, message_id)
        message.edits.append(Version(message.text, message.entities, message.markup, time.monotonic()))
        message.text, message.entities = text, entities_of(text)
        self._tell("edited_message", place, message)

    async def delete(self, message_id: int, *, user: int = 11, chat: int | None = None) -> None:
        """The bot is not told."""
        self._message(self._chat(chat, user), message_id).deleted = True

    async def click(
        self,
        message_id: int,
        data: str,
        *,
        user: int = 11,
        chat: int | None = None,
        inaccessible: bool = False,
    ) -> str:
        """A button of a message, whose callback data this is; the query's id.

        An inaccessible message is too old for the bot to be shown, or deleted.
        """
        place = self._chat(chat, user)
        message = (self._even_deleted if inaccessible else self._message)(place, message_id)
        rows = (message.markup or {}).get("inline_keyboard", [])
        if data not in [button.get("callback_data") for row in rows for button in row]:
            raise LookupError(f"no button with {data}")
        query = Query(f"query-{next(_queries)}", user, data)
        self._state.queries[query.id] = query
        hidden = {"chat": place.shown(), "message_id": message_id, "date": 0}
        told = {
            "id": query.id,
            "from": self._user(user).shown(),
            "chat_instance": str(place.id),
            "data": data,
        }
        told["message"] = hidden if inaccessible else self._state.shown(place, message)
        self._server.updates.add("callback_query", told, place.id)
        return query.id

    async def expire_queries(self) -> None:
        """Clicks can no longer be answered."""
        self._state.queries.clear()

    async def send_file(
        self,
        name: str,
        *,
        caption: str = "",
        content: str = "content",
        size: int | None = None,
        user: int = 11,
        chat: int | None = None,
    ) -> int:
        """A document; `size` may claim more bytes than there are."""
        file = File(
            f"file{len(self._state.files) + 1}", name, content.encode(), size or len(content.encode())
        )
        self._state.files[file.id] = file
        place = self._chat(chat, user)
        message = self._put(place, self._user(user), caption, file=file.id)
        self._tell("message", place, message)
        return message.id

    async def send_voice(self, *, user: int = 11, chat: int | None = None) -> int:
        voice = {"file_id": "voice1", "file_unique_id": "uvoice1", "duration": 3, "file_size": 900}
        return await self.say("", user=user, chat=chat, more={"voice": voice})

    async def forward(self, text: str, *, user: int = 11, chat: int | None = None) -> int:
        """A message that somebody else wrote, elsewhere."""
        origin = {"type": "hidden_user", "sender_user_name": "somebody", "date": int(time.time()) - 60}
        return await self.say(text, user=user, chat=chat, more={"forward_origin": origin})
