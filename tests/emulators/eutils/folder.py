"""A corpus from a folder: laid out as the measuring data, or any files that are known by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.loading import (
    INVENTED_FROM,
    read_documents,
    read_jats,
    read_lines,
    read_pubmed,
)
from tests.emulators.eutils.mesh import Thesaurus, add_synonyms, read_headings
from tests.emulators.eutils.records import Record


def _silent(_: str) -> None:
    """Nobody wants to know how far it is."""


def load_thesaurus(folder: Path) -> Thesaurus:
    """MeSH from `kg/` of the measuring data, or from `mesh*.tsv` and `mtrees*.bin` in the folder."""
    thesaurus = Thesaurus()
    tables = [
        folder / "kg" / "lexicon_mesh_neoplasms.tsv",
        *folder.glob("mesh*.tsv"),
        *folder.glob("mtrees*.bin"),
    ]
    for table in tables:
        if table.is_file():
            for descriptor in read_headings(table):
                thesaurus.add(descriptor)
    synonyms = folder / "kg" / "lexicon_cancer_disease_ontology.tsv"
    if synonyms.is_file():
        add_synonyms(thesaurus, synonyms)
    return thesaurus


def load_folder(
    folder: Path,
    *,
    invent_pmids: bool = False,
    phrase_minimum: int = 2,
    progress: Callable[[str], None] = _silent,
) -> Corpus:
    """All records and full texts of a folder.

    With `retrieval/` in it: the corpora there, `eutils/efetch_pubmed/` and `fulltext/jats/`. Otherwise every
    `*.jsonl`, `*.jsonl.gz`, `*.xml` (PubMed) and `*.nxml` (JATS) right in it. Raw XML goes before JSON lines,
    and these before the front matter of JATS, where they are of one PMID.
    """
    measuring = (folder / "retrieval").is_dir()
    lines = sorted((folder / "retrieval").glob("corpus_*") if measuring else folder.glob("*.jsonl*"))
    xml = sorted((folder / "eutils" / "efetch_pubmed" if measuring else folder).glob("*.xml"))
    jats_folders = [folder / "fulltext" / "jats", folder / "eutils" / "efetch_pmc"] if measuring else [folder]
    jats = sorted(path for place in jats_folders for path in place.glob("*.nxml"))
    records: list[Record] = []
    for path in xml:
        records += read_pubmed(path.read_bytes())
    progress(f"{len(records)} records of PubMed's own XML")
    invented = INVENTED_FROM
    for path in lines:
        found = list(read_documents(read_lines(path), invented if invent_pmids else None))
        invented += sum(int(record.pmid) >= INVENTED_FROM for record in found)
        records += found
        progress(f"{len(records)} records with {path.name}")
    fronts, full_texts = _read_full_texts(jats)
    progress(f"{len(full_texts)} full texts; indexing")
    corpus = Corpus(
        [*records, *fronts],
        thesaurus=load_thesaurus(folder),
        phrase_minimum=phrase_minimum,
        full_texts=full_texts,
    )
    progress(f"{len(corpus)} records, {len(corpus.thesaurus.descriptors)} MeSH headings")
    return corpus


def _read_full_texts(paths: Iterable[Path]) -> tuple[list[Record], dict[str, bytes]]:
    fronts, texts = [], {}
    for path in paths:
        for pmcid, record, raw in read_jats(path.read_bytes()):
            texts[pmcid] = raw
            if record:
                fronts.append(record)
    return fronts, texts
