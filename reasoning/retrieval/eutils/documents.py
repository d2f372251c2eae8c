"""ESearch and ESpell documents as plain values: by Biopython, by lxml where it refuses (methods.md 5.6, F17).

Biopython fetches a DTD that it does not carry, and makes a folder in the home for it. So it only gets what
names a DTD that it carries and nothing else from outside, and the folder that it wants is its own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

_DOCTYPE = re.compile(rb'<!DOCTYPE\s+\w+\s+PUBLIC\s+"[^"]*"\s+"https://[^"]*/([\w.-]+\.dtd)"\s*>')


@dataclass(frozen=True, slots=True)
class Found:
    """What ESearch says. `terms` are those of the translation with their counts, as PubMed wrote them;
    `rewritten` what term mapping made of a word."""

    count: int
    ids: tuple[str, ...] = ()
    translation: str = ""
    phrases_not_found: tuple[str, ...] = ()
    quoted_phrases_not_found: tuple[str, ...] = ()
    fields_not_found: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    rewritten: Mapping[str, str] | None = None
    terms: Mapping[str, int] | None = None


def read_search(body: bytes) -> Found | None:
    """A document that has been classified as an eSearchResult; None where it holds no count."""
    values = read_values(body)
    errors, warnings = _group(values, "ErrorList"), _group(values, "WarningList")
    try:
        return Found(
            count=int(values["Count"]),
            ids=_texts(values.get("IdList")),
            translation=_text(values.get("QueryTranslation")),
            phrases_not_found=_texts(errors.get("PhraseNotFound")),
            quoted_phrases_not_found=_texts(warnings.get("QuotedPhraseNotFound")),
            fields_not_found=_texts(errors.get("FieldNotFound")),
            ignored=_texts(warnings.get("PhraseIgnored")),
            messages=_texts(warnings.get("OutputMessage")),
            rewritten={
                _text(each.get("From")): _text(each.get("To"))
                for each in _groups(values.get("TranslationSet"))
            },
            terms={
                _text(each.get("Term")): int(each.get("Count") or 0)
                for each in _groups(values.get("TranslationStack"))
            },
        )
    except (KeyError, TypeError, ValueError):
        return None


def read_spelling(body: bytes) -> str | None:
    """The corrected query of a document that has been classified as an eSpellResult."""
    return _text(read_values(body).get("CorrectedQuery")) or None


def read_values(body: bytes) -> Mapping[str, Any]:
    """The document as texts, lists and mappings by element name; empty where no reader can read it."""
    entrez = _biopython()
    named = _DOCTYPE.search(body[:2048])
    if named and _is_carried(entrez, named.group(1).decode("ascii")) and b"xmlns" not in body[:2048]:
        try:
            return dict(entrez.read(io.BytesIO(body), validate=False))
        except Exception:  # it raises whatever its handlers run into, AssertionError among them
            return read_with_lxml(body)
    return read_with_lxml(body)


@cache
def _biopython() -> ModuleType:
    import Bio
    from Bio import Entrez

    own_dtds = str(Path(Bio.__file__).parents[1])
    vars(Entrez)["local_cache"] = own_dtds  # the folder that it would make in the home
    return Entrez


@cache
def _is_carried(entrez: ModuleType, name: str) -> bool:
    return (Path(str(entrez.__file__)).parent / "DTDs" / name).is_file()


_LISTS = {"IdList", "TranslationSet", "TranslationStack"}
_REPEATED = {"PhraseNotFound", "FieldNotFound", "PhraseIgnored", "QuotedPhraseNotFound", "OutputMessage"}


def read_with_lxml(body: bytes) -> Mapping[str, Any]:
    """The same values without any DTD; empty where it is no XML."""
    from lxml import etree

    parser = etree.XMLParser(
        load_dtd=False, no_network=True, resolve_entities=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        return {}
    value = _value(root)
    return value if isinstance(value, dict) else {}


def _value(element: Any) -> Any:
    if element.tag in _LISTS:
        return [_value(child) for child in element]
    if not len(element):
        return element.text or ""
    values: dict[str, Any] = {}
    for child in element:
        if child.tag in _REPEATED:
            values.setdefault(child.tag, []).append(_value(child))
        else:
            values[child.tag] = _value(child)
    return values


def _group(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    group = values.get(name)
    return group if isinstance(group, Mapping) else {}


def _groups(values: Any) -> list[Mapping[str, Any]]:
    """Those of a list that are groups; the stack of a translation holds operators between them."""
    return [each for each in values if isinstance(each, Mapping)] if _is_list(values) else []


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(text for each in values if (text := _text(each))) if _is_list(values) else ()


def _text(value: Any) -> str:
    return " ".join(str(value).split()) if isinstance(value, str) else ""


def _is_list(values: Any) -> bool:
    return isinstance(values, Sequence) and not isinstance(values, str)
