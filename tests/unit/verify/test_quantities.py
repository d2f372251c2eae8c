"""Numbers as values with units, ranges and bounds, in five languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.verify.figures import agree
from reasoning.verify.number_words import read_digits, read_han
from reasoning.verify.quantities import Quantity, quantities_in
from reasoning.verify.units import periods_in


def only(text: str, language: str = "en") -> Quantity:
    found = [q for q in quantities_in(text, language) if not q.part]
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "language", "low", "high", "unit"),
    [
        ("500 mg", "en", 500, 500, "mg"),
        ("1,200 patients", "en", 1200, 1200, None),
        ("1.500 Patienten", "de", 1500, 1500, None),
        ("1,5 mg", "de", 1.5, 1.5, "mg"),
        ("5-10 mg", "en", 5, 10, "mg"),
        ("5 to 10 mg", "en", 5, 10, "mg"),
        ("between 5 and 10 mg/dL", "en", 5, 10, "mg/dL"),
        ("two or three weeks", "en", 2, 3, "week"),
        ("dos semanas", "es", 2, 2, "week"),
        ("zwei Wochen", "de", 2, 2, "week"),
        ("deux semaines", "fr", 2, 2, "week"),
        ("两周", "zh", 2, 2, "week"),
        ("850毫克", "zh", 850, 850, "mg"),
        ("剂量为每次850毫克", "zh", 850, 850, "mg"),
        ("十五天", "zh", 15, 15, "day"),
        ("2.5 × 10⁹/L", "en", 2.5e9, 2.5e9, "cells/L"),
        ("98.6 °F", "en", 98.6, 98.6, "F"),
        ("one hundred and fifty", "en", 150, 150, None),
        ("half an hour", "en", 0.5, 0.5, "hour"),
        ("a 45-year-old woman", "en", 45, 45, "year"),
        ("at week 72", "en", 72, 72, "week"),
        ("stage IV", "en", 4, 4, "label:stage"),
        ("2型糖尿病", "zh", 2, 2, "label:type"),
        ("four more weeks", "en", 4, 4, "week"),
    ],
)
def test_forms(text: str, language: str, low: float, high: float, unit: str | None) -> None:
    found = only(text, language)
    assert (found.low, found.high, found.unit.name if found.unit else None) == (low, high, unit)


@pytest.mark.parametrize(
    ("text", "language", "share"),
    [
        ("one in five", "en", 0.2),
        ("1 in 5 people", "en", 0.2),
        ("20%", "en", 0.2),
        ("20 percent", "en", 0.2),
        ("20 out of 100", "en", 0.2),
        ("uno de cada cinco", "es", 0.2),
        ("einer von fünf", "de", 0.2),
        ("une personne sur cinq", "fr", 0.2),
        ("百分之二十", "zh", 0.2),
        ("五分之一", "zh", 0.2),
        ("每五个人中有一人", "zh", 0.2),
        ("两成", "zh", 0.2),
        ("two-thirds", "en", 2 / 3),
        ("la mitad", "es", 0.5),
        ("for every 1,000 people about three", "en", 0.003),
    ],
)
def test_shares_are_one_kind(text: str, language: str, share: float) -> None:
    found = only(text, language)
    assert found.kind == "ratio"
    assert found.ends[0] == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "language", "bound"),
    [
        ("at least 5 mg", "en", "ge"),
        ("more than 5 mg", "en", "gt"),
        ("≥ 5 mg", "en", "ge"),
        ("up to 5 mg", "en", "le"),
        ("less than 5 mg", "en", "lt"),
        ("5 mg or more", "en", "ge"),
        ("65 years and older", "en", "ge"),
        ("no more than 5 mg", "en", "le"),
        ("should not take more than 5 mg", "en", "le"),
        ("about 5 mg", "en", "about"),
        ("至少5毫克", "zh", "ge"),
        ("5毫克以下", "zh", "le"),
        ("al menos 5 mg", "es", "ge"),
        ("mindestens 5 mg", "de", "ge"),
        ("au moins 5 mg", "fr", "ge"),
        ("5 mg", "en", ""),
    ],
)
def test_bounds(text: str, language: str, bound: str) -> None:
    assert only(text, language).bound == bound


@pytest.mark.parametrize(
    "name", ["HbA1c", "B12", "COVID-19", "IL-6", "one of the most common", "a third drug"]
)
def test_names_and_articles_are_no_numbers(name: str) -> None:
    assert not quantities_in(name, "en")


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("500 mg a day", {"day"}),
        ("15 mL/min", {"minute"}),
        ("once weekly", {"week"}),
        ("每天两次", {"day"}),
        ("zweimal täglich", {"day"}),
        ("5 mg/kg", {"kg"}),
    ],
)
def test_periods(text: str, periods: set[str]) -> None:
    assert periods_in(text.lower()) == periods


@given(st.integers(1, 9999), st.sampled_from([("mg", "g", 1000), ("mL", "L", 1000), ("mm", "cm", 10)]))
def test_converted_values_agree(value: int, units: tuple[str, str, int]) -> None:
    small, large, factor = units
    one, other = only(f"{value * factor} {small}"), only(f"{value} {large}")
    assert agree(one, other)
    assert not agree(only(f"{value} {small}"), other)


@given(st.integers(2, 52))
def test_weeks_are_days(weeks: int) -> None:
    assert agree(only(f"{weeks} weeks"), only(f"{7 * weeks} days"))
    assert not agree(only(f"{weeks} weeks"), only(f"{weeks} days"))


@given(st.integers(2, 98))
def test_percent_is_a_share(percent: int) -> None:
    assert agree(only(f"{percent}%"), only(f"{percent} in 100"))
    assert agree(only(f"{percent} percent"), only(f"百分之{percent}", "zh"))


@given(st.integers(1, 999_999))
def test_thousands_are_read_alike(value: int) -> None:
    assert read_digits(f"{value:,}", "en")[0] == value
    assert read_digits(f"{value:,}".replace(",", "."), "de")[0] == value


@given(st.integers(1, 99))
def test_chinese_numerals(value: int) -> None:
    tens, ones = divmod(value, 10)
    digits = "零一二三四五六七八九"
    written = (("" if tens == 1 else digits[tens]) + "十" if tens else "") + (digits[ones] if ones else "")
    assert read_han(written) == value


@given(st.text(max_size=200), st.sampled_from(["en", "es", "de", "fr", "zh"]))
def test_any_text_can_be_read(text: str, language: str) -> None:
    for q in quantities_in(text, language):
        assert q.low <= q.high
        assert 0 <= q.start < q.end
