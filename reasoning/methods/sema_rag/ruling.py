"""The rule's report: sentences that bear options out or deny them, or that answer best; what clashes, what is
left out and why (methods.md 3.4). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reasoning.evidence import Claim, Evidence
from reasoning.exams.choosing import ChoiceInputs
from reasoning.exams.supporting import Ranked
from reasoning.exams.weighing import denies, own_terms
from reasoning.grounding.passages import GivenPassage, spans_of
from reasoning.grounding.quotes import Candidate, candidate_sentences, choose_quotes
from reasoning.methods.sema_rag.report import Conflict, Finding, Reason, Report, Span, Stance, Strength
from reasoning.quoting import stands_alone
from reasoning.retrieval.covering import LEAST_COVERAGE
from reasoning.retrieval.reading import is_review
from reasoning.verify import find_contradictions
from reasoning.verify.contradictions import contradict
from storage.corpus.terms import terms_of
from storage.documents import Article, Standing

REPEATS = 0.9  # share of terms in common from which a passage repeats an earlier one; our choice
PER_OPTION = 2  # sentences of each option
OPPONENTS = 2  # sentences that contradict the chosen ones
_SUMMARIES = ("Guideline", "Practice Guideline", "Systematic Review", "Meta-Analysis")


def rule_on_options(
    weighed: ChoiceInputs, ranked: Ranked, evidence: Sequence[Evidence], missing: Sequence[str]
) -> Report:
    """Findings by what each option's best sentences say of it; a hint where that settles the question."""
    spans = spans_of(weighed.passages)
    stances: dict[Span, dict[str, Stance]] = {}
    for label in ranked.order:
        for ref in ranked.refs[label][:PER_OPTION]:
            stance = _stance(label, spans[ref][1], weighed, ranked)
            if stance != "neutral":
                stances.setdefault(spans[ref], {})[label] = stance
    hint = next(iter(ranked.settled), None)
    return _report(stances, evidence, missing, hint)


def _stance(label: str, sentence: str, weighed: ChoiceInputs, ranked: Ranked) -> Stance:
    """Of a sentence to an option that it was weighed for."""
    exam = weighed.exam
    if exam.verdicts or label in exam.joined:
        return "supports" if label in ranked.borne_out else "neutral"
    plain = exam.plain(weighed.options)
    own = own_terms(weighed.question, plain).get(label, {})
    if own and denies(sentence, own):
        return "refutes"
    said = frozenset(terms_of(sentence))
    if exam.negated:  # the others' sentences speak for them; the odd one's for nothing
        return "supports" if said & own.keys() else "neutral"
    return "supports" if label in ranked.borne_out and said & own.keys() else "neutral"


def rule_in_words(
    question: str,
    passages: Sequence[GivenPassage],
    likeness: Mapping[str, float],
    evidence: Sequence[Evidence],
    missing: Sequence[str],
) -> Report:
    """Findings by the sentences that answer best, and beside them such as say the opposite of one."""
    candidates = candidate_sentences(passages)
    chosen = choose_quotes(question, candidates, likeness)
    against = [other for one in chosen for other in candidates if _denies(one, other)][:OPPONENTS]
    return _report({(one.eid, one.text): {} for one in (*chosen, *against)}, evidence, missing, None)


def _denies(one: Candidate, other: Candidate) -> bool:
    """Whether a sentence of another article contradicts one; a near repetition may be its denial."""
    return (
        one.article != other.article and stands_alone(other.text) and bool(contradict(one.text, other.text))
    )


def _report(
    stances: Mapping[Span, Mapping[str, Stance]],
    evidence: Sequence[Evidence],
    missing: Sequence[str],
    hint: str | None,
) -> Report:
    articles = {item.eid: item.source.article for item in evidence}
    findings = tuple(
        Finding(n, span[1], (span,), each, _strength(articles[span[0]]), articles[span[0]].year)
        for n, (span, each) in enumerate(stances.items(), start=1)
    )
    sources = {articles[eid].key for finding in findings for eid in finding.eids}
    return Report(
        f"{len(findings)} findings of {len(sources)} articles, by the rule.",
        findings,
        tuple(find_conflicts(findings, evidence)),
        tuple(list_dropped(evidence, {eid for one in findings for eid in one.eids})),
        tuple(missing),
        hint,
    )


def find_conflicts(findings: Sequence[Finding], evidence: Sequence[Evidence]) -> list[Conflict]:
    """Findings of different articles that cannot both hold; a review counts more, then the newer one
    (methods.md 6 row 2), and where neither differs the conflict is open."""
    claims = {finding.claim: finding for finding in findings}
    told = [Claim(finding.claim, finding.spans[:1]) for finding in findings]
    articles = {item.eid: item.source.article for item in evidence}
    conflicts = []
    for pair in find_contradictions(told, evidence):
        first, second = claims[pair.first.text], claims[pair.second.text]
        mine, theirs = (_weight(articles[one.eids[0]]) for one in (first, second))
        counts = None if mine == theirs else first.n if mine > theirs else second.n
        why = f"{pair.kind}; " + ("neither is newer or a review" if counts is None else "a review or newer")
        conflicts.append(Conflict(first.n, second.n, counts, why))
    return conflicts


def list_dropped(evidence: Sequence[Evidence], cited: set[str]) -> list[tuple[str, Reason]]:
    """Evidence that no finding may rest on, with the reason; what is only not needed is not listed."""
    dropped: list[tuple[str, Reason]] = []
    seen: list[frozenset[str]] = []
    for item in evidence:
        terms = frozenset(terms_of(item.text))
        repeats = any(len(terms & other) >= REPEATS * len(terms | other) for other in seen)
        seen.append(terms)
        if item.eid in cited:
            continue
        if item.source.article.standing is Standing.SUPERSEDED:
            dropped.append((item.eid, "superseded"))
        elif repeats:
            dropped.append((item.eid, "duplicate"))
        elif item.coverage < LEAST_COVERAGE:
            dropped.append((item.eid, "off_topic"))
    return dropped


def year_of(articles: Sequence[Article]) -> int | None:
    """Of the newest."""
    return max((article.year for article in articles if article.year), default=None)


def _strength(article: Article) -> Strength:
    """Guideline or systematic review, other review, anything else."""
    if any(kind.name in _SUMMARIES for kind in article.publication_types):
        return "strong"
    return "moderate" if is_review(article.publication_types) else "weak"


def _weight(article: Article) -> tuple[bool, int]:
    return is_review(article.publication_types), article.year or 0
