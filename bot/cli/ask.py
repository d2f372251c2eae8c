"""`carecite ask`: one question, one cited answer."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.running import run, say
from config import load_settings

if TYPE_CHECKING:
    from reasoning.assistant import Answered
    from reasoning.types import Answer


class MethodName(StrEnum):
    auto = "auto"
    cometa = "cometa"
    mirage = "mirage"
    sema_rag = "sema-rag"
    literature = "literature"


def register(app: typer.Typer) -> None:
    app.command(
        epilog='Examples:  carecite ask "What are the symptoms of lung cancer?"'
        '   |   carecite ask --json "…" | jq .answer.text   |   echo "…" | carecite ask -'
    )(ask)


def ask(
    question: Annotated[str, typer.Argument(help="The question, in quotes; - reads it from standard input.")],
    method: Annotated[
        MethodName, typer.Option(help="Which method answers; auto lets the router decide.")
    ] = MethodName.auto,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every step as a tree.")] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask no outside service; local corpus only.")
    ] = False,
    no_history: Annotated[bool, typer.Option("--no-history", help="Do not keep this question.")] = False,
) -> None:
    """Answer a medical question; every sentence cites a source that opens.

    Abstains, saying what was searched, where the evidence does not answer. General information, no
    replacement for a doctor.
    """
    from reasoning.assistant import check_question

    text = check_question(sys.stdin.read() if question == "-" else question)
    answered = run(_answer(text, method.value, offline=offline, keep=not no_history))
    answer = answered.answer
    if trace and as_json:
        answer = answer.model_copy(update={"trace": answered.trace.as_json()})
    if as_json:
        typer.echo(answer.model_dump_json(exclude=None if trace else {"trace"}))
        return
    from bot.render.terminal import print_answer, print_trace

    print_answer(answer)
    if trace:
        print_trace(answered.trace)


async def _answer(text: str, method: str, *, offline: bool, keep: bool) -> Answered:
    from bot.app import open_assistant

    settings = load_settings()
    async with open_assistant(settings, say) as (assistant, workshop):
        answered = await assistant.answer(text, method=method, offline=offline)
        if keep:
            await workshop.stores.history.store_run(as_run(answered))
        return answered


def as_run(answered: Answered, person: str = "local"):  # type: ignore[no-untyped-def]
    """The row that history keeps of an answer."""
    from storage.history import Run

    answer: Answer = answered.answer
    return Run(
        run_id=answer.run_id,
        person=person,
        question=answer.question,
        language=answer.language,
        triage=answer.triage.level,
        method=answer.route.method,
        ran=answer.route.ran,
        abstained=answer.answer.abstained,
        answer=answer.model_dump(mode="json", exclude={"trace"}),
        trace=answered.trace.as_json(),
        citations=answered.sources,
    )
