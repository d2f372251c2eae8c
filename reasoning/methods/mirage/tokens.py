"""The turn of a chain in control tokens, as the released code has it (methods.md 2.3)."""

from __future__ import annotations

import re

from reasoning.methods.mirage.results import strip_results

BEGIN_QUERY, END_QUERY = "<|begin_kg_query|>", "<|end_kg_query|>"
_QUERY = re.compile(
    rf"{re.escape(BEGIN_QUERY)}(.*?)(?:{re.escape(END_QUERY)}|(?={re.escape(BEGIN_QUERY)})|\Z)", re.DOTALL
)
_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_CITED = re.compile(r"\s*\[(\d+)\]")


def read_turn(text: str) -> dict[str, object]:
    """The fields of a turn.

    A text that ends on a query is a search, by the last one where it has several; the stop string may be cut
    off. Any other text is the answer: what comes after the thinking.
    """
    text = strip_results(text)
    queries = list(_QUERY.finditer(text))
    fields: dict[str, object] = {"do": "finish", "entity1": "", "entity2": "", "facts": []}
    if queries and not text[queries[-1].end() :].strip():
        first, _, second = queries[-1][1].partition("|")
        entities = {"entity1": first.strip(), "entity2": second.strip(" |")}
        reasoning = _QUERY.sub(" ", text).strip()
        return fields | entities | {"do": "search", "reasoning": reasoning, "answer": ""}
    answer = _THOUGHT.split(text)[-1].strip()
    numbers = [int(number) for number in _CITED.findall(answer)]
    return fields | {
        "reasoning": "",
        "answer": _CITED.sub("", answer).strip(),
        "facts": list(dict.fromkeys(numbers)),
    }
