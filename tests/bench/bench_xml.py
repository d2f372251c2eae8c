"""Reading PubMed XML: CPU time an article and peak memory, against pubmed_parser in the same run.

    python tests/bench/bench_xml.py [--articles 5000] [--json]

The file is made of real records beside the repository, or of one written here, repeated under new PMIDs.
Every measurement is a process of its own; the ratio is the peer's CPU time by ours, so more is better.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]

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
import json, resource, sys, time
start, count, most = time.process_time(), 0, 0
for path in sys.argv[1:]:
    for _ in read(path):
        count += 1
used = time.process_time() - start
print(json.dumps([count, used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
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


def records() -> list[bytes]:
    """Real records where they are at hand; those with formulas stop the peer and are left out."""
    shared = Path(os.environ.get("CARECITE_TEST_SHARED", ROOT.parent / "shared"))
    found: list[bytes] = []
    for path in sorted((shared / "data" / "eutils" / "efetch_pubmed").glob("pmid_*.xml")):
        found += re.findall(rb"<PubmedArticle>.*?</PubmedArticle>", path.read_bytes(), re.DOTALL)
    return [record for record in found if b"<mml:" not in record] or [OWN]


def write_set(path: Path, sources: list[bytes], count: int) -> None:
    with gzip.open(path, "wb", compresslevel=6) as out:
        out.write(b'<?xml version="1.0" encoding="utf-8"?>\n<PubmedArticleSet>\n')
        for number in range(count):
            pmid = rb"\g<1>%d" % (80000000 + number)
            out.write(re.sub(rb"(<PMID[^>]*>)\d+", pmid, sources[number % len(sources)], count=1) + b"\n")
        out.write(b"</PubmedArticleSet>\n")


def measure(reader: str, paths: list[Path]) -> tuple[int, float, float]:
    """Articles, CPU milliseconds an article, peak MB of a process that reads `paths`."""
    command = [sys.executable, "-c", READERS[reader] + MEASURE, *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    count, used, peak = json.loads(done.stdout.splitlines()[-1])
    return count, 1000 * used / count, peak / 1024


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--articles", type=int, default=5000, help="articles in a file")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = options.parse_args()
    report: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, sources in {"real": records(), "short": [OWN]}.items():
            path = Path(folder) / f"{kind}.xml.gz"
            write_set(path, sources, chosen.articles)
            counts, times, peaks = {}, {}, {}
            for reader in READERS:
                runs = [measure(reader, [path]) for _ in range(3)]
                counts[reader], times[reader], peaks[reader] = min(runs, key=lambda run: run[1])
            many = measure("carecite", [path] * 20)
            report[kind] = {
                "articles": counts,
                "cpu_ms_per_article": times,
                "ratio": times["pubmed_parser"] / times["carecite"],
                "peak_mb_1_file": peaks,
                "peak_mb_20_files": many[2],
            }
    print(json.dumps(report, indent=None if chosen.json else 2))  # noqa: T201


if __name__ == "__main__":
    main()
