"""An answer beside its evidence: sentences with the sources they cite, sources with the sentences that cite
them, their quotes word for word, and what became of them since.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from reasoning.types import Answer, Citation
from storage.facts import relations
from storage.history.review import Cited, Exchange


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of the answer, numbered from 1, and the sources it cites."""

    number: int
    text: str = field(repr=False)
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A cited source as it was shown. `now` is None where nobody looked since; `sentences` cite it."""

    n: int
    title: str
    url: str | None
    ids: tuple[tuple[str, str], ...]  # (name, value)
    published: str
    quotes: tuple[str, ...] = field(repr=False)
    facts: tuple[str, ...]
    then: str
    now: str | None
    sentences: tuple[int, ...]

    @property
    def changed(self) -> bool:
        return self.now is not None and self.now != self.then


@dataclass(frozen=True, slots=True)
class Evidence:
    """`answer` is None where the kept one is of another shape than today's; then `text` is all there is."""

    answer: Answer | None
    text: str = field(repr=False)
    sentences: tuple[Said, ...]
    sources: tuple[Source, ...]


def read_evidence(exchange: Exchange) -> Evidence:
    answer = _read(exchange.answer)
    said = tuple(_said(answer)) if answer else ()
    citations = {citation.n: citation for citation in answer.citations} if answer else {}
    sources = tuple(_source(cited, citations.get(cited.n), said, answer) for cited in exchange.citations)
    return Evidence(answer, text_of(exchange.answer), said, sources)


def text_of(kept: dict[str, Any] | None) -> str:
    """The words of a kept answer."""
    body = (kept or {}).get("answer")
    return str(body.get("text", "")) if isinstance(body, dict) else ""


def _read(kept: dict[str, Any] | None) -> Answer | None:
    try:
        return Answer.model_validate(kept | {"trace": None}) if kept else None
    except ValidationError:
        return None


def _said(answer: Answer) -> Iterator[Said]:
    for number, sentence in enumerate(answer.answer.sentences, start=1):
        yield Said(number, sentence.text, tuple(sentence.citations))


def _relation(name: str) -> str:
    """Its words, as they stand on an arrow."""
    found = relations().get(name)
    return found.arrow if found else name


def _source(cited: Cited, citation: Citation | None, said: tuple[Said, ...], answer: Answer | None) -> Source:
    quotes = [cited.quote] if cited.quote else []
    for sentence in answer.answer.sentences if answer else ():
        quotes += [one.quote for one in sentence.support if one.n == cited.n]
    ids = [("document", cited.doc_id), ("PMID", cited.pmid), ("PMCID", citation.pmcid if citation else None)]
    published = [citation.journal, str(citation.year or "")] if citation else []
    facts = citation.facts if citation else ()
    return Source(
        n=cited.n,
        title=cited.title,
        url=cited.url,
        ids=tuple((name, value) for name, value in ids if value),
        published=", ".join(filter(None, published)),
        quotes=tuple(dict.fromkeys(quotes)),
        facts=tuple(f"{one.head} {_relation(one.relation)} {one.tail}" for one in facts),
        then=cited.standing,
        now=cited.now,
        sentences=tuple(one.number for one in said if cited.n in one.citations),
    )
