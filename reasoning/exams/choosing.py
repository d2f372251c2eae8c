"""The choice step: which option of an exam question the passages bear out (methods.md 1.7).

A model reads stem, options and numbered sentences; its rule weighs what they say of each option. Somebody is
told a choice only together with sentences that bear it out by the rule's measure, whoever chose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from reasoning.evidence import Claim
from reasoning.exams.stems import Exam, read_exam
from reasoning.exams.supporting import Ranked, rank_options
from reasoning.exams.weighing import statement
from reasoning.grounding.passages import GivenPassage, spans_of
from reasoning.grounding.references import read_references
from reasoning.llm import Closed, Step, drop_last
from reasoning.quoting import stands_alone
from reasoning.routing import Option

MOST_QUOTES = 3
OUTSIDE = "answer_choice is none of"
_LABEL = re.compile(r"^\W*(?:option|answer|choice|选项|答案)?\W*([^\W_]+)(?:\W|$)", re.IGNORECASE)


class ChoiceReply(Closed):
    """One option, always, even where the sources do not settle it: `insufficient` says so."""

    reasoning: str = Field(description="in at most three sentences, what the sources say of the options")
    answer_choice: str = Field(description='the label of one option, such as "B"')
    cites: list[str] = Field(description='numbers of the source sentences it rests on, such as "2.3"')
    insufficient: bool = Field(description="whether the sources leave the question open")


@dataclass(frozen=True, slots=True)
class ChoiceInputs:
    """`question` is the stem alone, in English; `likeness` by the encoder, of each text of `probe_texts` to
    each sentence and each option."""

    question: str
    language: str
    options: tuple[Option, ...]
    passages: tuple[GivenPassage, ...]
    likeness: Mapping[tuple[str, str], float]
    original: str = ""  # the stem as it was written, where `question` is a translation

    @property
    def exam(self) -> Exam:
        return read_exam(self.question, self.options, self.original)

    @property
    def ranked(self) -> Ranked:
        """The options by what the passages say of each."""
        return rank_options(self.question, self.options, self.passages, self.likeness, self.exam)


def probe_texts(question: str, options: Sequence[Option]) -> list[str]:
    """What sentences are compared with: what is asked, alone and with each option; options, with the stem."""
    asked = read_exam(question, tuple(options)).asked
    return list(dict.fromkeys([question, asked, *(statement(asked, option) for option in options)]))


def choose_by_support(inputs: ChoiceInputs) -> ChoiceReply:
    """The rule: the option that the passages bear out best; ties go to the first."""
    ranked = inputs.ranked
    best = ranked.order[0]
    refs = ranked.refs[best]
    shares = ", ".join(f"{label} {ranked.support[label]:.2f}" for label in ranked.order)
    return ChoiceReply(
        reasoning=f"Support by the rule: {shares}.",
        answer_choice=best,
        cites=list(refs),
        insufficient=best not in ranked.settled,
    )


def read_choice(written: str, options: Sequence[Option]) -> Option | None:
    """The option that is meant: "B", "B)", "option b", "B. osimertinib", or the words of one alone."""
    plain = written.strip().strip(".。()[]*\"'").strip().casefold()
    by_label = {option.label.casefold(): option for option in options}
    by_text = {option.text.strip(" .。").casefold(): option for option in options}
    if found := by_label.get(plain) or by_text.get(plain):
        return found
    match = _LABEL.match(written)
    named = by_label.get(match[1].casefold()) if match else None
    if named is None:
        return None
    rest = written[match.end() :].strip(" .。)*").casefold() if match else ""
    return named if not rest or by_text.get(rest, named) == named else None


def find_no_option(written: str, options: Sequence[Option]) -> str | None:
    """What is wrong with a choice that is none of the options, in words that help a second try."""
    if read_choice(written, options) is None:
        return f"{OUTSIDE} {', '.join(option.label for option in options)}"
    return None


def find_nonsense(inputs: ChoiceInputs, reply: ChoiceReply) -> str | None:
    """Why a reply cannot be used, in words that help a second try."""
    if strange := find_no_option(reply.answer_choice, inputs.options):
        return strange
    if not reply.insufficient and not _cited(inputs, reply):
        return 'give in cites the numbers of source sentences, such as "1.2", or set insufficient to true'
    return None


CHOOSE = Step(
    name="choose",
    prompt="choose.v1",
    reply=ChoiceReply,
    rule=choose_by_support,
    check=find_nonsense,
    fewer=drop_last("passages"),
)


def _cited(inputs: ChoiceInputs, reply: ChoiceReply) -> list[str]:
    return read_references("", reply.cites, inputs.passages)[1]


def claims_of_choice(inputs: ChoiceInputs, reply: ChoiceReply, *, by_model: bool) -> list[Claim]:
    """The sentences that bear the choice out, word for word; none where it may not be told.

    Of what was cited those that support the option by the rule's measure, then others that do. Somebody is
    told what the rule finds settled, or what a model chose and the rule finds borne out.
    """
    option = read_choice(reply.answer_choice, inputs.options)
    ranked = inputs.ranked
    sure = ranked.borne_out if by_model else ranked.settled
    if option is None or reply.insufficient or option.label not in sure:
        return []
    known = spans_of(inputs.passages)
    bearing = ranked.refs[option.label]
    order = [ref for ref in _cited(inputs, reply) if ref in bearing] + list(bearing)
    quotes = dict.fromkeys(known[ref] for ref in order if stands_alone(known[ref][1]))
    if quotes:  # what stands beside is no reason alone
        beside = (known[ref] for ref in ranked.beside.get(option.label, ()))
        quotes |= dict.fromkeys(span for span in beside if stands_alone(span[1]))
    return [Claim(text, ((eid, text),)) for eid, text in list(quotes)[:MOST_QUOTES]]
