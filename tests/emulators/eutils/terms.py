"""Terms of one field: words, beginnings, phrases against the phrase index, MeSH, whole values, filters."""

from __future__ import annotations

import re

import numpy as np

from tests.emulators.eutils import fields
from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.fields import Field, Kind, get_field
from tests.emulators.eutils.findings import Found, Notes, combine
from tests.emulators.eutils.index import Mask, Postings
from tests.emulators.eutils.records import LANGUAGES, TYPE_UIS
from tests.emulators.eutils.syntax import Tagged
from tests.emulators.eutils.words import STOP, fold, key_of, split_words

SHORTEST_BEGINNING = 4
_KNOWN_VALUES = {key_of(name) for name in (*TYPE_UIS, *LANGUAGES, *LANGUAGES.values())}
_ABOUT_CANCER = (
    "cancer",
    "carcino",
    "leukemi",
    "leukaemi",
    "lymphoma",
    "melanoma",
    "metasta",
    "neoplas",
    "tumor",
)


def show(text: str) -> str:
    """A term as translations show it: small letters, hyphens and apostrophes as blanks."""
    return '"' + " ".join(re.sub(r"[-'’]", " ", text.lower()).split()) + '"'


class Terms:
    def __init__(self, corpus: Corpus, notes: Notes) -> None:
        self._corpus = corpus
        self._notes = notes

    def text(self, term: str, postings: Postings, field: Field) -> Found:
        mask = self._corpus.text.mask(postings)
        return Found(mask, f"{show(term)}[{field.name}]", leaves=[(1.0, postings)])

    def mesh(self, key: str, qualifier: str = "", *, explode: bool = True, major: bool = False) -> Found:
        """A heading that is in the thesaurus, whether or not a record has it."""
        records = self._corpus.find_mesh(key, qualifier, explode=explode, major=major)
        name = self._corpus.thesaurus.descriptors[key].name
        shown = show(f"{name}/{qualifier}" if qualifier else name)
        tag = ("MeSH Major Topic" if major else "MeSH Terms") + ("" if explode else ":noexp")
        numbers = np.fromiter(sorted(records), np.int64, len(records))
        marks = Postings(numbers, numbers.astype(np.int32), np.full(len(numbers), fields.MESH, np.uint8))
        return Found(self._corpus.mask_of(records), f"{shown}[{tag}]", leaves=[(1.0, marks)])

    def in_phrase_index(self, words: list[str], anywhere: Postings) -> bool:
        key = " ".join(words)
        if key in self._corpus.phrases or self._corpus.thesaurus.knows_phrase(key):
            return True
        needed = max(1, self._corpus.phrase_minimum) if len(words) > 1 else 1
        return len(np.unique(anywhere.records)) >= needed

    def find(self, term: Tagged) -> Found | None:
        """A tagged term; None where it fell away."""
        if term.field is None:
            self._notes.fields_not_found.append(term.tag)
        field = term.field or fields.ALL_FIELDS
        if field.kind is Kind.MESH:
            return self._tagged_mesh(term, field)
        if field.kind is Kind.FILTER:
            return self._filter(term.text, field)
        if field.kind is Kind.AUTHOR:
            records = self._corpus.find_author(term.text, field.code)
            return self._value(term.text, records, field, known=False)
        if field.kind is Kind.EXACT:
            return self._exact(term, field)
        return self._tagged_text(term, field)

    def _tagged_text(self, term: Tagged, field: Field) -> Found | None:
        text = re.sub(r"\*+(?=.*\w)", " ", term.text)
        words = split_words(text)
        if not words:
            return self._lose(term.text, field)
        if term.near is not None and len(words) > 1 and "*" not in text:
            postings = self._corpus.text.near(words, term.near, field.texts)
            near = self.text(term.text, postings, field)
            near.translation = f"{show(term.text)}[{field.name}:~{term.near}]"
            return near
        if text.endswith("*"):
            return self._truncated(text, words, term, field)
        pieces = text.split()
        if len(words) == 1:
            return self._word(words[0], pieces[-1], field)
        if len(pieces) == 1:
            return self.hyphenated(text, field)
        if (found := self._phrase(text, words, field)) is not None:
            return found
        if term.quoted:
            self._notes.quoted_not_found.append(f'"{term.text}"[{term.tag}]')
        return self._each(pieces, field)

    def _phrase(self, text: str, words: list[str], field: Field) -> Found | None:
        anywhere = self._corpus.text.phrase(words)
        if not self.in_phrase_index(words, anywhere):
            return None
        return self.text(text, anywhere.within(field.texts), field)

    def phrase_anywhere(self, text: str) -> Found | None:
        """A quoted phrase without a tag; None where the phrase index has it not."""
        words = split_words(text)
        if text.rstrip().endswith("*"):
            return self.beginning(text, fields.ALL_FIELDS, tagged=False) if words else None
        return self._phrase(text, words, fields.ALL_FIELDS) if words else None

    def _each(self, pieces: list[str], field: Field) -> Found | None:
        """A phrase split into words, each with the tag."""
        result: Found | None = None
        for piece in pieces:
            words = split_words(piece)
            if not words:
                continue
            if fold(piece) in STOP:
                self._notes.ignore(fold(piece))
                continue
            if piece.endswith("*"):
                part = self.beginning(piece, field)
            else:
                part = self.hyphenated(piece, field) if len(words) > 1 else self._word(words[0], piece, field)
            result = combine(result, "AND", part)
        return result

    def _word(self, word: str, typed: str, field: Field) -> Found | None:
        postings = self._corpus.text.word(word, field.texts)
        return self.text(word, postings, field) if len(postings.places) else self._lose(typed, field)

    def hyphenated(self, typed: str, field: Field, *, tagged: bool = True) -> Found | None:
        """A word with a hyphen is a phrase. Absent from the phrase index it finds nothing, not its words; if
        one of its words is unknown altogether, it falls away as any unknown word does. Other marks inside a
        word (Crohn's, 2.4) only hold its parts together."""
        words = split_words(typed)
        text = self._corpus.text
        if any(not len(text.word(word).places) for word in words):
            return self._lose(typed, field, tagged=tagged)
        anywhere = text.phrase(words)
        known = "-" not in typed or self.in_phrase_index(words, anywhere)
        return self.text(typed, anywhere.within(field.texts if known else 0), field)

    def beginning(self, typed: str, field: Field, *, tagged: bool = True) -> Found | None:
        """Every word, or phrase, that begins so: four characters at least, or the asterisk is ignored."""
        words = split_words(typed)
        if len(words[-1]) < SHORTEST_BEGINNING:
            self._notes.messages.append(f"Truncation needs at least four characters: {typed}")
            postings = self._corpus.text.phrase(words, field.texts)
        else:
            postings = self._corpus.text.phrase(words, field.texts, open_end=True)
            typed = typed.rstrip("*") + "*"
        if not len(postings.places):
            return self._lose(typed, field, tagged=tagged)
        return self.text(typed if typed.endswith("*") else typed.rstrip("*"), postings, field)

    def _truncated(self, text: str, words: list[str], term: Tagged, field: Field) -> Found | None:
        pieces = text.split()
        if len(pieces) > 1 and not len(self._corpus.text.phrase(words, open_end=True).places):
            if term.quoted:
                self._notes.quoted_not_found.append(f'"{term.text}"[{term.tag}]')
            return self._each(pieces, field)
        return self.beginning(text, field)

    def _tagged_mesh(self, term: Tagged, field: Field) -> Found | None:
        name, _, qualifier = term.text.partition("/")
        major = field.code == "MAJR"
        if name.endswith("*"):
            start = key_of(name)
            keys = [key for key in self._corpus.thesaurus.descriptors if key.startswith(start)]
            if len(start) < SHORTEST_BEGINNING or not keys:
                return self._lose(term.text, field)
            found = [self.mesh(key, explode=not term.alone, major=major) for key in keys]
            mask = np.logical_or.reduce([part.mask for part in found])
            return Found(
                mask, f"{show(name)}[{field.name}]", leaves=[leaf for part in found for leaf in part.leaves]
            )
        heading = self._corpus.thesaurus.find(name)
        if heading is None:
            return self._lose(term.text, field)
        key = key_of(heading.name)
        result = self.mesh(key, key_of(qualifier), explode=not term.alone, major=major)
        if not term.quoted:
            self._notes.translations.append((f"{term.text}[{term.tag}]", result.translation))
        return result

    def _exact(self, term: Tagged, field: Field) -> Found | None:
        key = key_of(term.text)
        records = self._corpus.find_exact(field.code, key)
        known = field.code == "UID" or key in _KNOWN_VALUES
        return self._value(term.text, records, field, known=known)

    def _value(self, text: str, records: set[int], field: Field, *, known: bool) -> Found | None:
        if not records and not known:
            return self._lose(text, field)
        shown = f"{text}[UID]" if field.code == "UID" else f"{show(text)}[{field.name}]"
        return Found(self._corpus.mask_of(records), shown)

    def _lose(self, text: str, field: Field, *, tagged: bool = True) -> Found | None:
        self._notes.lose(text, field.name, tagged=tagged)
        return None

    def _filter(self, text: str, field: Field) -> Found | None:
        mask = self._filtered(key_of(text))
        return self._lose(text, field) if mask is None else Found(mask, f"{show(text)}[{field.name}]")

    def _filtered(self, name: str) -> Mask | None:
        """Filters and subsets that a client of a medical assistant may use."""
        corpus = self._corpus
        if name == "hasabstract":
            return corpus.has_abstract
        if name in ("pubmed pmc", "pubmed pmc open access", "pmc", "free full text", "full text"):
            return corpus.in_pmc
        if name in ("all", "pubmed", "medline"):
            return np.ones(len(corpus), np.bool_)
        if name in ("systematic", "systematic review", "systematicreview"):
            titled = corpus.text.mask(corpus.text.phrase(["systematic", "review"], fields.TITLE))
            return titled | corpus.mask_of(corpus.find_exact("PTYP", "systematic review"))
        if name == "cancer":
            tiab = get_field("TIAB").texts
            starts = [corpus.text.mask(corpus.text.beginning(start, tiab)) for start in _ABOUT_CANCER]
            return np.asarray(np.logical_or.reduce(starts))
        if name in ("humans", "human"):
            return corpus.mask_of(corpus.find_mesh("humans", explode=False, major=False))
        if name in _KNOWN_VALUES:
            code = "LANG" if name in LANGUAGES.values() else "PTYP"
            return corpus.mask_of(corpus.find_exact(code, name))
        return None
