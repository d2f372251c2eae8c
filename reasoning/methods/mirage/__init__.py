"""MIRAGE: parallel chains over a graph, checked against each other and against literature (methods.md 2)."""

from reasoning.methods.mirage.method import answer_from_graph, answer_with
from reasoning.methods.mirage.presets import FAITHFUL, PRODUCT, Preset

__all__ = ["FAITHFUL", "PRODUCT", "Preset", "answer_from_graph", "answer_with"]
