"""Checks the starter graph against the starter library: `python -m bot.starter_graph`.

Prints how many facts there are by relation and by article, then every fault; the exit code is 1 where
there is one. That an article truly states a fact is for its reader; this finds what cannot be so.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from bot.library import LIBRARY
from config.resources import list_names, read_text
from reasoning.retrieval.reading import read_documents
from storage.documents import Article
from storage.facts import Fact, read_facts, relations

_CONDITION = {"disease", "symptom"}
_PROCEDURE = {"test", "treatment"}


def library_texts() -> dict[str, str]:
    """Title and text of each article of the starter library, by id."""
    read = [document for path in sorted(LIBRARY.glob("*.md")) for document in read_documents(path)]
    return {
        article.doc_id: "\n".join((article.title, *(section.text for section in article.sections)))
        for article in read
        if isinstance(article, Article)
    }


def find_faults(facts: Sequence[Fact], texts: Mapping[str, str]) -> Iterator[str]:
    """One line a fault: ends, relation or source that do not hold, repeated and inverse statements, and
    entities that are used as an illness in one fact and as a test or treatment in another, which is how a
    fact that is written the wrong way round shows.
    """
    seen: set[tuple[str, str, str]] = set()
    for fact in facts:
        if fact.source not in texts:
            yield f"unknown source: {fact}"
        else:
            for end in (fact.head, fact.tail):
                if not occurs(end, texts[fact.source]):
                    yield f"not in its source, {end!r}: {fact}"
        if fact.triple in seen:
            yield f"said twice: {fact}"
        if fact.relation not in relations():
            yield f"unknown relation: {fact}"
        else:
            head, _, tail = fact.triple
            if head == tail:
                yield f"both ends are the same: {fact}"
            elif (tail, relations()[fact.relation].inverse, head) in seen:
                yield f"its inverse is listed: {fact}"
        seen.add(fact.triple)
    yield from _mixed_types(facts)


def occurs(phrase: str, text: str) -> bool:
    """Whether the phrase stands in the text as whole words, without regard to case."""
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE) is not None


def _mixed_types(facts: Sequence[Fact]) -> Iterator[str]:
    uses: defaultdict[str, dict[str, Fact]] = defaultdict(dict)
    for fact in facts:
        if relation := relations().get(fact.relation):
            uses[fact.head.casefold()].setdefault(relation.head, fact)
            uses[fact.tail.casefold()].setdefault(relation.tail, fact)
    for entity, by_type in uses.items():
        for condition in sorted(by_type.keys() & _CONDITION)[:1]:
            for procedure in sorted(by_type.keys() & _PROCEDURE)[:1]:
                first, second = by_type[condition], by_type[procedure]
                yield f"{entity!r} is a {condition} in {first}, a {procedure} in {second}"


def main() -> int:
    """Prints the counts and the faults. Returns the exit code."""
    facts: list[Fact] = []
    faults: list[str] = []
    for name in list_names("starter/graph", ".tsv"):
        read, rejected = read_facts(read_text(name))
        facts.extend(read)
        faults.extend(f"{name}, line {each.line}: {each.reason}" for each in rejected)
    faults.extend(find_faults(facts, library_texts()))
    for title, counts in (
        ("relation", Counter(fact.relation for fact in facts)),
        ("article", Counter(fact.source for fact in facts)),
    ):
        sys.stdout.write(f"by {title}\n")
        sys.stdout.writelines(f"  {number:4}  {name}\n" for name, number in counts.most_common())
    sys.stdout.write(f"{len(facts)} facts, {len(faults)} faults\n")
    sys.stdout.writelines(f"  {fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
