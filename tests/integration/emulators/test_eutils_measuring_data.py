"""The emulator over the whole measuring data: all of it is served, and a raw question finds little there."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest
from lxml import etree

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.evaluation import evaluate
from tests.emulators.eutils.folder import load_folder
from tests.emulators.eutils.loading import read_lines
from tests.emulators.eutils.server import EutilsServer

pytestmark = [pytest.mark.shared_data, pytest.mark.slow]


@pytest.fixture(scope="module")
def corpus(shared: Path) -> Corpus:
    return load_folder(shared / "data", invent_pmids=True)


def share_of_nothing(corpus: Corpus, questions: Sequence[str]) -> float:
    return sum(not evaluate(corpus, question).mask.any() for question in questions) / len(questions)


def test_raw_questions_mostly_find_nothing(corpus: Corpus, shared: Path) -> None:
    """As the papers found it (CoMeta's table of empty result sets), and hardest for patients' words."""
    folder = shared / "data" / "retrieval"
    shares = {
        name: share_of_nothing(corpus, [row[field] for row in read_lines(folder / name)])
        for name, field in [
            ("questions_pubmedqa.jsonl", "question"),
            ("questions_bioasq.jsonl.gz", "question"),
            ("narratives.jsonl", "narrative"),
        ]
    }
    sys.stdout.write(f"{shares}\n")
    assert 0.5 < shares["questions_pubmedqa.jsonl"] < 0.8
    assert 0.5 < shares["questions_bioasq.jsonl.gz"] < 0.8
    assert shares["narratives.jsonl"] > 0.9


def test_every_record_is_served_and_valid(corpus: Corpus, document_type: etree.DTD) -> None:
    assert len(corpus) >= 29_343
    rendered = [record.pmid for record in corpus.records if not record.raw]
    with EutilsServer(corpus) as server, httpx.Client(base_url=server.base_url, timeout=60) as client:
        for at in range(0, len(rendered), 2_000):
            pmids = rendered[at : at + 2_000]
            reply = client.post("efetch.fcgi", data={"db": "pubmed", "id": ",".join(pmids)})
            root = etree.fromstring(reply.content)
            assert document_type.validate(root), document_type.error_log
            assert [one.text for one in root.iterfind("PubmedArticle/MedlineCitation/PMID")] == pmids


def test_full_texts_are_served_by_pmcid(corpus: Corpus) -> None:
    assert len(corpus.full_texts) >= 180
    reviews = [
        record for record in corpus.records if "Review" in record.types and record.pmcid in corpus.full_texts
    ]
    assert len(reviews) >= 15
