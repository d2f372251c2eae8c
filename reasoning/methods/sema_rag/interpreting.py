"""The interpreter: a question as a clinical schema Q' (methods.md 3.1). It never sees the options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from reasoning.evidence import Question, Tools
from reasoning.exams.stems import asked_sentence
from reasoning.llm import Closed, Step
from reasoning.methods.sema_rag.guarding import names_option
from reasoning.methods.sema_rag.linearising import Linear, linearise
from reasoning.methods.sema_rag.presets import PROMPTS, Preset
from reasoning.retrieval.intents import intents_of
from reasoning.rewriting import RewriteInputs, Rewriting
from reasoning.rewriting.asking import list_unrecognised, read_inputs
from reasoning.rewriting.rule import rewrite_by_rule
from reasoning.verify.population import groups_in

Intent = Literal[
    "definition",
    "treatment",
    "diagnosis",
    "prognosis",
    "side_effect",
    "screening",
    "cause",
    "mechanism",
    "other",
]
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_DEFINES = re.compile(r"^\W*what (?:is|are|does)\b[^,;]{1,60}\W*$|\bdefin(?:e|ed|ition)\b", re.IGNORECASE)
_CONDITIONS = ("age", "reproduction")  # tables of groups that an answer may depend on
_MOST, _WORDS = 12, 12  # entities or constraints, and words of one


class Schema(Closed):
    """Q': what is wanted, of what, under which conditions, and what to search for first."""

    intent: Intent
    entities: list[str] = Field(description="diseases, findings, drugs, tests, organisms, genes it names")
    constraints: list[str] = Field(description="what the case states or implies: age, setting, course")
    init_query: str = Field(description="in English, at most 25 words: the first search")


@dataclass(frozen=True, slots=True)
class InterpretInputs:
    """`reading` is what the rule needs: the question with what the corpus knows of its words."""

    question: str
    language: str
    reading: RewriteInputs

    @property
    def known(self) -> tuple[str, ...]:
        return self.reading.known


@dataclass(frozen=True, slots=True)
class Interpreted:
    """The schema and the first query made of it; `question_en` is the question as evidence is compared with
    it, `unrecognised` names of drugs that nothing here knows (case F05)."""

    schema: Schema
    linear: Linear
    question_en: str
    by: Literal["model", "rule", "none"] = "none"
    reason: str | None = None
    unrecognised: tuple[str, ...] = ()

    @property
    def understood(self) -> bool:
        """False where nothing of a foreign question could be put into English."""
        return any(map(str.isalpha, self.linear.text))


def interpret_by_rule(inputs: InterpretInputs) -> Schema:
    """The rule: the question as it is, with the concepts that an article must have by the rewriting lexicons;
    conditions are groups of people and modifiers."""
    rewritten = rewrite_by_rule(inputs.reading)
    english, pico = rewritten.question_en, rewritten.pico
    named = [concept for concept in (*pico.P, *pico.I, *pico.C) if concept.must] or rewritten.concepts
    entities = list(dict.fromkeys(concept.name for concept in named))
    groups = sorted(group.name for group in groups_in(english, "en") if group.table in _CONDITIONS)
    conditions = [*groups, *(concept.name for concept in rewritten.modifiers if concept.must)]
    return Schema(
        intent=_intent_of(english, rewritten),
        entities=entities[:_MOST],
        constraints=[name for name in dict.fromkeys(conditions) if name not in entities][:_MOST],
        init_query=english,
    )


def _intent_of(english: str, rewritten: Rewriting) -> Intent:
    """A definition is what no other intent's word is in; else the intent of the rewriting."""
    if _DEFINES.search(asked_sentence(english)) and not intents_of(english):
        return "definition"
    return rewritten.intent


def find_nonsense(inputs: InterpretInputs, schema: Schema) -> str | None:
    """Why a schema cannot be used, in words that help a second try."""
    if not any(map(str.isalpha, schema.init_query)):
        return "write in init_query what to search for"
    texts = (schema.init_query, *schema.entities, *schema.constraints)
    if any(_CJK.search(text) for text in texts):
        return "write all of it in English"
    if max(len(schema.entities), len(schema.constraints)) > _MOST:
        return f"name at most {_MOST} entities and {_MOST} constraints"
    if any(len(text.split()) > _WORDS for text in texts[1:]):
        return f"an entity or a constraint has at most {_WORDS} words"
    return None


INTERPRET = Step("interpret", PROMPTS["interpret"], Schema, interpret_by_rule, find_nonsense)


async def interpret(question: Question, preset: Preset, tools: Tools) -> Interpreted:
    """The schema, and the first query within the encoder's window; what did not fit is in the trace."""
    with tools.trace.span("interpret", on=preset.interpreter) as span:
        reading = await read_inputs(question.text, question.language, tools.retrieval)
        by: Literal["model", "rule", "none"] = "none"
        reason = None
        english = question.text
        if preset.interpreter:
            inputs = InterpretInputs(question.text, question.language, reading)
            result = await tools.llm.run(INTERPRET, inputs, tools.budget, tools.trace)
            by, reason = result.by, result.reason
            schema, guarded = _without_options(result.value, question, inputs)
            if question.language != "en":
                english = rewrite_by_rule(reading).question_en or schema.init_query
            span.note(by=by, reason=reason, schema=schema.model_dump(), kept_out=guarded)
        else:
            schema = Schema(intent="other", entities=[], constraints=[], init_query=question.text)
        linear = await linearise(schema.init_query, schema.constraints, schema.entities, tools.retrieval)
        span.note(query=linear.text, dropped=list(linear.dropped), dropped_tokens=linear.dropped_tokens)
    names = list_unrecognised(reading) if by != "model" else ()
    return Interpreted(schema, linear, english, by, reason, names)


def _without_options(schema: Schema, question: Question, inputs: InterpretInputs) -> tuple[Schema, list[str]]:
    """The schema without what names an option that the stem does not name: it would enter the query."""

    def named(text: str) -> bool:
        return names_option(text, question.text, question.options)

    guarded = [text for text in (*schema.entities, *schema.constraints, schema.init_query) if named(text)]
    if not guarded:
        return schema, []
    query = interpret_by_rule(inputs).init_query if named(schema.init_query) else schema.init_query
    return (
        Schema(
            intent=schema.intent,
            entities=[text for text in schema.entities if not named(text)],
            constraints=[text for text in schema.constraints if not named(text)],
            init_query=query,
        ),
        guarded,
    )
