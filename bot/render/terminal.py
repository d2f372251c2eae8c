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
    from reasoning.evidence import Retrieved
    from reasoning.trace import Trace
    from reasoning.types import Answer, Citation

_FIRST = ("emergency", "urgent")
_WIDTH = 100


def _console() -> Console:
    """Nothing in a question, a title or a quote is markup here: they are printed letter by letter."""
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, _WIDTH)
    return console


def print_answer(answer: Answer) -> None:
    """Warnings first, the sentences with their numbers, sources, then the quieter notices."""
    from reasoning.composing import paragraphs_of, say_choice
    from reasoning.notices import notice

    console, language = _console(), answer.language
    for item in answer.answer.notices:
        if item.code in _FIRST:
            console.print(Panel(Text(item.text), border_style="red"))
    if answer.answer.choice:
        console.print(say_choice(answer.answer.choice, language), style="bold")
    if answer.answer.sentences:
        for paragraph in paragraphs_of(answer.answer.sentences):
            marked = [
                Text.assemble(s.text, " ", ("".join(f"[{n}]" for n in s.citations), "cyan"))
                for s in paragraph
            ]
            console.print(Text(" ").join(marked))
            console.print()
        console.print(notice("heading_sources", language), style="bold")
        for citation in answer.citations:
            _print_source(console, citation, language)
        console.print()
        console.print(notice(f"confidence_{answer.answer.confidence}", language), style="dim")
        console.print(notice(_who_wrote(answer), language), style="dim")
    for item in answer.answer.notices:
        if item.code not in _FIRST:
            console.print(item.text, style=None if item.code == "abstain" else "dim")


def _who_wrote(answer: Answer) -> str:
    """Code of the notice: a model, the rules that word facts, or the sources themselves."""
    if answer.answer.written_by == "model":
        return "by_model"
    return "from_facts" if any(citation.facts for citation in answer.citations) else "evidence_only"


def _print_source(console: Console, citation: Citation, language: str) -> None:
    """Number, title, place and year, what the publisher doubts or corrected, and the date of that check; the
    address on a line of its own, never broken: it must open."""
    from reasoning.notices import checked_on, notice

    parts = (citation.title.rstrip("."), citation.journal, citation.year)
    line = Text.assemble((f"[{citation.n}]", "cyan"), " ", ", ".join(str(part) for part in parts if part))
    if citation.standing != "ok":
        said = notice(f"standing_{citation.standing}", language)
        line.append(f" ({said}; {checked_on(citation.standing_checked, language)})", "yellow")
    console.print(Padding(line, (0, 0, 0, 1)))
    for fact in citation.facts:  # the path, in its order
        console.print(f"    {fact.head} -[{fact.relation}]-> {fact.tail} ({fact.source})", style="dim")
    _print_address(console, citation.url)


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
