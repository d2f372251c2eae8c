"""Slack's look: a body is what is said three times over, as `text`, as `blocks`, and as `plain` blocks,
should Slack refuse the others. Whoever sends it adds POST or EDIT of `messages`. A body with `file` is a
document.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.look import Body, Choice
from bot.render.slack.blocks import Block
from bot.render.slack.messages import SlackPart, draw_answer, draw_reply, draw_withdrawn
from reasoning.types import Answer, Level

CHOICES = "actions"  # the type of the block of choices
_LONGEST_LABEL = 75  # characters on a button


class SlackLook:
    def reply(self, text: str, level: Level = "none", choices: Sequence[Choice] = ()) -> list[Body]:
        bodies = _bodies(draw_reply(text, level))
        if choices:
            buttons = _buttons(choices)
            bodies[-1] |= {form: [*bodies[-1][form], buttons] for form in ("blocks", "plain")}
        return bodies

    def answer(self, answer: Answer) -> list[Body]:
        return _bodies(draw_answer(answer, answer.run_id))

    def withdraw(self, answer: Answer, mark: str) -> list[Body]:
        return _bodies(draw_withdrawn(answer, mark))

    def file(self, name: str, content: str) -> Body:
        return {"file": name, "content": content}


def _bodies(parts: Sequence[SlackPart]) -> list[Body]:
    return [
        {"text": part.text, "blocks": part.blocks, "plain": part.edit(plain=True)["blocks"]} for part in parts
    ]


def _buttons(choices: Sequence[Choice]) -> Block:
    """What a choice carries is its action as well, since two buttons of one block need two actions."""
    buttons = [
        {
            "type": "button",
            "action_id": choice.data,
            "value": choice.data,
            "text": {"type": "plain_text", "text": choice.label[:_LONGEST_LABEL], "emoji": False},
        }
        for choice in choices
    ]
    return {"type": CHOICES, "elements": buttons}
