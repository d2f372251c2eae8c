"""Evidence and verdicts for tests of verification, in one line each."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reasoning.evaluation.support import evidence_from
from reasoning.evidence import Claim, Evidence
from reasoning.verify import verify_claims
from reasoning.verify.ground import Ground, cite, ground

HERE = Path(__file__).parent


def passage(text: str, eid: str = "a", title: str = "A page", **more: Any) -> Evidence:
    return evidence_from({"eid": eid, "title": title, "section": None, "text": text} | more)


def beside(sentence: str, source: str, language: str = "en", title: str = "A page") -> Ground:
    """A sentence beside a whole source text that it cites."""
    item = passage(source, title=title)
    cited = cite(item, source)
    assert cited
    return ground(Claim(sentence, (("a", source),)), [cited], [item], language, {})


def why_not(sentence: str, source: str, language: str = "en", title: str = "A page") -> str | None:
    """The reason for which a sentence that cites a whole text is rejected, or None."""
    found = verify_claims(
        [Claim(sentence, (("a", source),))], [passage(source, title=title)], language=language
    )
    return found.rejected[0].reason if found.rejected else None


def read_development() -> Iterator[tuple[str, str, str, Evidence, tuple[str, ...]]]:
    """(kind, sentence, language, evidence, quotes) of all sentences written for developing the checks."""
    for path in sorted((HERE / "development").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            item = passage(row["text"], title=row["title"], section=row.get("section"))
            quotes = tuple(row["quote"]) if isinstance(row["quote"], list) else (row["quote"],)
            for sentence in row["clean"]:
                yield "clean", sentence, row["lang"], item, quotes
            for faulty in row["faulty"]:
                yield faulty["fault"], faulty["text"], row["lang"], item, quotes


def read_examples() -> Iterator[tuple[str, str, Evidence]]:
    """(kind, sentence, evidence) of the examples in English; the whole text is cited."""
    for case in tomllib.loads((HERE / "examples.toml").read_text(encoding="utf-8"))["case"]:
        item = passage(case["text"], title=case["title"])
        for kind, sentences in case.items():
            if kind not in ("title", "text") and case["title"].isascii():
                yield from ((kind, sentence, item) for sentence in sentences)
