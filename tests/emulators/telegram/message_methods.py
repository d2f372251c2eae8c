"""Methods that send, change and delete messages."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.emulators.telegram import limits
from tests.emulators.telegram.formatting import format_text
from tests.emulators.telegram.refusals import Refusal, Refused
from tests.emulators.telegram.requests import chat_of, is_true, whole
from tests.emulators.telegram.state import Chat, Draft, File, Json, Message, Version

if TYPE_CHECKING:
    from tests.emulators.telegram.server import TelegramServer

Method = Callable[["TelegramServer", Json], Any]
_ACTIONS = {
    *("typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice"),
    *("upload_document", "choose_sticker", "find_location", "record_video_note", "upload_video_note"),
}


def insist(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise Refused(refusal)


def send_message(server: TelegramServer, arguments: Json) -> Json:
    text, entities, mode = _written(arguments)
    insist(limits.check_text(text, entities, mode))
    chat = chat_of(server.state, arguments)
    kept = format_text(text, entities, mode)
    message = _compose(server, chat, arguments, "sendMessage")
    message.text, message.entities, message.dropped = kept.text, [*kept.entities], [*kept.dropped]
    return _publish(server, chat, message)


def _written(arguments: Json, name: str = "text", marks: str = "entities") -> tuple[str, Any, str | None]:
    mode = arguments.get("parse_mode")
    return str(arguments.get(name) or ""), (None if mode else arguments.get(marks)), mode


def _compose(server: TelegramServer, chat: Chat, arguments: Json, method: str) -> Message:
    """A message of the bot, not yet there: keyboard, reply and topic are checked, then the pace."""
    insist(limits.check_keyboard(arguments.get("reply_markup")))
    reply = arguments.get("reply_parameters") or {}
    target = reply.get("message_id") or arguments.get("reply_to_message_id")
    lenient = is_true(reply.get("allow_sending_without_reply", arguments.get("allow_sending_without_reply")))
    if target and chat.find(target) is None:
        if not lenient:
            raise Refused("Bad Request: message to be replied not found")
        target = None
    topic = _topic_in(chat, arguments)
    server.keep_pace(chat, method)
    message = Message(chat.next_id, server.state.bot, "", int(time.time()), time.monotonic())
    message.markup, message.reply_to, message.topic = (
        arguments.get("reply_markup"),
        int(target) if target else None,
        topic,
    )
    message.preview = _has_preview(arguments)
    return message


def _has_preview(arguments: Json) -> bool:
    options = arguments.get("link_preview_options") or {}
    return not is_true(options.get("is_disabled", arguments.get("disable_web_page_preview")))


def _publish(server: TelegramServer, chat: Chat, message: Message) -> Json:
    chat.next_id += 1
    chat.messages.append(message)
    return server.state.shown(chat, message)


def send_document(server: TelegramServer, arguments: Json) -> Json:
    text, entities, mode = _written(arguments, "caption", "caption_entities")
    insist(limits.check_caption(text, entities, mode))
    chat = chat_of(server.state, arguments)
    given = arguments.get("document")
    if isinstance(given, str) and given.startswith("attach://"):
        given = arguments.get(given.removeprefix("attach://"))
    if isinstance(given, str) and given in server.state.files:
        file = server.state.files[given]
    elif isinstance(given, tuple) and given[1]:
        file = File(f"file{len(server.state.files) + 1}", given[0], given[1], len(given[1]))
        server.state.files[file.id] = file
    else:
        raise Refused("Bad Request: there is no document in the request")
    message = _compose(server, chat, arguments, "sendDocument")
    message.file = file.id
    if text:
        kept = format_text(text, entities, mode)
        message.text, message.entities = kept.text, [*kept.entities]
    return _publish(server, chat, message)


def send_rich_message(server: TelegramServer, arguments: Json) -> Json:
    """Bot API 10.1. Its text is kept as it comes: its own markup and limits are not checked here."""
    rich = arguments.get("rich_message")
    sources = [rich.get(one) for one in ("markdown", "html", "blocks")] if isinstance(rich, dict) else []
    if sum(bool(one) for one in sources) != 1:
        raise Refused("Bad Request: rich message must have one source")
    chat = chat_of(server.state, arguments)
    message = _compose(server, chat, arguments, "sendRichMessage")
    message.more = {"rich_message": {"blocks": sources[2] or [{"type": "paragraph"}]}}
    message.text = str(sources[0] or sources[1] or "")
    return _publish(server, chat, message)


def send_draft(server: TelegramServer, arguments: Json) -> bool:
    """A preview in a private chat; an empty text shows that the bot thinks."""
    text, entities, mode = _written(arguments)
    if text:
        insist(limits.check_text(text, entities, mode))
    chat = chat_of(server.state, arguments)
    if not chat.private:
        raise Refused("Bad Request: method is available only in private chats")
    draft = whole(arguments, "draft_id")
    if not draft:
        raise Refused("Bad Request: DRAFT_ID_INVALID")
    chat.drafts.append(Draft(draft, format_text(text, entities, mode).text if text else "", time.monotonic()))
    return True


def _topic_in(chat: Chat, arguments: Json) -> int | None:
    topic = whole(arguments, "message_thread_id") or None
    if topic is not None and topic not in chat.topics and chat.find(topic) is None:
        raise Refused("Bad Request: message thread not found")
    return topic


def send_action(server: TelegramServer, arguments: Json) -> bool:
    chat = chat_of(server.state, arguments)
    if arguments.get("action") not in _ACTIONS:
        raise Refused("Bad Request: wrong parameter action in request")
    _topic_in(chat, arguments)
    server.heed_waits(chat)
    chat.actions.append((str(arguments["action"]), time.monotonic()))
    return True


def _own(server: TelegramServer, chat: Chat, arguments: Json, wanted: str) -> Message:
    message = chat.find(arguments.get("message_id"))
    if message is None:
        raise Refused(f"Bad Request: message to {wanted} not found")
    if message.sender is not server.state.bot:
        raise Refused("Bad Request: message can't be edited")
    return message


def edit_text(server: TelegramServer, arguments: Json) -> Json:
    """A keyboard that is not given goes."""
    text, entities, mode = _written(arguments)
    insist(limits.check_text(text, entities, mode, edit=True))
    chat = chat_of(server.state, arguments)
    message = _own(server, chat, arguments, "edit")
    if message.file:
        raise Refused("Bad Request: there is no text in the message to edit")
    kept = format_text(text, entities, mode)
    return _edit(server, chat, message, "editMessageText", kept.text, [*kept.entities], arguments)


def edit_markup(server: TelegramServer, arguments: Json) -> Json:
    chat = chat_of(server.state, arguments)
    message = _own(server, chat, arguments, "edit")
    named = "editMessageReplyMarkup"
    return _edit(server, chat, message, named, message.text, message.entities, arguments)


def _edit(
    server: TelegramServer,
    chat: Chat,
    message: Message,
    method: str,
    text: str,
    entities: list[Json],
    arguments: Json,
) -> Json:
    markup = arguments.get("reply_markup") or None
    insist(limits.check_keyboard(markup))
    server.keep_pace(chat, method)
    insist(limits.check_modified((message.text, message.entities, message.markup), (text, entities, markup)))
    message.edits.append(Version(message.text, message.entities, message.markup, time.monotonic()))
    message.text, message.entities, message.markup = text, entities, markup
    message.preview = _has_preview(arguments)
    return server.state.shown(chat, message)


def delete(server: TelegramServer, arguments: Json) -> bool:
    """In a private chat of any message, in a group of the bot's own."""
    chat = chat_of(server.state, arguments)
    message = chat.find(arguments.get("message_id"))
    if message is None:
        raise Refused("Bad Request: message to delete not found")
    if not chat.private and message.sender is not server.state.bot:
        raise Refused("Bad Request: message can't be deleted")
    message.deleted = True
    return True


def delete_many(server: TelegramServer, arguments: Json) -> bool:
    """Those that are not found are skipped."""
    chat = chat_of(server.state, arguments)
    for wanted in arguments.get("message_ids") or []:
        if (message := chat.find(wanted)) is not None:
            message.deleted = True
    return True


METHODS: dict[str, Method] = {
    "sendmessage": send_message,
    "senddocument": send_document,
    "sendrichmessage": send_rich_message,
    "sendmessagedraft": send_draft,
    "sendchataction": send_action,
    "editmessagetext": edit_text,
    "editmessagereplymarkup": edit_markup,
    "deletemessage": delete,
    "deletemessages": delete_many,
}
