"""Literature beside the graph: passages that say what a fact says, and such as say otherwise (issue 5.5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reasoning.evidence import Claim, Evidence, Question, Tools
from reasoning.methods.mirage.claims import fold_term
from reasoning.methods.mirage.statements import Statement, as_sentence
from reasoning.quoting import stands_alone
from reasoning.retrieval.segmentation import split_sentences
from reasoning.verify import verify_claims
from reasoning.verify.contradictions import contradict
from storage.graph import GraphFact

PASSAGES = 4  # read for each statement; our choice
QUOTES = 2  # of different articles, beside one statement

Quote = tuple[str, str]  # eid, verbatim span


@dataclass(frozen=True, slots=True)
class Literature:
    """For each statement the quotes that bear it out, and those that contradict it, with their evidence."""

    support: tuple[tuple[Quote, ...], ...]
    against: tuple[tuple[Quote, ...], ...]
    evidence: tuple[Evidence, ...]
    corroborated: tuple[int, ...]  # ids of facts


async def corroborate(question: Question, statements: Sequence[Statement], tools: Tools) -> Literature:
    """Look each statement up in the literature. A search that fails corroborates nothing."""
    support, against = list[tuple[Quote, ...]](), list[tuple[Quote, ...]]()
    evidence: dict[str, Evidence] = {}
    borne_out: list[int] = []
    with tools.trace.span("corroborate", statements=len(statements)) as span:
        for statement in statements:
            asked = replace(question, text=statement.text)
            found = (await tools.retrieval.retrieve(asked, PASSAGES, tools.trace)).evidence
            quotes, facts, contrary = _read(statement, found, question.language)
            support.append(quotes)
            against.append(contrary)
            borne_out += facts
            used = {eid for eid, _ in (*quotes, *contrary)}
            evidence |= {item.eid: item for item in found if item.eid in used}
        span.note(facts=borne_out, against=[list(pairs) for pairs in against if pairs])
    return Literature(
        tuple(support), tuple(against), tuple(evidence.values()), tuple(dict.fromkeys(borne_out))
    )


def _read(
    statement: Statement, found: Sequence[Evidence], language: str
) -> tuple[tuple[Quote, ...], list[int], tuple[Quote, ...]]:
    """Supporting quotes (the facts' own articles first, one an article), the facts they bear out, and
    contrary ones."""
    own = {source for fact in statement.facts for source in fact.sources}
    ordered = sorted(found, key=lambda item: item.source.article.doc_id not in own)
    quotes: dict[str, Quote] = {}
    facts: list[int] = []
    contrary: list[Quote] = []
    for item in ordered:
        for sentence in _sentences(item.text):
            for fact in statement.facts:
                if not names_both(sentence, fact):
                    continue
                said = as_sentence(fact.read_from(fact.head.id).say(), language)
                if contradict(said, sentence, language, item.source.article.language):
                    if stands_alone(sentence):
                        contrary.append((item.eid, sentence))
                elif verify_claims([Claim(said, ((item.eid, sentence),))], found, language=language).claims:
                    facts.append(fact.id)
                    if len(quotes) < QUOTES:
                        quotes.setdefault(item.key, (item.eid, sentence))
    return tuple(quotes.values()), facts, tuple(dict.fromkeys(contrary))[:1]


def _sentences(text: str) -> list[str]:
    return [sentence for span in split_sentences(text) if (sentence := text[span.start : span.end].strip())]


def names_both(sentence: str, fact: GraphFact) -> bool:
    """Whether a sentence has both ends of a fact, as whole words, in any number and case."""
    folded = fold_term(sentence)
    return all(_has(folded, fold_term(end.name)) for end in (fact.head, fact.tail))


def _has(sentence: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence) is not None
