"""Automatic term mapping: what PubMed makes of words without a tag.

From the left, the longest run of words that is a MeSH heading, an entry term or a journal stands for that,
OR for its words; any other word is looked for in all fields, with its other forms. All of them are joined by
AND. Stop words are ignored; words that no record has fall away.
"""

from __future__ import annotations

import re

import numpy as np

from tests.emulators.eutils import fields
from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.findings import Found, Leaf, Notes, combine, pool
from tests.emulators.eutils.index import Postings
from tests.emulators.eutils.mesh import Descriptor
from tests.emulators.eutils.terms import Terms, show
from tests.emulators.eutils.words import STOP, americanise, fold, key_of, split_words

_LONGEST = 8  # words of a name in the tables
_SIDE_BY_SIDE = 0.5  # weight of two words of the question standing together, beside the words' own
_BREAKS = re.compile(r"[^\w\-*'’/]+|_+")


def split_terms(text: str) -> list[str]:
    """Words as term mapping takes them: a hyphen holds together, an asterisk stays at the end."""
    found = []
    for piece in re.split(r"\s+", _BREAKS.sub(" ", text).replace("/", " ")):
        word = re.sub(r"['’]s?$", "", piece.strip("-'’")).lstrip("*")
        if word.strip("-*'’"):
            found.append(re.sub(r"\*+(?=.*\w)", "", word))
    return found


class TermMapping:
    def __init__(self, corpus: Corpus, terms: Terms, notes: Notes) -> None:
        self._corpus = corpus
        self._terms = terms
        self._notes = notes

    def map(self, text: str) -> Found | None:
        """The records of untagged words; None where none of them is left."""
        words = split_terms(text)
        if words and all(word in self._corpus.number for word in words):
            found = [self._corpus.number[word] for word in words]
            shown = " OR ".join(f"{word}[UID]" for word in words)
            return Found(self._corpus.mask_of(found), shown, "OR" if len(words) > 1 else "")
        result: Found | None = None
        at, previous = 0, ""
        while at < len(words):
            length, part = self._longest(words, at)
            plain = ""
            if part is None:
                part = self._single(words[at])
                plain = key_of(words[at]) if part else ""
            if part and plain and previous:
                part.leaves.append(self._pair(previous, plain))
            previous = plain
            result = combine(result, "AND", part)
            at += length
        return result

    def _longest(self, words: list[str], at: int) -> tuple[int, Found | None]:
        for end in range(min(len(words), at + _LONGEST), at, -1):
            run = words[at:end]
            if "*" in "".join(run) or (len(run) == 1 and fold(run[0]) in STOP):
                continue
            phrase = key_of(" ".join(run))
            thesaurus = self._corpus.thesaurus
            american = " ".join(map(americanise, phrase.split()))
            if heading := thesaurus.find(phrase) or thesaurus.find(american):
                return len(run), self._heading(run, phrase, heading)
            if records := self._corpus.find_exact("JOUR", phrase):
                return len(run), self._journal(run, phrase, records)
        return 1, None

    def _heading(self, run: list[str], phrase: str, heading: Descriptor) -> Found:
        key = key_of(heading.name)
        mesh = self._terms.mesh(key, explode=True)
        parts = [mesh, *self._anywhere(key)]
        if phrase != key:
            parts += self._anywhere(phrase)
        return self._any_of(" ".join(run), phrase, parts)

    def _journal(self, run: list[str], phrase: str, records: set[int]) -> Found:
        journal = Found(self._corpus.mask_of(records), f"{show(phrase)}[Journal]")
        return self._any_of(" ".join(run), phrase, [journal, *self._anywhere(phrase)])

    def _anywhere(self, phrase: str) -> list[Found]:
        """The words of a name side by side and, if there are several, each for itself."""
        words = phrase.split()
        text = self._corpus.text
        whole = self._terms.text(phrase, text.phrase(words), fields.ALL_FIELDS)
        if len(words) == 1:
            return [*self._forms(phrase), whole]
        every: Found | None = None
        for word in words:
            one = self._terms.text(word, text.word(word), fields.ALL_FIELDS)
            every = combine(every, "AND", Found(one.mask, one.translation))
        assert every is not None
        return [every, whole]

    def _forms(self, word: str) -> list[Found]:
        text = self._corpus.text
        return [self._terms.text(form, text.word(form), fields.ALL_FIELDS) for form in text.variants(word)]

    def _single(self, word: str) -> Found | None:
        """A word that no table has."""
        plain = fold(word)
        if plain in STOP:
            self._notes.ignore(plain)
            return None
        if plain == "hasabstract":
            return Found(self._corpus.has_abstract, '"hasabstract"[All Fields]')
        if word.endswith("*"):
            return self._terms.beginning(word, fields.ALL_FIELDS, tagged=False)
        if len(split_words(word)) > 1:
            return self._terms.hyphenated(word, fields.ALL_FIELDS, tagged=False)
        key = key_of(word)
        postings = self._corpus.text.word(key)
        forms = self._forms(key)
        if not forms and not len(postings.places):
            self._notes.lose(word, "All Fields", tagged=False)
            return None
        own = self._terms.text(key, postings, fields.ALL_FIELDS)
        return self._any_of(word, key, [own, *forms])

    def _any_of(self, typed: str, phrase: str, parts: list[Found]) -> Found:
        """One concept: any of its forms, ranked as one word; told in the set of translations."""
        kept: dict[str, Found] = {}
        for part in parts:
            kept.setdefault(part.translation, part)
        mask = np.logical_or.reduce([part.mask for part in kept.values()])
        text = " OR ".join(part.bracketed("OR") for part in kept.values())
        if len(kept) > 1:
            self._notes.translations.append((typed, text))
        leaf: Leaf = (1.0, pool([postings for part in kept.values() for _, postings in part.leaves]))
        return Found(mask, text, "OR" if len(kept) > 1 else "", [leaf])

    def _pair(self, first: str, second: str) -> Leaf:
        words = [*first.split(), *second.split()]
        postings: Postings = self._corpus.text.phrase(words)
        return _SIDE_BY_SIDE, postings
