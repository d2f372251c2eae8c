"""The embedded PostgreSQL server: started on demand, shared by processes, stopped after the last one."""

from storage.postgres.server import ServerAddress, create_database, ensure_server

__all__ = ["ServerAddress", "create_database", "ensure_server"]
