"""A kept question asked again on what models and searches replied then: what comes out otherwise, and why.

What was not kept with the run is asked anew, and told. Nothing of a replay goes into the history.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.app import Say, open_assistant, quiet
from bot.reviewing import open_history_of_run
from bot.worker.talk import recall_turn
from config import Settings
from reasoning.types import Answer

if TYPE_CHECKING:
    from storage.history.review import Dossier, Exchange

_TURNS = 6  # as a worker reads them (`Conversations.turns`)
_PASSING = {"run_id", "usage", "trace"}  # differs between any two runs
_COSTS = {"ms", "calls", "kept_since"}  # in the report of a method's searches
_PARTS = ("language", "triage", "route", "answer", "citations", "rejected", "report", "warnings", "degraded")


@dataclass(frozen=True, slots=True)
class Replay:
    """`differs`: parts of the answer that came out otherwise; `causes` in words. Empty where none did."""

    differs: tuple[str, ...]
    causes: tuple[str, ...]
    before: Answer
    after: Answer

    @property
    def identical(self) -> bool:
        return not self.differs


async def replay(settings: Settings, dossier: Dossier, say: Say = quiet) -> Replay:
    """Ask the opened question of a dossier again. Raises what `ask` does."""
    opened = dossier.opened
    before = Answer.model_validate(opened.answer)
    talk = dossier.exchanges[: dossier.exchanges.index(opened)]
    earlier = [recall_turn(turn.text, turn.answer, turn.person) for turn in talk if turn.text][-_TURNS:]
    async with (
        open_history_of_run(settings, dossier.run_id, say) as history,
        open_assistant(settings, say, history=history) as (assistant, workshop),
    ):
        answered = await assistant.answer(
            opened.text or before.question,
            method=_method_asked(dossier.trace),
            offline=_was_offline(dossier.trace),
            earlier=earlier,
            person=opened.person,
        )
        keys = [cited.doc_id for cited in opened.citations]
        missing = set(keys) - await workshop.corpus.existing(keys)
    after = answered.answer
    differs = tuple(_differences(before, after))
    if not differs:
        return Replay((), (), before, after)
    causes = [
        *_of_models(dossier.trace, settings),
        *_of_evidence(opened, missing),
        *_of_misses(history.missed),
        *_of_sources(before, after),
    ]
    return Replay(differs, tuple(causes), before, after)


def _method_asked(trace: list[dict[str, Any]]) -> str:
    return next((str(step["params"]["method"]) for step in trace if step["stage"] == "route"), "auto")


def _was_offline(trace: list[dict[str, Any]]) -> bool:
    doors = {step["params"].get("door") for step in trace if step["stage"] == "search"}
    return bool(doors) and "pubmed" not in doors


def _differences(before: Answer, after: Answer) -> Iterator[str]:
    first, second = _lasting(before), _lasting(after)
    yield from (name for name in _PARTS if first[name] != second[name])


def _lasting(answer: Answer) -> dict[str, Any]:
    """Without what passes: ids, times, costs, and the day on which a standing was last looked up."""
    values = answer.model_dump(mode="json", exclude=_PASSING)
    for citation in values["citations"]:
        citation.pop("standing_checked")
    return values | {"report": _without_costs(values["report"])}


def _without_costs(value: Any) -> Any:
    """A method's report without how long a search took, and whether its reply was a kept one."""
    if isinstance(value, dict):
        return {name: _without_costs(inner) for name, inner in value.items() if name not in _COSTS}
    return [_without_costs(inner) for inner in value] if isinstance(value, list) else value


def _of_models(trace: list[dict[str, Any]], settings: Settings) -> Iterator[str]:
    then = {str(step["params"]["model"]) for step in trace if step["stage"] == "llm"}
    now = settings.llm.model if settings.llm.configured else None
    if then and then != {now}:
        yield f"the model was {', '.join(sorted(then))} and is {now or 'none'} now"
    if not then and now:
        yield f"no model answered then, and {now} is there now"


def _of_evidence(opened: Exchange, missing: set[str]) -> Iterator[str]:
    for cited in opened.citations:
        source = f"source {cited.n} ({cited.pmid or cited.title})"
        if cited.changed:
            yield f"{source} was {cited.standing} and is {cited.now} now"
        elif cited.doc_id in missing:
            yield f"{source} is no longer in the corpus"


def _of_misses(missed: Mapping[str, int]) -> Iterator[str]:
    for kind, count in missed.items():
        if count:
            yield f"asked anew, as it was not asked then or no reply was kept: {count} times a {kind}"


def _of_sources(before: Answer, after: Answer) -> Iterator[str]:
    then, now = ({(c.pmid or c.title, c.quote) for c in answer.citations} for answer in (before, after))
    if gone := sorted({name for name, _ in then - now}):
        yield f"no longer cited, or by other words: {'; '.join(gone)}"
    if new := sorted({name for name, _ in now - then}):
        yield f"cited now, from a corpus that may have changed: {'; '.join(new)}"
