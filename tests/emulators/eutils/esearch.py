"""ESearch for pubmed, pmc and mesh, in the shapes of 2025."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.evaluation import BackendError, Dates, Evaluation, evaluate
from tests.emulators.eutils.fields import get_field
from tests.emulators.eutils.findings import Notes
from tests.emulators.eutils.history import HistoryServer, Kept
from tests.emulators.eutils.ranking import order
from tests.emulators.eutils.replies import ESEARCH, Reply, as_json, envelope, error_as_json, tag, xml
from tests.emulators.eutils.words import split_words

CEILING = 9_999  # hits of a query that PubMed gives out
OUT_OF_RANGE = (
    "Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch can only "
    "retrieve the first 9,999 records matching the query. To obtain more than 9,999 PubMed records, consider "
    "using <EDirect> that contains additional logic to batch PubMed search results automatically so that an "
    "arbitrary number can be retrieved."
)
_CLAMPED = "Restrictions applied: start and count were changed to {start} and {count}"
_OLD_PROLOG = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE eSearchResult PUBLIC '
    '"-//NLM//DTD eSearchResult, 11 May 2002//EN" "http://www.ncbi.nlm.nih.gov/entrez/query/DTD/eSearch_020511.dtd">\n'
)
Parameters = Mapping[str, str]


def read_number(parameters: Parameters, name: str, default: int) -> int:
    text = parameters.get(name, "")
    return int(text) if text.isdecimal() else default


def wants_json(parameters: Parameters) -> bool:
    return parameters.get("retmode", "xml").lower() == "json"


def refuse(reason: str, parameters: Parameters, prolog: str = ESEARCH) -> Reply:
    """An error with status 200, as ESearch tells all of its own."""
    if wants_json(parameters):
        return error_as_json(reason)
    return xml(f"{prolog}<eSearchResult>\n\t{tag('ERROR', reason)}\n</eSearchResult>\n")


def answer(corpus: Corpus, history: HistoryServer, parameters: Parameters) -> Reply:
    db = parameters.get("db", "pubmed").lower()
    if db not in ("pubmed", "pmc", "mesh"):
        return refuse(f"Invalid db name specified: {parameters['db']}", parameters, _OLD_PROLOG)
    term = parameters.get("term", "").strip()
    if not term:
        return refuse("Empty term and query_key - nothing todo", parameters)
    start = read_number(parameters, "retstart", 0)
    if db == "pubmed" and start > CEILING - 1:
        return refuse(OUT_OF_RANGE, parameters)
    try:
        ids, evaluation = _search(corpus, history, parameters, db, term)
    except BackendError as error:
        return refuse(str(error), parameters)
    count, asked = len(ids), read_number(parameters, "retmax", 20)
    notes = evaluation.notes
    if db == "pubmed":
        ids = ids[:CEILING]
        if asked > CEILING:
            notes.messages.append(_CLAMPED.format(start=start, count=CEILING))
    if not count:
        notes.messages.append("No items found.")
    kept: tuple[str, int] | None = None
    if parameters.get("usehistory", "").lower() == "y":
        kept = history.keep(Kept(db, tuple(ids), evaluation.mask), parameters.get("WebEnv", ""))
    page = ids[start : start + asked]
    if parameters.get("rettype", "").lower() == "count":
        return _count(count, parameters)
    render = _render_json if wants_json(parameters) else _render_xml
    return render(count, start, page, kept, evaluation.translation, notes)


def _search(
    corpus: Corpus, history: HistoryServer, parameters: Parameters, db: str, term: str
) -> tuple[list[str], Evaluation]:
    """All ids in order."""
    if db == "mesh":
        return _search_mesh(corpus, term)
    if field := parameters.get("field", "").strip():
        term = f"{term}[{field}]"
    masks = history.masks(parameters.get("WebEnv", ""))
    evaluation = evaluate(corpus, term, dates=_read_dates(parameters), history=masks)
    if db == "pmc":
        evaluation.mask = evaluation.mask & corpus.in_pmc
    found = order(corpus, evaluation, parameters.get("sort", ""))
    records = [corpus.records[at] for at in found]
    if db == "pmc":
        return [record.pmcid.removeprefix("PMC") for record in records], evaluation
    return [record.pmid for record in records], evaluation


def _read_dates(parameters: Parameters) -> Dates | None:
    """Limits count only together: `mindate` and `maxdate`, or `reldate` days up to today."""
    kinds = {"pdat": "PDAT", "edat": "EDAT", "mdat": "MDAT", "crdt": "CRDT"}
    field = get_field(kinds.get(parameters.get("datetype", "").lower(), "PDAT"))
    if parameters.get("reldate", "").isdecimal():
        today = date.today()  # noqa: DTZ011 - a day of PubMed has no zone
        first = today - timedelta(days=int(parameters["reldate"]))
        return Dates(field, f"{first:%Y/%m/%d}", f"{today:%Y/%m/%d}")
    first_date, last_date = parameters.get("mindate", "").strip(), parameters.get("maxdate", "").strip()
    return Dates(field, first_date, last_date) if first_date and last_date else None


def _search_mesh(corpus: Corpus, term: str) -> tuple[list[str], Evaluation]:
    """Headings: with a tag the very name or entry term, without one all that have the words."""
    match = re.match(r'\s*"?(?P<text>[^"\[]*)"?\s*(?P<tag>\[[^\]]*\])?', term)
    text, tagged = (match["text"].strip(), match["tag"]) if match else (term, None)
    exact = corpus.thesaurus.find(text)
    others = [] if tagged else corpus.thesaurus.search(split_words(text))
    found = [exact, *(one for one in others if one is not exact)] if exact else others
    notes = Notes()
    if not found:
        notes.lose(text, "All Fields", tagged=False)
    shown = f'"{text.lower()}"[{"MeSH Terms" if tagged else "All Fields"}]'
    translation = shown if found else f"({text}[All Fields])"
    return [one.uid for one in found], Evaluation(corpus.mask_of([]), translation, notes)


def _count(count: int, parameters: Parameters) -> Reply:
    if wants_json(parameters):
        return as_json({"header": envelope("esearch"), "esearchresult": {"count": str(count)}})
    return xml(f"{ESEARCH}<eSearchResult>\n\t{tag('Count', count)}\n</eSearchResult>\n")


def _render_xml(
    count: int, start: int, page: list[str], kept: tuple[str, int] | None, translation: str, notes: Notes
) -> Reply:
    parts = [tag("Count", count), tag("RetMax", len(page)), tag("RetStart", start)]
    if kept:
        parts += [tag("QueryKey", kept[1]), tag("WebEnv", kept[0])]
    ids = "".join(f"{tag('Id', one)}\n" for one in page)
    parts.append(f"<IdList>\n{ids}</IdList>" if page else "<IdList/>")
    pairs = "".join(
        f"<Translation>     {tag('From', one)}     {tag('To', other)}    </Translation>"
        for one, other in notes.translations
    )
    parts.append(f"<TranslationSet>{pairs}</TranslationSet>" if pairs else "<TranslationSet/>")
    parts.append(tag("QueryTranslation", translation))
    errors = [tag("PhraseNotFound", text) for text in notes.not_found]
    errors += [tag("FieldNotFound", text) for text in notes.fields_not_found]
    if errors:
        parts.append(f"<ErrorList>{''.join(errors)}</ErrorList>")
    warnings = [tag("PhraseIgnored", text) for text in notes.ignored]
    warnings += [tag("QuotedPhraseNotFound", text) for text in notes.quoted_not_found]
    warnings += [tag("OutputMessage", text) for text in notes.messages]
    if warnings:
        parts.append(f"<WarningList>{''.join(warnings)}</WarningList>")
    return xml(f"{ESEARCH}<eSearchResult>{''.join(parts)}</eSearchResult>\n")


def _render_json(
    count: int, start: int, page: list[str], kept: tuple[str, int] | None, translation: str, notes: Notes
) -> Reply:
    result: dict[str, object] = {"count": str(count), "retmax": str(len(page)), "retstart": str(start)}
    if kept:
        result |= {"querykey": str(kept[1]), "webenv": kept[0]}
    result |= {
        "idlist": page,
        "translationset": [{"from": one, "to": other} for one, other in notes.translations],
        "querytranslation": translation,
    }
    if notes.not_found or notes.fields_not_found:
        result["errorlist"] = {"phrasesnotfound": notes.not_found, "fieldsnotfound": notes.fields_not_found}
    if notes.ignored or notes.quoted_not_found or notes.messages:
        result["warninglist"] = {
            "phrasesignored": notes.ignored,
            "quotedphrasesnotfound": notes.quoted_not_found,
            "outputmessages": notes.messages,
        }
    return as_json({"header": envelope("esearch"), "esearchresult": result})
