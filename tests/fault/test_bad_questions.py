"""Questions that are none, too long, or made of odd characters."""

from __future__ import annotations

import subprocess
import sys

import pytest

from reasoning.understanding import LONGEST_QUESTION
from tests.program import HANG, ROOT, Call, Program, environment, run_process, says_sorry

STROKE = "What are the warning signs of a stroke?"


@pytest.mark.parametrize("question", ["", "   \t ", "😀🎉 👩‍⚕️", "?!… 42 %", "\u200b\u2060"])
def test_what_holds_no_word_is_no_question(call_alone: Call, question: str) -> None:
    says_sorry(call_alone("ask", question), 2, "no question", "carecite ask")
    says_sorry(call_alone("search", question), 2, "no question")


def test_no_question_at_all_on_standard_input(call_alone: Call) -> None:
    says_sorry(call_alone("ask", "-"), 2, "no question")
    says_sorry(call_alone("ask", "-", stdin=b"\0\0\n\0"), 2, "no question")


@pytest.mark.parametrize("size", [LONGEST_QUESTION + 1, 100_000, 30_000_000])
def test_a_question_that_is_too_long(call_alone: Call, size: int) -> None:
    words = (b"word " * (size // 5 + 1))[:size]
    says_sorry(call_alone("ask", "-", stdin=words[:-1] + b"s"), 2, "too long", f"{LONGEST_QUESTION:,}")


def test_standard_input_without_an_end_is_not_read_to_the_end() -> None:
    """`yes | carecite ask -` ends."""
    with subprocess.Popen(["yes", "word"], stdout=subprocess.PIPE) as endless:
        done = subprocess.run(
            [sys.executable, "-m", "bot.cli", "ask", "-"],
            stdin=endless.stdout,
            capture_output=True,
            cwd=ROOT,
            env=environment(),
            timeout=HANG,
            check=False,
        )
        endless.kill()
    assert done.returncode == 2
    assert b"too long" in done.stderr


def test_the_longest_question_is_answered(call: Call) -> None:
    asked = (STROKE + " My father is 70. " * 2000)[: LONGEST_QUESTION - 1] + "x"
    assert len(asked) == LONGEST_QUESTION
    outcome = call("ask", "--json", "--no-history", "-", stdin=asked.encode())
    assert outcome.code == 0, outcome.err
    answer = outcome.json()
    assert answer["question"] == asked
    assert "question_shortened" in [remark["code"] for remark in answer["warnings"]]


@pytest.mark.parametrize(
    "question",
    [
        "What is " + "a" * 19_000 + "?",
        "Is " + "pneumono" * 2000 + "osis dangerous?",
        "What is " + "心" * 10_000 + "?",
        "a" + "\u0301" * 15_000,
        "What about " + "((((((" * 2000 + " gout?",
    ],
    ids=["one letter", "long word", "no blanks", "accents", "brackets"],
)
def test_very_long_words_are_read_like_others(call: Call, question: str) -> None:
    outcome = call("ask", "--json", "--no-history", "-", stdin=question.encode())
    assert outcome.code == 0, outcome.err
    answer = outcome.json()["answer"]
    assert answer["sentences"] or answer["notices"]


def test_bytes_that_are_no_text_do_not_stop_a_question(call: Call, carecite: Program) -> None:
    """NUL and broken UTF-8 through a pipe; stored, since PostgreSQL takes neither."""
    given = b"\xef\xbb\xbfWhat\0 are the warning signs \xff\xc3 of a stroke?\r\n"
    outcome = call("ask", "--json", "-", stdin=given)
    assert outcome.code == 0, outcome.err
    answer = outcome.json()
    assert answer["question"] == "What  are the warning signs \ufffd\ufffd of a stroke?"
    assert answer["answer"]["sentences"]
    stored = f"SELECT question FROM runs WHERE run_id = '{answer['run_id']}'"
    assert carecite.query("history", stored) == answer["question"]


def test_an_argument_that_is_no_utf8_is_answered(carecite: Program) -> None:
    """The shell passes bytes; Python makes lone surrogates of them, which no output or database takes."""
    outcome = carecite.run("ask", "--json", b"What are the warning signs \xe9 of a stroke?")
    assert outcome.code == 0, outcome.err
    assert outcome.json()["question"] == "What are the warning signs \ufffd of a stroke?"
    assert outcome.json()["answer"]["sentences"]


def test_filters_that_are_no_text(call: Call) -> None:
    outcome = call("search", "stroke", "--type", "Rev\udce9iew", "--language", "\udcff")
    assert outcome.code == 0, outcome.err
    assert "No passage was found" in outcome.out


@pytest.mark.parametrize(
    "question",
    [
        "ما هي أعراض السكتة الدماغية؟",
        "מהם סימני האזהרה של שבץ מוחי?",
        "\u202eWhat is gout?\u202c",
        "中风有哪些预警信号?",
    ],
    ids=["Arabic", "Hebrew", "turned around", "Chinese"],
)
def test_other_scripts_get_a_polite_reply(call: Call, question: str) -> None:
    outcome = call("ask", "--json", question)
    assert outcome.code == 0, outcome.err
    answer = outcome.json()
    assert answer["answer"]["sentences"] or "abstain" in [n["code"] for n in answer["answer"]["notices"]]
    assert call("ask", question).code == 0


def test_a_terminal_of_few_letters_breaks_nothing(carecite: Program) -> None:
    """What it cannot show is spelt; JSON is UTF-8 all the same."""
    latin = carecite.settings() | {"PYTHONIOENCODING": "latin-1"}
    question = "My father 👴 has crushing chest pain right now"
    assert run_process("ask", question, "--trace", **latin).code == 0
    assert run_process("ask", question, "--json", **latin).json()["question"] == question
