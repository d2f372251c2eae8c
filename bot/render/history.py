"""Cases and conversations of the history, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import unified_diff
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.render.terminal import print_answer, print_trace
from reasoning.trace import Span, Trace
from reasoning.types import Answer

if TYPE_CHECKING:
    from bot.replaying import Replay
    from storage.history.review import Case, Dossier, Exchange, Review

_DIFF = {"+": "green", "-": "red", "@": "dim"}
_LOOKS = {"unsafe": "red", "unsupported": "red", "incomplete": "yellow", "correct": "green"}


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def print_cases(cases: Sequence[Case]) -> None:
    """Two lines a case: what it is, then what was asked and answered, masked."""
    console = _console()
    for case in cases:
        marks = [case.triage if case.triage != "none" else None, "abstained" if case.abstained else None]
        marks += ["degraded" if case.degraded else None, case.feedback, case.state]
        where = f"{case.platform}, {case.person}, {case.method}, {case.language}"
        line = Text.assemble((case.run_id, "cyan"), f"  {case.asked_at:%Y-%m-%d %H:%M}  {where}")
        line.append("".join(f", {mark}" for mark in marks if mark), "yellow")
        if case.verdict:
            line.append(f", {case.verdict}", _LOOKS[case.verdict])
        console.print(line, soft_wrap=True)
        excerpt = " ".join((case.excerpt or "not read yet").translate({0xE000: None, 0xE001: None}).split())
        console.print(Text(f"    {excerpt}", "dim"), no_wrap=True, overflow="ellipsis")
    if not cases:
        console.print("Nothing was found.")


def print_dossier(dossier: Dossier, *, trace: bool) -> None:
    console = _console()
    where = (
        f"{dossier.platform}, conversation {dossier.conversation}" if dossier.conversation else "command line"
    )
    console.print(Text.assemble((dossier.run_id, "bold"), f"  {where}"), soft_wrap=True)
    if dossier.held:
        console.print("A legal hold keeps it.", style="yellow")
    for exchange in dossier.exchanges:
        opened = exchange.run_id == dossier.run_id
        _print_question(console, exchange, opened=opened)
        if opened and exchange.answer is not None:
            print_answer(Answer.model_validate(exchange.answer | {"trace": None}))
            _print_evidence(console, exchange)
    for review in dossier.reviews:
        _print_review(console, review)
    if trace:
        steps = Trace()
        steps.spans = [Span(**{"error": None} | step) for step in dossier.trace]
        print_trace(steps)


def print_replay(replay: Replay) -> None:
    """That it came out the same, or the words before and after, and why."""
    console = _console()
    if replay.identical:
        console.print("The same answer, to the letter.", style="green")
        return
    console.print(f"It came out otherwise: {', '.join(replay.differs)}.", style="red")
    for cause in replay.causes or ("nothing of what is kept tells why",):
        console.print(f"  - {cause}")
    before, after = (answer.answer.text.splitlines() for answer in (replay.before, replay.after))
    for line in unified_diff(before, after, "then", "now", lineterm="", n=1):
        console.print(line, style=_DIFF.get(line[:1]), soft_wrap=True)


def _print_question(console: Console, exchange: Exchange, *, opened: bool) -> None:
    line = Text.assemble(
        (f"{exchange.received_at:%Y-%m-%d %H:%M}  {exchange.person}  ", "dim"),
        (exchange.text or "(withdrawn)", "bold" if opened else ""),
    )
    if exchange.edited:
        line.append(f"\n    edited after the answer: {exchange.edited}")
    if not opened:
        line.append(f"  [{exchange.state}{f', {exchange.verdict}' if exchange.verdict else ''}]", "dim")
    console.print(line)


def _print_evidence(console: Console, exchange: Exchange) -> None:
    """What became of the sources, what people think, and what it cost."""
    for cited in exchange.citations:
        if cited.changed:
            words = f"Source {cited.n} was {cited.standing} then and is {cited.now} now."
            console.print(words, style="red")
    for thought in exchange.thoughts:
        opinion = "helpful" if thought.helpful else f"not helpful ({thought.reason or 'no reason'})"
        console.print(f"{thought.person} found it {opinion}.")
    usage = (exchange.answer or {}).get("usage")
    if usage:
        table = Table.grid(padding=(0, 2))
        table.add_row(*(f"{name.replace('_', ' ')}: {value}" for name, value in usage.items()))
        console.print(table, style="dim")


def _print_review(console: Console, review: Review) -> None:
    verdict = review.verdict or "no verdict yet"
    line = Text.assemble(f"{review.name}: ", (verdict, _LOOKS.get(verdict, "dim")))
    line.append(f", {review.severity}" if review.severity else "")
    line.append(f"\n    corrected: {review.corrected}" if review.corrected else "")
    line.append(f"\n    note: {review.note}" if review.note else "")
    console.print(line)
