"""Linking by equal names alone: what stands in a graph under just these words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reasoning.linking.types import Link, RunnerUp
from reasoning.routing.words import HAN
from storage.corpus.graph import Graph
from storage.graph import NameMatch

_LONGEST = 8  # words of a name, or characters of a Chinese one; our choice
_PIECE = re.compile(rf"[{HAN}]|[^\W{HAN}]+(?:['’\-][^\W{HAN}]+)*")


class ExactLinker:
    """Names and aliases as they are written, the longest first; no likeness of any kind."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def link(self, text: str, language: str) -> tuple[Link, ...]:
        """Mentions that no longer one covers, in the order of the text."""
        spans = sorted(_spans(text), key=lambda span: (span[0] - span[1], span[0]))
        found = await self._graph.find_names({text[start:end] for start, end in spans})
        links: list[Link] = []
        for start, end in spans:
            matches = found.get(text[start:end])
            if matches and not any(link.start < end and start < link.end for link in links):
                links.append(_link(text, start, end, matches))
        return tuple(sorted(links, key=lambda link: link.start))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    pieces = [match.span() for match in _PIECE.finditer(text)]
    for at, (start, _) in enumerate(pieces):
        for _, end in pieces[at : at + _LONGEST]:
            yield start, end


def _link(text: str, start: int, end: int, matches: list[NameMatch]) -> Link:
    """The first is meant; others of its name are its twins in other graphs."""
    first, *others = (match.entity for match in matches)
    name = first.name.casefold()
    twins = tuple(one for one in others if one.name.casefold() == name and one.graph != first.graph)
    rest = [match for match in matches[1:] if match.entity not in twins]
    runners_up = tuple(RunnerUp(match.entity, match.name, match.score) for match in rest)
    return Link(text[start:end], start, end, first, 1.0, 0.0 if rest else 1.0, "alias", runners_up, twins)
