"""The row that history keeps of an answer."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reasoning.assistant import Answered
    from storage.history import Run


def as_run(answered: Answered, person: str = "local") -> Run:
    from bot.literature import searches_of
    from storage.history import Run

    answer = answered.answer
    return Run(
        run_id=answer.run_id,
        person=person,
        question=answer.question,
        language=answer.language,
        triage=answer.triage.level,
        method=answer.route.method,
        ran=answer.route.ran,
        abstained=answer.answer.abstained,
        answer=answer.model_dump(mode="json", exclude={"trace"}),
        trace=answered.trace.as_json(),
        citations=answered.sources,
        replies={key: asdict(reply) for key, reply in answered.replies.items()},
        searches=searches_of(answered.doors),
        masked=mask_for_search(answer.question, answer.answer.text),
    )


def mask_for_search(question: str, answer: str) -> str:
    """What reviewers search in, and see in lists."""
    from reasoning.safety.personal_data import mask_personal

    return mask_personal(f"{question}\n\n{answer}")
