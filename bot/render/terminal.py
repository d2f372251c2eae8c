"""Answers, passages and traces for a terminal (rich)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.tree import Tree

if TYPE_CHECKING:
    from reasoning.evidence import Retrieved
    from reasoning.trace import Trace
    from reasoning.types import Answer, Citation

_FIRST = ("emergency", "urgent")
_WIDTH = 100


def _console() -> Console:
    console = Console(highlight=False)
    if console.width > _WIDTH:
        console.width = _WIDTH
    return console


def print_answer(answer: Answer) -> None:
    """Warnings first, the sentences with their numbers, sources, then the quieter notices."""
    from reasoning.notices import notice

    console, language = _console(), answer.language
    for item in answer.answer.notices:
        if item.code in _FIRST:
            console.print(Panel(escape(item.text), border_style="red"))
    if answer.answer.sentences:
        parts = [
            f"{escape(s.text)} [cyan]{escape(''.join(f'[{n}]' for n in s.citations))}[/]"
            for s in answer.answer.sentences
        ]
        console.print(" ".join(parts))
        console.print(f"\n[bold]{escape(notice('heading_sources', language))}[/]")
        for citation in answer.citations:
            console.print(Padding(_source(citation), (0, 0, 0, 1)))
        console.print()
        console.print(escape(notice(f"confidence_{answer.answer.confidence}", language)), style="dim")
    for item in answer.answer.notices:
        if item.code not in _FIRST:
            console.print(escape(item.text), style=None if item.code == "abstain" else "dim")


def _source(citation: Citation) -> str:
    line = ", ".join(
        str(part) for part in (citation.title.rstrip("."), citation.journal, citation.year) if part
    )
    standing = f" [yellow]({citation.standing})[/]" if citation.standing != "ok" else ""
    link = f"\n    [link={citation.url}]{escape(citation.url)}[/link]" if citation.url else ""
    return f"[cyan]{escape(f'[{citation.n}]')}[/] {escape(line)}{standing}{link}"


def print_passages(found: Retrieved) -> None:
    """A row a passage: fused rank and score, then rank and score in each stream."""
    console = Console(highlight=False)
    table = Table(show_lines=True)
    names = sorted({name for item in found.evidence for name in item.streams})
    for heading in ("#", "fused", *names, "source", "passage"):
        table.add_column(heading, overflow="fold")
    for place, item in enumerate(found.evidence, start=1):
        streams = [
            f"{item.streams[name][0]} ({item.streams[name][1]:.3f})" if name in item.streams else "–"
            for name in names
        ]
        article = item.source.article
        source = f"{article.title}\n{' · '.join(str(p) for p in (article.year, article.url) if p)}"
        around = [part for part in (item.before and "… " + item.before[-120:], item.text, item.after) if part]
        table.add_row(str(place), f"{item.score:.4f}", *streams, escape(source), escape("\n".join(around)))
    console.print(table)
    console.print(
        f"nearest similarity {found.similarity:.3f}, subject named {found.coverage:.0%}, "
        f"{sum(found.searched.values()):,} articles searched",
        style="dim",
    )


def print_trace(trace: Trace) -> None:
    """The steps as a tree, each with its time and what it found."""
    root = Tree("[bold]trace[/]")
    branches: dict[int, Tree] = {}
    for span in trace.spans:
        parent = root if span.parent_id is None else branches.get(span.parent_id, root)
        values = ", ".join(f"{name}={_short(value)}" for name, value in (span.params | span.output).items())
        error = f" [red]{span.error}[/]" if span.error else ""
        branches[span.span_id] = parent.add(
            f"[bold]{span.stage}[/] [dim]{span.latency_ms:.1f} ms[/] {escape(values)}{error}"
        )
    _console().print(root)


def _short(value: Any) -> str:
    if isinstance(value, list):
        head = ", ".join(str(item) for item in value[:8])
        return f"[{head}{', …' if len(value) > 8 else ''}]"
    return str(value)
