"""Block Kit: what one block may be, as docs.slack.dev's reference lists it. Pure functions.

Each check yields lines as Slack puts them into `response_metadata.messages`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

ID = 255  # action_id and block_id
TEXT = 3_000
FIELD = 2_000
URL = 3_000
_BUTTON, _VALUE, _HEADER = 75, 2_000, 150

Faults = Iterator[str]


def check_block(block: object, at: str) -> Faults:
    """Faults of a block at a JSON pointer."""
    if not isinstance(block, Mapping):
        yield _fault("must be an object", at)
        return
    check = _KINDS.get(str(block.get("type")))
    if check is None:
        yield _fault(f"unsupported type: {block.get('type')}", f"{at}/type")
        return
    yield from _string(block, "block_id", at, ID)
    yield from check(block, at)


def _fault(words: str, at: str) -> str:
    return f"[ERROR] {words} [json-pointer:{at}]"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _string(value: Mapping[str, Any], key: str, at: str, most: int, least: int | None = None) -> Faults:
    """A string of `least` to `most` units; absent is allowed where `least` is None."""
    text = value.get(key)
    if text is None and least is None:
        return
    if not isinstance(text, str):
        yield _fault(f"missing required field: {key}", at)
    elif _units(text) > most:
        yield _fault(f"must be less than {most + 1} characters", f"{at}/{key}")
    elif len(text) < (least or 0):
        yield _fault(f"must be more than {(least or 0) - 1} characters", f"{at}/{key}")


def _words(value: object, at: str, most: int, kinds: tuple[str, ...] = ("plain_text",)) -> Faults:
    """A text object."""
    if not isinstance(value, Mapping) or value.get("type") not in kinds:
        yield _fault(f"must be a text object of {' or '.join(kinds)}", at)
        return
    yield from _string(value, "text", at, most, 1)


def _list(
    value: object, at: str, most: int, check: Callable[[object, str], Faults], least: int = 1
) -> Faults:
    if not isinstance(value, list) or not least <= len(value) <= most:
        yield _fault(f"must have {least} to {most} items", at)
        return
    for number, item in enumerate(value):
        yield from check(item, f"{at}/{number}")


def _any_words(value: object, at: str, most: int = TEXT) -> Faults:
    return _words(value, at, most, ("mrkdwn", "plain_text"))


def _section(block: Mapping[str, Any], at: str) -> Faults:
    if block.get("text") is None and block.get("fields") is None:
        yield _fault("text or fields are required", at)
    if block.get("text") is not None:
        yield from _any_words(block["text"], f"{at}/text")
    if block.get("fields") is not None:
        yield from _list(block["fields"], f"{at}/fields", 10, lambda one, at: _any_words(one, at, FIELD))
    if block.get("accessory") is not None:
        yield from _element(block["accessory"], f"{at}/accessory")


def _element(value: object, at: str) -> Faults:
    """An interactive element; only buttons have their parts checked, and the ids of all."""
    if not isinstance(value, Mapping) or "type" not in value:
        yield _fault("must be an element", at)
        return
    yield from _string(value, "action_id", at, ID)
    if value["type"] in ("button", "icon_button"):
        yield from _words(value.get("text"), f"{at}/text", _BUTTON)
        yield from _string(value, "value", at, _VALUE)
        yield from _string(value, "url", at, URL)
        if value.get("style") not in (None, "primary", "danger"):
            yield _fault("must be primary or danger", f"{at}/style")
    if value["type"] == "feedback_buttons":
        for key in ("positive_button", "negative_button"):
            button = value.get(key)
            if not isinstance(button, Mapping):
                yield _fault(f"missing required field: {key}", at)
                continue
            yield from _words(button.get("text"), f"{at}/{key}/text", _BUTTON)
            yield from _string(button, "value", f"{at}/{key}", _VALUE, 1)


def _actions(block: Mapping[str, Any], at: str) -> Faults:
    yield from _list(block.get("elements"), f"{at}/elements", 25, _element)
    elements = [one for one in block.get("elements") or () if isinstance(one, Mapping)]
    ids = [one["action_id"] for one in elements if "action_id" in one]
    if len(ids) != len(set(ids)):
        yield _fault("`action_id` must be unique", f"{at}/elements")


def _context_actions(block: Mapping[str, Any], at: str) -> Faults:
    def check(one: object, at: str) -> Faults:
        if not isinstance(one, Mapping) or one.get("type") not in ("feedback_buttons", "icon_button"):
            yield _fault("must be feedback_buttons or icon_button", at)
            return
        yield from _element(one, at)

    yield from _list(block.get("elements"), f"{at}/elements", 5, check)


def _context(block: Mapping[str, Any], at: str) -> Faults:
    def check(one: object, at: str) -> Faults:
        return iter(()) if isinstance(one, Mapping) and one.get("type") == "image" else _any_words(one, at)

    return _list(block.get("elements"), f"{at}/elements", 10, check)


def _header(block: Mapping[str, Any], at: str) -> Faults:
    return _words(block.get("text"), f"{at}/text", _HEADER)


def _markdown(block: Mapping[str, Any], at: str) -> Faults:
    return _string(block, "text", at, 12_000, 1)


def _image(block: Mapping[str, Any], at: str) -> Faults:
    yield from _string(block, "alt_text", at, 2_000, 0)
    yield from _string(block, "image_url", at, URL)


def _input(block: Mapping[str, Any], at: str) -> Faults:
    yield from _words(block.get("label"), f"{at}/label", 2_000)
    yield from _element(block.get("element"), f"{at}/element")


def _table(block: Mapping[str, Any], at: str) -> Faults:
    def row(cells: object, at: str) -> Faults:
        return _list(cells, at, 20, lambda cell, at: iter(()))

    return _list(block.get("rows"), f"{at}/rows", 100, row)


def _free(block: Mapping[str, Any], at: str) -> Faults:
    """A kind whose inside is not checked here."""
    return iter(())


_KINDS: dict[str, Callable[[Mapping[str, Any], str], Faults]] = {
    "section": _section,
    "actions": _actions,
    "context": _context,
    "context_actions": _context_actions,
    "header": _header,
    "markdown": _markdown,
    "image": _image,
    "input": _input,
    "table": _table,
    "divider": _free,
    "rich_text": _free,
    "file": _free,
    "video": _free,
    "alert": _free,
    "card": _free,
    "carousel": _free,
    "plan": _free,
    "task_card": _free,
}
