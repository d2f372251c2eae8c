"""A small PubMed of invented studies on one drug: reviews, trials, a retracted study and its notice."""

from __future__ import annotations

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.records import Heading, Record, Section

REVIEW, OPEN_REVIEW, TRIAL, OLD_TRIAL, RETRACTED = "90030001", "90030002", "90030003", "90030004", "90030005"
PMCID = "PMC9903002"
QUESTION = "Does sotorasib help people with KRAS G12C colorectal cancer?"
IN_CHINESE = "KRAS G12C突变的结直肠癌，sotorasib有效吗？"

_MESH = (Heading("Colorectal Neoplasms", major=True), Heading("Humans"))
_DETAIL = "Skin rash was rare under sotorasib, while diarrhoea was its most common side effect."


def build_pubmed() -> Corpus:
    """The records as they are served; one review can be read in full."""
    records = [
        _record(
            REVIEW,
            "Sotorasib in KRAS G12C colorectal cancer: a systematic review",
            "Sotorasib shrinks tumours in about one in ten people with KRAS G12C colorectal cancer when it is"
            " given alone. Together with panitumumab it shrinks tumours in about one in four people.",
            ("Systematic Review", "Journal Article"),
            2025,
        ),
        _record(
            OPEN_REVIEW,
            "KRAS G12C inhibitors in colorectal cancer",
            "KRAS G12C inhibitors such as sotorasib are used in colorectal cancer after other treatments.",
            ("Review", "Journal Article"),
            2024,
            PMCID,
        ),
        _record(
            TRIAL,
            "Sotorasib plus panitumumab in refractory KRAS G12C colorectal cancer",
            "In this trial sotorasib with panitumumab delayed the growth of KRAS G12C colorectal cancer by"
            " three months compared with standard care.",
            ("Randomized Controlled Trial", "Journal Article"),
            2023,
        ),
        _record(
            OLD_TRIAL,
            "A first study of sotorasib in solid tumours",
            "Sotorasib was tolerated by people with advanced KRAS G12C solid tumours, colorectal cancer"
            " among them.",
            ("Clinical Trial", "Journal Article"),
            2020,
        ),
        _record(
            RETRACTED,
            "Sotorasib cures KRAS G12C colorectal cancer",
            "Sotorasib cured every person with KRAS G12C colorectal cancer in this study.",
            ("Journal Article",),
            2022,
        ),
    ]
    corpus = Corpus(records, full_texts={PMCID: _full_text()})
    corpus.retract(RETRACTED)
    return corpus


def _record(
    pmid: str, title: str, abstract: str, types: tuple[str, ...], year: int, pmcid: str = ""
) -> Record:
    return Record(
        pmid,
        title=title,
        abstract=(Section(abstract),),
        mesh=_MESH,
        types=types,
        published=(year, 3),
        entered=(year, 3, 1),
        journal="Journal of Invented Oncology",
        pmcid=pmcid,
    )


def _full_text() -> bytes:
    return f"""<article article-type="review-article"><front><article-meta>
<article-id pub-id-type="pmid">{OPEN_REVIEW}</article-id><article-id pub-id-type="pmc">{PMCID}</article-id>
<title-group><article-title>KRAS G12C inhibitors in colorectal cancer</article-title></title-group>
<pub-date pub-type="epub"><year>2024</year></pub-date>
<permissions><license license-type="open-access">
<license-p>Creative Commons Attribution 4.0</license-p></license></permissions>
<abstract><p>KRAS G12C inhibitors such as sotorasib are used in colorectal cancer.</p></abstract>
</article-meta></front><body><sec><title>Side effects</title>
<p>{_DETAIL} Liver enzymes rose in some people with
colorectal cancer who took sotorasib, and doctors checked them every three weeks.</p></sec></body></article>
""".encode()


FRESH = _record(
    "90030009",
    "Ensartinib in ROS1 lung cancer",
    "Ensartinib shrinks ROS1 lung cancer in one in four people.",
    ("Review", "Journal Article"),
    2025,
)
