"""MIRAGE: parallel chains over a graph, checked against each other and against literature (methods.md 2)."""
