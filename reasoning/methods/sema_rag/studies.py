"""PubMed, where the gap asks for published studies: found, fetched into the corpus, and read there
(methods.md 3.3; the ladder of sources)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reasoning.evidence import Evidence, Question, Tools
from reasoning.methods.sema_rag.interpreting import Schema
from reasoning.retrieval.subject import subject_terms, word_weight
from reasoning.types import Remark
from storage.corpus.terms import terms_of
from storage.query import Query, Term, all_of
from storage.words import STOP_WORDS, split_words

_NAMES, _WORDS = 2, 2  # entities, and further words of the follow-up, that a study must have; our choice


@dataclass(frozen=True, slots=True)
class Studies:
    """Passages of what PubMed found, best first; `live` where it answered."""

    evidence: tuple[Evidence, ...] = ()
    sent: tuple[str, ...] = ()
    calls: int = 0
    live: bool = False
    degraded: tuple[Remark, ...] = ()


async def find_studies(query: str, schema: Schema, question: Question, limit: int, tools: Tools) -> Studies:
    """What PubMed has on a follow-up; nothing where it is not to be asked."""
    door = next((door for door in tools.literature if door.door == "pubmed"), None)
    if door is None or question.offline:
        return Studies()
    calls, sent = 0, list[str]()
    with tools.trace.span("pubmed") as span:
        for tree in list_queries(query, schema):
            reply = await door.search(tree, limit)
            calls += reply.calls
            sent.append(reply.sent)
            span.note(state=reply.state, count=reply.count, reason=reply.reason)
            if reply.failed:
                failed = Remark(code="pubmed_failed", detail=reply.reason or "")
                return Studies((), tuple(sent), calls, False, (failed,))
            if reply.keys:
                break
        else:
            return Studies((), tuple(sent), calls, bool(sent))
        fetched = await door.fetch(reply.keys)
        keys = [key for key, article in fetched.articles.items() if article.standing.citable]
        span.note(fetched=len(keys))
    degraded = (
        (Remark(code="pubmed_fetch_failed", detail=fetched.reason or ""),)
        if fetched.state in ("transient", "permanent")
        else ()
    )
    if not keys:
        return Studies((), tuple(sent), calls, True, degraded)
    found = await tools.retrieval.recall(replace(question, text=query), keys, limit, tools.trace)
    return Studies(tuple(found.evidence), tuple(sent), calls, True, (*degraded, *found.degraded))


def list_queries(query: str, schema: Schema) -> list[Query]:
    """From strict to loose: the entities that a follow-up names with its heaviest words, then they alone."""
    said = frozenset(terms_of(query))
    names = [
        entity
        for entity in schema.entities
        if _is_searchable(entity) and terms_of(entity) and frozenset(terms_of(entity)) <= said
    ][:_NAMES]
    named = frozenset(term for name in names for term in terms_of(name))
    subject = subject_terms(query)
    words = [
        word
        for word in dict.fromkeys(split_words(query))
        if word not in STOP_WORDS and word.isascii() and not named & frozenset(terms_of(word))
    ]
    words = [word for word in words if any(term in subject for term in terms_of(word))]
    heaviest = sorted(words, key=lambda word: -word_weight(word))[:_WORDS]
    trees = (all_of(*map(Term, [*names, *heaviest])), all_of(*map(Term, names or heaviest[:1])))
    return list(dict.fromkeys(tree for tree in trees if tree is not None))


def _is_searchable(name: str) -> bool:
    return name.isascii() and any(word not in STOP_WORDS for word in split_words(name))
