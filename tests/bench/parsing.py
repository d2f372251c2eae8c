"""PubMed XML to articles: processor time an article and peak memory, against pubmed_parser.

The file is made of real records beside the repository, or of one written here, repeated under new PMIDs.
Every measurement is a process of its own. Both sides read the fields of pubmed_parser; ours also standing,
dates as precise as printed, foreign abstracts and plain summaries.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.bench.report import Aim, Row
from tests.bench.timing import Taken, percentile

ROOT = Path(__file__).parents[2]
ARTICLES, FILES = 3000, 20
PEER = "pubmed_parser"

READERS = {
    "carecite": """
from pathlib import Path
from reasoning.retrieval.reading import Article, read_documents
def read(path):
    for found in read_documents(Path(path)):
        assert isinstance(found, Article), found
        yield found
""",
    "pubmed_parser": """
from pubmed_parser import parse_medline_xml
def read(path):
    yield from parse_medline_xml(path)
""",
}
MEASURE = """
import json, re, sys, time
began, start, count = time.perf_counter(), time.process_time(), 0
for path in sys.argv[1:]:
    for _ in read(path):
        count += 1
used, wall = time.process_time() - start, time.perf_counter() - began
peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())  # ru_maxrss begins with the parent's
print(json.dumps([count, used, wall, int(peak[1])]))
"""
AUTHOR = "<Author><LastName>Example</LastName><ForeName>Ada</ForeName><Initials>A</Initials></Author>"
HEADING = "<MeshHeading><DescriptorName UI='D005528' MajorTopicYN='N'>Foot</DescriptorName></MeshHeading>"
PART = f"<AbstractText Label='AIM'>{'Forty people wore warm socks for a winter. ' * 8}</AbstractText>"
OWN = f"""
<PubmedArticle><MedlineCitation Status='MEDLINE'><PMID Version='1'>1</PMID><Article><Journal>
<JournalIssue><PubDate><Year>2020</Year><Month>May</Month></PubDate></JournalIssue>
<Title>Journal of Feet</Title></Journal><ArticleTitle>Warm socks and cold feet: a trial.</ArticleTitle>
<Abstract>{PART * 4}</Abstract><AuthorList CompleteYN='Y'>{AUTHOR * 6}</AuthorList><Language>eng</Language>
<PublicationTypeList><PublicationType UI='D016428'>Journal Article</PublicationType></PublicationTypeList>
</Article><MedlineJournalInfo><MedlineTA>J Feet</MedlineTA><NlmUniqueID>1</NlmUniqueID></MedlineJournalInfo>
<MeshHeadingList>{HEADING * 10}</MeshHeadingList></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType='pubmed'>1</ArticleId></ArticleIdList></PubmedData>
</PubmedArticle>
""".encode()


def records(data: Path) -> list[bytes]:
    """Real records where they are at hand; those with formulas stop the peer and are left out."""
    found: list[bytes] = []
    for path in sorted((data / "eutils" / "efetch_pubmed").glob("pmid_*.xml")):
        found += re.findall(rb"<PubmedArticle>.*?</PubmedArticle>", path.read_bytes(), re.DOTALL)
    return [record for record in found if b"<mml:" not in record]


def write_set(path: Path, sources: list[bytes]) -> None:
    with gzip.open(path, "wb", compresslevel=6) as out:
        out.write(b'<?xml version="1.0" encoding="utf-8"?>\n<PubmedArticleSet>\n')
        for number in range(ARTICLES):
            pmid = rb"\g<1>%d" % (80000000 + number)
            out.write(re.sub(rb"(<PMID[^>]*>)\d+", pmid, sources[number % len(sources)], count=1) + b"\n")
        out.write(b"</PubmedArticleSet>\n")


def read_in_process(reader: str, paths: list[Path]) -> tuple[float, float, float]:
    """Milliseconds of processor and of wall time an article, and peak MB."""
    command = [sys.executable, "-c", READERS[reader] + MEASURE, *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    count, used, wall, peak = json.loads(done.stdout.splitlines()[-1])
    if count != ARTICLES * len(paths):
        raise RuntimeError(f"{reader} read {count} articles of {ARTICLES * len(paths)}")
    return 1000 * used / count, 1000 * wall / count, peak / 1024


def measure_parsing(data: Path, repeats: int) -> list[Row]:
    rows = []
    kinds = {"real records": records(data), "one short record": [OWN]}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.xml.gz"
        for kind, sources in kinds.items():
            if not sources:
                continue
            write_set(path, sources)
            runs = [{name: read_in_process(name, [path]) for name in READERS} for _ in range(repeats)]
            taken = {name: _taken([run[name] for run in runs]) for name in READERS}
            rows.append(
                Row(
                    "parsing",
                    f"XML to articles, processor time, {kind}",
                    taken[PEER].cpu / taken["carecite"].cpu,
                    aim=Aim(">=", 2.0),
                    ours=taken["carecite"],
                    peer=taken[PEER],
                    peer_name=PEER,
                    details={"articles": ARTICLES},
                )
            )
        one = median(run["carecite"][2] for run in runs)
        many = read_in_process("carecite", [path] * FILES)[2]
    rows.append(
        Row(
            "parsing",
            f"peak memory of {FILES} files, of that of one",
            many / one,
            "",
            Aim("<=", 1.2),
            ours=f"{many:.0f} MB of {one:.0f} MB",
            peer=f"one file {median(run[PEER][2] for run in runs):.0f} MB",
            peer_name=PEER,
        )
    )
    return rows


def _taken(runs: list[tuple[float, float, float]]) -> Taken:
    walls = [wall for _, wall, _ in runs]
    return Taken(percentile(walls, 0.5), percentile(walls, 0.95), median(cpu for cpu, _, _ in runs))
