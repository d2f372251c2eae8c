"""Retracted articles reach no prompt and no citation, and the answer says how many there were (issue 4.5)."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.acceptance.retracted import (
    CANARY,
    NAMES,
    RETRACTED,
    good_records,
    question_about,
    recite,
    retracted_records,
)
from tests.emulators.model import ModelServer
from tests.emulators.records import Record, RecordServer, record_set
from tests.program import HANG, NOWHERE, Call, Outcome, Program, environment

TODAY = datetime.now(UTC).date().isoformat()
DAY = "1 day"
TITLES = [Record(f"92{n:06}", f"Socks of kind {n}", "") for n in range(170)]  # nothing to embed


@dataclass(frozen=True, slots=True)
class Mixed:
    """30 good records, 50 retracted ones and 170 titles in databases of their own, and PubMed as it is."""

    pubmed: RecordServer
    settings: dict[str, str]

    def sql(self, statement: str, database: str = "CORPUS") -> Any:
        with psycopg.connect(self.settings[f"CARECITE_{database}_URL"], autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else None

    def age(self, interval: str = "30 days") -> None:
        self.sql(f"UPDATE articles SET standing_checked_at = now() - interval '{interval}'")

    def refresh(self, call: Call) -> Outcome:
        self.age()
        self.pubmed.asked.clear()
        return call("ingest", "--refresh", "--json", **self.settings)


@pytest.fixture(scope="module")
def loaded(carecite: Program, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Settings for databases that hold the records."""
    settings = {
        "CARECITE_CORPUS_URL": carecite.copy_database("corpus", "test_standing"),
        "CARECITE_HISTORY_URL": carecite.copy_database("history", "test_standing_history"),
    }
    with psycopg.connect(settings["CARECITE_HISTORY_URL"], autocommit=True) as connection:
        connection.execute("DELETE FROM runs")  # other tests' answers cite what this PubMed does not know
        connection.execute("DELETE FROM cited_standings")
    path = tmp_path_factory.mktemp("records") / "records.xml"
    path.write_bytes(record_set([*good_records(), *retracted_records(), *TITLES]))
    outcome = carecite.run("ingest", "--json", str(path), **settings)
    assert outcome.json()["stored"] == 250, outcome
    return settings


@pytest.fixture
def mixed(loaded: dict[str, str]) -> Iterator[Mixed]:
    with RecordServer([*good_records(), *retracted_records(), *TITLES]) as pubmed:
        yield Mixed(pubmed, loaded | pubmed.settings())


@contextmanager
def started(count: int, mixed: Mixed, *words: str) -> Iterator[list[subprocess.Popen[str]]]:
    """So many processes of the program, none of which outlives the block."""
    key = base64.b64encode(bytes(32)).decode()
    keys = {"CARECITE_CHAT_HASH_KEY": key, "CARECITE_CHAT_SEALING_KEYS": f"k1:{key}"}
    settings = environment(**mixed.settings | keys | {"CARECITE_HOME": "/dev/null/home"})
    command = [sys.executable, "-m", "bot.cli", *words]
    with ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(command, env=settings, cwd=NOWHERE, stderr=subprocess.PIPE, text=True)
            )
            for _ in range(count)
        ]
        for process in processes:
            stack.callback(process.kill)
        yield processes


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + HANG
    while not happened():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.1)


def ask(call: Call, name: str, settings: dict[str, str]) -> dict[str, Any]:
    outcome = call("ask", "--json", "--offline", question_about(name), **settings)
    assert outcome.code == 0, outcome.err
    answer: dict[str, Any] = outcome.json()
    return answer


def notices(answer: dict[str, Any], code: str) -> list[str]:
    return [item["text"] for item in answer["answer"]["notices"] if item["code"] == code]


def test_fifty_retracted_articles_reach_no_prompt_and_no_citation(call: Call, mixed: Mixed) -> None:
    gone = {record.pmid for record in retracted_records()}
    assert len(gone) == 50
    with ModelServer(recite) as model:
        for name in NAMES:
            answer = ask(call, name, mixed.settings | model.settings())
            assert answer["answer"]["written_by"] == "model"
            cited = {citation["pmid"] for citation in answer["citations"]}
            assert cited
            assert not cited & gone
            assert {citation["standing_checked"] for citation in answer["citations"]} == {TODAY}
            assert notices(answer, "retracted") == [
                f"{RETRACTED} retracted articles that matched were left out (checked on {TODAY})."
            ]
            assert notices(answer, "retracted")[0] in answer["answer"]["text"]
        assert len(model.asked) >= len(NAMES)
        prompts = "\n".join(request.text for request in model.asked)
    assert CANARY not in prompts
    assert all(name in prompts for name in NAMES)
    assert not any(pmid in prompts for pmid in gone)


def test_one_that_is_retracted_now_is_gone_from_the_next_answer(call: Call, mixed: Mixed) -> None:
    """By rules; and it comes back when the retraction is lifted. The answer that cited it is found."""
    name, records = NAMES[0], good_records()
    before = ask(call, name, mixed.settings)
    cited = before["citations"][0]["pmid"]
    record = next(record for record in records if record.pmid == cited)
    mixed.pubmed.put(replace(record, standing="retracted"))
    report = mixed.refresh(call).json()
    assert report["retracted"] == [{"pmid": cited, "title": record.title}]
    assert (report["checked"], report["left"], report["reason"]) == (250, 0, None)
    assert before["run_id"] in report["overtaken"]
    after = ask(call, name, mixed.settings)
    assert after["citations"]
    assert cited not in [citation["pmid"] for citation in after["citations"]]
    assert f"{RETRACTED + 1} retracted articles" in notices(after, "retracted")[0]
    mixed.pubmed.put(record)
    report = mixed.refresh(call).json()
    assert report["restored"] == [{"pmid": cited, "title": record.title}]
    assert report["overtaken"] == []
    again = ask(call, name, mixed.settings)
    assert [c["pmid"] for c in again["citations"]] == [c["pmid"] for c in before["citations"]]


def test_a_concern_stands_with_its_source(call: Call, mixed: Mixed) -> None:
    name, records = NAMES[1], good_records()
    for record in records:
        if name in record.title:
            mixed.pubmed.put(replace(record, standing="concern"))
    assert len(mixed.refresh(call).json()["concern"]) == 3
    answer = ask(call, name, mixed.settings)
    assert {citation["standing"] for citation in answer["citations"]} == {"concern"}
    assert answer["answer"]["confidence"] == "low"
    assert len(notices(answer, "concern")) == len(answer["citations"])
    assert f"source [1], so please read it with care (checked on {TODAY})" in notices(answer, "concern")[0]
    shown = call("ask", "--offline", question_about(name), **mixed.settings).out
    assert f"(the publisher has voiced a concern; checked on {TODAY})" in " ".join(shown.split())
    mixed.pubmed.put(*records)
    assert len(mixed.refresh(call).json()["restored"]) == 3


def test_all_that_is_there_is_retracted(call: Call, mixed: Mixed) -> None:
    name, records = NAMES[2], good_records()
    mixed.pubmed.put(*(replace(record, standing="retracted") for record in records if name in record.title))
    mixed.refresh(call)
    answer = ask(call, name, mixed.settings)
    assert answer["answer"]["abstained"]
    assert f"{RETRACTED + 3} retracted articles" in notices(answer, "retracted")[0]
    mixed.pubmed.put(*records)
    mixed.refresh(call)


def test_an_outage_in_the_middle_keeps_what_was_read(call: Call, mixed: Mixed) -> None:
    mixed.pubmed.fails_from = 2
    outcome = mixed.refresh(call)
    assert outcome.code == 3
    report = outcome.json()
    assert (report["checked"], report["left"]) == (200, 50)
    assert report["reason"].startswith("backend_failed")
    assert "Run `carecite ingest --refresh` again" in outcome.err
    assert "Traceback" not in outcome.err


def test_nobody_there(call: Call, mixed: Mixed) -> None:
    mixed.age()
    nowhere = mixed.settings | {"CARECITE_EUTILS_BASE_URL": "http://127.0.0.1:9/"}
    outcome = call("ingest", "--refresh", **nowhere)
    assert outcome.code == 3
    assert "0 records checked" in outcome.out
    assert "250 left" in outcome.out
    assert "unreachable" in outcome.out


def test_killed_in_the_middle_it_goes_on_where_it_was(call: Call, mixed: Mixed) -> None:
    mixed.age()
    mixed.pubmed.holds_from = 2
    with started(1, mixed, "ingest", "--refresh") as running:
        wait_for(lambda: len(mixed.pubmed.asked) == 2)
        running[0].kill()
    mixed.pubmed.holds_from = None
    mixed.pubmed.asked.clear()
    report = call("ingest", "--refresh", "--json", **mixed.settings).json()
    assert (report["checked"], report["left"]) == (50, 0)
    assert [len(pmids) for pmids in mixed.pubmed.asked] == [50]


def test_how_old_is_a_matter_of_choice(call: Call, mixed: Mixed) -> None:
    mixed.age("3 days")
    assert call("ingest", "--refresh", "--json", **mixed.settings).json()["checked"] == 0
    assert (
        call("ingest", "--refresh", "--json", "--older-than", "60h", **mixed.settings).json()["checked"]
        == 250
    )
    for wrong in ("soon", "-1d", "7w"):
        outcome = call("ingest", "--refresh", f"--older-than={wrong}", **mixed.settings)
        assert (outcome.code, outcome.out) == (2, "")
    assert call("ingest", **mixed.settings).code == 2
    assert call("ingest", str(Path(__file__).parent), "--older-than", "7d", **mixed.settings).code == 2


def test_doctor_shows_the_oldest_check(call: Call, mixed: Mixed) -> None:
    def finding() -> dict[str, Any]:
        outcome = call("doctor", "--json", **mixed.settings)
        assert outcome.code == 0
        return next(row for row in outcome.json() if row["name"] == "standing")

    mixed.age("13 days")
    assert finding()["ok"] is True
    mixed.sql(f"UPDATE articles SET standing_checked_at = '2026-01-02' WHERE doc_id = '{TITLES[7].pmid}'")
    found = finding()
    assert found["ok"] is False
    assert "2026-01-02" in found["detail"]
    assert "carecite ingest --refresh" in found["remedy"]


def test_the_job_of_the_night_runs_once_however_many_workers(mixed: Mixed) -> None:
    """Workers that start later than the hour make up for it; a job of a dead one is taken up again."""
    mixed.age()
    mixed.sql(
        "WITH dead AS (INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 hour')"
        " RETURNING id) INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, status, worker_id)"
        """ SELECT 'upkeep', 'standing', 'standing', '{"timestamp": 1}', 'doing', id FROM dead""",
        "HISTORY",
    )
    left = "SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"
    put_in = "SELECT count(*) FROM procrastinate_periodic_defers WHERE task_name = 'standing'"
    with started(2, mixed, "worker") as workers:
        wait_for(lambda: mixed.sql(put_in, "HISTORY") == [(1,)] and mixed.sql(left, "HISTORY") == [(0,)])
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
        said = "".join(worker.communicate()[1] for worker in workers)
    assert [worker.returncode for worker in workers] == [0, 0]
    runs = sorted(line for line in said.splitlines() if line.startswith("standing:"))
    assert runs == ["standing: 0 checked, 0 changed, 0 left", "standing: 250 checked, 0 changed, 0 left"]
    assert sorted(map(len, mixed.pubmed.asked)) == [50, 200]
    kept = "SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'standing'"
    assert mixed.sql(kept, "HISTORY") == [(0,)], "none is left lying"


def test_json_is_what_people_read(call: Call, mixed: Mixed) -> None:
    mixed.pubmed.put(replace(TITLES[0], standing="corrected"))
    mixed.age()
    out = call("ingest", "--refresh", **mixed.settings).out
    assert out.startswith(
        "250 records checked: 0 retracted, 0 concern, 1 corrected, 0 superseded, 0 restored;"
    )
    assert f"  corrected: {TITLES[0].pmid} {TITLES[0].title}" in out
    mixed.pubmed.put(TITLES[0])
    assert json.loads(mixed.refresh(call).out)["restored"]
