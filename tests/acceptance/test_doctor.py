"""`doctor` says of each part whether it works and, if not, what to do; and it never says a secret."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tests.emulators.model import Chat, ModelServer, Reply, refuse
from tests.emulators.services import BOT_TOKEN, KEY, MODEL, TELEGRAM_TOKEN, Services, run_services
from tests.program import Call, Outcome, Program

SECRETS = (KEY, BOT_TOKEN, TELEGRAM_TOKEN, "secret-password", "wrong-4712")

NOWHERE = "CARECITE_EUTILS_BASE_URL"


@pytest.fixture
def services() -> Iterator[Services]:
    with run_services() as running:
        yield running


def findings(outcome: Outcome) -> dict[str, dict[str, Any]]:
    assert not [secret for secret in SECRETS if secret in outcome.out + outcome.err]
    assert "Traceback" not in outcome.err
    rows = outcome.json()
    for row in rows:
        assert set(row) == {"name", "ok", "detail", "remedy"}
        assert row["remedy"] or row["ok"] is not False, f"a remedy for {row}"
    return {row["name"]: row for row in rows}


def test_all_is_well(carecite: Program, services: Services) -> None:
    outcome = carecite.run("doctor", **services.settings())
    assert outcome.code == 0, outcome.err
    assert [line[:4].strip() for line in outcome.out.splitlines()] == ["ok", "–", *["ok"] * 5]
    assert not [secret for secret in SECRETS if secret in outcome.out + outcome.err]
    assert "embedded server" in outcome.out
    assert MODEL in outcome.out
    assert sorted(services.asked) == [
        f"GET /bot{TELEGRAM_TOKEN}/getMe",
        "GET /entrez/eutils/einfo.fcgi",
        "GET /v1/models",
        "POST /api/auth.test",
        "POST /v1/chat/completions",
    ]


def test_what_is_not_set_is_no_failure(call: Call, services: Services) -> None:
    found = findings(
        call("doctor", "--json", CARECITE_EUTILS_BASE_URL=services.settings()["CARECITE_EUTILS_BASE_URL"])
    )
    assert {name: row["ok"] for name, row in found.items()} == {
        "database": True,
        "standing": None,
        "encoder": True,
        "model": None,
        "pubmed": True,
        "slack": None,
        "telegram": None,
    }
    assert "own server for corpus and history" in found["database"]["detail"]
    assert "CARECITE_NCBI_EMAIL" in found["pubmed"]["detail"]


def test_refused_tokens_are_told_apart(call: Call, services: Services) -> None:
    names = ("CARECITE_LLM_API_KEY", "CARECITE_SLACK_BOT_TOKEN", "CARECITE_TELEGRAM_TOKEN")
    wrong = dict.fromkeys(names, "wrong-4712")
    outcome = call("doctor", "--json", **services.settings() | wrong)
    found = findings(outcome)
    assert outcome.code == 0, "carecite answers without them"
    for name, variable in zip(("model", "slack", "telegram"), wrong, strict=True):
        assert found[name]["ok"] is False
        assert "refused" in found[name]["detail"]
        assert variable in found[name]["remedy"]


@pytest.mark.parametrize("mood", ["garbage", "broken"])
def test_services_that_talk_nonsense(call: Call, services: Services, mood: str) -> None:
    services.moods = dict.fromkeys(("model", "pubmed", "slack", "telegram"), mood)
    found = findings(call("doctor", "--json", **services.settings()))
    assert {name for name, row in found.items() if row["ok"] is False} == set(services.moods)
    assert not any("\x1b" in row["detail"] for row in found.values())


@pytest.mark.parametrize(
    ("chosen", "offered", "words"),
    [
        ("another-model", [MODEL, "large-model"], "small-model, large-model"),
        ("", [MODEL], "Set CARECITE_LLM_MODEL; the server has small-model"),
        (MODEL, [], "none at all"),
        ("x", ["\x1b[31mred[/red]"], "It has  [31mred[/red]."),
    ],
)
def test_a_wrong_model_is_told_with_the_right_ones(
    call: Call, services: Services, chosen: str, offered: list[str], words: str
) -> None:
    services.models = offered
    outcome = call("doctor", **services.settings() | {"CARECITE_LLM_MODEL": chosen})
    assert "fail model" in outcome.out
    assert words in outcome.out


@pytest.mark.parametrize("mood", ["garbage", "broken"])
def test_a_listed_model_that_does_not_answer(call: Call, services: Services, mood: str) -> None:
    services.moods = {"chat": mood}
    found = findings(call("doctor", "--json", **services.settings()))
    assert found["model"]["ok"] is False
    assert "CARECITE_LLM_BASE_URL" in found["model"]["remedy"] or "Wait" in found["model"]["remedy"]
    assert "\x1b" not in found["model"]["detail"]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ([Chat('{"word": "ready"}')], "JSON by schema, streamed"),
        ([refuse(400, "response_format?"), Chat('{"word": "ready"}')], "JSON without a schema, streamed"),
        ([Chat('<think>hm</think>{"word": "ready"}')], "thinks first"),
        ([refuse(400, "no streaming here"), Chat('{"word": "ready"}')], "JSON by schema, not streamed"),
    ],
)
def test_what_a_model_can_do_is_told(call: Call, script: list[Reply], words: str) -> None:
    with ModelServer(script) as server:
        found = findings(call("doctor", "--json", **server.settings(), **{NOWHERE: "http://127.0.0.1:9"}))
    assert found["model"]["ok"] is True, found["model"]
    assert words in found["model"]["detail"]


def test_a_smaller_context_than_set_is_told(call: Call) -> None:
    with ModelServer([Chat('{"word": "ready"}')], context=2048) as server:
        found = findings(call("doctor", "--json", **server.settings(), **{NOWHERE: "http://127.0.0.1:9"}))
    assert found["model"]["ok"] is False
    assert "CARECITE_LLM_CONTEXT=2048" in found["model"]["remedy"]


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:9", "http://[::bad", "http://127.0.0.1:99999999/", "https://127.0.0.1:{port}"],
)
def test_services_that_cannot_be_reached(call: Call, services: Services, address: str) -> None:
    at = address.format(port=services.port)
    names = ("CARECITE_LLM_BASE_URL", "CARECITE_EUTILS_BASE_URL", "CARECITE_SLACK_BASE_URL")
    elsewhere = dict.fromkeys(names, at) | {"CARECITE_TELEGRAM_BASE_URL": f"{at}/bot"}
    found = findings(call("doctor", "--json", **services.settings() | elsewhere))
    assert [found[name]["ok"] for name in ("model", "pubmed", "slack", "telegram")] == [False] * 4


def test_a_key_that_no_header_can_hold(call: Call, services: Services) -> None:
    found = findings(call("doctor", "--json", **services.settings() | {"CARECITE_LLM_API_KEY": "ключ"}))
    assert "cannot be sent" in found["model"]["detail"]


def test_a_base_address_with_too_much_or_too_little(call: Call, services: Services) -> None:
    root = f"http://127.0.0.1:{services.port}"
    found = findings(call("doctor", "--json", **services.settings() | {"CARECITE_LLM_BASE_URL": root}))
    assert "/v1" in found["model"]["remedy"]
    slash = services.settings() | {"CARECITE_LLM_BASE_URL": f"{root}/v1/"}
    assert findings(call("doctor", "--json", **slash))["model"]["ok"]


def test_a_database_that_is_not_there_ends_with_3(call: Call, services: Services) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"postgresql://carecite:secret-password@127.0.0.1:{unused.getsockname()[1]}/corpus"
        outcome = call("doctor", "--json", **services.settings() | {"CARECITE_CORPUS_URL": url})
    assert outcome.code == 3
    found = findings(outcome)
    assert found["database"]["ok"] is False
    assert "CARECITE_CORPUS_URL" in found["database"]["remedy"]
    assert found["model"]["ok"], "the other checks are made all the same"


def test_missing_weights_end_with_3(call: Call, services: Services, tmp_path: Any) -> None:
    wanted = {"CARECITE_ENCODER": "medcpt", "CARECITE_MODELS_DIR": str(tmp_path)}
    outcome = call("doctor", "--json", **services.settings() | wanted)
    assert outcome.code == 3
    assert str(tmp_path) in findings(outcome)["encoder"]["detail"]


def test_names_without_our_prefix_are_pointed_out(call: Call, services: Services) -> None:
    found = findings(call("doctor", "--json", **services.settings(), OPENAI_API_KEY="wrong-4712"))
    assert found["OPENAI_API_KEY"]["ok"] is None
    assert "CARECITE_" in found["OPENAI_API_KEY"]["remedy"]
