"""The knowledge graphs of the corpus: names, neighbours and paths."""

from storage.corpus.graph.graph import Graph

__all__ = ["Graph"]
