"""Settings: closed, described, blind to what is not theirs, and silent about secrets."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from config import Settings, SettingsError, load_settings, setting_names
from config.example import render_example

ROOT = Path(__file__).resolve().parents[2]
SECRET = "secret-4711"


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def secrets(settings: Settings) -> Iterator[tuple[str, object]]:
    """(variable, value) of all settings that are tokens, keys or addresses with a password."""
    for setting in setting_names():
        group, _, name = setting.name.removeprefix("CARECITE_").lower().partition("_")
        value = getattr(settings, group)
        if name:
            value = getattr(value, name)
        if setting.name.endswith(("TOKEN", "KEY", "KEYS", "SECRET", "CORPUS_URL", "HISTORY_URL")):
            yield setting.name, value


def test_secrets_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [name for name, _ in secrets(load_settings())]
    assert len(names) == 13
    for name in names:
        monkeypatch.setenv(name, SECRET)
    settings = load_settings()
    assert all(isinstance(value, SecretStr) for _, value in secrets(settings))
    assert SECRET not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"
    assert settings.llm.api_key is not None
    assert settings.llm.api_key.get_secret_value() == SECRET


CHECKED = {
    *("CARECITE_HOME", "CARECITE_ENCODER", "CARECITE_MODELS_DIR", "CARECITE_MODELS_DOWNLOAD"),
    *("CARECITE_MODELS_DTYPE", "CARECITE_MODELS_WINDOW", "CARECITE_LLM_BASE_URL"),
    *(f"CARECITE_EUTILS_{name}" for name in ("BASE_URL", "PER_SECOND", "DEADLINE")),
    *(f"CARECITE_EUTILS_{name}" for name in ("SEARCH_HOURS", "RECORD_DAYS")),
    *("CARECITE_RERANKER", "CARECITE_LLM_COMPLETIONS"),
    *(f"CARECITE_CHAT_{name}" for name in ("IDLE_HOURS", "PERSON_DAILY", "WORKSPACE_DAILY")),
    *("CARECITE_CHAT_CONVERSATION_MINUTELY", "CARECITE_COUNTRY"),
    *(f"CARECITE_SLACK_{name}" for name in ("BASE_URL", "HTTP_PORT", "AUTHORIZE_URL")),
    "CARECITE_TELEGRAM_BASE_URL",
    *(f"CARECITE_REVIEW_{name}" for name in ("PORT", "URL", "PLAIN_HTTP", "OIDC_URL")),
    *("CARECITE_TELEGRAM_WEBHOOK_URL", "CARECITE_TELEGRAM_WEBHOOK_PORT"),
    *(
        "CARECITE_WORKER_CONCURRENCY",
        "CARECITE_WORKER_HEARTBEAT",
        "CARECITE_LOG_LEVEL",
        "CARECITE_HEALTH_PORT",
    ),
    *(f"CARECITE_LLM_{name}" for name in ("CONTEXT", "MAX_REPLY", "TIMEOUT", "DEADLINE", "MAX_CALLS")),
    *(f"CARECITE_LLM_{name}" for name in ("MAX_TOKENS", "MAX_COST", "PRICE_IN", "PRICE_OUT", "CONCURRENCY")),
}


@pytest.mark.parametrize("name", [setting.name for setting in setting_names()])
def test_no_error_tells_a_value(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, f"~{SECRET}/x")
    if name not in CHECKED:
        load_settings()
        return
    with pytest.raises(SettingsError, match=name) as caught:
        load_settings()
    assert SECRET not in f"{caught.value} {caught.value!r} {caught.value.__cause__!r}"
    assert caught.value.__suppress_context__


def test_every_setting_and_group_is_described() -> None:
    for setting in setting_names():
        assert setting.meaning, setting.name
    assert {setting.group for setting in setting_names() if "_" not in setting.name[9:]} == {""}
    assert all(setting.group for setting in setting_names() if "_" in setting.name[9:])


def test_the_example_file_is_the_code() -> None:
    path = ROOT / ".env.example"
    assert path.read_text("utf-8") == render_example(), "python -m config.example > .env.example"


def test_the_example_file_works_as_it_stands_and_with_its_defaults() -> None:
    plain = load_settings()
    Path(".env").write_text(render_example())
    assert load_settings() == plain
    Path(".env").write_text(render_example().replace("\n#CARECITE", "\nCARECITE"))
    assert load_settings() == plain


def test_a_file_in_the_working_folder_is_read_and_the_environment_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path(".env").write_text(
        "CARECITE_LLM_MODEL=file\ncarecite_ncbi_email='a@b.org'\nCARECITE_HOME=/somewhere\n"
    )
    monkeypatch.setenv("CARECITE_LLM_MODEL", "environment")
    settings = load_settings()
    assert (settings.llm.model, settings.ncbi.email, settings.home) == (
        "environment",
        "a@b.org",
        Path("/somewhere"),
    )


def test_lines_of_other_programs_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("OPENAI_API_KEY=x\nHOME_ASSISTANT=y\nCARECITE_TEST_SHARED=z\n")
    monkeypatch.setenv("CARECITE_TEST_DATA", "z")
    assert load_settings().llm.api_key is None
    Path(".env").write_text("CARECITE_LLM_MODLE=x\n")
    with pytest.raises(
        SettingsError, match=r"no setting CARECITE_LLM_MODLE\. Did you mean CARECITE_LLM_MODEL"
    ):
        load_settings()
    Path(".env").write_text("CARECITE_QUITE_ELSE=x\n")
    with pytest.raises(SettingsError, match=r"no setting CARECITE_QUITE_ELSE\.$"):
        load_settings()


@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
def test_blank_values_count_as_unset(blank: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = load_settings()
    for setting in setting_names():
        monkeypatch.setenv(setting.name, blank)
    assert load_settings() == plain


def test_values_are_tidied(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CARECITE_HOME", "~/data")
    monkeypatch.setenv("CARECITE_LLM_API_KEY", f" {SECRET}\n")
    monkeypatch.setenv("CARECITE_EUTILS_BASE_URL", "http://mirror/eutils")
    settings = load_settings()
    assert settings.home == tmp_path / "data"
    assert settings.llm.api_key == SecretStr(SECRET)
    assert settings.eutils.base_url == "http://mirror/eutils/"


def test_settings_do_not_change_afterwards() -> None:
    settings = load_settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.encoder = "medcpt"
    with pytest.raises(ValueError, match="frozen"):
        settings.llm.model = "other"
    assert pickle.loads(pickle.dumps(settings)) == settings
