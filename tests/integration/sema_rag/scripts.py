"""What a scripted model says in each role."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.emulators.model import Chat, Reply

_SENTENCE = re.compile(r"^\W*(\d+\.\d+)\W+(\S.*)$", re.MULTILINE)
_FINDING = re.compile(r"^\W*\[(\d+)\] (.+)$", re.MULTILINE)
SCHEMA = {
    "intent": "treatment",
    "entities": ["gout"],
    "constraints": ["prevention"],
    "init_query": "drug that prevents attacks of gout",
}
Role = Callable[[dict[str, Any]], Reply]


def step_of(request: dict[str, Any]) -> str:
    return str(request["response_format"]["json_schema"]["name"])


def text_of(request: dict[str, Any]) -> str:
    return "\n".join(message["content"] for message in request["messages"])


def say(**fields: Any) -> Reply:
    return Chat(json.dumps(fields))


def explored(sufficient: bool, gap: str = "", *followups: str, literature: bool = False) -> Role:
    return lambda _: say(sufficient=sufficient, gap=gap, literature=literature, followups=list(followups))


def number_of(request: dict[str, Any], words: str) -> str:
    """The number of the first source sentence that has these words, else of the first one."""
    listed = _SENTENCE.findall(text_of(request))
    found = (ref for ref, text in listed if words.lower() in text.lower())
    return next(found, listed[0][0] if listed else "")


def adjudicate(request: dict[str, Any]) -> Reply:
    finding = {
        "claim": "Dolexan is used to prevent attacks of gout.",
        "cites": [number_of(request, "dolexan prevents attacks")],
        "supports": ["B"],
        "refutes": [],
        "strength": "moderate",
    }
    other = finding | {
        "claim": "Merivast does not prevent attacks.",
        "cites": [number_of(request, "merivast does not")],
        "supports": [],
        "refutes": ["A"],
    }
    return say(
        summary="Dolexan prevents gout.",
        findings=[finding, other],
        conflicts=[],
        dropped=[],
        missing=[],
        verdict_hint="B",
    )


def conclude(label: str = "B", *findings: int, insufficient: bool = False) -> Role:
    return lambda _: say(
        reasoning="The findings say so.",
        answer_choice=label,
        findings=list(findings) or [1],
        insufficient=insufficient,
    )


def choose(request: dict[str, Any]) -> Reply:
    """The one call of an arm without the arbiter, or without evidence."""
    ref = number_of(request, "dolexan prevents attacks")
    return say(reasoning="So it is.", answer_choice="B", cites=[ref] if ref else [], insufficient=not ref)


def word(request: dict[str, Any]) -> Reply:
    """Says the first finding, and what no finding says."""
    n, _ = _FINDING.findall(text_of(request))[0]
    sentences = [
        {"text": "Dolexan prevents attacks of gout in adults.", "findings": [int(n)]},
        {"text": "It also cures baldness.", "findings": []},
    ]
    return say(sufficient=True, paragraphs=[{"sentences": sentences}])


def agree(request: dict[str, Any]) -> Reply:
    numbers = [int(n) for n in re.findall(r"^Sentence (\d+):", text_of(request), re.MULTILINE)]
    return say(verdicts=[{"n": n, "verdict": "supported"} for n in numbers])


def scripted(**changed: Role) -> Callable[[dict[str, Any], int], Reply]:
    """A model that does each role well, but for the steps given by name."""
    roles: dict[str, Role] = {
        "interpret": lambda _: say(**SCHEMA),
        "explore": explored(True),
        "adjudicate": adjudicate,
        "conclude": conclude(),
        "conclude_in_words": word,
        "entailment": agree,
        "choose": choose,
    } | changed
    return lambda request, _: roles[step_of(request)](request)


def in_turn(*roles: Role) -> Role:
    """One after the other, the last for ever."""
    left = list(roles)
    return lambda request: (left.pop(0) if len(left) > 1 else left[0])(request)
