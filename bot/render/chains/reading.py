"""From an answer, fresh or kept, to the picture of its chains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.render.chains.picture import MOST_ARROWS, Arrow, ChainLine, Node, Picture, State
from reasoning.methods.mirage.statements import may_be_shown
from reasoning.types import Answer
from storage.facts import relations


def read_picture(answer: Answer) -> Picture | None:
    """The picture, or None where the answer does not come from chains over a graph.

    What may not be told to a patient is not drawn either, only counted.
    """
    report = answer.report
    if answer.route.ran != "mirage" or report is None or "chains" not in report:
        return None
    listed: Mapping[str, Mapping[str, Any]] = report["facts"]
    states = _states(answer, report, listed)
    drawn = sorted(
        (key for key, fact in listed.items() if _is_drawn(fact)),
        key=lambda key: (list(State).index(states[key]), -len(_chains_of(key, report)), int(key)),
    )
    arrows = [_arrow(key, listed[key], states[key], answer, report) for key in drawn[:MOST_ARROWS]]
    return Picture(
        question=answer.question,
        language=answer.language,
        nodes=tuple(_nodes(report["asked"], arrows)),
        arrows=tuple(arrows),
        chains=tuple(
            ChainLine(chain["subq_id"], chain["text"], chain["status"] == "failed")
            for chain in report["chains"]
        ),
        left_out=report["facts_found"] - len(arrows),
    )


def _is_drawn(fact: Mapping[str, Any]) -> bool:
    return may_be_shown(fact["head"], fact["relation"], fact["tail"]) and _same(fact["head"]) != _same(
        fact["tail"]
    )


def _states(
    answer: Answer, report: Mapping[str, Any], listed: Mapping[str, Mapping[str, Any]]
) -> dict[str, State]:
    """A fact of several claims is what the best of them is."""
    cited = {_triple(fact.model_dump()) for citation in answer.citations for fact in citation.facts}
    kept = _ids(report["claims"])
    lost = _ids(report["rejected"])

    def state(key: str, fact: Mapping[str, Any]) -> State:
        if _triple(fact) in cited:
            return State.TOLD
        return State.KEPT if key in kept else State.REJECTED if key in lost else State.FOUND

    return {key: state(key, fact) for key, fact in listed.items()}


def _ids(claims: Iterable[Mapping[str, Any]]) -> set[str]:
    return {str(each) for claim in claims for each in claim["facts"]}


def _triple(fact: Mapping[str, Any]) -> tuple[str, str, str]:
    return fact["head"], fact["relation"], fact["tail"]


def _same(name: str) -> str:
    """Two graphs may write one name in two ways; it is one box."""
    return name.casefold()


def _arrow(
    key: str, fact: Mapping[str, Any], state: State, answer: Answer, report: Mapping[str, Any]
) -> Arrow:
    said = fact["text"]
    if state is State.REJECTED:
        reasons = [lost["reason"] for lost in report["rejected"] if key in map(str, lost["facts"])]
        said = f"{said} ({reasons[0]})"
    numbers = tuple(
        citation.n
        for citation in answer.citations
        if any(_triple(each.model_dump()) == _triple(fact) for each in citation.facts)
    )
    label = relations()[fact["relation"]].arrow
    return Arrow(fact["head"], label, fact["tail"], state, said, numbers, _chains_of(key, report))


def _chains_of(key: str, report: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        chain["subq_id"]
        for chain in report["chains"]
        if any(int(key) in search["evidence_ids"] for search in chain["searches"])
    )


def _nodes(asked: Iterable[Sequence[str]], arrows: Sequence[Arrow]) -> Iterable[Node]:
    """Entities of the question first, each name once. One without a drawn fact stands alone; of one that
    several graphs name differently, the names that facts have."""
    drawn = {_same(name) for arrow in arrows for name in (arrow.head, arrow.tail)}
    seen: dict[str, Node] = {}
    for names in asked:
        for name in [name for name in names if _same(name) in drawn] or names[:1]:
            seen.setdefault(_same(name), Node(name, True))
    for arrow in arrows:
        for name in (arrow.head, arrow.tail):
            seen.setdefault(_same(name), Node(name, False))
    return seen.values()
