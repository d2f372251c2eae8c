"""`carecite ask`: one question, one cited answer."""

from __future__ import annotations

from contextlib import AsyncExitStack, nullcontext
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.running import examples, print_json, read_question, run, say
from bot.keeping import as_run
from config import ModelEndpoint, Settings, load_settings
from config.errors import CareciteError
from config.settings import SettingsError

if TYPE_CHECKING:
    from reasoning.assistant import Answered
    from reasoning.types import Answer
    from storage.history import History


class MethodName(StrEnum):
    auto = "auto"
    cometa = "cometa"
    mirage = "mirage"
    sema_rag = "sema-rag"
    literature = "literature"


def register(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            'carecite ask "What are the symptoms of lung cancer?"',
            'carecite ask --json --trace "What are the warning signs of a stroke?"',
            'carecite ask --graph chains.svg "Can metformin be taken with kidney failure?"',
            "carecite ask --no-history - < question.txt",
        )
    )(ask)


def ask(
    question: Annotated[str, typer.Argument(help="The question, in quotes; - reads it from standard input.")],
    method: Annotated[
        MethodName, typer.Option(help="Which method answers; auto lets the router decide.")
    ] = MethodName.auto,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every step as a tree.")] = False,
    offline: Annotated[
        bool,
        typer.Option(
            "--offline", help="Ask no outside service: local corpus, and no model but one on this machine."
        ),
    ] = False,
    no_history: Annotated[bool, typer.Option("--no-history", help="Do not keep this question.")] = False,
    graph: Annotated[
        Path | None,
        typer.Option(
            "--graph", metavar="FILE", help="Draw the chains over the knowledge graph into this SVG file."
        ),
    ] = None,
) -> None:
    """Answer a medical question; every sentence cites a source that opens.

    Abstains, saying what was searched, where the evidence does not answer. General information, no
    replacement for a doctor.
    """
    text = read_question(question)
    if graph is not None:
        _check_place(graph)
    answered = run(_answer(text, method.value, offline=offline, keep=not no_history))
    answer = answered.answer
    if trace and as_json:
        answer = answer.model_copy(update={"trace": answered.trace.as_json()})
    if as_json:
        print_json(answer.model_dump_json(exclude=None if trace else {"trace"}))
    else:
        from bot.render.terminal import print_answer, print_trace

        print_answer(answer)
        if trace:
            print_trace(answered.trace)
    if graph is not None:
        _draw(answer, graph)


def _check_place(file: Path) -> None:
    """Before anything is asked. Raises BadParameter."""
    if file.suffix.lower() != ".svg":
        raise typer.BadParameter(
            "The picture is SVG; name it so, for example chains.svg.", param_hint="--graph"
        )
    if file.is_dir() or not file.parent.is_dir():
        raise typer.BadParameter("There is no such folder to write into.", param_hint="--graph")


def _draw(answer: Answer, file: Path) -> None:
    """Write the picture, or say why there is none: then no file is made or changed."""
    from bot.render.chains import draw, read_picture

    picture = read_picture(answer)
    if picture is None:
        ran = answer.route.ran
        said = "no method ran for this" if ran == "none" else f"{ran} gave this answer"
        say(f"No picture: {said}, and only MIRAGE has chains over a graph.")
        return
    try:
        file.write_text(draw(picture), encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(
            f"It cannot be written ({type(error).__name__}).", param_hint="--graph"
        ) from None
    say(f"The picture of the chains is in {file}.")


async def _answer(text: str, method: str, *, offline: bool, keep: bool) -> Answered:
    from bot.app import open_assistant
    from reasoning.assistant import reply_at_once

    answered = reply_at_once(text, method=method, country=_country())
    if answered is not None:
        return await keep_run(answered) if keep else answered
    settings = load_settings()
    if offline and not settings.llm.on_this_machine:
        settings = settings.model_copy(update={"llm": ModelEndpoint.model_validate({})})
    async with AsyncExitStack() as stack:
        history = await _open_history(settings, stack) if keep else None
        async with open_assistant(settings, say, history=history) as (assistant, _):
            answered = await assistant.answer(text, method=method, offline=offline)
        return await keep_run(answered, history) if keep else answered


def _country() -> str | None:
    """Settings that cannot be read do not stand before help."""
    try:
        return load_settings().country
    except SettingsError:
        return None


async def _open_history(settings: Settings, stack: AsyncExitStack) -> History | None:
    """Where earlier replies of models and searches are found; without it they are asked anew."""
    from bot.app import open_history

    try:
        return await stack.enter_async_context(open_history(settings, say))
    except CareciteError:
        return None  # `keep_run` tells


async def keep_run(answered: Answered, opened: History | None = None) -> Answered:
    """Store the run, in the history that is open already where one is.

    Whatever prevents that, the answer is worth more and says so in `warnings`.
    """
    from bot.app import open_history
    from reasoning.types import Remark

    try:
        async with nullcontext(opened) if opened else open_history(load_settings(), say) as history:
            await history.store_run(as_run(answered))
    except Exception as error:
        name = type(error).__name__
        say(f"This question could not be kept in the history ({name}). Run `carecite doctor`.")
        remark = Remark(code="history_failed", detail=name)
        answer = answered.answer.model_copy(update={"warnings": [*answered.answer.warnings, remark]})
        return replace(answered, answer=answer)
    return answered
