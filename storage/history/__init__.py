"""The history database: what was asked, what was answered, on what evidence."""

from storage.history.runs import CitedSource, History, Run, StoredSearch
from storage.history.standings import GONE, CitedArticle, CitedStanding

__all__ = ["GONE", "CitedArticle", "CitedSource", "CitedStanding", "History", "Run", "StoredSearch"]
