"""What carecite says about itself: fixed texts in the asker's language (`config/notices`).

Notices are no part of the cited answer; they are written by people, never by a model.
"""

from __future__ import annotations

from datetime import date

from config.resources import read_toml

LANGUAGES = ("en", "zh", "es", "de", "fr")  # ISO 639-1; any other gets English


def notice(code: str, language: str, **values: object) -> str:
    """The text of one notice with its values filled in.

    Raises KeyError for an unknown code or a value that the text needs and did not get.
    """
    table = read_toml(f"notices/{language if language in LANGUAGES else LANGUAGES[0]}.toml")
    text: str = table[code]
    return " ".join(text.format_map(values).split())


def checked_on(day: date | None, language: str) -> str:
    """When a standing was last checked, as a part of a sentence."""
    return notice("checked_on", language, date=day) if day else notice("checked_unknown", language)
