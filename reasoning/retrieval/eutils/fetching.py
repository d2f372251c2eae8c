"""EFetch: PubMed records by PMID, PMC articles by PMCID, in batches; who was asked for is who is used.

A record that comes back under another id is not used (case F13.2), and an id that does not come back is
missing only where the reply was whole.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from reasoning.literature import State
from reasoning.retrieval.eutils.errors import Refused
from reasoning.retrieval.eutils.session import Session
from reasoning.retrieval.eutils.transport import Outcome
from reasoning.retrieval.reading import BadIdentifier, ReadingError, Rejected, read_jats, read_pubmed
from storage.documents import Article

RECORDS, FULL_TEXTS = 200, 20  # a request (methods.md 5.1); full texts are large: our choice
_PUBMED_ROOTS = ("PubmedArticleSet", "PubmedBookArticleSet")
_PMC_ROOTS = ("pmc-articleset", "article")
_NONE_OF_THEM = "ID list is empty"  # what EFetch says, with status 400, where it knows no id of a request


@dataclass(slots=True)
class Fetched:
    """Articles by the id they were asked by; `absent` do not exist or are not to be had; `failed` could not
    be told, for `reason`."""

    articles: dict[str, Article] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    state: State = "results"
    reason: str | None = None
    calls: int = 0

    def add(self, other: Fetched) -> None:
        self.articles |= other.articles
        self.absent += other.absent
        self.failed += other.failed
        self.calls += other.calls
        if other.reason:
            self.state, self.reason = other.state, other.reason


async def fetch_records(session: Session, pmids: Sequence[str]) -> Fetched:
    """PubMed records by PMID, articles and books; absent ones do not exist."""
    requests = (
        _fetch(session, {"db": "pubmed"}, part, part, _PUBMED_ROOTS, _read_records)
        for part in _parts(pmids, RECORDS)
    )
    return _joined(await asyncio.gather(*requests))


async def fetch_full_texts(session: Session, pmcids: Sequence[str]) -> Fetched:
    """PMC articles by PMCID, with or without a body; absent ones are not in PMC, or not for everybody."""
    requests = (
        _fetch(session, {"db": "pmc"}, part, [each[3:] for each in part], _PMC_ROOTS, _read_full_texts)
        for part in _parts(pmcids, FULL_TEXTS)
    )
    return _joined(await asyncio.gather(*requests))


_Read = Callable[[bytes], tuple[dict[str, Article], str | None]]


async def _fetch(
    session: Session,
    database: Mapping[str, str],
    asked: Sequence[str],
    ids: Sequence[str],
    roots: Collection[str],
    read: _Read,
) -> Fetched:
    """One request; `ids` are the asked ones as this database knows them."""
    params = {**database, "id": ",".join(ids), "retmode": "xml"}
    outcome = await session.ask("efetch.fcgi", params, roots)
    if outcome.failure:
        return _explain(outcome, asked)
    found, trouble = await asyncio.to_thread(read, outcome.body)
    articles = {each: found[each] for each in asked if each in found}
    rest = [each for each in asked if each not in found]
    if trouble and rest:
        return Fetched(articles, [], rest, "transient", f"broken_reply: {trouble}", outcome.calls)
    return Fetched(articles, rest, calls=outcome.calls)


def _explain(outcome: Outcome, asked: Sequence[str]) -> Fetched:
    if isinstance(outcome.failure, Refused) and _NONE_OF_THEM in str(outcome.failure):
        return Fetched(absent=list(asked), calls=outcome.calls)
    return Fetched({}, [], list(asked), outcome.state, outcome.reason, outcome.calls)


def _read_records(body: bytes) -> tuple[dict[str, Article], str | None]:
    return _collect(read_pubmed, body, lambda article: article.pmid)


def _read_full_texts(body: bytes) -> tuple[dict[str, Article], str | None]:
    return _collect(read_jats, body, lambda article: article.pmcid)


def _collect(
    read: Callable[[bytes], Iterator[Article | Rejected]], body: bytes, key: Callable[[Article], str | None]
) -> tuple[dict[str, Article], str | None]:
    """Articles by id, and what was wrong with the rest of the document."""
    articles: dict[str, Article] = {}
    trouble: str | None = None
    try:
        for item in read(body):
            if isinstance(item, Rejected):
                trouble = item.reason
            elif name := key(item):
                articles[name] = item
    except ReadingError as error:
        trouble = str(error)
    return articles, trouble


def _parts(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (ids[at : at + size] for at in range(0, len(ids), size))


def _joined(parts: Sequence[Fetched]) -> Fetched:
    whole = Fetched()
    for part in parts:
        whole.add(part)
    return whole


def one_form(keys: Sequence[str], read: Callable[[str], str]) -> tuple[list[str], dict[str, str]]:
    """Ids in their one form, each once, and what is none, with why."""
    good: list[str] = []
    bad: dict[str, str] = {}
    for key in keys:
        try:
            good.append(read(key))
        except BadIdentifier as error:
            bad[key] = str(error)
    return list(dict.fromkeys(good)), bad
