"""Date and intent of a question by words (methods.md 1.2).

"In the last five years" limits the search only where it speaks of research, or of nobody: people also have
their gout "for the last five years" and their pain "since 2020".
"""

from __future__ import annotations

import re
from functools import cache

from config.resources import read_toml
from reasoning.rewriting.schema import DateLimit, Intent

_NUMBERS = {
    name: value
    for value, names in enumerate(
        (
            (), ("one", "un", "一"), ("two", "dos", "两", "二"), ("three", "tres", "三"),
            ("four", "cuatro", "四"),
            ("five", "cinco", "五"), ("six", "seis", "六"), ("seven", "siete", "七"), ("eight", "ocho", "八"),
            ("nine", "nueve", "九"), ("ten", "diez", "十"),
        )
    )
    for name in names
}  # fmt: skip
_NUMBER = r"(\d{1,2}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_LAST = re.compile(
    rf"\b(?:in|over|within|during|from)?\s*the\s+(?:last|past)\s+{_NUMBER}\s+years"
    rf"|(?:en|de|durante)?\s*los\s+últimos\s+{_NUMBER}\s+años|(?:最近|近|过去){_NUMBER}年",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\b((?:19|20)\d\d)\s*(?:-|–|to|and|a|y|至|到)\s*((?:19|20)\d\d)(?!\d)", re.IGNORECASE)
_SINCE = re.compile(
    r"\b(?:since|after|desde|from)\s+(?:el\s+)?((?:19|20)\d\d)\b|((?:19|20)\d\d)\s*年?\s*(?:以来|以后|之后|onwards?)",
    re.IGNORECASE,
)
_RESEARCH = re.compile(
    r"stud(?:y|ies)|research|evidence|trial|paper|publi|literature|guideline|findings|review|approved"
    r"|estudio|investigaci|evidencia|ensayo|研究|文献|证据|试验|指南|进展",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"\b(?:i|i'm|i've|my|me|he|his|she|her|we|our|they|mi|yo|tengo|su|had|has|have|took|been)\b|我|他|她",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+")
_LANGUAGES = ("en", "zh", "es")


def find_date(text: str) -> DateLimit:
    """The limit that the question sets on what is published, if any."""
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        if not _RESEARCH.search(sentence) and _SOMEBODY.search(sentence):
            continue
        if last := _LAST.search(sentence):
            number = next(group for group in last.groups() if group)
            return DateLimit(kind="last_years", value=str(_NUMBERS.get(number.lower(), number)))
        if (years := _RANGE.search(sentence)) and years[1] <= years[2]:
            return DateLimit(kind="range", value=f"{years[1]}-{years[2]}")
        if since := _SINCE.search(sentence):
            return DateLimit(kind="since", value=since[1] or since[2])
    return DateLimit()


def wants_recent(text: str) -> bool:
    lower = text.lower()
    words = read_toml("lexicons/rewriting.toml")["recent"]
    return any(word in lower for language in _LANGUAGES for word in words[language])


def find_intent(text: str, language: str) -> Intent:
    """The first intent whose words a question has; other for none."""
    lower = text.lower()
    for intent, pattern in _intents(language if language in _LANGUAGES else "en").items():
        if pattern.search(lower):
            return intent
    return "other"


@cache
def _intents(language: str) -> dict[Intent, re.Pattern[str]]:
    table = read_toml("lexicons/rewriting.toml")["intents"][language]
    start = r"" if language == "zh" else r"\b"
    return {
        intent: re.compile(start + "(?:" + "|".join(re.escape(word) for word in words) + ")")
        for intent, words in table.items()
    }
