"""ESearch and ESpell: a term in PubMed's syntax -> one reply, with all that PubMed says about it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence

from reasoning.literature import SearchReply, State
from reasoning.retrieval.eutils.documents import Found, read_search, read_spelling
from reasoning.retrieval.eutils.dropping import find_dropped
from reasoning.retrieval.eutils.session import Session
from reasoning.retrieval.eutils.transport import Outcome

CEILING = 9_999  # hits of one query that PubMed serves, whatever is asked for (case F03)
_RESTRICTED = re.compile(r"restrictions? applied", re.IGNORECASE)
_LARGE = 1 << 16  # bytes that are read beside the event loop


async def search_pubmed(session: Session, term: str, asked: Collection[str], limit: int) -> SearchReply:
    """Up to `limit` PMIDs by relevance, never past the ceiling; `asked` are the words in the term."""
    params = {"db": "pubmed", "term": term, "sort": "relevance", "retmode": "xml"}
    params["retmax"] = str(max(1, min(limit, CEILING)))
    outcome = await session.ask("esearch.fcgi", params, ("eSearchResult",))
    found = await _read(outcome)
    if found is None:
        return _failed(outcome, term)
    keys = tuple(dict.fromkeys(each for each in found.ids if each.isdecimal()))[:limit]
    if found.count and not keys:
        return _failed(outcome, term, f"broken_reply: {found.count} hits are told, and none is given.")
    state: State = "results" if found.count else "empty"
    unknown_fields = (f"unknown field: {field}" for field in found.fields_not_found)
    return SearchReply(
        state=state,
        door="pubmed",
        keys=keys,
        count=found.count,
        sent=term,
        translation=found.translation,
        dropped=find_dropped(found, asked),
        phrases_not_found=found.quoted_phrases_not_found,
        ignored=found.ignored,
        warnings=(*found.messages, *unknown_fields),
        clamped=len(keys) < min(limit, found.count) or any(map(_RESTRICTED.search, found.messages)),
        calls=outcome.calls,
    )


def _failed(outcome: Outcome, term: str, reason: str | None = None) -> SearchReply:
    told = outcome.reason or reason or "broken_reply: The reply holds no count."
    return SearchReply(outcome.state, "pubmed", sent=term, reason=told, calls=outcome.calls)


async def _read(outcome: Outcome) -> Found | None:
    if outcome.failure:
        return None
    if len(outcome.body) > _LARGE:
        return await asyncio.to_thread(read_search, outcome.body)
    return read_search(outcome.body)


async def correct_spelling(session: Session, text: str) -> str | None:
    """What PubMed would search for instead; None where it has nothing better or cannot be asked."""
    params = {"db": "pubmed", "term": text}
    outcome = await session.ask("espell.fcgi", params, ("eSpellResult",))
    suggestion = None if outcome.failure else read_spelling(outcome.body)
    return suggestion if suggestion and suggestion.lower() != text.lower().strip() else None


async def find_headings(session: Session, names: Sequence[str]) -> tuple[frozenset[str], bool]:
    """Those of the names that are MeSH headings or entry terms of one, and whether all could be told.

    One request asks for all; what its answer leaves open is asked for by itself.
    """
    found = await _search_mesh(session, names)
    if found is None:
        return frozenset(), False
    verdicts = {name: _verdict(name, names, found) for name in names}
    complete = True
    for name, verdict in verdicts.items():
        if verdict is None:
            alone = await _search_mesh(session, [name])
            complete &= alone is not None
            verdicts[name] = alone is not None and bool(_verdict(name, [name], alone))
    return frozenset(name for name, verdict in verdicts.items() if verdict), complete


async def _search_mesh(session: Session, names: Sequence[str]) -> Found | None:
    term = " OR ".join(f'"{name}"[mh]' for name in names)
    params = {"db": "mesh", "term": term, "retmax": "20", "retmode": "xml"}
    return await _read(await session.ask("esearch.fcgi", params, ("eSearchResult",)))


def _verdict(name: str, names: Sequence[str], found: Found) -> bool | None:
    """Whether this one of the names is a heading; None where the reply to all together does not tell."""
    lost = {_bare(phrase) for phrase in (*found.phrases_not_found, *found.quoted_phrases_not_found)}
    if _bare(name) in lost:
        return False
    counts: Mapping[str, int] = {_bare(term): n for term, n in (found.terms or {}).items()}
    if _bare(name) in counts:
        return counts[_bare(name)] > 0
    if f'"{name.lower()}"[mesh terms]' in found.translation.lower():
        return found.count > 0
    if len(names) == 1:
        return found.count > 0 and "all fields" not in found.translation.lower()
    return None


def _bare(term: str) -> str:
    """A term without its tag and quotes, as names are compared."""
    return " ".join(re.sub(r"\[[^\]]*\]|\"", " ", term).lower().split())
