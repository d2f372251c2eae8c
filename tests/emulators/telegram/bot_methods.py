"""Methods about the bot itself, its commands, chats, clicks and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.emulators.telegram import limits
from tests.emulators.telegram.message_methods import Method, insist
from tests.emulators.telegram.refusals import Refused, utf16_length
from tests.emulators.telegram.requests import chat_of, is_true, whole
from tests.emulators.telegram.state import Json

if TYPE_CHECKING:
    from tests.emulators.telegram.server import TelegramServer

_LARGEST = 20 * 2**20  # bytes that getFile gives
_REACTIONS = "👍👎❤🔥🎉👀🤔🙏"  # some of the allowed ones


def get_me(server: TelegramServer, arguments: Json) -> Json:
    state = server.state
    return state.bot.shown() | {
        "can_join_groups": True,
        "can_read_all_group_messages": state.reads_all,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


def set_webhook(server: TelegramServer, arguments: Json) -> bool:
    _choose(server, arguments)
    if not arguments.get("url"):
        return delete_webhook(server, arguments)
    if is_true(arguments.get("drop_pending_updates")):
        server.drop_updates()
    server.webhook.set(
        str(arguments["url"]), arguments.get("secret_token"), whole(arguments, "max_connections", 40)
    )
    return True


def delete_webhook(server: TelegramServer, arguments: Json) -> bool:
    if is_true(arguments.get("drop_pending_updates")):
        server.drop_updates()
    server.webhook.delete()
    return True


def _choose(server: TelegramServer, arguments: Json) -> None:
    if arguments.get("allowed_updates") is not None:
        server.updates.allowed = list(arguments["allowed_updates"])


def webhook_info(server: TelegramServer, arguments: Json) -> Json:
    return server.webhook.info()


def answer_query(server: TelegramServer, arguments: Json) -> bool:
    query = server.state.queries.get(str(arguments.get("callback_query_id")))
    if query is None:
        raise Refused("Bad Request: query is too old and response timeout expired or query ID is invalid")
    if utf16_length(str(arguments.get("text") or "")) > limits.CALLBACK_ANSWER:
        raise Refused("Bad Request: MESSAGE_TOO_LONG")
    query.answers.append(
        {name: value for name, value in arguments.items() if name in ("text", "show_alert", "url")}
    )
    return True


def _key(arguments: Json) -> str:
    scope = arguments.get("scope") or {"type": "default"}
    where = f"{scope['type']} {scope['chat_id']}" if "chat_id" in scope else scope["type"]
    return f"{where} {arguments.get('language_code') or ''}".strip()


def set_commands(server: TelegramServer, arguments: Json) -> bool:
    commands = arguments.get("commands") or []
    insist(limits.check_commands(commands))
    server.state.commands[_key(arguments)] = commands
    return True


def get_commands(server: TelegramServer, arguments: Json) -> list[Json]:
    return server.state.commands.get(_key(arguments), [])


def delete_commands(server: TelegramServer, arguments: Json) -> bool:
    server.state.commands.pop(_key(arguments), None)
    return True


def _keep(name: str, most: int) -> Method:
    """A method that only sets a text of the bot's profile."""

    def keep(server: TelegramServer, arguments: Json) -> bool:
        if utf16_length(str(arguments.get(name) or "")) > most:
            raise Refused(f"Bad Request: {name} is too long")
        server.state.texts[f"{name} {arguments.get('language_code') or ''}".strip()] = arguments
        return True

    return keep


def get_chat(server: TelegramServer, arguments: Json) -> Json:
    gifts = (
        "unlimited_gifts",
        "limited_gifts",
        "unique_gifts",
        "premium_subscription",
        "gifts_from_channels",
    )
    full = {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(gifts, False),
    }
    return chat_of(server.state, arguments).shown() | full


def get_member(server: TelegramServer, arguments: Json) -> Json:
    chat_of(server.state, arguments)
    user = server.state.users.get(whole(arguments, "user_id"))
    if user is None:
        raise Refused("Bad Request: user not found")
    return {"user": user.shown(), "status": "member"}


def leave(server: TelegramServer, arguments: Json) -> bool:
    chat = chat_of(server.state, arguments)
    if not chat.group:
        raise Refused("Bad Request: chat member status can't be changed in private chats")
    chat.barred = "bot is not a member of the group chat"
    return True


def react(server: TelegramServer, arguments: Json) -> bool:
    chat = chat_of(server.state, arguments)
    message = chat.find(arguments.get("message_id"))
    if message is None:
        raise Refused("Bad Request: message to react not found")
    wanted = arguments.get("reaction") or []
    if any(one.get("type") == "emoji" and one.get("emoji") not in _REACTIONS for one in wanted):
        raise Refused("Bad Request: REACTION_INVALID")
    server.reactions[(chat.id, message.id)] = wanted
    return True


def get_file(server: TelegramServer, arguments: Json) -> Json:
    file = server.state.files.get(str(arguments.get("file_id")))
    if file is None:
        raise Refused("Bad Request: invalid file_id")
    if file.size > _LARGEST:
        raise Refused("Bad Request: file is too big")
    named = {"file_id": file.id, "file_unique_id": f"u{file.id}", "file_size": file.size}
    return named | {"file_path": f"documents/{file.id}"}


METHODS: dict[str, Method] = {
    "getme": get_me,
    "setwebhook": set_webhook,
    "deletewebhook": delete_webhook,
    "getwebhookinfo": webhook_info,
    "answercallbackquery": answer_query,
    "setmycommands": set_commands,
    "getmycommands": get_commands,
    "deletemycommands": delete_commands,
    "setmydescription": _keep("description", 512),
    "setmyshortdescription": _keep("short_description", 120),
    "setmyname": _keep("name", 64),
    "setchatmenubutton": _keep("menu_button", 10_000),
    "getchat": get_chat,
    "getchatmember": get_member,
    "leavechat": leave,
    "setmessagereaction": react,
    "getfile": get_file,
}
