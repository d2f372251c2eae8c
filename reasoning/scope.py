"""Which answers say that they are general information: on doses, pregnancy, children and interactions; what
stands below every answer is not read (chat.md 6). Words are in `scope.toml`; the rules are our choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from config.resources import read_toml
from reasoning.notices import LANGUAGES
from reasoning.routing import link_entities
from reasoning.verify.cues import compile_cues, fold

_KINDS = ("dosing", "pregnancy", "child", "interaction")
_YOUNG = ("infants", "children", "adolescents")  # of populations.toml
_AGE = re.compile(r"(?<![\d.])(\d{1,2})[\s-]*(?:years?[\s-]old|y/?o\b|jahre alt|jährig|años|ans\b|岁)")
_ADULT = 18  # years
# An amount of a drug in an answer; of something in the blood it is "mg/dL".
_DOSE = re.compile(r"\d\s*(?:mg|mcg|[µμ]g|milligram\w*|毫克|微克)(?![\w]|\s*/\s*d?l)")


def needs_scope(question: str, sentences: Iterable[str], language: str) -> bool:
    """Whether the question is about one of these, or a sentence of the answer names a dose. In a language
    without words here everything is."""
    if language not in LANGUAGES:
        return True
    return bool(find_kinds(question, language)) or any(_DOSE.search(fold(said)) for said in sentences)


def find_kinds(question: str, language: str) -> list[str]:
    """Of `_KINDS`, those that the question is about."""
    folded = fold(question)
    found = {kind for kind in _KINDS if _cues(kind, language).search(folded)}
    drugs = sum(entity.kind == "drug" for entity in link_entities(question))
    if drugs and _cues("amount", language).search(folded):
        found.add("dosing")
    if drugs > 1:
        found.add("interaction")
    if _names_children(folded, language):
        found.add("child")
    return [kind for kind in _KINDS if kind in found]


def _cues(kind: str, language: str) -> re.Pattern[str]:
    return compile_cues(read_toml("lexicons/scope.toml")[kind][language])


def _names_children(folded: str, language: str) -> bool:
    groups = read_toml("lexicons/populations.toml")["age"]
    if compile_cues(*(groups[name][language] for name in _YOUNG)).search(folded):
        return True
    return any(int(match[1]) < _ADULT for match in _AGE.finditer(folded))
