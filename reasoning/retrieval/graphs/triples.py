"""Triples as lines of text: head, relation, tail and, where there is a fourth column, who states it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from reasoning.retrieval.graphs.draft import Draft
from reasoning.retrieval.graphs.opening import Tick, open_text, plain_name, quiet
from storage.corpus.graph.naming import fold_entity
from storage.facts import COLUMNS, EMPTY

_SAME_AS = {"别名", "alias", "also_known_as", "synonym"}  # the tail is another name of the head


def read_triples(path: Path, draft: Draft, tick: Tick = quiet) -> None:
    """Lines with three or four tab separated columns, with or without the header `head relation tail source`.

    Names are one entity if they differ only by case or signs; the first spelling is kept. `_` stands for a
    blank, and `;` for a comma, in names that have a `_` and no blank. What `NAME_entities.tsv` beside
    `NAME_triples.tsv` says of roles and aliases is taken. A relation such as 别名 names an alias; its tail is
    an entity too where other facts speak of it.
    """
    if beside := _entity_file(path):
        _read_entities(beside, draft)
    named: list[tuple[int, str, str, str, str]] = []
    with open_text(path, tick) as lines:
        for number, line in enumerate(lines, start=1):
            cells = [cell.strip() for cell in line.rstrip("\r\n").split("\t")]
            if number == 1 and [cell.lower() for cell in cells] in (list(COLUMNS), list(COLUMNS[:3])):
                continue
            if len(cells) not in (3, 4):
                draft.refuse(number, f"{len(cells)} columns, not 3 or 4")
                continue
            head, relation, tail, source = (*cells, "")[:4]
            if relation in _SAME_AS:
                named.append((number, head, relation, tail, source))
            else:
                _add(draft, number, head, relation, tail, source)
    for number, head, relation, tail, source in named:
        _add_alias(draft, number, head, relation, tail, source)


def _add(draft: Draft, number: int, head: str, relation: str, tail: str, source: str) -> None:
    """An empty cell is refused once, as a fact without that end."""
    ends = [_entity(draft, end) for end in (head, tail)]
    draft.add_fact(ends[0], relation, ends[1], "" if source.lower() in EMPTY else source, number)


def _add_alias(draft: Draft, number: int, head: str, relation: str, tail: str, source: str) -> None:
    if head.lower() in EMPTY or tail.lower() in EMPTY:
        draft.refuse(number, "no name" if not (head and tail) else "the name is `nan`")
        return
    other = fold_entity(written_out(tail))
    if draft.knows(other):
        _add(draft, number, head, relation, tail, source)
    draft.add_entity(_entity(draft, head), written_out(head), aliases={written_out(tail): "alias"})


def _entity(draft: Draft, cell: str) -> str:
    """Its code; a name that cannot be one is left to `add_fact` to refuse."""
    name = written_out(cell)
    code = fold_entity(name)
    if name.lower() in EMPTY or draft.knows(code):
        return name if name.lower() in EMPTY else code
    return code if draft.add_entity(code, name) else ""


def written_out(cell: str) -> str:
    """`Albumin_Human;_Usp` is `Albumin Human, Usp`."""
    return cell.replace("_", " ").replace(";", ",").strip() if "_" in cell and " " not in cell else cell


def _entity_file(path: Path) -> Path | None:
    stem = plain_name(path).removesuffix(".tsv").removesuffix("_triples")
    found = (path.with_name(f"{stem}_entities.tsv{packing}") for packing in ("", ".gz"))
    return next((file for file in found if file.is_file() and file != path), None)


def _read_entities(path: Path, draft: Draft) -> None:
    """Columns by their names: entity, and any of display, roles and aliases (`|` between several)."""
    with open_text(path) as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            name = row.get("display") or written_out(row.get("entity") or "")
            code = fold_entity(written_out(row.get("entity") or name))
            aliases = dict.fromkeys(_listed(row.get("aliases")), "alias")
            draft.add_entity(code, name, _listed((row.get("roles") or "").replace(",", "|")), aliases)


def _listed(cell: str | None) -> Sequence[str]:
    return [part.strip() for part in (cell or "").split("|") if part.strip()]
