"""A question that has its answer becomes an earlier turn of the talk."""

from __future__ import annotations

from collections import Counter

from reasoning.followups.concepts import Named, find_named
from reasoning.followups.turns import Earlier
from reasoning.types import Answer, Sentence

_MOST = 3  # names of an answer; our choice


def remember(text: str, answer: Answer, person: str) -> Earlier:
    """The turn in which `person` wrote `text`. What the answer speaks of counts only where the question names
    nothing, so only then it is looked for."""
    asked = answer.standalone or text
    names = () if any(one.is_subject for one in find_named(asked, answer.language)) else _names_in(answer)
    return Earlier(text, answer.language, person, answer.standalone, names)


def _names_in(answer: Answer) -> tuple[str, ...]:
    """What most sentences speak of comes first, as it was written first."""
    subjects: dict[str, Named] = {}
    counts: Counter[str] = Counter()
    for sentence in answer.answer.sentences:
        for key in {one.name.casefold(): one for one in _subjects_of(sentence, answer)}.items():
            subjects.setdefault(*key)
            counts[key[0]] += 1
    return tuple(subjects[name].text for name, _ in counts.most_common(_MOST))


def _subjects_of(sentence: Sentence, answer: Answer) -> list[Named]:
    """A quote is in the language of its source."""
    language = answer.language
    if answer.answer.written_by == "rule":
        sources = {citation.n: citation.language for citation in answer.citations}
        language = sources.get(sentence.citations[0], language)
    return [one for one in find_named(sentence.text, language) if one.is_subject]
