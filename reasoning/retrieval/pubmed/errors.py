"""What can be wrong with a query's text.

ReasoningError
└── QuerySyntaxError
"""

from __future__ import annotations

from reasoning.errors import ReasoningError


class QuerySyntaxError(ReasoningError):
    """This is no PubMed query."""

    remedy = "Balance quotes and brackets, put a term on both sides of AND, OR and NOT, and use known tags."
