"""Graphs into the corpus: the starter graph at the first start, and whatever a person imports."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from config.resources import list_names, read_text
from storage.corpus.graph import GraphLabel, GraphRecord
from storage.facts import starter_facts

if TYPE_CHECKING:
    from bot.app import Stores
    from reasoning.encoders import Encoder

STARTER = GraphLabel("starter", "en", "the starter library", "as carecite")
_FACTS, _NAMES = "starter_graph", "starter_graph_names"


def starter_record() -> GraphRecord:
    """The shipped graph, ready to be stored; each fact's source is an article of the starter library."""
    from reasoning.retrieval.graphs import Draft
    from storage.corpus.graph.naming import fold_entity

    draft = Draft(STARTER)
    for fact in starter_facts():
        for end in (fact.head, fact.tail):
            draft.add_entity(fold_entity(end), end)
        draft.add_fact(fold_entity(fact.head), fact.relation, fold_entity(fact.tail), fact.source)
    return draft.finish()


def fingerprint() -> str:
    """Changes with the graph's files, and with what the lexicon says of relations."""
    digest = hashlib.sha256()
    for name in ("lexicons/relations.toml", *list_names("starter/graph", ".tsv")):
        digest.update(name.encode() + b"\0" + read_text(name).encode())
    return digest.hexdigest()


async def load_starter_facts(stores: Stores, say: Callable[[str], None]) -> None:
    """Bring the corpus to the shipped graph; its names may have no vectors then."""
    wanted = fingerprint()
    if await stores.corpus.read_mark(_FACTS) == wanted:
        return
    record = starter_record()
    say(f"Loading the starter graph ({len(record.facts):,} facts) …")
    await stores.graph.replace(record)
    await stores.corpus.write_mark(_FACTS, wanted)


async def load_starter_graph(stores: Stores, encoder: Encoder, say: Callable[[str], None]) -> None:
    """The shipped graph with a vector of this encoder for each name."""
    from reasoning.retrieval.graphs import embed_names

    await load_starter_facts(stores, say)
    wanted = f"{fingerprint()}/{encoder.manifest.fingerprint()}"
    if await stores.corpus.read_mark(_NAMES) == wanted:
        return
    async for _ in embed_names(stores.graph.restricted([STARTER.name]), encoder):
        pass
    await stores.corpus.write_mark(_NAMES, wanted)
