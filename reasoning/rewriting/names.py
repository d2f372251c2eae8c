"""Names kept as they stand: gene variants by their shape, drugs that no table has by their ending."""

from __future__ import annotations

import re

from reasoning.meanings import drug_classes

_VARIANT = re.compile(
    r"\bp\.[A-Z][a-z]{0,2}\d{1,4}(?:[A-Z][a-z]{0,2}|\*|fs)?"  # p.V600E
    r"|\bc\.\d+[\d_+-]*(?:[ACGT]>[ACGT]|del\w*|ins\w*|dup\w*)"
    r"|\b[ACDEFGHIKLMNPQRSTVWY]\d{2,4}[ACDEFGHIKLMNPQRSTVWY]\b"  # T790M
    r"|\bexon\s+\d{1,2}(?:\s+(?:deletion|insertion|skipping|mutation)s?)?"
    r"|\bdel\(?\d{1,2}[pq]\)?|\bt\(\d{1,2};\d{1,2}\)|\b(?:1p/?19q|17p)\b(?:\s+deletion)?"
    r"|\brs\d{3,}\b",
    re.IGNORECASE,
)
_VARIANT_ZH = re.compile(r"(\d{1,2})\s*号?外显子|外显子\s*(\d{1,2})")
_HAN_RUN = re.compile(r"[㐀-鿿]+")
_HAN_NAME = 6  # characters of a drug's name at most, its ending included
_HAN_START = re.compile(r"^.*(?:吃|用|服|打|喝|叫|换|加|在|和|与|的|了|是|过|药)")
_LATIN = re.compile(r"\b[A-Za-z]{6,}\b")


def find_variants(text: str) -> list[str]:
    """Variants as literature writes them, each once."""
    found = [" ".join(match.group().split()) for match in _VARIANT.finditer(text)]
    found += [f"exon {match[1] or match[2]}" for match in _VARIANT_ZH.finditer(text)]
    return list(dict.fromkeys(found))


def unknown_drugs(text: str, taken: str) -> list[tuple[str, str]]:
    """(name as written, English name of its class) of drugs by ending, in what is left of a text.

    `taken` is the text with everything that is known blanked out.
    """
    found = []
    for run in _HAN_RUN.finditer(taken):
        for ending, kind in drug_classes("zh").items():
            at = run.group().find(ending)
            if at >= 0:
                start = _HAN_START.sub("", run.group()[max(0, at - _HAN_NAME) : at])
                found.append((start + ending, kind))
                break
    for match in _LATIN.finditer(taken):
        for ending, kind in drug_classes("en").items():
            if match.group().lower().endswith(ending):
                found.append((match.group(), kind))
                break
    return list(dict.fromkeys(found))
