"""The language a question is asked in.

Writing systems decide where they can; Latin script goes to py3langid, restricted to the languages below, and
falls back to English unless another language is clearly ahead: most questions are English, short, and full of
Latin names of drugs and diseases. Our choice; figures are in tests/unit/test_language.py.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LATIN = (
    "en",
    "es",
    "de",
    "fr",
    "pt",
    "it",
    "nl",
    "sv",
    "da",
    "no",
    "fi",
    "pl",
    "cs",
    "ro",
    "hu",
    "tr",
    "id",
    "vi",
)

_FALLBACK = "en"
_READ = 2000  # characters; more do not change the verdict
_SCRIPTS = (
    ("ja", re.compile(r"[぀-ヿ]")),  # kana before Han: Japanese uses both
    ("ko", re.compile(r"[가-힯ᄀ-ᇿ]")),
    ("zh", re.compile(r"[㐀-鿿]")),
    ("ar", re.compile(r"[؀-ۿ]")),
    ("he", re.compile(r"[֐-׿]")),
    ("el", re.compile(r"[Ͱ-Ͽ]")),
    ("th", re.compile(r"[฀-๿]")),
    ("hi", re.compile(r"[ऀ-ॿ]")),
    ("bn", re.compile(r"[ঀ-৿]")),
    ("ta", re.compile(r"[஀-௿]")),
)
_PERSIAN = re.compile(r"[پچژگ]")
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_UKRAINIAN = re.compile(r"[іїєґ]", re.IGNORECASE)
_LATIN_LETTER = re.compile(r"[^\W\d_]")
_MARKS = (
    ("vi", re.compile(r"[ơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]", re.IGNORECASE)),
    ("es", re.compile(r"[¿¡ñ]", re.IGNORECASE)),
    ("de", re.compile(r"ß")),
    ("pt", re.compile(r"[ãõ]", re.IGNORECASE)),
    ("pl", re.compile(r"[łąęśźż]", re.IGNORECASE)),
)
_SHARE = 0.2  # of the letters: below it a foreign script is a quoted word
_AHEAD = 5.0  # how many times likelier than English another language must be
_AS_COUNTED = {"no": "nb"}  # in the lists of word frequencies


def detect_language(text: str) -> str:
    """ISO 639-1 code of the text; English where nothing decides."""
    sample = text[:_READ]
    letters = len(_LATIN_LETTER.findall(sample))
    if not letters:
        return _FALLBACK
    for code, script in _SCRIPTS:
        if len(script.findall(sample)) >= _SHARE * letters:
            return "fa" if code == "ar" and _PERSIAN.search(sample) else code
    if len(_CYRILLIC.findall(sample)) >= _SHARE * letters:
        return "uk" if _UKRAINIAN.search(sample) else "ru"
    return _detect_latin(sample)


def _detect_latin(sample: str) -> str:
    for code, marks in _MARKS:
        if marks.search(sample):
            return code
    likely: dict[str, float] = dict(_load_identifier().rank(sample.lower()))
    best = max(likely, key=lambda code: likely[code])
    if likely[best] < _AHEAD * likely[_FALLBACK] or _is_commoner_in_english(sample, best):
        return _FALLBACK
    return best


def _is_commoner_in_english(sample: str, language: str) -> bool:
    """Letters of a few words mislead; how common the words themselves are in both languages does not."""
    from wordfreq import zipf_frequency

    words = sample.split()
    here, there = (
        sum(float(zipf_frequency(word, code, "small")) for word in words)
        for code in (_FALLBACK, _AS_COUNTED.get(language, language))
    )
    return here > there or (len(words) == 1 and here > 0)  # names of diseases are alike everywhere


@cache
def _load_identifier() -> LanguageIdentifier:
    """Loaded at the first question in Latin script, a tenth of a second."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(LATIN)
    return identifier
