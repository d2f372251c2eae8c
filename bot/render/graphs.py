"""What the graphs say about an entity, and paths between two, for a terminal (rich) and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text
from rich.tree import Tree

from storage.corpus.graph import Graph
from storage.graph import (
    Entity,
    FactPath,
    GraphFact,
    NameMatch,
    Neighbourhood,
    Neighbours,
    Outcome,
    Paths,
    Reading,
)

_SIMILAR = 5
_SEVERAL = "…"


@dataclass(frozen=True, slots=True)
class Looked:
    """One or two names as they were asked, what they were found to mean, and what was looked up.

    `similar` are names like one that no graph has.
    """

    asked: tuple[str, ...]
    found: tuple[tuple[Entity, ...], ...]
    similar: tuple[tuple[NameMatch, ...], ...]
    neighbourhood: Neighbourhood | None = None
    paths: Paths | None = None
    hops: int = 0


async def look(graph: Graph, names: Sequence[str], limit: int, hops: int) -> Looked:
    """Facts of one entity, or paths between two."""
    matches = await graph.find_names(names)
    found = [[match.entity.id for match in matches.get(name, ())] for name in names]
    known = await graph.read_entities({key for keys in found for key in keys})
    entities = tuple(tuple(known[key] for key in keys) for keys in found)
    similar = [
        () if keys else tuple(await graph.search_names(name, _SIMILAR))
        for name, keys in zip(names, found, strict=True)
    ]
    looked = Looked(tuple(names), entities, tuple(similar), hops=hops)
    if len(names) == 1:
        near = await graph.neighbours(found[0], limit)
        return Looked(looked.asked, looked.found, looked.similar, near)
    paths = await graph.paths(found[0], found[1], hops, limit)
    return Looked(looked.asked, looked.found, looked.similar, None, paths, hops)


def render(looked: Looked) -> Iterator[Tree | Text]:
    """No word says that two things have nothing to do with each other: the graphs cannot know (F22.4)."""
    for name, entities, similar in zip(looked.asked, looked.found, looked.similar, strict=True):
        if not entities:
            names = ", ".join(match.name for match in similar)
            yield Text(f"No graph knows {name!r}." + (f" Names like it: {names}." if names else ""))
    if all(looked.found):
        yield from _render_facts(looked) if looked.neighbourhood else _render_paths(looked)


def _render_facts(looked: Looked) -> Iterator[Tree | Text]:
    assert looked.neighbourhood
    if looked.neighbourhood.outcome is Outcome.TIME_OUT:
        yield Text("Time ran out before the facts were read; there may be some.")
        return
    for entity in looked.found[0]:
        tree = Tree(_title(entity))
        for group in looked.neighbourhood.groups:
            if group.entity.id == entity.id:
                _add_group(tree, group)
        yield tree


def _title(entity: Entity) -> Text:
    kinds = f" ({', '.join(entity.kinds)})" if entity.kinds else ""
    also = f"; also {', '.join(entity.aliases)}" if entity.aliases else ""
    return Text.assemble((entity.name, "bold"), f"{kinds}, {entity.degree:,} facts in {entity.graph}{also}")


def _add_group(tree: Tree, group: Neighbours) -> None:
    reading = group.facts[0].read_from(group.entity.id)
    cut = f" ({group.cut:,} more)" if group.cut else ""
    branch = tree.add(Text.assemble((_open(reading, group), "cyan"), (cut, "dim")))
    for fact in group.facts:
        branch.add(Text.assemble(fact.other(group.entity.id).name, "  ", (_sources(fact), "dim")))


def _open(reading: Reading, group: Neighbours) -> str:
    """The wording with the other end left open, true in the direction it is read."""
    head, tail = (group.entity.name, _SEVERAL) if group.forward else (_SEVERAL, group.entity.name)
    wording = reading.wording
    return wording.format(head=head, tails=tail) if wording else f"{head} -[{reading.relation}]-> {tail}"


def _sources(fact: GraphFact) -> str:
    shown = ", ".join(fact.sources[:3])
    return shown + (f" and {len(fact.sources) - 3} more" if len(fact.sources) > 3 else "")


def _render_paths(looked: Looked) -> Iterator[Tree | Text]:
    paths = looked.paths
    assert paths
    start, end = looked.asked
    if paths.outcome is Outcome.SAME:
        yield Text(f"{start} and {end} are one entity here: {looked.found[0][0].name}.")
    elif paths.outcome is Outcome.NOTHING:
        yield Text(
            f"The graphs have no path of up to {looked.hops} facts from {start} to {end}. "
            "They list only some of what is known, so this answers nothing about the two."
        )
    elif paths.outcome is Outcome.TIME_OUT:
        yield Text(
            f"Time ran out after paths of up to {paths.searched} facts were searched; longer ones may exist. "
            "This answers nothing about the two."
        )
    for place, path in enumerate(paths.paths, start=1):
        yield _path_tree(place, path)
    if paths.more:
        yield Text(f"There are more paths of {paths.paths[0].hops} facts; --limit shows them.", style="dim")


def _path_tree(place: int, path: FactPath) -> Tree:
    names = " – ".join(entity.name for entity in path.entities)
    tree = Tree(
        Text.assemble((f"{place}. ", "cyan"), (names, "bold"), (f"  {path.entities[0].graph}", "dim"))
    )
    for start, fact, beside in zip(path.entities, path.facts, path.beside, strict=False):
        for each in (fact, *beside):
            tree.add(Text.assemble(each.read_from(start.id).say(), "  ", (_sources(each), "dim")))
    return tree


def as_json(looked: Looked) -> dict[str, Any]:
    """One object: what was asked, how it ended, and the facts in their true direction."""
    names = [
        {
            "asked": asked,
            "entities": [_entity(e) for e in found],
            "similar": [match.name for match in similar],
        }
        for asked, found, similar in zip(looked.asked, looked.found, looked.similar, strict=True)
    ]
    if looked.neighbourhood:
        groups = [
            {
                "entity": group.entity.name,
                "graph": group.entity.graph,
                "relation": group.relation,
                "total": group.total,
                "cut": group.cut,
                "facts": [_fact(fact) for fact in group.facts],
            }
            for group in looked.neighbourhood.groups
        ]
        return {"names": names, "outcome": looked.neighbourhood.outcome.value, "groups": groups}
    paths = looked.paths
    assert paths
    return {
        "names": names,
        "outcome": paths.outcome.value,
        "hops": looked.hops,
        "searched": paths.searched,
        "more": paths.more,
        "paths": [
            {
                "entities": [entity.name for entity in path.entities],
                "graph": path.entities[0].graph,
                "facts": [_fact(fact) for fact in path.facts],
                "beside": [[_fact(fact) for fact in facts] for facts in path.beside],
            }
            for path in paths.paths
        ],
    }


def _entity(entity: Entity) -> dict[str, Any]:
    fields = {"name": entity.name, "kinds": list(entity.kinds), "graph": entity.graph, "facts": entity.degree}
    return fields | {"aliases": list(entity.aliases)}


def _fact(fact: GraphFact) -> dict[str, Any]:
    ends = {"head": fact.head.name, "relation": fact.relation, "tail": fact.tail.name}
    return ends | {"sources": list(fact.sources), "version": fact.version}
