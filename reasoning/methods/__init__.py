"""The registry of methods. A further method is one folder and one line here."""

from collections.abc import Mapping

from reasoning.evidence import Method
from reasoning.methods.cometa import LITERATURE, PRODUCT, answer_with
from reasoning.methods.mirage import answer_from_graph
from reasoning.methods.sema_rag import PRODUCT as EXAM
from reasoning.methods.sema_rag import answer_with as answer_by_roles

METHODS: Mapping[str, Method] = {
    "cometa": answer_with(PRODUCT),
    "literature": answer_with(LITERATURE),
    "mirage": answer_from_graph,
    "sema-rag": answer_by_roles(EXAM),
}

__all__ = ["METHODS"]
