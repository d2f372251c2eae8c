"""The words by which people go on with a talk (config/lexicons/followups.toml)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from config.resources import read_toml
from reasoning.verify.cues import blank, compile_cues, fold

LANGUAGES = ("en", "zh")
_EDGE = " \t\r\n,，.。!！:：;；、-–—…~"
_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Opening:
    """A message without what leads into it. `leans` where that says it continues what was asked."""

    rest: str
    leans: bool


def cue(name: str, language: str) -> re.Pattern[str]:
    return compile_cues(read_toml("lexicons/followups.toml")[language][name])


def is_courtesy(text: str, language: str) -> bool:
    """Whether nothing is left of a message but thanks, greetings and signs."""
    return not _LETTER.search(cue("courtesy", language).sub(" ", fold(text)))


def open_message(text: str, language: str) -> Opening:
    """ "thanks, and in children?" leans, and its rest is "in children?"."""
    rest, leans = text.strip(_EDGE), False
    while True:
        lead = cue("leads", language).match(fold(rest))
        thanks = None if lead else _thanks(language).match(fold(rest))
        found = lead or thanks
        if found is None or not found.end():
            break
        leans = leans or lead is not None
        rest = rest[found.end() :].strip(_EDGE)
    tail = re.search(rf"(?:{cue('tails', language).pattern})\s*[?？]*$", rest) if language == "zh" else None
    if tail:
        rest, leans = rest[: tail.start()], True
    return Opening(rest, leans)


@cache
def _thanks(language: str) -> re.Pattern[str]:
    """Courtesies before a comma or a full stop."""
    return re.compile(rf"(?:{cue('courtesy', language).pattern})\s*[,，.。!！]")


def read_correction(text: str, language: str) -> tuple[str, bool] | None:
    """What a correction puts in place, and whether it surely is one; None where nothing is corrected."""
    rest, sure, begun = text.strip(_EDGE), False, False
    while rest:
        for name in ("corrects", "denies", "fills"):
            found = cue(name, language).match(fold(rest)) if name != "fills" or begun else None
            if found and (name != "denies" or _is_apart(rest, found.end(), language)):
                rest, sure, begun = rest[found.end() :].strip(_EDGE), sure or name == "corrects", True
                break
        else:
            break
    return (rest, sure) if begun and rest else None


def _is_apart(text: str, end: int, language: str) -> bool:
    """A "no" that corrects stands before a comma, a number or such a word, not in "no side effects?"."""
    after = text[end:]
    return (
        language == "zh" or bool(re.match(r"\s*(?:[,.!:;–—-]|\d|$)", after)) or _next_is_cue(after, language)
    )


def _next_is_cue(after: str, language: str) -> bool:
    folded = fold(after.strip(_EDGE))
    return any(cue(name, language).match(folded) for name in ("corrects", "denies", "fills"))


def points_back(text: str, language: str, named: list[int]) -> bool:
    """Whether a pronoun points out of the message. One behind a clause that names something does not.

    `named` are the places at which the message names something.
    """
    plain = blank(cue("expletives", language), fold(text))
    for found in cue("pronouns", language).finditer(plain):
        before = plain[: found.start()]
        edges = [match.end() for match in re.finditer(r"[.!?;,:，。！？；：]", before)]
        edges += [match.end() for match in cue("joins", language).finditer(before)]
        if not any(place < max(edges, default=0) for place in named):
            return True
    return False


def is_switch(text: str, language: str) -> bool:
    return cue("switch", language).search(fold(text)) is not None
