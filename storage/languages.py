"""Languages: PubMed prints ISO 639-2 (`ger`), texts carry ISO 639-1 (`de`), citations say `German`."""

from __future__ import annotations

import re

# As of PubMed's language table, with the codes that have a short form.
_TABLE = """
afr af Afrikaans, alb sq Albanian, amh am Amharic, ara ar Arabic, arm hy Armenian, aze az Azerbaijani,
bos bs Bosnian, bul bg Bulgarian, cat ca Catalan, chi zh Chinese, cze cs Czech, dan da Danish, dut nl Dutch,
eng en English, epo eo Esperanto, est et Estonian, fin fi Finnish, fre fr French, geo ka Georgian,
ger de German, glg gl Galician, gre el Greek, heb he Hebrew, hin hi Hindi, hrv hr Croatian, hun hu Hungarian,
ice is Icelandic, ind id Indonesian, ita it Italian, jpn ja Japanese, kin rw Kinyarwanda, kor ko Korean,
lat la Latin, lav lv Latvian, lit lt Lithuanian, mac mk Macedonian, mal ml Malayalam, mao mi Maori,
may ms Malay, nor no Norwegian, per fa Persian, pol pl Polish, por pt Portuguese, pus ps Pushto,
rum ro Romanian, rus ru Russian, san sa Sanskrit, slo sk Slovak, slv sl Slovenian, spa es Spanish,
srp sr Serbian, swe sv Swedish, tha th Thai, tur tr Turkish, ukr uk Ukrainian, urd ur Urdu,
vie vi Vietnamese, wel cy Welsh
"""
_ROWS = re.findall(r"(\w{3}) (\w{2}) (\w+)", _TABLE)
_SHORT = {code: short for code, short, _ in _ROWS}
_NAMES = {code: name for code, _, name in _ROWS}
_SPELLINGS: dict[str, str] = {form: name.lower() for *codes, name in _ROWS for form in (*codes, name.lower())}


def short_code(code: str | None) -> str:
    """ISO 639-1 for a code or tag (`ger`, `de`, `de-AT`); one without a short form stays; none is `en`."""
    first = (code or "").strip().lower().replace("_", "-").partition("-")[0]
    return _SHORT.get(first, first) or "en"


def language_name(code: str) -> str | None:
    """The English name of a language that PubMed names by its ISO 639-2 code; None for "several" and such."""
    return _NAMES.get(code)


def pubmed_language(text: str) -> str:
    """The name by which PubMed searches a language, lower case, for its name or either code; others stay."""
    folded = text.strip().lower()
    return _SPELLINGS.get(folded, folded)
