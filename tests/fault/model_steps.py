"""A small step as the product's are, for tests of the door: answer a question from numbered passages."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from reasoning.llm import Budget, Gateway, Limits, ReplyCache, Step, StepResult
from reasoning.llm.prompts import Prompt
from reasoning.trace import Trace
from tests.emulators.model import ModelServer

GOOD = '{"answer": "Ask first.", "citations": ["2"]}'
FIRST = GOOD.replace('"2"', '"1"')  # where a passage is dropped for more room, only the first is left
HANG = 60.0  # seconds: a limit against hanging, no more


class Said(BaseModel):
    """The reply of the field cases."""

    model_config = ConfigDict(extra="forbid")

    answer: str = Field(max_length=400)
    citations: list[Annotated[str, Field(pattern=r"^[0-9]{1,8}$")]]


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    passages: tuple[str, ...] = ("Grapefruit raises the level.", "Ask before a change.")


def by_rule(inputs: Asked) -> Said:
    return Said(answer="By rule.", citations=[])


def fewer(inputs: Asked) -> Asked | None:
    return replace(inputs, passages=inputs.passages[:-1]) if len(inputs.passages) > 1 else None


def check(inputs: Asked, said: Said) -> str | None:
    unknown = [n for n in said.citations if not 1 <= int(n) <= len(inputs.passages)]
    return f"There is no passage {unknown[0]}." if unknown else None


STEP = Step("say", "say.v1", Said, by_rule, check, fewer)
QUESTION = Asked("May I take it with grapefruit?")
PROMPT = Prompt(
    name="say.v1",
    version=1,
    changed=datetime.date(2026, 11, 29),
    temperature=0.0,
    max_reply_tokens=256,
    system="INSTRUCTIONS: answer from the passages only, and cite them by number, for example "
    '{"answer": "Rest.", "citations": ["1"]}.',
    user="Question: {{ inputs.question }}\n"
    "{% for passage in inputs.passages %}[{{ loop.index }}] {{ passage | document }}\n{% endfor %}",
)


def open_door(server: ModelServer, replies: ReplyCache | None = None, **settings: Any) -> Gateway:
    """The gateway to this server, with limits that let a test end soon."""
    quick = {"timeout": 2.0, "deadline": 6.0}
    return Gateway(server.endpoint(**quick | settings), replies, prompts=lambda name: PROMPT)


async def ask(
    door: Gateway,
    step: Step[Asked, Said] = STEP,
    inputs: Asked = QUESTION,
    *,
    budget: Budget | None = None,
    trace: Trace | None = None,
) -> StepResult[Asked, Said]:
    """One step; the contract that holds for every result is checked here."""
    budget = budget or Budget(Limits(seconds=6.0))
    trace = trace or Trace()
    result = await door.run(step, inputs, budget, trace)
    assert isinstance(result.value, Said)
    assert result.by == "model" or (result.reason and len(result.reason) < 500)
    assert result.by == "rule" or result.reason is None
    assert result.value.answer != "By rule." or result.by == "rule"
    assert budget.reserved.calls == 0, "nothing stays reserved"
    told = json.dumps(trace.as_json()) + (result.reason or "")
    assert "sk-key-4711" not in told
    assert inputs.question not in told, "the words of a prompt are in no trace"
    return result
