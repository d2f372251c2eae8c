"""Answers for the tests of rendering: small ones in words of our own, and texts that break renderers.

CARECITE_TEST_EXAMPLES raises how many are tried.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from hypothesis import strategies as st

from bot.render.spoken import clean
from reasoning.composing import render_text, say_choice
from reasoning.notices import notice
from reasoning.types import Answer, AnswerBody, Choice, Citation, Level, Notice, Route, Sentence, Triage

EXAMPLES = int(os.environ.get("CARECITE_TEST_EXAMPLES", "0")) or 60
TRICKS = (
    *("*bold*", "a_b*c", "`code`", "```", "```py\nx", "~x~", "# head", "> quote", "[x](y"),
    *("[x](http://e.org/a_(b))", "http://evil.example/x", "www.evil.example", "a@b.example", "/stop"),
    *("<!channel>", "<@U123ABC>", "<#C123>", "<!here|here>", "@here", "@channel", "#general", "@some_body"),
    *("5*10^9/L", "2*3*4", "<adults only>", "dose <5 mg", "2.5 mg", "≥ 65", "−0.5", "1 000,5", "1\u20445"),
    *("|", "\\", "[1]", ":smile:", "&amp;", "&lt;", "&", "<", ">", "not", "不", "keine"),
    *("👍", "👩‍👩‍👧‍👦", "🇩🇪", "🇩🇪🇫🇷", "☝🏽", "1️⃣", "é", "e\u0301", "A\u030a", "n\u0303\u0323"),
    *("لا تأخذ أكثر من 5 ملغ", "אין לקחת 5 מ״ג", "不要超过5毫克。", "每日 2 次；", "\u200f", "각", "नि", "ก็"),
    *("\u202e54\u202c", "\u2068x\u2069", "\ufeff", "\u0333", "\ud83d", "\x00", "\x1b[31m"),
    *("\n", "\n\n", "\r\n", "\t", "\u2028", "\u00a0", "\u3000"),
)  # fmt: skip
words = (
    st.sampled_from(TRICKS) | st.text(max_size=8) | st.sampled_from(("take", "5", "mg", "twice", "a", "day."))
)
texts = st.lists(words, min_size=1, max_size=12).flatmap(
    lambda found: st.sampled_from((" ", "", "\n")).map(lambda between: between.join(found))
)
long_texts = st.tuples(texts, st.integers(1, 400)).map(lambda made: (made[0] * made[1])[:24_000])
urls = st.sampled_from((
    None, "https://example.org/a", "https://example.org/a_(b)?x=1&y=<2>", "http://example.org/" + "x" * 1500,
    "https://example.org/" + "x" * 3000, "javascript:alert(1)", "file:///etc/x", "http://[", "http://localhost/a",
    "https://example.org/a|b", "https://例子.example.org/研究",
))  # fmt: skip


def build(
    sentences: Sequence[Sequence[str]],
    *,
    notices: Sequence[Notice] = (),
    sources: Sequence[dict[str, Any]] = ({},),
    choice: Choice | None = None,
    language: str = "en",
    level: Level = "none",
    **body: Any,
) -> Answer:
    """Paragraphs of sentences, each citing the next source in turn; `text` is what the assistant stores."""
    plain: dict[str, Any] = {"title": "A title", "url": "https://example.org/a", "language": "en"}
    citations = [
        Citation(n=n, quote="a quote", **{"standing": "ok", **plain, **source})
        for n, source in enumerate(sources, start=1)
    ]
    said = [
        Sentence(text=text, citations=[1 + at % len(citations)], paragraph=paragraph)
        for paragraph, group in enumerate(sentences, start=1)
        for at, text in enumerate(group)
    ]
    text = render_text(said, notices, say_choice(choice, language))
    made = AnswerBody(
        **({"text": text, "confidence": "high"} | body),
        choice=choice,
        abstained=not said,
        sentences=said,
        notices=list(notices),
    )
    route = Route(method="literature", ran="literature", reason="")
    triage = Triage(level=level)
    return Answer(
        run_id="r", question="q", language=language, triage=triage, route=route, answer=made,
        citations=citations if said else [],
    )  # fmt: skip


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    """Any answer: broken text in every place that comes from outside."""
    source = st.fixed_dictionaries(
        {"title": texts, "url": urls, "journal": st.none() | texts, "year": st.none() | st.just(2021)},
        optional={
            "standing": st.sampled_from(("concern", "corrected")),
            "standing_checked": st.just(date(2026, 5, 2)),
        },
    )
    codes = st.sampled_from(("urgent", "scope", "degraded", "conflict", "retracted", "handover", "stale"))
    return build(
        draw(st.lists(st.lists(texts | long_texts, min_size=1, max_size=3), max_size=4)),
        notices=draw(st.lists(st.builds(Notice, code=codes, text=texts), max_size=3)),
        sources=draw(st.lists(source, min_size=1, max_size=5)),
        choice=draw(st.none() | st.builds(Choice, label=st.just("B"), text=texts)),
        language=draw(st.sampled_from(("en", "zh", "es"))),
    )


_WEIGHT = re.compile(r"\d+|[<>≤≥=±*^/%−+-]|\b(?:not|no|never|keine?|mg|ml|kg|g)\b|[不未无]")


def keeps_weight(stored: str, shown: str) -> bool:
    """Every number, operator, unit and negation in order: a second, looser judge beside the product's own."""
    there = iter(_WEIGHT.findall(shown))
    return all(wanted in there for wanted in _WEIGHT.findall(clean(stored)))


def sized(text: str) -> Answer:
    """One sentence with one source and the usual notice."""
    return build([[text]], notices=[Notice(code="scope", text=notice("scope", "en"))])


def prose(length: int) -> str:
    """Sentences with figures, of exactly so many characters."""
    line, at = "", 0
    while len(line) < length:
        at += 1
        line += f"Of {at} adults, no more than {at * 3}.5 % took <{at} mg/kg a day, not {at + 1}. "
    return line[: length - 1].rstrip().ljust(length - 1, "x") + "."
