"""The registry of methods. A further method is one folder and one line here."""

from collections.abc import Mapping

from reasoning.evidence import Method
from reasoning.methods.cometa import answer_from_literature
from reasoning.methods.mirage import answer_from_graph

METHODS: Mapping[str, Method] = {
    "literature": answer_from_literature,
    "mirage": answer_from_graph,
}

__all__ = ["METHODS"]
