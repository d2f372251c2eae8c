"""`carecite eval support`: answers with planted faults, put through the product's own verification.

A file of the set holds an answer a line: its evidence, and sentences with what they cite and the fault that
was planted in them, if any. The field `fault` is read here, for measuring only.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from reasoning.evaluation.items import ItemLog
from reasoning.evaluation.questions import DataMissing, is_held_out, read_rows
from reasoning.evidence import Claim, Evidence
from reasoning.verify import Supported
from storage.corpus.reading import StoredPassage
from storage.documents import Article, Passage, Standing

FAULTS = (
    *("foreign_id", "altered_quote", "wrong_number", "wrong_unit", "negation"),
    *("direction", "population", "wrong_source", "certainty"),
)
SHIPPED = Path(__file__).parent / "support_set"

Verification = Callable[[Sequence[Claim], Sequence[Evidence], str], Awaitable[Supported]]


@dataclass(frozen=True, slots=True)
class PlantedAnswer:
    """One answer; `faults` has a kind or None for each claim."""

    aid: str
    language: str
    evidence: tuple[Evidence, ...]
    claims: tuple[Claim, ...]
    faults: tuple[str | None, ...]

    @property
    def held_out(self) -> bool:
        """Rules are made on the other half, and reported on this one and on all."""
        return is_held_out(self.aid)


@dataclass(frozen=True, slots=True)
class Judged:
    """One sentence by one arm; `ids_known` and `verbatim` of what is shown, None where it was removed."""

    aid: str
    at: int
    dataset: str
    language: str
    arm: str
    fault: str | None
    held_out: bool
    removed: bool
    reason: str | None
    ids_known: bool | None
    verbatim: bool | None
    text: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def read_answers(folder: Path | None, limit: int | None = None) -> dict[str, list[PlantedAnswer]]:
    """Answers by file, the first `limit` of each: of `folder`/support, or of the set that ships.

    Raises DataMissing.
    """
    home = folder / "support" if folder else SHIPPED
    files = sorted([*home.glob("*.jsonl"), *home.glob("*.jsonl.gz")])
    if not files:
        raise DataMissing(
            f"{home} has no *.jsonl.", remedy="Give the folder that holds support/ with --data."
        )
    return {path.name.partition(".")[0]: [_answer(row) for row in read_rows(path)][:limit] for path in files}


def _answer(row: dict[str, Any]) -> PlantedAnswer:
    sentences = row["sentences"]
    return PlantedAnswer(
        str(row["id"]),
        row["lang"],
        tuple(evidence_from(one) for one in row["evidence"]),
        tuple(Claim(s["text"], tuple((eid, quote) for eid, quote in s["support"])) for s in sentences),
        tuple(s["fault"] for s in sentences),
    )


def evidence_from(row: dict[str, Any]) -> Evidence:
    """One passage that is an article of its own."""
    article = Article(
        doc_id=row["eid"], title=row["title"], source="support", standing=Standing(row.get("standing", "ok"))
    )
    text = row["text"]
    passage = Passage(
        doc_id=row["eid"], idx=0, text=text, start=0, own_start=0, end=len(text), n_tokens=0,
        section=row.get("section"),
    )  # fmt: skip
    return Evidence(row["eid"], StoredPassage(0, passage, article, 1), 1.0, {})


async def measure(
    sets: dict[str, list[PlantedAnswer]],
    arms: dict[str, Verification],
    out: Path | None,
    step: Callable[[], None],
) -> list[Judged]:
    """Every answer through every arm; what `out` already holds is not judged again."""
    done: dict[tuple[str, str, str], list[Judged]] = {}
    log = ItemLog(out, "support")
    for item in (Judged(**row) for row in log.read()):
        done.setdefault((item.dataset, item.aid, item.arm), []).append(item)
    items: list[Judged] = []
    for dataset, answers in sets.items():
        for answer in answers:
            for arm, verify in arms.items():
                judged = done.get((dataset, answer.aid, arm))
                if judged is None or len(judged) != len(answer.claims):
                    supported = await verify(answer.claims, answer.evidence, answer.language)
                    judged = list(_judge(answer, dataset, arm, supported))
                    log.add(one.as_json() for one in judged)
                items += judged
            step()
    return items


def _judge(answer: PlantedAnswer, dataset: str, arm: str, supported: Supported) -> Iterator[Judged]:
    texts = {item.eid: item.text for item in answer.evidence}
    shown = {claim.text: claim for claim in supported.claims}
    reasons = {one.claim: one.reason for one in supported.rejected}
    for at, (claim, fault) in enumerate(zip(answer.claims, answer.faults, strict=True)):
        kept = shown.get(claim.text)
        yield Judged(
            answer.aid, at, dataset, answer.language, arm, fault, answer.held_out, kept is None,
            reasons.get(claim.text),
            all(eid in texts for eid, _ in kept.support) if kept else None,
            all(quote in texts.get(eid, "") for eid, quote in kept.support) if kept else None,
            claim.text,
        )  # fmt: skip
