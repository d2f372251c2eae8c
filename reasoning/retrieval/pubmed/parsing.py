"""PubMed's text into a query tree, by the grammar in `query.lark`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasoning.retrieval.pubmed.errors import QuerySyntaxError
from reasoning.retrieval.pubmed.folding import Lenient, Operator, Piece, Strict, Tagged
from storage.query import Query

if TYPE_CHECKING:
    from lark import Lark

LONGEST = 20_000  # characters
DEEPEST = 50  # groups within groups


def parse_query(text: str) -> Query:
    """The tree that PubMed would make of this text, in normal form: operators from left to right, AND between
    what stands side by side. Raises QuerySyntaxError where PubMed would guess or give up."""
    if len(text) > LONGEST or depth(text) > DEEPEST:
        raise QuerySyntaxError("It is too long or too deep.")
    if (query := _read(text, strict=True)) is None:
        raise QuerySyntaxError("It asks nothing.")
    return query


def parse_draft(text: str) -> Query | None:
    """The tree of a text with balanced quotes and brackets; what is no query in it is left out."""
    return _read(text, strict=False)


def depth(text: str) -> int:
    """How many groups are open at most."""
    deepest = now = 0
    for bracket in re.findall(r"[()]", text):
        now += 1 if bracket == "(" else -1
        deepest = max(deepest, now)
    return deepest


def _read(text: str, *, strict: bool) -> Query | None:
    from lark.exceptions import LarkError

    try:
        result: Any = _parser(strict).parse(text)
    except LarkError:  # its message quotes the text
        raise QuerySyntaxError("Quotes or brackets do not match.") from None
    assert result is None or isinstance(result, Query)
    return result


@cache
def _parser(strict: bool) -> Lark:
    from lark import Lark, Token, Transformer

    folding = Strict() if strict else Lenient()

    class Reader(Transformer[Token, Any]):
        """Runs while the text is parsed, so that no depth of groups can exhaust the stack."""

        def start(self, pieces: list[Any]) -> Query | None:
            return folding.fold(pieces)

        group = start

        def term(self, parts: list[Token]) -> Piece:
            found = {part.type: str(part) for part in parts}
            quoted = found.get("QUOTED")
            return Tagged(
                quoted[1:-1] if quoted is not None else found.get("WORDS", ""),
                found.get("TAG"),
                quoted is not None,
            )

        def OPERATOR(self, token: Token) -> Operator:
            return Operator(str(token))

        def COLON(self, token: Token) -> Operator:
            return Operator(str(token))

    grammar = (Path(__file__).parent / "query.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", transformer=Reader(), maybe_placeholders=False)
