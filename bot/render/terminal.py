"""Answers, passages and traces for a terminal (rich)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.style import Style
from rich.text import Text
from rich.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.render.spoken import Paragraph, Span
    from reasoning.evidence import Retrieved
    from reasoning.trace import Trace
    from reasoning.types import Answer

_WIDTH = 100
_LOOKS = {"choice": "bold", "heading": "bold", "quiet": "dim"}
_SPANS = {"mark": "cyan", "caution": "yellow"}


def _console() -> Console:
    """Nothing in a question, a title or a quote is markup here: they are printed letter by letter."""
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, _WIDTH)
    return console


def print_answer(answer: Answer) -> None:
    """Each paragraph of what is said, letter by letter; an empty line after the sentences and the sources."""
    from bot.render.saying import say_answer

    console = _console()
    said = say_answer(answer)
    for paragraph, following in zip(said, [*said[1:], None], strict=True):
        if paragraph.kind == "warning":
            console.print(Panel(Text(paragraph.text), border_style="red"))
        elif paragraph.kind == "source":
            _print_source(console, paragraph)
        else:
            console.print(_draw(paragraph.spans), style=_LOOKS.get(paragraph.kind))
        ends = paragraph.kind == "source" and (following is None or following.kind != "source")
        if paragraph.kind == "text" or ends:
            console.print()


def _draw(spans: Iterable[Span]) -> Text:
    return Text.assemble(*((span.text, _SPANS.get(span.role, "")) for span in spans))


def _print_source(console: Console, source: Paragraph) -> None:
    """The facts of a path below, in their order; then the address on a line of its own, never broken: it must
    open."""
    line = _draw(span for span in source.spans if span.role != "fact")
    console.print(Padding(line, (0, 0, 0, 1)))
    for span in source.spans:
        if span.role == "fact":
            console.print(f"    {span.text.strip()}", style="dim")
    _print_address(console, source.spans[0].url)


def _print_address(console: Console, url: str | None) -> None:
    if url:
        console.print(Text("    ").append(url, Style(link=url)), soft_wrap=True)


def print_passages(found: Retrieved) -> None:
    """Each passage with its fused score, rank and score in each stream, source, and what is around it."""
    console = _console()
    for place, item in enumerate(found.evidence, start=1):
        streams = [f"{name} no. {rank} ({score:.3f})" for name, (rank, score) in sorted(item.streams.items())]
        article = item.source.article
        title = ", ".join(str(part) for part in (article.title.rstrip("."), article.year) if part)
        console.print(Text.assemble((f"{place:>2}. ", "cyan"), (title, "bold")))
        console.print(f"    score {item.score:.3f}: {', '.join(streams)}", style="dim")
        _print_address(console, article.url)
        around = [part for part in (item.before and "… " + item.before[-120:], item.text, item.after) if part]
        console.print(Padding(Text("\n".join(part.strip() for part in around)), (0, 0, 1, 4)))
    if any(remark.code == "search_failed" for remark in found.degraded):
        console.print("The search did not work, so nothing can be said about what is there.")
    elif not found.evidence:
        console.print("No passage was found; fewer conditions find more.")
    console.print(
        f"nearest similarity {found.similarity:.3f}, subject named {found.coverage:.0%}, "
        f"{sum(found.searched.values()):,} articles searched",
        style="dim",
    )


def print_trace(trace: Trace) -> None:
    """The steps as a tree, each with its time and what it found."""
    root = Tree(Text("trace", "bold"))
    branches: dict[int, Tree] = {}
    for span in trace.spans:
        parent = root if span.parent_id is None else branches.get(span.parent_id, root)
        values = ", ".join(f"{name}={_short(value)}" for name, value in (span.params | span.output).items())
        label = Text.assemble((span.stage, "bold"), " ", (f"{span.latency_ms:.1f} ms", "dim"), " ", values)
        if span.error:
            label.append(f" {span.error}", "red")
        branches[span.span_id] = parent.add(label)
    _console().print(root)


def _short(value: Any) -> str:
    if isinstance(value, list):
        head = ", ".join(str(item) for item in value[:8])
        return f"[{head}{', …' if len(value) > 8 else ''}]"
    return str(value)
