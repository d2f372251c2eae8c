"""What a model wrote, without the citations it made up (case F27): only numbers of given sources remain.

Everything else that looks like a reference is removed: numbers out of range, PMIDs and PMCIDs that were not
given, author and year, links, reference lists. "[1.2, 3.4]" is an interval, not a citation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from reasoning.retrieval.segmentation import split_sentences
from reasoning.verify.units import unit_after

_LIST = re.compile(
    r"(?:^|\n)[ \t#*_]*(?:references|sources|bibliography|citations|works cited|reference list|referencias"
    r"|fuentes"
    r"|bibliografía|literatur|quellen|références|bibliographie|参考文献|参考资料|来源)"
    r"[ \t*_]*[:：]?[ \t*_]*(?=\n|$|\[)",
    re.IGNORECASE,
)
_INLINE_LIST = re.compile(r"\s(?:References|Sources|参考文献)[:：]\s*(?=\[?\d)")
_LINK = re.compile(r"\[(?P<words>[^\[\]]+)\]\(\s*(?:https?:|www\.|mailto:)[^)\s]*\s*\)")
_ADDRESS = re.compile(r"[(<]?\b(?:https?://|www\.)[^\s<>()]*[^\s<>().,;][)>]?", re.IGNORECASE)
_INTERVAL = re.compile(
    r"(?:\bCI|confidence interval|\binterval|\brange|\bIQR|%)[^\[\]]{0,12}$", re.IGNORECASE
)
_ITEM = r"(?:\^?(?:source|sources|ref|doc|document|quelle|fuente)?\s*\d{1,4}(?:†[^\]】,]*)?)"
_JOIN = r"(?:\s*[,;，、–-]\s*|\s+and\s+|\s+)"
_NUMBERS = re.compile(
    rf"\s*(?:\[\[|\[|【|〔)\s*({_ITEM}(?:{_JOIN}{_ITEM})*)\s*(?:\]\]|\]|】|〕)(?!\()", re.IGNORECASE
)
_PMID = re.compile(
    r"\s*[(\[【]?\s*(?:PubMed\s*ID|PMID)s?[:\s#]*((?:\d{1,9}(?:\s*[,;]\s*)?)+)\s*[)\]】]?", re.IGNORECASE
)
_OTHER_ID = re.compile(
    r"\s*[(\[【]\s*(?:PMC\s?\d+|doi:?\s*10\.\S+?|10\.\d{4,}/\S+?|NCT\d+|arXiv:\S+?)\s*[)\]】]|\s*\bdoi:\s*10\.\S+\b",
    re.IGNORECASE,
)
_NAME = r"[A-ZÀ-Ý][\w'’-]+"
_OTHERS = rf"et\s+al\.?|and\s+{_NAME}|&\s*{_NAME}|und\s+{_NAME}|y\s+{_NAME}|等"
_ONE_WORK = rf"{_NAME}(?:\s+(?:{_OTHERS}))?,?\s*(?:19|20)\d\d[a-z]?"
_AUTHOR_YEAR = re.compile(
    rf"\s*[(\[（]\s*(?:see\s+|e\.g\.,?\s*)?{_ONE_WORK}(?:\s*;\s*{_ONE_WORK})*\s*[)\]）]"
)
_ACCORDING = re.compile(
    rf"(?:According to|As shown by|As reported by)\s+{_NAME}"
    rf"(?:\s+et\s+al\.?|\s+and\s+{_NAME})?\s*\((?:19|20)\d\d[a-z]?\),?\s*"
)
_NARRATIVE = re.compile(rf"{_NAME}\s+(?:et\s+al\.?|and\s+{_NAME})\s*\((?:19|20)\d\d[a-z]?\)")
_OPEN, _CLOSE = "\ue000", "\ue001"
_KEPT = re.compile(rf"\s*{_OPEN}([\d,]*){_CLOSE}")


@dataclass(frozen=True, slots=True)
class Written:
    """One sentence without marks, and the sources it cites, numbers from 1 in order, each once."""

    text: str
    cited: tuple[int, ...]


def clean_citations(text: str, n_sources: int, pmids: Mapping[str, int] | None = None) -> list[Written]:
    """Sentences of a model with the numbers that resolve; `pmids` are those of the given sources.

    A mark behind the full stop belongs to the sentence before it.
    """
    marked = _mark(_without_lists(text), n_sources, pmids or {})
    sentences: list[Written] = []
    for span in split_sentences(marked):
        piece = marked[span.start : span.end]
        cited = [int(n) for mark in _KEPT.finditer(piece) for n in mark[1].split(",") if n]
        leading = re.match(rf"(?:\s*{_OPEN}[\d,]*{_CLOSE})+", piece)
        if leading and sentences:
            early = [int(n) for mark in _KEPT.finditer(leading[0]) for n in mark[1].split(",") if n]
            before = sentences.pop()
            sentences.append(Written(before.text, tuple(dict.fromkeys((*before.cited, *early)))))
            cited = cited[len(early) :]
        plain = _tidy(_KEPT.sub("", piece))
        if any(character.isalnum() for character in plain):
            sentences.append(Written(plain, tuple(dict.fromkeys(cited))))
    return sentences


def _without_lists(text: str) -> str:
    """Up to where the model begins a list of references; links keep their words."""
    for pattern in (_LIST, _INLINE_LIST):
        found = pattern.search(text)
        if found:
            text = text[: found.start()]
    return _ADDRESS.sub("", _LINK.sub(lambda match: match["words"], text))


def _mark(text: str, n_sources: int, pmids: Mapping[str, int]) -> str:
    def keep(numbers: list[int]) -> str:
        good = dict.fromkeys(str(n) for n in numbers if 1 <= n <= n_sources)
        return f"{_OPEN}{','.join(good)}{_CLOSE}"

    def numbers(match: re.Match[str]) -> str:
        before, after = text[max(0, match.start() - 30) : match.start()], text[match.end() :].lower()
        if _INTERVAL.search(before) or (after[:1] == " " and unit_after(after, 0)[0]):
            return match[0]  # an interval, or "[3] mg"
        return keep(_expand(match[1], n_sources))

    text = _OTHER_ID.sub("", text)
    text = _PMID.sub(lambda m: keep([pmids.get(pmid, 0) for pmid in re.findall(r"\d+", m[1])]), text)
    text = _ACCORDING.sub("", _AUTHOR_YEAR.sub("", text))
    text = _NARRATIVE.sub("One study", text)
    return _NUMBERS.sub(numbers, text)


def _expand(written: str, n_sources: int) -> list[int]:
    """ "1-3, 5" as numbers; a range never runs beyond the sources."""
    found: list[int] = []
    bare = re.sub(r"†[^,;]*", "", written)
    for first, last in re.findall(r"(\d{1,4})(?:\s*[–-]\s*(\d{1,4}))?", bare):
        found += range(int(first), min(int(last or first), n_sources) + 1) if last else [int(first)]
    return found


def _tidy(text: str) -> str:
    plain = " ".join(text.split())
    plain = re.sub(r"\s+([.,;:!?])", r"\1", plain)
    return re.sub(r"[(\[【]\s*[)\]】]", "", plain).strip()
