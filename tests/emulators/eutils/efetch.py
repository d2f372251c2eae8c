"""EFetch: PubMed records and PMC articles, ids from the request or from the history."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.esearch import CEILING, OUT_OF_RANGE, read_number
from tests.emulators.eutils.history import HistoryServer
from tests.emulators.eutils.rendering import render
from tests.emulators.eutils.replies import EFETCH, Reply, tag, xml

_PUBMED = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January '
    '2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)
_PMC = (
    '<?xml version="1.0" ?>\n<!DOCTYPE pmc-articleset PUBLIC "-//NLM//DTD ARTICLE SET 2.0//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pmc/articleset/nlm-articleset-2.0.dtd">\n'
)
_WITHHELD = b"<!--The publisher of this article does not allow downloading of the full text in XML form.-->"
Parameters = Mapping[str, str]


def split_ids(text: str) -> list[str]:
    return [part for part in re.split(r"[\s,]+", text) if part]


def find_ids(history: HistoryServer, parameters: Parameters, db: str) -> list[str] | str:
    """Ids of a request, those of the history by page; or why there are none."""
    if webenv := parameters.get("WebEnv", ""):
        key = parameters.get("query_key", "")
        kept = history.get(webenv, key)
        if kept is None or kept.db != db:
            return f"Unable to obtain query #{key}"
        start = read_number(parameters, "retstart", 0)
        return list(kept.ids[start : start + read_number(parameters, "retmax", CEILING)])
    return split_ids(parameters.get("id", ""))


def refuse(reason: str) -> Reply:
    return xml(f"{EFETCH}<eFetchResult>\n\t{tag('ERROR', reason)}\n</eFetchResult>\n", 400)


def answer(corpus: Corpus, history: HistoryServer, parameters: Parameters) -> Reply:
    db = parameters.get("db", "").lower()
    if db not in ("pubmed", "pmc"):
        return refuse(f"Unsupported database: {db}")
    if db == "pubmed" and read_number(parameters, "retstart", 0) > CEILING - 1:
        return refuse(OUT_OF_RANGE)
    ids = find_ids(history, parameters, db)
    if isinstance(ids, str):
        return refuse(ids)
    # a number is what NCBI reads: PMC numbers with or without their prefix
    numbers = [one.upper().removeprefix("PMC") if db == "pmc" else one for one in ids]
    good = [str(int(one)) for one in numbers if one.isdecimal() and int(one) > 0]
    if not good:
        return refuse("ID list is empty! Possibly it has no correct IDs.")
    good = list(dict.fromkeys(good))
    if parameters.get("rettype", "").lower() == "uilist":
        known = [one for one in good if one in corpus.number]
        return Reply("".join(f"{one}\n" for one in known).encode(), kind="text/plain; charset=UTF-8")
    return _pmc(corpus, good) if db == "pmc" else _pubmed(corpus, good)


def _pubmed(corpus: Corpus, pmids: Iterable[str]) -> Reply:
    """Records that exist, in the order asked; the others are left out without a word."""
    found = [record for pmid in pmids if (record := corpus.get(pmid))]
    bodies = [record.raw or render(record).encode() for record in found]
    inner = b"".join(bodies) or b"\n"
    return Reply(
        _PUBMED.encode() + b"<PubmedArticleSet>" + (b"\n" if bodies else b"") + inner + b"</PubmedArticleSet>"
    )


def _pmc(corpus: Corpus, numbers: Iterable[str]) -> Reply:
    parts = []
    for number in numbers:
        pmcid = f"PMC{number}"
        article = corpus.full_texts.get(pmcid)
        if article is None:
            missing = f"The following PMCID is not available: {number}"
            parts.append(f'<Reply Id="{number}" error="{missing}"/>'.encode())
        else:
            parts.append(withhold(article) if pmcid in corpus.blocked else article)
    return Reply(_PMC.encode() + b"<pmc-articleset>" + b"".join(parts) + b"</pmc-articleset>")


def withhold(article: bytes) -> bytes:
    """An article whose publisher gives no XML: the front matter, and a comment in place of the rest."""
    front = re.sub(
        rb"<(body|back|floats-group|sub-article|response)[\s>].*?</\1>", b"", article, flags=re.DOTALL
    )
    return re.sub(rb"<article[^>]*>", lambda found: found.group(0) + _WITHHELD, front, count=1)
