"""What a record says about its own reliability (case F12): publication types and links, never title words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from storage.documents import PublicationType, Standing

_RETRACTED = PublicationType("Retracted Publication", "D016441")
_NOTICE = PublicationType("Retraction of Publication", "D016440")
_TYPES = {
    _RETRACTED.ui: Standing.RETRACTED,
    _RETRACTED.name.lower(): Standing.RETRACTED,
    _NOTICE.ui: Standing.RETRACTION_NOTICE,
    _NOTICE.name.lower(): Standing.RETRACTION_NOTICE,
    "retraction notice": Standing.RETRACTION_NOTICE,
}
_LINKS = {
    "RetractionIn": Standing.RETRACTED,
    "RetractedandRepublishedIn": Standing.RETRACTED,
    "RetractionOf": Standing.RETRACTION_NOTICE,
    "PartialRetractionIn": Standing.CONCERN,
    "ExpressionOfConcernIn": Standing.CONCERN,
    "UpdateIn": Standing.SUPERSEDED,
    "ErratumIn": Standing.CORRECTED,
    "CorrectedandRepublishedIn": Standing.CORRECTED,
}
_SUCCESSORS = frozenset({"UpdateIn", "CorrectedandRepublishedIn", "RetractedandRepublishedIn"})
_BY_WEIGHT = (
    Standing.RETRACTED,
    Standing.RETRACTION_NOTICE,
    Standing.CONCERN,
    Standing.SUPERSEDED,
    Standing.CORRECTED,
)


@dataclass(frozen=True, slots=True)
class Link:
    """A CommentsCorrections entry: its RefType, and the PMID at the other end where one is given."""

    kind: str
    pmid: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    standing: Standing = Standing.OK
    superseded_by: str | None = None
    links: tuple[str, ...] = ()


_NORMAL = Verdict()


def judge(types: Iterable[PublicationType], links: Iterable[Link]) -> Verdict:
    """The gravest standing that a type or a link states; either is enough.

    Where types and links disagree between retracted and retraction notice, the type decides. Of several
    successors the youngest record (highest PMID) is named: our choice.
    """
    by_type = {
        standing for kind in types if (standing := _TYPES.get(kind.ui) or _TYPES.get(kind.name.lower()))
    }
    telling = [link for link in links if link.kind in _LINKS]
    if not by_type and not telling:
        return _NORMAL
    found = by_type or {_LINKS[link.kind] for link in telling}
    successors = [link.pmid for link in telling if link.kind in _SUCCESSORS and link.pmid]
    return Verdict(
        standing=next(standing for standing in _BY_WEIGHT if standing in found),
        superseded_by=max(successors, key=int, default=None),
        links=tuple(dict.fromkeys(link.pmid for link in telling if link.pmid)),
    )
