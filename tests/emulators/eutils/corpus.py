"""All that one emulator serves: records, their indexes, MeSH, full texts; and standing that changes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from html import escape
from threading import Lock

import numpy as np

from tests.emulators.eutils.index import Mask, TextIndex
from tests.emulators.eutils.mesh import Descriptor, Thesaurus
from tests.emulators.eutils.records import LANGUAGES, TYPE_UIS, Author, Date, Link, Record
from tests.emulators.eutils.words import fold, key_of

# Types below others in MeSH's tree of publication types; [pt] finds those too.
_BROADER = {
    "practice guideline": "guideline",
    "randomized controlled trial": "controlled clinical trial",
    "controlled clinical trial": "clinical trial",
    "clinical trial phase ii": "clinical trial",
    "clinical trial phase iii": "clinical trial",
}
Exact = Mapping[str, Iterable[str]]
_EXACT_CODES = ("UID", "JOUR", "SUBS", "VOL", "PAGE", "ISS", "PTYP", "LANG", "SUBH", "LID")


def date_number(date: Date) -> int:
    """YYYYMMDD; a part that is not known counts as the first, nothing known as 0."""
    year, month, day = (*date, *(1, 1, 1)[len(date) :]) if date else (0, 0, 0)
    return year * 10_000 + month * 100 + day


def _exact_keys(record: Record) -> Exact:
    types = [key_of(name) for name in record.types]
    for name in types:
        if name in _BROADER and _BROADER[name] not in types:
            types.append(_BROADER[name])
    return {
        "UID": [record.pmid],
        "JOUR": [key_of(record.journal), key_of(record.journal_short)],
        "SUBS": map(key_of, record.substances),
        "VOL": [key_of(record.volume)],
        "PAGE": [key_of(record.pages)],
        "ISS": [key_of(record.issue)],
        "PTYP": types,
        "LANG": [record.language, LANGUAGES.get(record.language, record.language)],
        "SUBH": [key_of(name) for heading in record.mesh for name in heading.qualifiers],
        "LID": [key_of(record.doi), key_of(record.pmcid)],
    }


class Corpus:
    """Records by PMID. The first of two with one PMID is kept, with a PMCID that only the other names.

    `phrase_minimum` is the number of records that must hold a phrase for the phrase index to have it; names
    of MeSH and `phrases` are in it anyhow (our choice: PubMed does not tell how its list is made).
    """

    def __init__(
        self,
        records: Iterable[Record],
        *,
        thesaurus: Thesaurus | None = None,
        phrases: Iterable[str] = (),
        phrase_minimum: int = 2,
        full_texts: Mapping[str, bytes] | None = None,
    ) -> None:
        kept: dict[str, Record] = {}
        for record in records:
            known = kept.setdefault(record.pmid, record)
            if not known.pmcid and record.pmcid:
                kept[record.pmid] = replace(known, pmcid=record.pmcid)
        self.records = list(kept.values())
        self.number = {record.pmid: at for at, record in enumerate(self.records)}
        self.pmids = np.array([int(record.pmid) for record in self.records], np.int64)
        self.by_pmcid = {record.pmcid: record for record in self.records if record.pmcid}
        self.full_texts = dict(full_texts or {})
        self.blocked: set[str] = set()  # PMCIDs whose publisher gives no XML
        self.phrases = {key_of(phrase) for phrase in phrases}
        self.phrase_minimum = phrase_minimum
        self.text = TextIndex(self.records)
        self.thesaurus = thesaurus or Thesaurus()
        self._lock = Lock()
        self._exact: dict[str, defaultdict[str, set[int]]] = {c: defaultdict(set) for c in _EXACT_CODES}
        self._mesh: defaultdict[str, set[int]] = defaultdict(set)  # key, or key/qualifier
        self._major: defaultdict[str, set[int]] = defaultdict(set)
        self._authors: defaultdict[str, set[int]] = defaultdict(set)
        for at, record in enumerate(self.records):
            self._enter(at, record)
        self.published = np.array([date_number(record.published) for record in self.records], np.int64)
        self.entered = np.array([date_number(record.entered) for record in self.records], np.int64)
        self.has_abstract = np.array([bool(record.abstract) for record in self.records], np.bool_)
        self.in_pmc = np.array([bool(record.pmcid) for record in self.records], np.bool_)
        self.text.prepare()

    def __len__(self) -> int:
        return len(self.records)

    def get(self, pmid: str) -> Record | None:
        at = self.number.get(pmid)
        return None if at is None else self.records[at]

    def mask_of(self, numbers: Iterable[int]) -> Mask:
        found = np.zeros(len(self.records), np.bool_)
        found[list(numbers)] = True
        return found

    def find_exact(self, code: str, key: str) -> set[int]:
        return self._exact[code].get(key, set()) if code in self._exact else set()

    def find_mesh(self, key: str, qualifier: str = "", *, explode: bool, major: bool) -> set[int]:
        """Records with the heading, or with one below it."""
        index = self._major if major else self._mesh
        keys = self.thesaurus.explode(key) if explode else [key]
        return set().union(*(index.get(f"{one}/{qualifier}" if qualifier else one, set()) for one in keys))

    def find_author(self, name: str, code: str) -> set[int]:
        """Records of an author: last name, then initials or the first of them."""
        words = key_of(name).split()
        if not words:
            return set()
        initials = words.pop() if len(words) > 1 and len(words[-1]) <= 2 else ""
        candidates = self._authors.get(" ".join(words), set())

        def fits(author: Author) -> bool:
            return key_of(author.last) == " ".join(words) and fold(author.initials).startswith(initials)

        chosen = {"FAUT": slice(0, 1), "LAUT": slice(-1, None)}.get(code, slice(None))
        return {at for at in candidates if any(fits(a) for a in self.records[at].authors[chosen])}

    def retract(self, *pmids: str, notice: str = "") -> None:
        """Mark records as retracted, at any time: publication type, and a link to the `notice`'s PMID."""
        for pmid in pmids:
            self._change(pmid, "Retracted Publication", "RetractionIn", notice)

    def doubt(self, *pmids: str, notice: str = "") -> None:
        """An expression of concern about the records."""
        for pmid in pmids:
            self._change(pmid, "", "ExpressionOfConcernIn", notice)

    def correct(self, *pmids: str, notice: str = "") -> None:
        for pmid in pmids:
            self._change(pmid, "", "ErratumIn", notice)

    def block(self, *pmcids: str) -> None:
        """The publishers no longer give the XML: front matter only."""
        self.blocked.update(pmcids)

    def _change(self, pmid: str, kind: str, link: str, notice: str) -> None:
        with self._lock:
            at = self.number[pmid]
            record = self.records[at]
            types = (*record.types, kind) if kind and kind not in record.types else record.types
            source = f"{record.journal_short or record.journal or 'Journal'}. Notice."
            links = (*record.links, Link(link, source, notice))
            raw = _mark(record.raw, kind, links[-1]) if record.raw else b""
            changed = replace(record, types=types, links=links, raw=raw)
            self.records[at] = changed
            if changed.pmcid:
                self.by_pmcid[changed.pmcid] = changed
            if kind:
                self._exact["PTYP"][key_of(kind)].add(at)

    def _enter(self, at: int, record: Record) -> None:
        for code, keys in _exact_keys(record).items():
            for key in keys:
                if key:
                    self._exact[code][key].add(at)
        for heading in record.mesh:
            key = key_of(heading.name)
            if key not in self.thesaurus.descriptors:
                self.thesaurus.add(Descriptor(heading.name))
            for name in (key, *(f"{key}/{key_of(qualifier)}" for qualifier in heading.qualifiers)):
                self._mesh[name].add(at)
                if heading.major:
                    self._major[name].add(at)
        for author in record.authors:
            self._authors[key_of(author.last)].add(at)


def _mark(raw: bytes, kind: str, link: Link) -> bytes:
    """A record's own XML with one type and one link more."""
    pmid = f'<PMID Version="1">{link.pmid}</PMID>' if link.pmid else ""
    element = (
        f'<CommentsCorrections RefType="{link.kind}"><RefSource>{escape(link.source)}</RefSource>{pmid}'
        "</CommentsCorrections>"
    ).encode()
    if kind:
        named = f'<PublicationType UI="{TYPE_UIS[kind]}">{kind}</PublicationType></PublicationTypeList>'
        raw = raw.replace(b"</PublicationTypeList>", named.encode(), 1)
    if b"<CommentsCorrectionsList>" in raw:
        return raw.replace(b"<CommentsCorrectionsList>", b"<CommentsCorrectionsList>" + element, 1)
    whole = b"<CommentsCorrectionsList>" + element + b"</CommentsCorrectionsList>"
    # its place in the DTD: after SupplMeshList and CitationSubset, before all of these
    after = rb"<(GeneSymbolList|MeshHeadingList|NumberOfReferences|PersonalNameSubjectList|OtherID" + (
        rb"|OtherAbstract|KeywordList|CoiStatement|SpaceFlightMission|InvestigatorList|GeneralNote)[\s>]"
        rb"|</MedlineCitation>"
    )
    return re.sub(after, lambda found: whole + found.group(0), raw, count=1)
