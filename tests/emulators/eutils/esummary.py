"""ESummary: version 1 and 2 in XML, and JSON, for pubmed, pmc and mesh."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.efetch import find_ids
from tests.emulators.eutils.esearch import wants_json
from tests.emulators.eutils.history import HistoryServer
from tests.emulators.eutils.mesh import Descriptor
from tests.emulators.eutils.records import LANGUAGES, MONTHS, Date, Record
from tests.emulators.eutils.replies import ESUMMARY, Reply, as_json, envelope, tag, xml

_MISSING = "cannot get document summary"
_VERSION_2 = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE eSummaryResult PUBLIC '
    '"-//NLM//DTD eSummaryResult//EN" "http://www.ncbi.nlm.nih.gov/entrez/query/DTD/eSummaryDTD/eSummary_{db}.dtd">\n'
)
Entry = Record | Descriptor | None


def answer(corpus: Corpus, history: HistoryServer, parameters: Mapping[str, str]) -> Reply:
    db = parameters.get("db", "pubmed").lower()
    ids = find_ids(history, parameters, db)
    refusal = "Neither query_key nor id specified" if ids == [] else ids if isinstance(ids, str) else ""
    if refusal and wants_json(parameters):
        return as_json({"header": envelope("esummary"), "esummaryresult": [refusal]})
    if refusal:
        return xml(f"{ESUMMARY}<eSummaryResult>\n\t{tag('ERROR', refusal)}\n</eSummaryResult>\n")
    entries = {uid: _find(corpus, db, uid) for uid in ids}
    if wants_json(parameters):
        return _json(entries)
    return _version_2(entries, db) if parameters.get("version", "") == "2.0" else _version_1(entries)


def _find(corpus: Corpus, db: str, uid: str) -> Entry:
    if db == "mesh":
        return next((one for one in corpus.thesaurus.descriptors.values() if one.uid == uid), None)
    return corpus.by_pmcid.get(f"PMC{uid.upper().removeprefix('PMC')}") if db == "pmc" else corpus.get(uid)


def _day(published: Date) -> str:
    """As ESummary shows a date: 1965 Aug, 2011 Dec 5."""
    year, *rest = published or ("",)
    return " ".join([str(year), *(MONTHS[rest[0] - 1] for _ in rest[:1]), *map(str, rest[1:2])])


def _stamp(entered: Date) -> str:
    year, month, day = (*entered, *(1, 1, 1)[len(entered) :]) if entered else (1, 1, 1)
    return f"{year:04d}/{month:02d}/{day:02d} 00:00"


def _authors(record: Record) -> list[str]:
    return [f"{author.last} {author.initials}".strip() for author in record.authors]


def _ids(record: Record) -> list[tuple[str, str]]:
    pairs = [("pubmed", record.pmid), ("doi", record.doi), ("pmc", record.pmcid)]
    return [(kind, value) for kind, value in pairs if value]


def _item(name: str, kind: str, text: object) -> str:
    return f'\t<Item Name="{name}" Type="{kind}">{escape(str(text), quote=False)}</Item>\n'


def _items(name: str, entries: list[tuple[str, str]], kind: str = "String") -> str:
    inner = "".join("\t" + _item(one, kind, text) for one, text in entries)
    return f'\t<Item Name="{name}" Type="List">' + (f"\n{inner}\t" if inner else "") + "</Item>\n"


def _version_1(entries: Mapping[str, Entry]) -> Reply:
    parts = []
    for uid, entry in entries.items():
        if entry is None:
            parts.append(f"\t{tag('ERROR', f'UID={uid}: {_MISSING}')}\n")
        else:
            lines = _heading_items(entry) if isinstance(entry, Descriptor) else _record_items(entry)
            parts.append(f"<DocSum>\n\t{tag('Id', uid)}\n{lines}</DocSum>\n\n")
    return xml(f"{ESUMMARY}<eSummaryResult>\n{''.join(parts)}</eSummaryResult>\n")


def _heading_items(heading: Descriptor) -> str:
    terms = [("string", name) for name in (heading.name, *heading.entries)]
    return _item("DS_MeSHUI", "String", heading.ui) + _items("DS_MeshTerms", terms)


def _record_items(record: Record) -> str:
    authors = _authors(record)
    day = _day(record.published)
    where = f"{day};{record.volume}" + (f"({record.issue})" if record.issue else "")
    stamps = [("pubmed", _stamp(record.entered)), ("entrez", _stamp(record.entered))]
    return "".join(
        [
            _item("PubDate", "Date", day),
            _item("EPubDate", "Date", ""),
            _item("Source", "String", record.journal_short or record.journal),
            _items("AuthorList", [("Author", name) for name in authors]),
            _item("LastAuthor", "String", authors[-1] if authors else ""),
            _item("Title", "String", record.title),
            _item("Volume", "String", record.volume),
            _item("Issue", "String", record.issue),
            _item("Pages", "String", record.pages),
            _items("LangList", [("Lang", LANGUAGES.get(record.language, record.language).capitalize())]),
            _item("NlmUniqueID", "String", ""),
            _item("ISSN", "String", ""),
            _item("ESSN", "String", ""),
            _items("PubTypeList", [("PubType", name) for name in record.types]),
            _item("RecordStatus", "String", "PubMed - indexed for MEDLINE"),
            _item("PubStatus", "String", "ppublish"),
            _items("ArticleIds", _ids(record)),
            _items("History", stamps, "Date"),
            _items("References", [(link.kind, link.source) for link in record.links]),
            _item("HasAbstract", "Integer", int(bool(record.abstract))),
            _item("PmcRefCount", "Integer", 0),
            _item("FullJournalName", "String", record.journal),
            _item("ELocationID", "String", f"doi: {record.doi}" if record.doi else ""),
            _item("SO", "String", f"{where}:{record.pages}" if record.pages else where),
        ]
    )


def _version_2(entries: Mapping[str, Entry], db: str) -> Reply:
    parts = []
    for uid, entry in entries.items():
        inner = tag("error", _MISSING) + "\n" if entry is None else _summary(entry)
        parts.append(f'<DocumentSummary uid="{escape(uid)}">\n{inner}</DocumentSummary>\n')
    listed = "".join(parts)
    return xml(
        f'{_VERSION_2.format(db=db)}<eSummaryResult>\n<DocumentSummarySet status="OK">\n{listed}\n'
        "</DocumentSummarySet>\n</eSummaryResult>\n"
    )


def _summary(entry: Record | Descriptor) -> str:
    if isinstance(entry, Descriptor):
        terms = "".join(tag("string", name) for name in (entry.name, *entry.entries))
        return f"{tag('DS_MeSHUI', entry.ui)}<DS_MeshTerms>{terms}</DS_MeshTerms>\n"
    authors = "".join(
        f"<Author>{tag('Name', name)}{tag('AuthType', 'Author')}</Author>" for name in _authors(entry)
    )
    ids = "".join(
        f"<ArticleId>{tag('IdType', kind)}{tag('Value', text)}</ArticleId>" for kind, text in _ids(entry)
    )
    flags = "".join(tag("flag", name) for name in entry.types)
    return (
        f"\t{tag('PubDate', _day(entry.published))}\n\t<EPubDate></EPubDate>\n"
        f"\t{tag('Source', entry.journal_short or entry.journal)}\n\t<Authors>{authors}</Authors>\n"
        f"\t{tag('Title', entry.title)}\n\t{tag('Volume', entry.volume)}\n\t{tag('Issue', entry.issue)}\n"
        f"\t{tag('Pages', entry.pages)}\n\t<Lang>{tag('string', entry.language)}</Lang>\n"
        f"\t<PubType>{flags}</PubType>\n\t<ArticleIds>{ids}</ArticleIds>\n"
        f"\t{tag('FullJournalName', entry.journal)}\n\t{tag('SortPubDate', _stamp(entry.published))}\n"
    )


def _json(entries: Mapping[str, Entry]) -> Reply:
    result: dict[str, object] = {"uids": list(entries)}
    for uid, entry in entries.items():
        if entry is None:
            result[uid] = {"uid": uid, "error": _MISSING}
        elif isinstance(entry, Descriptor):
            terms = [entry.name, *entry.entries]
            result[uid] = {"uid": uid, "ds_meshui": entry.ui, "ds_meshterms": terms}
        else:
            result[uid] = {
                "uid": uid,
                "pubdate": _day(entry.published),
                "source": entry.journal_short or entry.journal,
                "authors": [{"name": name, "authtype": "Author"} for name in _authors(entry)],
                "title": entry.title,
                "volume": entry.volume,
                "issue": entry.issue,
                "pages": entry.pages,
                "lang": [entry.language],
                "pubtype": list(entry.types),
                "articleids": [{"idtype": kind, "value": text} for kind, text in _ids(entry)],
                "fulljournalname": entry.journal,
                "sortpubdate": _stamp(entry.published),
            }
    return as_json({"header": envelope("esummary"), "result": result})
