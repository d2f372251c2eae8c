"""Every setting of carecite, typed, described and read once. Nothing else reads the environment.

A setting `llm.base_url` is the variable CARECITE_LLM_BASE_URL; a file `.env` in the working folder may hold
the same lines. An unknown CARECITE_ name is refused: a misspelt setting must not be ignored silently.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import platformdirs
from dotenv import dotenv_values
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "CARECITE_"
_TEST_PREFIX = "CARECITE_TEST_"  # knobs of the test suite, not of the product


class SettingsError(Exception):
    """The settings cannot be used."""

    retryable = False
    remedy = "`.env.example` lists every setting with its meaning."


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelEndpoint(_Group):
    """Chat model: any OpenAI-compatible endpoint. Without one, carecite quotes and never generates."""

    base_url: str | None = Field(None, description="for example http://127.0.0.1:11434/v1")
    api_key: SecretStr | None = Field(None, description="key of the endpoint, where it wants one")
    model: str | None = Field(None, description="name of the model; there is no hidden default")


class Eutils(_Group):
    """NCBI E-utilities."""

    base_url: str = Field(
        "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/", description="address, or a mirror's"
    )


class Ncbi(_Group):
    """Who asks NCBI."""

    api_key: SecretStr | None = Field(None, description="10 requests a second instead of 3")
    email: str | None = Field(None, description="sent with every request, as NCBI asks")


class Database(_Group):
    """One of the two databases."""

    url: SecretStr | None = Field(
        None, description="postgresql://user:password@host/name; unset: the embedded server"
    )


class Models(_Group):
    """Encoder weights."""

    dir: Path | None = Field(
        None, description="folder that holds the MedCPT models, each in a folder by name"
    )
    download: bool = Field(False, description="may fetch missing weights from the model hub")
    dtype: Literal["float32", "bfloat16"] = Field("float32", description="bfloat16 is faster on recent CPUs")


class Slack(_Group):
    """Slack app."""

    bot_token: SecretStr | None = Field(None, description="xoxb-…")
    app_token: SecretStr | None = Field(None, description="xapp-…, for Socket Mode")
    signing_secret: SecretStr | None = Field(None, description="for HTTP events")
    base_url: str = Field("https://slack.com/api/", description="address of the Web API")


class Telegram(_Group):
    """Telegram bot."""

    token: SecretStr | None = Field(None, description="from BotFather")
    base_url: str = Field("https://api.telegram.org/bot", description="address of the Bot API")


def _default_home() -> Path:
    return platformdirs.user_data_path("carecite", appauthor=False)


class Settings(BaseSettings):
    """All settings. Build one with `load_settings`; it cannot be changed afterwards."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        env_file=".env",
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        nested_model_default_partial_update=True,
    )

    home: Path = Field(default_factory=_default_home, description="data folder")
    encoder: Literal["minilm", "medcpt"] = Field(
        default="minilm", description="embedding model: minilm or medcpt"
    )
    llm: ModelEndpoint = ModelEndpoint.model_validate({})
    eutils: Eutils = Eutils.model_validate({})
    ncbi: Ncbi = Ncbi.model_validate({})
    corpus: Database = Database.model_validate({})
    history: Database = Database.model_validate({})
    models: Models = Models.model_validate({})
    slack: Slack = Slack.model_validate({})
    telegram: Telegram = Telegram.model_validate({})


def setting_names() -> Iterator[tuple[str, str]]:
    """(environment variable, description) of every setting, in the order of the class."""
    for name, field in Settings.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, _Group):
            for inner, group_field in field.annotation.model_fields.items():
                yield f"{PREFIX}{name}_{inner}".upper(), group_field.description or ""
        else:
            yield f"{PREFIX}{name}".upper(), field.description or ""


def _refuse_unknown(names: set[str]) -> None:
    known = [name for name, _ in setting_names()]
    for name in sorted(names):
        if name.startswith(PREFIX) and not name.startswith(_TEST_PREFIX) and name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise SettingsError(f"There is no setting {name}.{hint}")


def load_settings() -> Settings:
    """Read the environment (and `.env`) once.

    Raises SettingsError, naming the setting but never its value.
    """
    _refuse_unknown({name.upper() for name in (*os.environ, *dotenv_values(".env"))})
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = PREFIX + "_".join(str(part) for part in first["loc"]).upper()
        raise SettingsError(f"{name}: {first['msg']}.") from None


def bare_names() -> list[str]:
    """Well-known variables without our prefix, which carecite does not read (`doctor` says so)."""
    likely = (
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "SLACK_BOT_TOKEN",
        "SLACK_APP_TOKEN",
        "TELEGRAM_TOKEN",
        "NCBI_API_KEY",
    )
    return [name for name in likely if os.environ.get(name)]
