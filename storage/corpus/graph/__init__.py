"""The knowledge graphs of the corpus: names, neighbours and paths."""

from storage.corpus.graph.graph import Graph
from storage.corpus.graph.records import EntityRecord, FactRecord, GraphLabel, GraphRecord

__all__ = ["EntityRecord", "FactRecord", "Graph", "GraphLabel", "GraphRecord"]
