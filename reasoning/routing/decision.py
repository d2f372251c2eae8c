"""Which method a question goes to, by rule (architecture 2.4), and where the rule is not sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reasoning.routing.cancer import CancerSigns, find_cancer_signs
from reasoning.routing.entities import Entity, link_entities
from reasoning.routing.options import Option, find_options
from reasoning.types import Method, Route, Signals

if TYPE_CHECKING:
    from reasoning.linking.types import Link


@dataclass(frozen=True, slots=True)
class Judgement:
    """The rule's decision. A tie names the other method that the same signals allow; else `other` is None."""

    route: Route
    other: Method | None = None

    @property
    def by_entities(self) -> bool:
        """Whether the number of entities decided, neither options nor cancer."""
        return self.route.method in ("mirage", "literature")


def judge(text: str, wanted: str = "auto", links: Sequence[Link] = ()) -> Judgement:
    """Decide by rule; pure, and quick enough to stand before everything else.

    `links` are what the linker found of the text in the graphs; they count beside the lexicons' entities.
    """
    options, cancer, entities = find_options(text), find_cancer_signs(text), link_entities(text, links)
    signals = Signals(
        options=[option.label for option in options],
        cancer_terms=cancer.terms,
        entities=[entity.name for entity in entities],
    )
    if wanted != "auto":
        return Judgement(route_to(wanted, "asked for by name", signals))  # type: ignore[arg-type]
    method, reason, other = _decide(options, cancer, entities)
    return Judgement(route_to(method, reason, signals), other)


def route_to(method: Method, reason: str, signals: Signals) -> Route:
    """A route whose `ran` is the method, until that method hands over."""
    return Route(method=method, ran=method, reason=reason, signals=signals)


def _decide(
    options: tuple[Option, ...], cancer: CancerSigns, entities: tuple[Entity, ...]
) -> tuple[Method, str, Method | None]:
    """Options, then cancer, then entities; the method, why, and the other method of a tie."""
    if options:
        return "sema-rag", f"it offers options to choose from ({len(options)})", None
    if cancer.is_cancer:
        return "cometa", f"it is about cancer ({', '.join(cancer.terms[:3])})", None
    if len(entities) >= 2:
        names = f"{entities[0].name}, {entities[1].name}"
        other: Method | None = "cometa" if cancer.is_tie else None
        if len(entities) == 2 and any(entity.weak for entity in entities):
            other = other or "literature"
            if any(entity.kind == "weak" for entity in entities):
                return "literature", f"one topic beside a common circumstance ({names})", "mirage"
        return "mirage", f"it links several medical topics ({names})", other
    return (
        "literature",
        f"one topic ({entities[0].name}), read in the literature"
        if entities
        else "no particular topic was recognised, read in the literature",
        "cometa" if cancer.is_tie else None,
    )
