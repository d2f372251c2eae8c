"""Where a sentence ends, in biomedical English and Chinese (case F15).

Own rules (our choice). Of the 15 rows of F15 pysbd 0.3.4 gets 13 (at 0.3 MB/s), blingfire 0.1.8 13,
sentencex 1.0.32 12, syntok 1.4.4 8; each fails a required row ("gene and web" or "species"), and a layer that
both joins and splits what they give would be these rules again. These get 15, at about 20 MB/s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from reasoning.retrieval.segmentation import lexicon

_CJK = r"\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff"
_STOP = re.compile(
    rf"""
    (?:[。！？｡]+|．(?![0-9０-９]))[”’」』）】》〉"')\]]*
    | [.!?…]+ (?P<close>["'”’»)\]}}）]*) (?P<note>\d{{1,3}}(?:[,–-]\d{{1,3}})*|[ ]?\[\d[\d,\ –-]*\])?
      (?=[\s{_CJK}A-Z“‘（])
    """,
    re.VERBOSE,
)
_NEXT = re.compile(r"(?P<gap>\s*)(?P<open>[\"'“‘(\[«（]*)(?P<word>[^\W\d_]+|\S|$)")
_GENE = re.compile(r"[a-z]{1,4}-?[A-Z0-9]")  # mTOR, p53, miR-21 may open a sentence
_MARKER = re.compile(r"\d{1,2}|[A-Za-z]|[ivxIVX]{2,4}")
_DOSING = re.compile(r"[a-z](?:\.[a-z])+")  # b.i.d, p.o, a.m
_DOTTED = re.compile(r"[A-Z][a-z]?(?:\.[A-Z][a-z]*)+")  # U.S, Ph.D
_BLANK = re.compile(r"[\s\u00ad\u200b-\u200f\u2060\ufeff]*")
_LOOK_BACK = 200  # characters: bounds the work on text that never ends a sentence


class Span(NamedTuple):
    start: int
    end: int


def is_blank(text: str) -> bool:
    """Nothing but white space and invisible characters."""
    return _BLANK.fullmatch(text) is not None


def split_sentences(text: str) -> list[Span]:
    """Spans that tile `text`: white space belongs to the sentence before it (at the start, to the first).

    Blank text has none; any other text has at least one. Offsets in characters.
    """
    if is_blank(text):
        return []
    cuts = [0]
    for begin, end in _blocks(text):
        cuts.extend(_cuts(text, begin, end))
        cuts.append(end)
    spans: list[Span] = []
    for start, end in pairwise(cuts):
        if spans and _BLANK.fullmatch(text, start, end):
            spans[-1] = Span(spans[-1].start, end)
        elif spans and len(spans) == 1 and _BLANK.fullmatch(text, 0, spans[0].end):
            spans[0] = Span(0, end)
        else:
            spans.append(Span(start, end))
    return spans


def _blocks(text: str) -> Iterator[Span]:
    """Stretches that no sentence crosses: paragraphs, list items, table rows."""
    begin = position = 0
    row = blank = False
    for line in text.split("\n"):
        was_row, was_blank = row, blank
        row, blank = lexicon.CELL_BORDER in line, not line.strip()
        if position and not blank and (was_blank or was_row or row or lexicon.LIST_ITEM.match(line)):
            indented = position + len(line) - len(line.lstrip())
            yield Span(begin, indented)
            begin = indented
        position += len(line) + 1
    yield Span(begin, len(text))


def _cuts(text: str, begin: int, end: int) -> Iterator[int]:
    for stop in _STOP.finditer(text, begin, end):
        following = _NEXT.match(text, stop.end(), end)
        if following is None or following.start("word") >= end or not _ends(text, begin, stop, following):
            continue
        begin = following.end("gap")
        yield begin


def _ends(text: str, begin: int, stop: re.Match[str], following: re.Match[str]) -> bool:
    at, word = stop.start(), following["word"]
    if word in ".!?…。！？，、；：,;:" or _in_brackets(text, begin, stop):
        return False
    if stop["close"] is None:  # full-width stops
        return True
    if stop["note"]:  # "harm.12 It": a reference number that was printed raised
        return bool(re.match(r"[a-z]{2}|.[)\]%]", text[max(at - 2, begin) : at])) and not word[0].islower()
    if not following["gap"] and word[0].isascii():  # "harm.The": a blank was lost
        return (
            not stop["close"] and text[max(at - 3, begin) : at].islower() and word in lexicon.SENTENCE_OPENERS
        )
    if text[at] == "…" and not following["gap"]:
        return False
    token = text[max(at - 40, begin) : at].rsplit(None, 1)[-1:]
    token_text = token[0].lstrip("([{\"'“‘（") if token else ""
    if word[0].islower() and word[0] < "Ͱ":  # Greek letters open sentences, Latin ones seldom
        listed = following["open"][-1:] in ("(", "（") and text[following.end() : following.end() + 1] in (
            ")",
            "）",
        )
        return (listed or _GENE.match(text, following.start("word")) is not None) and not _abbreviates(
            token_text
        )
    if text[at] != "." or text[at + 1 : at + 2] == "." or text[at - 1 : at].isspace():
        return True
    return _full_stop_ends(text, begin, at, token_text, stop["close"], following)


def _full_stop_ends(text: str, begin: int, at: int, token: str, close: str, following: re.Match[str]) -> bool:
    """One full stop after `token`, before something that could open a sentence."""
    word, low = following["word"], _abbreviation(token)
    numbered, bracketed = word[0].isdigit(), following["open"][:1] in ("(", "[", "（")
    at_start = not text[begin : at - len(token)].strip(' \t\n(["“') if at - begin < len(token) + 8 else False
    if at_start and _MARKER.fullmatch(token):  # "2. Cool it", "A. Example"
        return False
    if token in lexicon.TITLES or low in lexicon.NEVER_LAST or (numbered and low in lexicon.BEFORE_NUMBER):
        return False
    opens = word in lexicon.SENTENCE_OPENERS and text[following.end() : following.end() + 1] != "."
    if low in lexicon.SELDOM_LAST or _DOTTED.fullmatch(token):
        return opens and not bracketed and ")" not in close
    if low in lexicon.OFTEN_LAST or _DOSING.fullmatch(token):
        return not (numbered or bracketed or ")" in close or word in lexicon.CALENDAR)
    if len(token) == 1 and token.isascii() and token.isupper():
        before = text[max(at - 40, begin) : at].rsplit(None, 2)
        noun = before[-2].lstrip("([\"'“‘") if len(before) > 1 else ""
        return (
            opens
            or noun.lower() in lexicon.LETTERED
            or (len(noun) > 2 and noun.isalpha() and noun.islower() and noun not in lexicon.BEFORE_INITIAL)
        )
    return True


def _abbreviation(token: str) -> str:
    """The key in the lexicon; capitals throughout are another word: "CF", "HR", "NO"."""
    return "" if token.isupper() else token.lower()


def _abbreviates(token: str) -> bool:
    low = _abbreviation(token)
    known = low in lexicon.NEVER_LAST or low in lexicon.SELDOM_LAST or low in lexicon.OFTEN_LAST
    return known or len(token) == 1 or ("." in token and len(token) < 8)


def _in_brackets(text: str, begin: int, stop: re.Match[str]) -> bool:
    """Between "(" and a ")" that soon follows: what is in brackets is not pulled from its sentence."""
    at = stop.start()
    if any(mark in ")）" for mark in text[at : stop.end()]):
        return False
    back = text[max(begin, at - _LOOK_BACK) : at]
    if max(back.rfind("("), back.rfind("（")) <= max(back.rfind(")"), back.rfind("）")):
        return False
    ahead = text[stop.end() : stop.end() + _LOOK_BACK].split("\n\n", 1)[0]
    closing = min((i for i in (ahead.find(")"), ahead.find("）")) if i >= 0), default=-1)
    return closing >= 0 and not {"(", "（"} & set(ahead[:closing])
