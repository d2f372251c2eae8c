"""The entailment step: a model reads each sentence beside what it cites; its rule is the checks' verdict.

It can only remove: what the rules rejected never comes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from reasoning.llm import Closed, Step, drop_last


class Verdict(Closed):
    n: int = Field(description="number of the sentence")
    verdict: Literal["supported", "contradicted", "not_stated"]


class EntailmentReply(Closed):
    """A verdict for each numbered sentence."""

    verdicts: list[Verdict]


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """One sentence as numbered in the prompt, with its sources: heading, and the sentences of a quote."""

    n: int
    text: str
    sources: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class EntailmentInputs:
    sentences: tuple[CitedSentence, ...]


def trust_rules(inputs: EntailmentInputs) -> EntailmentReply:
    """The rule: every sentence that is asked about has stood the checks."""
    return EntailmentReply(verdicts=[Verdict(n=one.n, verdict="supported") for one in inputs.sentences])


def find_gaps(inputs: EntailmentInputs, reply: EntailmentReply) -> str | None:
    """Why a reply cannot be used: every sentence needs one verdict."""
    asked, given = [one.n for one in inputs.sentences], [one.n for one in reply.verdicts]
    if sorted(given) != asked:
        return f"give exactly one verdict for each of the sentences {asked[0]} to {asked[-1]}"
    return None


ENTAILMENT = Step(
    name="entailment",
    prompt="entailment.v1",
    reply=EntailmentReply,
    rule=trust_rules,
    check=find_gaps,
    fewer=drop_last("sentences"),  # those left out keep the rules' verdict
)
