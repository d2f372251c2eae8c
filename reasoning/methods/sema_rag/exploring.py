"""The explorer: rounds of retrieval until the evidence is sufficient (methods.md 3.2).

queries -> retrieve k each -> relevance floor -> C -> s, gap, follow-ups -> queries ...
           stops: sufficient, budget, stagnation; early exit, or a single round, by preset
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reasoning.encoders import EncoderError
from reasoning.evidence import Evidence, Retrieved
from reasoning.grounding.passages import GivenPassage, number_passages
from reasoning.methods.sema_rag.course import Course
from reasoning.methods.sema_rag.covering import (
    agrees_at_once,
    find_uncovered,
    find_unseparated,
    find_unspoken,
)
from reasoning.methods.sema_rag.following import Followups, sift
from reasoning.methods.sema_rag.rounds import AskedQuery, Round, Stop
from reasoning.methods.sema_rag.snippets import show_passages
from reasoning.methods.sema_rag.studies import Studies, find_studies
from reasoning.methods.sema_rag.sufficiency import EXPLORE, ExploreInputs, Judged, Unmet, settle
from reasoning.retrieval.reranking import Judge
from reasoning.types import Remark


async def explore(course: Course) -> Stop:
    """Fill the pool, round by round; why it ended."""
    with course.tools.trace.span("explore", preset=course.preset.name) as span:
        course.stop = stop = await _explore(course)
        span.note(stop=stop, rounds=len(course.rounds), snippets=len(course.pool.snippets))
    return stop


async def _explore(course: Course) -> Stop:
    preset = course.preset
    queries: tuple[str, ...] = (course.interpreted.linear.text,)
    literature = False
    while True:
        number = len(course.rounds) + 1
        with course.tools.trace.span("round", number=number) as span:
            current = Round()
            course.rounds.append(current)
            for query in queries:
                current.queries.append(await _ask(query, number, course, literature=literature))
            span.note(new=current.new, queries=len(queries))
            if number > 1 and not current.new:
                return "stagnation"
            if not preset.explorer:
                return "single_round"
            passages = number_passages((await course.complete(course.pool.packed())).evidence)
            if number == 1 and preset.early_exit and agrees_at_once(course.interpreted, passages):
                return "early_exit"
            current.judged = judged = await _judge(course, passages)
            span.note(sufficient=judged.sufficient, gap=judged.gap, by=judged.by, forced=judged.forced)
            if judged.sufficient and preset.stops:
                return "sufficient"
            if number >= preset.rounds:
                return "budget"
            current.followups = chosen = await _choose_followups(judged, course)
            span.note(followups=list(chosen.kept), rejected=[list(pair) for pair in chosen.rejected])
            if not chosen.kept:
                return "stagnation"
            queries, literature = chosen.kept, judged.literature and preset.literature


async def _choose_followups(judged: Judged, course: Course) -> Followups:
    texts = list(dict.fromkeys([*course.asked, *(text.strip() for text in judged.followups)]))
    likeness = await course.compare(texts, texts)
    schema = course.interpreted.schema
    return sift(judged, schema, course.asked, course.question, course.preset, likeness or {})


async def _ask(query: str, number: int, course: Course, *, literature: bool) -> AskedQuery:
    """One query of the local corpus, and of PubMed where the gap wants studies."""
    preset, question = course.preset, replace(course.question, text=query)
    at = len(course.asked)
    with course.tools.trace.span("retrieve", query=query, limit=preset.per_query) as span:
        found = await course.tools.retrieval.retrieve(
            question,
            preset.per_query,
            course.tools.trace,
            per_article=preset.per_article,
            lexical_weight=preset.lexical_weight,
        )
        studies = Studies()
        if literature:
            studies = await find_studies(
                query, course.interpreted.schema, course.question, preset.per_query, course.tools
            )
        hits = _merge(found.evidence, studies.evidence, preset.per_query)
        kept, below = await _pass_floor(query, hits, found.comparable, course)
        course.pool.refuse(below, "below the relevance floor")
        added = course.pool.add(kept, number, at)
        span.note(hits=len(hits), new=added.new, known=added.known, capped=added.capped, below=len(below))
    _remember(course, found, studies)
    return AskedQuery(query, len(hits), added, len(below), studies.sent)


def _merge(local: Sequence[Evidence], studies: Sequence[Evidence], limit: int) -> list[Evidence]:
    """At most k, by similarity where PubMed brought something new."""
    if not studies:
        return list(local)
    distinct = {item.eid: item for item in (*studies, *local)}
    return sorted(distinct.values(), key=lambda item: -item.score)[:limit]


async def _pass_floor(
    query: str, found: Sequence[Evidence], comparable: bool, course: Course
) -> tuple[list[Evidence], list[Evidence]]:
    """What may enter C, and what is too far from its query: by the reranker where it judges, else by the
    encoder's similarity where that can be compared (methods.md 3.6)."""
    least, reranker = course.preset.least_similarity, course.tools.reranker
    if least <= 0 or not found:
        return list(found), []
    if isinstance(reranker, Judge):
        try:
            scores = await reranker.rank(query, [item.source for item in found])
        except EncoderError as error:
            course.lack((Remark(code="rerank_failed", detail=type(error).__name__),))
        else:
            passing = [score >= reranker.floor for score in scores]
            return _part(found, passing)
    return _part(found, [not comparable or item.similarity >= least for item in found])


def _part(found: Sequence[Evidence], passing: Sequence[bool]) -> tuple[list[Evidence], list[Evidence]]:
    pairs = list(zip(found, passing, strict=True))
    return [item for item, good in pairs if good], [item for item, good in pairs if not good]


def _remember(course: Course, found: Retrieved, studies: Studies) -> None:
    if course.first.vector is None:
        course.first = found
    course.retracted |= found.retracted
    course.esearch_calls += studies.calls
    course.live = course.live or studies.live
    course.warnings += [remark for remark in found.warnings if remark not in course.warnings]
    course.lack((*found.degraded, *studies.degraded))


async def _judge(course: Course, passages: tuple[GivenPassage, ...]) -> Judged:
    """One call: flag, gap and follow-ups; then what the rules have against it."""
    interpreted, preset, tools = course.interpreted, course.preset, course.tools
    uncovered = find_uncovered(interpreted, passages)
    objections = await _list_objections(course, passages)
    inputs = ExploreInputs(
        interpreted.question_en,
        interpreted.schema,
        tuple(course.asked),
        preset.width,
        show_passages(passages, interpreted.linear.text, preset.sentences),
        (*uncovered, *objections),
    )
    result = await tools.llm.run(EXPLORE, inputs, tools.budget, tools.trace)
    course.rounds[-1].read = len(result.inputs.passages)
    return settle(
        result.value,
        EXPLORE.rule(inputs),
        by=result.by,
        reason=result.reason,
        parsed=not result.unreadable,
        empty=not passages,
        objections=tuple(unmet.what for unmet in objections),
    )


async def _list_objections(course: Course, passages: tuple[GivenPassage, ...]) -> list[Unmet]:
    """What holds against a model's "enough" too: options that cannot be told apart, or facets left out."""
    if course.question.options:
        if not course.preset.matrix or not passages:
            return []
        weighed = await course.weigh(passages[: course.preset.weighed])
        return find_unseparated(course.interpreted, weighed, weighed.ranked) if weighed else []
    return find_unspoken(course.interpreted, passages) if course.preset.facets else []
