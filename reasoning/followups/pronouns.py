"""A subject in the place of the one pronoun that stands for it; when in doubt it is left before the message.

A question that names its subject where it belongs is read better than one that is led by it: sentences are
weighed by the words around the name.
"""

from __future__ import annotations

import re

from reasoning.followups.concepts import Named, find_named
from reasoning.followups.cues import cue
from reasoning.verify.cues import blank, fold
from storage.words import STOP_WORDS

_IT = {"en": re.compile(r"(?<![\w-])its?(?![\w'-])"), "zh": re.compile("它(?!们)")}
_ITS_OWN = re.compile(r"\b(?:what|which)\b.*\b(?:is|are|was|were)\s+(its\s+([\w-]+(?:\s+[\w-]+){0,2}))\W*$")
_IS_SOMETHING = re.compile(r"\b(?:is|was)\s+$")
_ARTICLE = re.compile(r"\b(?:an?|the)\s+$", re.IGNORECASE)


def put_for_pronoun(message: str, named: Named, shown: str, asked: str | None, language: str) -> str | None:
    """ "How is it treated?" is "How is gout treated?". None where another thing could be meant, the pronoun
    means nothing ("Is it safe to run?"), or the name does not fit in.

    `shown` is the name in the language of the message, `asked` the question that it comes from.
    """
    text = fold(message)
    plain = blank(cue("empty", language), blank(cue("expletives", language), text))
    places = [match.span() for match in cue("pronouns", language).finditer(plain)]
    stands = _find_stand(plain, named.group, language)
    if stands is None or len(places) != 1 or not _meet(places[0], stands):
        return None
    start, end = stands
    is_it = bool(_IT[language].fullmatch(plain[start:end]))
    if is_it and (_has_other(asked or "", named, language) or _is_used(plain, start, named.group, language)):
        return None
    if language == "zh":
        return message[:start] + shown + message[end:]
    if message[start:end] == "IT" or (is_it and _is_likened(message, plain, start, end)):
        return None
    name = _article_of(named, asked or "") + shown
    if plain[start:end] == "its":
        return _own(message, text, name)
    return message[:start] + name + message[end:]


def _find_stand(plain: str, group: str, language: str) -> tuple[int, int] | None:
    """The one place where a name of this group may stand."""
    found = [match.span() for match in _IT[language].finditer(plain)]
    if group in ("condition", "means"):
        found += [match.span() for match in cue(f"for_{group}", language).finditer(plain)]
    return found[0] if len(found) == 1 else None


def _meet(one: tuple[int, int], two: tuple[int, int]) -> bool:
    return one[0] < two[1] and two[0] < one[1]


def _has_other(asked: str, named: Named, language: str) -> bool:
    """Of "What is the treatment of gout?" it may be either."""
    return cue("others", language).search(fold(asked).replace(fold(named.text), " ")) is not None


def _is_used(plain: str, start: int, group: str, language: str) -> bool:
    """ "Can I take it?" is not asked of a disease."""
    used = re.search(rf"(?:{cue('used', language).pattern})\s*$", plain[:start])
    return group != "means" and used is not None


def _is_likened(message: str, plain: str, start: int, end: int) -> bool:
    """ "Is it cancer?" asks what it is."""
    if not _IS_SOMETHING.search(plain[:start]):
        return False
    behind = re.match(r"\s+(?:(?:an?|the|just|really|maybe|always)\s+)*", message[end:])
    first = end + (behind.end() if behind else 0)
    return any(one.group == "condition" and one.start == first for one in find_named(message, "en"))


def _article_of(named: Named, asked: str) -> str:
    """ "a " of "What does a colonoscopy show?"."""
    if asked[named.start : named.end] != named.text:
        return ""
    article = _ARTICLE.search(asked[: named.start])
    return fold(article[0]) if article else ""


def _own(message: str, text: str, name: str) -> str | None:
    """ "What are its side effects?" asks for the side effects of it."""
    found = _ITS_OWN.search(text)
    if found is None or any(word in STOP_WORDS or word.endswith("ly") for word in found[2].split()):
        return None
    start, end = found.span(1)
    return f"{message[:start]}the {message[found.start(2) : found.end(2)]} of {name}{message[end:]}"
