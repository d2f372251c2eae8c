"""How a completed question is put together. The words of the message and of the talk stay as they are."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reasoning.followups.concepts import Named, find_named
from reasoning.followups.cues import cue
from reasoning.verify.cues import fold
from reasoning.verify.statement import negations_in

_NUMBER = re.compile(r"(?<![A-Za-z\d.])\d+(?:[.,/:]\d+)*")
_UNIT = re.compile(r"\s?(?:%|[^\W\d_]+(?:/[^\W\d_]+)*|岁|毫克)")
_WORD = re.compile(r"[㐀-鿿]|[^\W\d_]+")
_TAIL = " \t?？.。!！"
_ARTICLE = re.compile(r"\b(?:an?|the|my|your|his|her|our)\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """What an elliptical message names: `text` with its article and number, `before` its preposition.

    `ahead` is a word of the question that stands before it: "which one causes rickets?".
    """

    named: Named
    text: str
    before: str
    ahead: str = ""


def read_piece(rest: str, language: str, names: tuple[Named, ...], asked: str) -> Piece | None:
    """The one thing that a message names, where it says nothing else; words of the question do not count."""
    if len(names) != 1:
        return None
    named = names[0]
    head, tail = rest[: named.start], rest[named.end :].rstrip(_TAIL)
    said = f"{head} {_NUMBER.sub(' ', tail)}"
    left = _without(cue("prepositions", language), _without(cue("light", language), fold(said)))
    more = set(_WORD.findall(left))
    known = set(_WORD.findall(fold(asked)))
    units = set(_words_of_units(tail))
    if not more - units <= known or (
        more - units and (negations_in(asked, language) or negations_in(rest, language))
    ):
        return None
    found = list(cue("prepositions", language).finditer(fold(head)))
    if _NUMBER.search(head) or (_NUMBER.search(tail) and _NUMBER.search(asked)):
        return None
    number = tail if _NUMBER.search(tail) else ""
    article = _ARTICLE.search(head)
    text = (article[0] if article else "") + named.text + number
    before = found[-1][0] if found and not more - units else ""
    ahead = _WORD.findall(fold(head))
    return Piece(named, text, before, ahead[-1] if more - units and ahead else "")


def put_in_place(asked: str, piece: Piece, language: str) -> str | None:
    """The question with what the piece is like replaced by it; None where nothing is."""
    alike = [one for one in find_named(asked, language) if one.group == piece.named.group]
    if any(one.is_like(piece.named) for one in alike):
        return None
    if piece.before:
        behind = [one for one in alike if _stands_behind(asked, one, piece.before)]
        alike = behind or (alike if piece.named.group == "people" else [])
    if piece.ahead:
        alike = [one for one in alike if _stands_behind(asked, one, piece.ahead)] or alike
    return _swap(asked, alike[0], piece.text) if alike else None


def _stands_behind(asked: str, named: Named, word: str) -> bool:
    before = fold(asked[: named.start]).rstrip()
    return bool(re.search(rf"(?<![a-z]){re.escape(word)}(?:\s+(?:an?|the))?$", before))


def put_for_unknown(asked: str, text: str, language: str) -> str | None:
    """The same for a name that no table has: only in place of the one drug or the like of the question."""
    means = [one for one in find_named(asked, language) if one.group == "means"]
    return _swap(asked, means[0], text.strip(_TAIL)) if len(means) == 1 else None


def is_measure(message: str) -> bool:
    """ "200 mg", and nothing else."""
    number = _NUMBER.match(message.strip(_TAIL))
    if number is None:
        return False
    rest = message.strip(_TAIL)[number.end() :]
    unit = _UNIT.match(rest)
    return not rest[unit.end() if unit else 0 :].strip(_TAIL)


def add_to(asked: str, piece: Piece, language: str) -> str:
    """The question for another group of people, or with something else."""
    if language == "zh":
        return f"{piece.text}，{asked}"
    before = piece.before or ("for" if piece.named.group == "people" else "with")
    return f"{asked.rstrip(_TAIL)} {before} {piece.text}?"


def swap_number(full: str, rest: str, language: str) -> str | None:
    """The one number that a correction means; None where several could be meant, or the rest says more."""
    new = _NUMBER.search(rest)
    if new is None or _NUMBER.search(rest, new.end()):
        return None
    unit = _UNIT.match(rest, new.end())
    end = unit.end() if unit else new.end()
    if rest[: new.start()].strip(_TAIL) or rest[end:].strip(_TAIL + "old"):
        return None
    places = list(_NUMBER.finditer(full))
    if unit:
        alike = [
            place for place in places if fold(full[place.end() :]).lstrip().startswith(fold(unit[0].strip()))
        ]
        places = alike or [
            place for place in places if len(places) == 1 and not _UNIT.match(full, place.end())
        ]
    if len(places) != 1:
        return None
    (old,) = places
    has_unit = unit is not None and fold(full[old.end() :]).lstrip().startswith(fold(unit[0].strip()))
    return (
        full[: old.start()]
        + (new[0] if has_unit or not unit else rest[new.start() : end])
        + full[old.end() :]
    )


def lead_with(names: tuple[str, ...], message: str, language: str) -> str:
    """ "shingles: Is it contagious?" """
    if not names:
        return message
    return f"{'、'.join(names)}：{message}" if language == "zh" else f"{', '.join(names)}: {message}"


def name_in(named: Named, language: str) -> str:
    """As written where that is the language of the message; else the English name, where there is one."""
    foreign = language != "zh" and not named.text.isascii()
    return named.name if foreign and named.name.isascii() else named.text


def _swap(asked: str, old: Named, text: str) -> str:
    """Every mention of the old name, with its article."""
    pattern = re.compile(rf"(?:\b(?:an?|the)\s+)?{re.escape(asked[old.start : old.end])}", re.IGNORECASE)
    return pattern.sub(lambda _: text, asked)


def _without(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(" ", text)


def _words_of_units(tail: str) -> list[str]:
    return [
        word
        for place in _NUMBER.finditer(tail)
        for word in re.findall(r"[^\W\d_]+", fold(tail[place.end() :]))
    ]
