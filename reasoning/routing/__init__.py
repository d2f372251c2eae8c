"""The router: options, then cancer, then entities, then the decision (architecture 2.4)."""

from reasoning.routing.decision import Judgement, judge
from reasoning.routing.entities import Entity, link_entities
from reasoning.routing.options import Option, Parted, find_options, part_options
from reasoning.routing.ties import ROUTE, decide

__all__ = [
    "ROUTE",
    "Entity",
    "Judgement",
    "Option",
    "Parted",
    "decide",
    "find_options",
    "judge",
    "link_entities",
    "part_options",
]
