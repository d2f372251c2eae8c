"""What can be linked: the lexicons, the topics of the starter library, the ends of the starter graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from config.resources import list_names, read_text
from reasoning.routing.lexicon import read_lexicon, read_names
from reasoning.routing.phrases import Phrases
from reasoning.routing.words import fold, split_words

LANGUAGES = ("en", "zh")
KINDS = ("disease", "symptom", "drug", "test", "gene", "procedure", "circumstance", "weak")
NO_KIND = "look_alike"  # found, so that no name within it is, and left out
_LIBRARY_KINDS = {"cancer": "disease", "condition": "disease", "drug": "drug", "test": "test"}


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing, by its canonical name."""

    name: str
    kind: str


@cache
def load_concepts() -> Phrases[Concept]:
    """All names, read once; a name keeps the first meaning it was given."""
    return Phrases(_names())


@cache
def load_generic() -> frozenset[str]:
    """Folded words that tell no two names apart."""
    return frozenset(
        fold(word) for language in LANGUAGES for word in read_lexicon("entities", language)["generic"]
    )


def _names() -> Iterator[tuple[str, Concept]]:
    for language in LANGUAGES:
        lexicon = read_lexicon("entities", language)
        yield from (
            (names[0], Concept(names[0], NO_KIND)) for names in read_names(lexicon.get("look_alikes", ""))
        )
        for kind in KINDS:
            for names in read_names(lexicon.get(kind, "")):
                yield from ((name, Concept(names[0], kind)) for name in names)
        yield from _complaints(language)
    yield from (item for item in _library_topics() if _is_specific(item[0]))
    yield from (item for item in _graph_ends() if _is_specific(item[0]))


def _complaints(language: str) -> Iterator[tuple[str, Concept]]:
    """Every body part with every complaint: knee pain, pain in the knee."""
    lexicon = read_lexicon("entities", language)
    parts = [names[0] for names in read_names(lexicon["parts"])]
    for complaint, *others in read_names(lexicon["complaints"]):
        for part in parts:
            concept = Concept(f"{part} {complaint}" if language == "en" else part + complaint, "symptom")
            for word in (complaint, *others):
                yield f"{part} {word}", concept
                if language == "en":
                    yield from ((f"{word} {joint} {part}", concept) for joint in ("in", "of", "on"))


def _is_specific(name: str) -> bool:
    """Whether a name has a word of its own; library keywords and graph ends may be anything."""
    keys = {word.key for word in split_words(name)}
    return bool(keys - load_generic()) and any(len(key) > 2 or not key.isascii() for key in keys)


def _library_topics() -> Iterator[tuple[str, Concept]]:
    """Titles up to a colon or bracket, and keywords of several words; single ones may be anything (worry)."""
    for path in list_names("starter/library", ".md"):
        front = dict(
            line.split(":", 1) for line in read_text(path).split("---", 2)[1].splitlines() if ":" in line
        )
        title = front["title"].strip(' "').split(":")[0].split(" (")[0].strip()
        concept = Concept(title, _LIBRARY_KINDS.get(front["kind"].strip(), "topic"))
        yield title, concept
        for keyword in (word.strip(" \"'") for word in front["keywords"].strip(" []").split(",")):
            if " " in keyword:
                yield keyword, Concept(keyword, "topic")


def _graph_ends() -> Iterator[tuple[str, Concept]]:
    for path in list_names("starter/graph", ".tsv"):
        for line in read_text(path).splitlines()[1:]:
            cells = line.split("\t")
            yield from ((end, Concept(end, "topic")) for end in (*cells[:1], *cells[2:3]) if end)
