"""Facts as evidence: their wording is the passage, and who states them is its article (methods.md 0.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reasoning.evidence import Evidence
from reasoning.methods.mirage.statements import Statement
from storage.corpus.reading import StoredPassage
from storage.documents import Article, Passage
from storage.graph import GraphFact


def as_evidence(statement: Statement, articles: Mapping[str, Article], language: str) -> Evidence:
    """What one statement rests on. `articles` are those sources of facts that the corpus has."""
    article = _article(statement, articles, language)
    eid = "path:" + "-".join(str(fact.id) for fact in statement.facts)
    passage = Passage(
        doc_id=article.doc_id,
        idx=0,
        text=statement.text,
        start=0,
        own_start=0,
        end=len(statement.text),
        n_tokens=0,
    )
    facts = tuple(fact.as_fact() for fact in statement.facts)
    return Evidence(eid, StoredPassage(0, passage, article, 1), 1.0, {}, 1.0, facts=facts)


def _article(statement: Statement, articles: Mapping[str, Article], language: str) -> Article:
    """The one article that states all of the facts, else the graph itself."""
    stating = [[articles[each] for each in fact.sources if each in articles] for fact in statement.facts]
    common = [one for one in stating[0] if all(one in others for others in stating)]
    if common:
        return common[0]
    graph, version = statement.facts[0].graph, statement.facts[0].version
    names = ", ".join(_named(statement.facts, articles))
    title = f"{graph} ({names})" if names else graph
    return Article(doc_id=f"graph:{graph}:{version}", title=title, source="graph", language=language)


def _named(facts: Sequence[GraphFact], articles: Mapping[str, Article]) -> list[str]:
    """Titles of the articles, names of other sources, each once; a few are enough."""
    sources = dict.fromkeys(each for fact in facts for each in fact.sources)
    return [articles[each].title if each in articles else each for each in sources][:4]
