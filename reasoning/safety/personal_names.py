"""Names of people, by what stands before them: a title, "my name is", 我叫, "patient John Smith".

Without a cue no name is masked: Parkinson, Hodgkin and Crohn are diseases here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from config.resources import read_toml

if TYPE_CHECKING:
    from reasoning.safety.personal_data import Kind

_WORD = r"[^\W\d_\u3400-\u9fff][\w'’-]*\.?"
_CAPITAL = r"(?:(?:de|del|la|von|van|der|den|da|dos|bin|al|el|O['’]|Mc|Mac)\s)*[A-ZÀ-ÖØ-Þ][\w'’-]*"
_INITIAL = r"(?:[A-Z]\.\s?)*"
_HAN = r"\u4e00-\u9fff"


def find_names(text: str) -> Iterator[tuple[int, int, Kind]]:
    """Spans with the kind "name"; may overlap."""
    patterns = _patterns()
    for match in patterns["title"].finditer(text):
        if match["first"] not in _lexicon("never"):
            yield match.start("name"), match.end("name"), "name"
    for match in patterns["sure"].finditer(text):
        start, end = match.start("name"), _end_of_name(match)
        if end > start and (
            text[start].isupper() or not match[0][: -len(match["name"])].rstrip().endswith(":")
        ):
            yield start, end, "name"
    for cue in ("capital", "two", "end"):
        for match in patterns[cue].finditer(text):
            words = re.findall(r"[\w'’-]+", match["name"])
            if _in_headline(match):
                continue
            if not _lexicon("never") & set(words) and not any(
                word.isupper() and len(word) > 1 for word in words
            ):
                yield match.start("name"), match.end("name"), "name"
    for cue in ("chinese", "chinese_title"):
        for match in patterns[cue].finditer(text):
            yield match.start("name"), match.end("name"), "name"


def _in_headline(match: re.Match[str]) -> bool:
    """The cue has a capital in mid-sentence: "Increased Patient Risk"."""
    before = match.string[: match.start()].rstrip()
    return match[0][0].isupper() and match[0][:2] not in ("I ", "I'", "I’") and before[-1:].isalnum()


def _end_of_name(match: re.Match[str]) -> int:
    """Up to three words: those with capitals, or as many small ones as are no ordinary word."""
    end = match.start("name")
    first = True
    for word in re.finditer(r"[^\s]+", match["name"]):
        bare = word[0].strip(".,;:!?()\"'")
        if bare.lower() in _lexicon("stop") or not re.fullmatch(_WORD, bare):
            break
        if not first and not bare[0].isupper() and match["name"][0].isupper():
            break
        end = match.start("name") + word.start() + len(word[0].rstrip(".,;:!?()\"'"))
        first = False
        if word[0] != bare:
            break
    return end


@cache
def _lexicon(name: str) -> frozenset[str]:
    return frozenset(read_toml("lexicons/personal.toml")["names"][name].split())


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    names = read_toml("lexicons/personal.toml")["names"]

    def cue(key: str) -> str:
        words = sorted(names[key], key=len, reverse=True)
        either = "|".join(re.escape(word).replace("'", "['’]") for word in words)
        return rf"(?<!\w)(?i:{either})"

    person = rf"{_INITIAL}{_CAPITAL}(?:\s{_INITIAL}{_CAPITAL}){{0,2}}"
    surname = f"[{names['surnames']}]"
    titles = "|".join(sorted(map(re.escape, names["titles"]), key=len, reverse=True))
    return {
        "title": re.compile(
            rf"(?<!\w)(?:{titles})\.?\s(?P<name>(?P<first>{_INITIAL}{_CAPITAL})(?:\s{_CAPITAL}){{0,2}})"
        ),
        "sure": re.compile(rf"{cue('sure')}\s*(?P<name>{_WORD}(?:[ \t]{_WORD}){{0,2}})"),
        "capital": re.compile(rf"{cue('capital')},?\s(?P<name>{person})"),
        "two": re.compile(rf"{cue('two')},?\s(?P<name>{_CAPITAL}(?:\s{_INITIAL}{_CAPITAL}){{1,2}})"),
        "end": re.compile(rf"{cue('end')},?\s*\n?\s*(?P<name>{person})\s*\.?\s*$"),
        "chinese": re.compile(
            rf"(?:{'|'.join(names['chinese_sure'])})\s*[:：是叫]?\s*(?P<name>{surname}[{_HAN}]{{1,3}}(?![{_HAN}])"
            rf"|{surname}[{_HAN}]{{1,2}}|[A-Z]\w+(?:\s[A-Z]\w+)?)"
        ),
        "chinese_title": re.compile(
            rf"(?:(?<![{_HAN}])|(?<=[是找问见位])|(?<=谢谢)|(?<=感谢))(?!谢谢|谢[你您])"
            rf"(?P<name>{surname}[{_HAN}]{{0,2}})(?:{'|'.join(names['chinese_titles'])})"
        ),
    }
