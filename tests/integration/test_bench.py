"""The bench runs where no measuring data is at hand; its figures are shares and counts, never times here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.documents import find_source
from tests.bench.lexical import ExactBM25
from tests.bench.report import Aim, Row
from tests.integration.conftest import NewDatabase

ROOT = Path(__file__).parents[2]


def test_aims() -> None:
    assert Row("a", "ratio", 2.0, aim=Aim(">=", 2.0)).met
    assert not Row("a", "ratio", 1.99, aim=Aim(">=", 2.0)).met
    assert not Row("a", "share", 0.7, "", Aim("<=", 0.6)).met
    assert Row("a", "count", 3.0, "").met is None
    assert Row("a", "ratio", 2.0, aim=Aim(">=", 2.0)).as_json()["aim"] == ">= 2"


def test_overlap_counts_ties_as_equal() -> None:
    exact = ExactBM25(
        [(1, {"wool": 3}), (2, {"wool": 1, "hat": 2}), *((n, {"cold": 1}) for n in range(3, 40))]
    )
    question = {"cold": 1}
    assert exact.overlap(question, list(range(3, 23))) == exact.overlap(question, list(range(20, 40))) == 1.0
    assert exact.overlap(question, [1, 2, *range(3, 21)]) == 0.9
    assert exact.overlap({"wool": 1}, [2]) == 0.5
    assert exact.overlap({"felt": 1}, []) is None


def test_generated_documents_are_the_same_each_time(tmp_path: Path) -> None:
    first, second = (find_source(tmp_path / "absent", 30, 50, tmp_path / name) for name in ("one", "two"))
    assert first.questions == second.questions
    assert len(set(first.questions)) == 50
    texts = [path.read_text() for path in sorted(tmp_path.glob("*/bench/*/retrieval/*.jsonl"))]
    assert len(texts) == 2
    assert texts[0] == texts[1]
    assert "not there" in first.origin


@pytest.mark.slow
def test_searches_on_generated_documents(new_database: NewDatabase, tmp_path: Path) -> None:
    """All searching parts in one run, on a hundred documents: they find what exact search finds."""
    pytest.importorskip("rank_bm25")
    command = [sys.executable, "-m", "tests.bench", "--json", "--repeats", "1", "--documents", "100"]
    parts = [word for name in ("lexical", "dense", "hybrid") for word in ("--only", name)]
    url = new_database(None)
    urls = {"CARECITE_CORPUS_URL": url, "CARECITE_HISTORY_URL": url, "CARECITE_HOME": str(tmp_path)}
    done = subprocess.run(
        [*command, *parts, "--questions", "20", "--data", str(tmp_path / "absent")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | urls,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert "100 generated documents" in report["measured_on"]
    figures = {row["measure"]: row["figure"] for row in report["rows"]}
    assert figures["overlap@20 with exact BM25"] >= 0.99
    assert figures["recall@10 of exact search"] >= 0.99
    assert figures["bytes a vector, index included, of single precision"] <= 0.7
