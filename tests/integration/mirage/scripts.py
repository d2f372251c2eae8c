"""What a scripted model says to each step of the method."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.emulators.model import Chat, Reply

QUESTION = "Can metformin for type 2 diabetes lead to nausea or kidney failure?"
_PART = re.compile(r"^Sub-question: (.*)$", re.MULTILINE)
_FACT = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)
_LEFT = re.compile(r"Searches left: (\d+)")
PARTS = [
    ("How are metformin and type 2 diabetes related?", ["metformin", "type 2 diabetes"]),
    ("How can nausea come from metformin?", ["nausea", "metformin"]),
    (
        "What can type 2 diabetes do to the kidneys, such as kidney failure?",
        ["type 2 diabetes", "kidney failure"],
    ),
    ("Which facts are known of nausea?", ["nausea"]),
]


def step_of(request: dict[str, Any]) -> str:
    return str(request["response_format"]["json_schema"]["name"])


def text_of(request: dict[str, Any]) -> str:
    return "\n".join(message["content"] for message in request["messages"])


def turn(**fields: Any) -> Reply:
    empty = {"reasoning": "", "do": "search", "entity1": "", "entity2": "", "answer": "", "facts": []}
    return Chat(json.dumps(empty | fields))


def decomposition(parts: list[tuple[str, list[str]]] | None = None) -> Reply:
    listed = [{"text": text, "entities": names} for text, names in parts or PARTS]
    return Chat(json.dumps({"entities": [], "decompose": True, "subquestions": listed}))


def search_then_finish(request: dict[str, Any]) -> Reply:
    """Searches once, with the names of the part, then cites the first facts."""
    text = text_of(request)
    facts = _FACT.findall(text.split("Concepts to begin with:")[1])
    part = next(match for match in _PART.findall(text))
    names = dict(PARTS)[part]
    if not facts:
        return turn(
            reasoning="Nothing is known yet.", entity1=names[0], entity2=names[1] if names[1:] else ""
        )
    numbers = [int(n) for n, _ in facts][:3]
    return turn(do="finish", answer=f"By the graph: {facts[0][1]}.", facts=numbers)


def write(request: dict[str, Any]) -> Reply:
    """Repeats the statements, and adds one that rests on none."""
    told = _FACT.findall(text_of(request).split("Statements:")[1])
    sentences = [{"text": words.strip(), "statements": [int(n)]} for n, words in told]
    sentences.append({"text": "Nausea always goes away after a week.", "statements": []})
    return Chat(json.dumps({"paragraphs": [{"sentences": sentences}]}))


def claim_all(request: dict[str, Any]) -> Reply:
    """One claim that its fact says, one that no fact says."""
    text = text_of(request)
    found = re.search(r"\[(\d+)\] metformin is a treatment option for type 2 diabetes", text)
    n = int(found[1]) if found else 1
    good = {"type": "treatment", "subject": "Type 2 diabetes", "value": "Metformin", "unit": ""}
    bad = {"type": "treatment", "subject": "type 2 diabetes", "value": "cinnamon", "unit": ""}
    more = {"chain": 1, "polarity": "affirmed", "facts": [n]}
    return Chat(json.dumps({"claims": [good | more, bad | more]}))


def verdicts(request: dict[str, Any]) -> Reply:
    numbers = [int(n) for n in re.findall(r"^Sentence (\d+):", text_of(request), re.MULTILINE)]
    return Chat(json.dumps({"verdicts": [{"n": n, "verdict": "supported"} for n in numbers]}))


Part = Callable[[dict[str, Any]], Reply]


def scripted(**changed: Part) -> Callable[[dict[str, Any], int], Reply]:
    """A model that does each step well, but for the steps given by name."""
    steps: dict[str, Part] = {
        "decompose": lambda _: decomposition(),
        "chain": search_then_finish,
        "claims": claim_all,
        "synthesise": write,
        "entailment": verdicts,
    } | changed
    return lambda request, _: steps[step_of(request)](request)
