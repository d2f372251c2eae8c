"""The router: options, then cancer, then entities, then the decision (architecture 2.4)."""

from reasoning.routing.decision import Judgement, judge, route
from reasoning.routing.entities import Entity, link_entities
from reasoning.routing.options import Option, find_options

__all__ = ["Entity", "Judgement", "Option", "find_options", "judge", "link_entities", "route"]
