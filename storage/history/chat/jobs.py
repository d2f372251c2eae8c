"""The job of a question, put into procrastinate's queue on the connection of the transaction that keeps it.

Its arguments are ids. Jobs of one conversation share a lock, so they run one after another, in the order
in which they were put in; who puts one in holds the row of the conversation, so that is the order of commits.
"""

from __future__ import annotations

from functools import cache

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from sqlalchemy.ext.asyncio import AsyncConnection

TASK = "answer"  # takes `question`, the id of the inbox row
QUEUE = "questions"


@cache
def _queue() -> App:
    """Never opened: it only writes on connections that it is given."""
    return App(connector=PsycopgConnector())


async def defer(connection: AsyncConnection, question: int, conversation: int) -> int:
    """The id of the new job. Raises psycopg.Error, as other statements do."""
    raw = (await connection.get_raw_connection()).driver_connection
    job = _queue().configure_task(TASK, queue=QUEUE, lock=f"conversation {conversation}", connection=raw)
    try:
        return await job.defer_async(question=question)
    except ConnectorException as error:
        raise error.__cause__ or error from None
