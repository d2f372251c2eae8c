"""The history database: what was asked, what was answered, on what evidence."""

from storage.history.runs import CitedSource, History, Run, StoredSearch

__all__ = ["CitedSource", "History", "Run", "StoredSearch"]
