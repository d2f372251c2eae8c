"""Which notices stand with an answer: everything that is no cited sentence (architecture 2.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reasoning import composing
from reasoning.evidence import Findings, Question
from reasoning.notices import checked_on, notice
from reasoning.safety.injection import plain_name
from reasoning.scope import needs_scope
from reasoning.types import Notice, Route, Support, Triage
from storage.documents import Article

_PUBLIC = ("pubmed", "pmc")  # records that came from there, to stay
_ABSTAIN = {
    "nothing_found": "abstain_nothing_found",
    "off_topic": "abstain_off_topic",
    "search_failed": "abstain_search_failed",
    "retracted": "abstain_retracted",
    "language": "abstain_language",
}


def announce(
    question: Question, level: Triage, decision: Route, findings: Findings, composed: composing.Composed
) -> list[Notice]:
    """The notices in the order in which they are read, in the language of the question."""
    language = question.language
    notices: list[Notice] = []
    if level.level == "urgent":
        notices.append(Notice(code="urgent", text=level.message or notice("urgent", language)))
    if not composed.sentences:
        code = _ABSTAIN.get(findings.gate, "abstain_off_topic")
        text = f"{notice(code, language)} {_say_searched(findings, language)}".strip()
        notices.append(Notice(code="abstain", text=text))
    elif composing.is_stale(composed.articles, findings.stale_after):
        year = composing.newest_year(composed.articles)
        notices.append(Notice(code="stale", text=notice("stale", language, year=year)))
    if findings.unknown_names:
        names = ", ".join(f"“{plain_name(name)}”" for name in findings.unknown_names)
        notices.append(Notice(code="unknown_name", text=notice("unknown_name", language, names=names)))
    if composed.sentences and findings.unnamed:
        named = "; ".join(f"{one.label}) {plain_name(one.text)}" for one in findings.unnamed)
        notices.append(Notice(code="other_options", text=notice("other_options", language, options=named)))
    if question.further:
        text = notice("more_questions", language, n=question.further)
        notices.append(Notice(code="more_questions", text=text))
    notices += [_say_conflict(pair, language) for pair in composed.conflicts]
    if composed.sentences and findings.by == "rule" and _is_foreign(composed.articles, language):
        notices.append(Notice(code="language", text=notice("language", language)))
    notices += _say_standing(findings, composed, language)
    if decision.method != decision.ran and findings.gate != "language":  # else nothing was searched
        failed = any(remark.code == "method_failed" for remark in findings.degraded)
        code = "handover_failed" if failed else "handover"
        notices.append(Notice(code="handover", text=notice(code, language)))
    if findings.degraded:
        notices.append(Notice(code="degraded", text=notice("degraded", language)))
    said = [sentence.text for sentence in composed.sentences]
    if said and needs_scope(question.text, said, language):
        notices.append(Notice(code="scope", text=notice("scope", language)))
    return notices


def _say_standing(findings: Findings, composed: composing.Composed, language: str) -> list[Notice]:
    """What was left out because it is retracted, and which sources their publishers doubt (case F12)."""
    notices = []
    if findings.dropped_retracted:
        count, checked = findings.dropped_retracted, checked_on(findings.retracted_checked, language)
        code = "retracted_one" if count == 1 else "retracted_many"
        said = [
            notice("retracted_study", language, title=plain_name(title).rstrip("."))
            for title in findings.withdrawn
        ]
        said.append(notice(code, language, n=count, checked=checked))
        notices.append(Notice(code="retracted", text=" ".join(said)))
    for cited in composed.citations:
        if cited.standing == "concern":
            checked = checked_on(cited.standing_checked, language)
            notices.append(
                Notice(code="concern", text=notice("concern", language, n=cited.n, checked=checked))
            )
    return notices


def _say_conflict(pair: Sequence[Support], language: str) -> Notice:
    first, second = (f"“{said.quote}” [{said.n}]" for said in pair)
    return Notice(code="conflict", text=notice("conflict", language, first=first, second=second))


def _is_foreign(articles: Sequence[Article], language: str) -> bool:
    return any(article.language != language for article in articles)


def _say_searched(findings: Findings, language: str) -> str:
    """What was searched, by door, as one or two sentences; empty where nothing was."""
    live = notice("searched_pubmed", language) if findings.live else ""
    return f"{_say_held(findings.searched, language)} {live}".strip()


def _say_held(searched: Mapping[str, int], language: str) -> str:
    if not searched:
        return ""
    own = sum(n for door, n in searched.items() if door not in ("library", *_PUBLIC))
    places = [notice("place_starter_library", language)] if "library" in searched else []
    places += [notice("place_kept", language)] if any(door in searched for door in _PUBLIC) else []
    places += [notice("place_own_documents", language)] if own else []
    return notice("searched", language, n=sum(searched.values()), places=", ".join(places))
