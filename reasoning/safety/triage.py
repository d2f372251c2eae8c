"""Triage by rules: before any model, any queue, any consent (architecture.md 2, chat.md 6).

Levels
    emergency   somebody has it now ("my father's face is drooping"), or is about to be hurt by somebody
    self_harm   intent or thoughts of suicide or self-harm, whoever has them, also wrapped in a story or a
                question of method; wins over `emergency`, since its reply names the emergency number too
    urgent      a warning sign is asked about or past, or how to notice or meet an emergency; nothing happens
    none        everything else, also treatment, risk, prevention and recovery of such conditions

How a match becomes a level
    An event ("lips are blue") happens unless it is negated, past, supposed ("if ...") or asked in general.
    A symptom ("chest pain") likewise, but in a question it must be somebody's ("I have", "since today").
    A condition ("stroke") happens only when somebody seems to have it now; otherwise it is urgent if its
    signs or first help are asked about, else none. An intent ("kill myself") happens unless negated or past.
    An exam vignette ("is brought to the emergency department") is never more than urgent.
    Asked about and then "it is happening to me now": emergency.
    A message without a recognised sign that tells of something grave, and holds nothing that makes it
    harmless (a question, a negation, "every evening", "fine otherwise"): emergency, group "unclear".
    Then the whole message is weighed (weighing.py), which knows far more words and no rule, together with
    the level of the patterns: it may raise the alarm, group "unclear", or lower an emergency of a short
    message to urgent; self-harm only where it weighs much less still.
    Recall goes before precision: where the words leave it open, the level is the higher one.

The lexicons are chosen by the words of the text, so a wrongly detected language costs nothing. Of a text
longer than 8,000 characters, the first and last 4,000 are read: the middle of a pasted document is not the
asker's words, and the time stays bounded.
Source of the groups: chat.md section 6; wording and rules are our choice.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from reasoning.notices import notice
from reasoning.safety.crisis_lines import describe_lines
from reasoning.safety.red_flags import Lexicon, choose_lexicons
from reasoning.safety.signs import Sign, Status, has_cue, read_signs
from reasoning.safety.weighing import HAN, Weight, shift_of, weigh


class Level(StrEnum):
    NONE = "none"
    URGENT = "urgent"
    EMERGENCY = "emergency"
    SELF_HARM = "self_harm"


@dataclass(frozen=True, slots=True)
class Triage:
    """`matched` holds "group: words" of every sign that counted; `message` is what to show, None for none.

    For `emergency` and `self_harm` the message is the whole reply; for `urgent` it stands above the answer.
    """

    level: Level
    matched: tuple[str, ...] = ()
    message: str | None = None


ALARMS = (Level.EMERGENCY, Level.SELF_HARM)
_ORDER = tuple(Level)
_DECIMAL_MARK = re.compile(r"(?<=\d\d)[,°](?=\d(?!\d))")  # 38,6 and 38°6 are one number
_ORDINAL = re.compile(r"(?<=\d)\.(?= (?:monat|woche|ssw|tag))")  # German: no end of a sentence
_READ = 4000  # characters from either end
_SHORT = 28  # columns, of which a Chinese character takes two
_DOUBT = 3.0  # log-odds; "pain in my left knee" tells too little to be raised for less
_MESSAGE = 600  # characters; the weights were learned from messages, one sign in a longer text would drown


def triage(text: str, language: str = "en", country: str | None = None) -> Triage:
    """Sort a message into one of the four levels.

    `language` (ISO 639-1) is that of the reply only. `country` (ISO 3166-1 alpha-2) is one that the asker
    or the operator has chosen; without it no country is guessed.
    """
    folded = fold(text)
    lexicons = choose_lexicons(folded)
    level, matched = _read(folded, lexicons)
    weight = weigh(folded)
    settled = _settle(level, weight, is_alarm(folded, lexicons, level, weight.danger + shift_of(level)))
    if settled is not level:
        level, matched = settled, (*matched, f"unclear: weight {weight.danger:.1f}")
    return Triage(
        level, matched, _write_message(level, language, country) if level is not Level.NONE else None
    )


def is_alarm(folded: str, lexicons: list[Lexicon], level: Level, alarming: float) -> bool:
    """Whether it is an alarm: `alarming` is the log-odds of danger by the weights and the level together.

    Without any word of the patterns it is none ("thanks, bye"), nor is an exam vignette; a long text and what
    happens now stay what the patterns made of them.
    """
    if level in ALARMS:
        return alarming > 0 or len(folded) > _MESSAGE or _says("happening", folded, lexicons)
    alarming -= doubt(folded, level)
    return alarming > 0 and _has_any_word(folded, lexicons) and not _says("vignette", folded, lexicons)


def doubt(folded: str, level: Level) -> float:
    """How much more a message must weigh to be raised: the patterns know short ones well."""
    short = len(folded) + len(HAN.findall(folded)) < _SHORT
    return _DOUBT if short and level not in ALARMS else 0.0


def _settle(level: Level, weight: Weight, alarm: bool) -> Level:
    """The level that is left; the patterns may have seen the tablets and not why they were taken."""
    if not alarm:
        return Level.URGENT if level in ALARMS else level
    return Level.SELF_HARM if level is Level.SELF_HARM or weight.self_harm > 0 else Level.EMERGENCY


def _has_any_word(folded: str, lexicons: list[Lexicon]) -> bool:
    return any(lexicon.find_hot(lexicon.simplify(folded)) for lexicon in lexicons)


def _says(cue: str, folded: str, lexicons: list[Lexicon]) -> bool:
    return any(has_cue(cue, folded, lexicon) for lexicon in lexicons)


def read_level(folded: str) -> Level:
    """The level by the patterns alone."""
    return _read(folded, choose_lexicons(folded))[0]


def _read(folded: str, lexicons: list[Lexicon]) -> tuple[Level, tuple[str, ...]]:
    signs = [sign for lexicon in lexicons for sign in read_signs(folded, lexicon)]
    rated = [(_rate(sign), sign) for sign in signs]
    counted = [(level, sign) for level, sign in rated if level is not Level.NONE]
    level = max((level for level, _ in counted), key=_ORDER.index, default=Level.NONE)
    return level, tuple(dict.fromkeys(f"{sign.group}: {sign.words}" for _, sign in counted))


def _rate(sign: Sign) -> Level:
    if sign.status is Status.NOW:
        return Level.SELF_HARM if sign.group == "self_harm" else Level.EMERGENCY
    if sign.kind == "condition":
        return Level.URGENT if sign.status is Status.SIGNS_ASKED else Level.NONE
    return Level.URGENT


def _write_message(level: Level, language: str, country: str | None) -> str:
    if level is Level.SELF_HARM:
        return notice("self_harm", language, lines=describe_lines(language, country))
    return notice(level.value, language)


def fold(text: str) -> str:
    """What is read of a text: compatibility forms, lower case, straight apostrophes, nothing invisible."""
    text = text if len(text) <= 2 * _READ else f"{text[:_READ]}\n{text[-_READ:]}"
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    for odd, straight in (
        ("’", "'"),
        ("‘", "'"),
        ("`", "'"),
        ("\u200b", ""),
        ("\u200d", ""),
        ("\u2060", ""),
        ("\ufeff", ""),
    ):
        plain = plain.replace(odd, straight)
    return _ORDINAL.sub("", _DECIMAL_MARK.sub(".", plain).lower())
