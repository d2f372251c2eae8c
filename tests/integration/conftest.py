"""Databases of their own for tests, copied from migrated ones; the embedded encoder."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from reasoning.encoders import Encoder, load_encoder
from storage.corpus import Corpus
from storage.database import create_engine
from storage.encoders import MINILM
from storage.schema import upgrade

NewDatabase = Callable[[str | None], str]
_numbers = itertools.count()


def url_of(server: str, database: str, *, user: str | None = None, password: str | None = None) -> str:
    url = make_url(server).set(database=database)
    if user:
        url = url.set(username=user, password=password)
    return url.render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def template(server: str) -> Callable[[str], str]:
    """template("corpus"): name of a database with that schema, migrated once, that others are copied from."""
    made: dict[str, str] = {}

    def name_of(schema: str) -> str:
        if schema not in made:
            name = f"template_{schema}"
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            upgrade(url_of(server, name), schema)
            made[schema] = name
        return made[schema]

    return name_of


@pytest.fixture(scope="session")
def copy_database(server: str) -> Callable[[str], str]:
    """copy_database(name): the URL of a database of its own that begins as a copy; nobody may be connected to
    that one. None is dropped: the server goes with the session, and each drop would wait for a checkpoint."""

    def copy(source: str) -> str:
        name = f"test_{next(_numbers)}"
        with psycopg.connect(server, autocommit=True) as connection:
            statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
            connection.execute(statement.format(sql.Identifier(name), sql.Identifier(source)))
        return url_of(server, name)

    return copy


@pytest.fixture(scope="session")
def new_database(copy_database: Callable[[str], str], template: Callable[[str], str]) -> NewDatabase:
    """new_database("corpus" or "history"), or new_database(None) for an empty one: its URL."""
    return lambda schema: copy_database(template(schema) if schema else "template0")


@pytest.fixture(scope="module")
def corpus_of_module(new_database: NewDatabase) -> str:
    return new_database("corpus")


@pytest.fixture
def corpus_url(corpus_of_module: str) -> str:
    """An empty corpus, emptied for each test. A test that alters tables takes `new_database("corpus")`."""
    with psycopg.connect(corpus_of_module) as connection:
        tables = "TRUNCATE articles, lexical_segments, graphs, encoders, marks RESTART IDENTITY CASCADE"
        connection.execute(tables)
    return corpus_of_module


@pytest.fixture
async def corpus(corpus_url: str) -> AsyncIterator[Corpus]:
    """An empty corpus, seen through MiniLM."""
    engine = create_engine(corpus_url)
    yield Corpus(engine, MINILM)
    await engine.dispose()


@pytest.fixture(scope="session")
def minilm() -> Encoder:
    return load_encoder("minilm")
