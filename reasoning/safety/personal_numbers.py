"""Numbers that belong to one person: phones, ids, records, cards, dates. By label, shape or checksum.

Checksums are those of python-stdnum, numbering plans those of phonenumbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from config.resources import read_toml
from reasoning.safety.folding import Folded

if TYPE_CHECKING:
    from reasoning.safety.personal_data import Kind

Found = Iterator[tuple[int, int, "Kind"]]

# How the digits of national numbers without a leading 0 are set apart; thousands are not (our choice).
_GROUPS = {(3, 3, 4), (3, 3, 3), (3, 4, 4), (3, 2, 2, 2), (2, 4, 4), (5, 6), (5, 5), (4, 3, 3), (1, 3, 3, 4)}
# Where a number without + may be from (our choice).
_REGIONS = ("US", "GB", "CN", "ES", "DE", "FR", "MX", "AU", "IN")
_PUBLISHED = re.compile(
    r"(?:pmid|pmc|nct|doi|isbn|issn|isrctn|ndc|ndc codes?|icd-?\d*|cas|atc|ec|omim|rs|chebi|mesh)[\s:#.]*$"
)
_UNIT = re.compile(
    r"\s?(?:%|[µμ]?g\b|mcg|[mk]g|m?l\b|dl|mmol|mol|iu\b|units?\b|cells|copies|mm|cm|bpm|kcal|x\s?10|×|\^|/\s?[a-z\d]|"
    r"patients|people|participants|women|men|children|cases|deaths|毫克|克|例|人)"
)
_SHAPES: tuple[tuple[Kind, str], ...] = (
    ("id", r"\d{3}-\d{2}-\d{4}"),  # US social security
    ("id", r"[a-ceghj-prtw-z]{2}\s?\d{2}\s?\d{2}\s?\d{2}\s?[a-d]"),  # UK national insurance
    ("id", r"\d{3}\.\d{3}\.\d{3}-\d{2}"),  # Brazil
    ("id", r"[a-z]{6}\d{2}[a-z]\d{2}[a-z]\d{3}[a-z]"),  # Italy
    ("id", r"[a-z]{4}\d{6}[hm][a-z]{5}[a-z\d]\d"),  # Mexico
    ("phone", r"\(\d{2,4}\)\s?\d{3,4}[-. ]\d{3,4}"),
    ("phone", r"(?:1[-. ])?\d{3}(?P<gap>[-.])\d{3}(?P=gap)\d{4}"),
    ("phone", r"1[3-9]\d(?P<gap>[- ]?)\d{4}(?P=gap)\d{4}"),  # Chinese mobile
    ("phone", r"0\d{2,4}[-/]\d{6,8}"),
    ("ip", r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}"),  # of a network card
    (
        "date",
        r"(?:19|20)\d{2}(?P<gap>[-/.])(?:0?[1-9]|1[0-2])(?P=gap)(?:0?[1-9]|[12]\d|3[01])(?:t\d{2}:\d{2}\S*)?",
    ),
    ("date", r"(?:0?[1-9]|[12]\d|3[01])(?P<gap>[-/.])(?:0?[1-9]|[12]\d|3[01])(?P=gap)(?:19|20)\d{2}"),
    (
        "date",
        r"(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/\d{2}|(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2])/\d{2}",
    ),
    ("date", r"(?:19|20)\d{2}\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?[日号]"),
    ("date", r"(?:{months})\.? \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d{2}"),
    (
        "date",
        r"\d{1,2}(?:st|nd|rd|th|\.)?[ -](?:of |de )?(?:{months})\.?,?[ -](?:of |de |del )?(?:19|20)\d{2}",
    ),
)
_LABELLED: tuple[tuple[Kind, str, str], ...] = (
    ("phone", "phone", r"\+?\(?\d[\d ()./-]{4,18}\d"),
    (
        "record",
        "record",
        r"(?!(?:19|20)\d\d(?![a-z\d-]))(?=[a-z-]{0,5}\d)[a-z\d]+(?:[-/][a-z\d]+)*(?<=\w{4})",
    ),
    ("id", "id", r"(?!(?:19|20)\d\d(?![a-z\d-]))(?=[a-z]{0,4}[ -]?\d)[a-z\d]+(?:[ -]?\d[a-z\d]*)*(?<=\w{3})"),
    (
        "date",
        "birth",
        r"\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}|(?:\d{1,2}(?:st|nd|rd|th|\.)? (?:of |de )?)?(?:{months})\.?"
        r"(?: \d{1,2}(?:st|nd|rd|th)?\b)?(?:,? (?:de |del )?\d{2,4})?|\d{1,2}/\d{2,4}"
        r"|(?:\d{4}年)?\d{1,2}月(?:\d{1,2}[日号])?",
    ),
    ("postcode", "postcode", r"(?=[a-z]{0,2}\d)[a-z\d]{3,6}(?:[ -][a-z\d]{3,4}(?!\w))?"),
)
_DIGITS = re.compile(r"(?<![a-z\d_.,/+-])(?:\+|00)?\(?\d(?:[ .()-]{0,2}\d){6,18}(?![a-z\d_/]|[.,]\d)")
_CARD = re.compile(r"\d+|\d{4}([ -])\d{4}(?:\1\d{2,7})+|\d{4}([ -])\d{6}\2\d{5}")
_IBAN = re.compile(r"(?<!\w)[a-z]{2}\d{2}(?: ?[a-z\d]{4}){2,7}(?: ?[a-z\d]{1,3})?(?!\w)")
_SPANISH = re.compile(r"(?<![a-z\d_])(?:\d{8}|[xyz]-?\d{7})[- ]?[a-z](?![a-z\d_])")
_CHINESE = re.compile(r"(?<![a-z\d_])\d{17}[\dx](?![a-z\d_])")
_IPV4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)")
_IPV6 = re.compile(r"(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}(?![\w:])")


def find_numbers(folded: Folded) -> Found:
    """Spans of the original text with their kind; may overlap."""
    text = folded.text
    for kind, pattern in _patterns():
        for match in pattern.finditer(text):
            if not _PUBLISHED.search(text[max(0, match.start() - 12) : match.start()]) and not _UNIT.match(
                text, match.end()
            ):
                yield (*folded.span(match, "value"), kind)
    for kind, pattern, is_one in (*_CHECKED, ("ip", _IPV4, _is_ip), ("ip", _IPV6, _is_ip)):
        for match in pattern.finditer(text):
            if is_one(match[0]):
                yield (*folded.span(match), kind)
    for match in _DIGITS.finditer(text):
        before = text[max(0, match.start() - 12) : match.start()]
        if _PUBLISHED.search(before) or _UNIT.match(text, match.end()):
            continue
        if one := _kind_of(match[0]):
            yield (*folded.span(match), one)


@cache
def _patterns() -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    lexicon = read_toml("lexicons/personal.toml")
    months = "|".join(lexicon["dates"]["months"])
    labels = lexicon["labels"]
    between = r"(?:[\s:=.,#º°(-]|\b(?:" + "|".join(map(re.escape, labels["number"])) + r")(?![a-z]))*"
    shapes = [(kind, rf"(?<![a-z\d_.,/-])(?P<value>{shape})(?![a-z\d_/]|[-.,]\d)") for kind, shape in _SHAPES]
    shapes += [
        (
            kind,
            rf"(?<![a-z])(?:{_either(labels[label])})(?![a-z]){between}(?<![a-z\d_.])(?P<value>{shape})(?![a-z\d_%])",
        )
        for kind, label, shape in _LABELLED
    ]
    return tuple((kind, re.compile(shape.replace("{months}", months))) for kind, shape in shapes)


def _either(words: list[str]) -> str:
    """The words as alternatives, longest first, with blanks or dashes of any kind between their parts."""
    return "|".join(re.escape(word).replace(r"\ ", r"[\s-]") for word in sorted(words, key=len, reverse=True))


def _kind_of(digits: str) -> Kind | None:
    """What a long run of digits is, where its checksum or a numbering plan says so."""
    from stdnum import luhn
    from stdnum.gb import nhs

    bare = re.sub(r"\D", "", digits)
    if 13 <= len(bare) <= 19 and bare[0] in "23456" and _CARD.fullmatch(digits):
        return "card" if luhn.is_valid(bare) else None
    if re.fullmatch(r"\d{3}[ -]?\d{3}[ -]?\d{4}", digits) and nhs.is_valid(bare):
        return "id"
    return "phone" if _is_phone(digits, bare) else None


def _is_phone(digits: str, bare: str) -> bool:
    """International with a possible length; national where set like one and valid in one of the regions."""
    import phonenumbers

    if digits.startswith(("+", "00")):
        return 8 <= len(bare.lstrip("0")) <= 15
    shape = tuple(map(len, re.findall(r"\d+", digits)))
    local = bare[0] == "0" and len(shape) > 1 and "." not in digits and (shape[-1] > 2 or set(shape) == {2})
    if not (local or shape in _GROUPS or (len(shape) == 1 and len(bare) in (10, 11))) or len(bare) < 9:
        return False
    for region in _REGIONS:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(digits, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False


def _is_ip(text: str) -> bool:
    """An address; numbers of sections and enzymes (EC 3.4.21.4) begin lower."""
    import ipaddress

    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return address.version == 6 or int(text.split(".")[0]) > 7


def _is_iban(text: str) -> bool:
    from stdnum import iban

    return bool(iban.is_valid(text))


def _is_spanish(text: str) -> bool:
    from stdnum.es import dni, nie

    return bool(dni.is_valid(text) or nie.is_valid(text))


def _is_chinese(text: str) -> bool:
    """Also one whose last digit was mistyped: nothing else has a birthday in the middle of 18 digits."""
    birthday = r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
    return re.fullmatch(rf"[1-8]\d{{5}}{birthday}\d{{3}}[\dx]", text) is not None


_CHECKED: tuple[tuple[Kind, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("iban", _IBAN, _is_iban),
    ("id", _SPANISH, _is_spanish),
    ("id", _CHINESE, _is_chinese),
)
