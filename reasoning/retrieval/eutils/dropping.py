"""What PubMed went on without: the words asked for against those it searched (case F04).

The index does not know a word, PubMed drops it and runs the rest, and the count looks healthy.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence

from reasoning.literature import SearchReply
from reasoning.retrieval.eutils.documents import Found
from storage.words import STOP_WORDS
from storage.query import AllOf, AnyOf, Field, Query, Term, Without

_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"\[[^\]]*\]")
_STEM = 4  # letters that two forms of a word share at least
_COMPARED = (Field.ANY, Field.TITLE_ABSTRACT, Field.TITLE)  # PubMed writes headings and types its own way


def words_asked(query: Query) -> Iterator[str]:
    """Words that are asked for as such, not by way of a heading, and not to be left out."""
    match query:
        case Term(text=text, field=field) if field in _COMPARED:
            yield from _words(text)
        case AllOf(parts=parts) | AnyOf(parts=parts):
            for part in parts:
                yield from words_asked(part)
        case Without(base=base):
            yield from words_asked(base)


def find_dropped(found: Found, asked: Collection[str]) -> tuple[str, ...]:
    """What PubMed names as not found, and asked words that its translation lacks without a word.

    A translation is compared only where there is one, and only by plain words of four letters and more.
    """
    named = tuple(_TAG.sub("", phrase).strip().strip('"') for phrase in found.phrases_not_found)
    if not found.translation:
        return named
    told = set(_words(" ".join((*named, *found.quoted_phrases_not_found, *found.ignored))))
    used = set(_words(found.translation)) | set(_words(" ".join(found.rewritten or ())))
    silent = [
        word
        for word in dict.fromkeys(asked)
        if len(word) >= _STEM
        and word.isascii()
        and word not in STOP_WORDS
        and word not in told
        and not any(_akin(word, other) for other in used)
    ]
    return (*named, *silent)


def lost_subjects(reply: SearchReply, subjects: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The subjects that a search went on without; each is given by its names, any of which carries it.

    A name is lost where what was dropped is a part of it, or where it is part of a dropped phrase and none
    of its words was searched. A subject is lost with the last of its names.
    """
    dropped = [set(_words(phrase)) for phrase in reply.dropped]
    used = set(_words(reply.translation))

    def lost(name: str) -> bool:
        own = set(_words(name)) - STOP_WORDS
        return any((phrase <= own) or (own <= phrase and not own & used) for phrase in dropped if phrase)

    return tuple(names[0] for names in subjects if names and all(map(lost, names)))


def usable(reply: SearchReply, subjects: Sequence[Sequence[str]]) -> bool:
    """Whether the hits may count as matching these subjects, each given by its names (case F04.1)."""
    return reply.state == "results" and not lost_subjects(reply, subjects)


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", text.lower())
    return _WORD.findall("".join(mark for mark in folded if not unicodedata.combining(mark)))


def _akin(word: str, other: str) -> bool:
    """The same word, or one of its forms: one begins with the other."""
    short, long = sorted((word, other), key=len)
    return word == other or (len(short) >= _STEM and long.startswith(short))
