"""Answers on a terminal: letter by letter, addresses whole, warnings first."""

from __future__ import annotations

import contextlib
import io
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.render import terminal
from reasoning.trace import Trace
from reasoning.types import Answer, AnswerBody, Citation, CitedFact, Notice, Route, Sentence, Triage

TRICKS = (
    "[red]x[/red]",
    "[/]",
    "[link=http://x]y[/link]",
    ":warning:",
    "\\",
    "\\[",
    "**b**",
    "<b>",
    "[1]",
    "`c`",
)
texts = st.lists(
    st.sampled_from(TRICKS) | st.text(string.ascii_letters, min_size=1, max_size=9), min_size=1
).map(" ".join)


def answer(text: str, title: str, url: str, notice: str = "Read this.") -> Answer:
    citation = Citation(n=1, title=title, url=url, quote=text, language="en", standing="concern")
    body = AnswerBody(
        text=text,
        abstained=False,
        confidence="low",
        sentences=[Sentence(text=text, citations=[1])],
        notices=[Notice(code="scope", text=f"Mind {notice}"), Notice(code="urgent", text=notice)],
    )
    route = Route(method="literature", ran="literature", reason="")
    return Answer(
        run_id="r",
        question="q",
        language="en",
        triage=Triage(),
        route=route,
        answer=body,
        citations=[citation],
    )


def shown(value: Answer, width: int = 80) -> str:
    """What a terminal of this width gets."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setenv("COLUMNS", str(width))
        terminal.print_answer(value)
    return out.getvalue()


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("│", " "))


@settings(deadline=None, max_examples=60)
@given(text=texts, title=texts, notice=texts, width=st.integers(60, 160))
def test_nothing_is_markup(text: str, title: str, notice: str, width: int) -> None:
    out = flat(shown(answer(text, title, "http://x", notice), width))
    assert f"{text} [1]" in out
    assert f"[1] {title} (the publisher has voiced a concern; date of the check unknown)" in out
    assert f"Mind {notice}" in out
    assert out.count(notice) >= 2


def test_an_address_stands_on_one_line() -> None:
    url = "https://example.org/" + "long/" * 60 + "a]b[c?d=[/link]"
    lines = shown(answer("A.", "T", url)).splitlines()
    assert f"    {url}" in lines


def test_a_warning_comes_first_and_the_scope_last() -> None:
    out = shown(answer("Sentence.", "T", "http://x"))
    assert out.index("Read this.") < out.index("Sentence. [1]") < out.index("Sources") < out.index("Mind ")


def test_a_trace_shows_values_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    trace = Trace()
    with trace.span("route", wanted="[red]x") as span:
        span.note(terms=["[/]"] * 20)
    with pytest.raises(KeyError), trace.span("broken"):
        raise KeyError
    terminal.print_trace(trace)
    out = flat(capsys.readouterr().out)
    assert "wanted=[red]x" in out
    assert "[/], …]" in out
    assert "KeyError" in out


def test_a_path_is_shown_fact_by_fact():
    value = answer("Gout can lead to fever.", "Gout", "http://x.example/a")
    facts = [CitedFact(head="gout", relation="complication", tail="fever[/]", source="lib-gout")]
    cited = value.citations[0].model_copy(update={"kind": "path", "facts": facts})
    out = shown(value.model_copy(update={"citations": [cited]}))
    assert "    gout -[complication]-> fever[/] (lib-gout)" in out.splitlines()
    assert "verbatim" not in out, "it is worded from a fact"
    assert "verbatim" in shown(value)
