"""Every setting of carecite, typed, described and read once. Nothing else reads the environment.

A setting `llm.base_url` is the variable CARECITE_LLM_BASE_URL; a file `.env` in the working folder may hold
the same lines. An unknown CARECITE_ name is refused: a misspelt setting must not be ignored silently.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

import platformdirs
from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from pydantic_settings import BaseSettings, SettingsConfigDict

from config.errors import BAD_USAGE, CareciteError
from config.fields import LOOPBACK, FullPath, Group, WebAddress, WebFolder, drop_blanks
from config.review import Review

PREFIX = "CARECITE_"
_FILE = ".env"
_TEST_PREFIX = "CARECITE_TEST_"  # knobs of the test suite, not of the product


class SettingsError(CareciteError):
    """The settings cannot be used."""

    exit_code = BAD_USAGE
    remedy = "`.env.example` lists every setting with its meaning."


class ModelEndpoint(Group):
    """Chat model: any OpenAI-compatible endpoint. Without one, carecite quotes and never generates."""

    base_url: WebAddress | None = Field(None, description="for example http://127.0.0.1:11434/v1")
    api_key: SecretStr | None = Field(None, description="key of the endpoint, where it wants one")
    model: str | None = Field(None, description="name of the model; there is no hidden default")
    context: int = Field(
        8192, ge=512, le=10_000_000, description="tokens that the server really reads at once, reply included"
    )
    max_reply: int = Field(2048, ge=16, le=1_000_000, description="tokens of one reply, thinking included")
    timeout: float = Field(60.0, gt=0, le=3600, description="seconds that one call may take")
    deadline: float = Field(
        120.0, gt=0, le=3600, description="seconds that all calls of one question may take together"
    )
    max_calls: int = Field(40, ge=0, le=1000, description="calls for one question, retries included")
    max_tokens: int = Field(60_000, ge=0, description="tokens for one question, prompts and replies")
    max_cost: float | None = Field(
        None, ge=0, description="money for one question, in the currency of the prices; needs both prices"
    )
    price_in: float | None = Field(None, ge=0, description="price of a million prompt tokens")
    price_out: float | None = Field(None, ge=0, description="price of a million reply tokens")
    completions: bool = Field(
        False, description="whether chains continue one text at /completions (token mode, for local servers)"
    )
    concurrency: int = Field(4, ge=1, le=1000, description="calls that one process makes at the same time")

    @model_validator(mode="after")
    def _priced(self) -> ModelEndpoint:
        if self.max_cost is not None and (self.price_in is None or self.price_out is None):
            raise ValueError("max_cost needs price_in and price_out")
        return self

    @property
    def configured(self) -> bool:
        return bool(self.base_url and self.model)

    @property
    def on_this_machine(self) -> bool:
        return urlsplit(self.base_url or "").hostname in LOOPBACK


class Eutils(Group):
    """NCBI E-utilities."""

    base_url: WebFolder = Field(
        "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/", description="address, or a mirror's"
    )
    per_second: float | None = Field(
        None,
        gt=0,
        le=1000,
        description="requests a second of this process; unset: 2.5, with a key 8; divide among processes",
    )
    deadline: float = Field(
        8.0, gt=0, le=3600, description="seconds that one question may wait for NCBI in all"
    )
    search_hours: float = Field(
        24.0, ge=0, le=8760, description="hours that the reply to a search is used again; 0: never"
    )
    record_days: float = Field(
        7.0, ge=0, le=3650, description="days until a stored record is fetched again, for its standing"
    )


class Ncbi(Group):
    """Who asks NCBI."""

    api_key: SecretStr | None = Field(None, description="10 requests a second instead of 3")
    email: str | None = Field(None, description="sent with every request, as NCBI asks")


class Database(Group):
    """Databases, if not the embedded ones; corpus and history may be on different servers."""

    url: SecretStr | None = Field(
        None, description="postgresql://user:password@host/name; unset: the embedded server"
    )


class Models(Group):
    """Encoder weights."""

    dir: FullPath | None = Field(None, description="folder that holds models, each in a folder by its name")
    window: int | None = Field(
        None, ge=16, le=100_000, description="tokens that a model reads, for one that does not state it"
    )
    download: bool = Field(False, description="may fetch missing weights from the model hub")
    dtype: Literal["float32", "bfloat16"] = Field("float32", description="bfloat16 is faster on recent CPUs")


class Slack(Group):
    """Slack app."""

    bot_token: SecretStr | None = Field(None, description="xoxb-…")
    allow: SecretStr | None = Field(
        None, description="ids of workspaces, channels and people who may ask, by commas; unset: everybody"
    )
    app_token: SecretStr | None = Field(None, description="xapp-…, for Socket Mode")
    signing_secret: SecretStr | None = Field(None, description="for HTTP events, where no app_token is set")
    base_url: WebFolder = Field("https://slack.com/api/", description="address of the Web API")
    http_host: str = Field("127.0.0.1", description="where /slack/events listens for them, behind your proxy")
    http_port: int = Field(3000, ge=0, le=65535, description="port of it")
    client_id: str | None = Field(
        None, description="with the next two: several workspaces, by /slack/install"
    )
    client_secret: SecretStr | None = Field(None, description="of the client id")
    workspaces: str | None = Field(
        None, description="ids (T…) of the workspaces that may install it, by commas; *: any"
    )
    authorize_url: WebAddress = Field(
        "https://slack.com/oauth/v2/authorize", description="page where somebody allows the app"
    )


class Telegram(Group):
    """Telegram bot."""

    token: SecretStr | None = Field(None, description="from BotFather")
    allow: SecretStr | None = Field(
        None, description="ids of people and chats who may ask, by commas; unset: everybody"
    )
    base_url: WebAddress = Field("https://api.telegram.org/bot", description="address, up to the token")
    webhook_url: WebAddress | None = Field(
        None, description="public https address that Telegram calls, best with a random path; unset: polling"
    )
    webhook_secret: SecretStr | None = Field(
        None, description="1 to 256 of A-Z a-z 0-9 _ -; Telegram sends it with each call"
    )
    webhook_host: str = Field("127.0.0.1", description="where the webhook listens, behind your proxy")
    webhook_port: int = Field(8443, ge=0, le=65535, description="port of it")

    @model_validator(mode="after")
    def _secret(self) -> Telegram:
        if self.webhook_url is not None:
            secret = self.webhook_secret.get_secret_value() if self.webhook_secret else ""
            if not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret):
                raise ValueError("webhook_url needs a webhook_secret of A-Z a-z 0-9 _ -")
        return self


class Chat(Group):
    """Chat. Unless both keys are set, the file chat.keys in CARECITE_HOME holds them."""

    hash_key: SecretStr | None = Field(
        None, description="32 random bytes in base64; people are found again by it, so it never changes"
    )
    sealing_keys: SecretStr | None = Field(
        None,
        description="they encrypt ids and tokens: NAME:BASE64 of 32 random bytes, by commas; the first seals",
    )
    idle_hours: float = Field(
        12.0, gt=0, le=8760, description="hours of silence after which a conversation is a new one"
    )
    person_daily: int = Field(50, ge=0, le=1_000_000, description="questions of one person a day (UTC)")
    workspace_daily: int = Field(
        2000, ge=0, le=100_000_000, description="questions of one workspace or bot a day (UTC)"
    )
    conversation_minutely: int = Field(
        20, ge=1, le=1000, description="questions a minute in one chat or thread; what is more is passed over"
    )


class Worker(Group):
    """Workers, which answer the questions of the chats."""

    concurrency: int = Field(
        4,
        ge=0,
        le=100,
        description="questions a process answers at once; 0: serve only takes and sends",
    )
    heartbeat: float = Field(
        10.0, gt=0, le=60, description="seconds between signs of life; after three missed ones it is dead"
    )


class Health(Group):
    """Health checks and metrics over HTTP, of serve and worker."""

    host: str = Field("127.0.0.1", description="where they are answered")
    port: int | None = Field(None, ge=1, le=65535, description="port of it; unset: off")


class Log(Group):
    """What serve and worker write to stderr: ids and codes, nobody's words."""

    level: Literal["debug", "info", "warning", "error"] = Field("info", description="least level")


def _default_home() -> Path:
    return platformdirs.user_data_path("carecite", appauthor=False)


class Settings(BaseSettings):
    """All settings. Build one with `load_settings`; it cannot be changed afterwards."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        env_file=_FILE,
        dotenv_filtering="only_existing",  # lines of other programs; ours are checked by name below
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        nested_model_default_partial_update=True,
    )

    home: FullPath = Field(
        default_factory=_default_home,
        description="data folder; unset: the usual place of this system",
    )
    encoder: str = Field(
        default="minilm",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,60}$",
        description="embedding model: minilm, medcpt, or the name of a folder in CARECITE_MODELS_DIR",
    )

    reranker: str = Field(
        default="lexical",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,60}$",
        description="orders what was found: lexical, MedCPT-Cross-Encoder, or an encoder by name",
    )

    country: str | None = Field(
        default=None,
        pattern=r"^[A-Z]{2}$",
        description="whose crisis lines a reply to somebody in danger names, as US; unset: all checked",
    )

    llm: ModelEndpoint = ModelEndpoint.model_validate({})
    eutils: Eutils = Eutils.model_validate({})
    ncbi: Ncbi = Ncbi.model_validate({})
    corpus: Database = Database.model_validate({})
    history: Database = Database.model_validate({})
    models: Models = Models.model_validate({})
    slack: Slack = Slack.model_validate({})
    telegram: Telegram = Telegram.model_validate({})
    chat: Chat = Chat.model_validate({})
    worker: Worker = Worker.model_validate({})
    health: Health = Health.model_validate({})
    review: Review = Review.model_validate({})
    log: Log = Log.model_validate({})

    _strip = model_validator(mode="before")(drop_blanks)


class SettingName(NamedTuple):
    """An environment variable, what it means, its default (empty: unset), and what its group is about."""

    name: str
    meaning: str
    default: str
    group: str


def setting_names() -> Iterator[SettingName]:
    """Every setting, in the order of the class."""
    for name, field in Settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, Group):
            for inner, own in kind.model_fields.items():
                yield _named(f"{name}_{inner}", own, (kind.__doc__ or "").strip())
        else:
            yield _named(name, field, "")


def _named(name: str, field: FieldInfo, group: str) -> SettingName:
    default = "" if field.default in (None, PydanticUndefined) else str(field.default).lower()
    return SettingName(f"{PREFIX}{name}".upper(), field.description or "", default, group)


def _refuse_unknown(names: set[str]) -> None:
    known = [setting.name.removeprefix(PREFIX) for setting in setting_names()]
    for name in sorted(names):
        own = name.removeprefix(PREFIX)
        if name.startswith(PREFIX) and not name.startswith(_TEST_PREFIX) and own not in known:
            close = difflib.get_close_matches(own, known, n=1)
            hint = f" Did you mean {PREFIX}{close[0]}?" if close else ""
            raise SettingsError(f"There is no setting {name}.{hint}")


def load_settings() -> Settings:
    """Read the environment (and `.env`) once.

    Raises SettingsError, naming the setting but never its value.
    """
    try:
        _refuse_unknown({name.upper() for name in (*os.environ, *dotenv_values(_FILE))})
        return Settings()
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = PREFIX + "_".join(str(part) for part in first["loc"]).upper()
        raise SettingsError(f"{name}: {first['msg'].removeprefix('Value error, ')}.") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is no UTF-8 text" if isinstance(error, ValueError) else error.strerror
        raise SettingsError(f"The file {_FILE} in this folder cannot be read: {reason}.") from None


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
