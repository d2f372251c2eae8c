"""EInfo and EPost: what a health check and a client with many ids ask."""

from __future__ import annotations

from collections.abc import Mapping

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.efetch import split_ids
from tests.emulators.eutils.fields import FIELDS, Kind
from tests.emulators.eutils.history import HistoryServer, Kept
from tests.emulators.eutils.replies import EINFO, EPOST, Reply, tag, xml

_DATABASES = ("pubmed", "mesh", "pmc")
_OLD_PROLOG = (
    '<?xml version="1.0"?>\n<!DOCTYPE eInfoResult PUBLIC "-//NLM//DTD eInfoResult, 11 May 2002//EN" '
    '"http://www.ncbi.nlm.nih.gov/entrez/query/DTD/eInfo_020511.dtd">\n'
)


def answer(corpus: Corpus, parameters: Mapping[str, str]) -> Reply:
    db = parameters.get("db", "")
    if not db:
        names = "".join(f"\t{tag('DbName', name)}\n" for name in _DATABASES)
        return xml(f"{EINFO}<eInfoResult>\n<DbList>\n\n{names}</DbList>\n\n</eInfoResult>\n")
    if db not in _DATABASES:
        reason = tag("ERROR", f"Can not retrieve DbInfo for db={db}")
        return xml(f"{_OLD_PROLOG}<eInfoResult>\n  {reason}\n</eInfoResult>\n")
    count = len(corpus.thesaurus.descriptors) if db == "mesh" else len(corpus)
    listed = "".join(
        f"<Field>{tag('Name', field.code)}{tag('FullName', field.name)}{tag('Description', field.name)}"
        f"<TermCount/>{tag('IsDate', 'Y' if field.kind is Kind.DATE else 'N')}"
        "<IsNumerical>N</IsNumerical><SingleToken>N</SingleToken>"
        f"{tag('Hierarchy', 'Y' if field.kind is Kind.MESH else 'N')}<IsHidden>N</IsHidden></Field>\n"
        for field in FIELDS
    )
    return xml(
        f"{EINFO}<eInfoResult>\n\t<DbInfo>\n\t{tag('DbName', db)}\n\t{tag('MenuName', db)}\n"
        f"\t{tag('Description', f'{db} records')}\n\t<DbBuild>Build</DbBuild>\n\t{tag('Count', count)}\n"
        f"\t<LastUpdate>2026/01/01 00:00</LastUpdate>\n\t<FieldList>{listed}</FieldList>\n"
        "\t<LinkList></LinkList>\n\t</DbInfo>\n</eInfoResult>\n"
    )


def keep_ids(history: HistoryServer, parameters: Mapping[str, str]) -> Reply:
    """EPost."""
    ids = tuple(one for one in split_ids(parameters.get("id", "")) if one.isdecimal())
    if not ids:
        reason = tag("ERROR", "Empty ID list; No history record was created")
        return xml(f"{EPOST}<ePostResult>\n\t{reason}\n</ePostResult>\n")
    kept = Kept(parameters.get("db", "pubmed").lower(), ids)
    webenv, key = history.keep(kept, parameters.get("WebEnv", ""))
    return xml(f"{EPOST}<ePostResult>\n\t{tag('QueryKey', key)}\n\t{tag('WebEnv', webenv)}\n</ePostResult>\n")
