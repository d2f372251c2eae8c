"""`carecite eval support --from-reviews`: what reviewers corrected is asked again by the usual assistant."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.reviewing import open_review_room
from config import load_settings
from storage.history.review import OPERATOR, Actor, Judgement
from tests.program import FRANCE, NOWHERE, Call, Program

STROKE = "What are the warning signs of a stroke?"
GOUT = "How is gout treated?"


@pytest.fixture
def own(carecite: Program) -> dict[str, str]:
    """A history of its own, without what other tests asked."""
    url = carecite.copy_database("history", "test_eval_reviews")
    return {"CARECITE_HISTORY_URL": url}


def judge(carecite: Program, own: dict[str, str], judgements: dict[str, Judgement]) -> None:
    """By one reviewer of everything."""

    async def submit() -> None:
        async with open_review_room(load_settings()) as room:
            account = await room.accounts.add_oidc(OPERATOR, "Ward", "https://idp.example", "1")
            await room.accounts.grant(OPERATOR, account, "reviewer", None)
            actor = Actor(f"account:{account}", "reviewer", None, account)
            for run_id, judgement in judgements.items():
                await room.reviews.submit(actor, run_id, judgement)

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(NOWHERE)
        for name, value in (carecite.settings() | own).items():
            patch.setenv(name, value)
        asyncio.run(submit())


def test_without_a_correction_it_says_how_to_come_by_one(call: Call, own: dict[str, str]) -> None:
    done = call("eval", "support", "--from-reviews", "--json", **own)
    assert (done.code, done.json()["rows"], done.json()["cases"]) == (0, [], [])
    assert "No answer has a correction" in done.err
    assert "carecite review" in done.err


def test_as_then_corrected_and_abstained(
    call: Call, own: dict[str, str], carecite: Program, tmp_path: Path
) -> None:
    asked = {q: call("ask", "--json", q, **own).json() for q in (STROKE, GOUT, FRANCE)}
    runs = {question: answer["run_id"] for question, answer in asked.items()}
    gout = [sentence["text"] for sentence in asked[GOUT]["answer"]["sentences"]]
    again = call("ask", "--json", GOUT, **own).json()["run_id"]
    judgements = {
        runs[STROKE]: Judgement("unsafe", "critical", "Purple socks prevent 17 strokes."),
        runs[GOUT]: Judgement("unsupported", "major", gout[0]),  # the rest should not have been said
        again: Judgement("incomplete", "minor", " ".join(gout)),  # is all said by now
        runs[FRANCE]: Judgement("incomplete", "minor", "Paris is the capital of France."),
    }
    judge(carecite, own, judgements)
    done = call("eval", "support", "--from-reviews", "--json", "--out", str(tmp_path), **own)
    assert done.code == 0, done.err
    report = done.json()
    found = {case["run_id"]: case for case in report["cases"]}
    assert found[runs[STROKE]]["outcome"] == "as_then"
    assert found[runs[STROKE]]["again"] == len(asked[STROKE]["answer"]["sentences"])
    assert found[runs[STROKE]]["said"] == 0
    assert found[runs[GOUT]]["outcome"] == ("as_then" if len(gout) > 1 else "corrected")
    assert found[again]["outcome"] == "corrected"
    assert found[runs[FRANCE]]["outcome"] == "abstained"
    assert {row["style"]: row["n"] for row in report["rows"]} == {
        "unsafe": 1, "unsupported": 1, "incomplete": 2, "all": 4,
    }  # fmt: skip
    written = (tmp_path / "reviews.jsonl").read_text(encoding="utf-8")
    assert len(written.splitlines()) == 4
    assert "stroke" not in written + done.out, "nobody's words"
    table = call("eval", "support", "--from-reviews", COLUMNS="160", **own).out
    assert "as then" in table
    assert runs[STROKE] in table
