"""What Slack takes in one message. Pure functions: None, or the refusal as Slack words it.

Sources: docs.slack.dev (Block Kit reference, chat.postMessage, chat.update, chat.*Stream,
assistant.threads.*); the whole-message limit is measured, not documented (slackapi/bolt-js#2509, #2867).
Where Slack does not say in which unit it counts, we count UTF-16 units, of which no text has fewer than of
characters; for the whole message every string of the blocks counts, since #2867 shows that visible text alone
is not what Slack counts (our choice: the stricter reading of both).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.emulators.slack.layout import check_block

BLOCKS = 50
MODAL_BLOCKS = 100
MARKDOWN = 12_000  # in all markdown blocks of a message together, and in one call of a stream
MESSAGE = 13_200
POST_TEXT = 40_000  # a longer one is cut, not refused
UPDATE_TEXT = 4_000
PROMPTS = 4
TITLE = 200
METADATA = 16_000
STATUS = 250  # our choice: Slack says only that it is short

Block = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Refusal:
    """`error` of the reply, and lines of its `response_metadata.messages`."""

    error: str
    messages: tuple[str, ...] = ()


def length_of(text: str) -> int:
    """UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_blocks(blocks: Sequence[Block], most: int = BLOCKS) -> Refusal | None:
    """Blocks of a message; `most` is 100 in a modal or home tab."""
    if not isinstance(blocks, Sequence) or isinstance(blocks, str):
        return Refusal("invalid_blocks_format")
    if len(blocks) > most:
        return Refusal(
            "invalid_blocks", (f"[ERROR] no more than {most} items allowed [json-pointer:/blocks]",)
        )
    faults = [fault for at, block in enumerate(blocks) for fault in check_block(block, f"/blocks/{at}")]
    ids = [block["block_id"] for block in blocks if isinstance(block, Mapping) and "block_id" in block]
    if len(ids) != len(set(ids)):
        faults.append("[ERROR] `block_id` must be unique [json-pointer:/blocks]")
    if sum(block.get("type") == "table" for block in blocks if isinstance(block, Mapping)) > 1:
        faults.append("[ERROR] only one table is allowed [json-pointer:/blocks]")
    if faults:
        return Refusal("invalid_blocks", tuple(faults))
    marked = sum(length_of(block["text"]) for block in blocks if block["type"] == "markdown")
    if marked > MARKDOWN:
        message = f"[ERROR] must be no more than {MARKDOWN} characters in all markdown blocks"
        return Refusal("invalid_blocks", (f"{message} [json-pointer:/blocks]",))
    return Refusal("msg_blocks_too_long") if size_of(blocks) > MESSAGE else None


def size_of(blocks: object) -> int:
    """UTF-16 units of all strings of the blocks, which is what the whole-message limit counts here."""
    return sum(map(length_of, _strings(blocks)))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, Sequence):
        for part in value:
            yield from _strings(part)


def check_post(
    text: str | None, blocks: Sequence[Block] = (), *, markdown_text: str | None = None
) -> Refusal | None:
    """chat.postMessage and chat.postEphemeral."""
    if markdown_text is not None:
        if text or blocks:
            return Refusal("markdown_text_conflict")
        return Refusal("msg_too_long") if length_of(markdown_text) > MARKDOWN else None
    if not (text and text.strip()) and not blocks:
        return Refusal("no_text")
    return check_blocks(blocks) if blocks else None


def check_update(
    text: str | None, blocks: Sequence[Block] = (), *, markdown_text: str | None = None
) -> Refusal | None:
    """chat.update: as a post, and its text has a limit of its own."""
    if text and length_of(text) > UPDATE_TEXT:
        return Refusal("msg_too_long")
    return check_post(text, blocks, markdown_text=markdown_text)


def check_stream_part(markdown_text: str | None, chunks: Sequence[Block] = ()) -> Refusal | None:
    """What one call of chat.startStream, appendStream or stopStream carries."""
    if markdown_text is not None and chunks:
        return Refusal("invalid_arguments", ("[ERROR] `markdown_text` and `chunks` exclude each other",))
    kinds = {"markdown_text", "task_update", "plan_update", "blocks"}
    for at, chunk in enumerate(chunks):
        if not isinstance(chunk, Mapping) or chunk.get("type") not in kinds:
            return Refusal("invalid_chunks", (f"[ERROR] unknown type [json-pointer:/chunks/{at}]",))
        if chunk["type"] == "markdown_text" and not isinstance(chunk.get("text"), str):
            return Refusal("invalid_chunks", (f"[ERROR] missing `text` [json-pointer:/chunks/{at}]",))
    said = [chunk["text"] for chunk in chunks if chunk["type"] == "markdown_text"]
    length = length_of("".join([markdown_text or "", *said]))
    return Refusal("msg_too_long") if length > MARKDOWN else None


def check_recipient(*, private: bool, user: str | None, team: str | None) -> Refusal | None:
    """A stream into a channel is seen live by one person only, who must be named."""
    if private or (user and team):
        return None
    return Refusal("missing_recipient_team_id" if user else "missing_recipient_user_id")


def check_prompts(prompts: Sequence[Block]) -> Refusal | None:
    """assistant.threads.setSuggestedPrompts."""
    if not prompts or len(prompts) > PROMPTS:
        return Refusal("invalid_arguments", (f"[ERROR] 1 to {PROMPTS} items [json-pointer:/prompts]",))
    for at, prompt in enumerate(prompts):
        if not isinstance(prompt, Mapping) or not prompt.get("title") or not prompt.get("message"):
            lines = (f"[ERROR] `title` and `message` are required [json-pointer:/prompts/{at}]",)
            return Refusal("invalid_arguments", lines)
    return None


def has_expired(started: float, now: float, lifetime: float = 300.0) -> bool:
    """Whether a stream is closed by Slack: about five minutes after its start (python-slack-sdk#1859)."""
    return now - started >= lifetime


def check_view(view: Block) -> Refusal | None:
    """A modal or home tab: its title and buttons, hidden fields and blocks."""
    titles = [("title", 24)] if view.get("type") == "modal" else []
    titles += [(name, 24) for name in ("submit", "close") if view.get(name) is not None]
    lines = []
    for name, most in titles:
        title = view.get(name)
        words = title.get("text") if isinstance(title, Mapping) else None
        if not isinstance(words, str) or not 1 <= length_of(words) <= most:
            lines.append(f"[ERROR] must be a text of 1 to {most} characters [json-pointer:/view/{name}]")
    for name, most in (("private_metadata", 3_000), ("callback_id", 255)):
        if length_of(str(view.get(name) or "")) > most:
            lines.append(f"[ERROR] must be less than {most + 1} characters [json-pointer:/view/{name}]")
    if lines:
        return Refusal("invalid_arguments", tuple(lines))
    refusal = check_blocks(view.get("blocks") or [], MODAL_BLOCKS)
    return Refusal("invalid_arguments", refusal.messages) if refusal else None
