"""Every notice exists in every language, with the same values, and says what it must."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from string import Formatter

import pytest

from config.resources import read_text, read_toml
from reasoning.notices import LANGUAGES, notice
from reasoning.safety.crisis_lines import list_lines, read_lines

ENGLISH: dict[str, str] = read_toml("notices/en.toml")


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_notices_are_complete_and_take_the_same_values(language: str):
    table: dict[str, str] = read_toml(f"notices/{language}.toml")
    assert table.keys() == ENGLISH.keys()
    for code, text in table.items():
        assert text.strip(), code
        assert _fields(text) == _fields(ENGLISH[code]), code


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_notices_are_translated(language: str):
    table: dict[str, str] = read_toml(f"notices/{language}.toml")
    same = {code for code in table if table[code] == ENGLISH[code]}
    assert same <= {"place_pubmed", "crisis_line", "heading_sources", "country_CA"}


def test_values_are_filled_in():
    assert (
        notice("searched", "en", n=12, places="starter library")
        == "Searched: 12 documents (starter library)."
    )


def test_a_missing_value_or_an_unknown_code_is_an_error():
    with pytest.raises(KeyError):
        notice("searched", "en", n=12)
    with pytest.raises(KeyError):
        notice("no_such_code", "en")


def test_an_unknown_language_gets_english():
    assert notice("scope", "xx") == notice("scope", "en")


def test_abstentions_recommend_nothing():
    """F28: a failed search is no absence of studies, and no abstention names a dose."""
    for code, text in ENGLISH.items():
        if code.startswith("abstain_"):
            assert "dose" not in text
    assert "cannot say whether there are studies" in ENGLISH["abstain_search_failed"]


def test_shown_crisis_lines_were_checked_within_180_days():
    """Time passes: this fails on purpose when somebody has to read the services' pages again."""
    for line in list_lines():
        assert line.source.startswith("https://")
        assert line.checked_by
        assert line.checked_on
        assert datetime.now(UTC).date() - line.checked_on <= timedelta(days=180), line.service


def test_an_unverified_line_claims_no_check():
    assert all(line.checked_on is None for line in read_lines() if not line.verified)


def test_every_verified_country_has_a_name():
    for line in list_lines():
        assert notice(f"country_{line.country}", "en")


def test_a_file_that_does_not_ship_is_an_error():
    with pytest.raises(FileNotFoundError):
        read_text("notices/xx.toml")
