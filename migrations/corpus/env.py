"""Alembic environment of one database; called by `storage.schema`, which hands over the URL."""

from pathlib import Path

from alembic import context
from sqlalchemy import create_engine, pool

from storage.schema import include_name, metadata_of

NAME = Path(__file__).parent.name

engine = create_engine(context.config.attributes["url"], poolclass=pool.NullPool)
with engine.connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=metadata_of(NAME),
        version_table=f"alembic_version_{NAME}",
        include_name=include_name,
        compare_type=True,
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        context.run_migrations()
