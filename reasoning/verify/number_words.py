"""Numbers in a text, in digits or words, in five languages; units and bounds come later.

Source of the forms: architecture 2.6 and methods.md 2.6 (our choice where they are silent).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from config.resources import read_toml

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_POWERS = re.compile(r"(?<=\d)[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_TIMES_TEN = r"(?:\s*(?:×|x|\*)\s*10(?:\^|\()(?P<power>-?\d{1,2})\)?)?"
_DIGITS = re.compile(
    r"(?<![a-z0-9_.,À-ɏ])(?<![a-z]-)(?P<digits>\d{1,3}(?:[, ]\d{3})+(?!\d)(?:\.\d+)?"
    r"|\d{1,3}(?:[.,]\d{3})+(?!\d)"
    r"|\d+(?:[.,·]\d+)?|(?<!\d)\.\d+)" + _TIMES_TEN
)
_SCALE = re.compile(
    r"\s*(?:(thousand|mil|tausend|mille|千)|(万)|(million|millions|millón|millones|millionen|百万)|(billion)|(亿))(?![a-z])"
)
_SCALES = (1e3, 1e4, 1e6, 1e9, 1e8)
_HAN_DIGITS = {
    c: n
    for n, chars in enumerate(("零〇", "一", "二两", "三", "四", "五", "六", "七", "八", "九"))
    for c in chars
}
_HAN_TENS = {"十": 10, "百": 100, "千": 1000}
_FOLDS = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty)-?fold"
)
_HALF_MORE = {"es": " y ", "fr": " et "}  # "an hour and a half"
_HAN = r"[零〇一二两三四五六七八九十百千万亿]+"
_A_UNIT = re.compile(
    r"(?<![\w-])(?:an?|the first|the last|the past|the next|first|every|each)"
    r"(?=[ -](?:hour|day|week|month|year|decade|fortnight)(?!ly|s))"
)
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5} | {c: 100 + n for n, c in enumerate("abcde")}


@dataclass(frozen=True, slots=True)
class Number:
    """A value at [start, end). `step` is one unit of its last written place; `weak` words ("one") count only
    with a unit; `share` and `times` words carry their unit in themselves."""

    value: float
    start: int
    end: int
    step: float = 1.0
    spelled: bool = False
    weak: bool = False
    kind: str | None = None  # "ratio", "fold" or "label:type" where the words say so


def prepare(text: str) -> str:
    """Lower case, one width of characters, powers as ^n; mathematical signs plain."""
    text = _POWERS.sub(lambda m: "^" + m[0].translate(_SUPERSCRIPT), text)
    text = unicodedata.normalize("NFKC", text).lower()
    return re.sub(r"[\u2009\u202f\u00a0]", " ", text).replace("−", "-").replace("–", "-").replace("—", " - ")


def find_numbers(text: str, language: str) -> list[Number]:
    """All numbers of a prepared text in order, none within another."""
    found = [*_labels(text), *_digits(text, language), *_shares_and_times(text, language)]
    found += _han(text) if language == "zh" else _words(text, language)
    kept: list[Number] = []
    for number in sorted(found, key=lambda n: (n.start, -n.end)):
        if not kept or number.start >= kept[-1].end:
            kept.append(number)
    return kept


def _lexicon(part: str, language: str) -> dict[str, float]:
    entry: dict[str, Any] = read_toml("lexicons/number_words.toml").get(language, {})
    return entry.get(part, {}) if language in read_toml("lexicons/number_words.toml") else {}


def _digits(text: str, language: str) -> Iterator[Number]:
    for match in _DIGITS.finditer(text):
        value, step = read_digits(match["digits"], language)
        end = match.end()
        if match["power"]:
            value, step = value * 10.0 ** int(match["power"]), step * 10.0 ** int(match["power"])
        elif text[end : end + 1] == "^" and (power := re.match(r"\^(-?\d{1,2})", text[end:])):
            value, step, end = value ** int(power[1]), 1.0, end + power.end()
        if scale := _SCALE.match(text, end):
            factor = next(f for f, hit in zip(_SCALES, scale.groups(), strict=True) if hit)
            value, step, end = value * factor, step * factor, scale.end()
        yield Number(value, match.start(), end, step)


def read_digits(written: str, language: str) -> tuple[float, float]:
    """Value and last place: the comma is decimal in es, de, fr, and in English only where it cannot part
    thousands."""
    written = written.replace(" ", "").replace("·", ".")
    if language in ("es", "de", "fr"):
        if re.fullmatch(r"\d{1,3}(\.\d{3})+", written):
            written = written.replace(".", "")
        elif "," in written and "." not in written:
            written = written.replace(",", ".", 1) if written.count(",") == 1 else written.replace(",", "")
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", written):
        written = written.replace(",", "")
    written = written.replace(",", ".")
    if written.count(".") > 1:
        written = written.replace(".", "")
    places = len(written.partition(".")[2])
    return float(written), 10.0**-places


@cache
def _word_pattern(language: str) -> re.Pattern[str] | None:
    words = _lexicon("cardinals", language)
    if not words:
        return None
    one = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return re.compile(
        rf"(?<![^\W_])(?<![^\W\d_]-)(?:{one})(?:(?:[\s-]|\s+and\s+|\s+y\s+)(?:{one}))*(?![^\W_])"
    )


def _words(text: str, language: str) -> Iterator[Number]:
    pattern = _word_pattern(language)
    if pattern is None:
        return
    cardinals = _lexicon("cardinals", language)
    if language == "en":
        for one in _A_UNIT.finditer(text):
            yield Number(1.0, one.start(), one.end(), 1.0, True, weak=True)
    for match in pattern.finditer(text):
        words = [word for word in re.split(r"[\s-]+", match[0]) if word in cardinals]
        value = _add_up([cardinals[word] for word in words])
        yield Number(value, match.start(), match.end(), 1.0, True, weak=value == 1)


def _add_up(values: list[float]) -> float:
    total = current = 0.0
    for value in values:
        if value >= 1000:
            total, current = total + max(current, 1) * value, 0.0
        elif value == 100:
            current = max(current, 1) * value
        else:
            current += value
    return total + current


@cache
def _fixed(part: str, language: str) -> re.Pattern[str] | None:
    words = sorted(map(re.escape, _lexicon(part, language)), key=len, reverse=True)
    edge = "" if language == "zh" else r"(?![^\W_])"
    before = "" if language == "zh" else r"(?<![^\W_])"
    return re.compile(rf"{before}(?:{'|'.join(words)}){edge}") if words else None


def _shares_and_times(text: str, language: str) -> Iterator[Number]:
    if language == "en":
        for match in _FOLDS.finditer(text):
            yield Number(
                _lexicon("cardinals", "en")[match[1]], match.start(), match.end(), 1.0, True, kind="fold"
            )
    for part, kind in (("shares", "ratio"), ("times", "fold")):
        pattern = _fixed(part, language)
        for match in pattern.finditer(text) if pattern else ():
            if text[: match.start()].endswith(_HALF_MORE.get(language, "and a ")) or (
                match[0].startswith("a ") and not _parts_a_whole(text, match)
            ):
                continue  # "a third drug" is an ordinal
            yield Number(
                _lexicon(part, language)[match[0]], match.start(), match.end(), 0.01, True, kind=kind
            )


def _parts_a_whole(text: str, match: re.Match[str]) -> bool:
    after, before = text[match.end() :], text[: match.start()].rstrip()
    return bool(re.match(r"\s*(?:of\b|[.,;)]|$)", after)) or before.endswith(
        ("by", "about", "nearly", "than", "roughly", "around", "almost")
    )


def _han(text: str) -> Iterator[Number]:
    for match in re.finditer(rf"(?:百分之)(?P<n>{_HAN}|[\d.]+)", text):
        value = float(match["n"]) if match["n"][0].isdigit() else read_han(match["n"])
        yield Number(value / 100, match.start(), match.end(), 0.01, kind="ratio")
    for match in re.finditer(rf"(?P<b>{_HAN}|\d+)分之(?P<a>{_HAN}|\d+)", text):
        a, b = (float(n) if n[0].isdigit() else read_han(n) for n in (match["a"], match["b"]))
        if b:
            yield Number(a / b, match.start(), match.end(), 0.01, kind="ratio")
    for match in re.finditer(r"(?P<n>[一二两三四五六七八九\d])成(?![为人分熟功年])", text):
        value = float(match["n"]) if match["n"].isdigit() else read_han(match["n"])
        yield Number(value / 10, match.start(), match.end(), 0.01, kind="ratio")
    for match in re.finditer(_HAN, text):
        if not re.match(r"[万亿千百十]", match[0]) or match[0][0] == "十":
            value = read_han(match[0])
            yield Number(value, match.start(), match.end(), 1.0, True, weak=value < 2)


def read_han(written: str) -> float:
    """Chinese numerals up to hundreds of millions."""
    total = section = digit = 0.0
    for character in written:
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
        elif character in _HAN_TENS:
            section, digit = section + (digit or 1) * _HAN_TENS[character], 0.0
        else:
            factor = 1e4 if character == "万" else 1e8
            total, section, digit = (total + section + digit) * factor, 0.0, 0.0
    return total + section + digit


@cache
def _label_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    data = read_toml("lexicons/number_words.toml")
    before = "|".join(f"(?P<{name}>{words})" for name, words in data["labels"].items())
    after = "|".join(f"(?P<{name}>{words})" for name, words in data["labels_after"].items())
    number = r"(?P<n>\d{1,2}|iv|v|i{1,3}|[a-e])"
    return (
        re.compile(rf"(?<![^\W_])(?:{before})s?[\s-]+{number}(?![\d%]|[.,]\d)(?=[a-c]?(?![^\W_]))"),
        re.compile(rf"(?<![a-z0-9]){number}\s*(?:{after})"),
    )


def _labels(text: str) -> Iterator[Number]:
    for pattern in _label_patterns():
        for match in pattern.finditer(text):
            name = next(key for key, hit in match.groupdict().items() if hit and key != "n")
            value = float(_ROMAN.get(match["n"], 0) or match["n"])
            yield Number(value, match.start(), match.end(), 1.0, kind=f"label:{name}")
