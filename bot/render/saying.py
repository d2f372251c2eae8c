"""What is said in an answer, and in which order: the one place that decides it for every look.

Warnings first, the chosen option, the sentences with their numbers, the sources, how sure it is and who wrote
it, then the other notices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import regex

from bot.render.spoken import Kind, Paragraph, Span, clean
from reasoning.types import Answer, Citation, CitedFact, Level, Notice, Sentence

FIRST = ("emergency", "urgent")
LONGEST_NAME = 300  # graphemes of a title or journal in a chat, our choice: a source is never cut in two
_LONGEST_END = 100  # of what a fact names
_CLOSE = {("heading", "source"), ("source", "source"), ("quiet", "quiet")}  # no empty line between
# Notices in fixed words; the others name or quote something, and are read like the answer.
_QUIET = frozenset({"scope", "degraded", "language", "handover", "stale"})


def say_answer(answer: Answer, longest: int | None = None) -> tuple[Paragraph, ...]:
    """The paragraphs of an answer; names in sources have at most `longest` graphemes, by default as many as
    they have."""
    from reasoning.composing import paragraphs_of, say_choice

    body, urls = answer.answer, {citation.n: citation.url for citation in answer.citations}
    said = [
        paragraph
        for notice in body.notices
        if notice.code in FIRST
        for paragraph in say_reply(notice.text, _level(notice, answer))
    ]
    if body.choice:
        said.append(_one("choice", say_choice(body.choice, answer.language)))
    said += [_sentences(group, urls) for group in paragraphs_of(body.sentences)]
    said += _say_rest(answer, longest)
    said += [_say_notice(notice) for notice in body.notices if notice.code not in FIRST]
    return _with_gaps(said)


def say_stored(answer: Answer, longest: int | None = None) -> tuple[Paragraph, ...]:
    """The stored text as it is, without a look or a link, then its sources with their addresses in words."""
    said = [_one("text", piece) for piece in answer.answer.text.split("\n\n")]
    for paragraph in _with_gaps([*_say_rest(answer, longest)]):
        url = next((span.url for span in paragraph.spans if span.url), None)
        words = f"{paragraph.text}\n{clean(url)}" if url else paragraph.text
        said.append(Paragraph("text", (Span(words),), paragraph.gap))
    return tuple(paragraph for paragraph in said if paragraph.text)


def say_reply(text: str, level: Level = "none") -> tuple[Paragraph, ...]:
    """A fixed reply or a word of progress.

    Of a warning the first sentence stands out: whom to call. A reply to somebody who may hurt themselves
    raises no voice.
    """
    from reasoning.retrieval.segmentation import split_sentences

    words = clean(text)
    if level not in ("emergency", "urgent", "self_harm"):
        return (_one("notice", words),) if words else ()
    first = next((span.end for span in split_sentences(words)), 0) if level != "self_harm" else 0
    spans = tuple(span for span in (Span(words[:first], "strong"), Span(words[first:])) if span.text)
    return (Paragraph("warning", spans),) if spans else ()


def _level(notice: Notice, answer: Answer) -> Level:
    """Both fixed replies are notices of an emergency."""
    if answer.triage.level == "self_harm":
        return "self_harm"
    return "urgent" if notice.code == "urgent" else "emergency"


def _say_rest(answer: Answer, longest: int | None) -> Iterator[Paragraph]:
    """Sources, and how sure the answer is; nothing where it says nothing."""
    from reasoning.notices import notice

    if not answer.answer.sentences:
        return
    yield _one("heading", notice("heading_sources", answer.language))
    for citation in answer.citations:
        yield _source(citation, answer.language, longest)
    yield _one("quiet", notice(f"confidence_{answer.answer.confidence}", answer.language))
    yield _one("quiet", notice(_who_wrote(answer), answer.language))


def _with_gaps(said: Sequence[Paragraph]) -> tuple[Paragraph, ...]:
    """Sources, and the quiet lines at the end, one below the other; an empty line between all others."""
    kept = [paragraph for paragraph in said if paragraph.text]
    return tuple(
        replace(
            paragraph,
            gap="\n" if (before.kind, paragraph.kind) in _CLOSE else "\n\n",
        )
        for before, paragraph in pairwise([Paragraph("text", ()), *kept])
    )


def _who_wrote(answer: Answer) -> str:
    """Code of the notice: a model, the rules that word facts, or the sources themselves."""
    if answer.answer.written_by == "model":
        return "by_model"
    return "from_facts" if any(citation.facts for citation in answer.citations) else "evidence_only"


def _one(kind: Kind, text: str) -> Paragraph:
    return Paragraph(kind, (Span(clean(text), "strong" if kind in ("choice", "heading") else "text"),))


def _say_notice(said: Notice) -> Paragraph:
    return _one("quiet" if said.code in _QUIET else "notice", said.text)


def _sentences(group: Sequence[Sentence], urls: dict[int, str | None]) -> Paragraph:
    spans: list[Span] = []
    for sentence in group:
        if spans:
            spans.append(Span(" "))
        text = clean(sentence.text)
        spans += [Span(text), Span(" ")] if text else []
        spans += [Span(f"[{n}]", "mark", urls.get(n)) for n in sentence.citations]
    return Paragraph("text", tuple(spans))


def _source(citation: Citation, language: str, longest: int | None) -> Paragraph:
    """Number, title, place and year, what the publisher doubts or corrected and the date of that check; the
    facts of a path below, a line each."""
    from reasoning.notices import checked_on, notice

    spans = [Span(f"[{citation.n}]", "mark", citation.url), Span(" ")]
    title = _shorten(clean(citation.title).rstrip("."), longest)
    spans += [Span(title, "title", citation.url)] if title else []
    for part in (citation.journal, citation.year):
        if part:
            spans += [Span(", ")] if len(spans) > 2 else []
            spans.append(Span(_shorten(clean(str(part)), longest)))
    if citation.standing != "ok":
        said = notice(f"standing_{citation.standing}", language)
        checked = checked_on(citation.standing_checked, language)
        spans += [Span(" "), Span(f"({said}; {checked})", "caution")]
    spans += [Span(_fact(fact, longest and _LONGEST_END), "fact") for fact in citation.facts]
    return Paragraph("source", tuple(spans))


def _fact(fact: CitedFact, longest: int | None) -> str:
    head, relation, tail, source = (
        _shorten(clean(name), longest) for name in (fact.head, fact.relation, fact.tail, fact.source)
    )
    return f"\n{head} -[{relation}]-> {tail} ({source})"


def _shorten(name: str, longest: int | None) -> str:
    graphemes = regex.findall(r"\X", name) if longest and len(name) > longest else []
    return "".join([*graphemes[: longest - 1], "…"]) if longest and len(graphemes) > longest else name
