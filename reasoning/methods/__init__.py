"""The registry of methods. A further method is one folder and one line here."""

from collections.abc import Mapping

from reasoning.evidence import Method
from reasoning.methods.cometa import LITERATURE, PRODUCT, answer_with
from reasoning.methods.mirage import answer_from_graph

METHODS: Mapping[str, Method] = {
    "cometa": answer_with(PRODUCT),
    "literature": answer_with(LITERATURE),
    "mirage": answer_from_graph,
}

__all__ = ["METHODS"]
