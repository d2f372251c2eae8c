"""Where a person lives and how to reach them online: addresses, e-mail, profiles, handles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from config.resources import read_toml
from reasoning.safety.folding import Folded

if TYPE_CHECKING:
    from reasoning.safety.personal_data import Kind

_STREET = r"""street|st|avenue|ave|av|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|place|pl|way|terrace|
  close|crescent|square|sq|parkway|pkwy|highway|hwy|row|gardens|grove|hill|mews|circle|cir|trail|walk"""
_UNIT = r"(?:,?\s*(?:apt|apartment|unit|suite|ste|flat|floor|room|\#)\.?\s*\#?\w{1,5})?"
_STATE = r"(?:,?\s*[a-z][a-z .'-]{1,28}[a-z],\s*[a-z]{2}\.?\s+\d{5}(?:-\d{4})?(?!\d))?"
_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("email", re.compile(r"[\w.+%-]{1,64}\s?@\s?(?:[\w-]{1,63}\.){1,6}[a-z]{2,}", re.VERBOSE)),
    (
        "url",
        re.compile(
            r"""(?:https?://|www\.)[^\s<>"，。；]*
            (?:@|[?&](?:[\w-]*(?:id|user|name|mail|token|phone|patient|key|session))=
              |/(?:users?|profiles?|patients?|members?|accounts?|people|in|u|~)/?\w)[^\s<>"，。；]*
          | (?:https?://)?(?:www\.|m\.)?(?:facebook\.com|fb\.com|instagram\.com|twitter\.com|x\.com|t\.me|wa\.me|
            tiktok\.com|weibo\.com|vk\.com|snapchat\.com|linkedin\.com)/[^\s<>"，。；]+""",
            re.VERBOSE,
        ),
    ),
    (
        "handle",
        re.compile(
            r"<[@#!][uwcs][a-z0-9]{6,}(?:\|[^<>]*)?>|(?<![\w@./])@[a-z_][\w.]{2,31}|\b[uw]0[a-z0-9]{7,10}\b"
        ),
    ),
    (
        "address",
        re.compile(
            rf"""(?<![\w.,/-])\d{{1,5}}[a-z]?(?:-\d{{1,5}})?,?\s+(?:(?:north|south|east|west|[nsew])\.?\s+)?
             (?:[a-z][\w'-]*\.?\s+){{1,4}}?(?:{_STREET})\b\.?{_UNIT}{_STATE}""",
            re.VERBOSE,
        ),
    ),
    ("address", re.compile(r"\b(?:p\.?\s?o\.?\s?box|apartado(?:\sde\scorreos)?|postfach)\s*\#?\s*\d{2,7}")),
    (
        "address",
        re.compile(
            r"""\b(?:calle|c/|avenida|avda\.?|av\.|plaza|pza\.?|paseo|carrer|camino|ronda|travesia)\s+
            [a-z][\w .'-]{1,40}?,?\s*(?:n\.?[oº°]?\.?\s*|numero\s+|\#\s*)?\d{1,4}\b
            (?:,?\s*\d{1,2}[oº°a]?\s?[a-z]?\b)?""",
            re.VERBOSE,
        ),
    ),
    (
        "address",
        re.compile(
            r"\b[a-z-]{3,30}(?:strasse|str\.|gasse|allee|platz|weg|damm|ufer)\s+\d{1,4}\s?[a-z]?\b"
            r"(?:,?\s*\d{5}\s+[a-z]+)?"
        ),
    ),
    (
        "address",
        re.compile(
            r"""(?<!\d)\d{1,4},?\s*(?:bis\s+|ter\s+)?(?:rue|avenue|boulevard|bd|place|chemin|impasse|allee|quai|cours|route)\s+
            (?:de\s+la\s+|de\s+l'|des\s+|du\s+|de\s+)?[a-z][\w'-]*(?:[ -][a-z][\w'-]*){0,2}""",
            re.VERBOSE,
        ),
    ),
    (
        "address",
        re.compile(
            r"[\u4e00-\u9fff]{1,14}(?:路|街|大道|巷|胡同|弄|村|小区|道)\s*\d+\s*(?:号|弄|栋|幢)"
            r"[\d\u4e00-\u9fff-]{0,3}?(?:\d+(?:号楼?|栋|单元|室|楼|层|幢))*"
        ),
    ),
    ("postcode", re.compile(r"(?<=,\s)[a-z]{2}\s+\d{5}(?:-\d{4})?(?!\w)")),
)
_GERMAN = re.compile(r"[a-z-]+(?:strasse|str\.|gasse|allee|platz|weg|damm|ufer)\s")
_LIVES = re.compile(r"(?:live[sd]?|living|address|resid\w+|home)\b[^.\d]{0,15}$")


def find_places(folded: Folded) -> Iterator[tuple[int, int, Kind]]:
    """Spans of the original text with their kind; may overlap."""
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(folded.text):
            start, end = folded.span(match)
            written = folded.original[start:end]
            if kind == "address" and written[0].islower() and _GERMAN.match(match[0]):
                continue
            if kind == "address" and written[0].isdigit() and not _is_street(folded, start, written):
                continue
            yield start, end, kind
    for match in _named_handle().finditer(folded.text):
        yield (*folded.span(match, "value"), "handle")


def _is_street(folded: Folded, start: int, written: str) -> bool:
    """By its capitals, or after "I live at": "5 miles down the road" is none."""
    words = [word for word in re.findall(r"[^\W\d_][\w'-]*", written) if len(word) > 1]
    if len(words) > 1 and words[0][0].isupper():
        return True
    french = re.match(r"\d+[^a-z]*(?:bis |ter )?(?:rue|avenue|boulevard|place|chemin|impasse|quai)", written)
    if french and words[-1][0].isupper():
        return True
    return _LIVES.search(folded.original[max(0, start - 40) : start].lower()) is not None


@cache
def _named_handle() -> re.Pattern[str]:
    names = "|".join(map(re.escape, read_toml("lexicons/personal.toml")["labels"]["handle"]))
    return re.compile(
        rf"(?<![a-z])(?:{names})(?![a-z])\s*(?:id|handle|user(?:\s?name)?|account|name|号|号码|账号)?\s*"
        r"(?:[:：]|\bis\b|是|\bes\b|\bist\b|\best\b)\s*(?P<value>@?[a-z\d_][\w.-]{2,31})"
    )
