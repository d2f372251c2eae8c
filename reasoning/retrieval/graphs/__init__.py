"""Knowledge graphs as files: what each format says, checked and made ready to be stored."""

from reasoning.retrieval.graphs.draft import Draft, Refused
from reasoning.retrieval.graphs.embedding import embed_names
from reasoning.retrieval.graphs.reading import FORMATS, GraphFormat, guess_format, name_of, read_graph

__all__ = [
    "FORMATS",
    "Draft",
    "GraphFormat",
    "Refused",
    "embed_names",
    "guess_format",
    "name_of",
    "read_graph",
]
