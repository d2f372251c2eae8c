"""Settings that cannot be used: named with what to write instead, and never with their value."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import FRANCE, Call, run_process, says_sorry


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("CARECITE_LLM_MODLE", "x", "CARECITE_LLM_MODEL"),
        ("CARECITE_TELEGRAMM_TOKEN", "secret-4711", "CARECITE_TELEGRAM_TOKEN"),
        ("CARECITE_ENCODER", "../secret-4711", "pattern"),
        ("CARECITE_MODELS_DTYPE", "float16", "'float32' or 'bfloat16'"),
        ("CARECITE_MODELS_DOWNLOAD", "perhaps", "boolean"),
        ("CARECITE_LLM_BASE_URL", "localhost:11434/secret-4711", "http://"),
        ("CARECITE_HOME", "~nobody-of-this-name/x", "home folder"),
        ("CARECITE_LLM", "{", "There is no setting"),
    ],
)
def test_a_setting_that_cannot_be_used(call_alone: Call, name: str, value: str, words: str) -> None:
    outcome = call_alone("ask", FRANCE, **{name: value})
    says_sorry(outcome, 2, name, words, ".env.example")
    assert "secret-4711" not in outcome.err


def test_a_file_of_settings_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"CARECITE_HOME=\xff\xfe")
    says_sorry(run_process("db", "status", cwd=tmp_path), 2, ".env", "UTF-8")


def test_weights_that_are_not_there(call: Call, tmp_path: Path) -> None:
    missing = {"CARECITE_ENCODER": "medcpt"}
    says_sorry(call("ask", FRANCE, **missing), 3, "CARECITE_ENCODER=minilm")
    outcome = call("ask", FRANCE, **missing, CARECITE_MODELS_DIR=str(tmp_path / "models"))
    says_sorry(outcome, 3, str(tmp_path / "models"), "Query")
    says_sorry(call("db", "add-encoder", "medcpt", CARECITE_MODELS_DIR=str(tmp_path)), 3, str(tmp_path))


def test_a_fault_of_ours_is_one_sentence_and_debug_shows_it(
    call_alone: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one place where a part of ours is replaced: a fault cannot be had otherwise."""

    def fail(_: object) -> None:
        raise ZeroDivisionError("words of a patient")

    monkeypatch.setattr("bot.health.check_health", fail)
    outcome = call_alone("doctor")
    says_sorry(outcome, 1, "ZeroDivisionError", "--debug")
    assert "patient" not in outcome.err
    with pytest.raises(ZeroDivisionError):
        call_alone("--debug", "doctor")
