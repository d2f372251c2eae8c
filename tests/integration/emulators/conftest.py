"""One emulator for the tests of its replies, and a client for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import Bio.Entrez
import httpx
import pytest
from lxml import etree

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.mesh import Descriptor, Thesaurus
from tests.emulators.eutils.records import Author, Heading, Link, Record, Section
from tests.emulators.eutils.server import EutilsServer

ARTICLE = (
    b'<article article-type="review-article"><front><article-meta>'
    b'<article-id pub-id-type="pmcid">PMC91</article-id><article-id pub-id-type="pmid">101</article-id>'
    b"<title-group><article-title>Aspirin</article-title></title-group></article-meta></front>"
    b"<body><sec><p>It lowers mortality.</p></sec></body><back><ref-list/></back></article>"
)


def make_corpus() -> Corpus:
    records = [
        Record(
            "101",
            "Aspirin in heart attack & <stroke>",
            (Section("We gave aspirin.", "METHODS"), Section("Fewer died.", "CONCLUSION")),
            mesh=(Heading("Myocardial Infarction", True, ("drug therapy",)), Heading("Humans")),
            types=("Journal Article", "Review"),
            published=(2020, 3, 9),
            entered=(2020, 3, 4),
            journal="Journal of Invented Studies",
            journal_short="J Invent Stud",
            volume="4",
            issue="2",
            pages="1-9",
            authors=(Author("Example", "AB"),),
            keywords=("prevention",),
            substances=("Aspirin",),
            pmcid="PMC91",
            doi="10.5555/101",
            links=(Link("ErratumIn", "J Invent Stud. 2021;5:7", "104"),),
        ),
        Record("102", "Gout", (Section("Colchicine for gout\x07."),), published=(2019,), entered=(2019,)),
        Record("103", "Gout again"),
        *(Record(str(200 + at), f"Study {at} of tremor", published=(2000 + at,)) for at in range(25)),
    ]
    thesaurus = Thesaurus([Descriptor("Myocardial Infarction", ("C14.1",), ["Heart Attack"], "D009203")])
    return Corpus(records, thesaurus=thesaurus, full_texts={"PMC91": ARTICLE})


@pytest.fixture
def eutils() -> Iterator[EutilsServer]:
    with EutilsServer(make_corpus()) as server:
        yield server


@pytest.fixture
def client(eutils: EutilsServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=eutils.base_url, timeout=10.0) as client:
        yield client


@pytest.fixture(scope="session")
def document_type() -> etree.DTD:
    """PubMed's own, of January 2025, as Biopython has it."""
    return etree.DTD(str(Path(Bio.Entrez.__file__).parent / "DTDs" / "pubmed_250101.dtd"))
