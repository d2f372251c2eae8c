"""Result blocks that a model writes itself, and that are none (methods.md 2.3)."""

from __future__ import annotations

import re

# Result blocks that a model writes itself, in the marks of the released code and of ours.
_OWN_RESULT = re.compile(
    r"(?:<\|begin_(?:kg_|search_)?result\|>|<(?:search_|kg_)?results?>|\[RESULT\]).*?"
    r"(?:<\|end_(?:kg_|search_)?result\|>|</(?:search_|kg_)?results?>|\[/RESULT\]|\Z)",
    re.DOTALL | re.IGNORECASE,
)


def strip_results(text: str) -> str:
    """The text without result blocks that the model made up."""
    return _OWN_RESULT.sub(" ", text).strip()
