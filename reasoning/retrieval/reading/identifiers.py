"""PMIDs, PMCIDs and DOIs, each written one way, never taken for one another (case F13.2)."""

from __future__ import annotations

import re

from reasoning.retrieval.reading.errors import BadIdentifier

_PMID = re.compile(r"(?:pmid\s*:?\s*)?0*([1-9]\d{0,8})(?:\.\d+)?", re.IGNORECASE)
_PMCID = re.compile(r"(?:pmcid\s*:?\s*)?(?:pmc\s*)?0*([1-9]\d{0,8})(?:\.\d+)?", re.IGNORECASE)
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi\s*:?\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)


def normalise_pmid(text: str) -> str:
    """The digits of a PMID. Raises BadIdentifier, above all for a PMCID."""
    found = _PMID.fullmatch(text.strip())
    if found:
        return found.group(1)
    if text.strip().lower().startswith("pmc"):
        raise BadIdentifier(f"{text.strip()} is a PMCID; it is not looked up as a PMID.")
    raise BadIdentifier(f"{text.strip()[:60]!r} is no PMID.")


def normalise_pmcid(text: str) -> str:
    """`PMC` and digits, for a PMCID given with or without the prefix or a version. Raises BadIdentifier."""
    found = _PMCID.fullmatch(text.strip())
    if found:
        return f"PMC{found.group(1)}"
    if text.strip().lower().startswith("pmid"):
        raise BadIdentifier(f"{text.strip()} is a PMID; it is not looked up as a PMCID.")
    raise BadIdentifier(f"{text.strip()[:60]!r} is no PMCID.")


def find_pmcid(text: str | None) -> str | None:
    """The PMCID in a field of a record, None where the field holds something else."""
    try:
        return normalise_pmcid(text) if text else None
    except BadIdentifier:
        return None


def find_doi(text: str | None) -> str | None:
    """The bare DOI in a field of a record; None where the field holds something else."""
    found = _DOI.fullmatch(text.strip()) if text else None
    return found.group(1) if found else None


def pubmed_url(pmid: str) -> str:
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"


def pmc_url(pmcid: str) -> str:
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"
