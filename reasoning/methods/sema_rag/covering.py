"""What of a question no evidence speaks to yet: the rule behind sufficiency (methods.md 3.2, 3.6). Pure."""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.exams.choosing import ChoiceInputs
from reasoning.exams.supporting import Ranked
from reasoning.grounding.passages import GivenPassage
from reasoning.methods.sema_rag.interpreting import Interpreted
from reasoning.methods.sema_rag.sufficiency import Unmet
from reasoning.retrieval.covering import LEAST_COVERAGE
from reasoning.retrieval.intents import intents_of, speaks_to
from storage.corpus.terms import terms_of

_SPOKEN = {  # intents.toml -> the words of a search
    "treatment": "treatment",
    "diagnosis": "diagnosis",
    "symptoms": "symptoms",
    "side_effects": "side effects",
    "cause": "cause",
    "outlook": "prognosis",
    "interaction": "interaction",
}


def find_uncovered(interpreted: Interpreted, passages: Sequence[GivenPassage]) -> list[Unmet]:
    """Constraints and entities that no passage names, heading included."""
    schema = interpreted.schema
    said = [frozenset(terms_of(f"{given.title} {given.evidence.text}")) for given in passages]
    parts = dict.fromkeys([*schema.constraints, *schema.entities])
    return [
        Unmet(f"nothing names {part}", _ask(part, interpreted)) for part in parts if not _is_named(part, said)
    ]


def find_unspoken(interpreted: Interpreted, passages: Sequence[GivenPassage]) -> list[Unmet]:
    """Facets of what is asked (treatment, cause, ...) that no passage on an entity speaks to."""
    entities = [frozenset(terms_of(entity)) for entity in interpreted.schema.entities]
    texts = [
        f"{given.title} {given.evidence.text}"
        for given in passages
        if not entities or any(_holds(entity, given) for entity in entities)
    ]
    facets = sorted(intents_of(interpreted.question_en))
    return [
        Unmet(f"nothing speaks of {_SPOKEN[facet]}", _ask(_SPOKEN[facet], interpreted))
        for facet in facets
        if not any(speaks_to(text, frozenset({facet})) for text in texts)
    ]


def find_unseparated(interpreted: Interpreted, weighed: ChoiceInputs, ranked: Ranked) -> list[Unmet]:
    """Whether the best option is not ahead of the next by a document of its own (methods.md 3.6)."""
    if is_separated(weighed, ranked):
        return []
    what = "the options cannot be told apart"
    asked = weighed.exam.asked
    entities = interpreted.schema.entities[:3] or [""]
    return [Unmet(what, f"{entity} {asked}".strip()) for entity in entities]


def is_separated(weighed: ChoiceInputs, ranked: Ranked) -> bool:
    """The support margin of the best option over the runner-up, in documents, is at least one."""
    if ranked.settled:
        return True
    documents = count_documents(weighed, ranked)
    best, *others = ranked.order
    rival = max((documents[label] for label in others), default=0)
    return best in ranked.borne_out and documents[best] > rival


def count_documents(weighed: ChoiceInputs, ranked: Ranked) -> dict[str, int]:
    """Label -> articles with a sentence on the matter that names the option."""
    articles = {
        sentence.ref: given.evidence.source.article.key
        for given in weighed.passages
        for sentence in given.sentences
    }
    return {
        label: len({articles[ref] for ref in ranked.refs[label]}) if label in ranked.borne_out else 0
        for label in ranked.order
    }


def agrees_at_once(interpreted: Interpreted, passages: Sequence[GivenPassage]) -> bool:
    """Whether two articles are about all that a definition asks for (the bypass of methods.md 3.6)."""
    if interpreted.schema.intent != "definition":
        return False
    about = {
        given.evidence.source.article.key for given in passages if given.evidence.coverage >= LEAST_COVERAGE
    }
    return len(about) >= 2 and not find_uncovered(interpreted, passages)


def _ask(part: str, interpreted: Interpreted) -> str:
    """The part beside the first entities, so that the search stays on the matter."""
    others = [entity for entity in interpreted.schema.entities if entity.casefold() != part.casefold()][:2]
    return " ".join([*others, part]) if others else f"{part} {interpreted.schema.init_query}"


def _is_named(part: str, said: Sequence[frozenset[str]]) -> bool:
    terms = frozenset(terms_of(part))
    return not terms or any(terms <= each for each in said)


def _holds(entity: frozenset[str], given: GivenPassage) -> bool:
    return entity <= frozenset(terms_of(f"{given.title} {given.evidence.text}"))
