"""What the words of a question mean: clinical names with their lay words, drugs with their brands, genes.

Own tables first, then what routing links (`reasoning.routing`): diseases, symptoms, tests, the ends of the
starter graph. The longest name at each place wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from config.resources import read_text, read_toml
from reasoning.retrieval.subject import zipf
from reasoning.routing.entity_lexicon import KINDS, NO_KIND, load_concepts
from reasoning.routing.lexicon import read_lexicon, read_names, read_words
from reasoning.routing.phrases import Phrases
from reasoning.routing.words import Word, split_words
from storage.words import STOP_WORDS

_SYNONYMS = 3  # other names that a query uses
_WORD = 1.5  # Zipf frequency from which general English has a word
_PLAIN_GENE = 4  # letters from which a gene in small letters is one, if it is no English word


@dataclass(frozen=True, slots=True)
class Meaning:
    """`kind`: disease, symptom, drug, procedure, test, gene, variant, outcome, population, exposure, anatomy,
    weak, or word for what no lexicon has."""

    name: str
    kind: str
    mesh: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()
    wider: str | None = None  # the class of a drug


@dataclass(frozen=True, slots=True)
class Mention:
    """A meaning at characters [start, end) of a text."""

    meaning: Meaning
    text: str
    start: int
    end: int
    words: frozenset[int] = field(default=frozenset())


def find_mentions(text: str, words: Sequence[Word]) -> list[Mention]:
    """In the order of the text, none within another. Misspelt names are left to the spelling."""
    spans = [(found.first, found.last, found.value) for found in _english().find(words) if found.exact]
    spans += [
        (found.first, found.last, _linked(found.value.name, found.value.kind, words, found.first, found.last))
        for found in load_concepts().find(words)
        if found.exact
    ]
    taken: set[int] = set()
    mentions = []
    for first, last, meaning in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
        places = frozenset(range(first, last))
        if taken.isdisjoint(places):
            taken |= places
            start, end = words[first].start, words[last - 1].end
            mentions.append(Mention(meaning, text[start:end], start, end, places))
    return sorted(mentions, key=lambda mention: mention.start)


@cache
def meaning_of(name: str) -> Meaning | None:
    """What the whole of a name means, None where no own table has it."""
    words = split_words(name)
    found = next(iter(_english().find(words)), None)
    whole = found is not None and found.exact and (found.first, found.last) == (0, len(words))
    return found.value if found is not None and whole else None


@cache
def is_known_word(key: str) -> bool:
    """Whether a folded word is in any name of the own tables."""
    return key in _known_words()


def known_names(initial: str) -> tuple[str, ...]:
    """Single words of the own names that begin so, for spelling."""
    return _by_initial().get(initial, ())


def _linked(name: str, kind: str, words: Sequence[Word], first: int, last: int) -> Meaning:
    """A link of routing: as written, with the canonical name beside it unless the line lists drugs."""
    written = " ".join(word.raw for word in words[first:last]).casefold()
    if kind == NO_KIND:
        return Meaning(written, NO_KIND)
    kind = {"circumstance": "exposure", "topic": "word"}.get(kind, kind)
    shown = written if all(word.key.isascii() for word in words[first:last]) else name
    beside = () if kind in ("drug", "gene") or name.casefold() == shown else (name,)
    return Meaning(shown, kind, (), beside if name.isascii() else ())


@cache
def _english() -> Phrases[Meaning]:
    return Phrases(_names())


def _names() -> Iterator[tuple[str, Meaning]]:
    """Genes in capitals first, so that MET is one and "met" is none."""
    for names in read_names(read_toml("lexicons/rewriting.toml")["genes"]):
        meaning = Meaning(names[0], "gene", (), names[1:])
        for name in names:
            yield name, meaning
            if any(map(str.isdigit, name)) or (len(name) >= _PLAIN_GENE and zipf(name.lower()) < 2):
                yield name.lower(), meaning
    for name, kind, mesh, others in read_rows("clinical.en.tsv"):
        names = (name, *(other for other in others.split("|") if other))
        headings = tuple(heading for heading in mesh.split(";") if heading)
        meaning = Meaning(name, kind, headings, _searchable(names[1:]))
        yield from ((each, meaning) for each in names)
    for generic, brands, kind in read_rows("drugs.en.tsv"):
        names = tuple(brand for brand in brands.split("|") if brand)
        heading = generic[0].upper() + generic[1:]
        meaning = Meaning(generic, "drug", (heading,), (), names, kind)
        yield from ((each, meaning) for each in (generic, *names))
        yield kind, Meaning(kind, "drug")
    for name in read_words("cancer", ("en",), "strong"):
        # routing lists misspellings too; here they are put right
        if " " in name or zipf(name.lower()) >= _WORD:
            yield name, Meaning(name, "disease")


def _searchable(names: Sequence[str]) -> tuple[str, ...]:
    """Names that literature may use: no sentences, no capitals that are common words."""
    fitting = (name for name in names if not STOP_WORDS & set(name.lower().split()) and not _is_short(name))
    return tuple(fitting)[:_SYNONYMS]


def _is_short(name: str) -> bool:
    return len(name) <= 3 and name.isupper()


def read_rows(name: str) -> Iterator[list[str]]:
    """The lines of a table below its heading."""
    for line in read_text(f"lexicons/{name}").splitlines()[1:]:
        yield line.split("\t")


@cache
def _all_words() -> frozenset[Word]:
    """Of the own tables and of what routing links in English."""
    linked = read_lexicon("entities", "en")
    names = [name for kind in KINDS for line in read_names(linked.get(kind, "")) for name in line]
    return frozenset(word for name in (*names, *(name for name, _ in _names())) for word in split_words(name))


@cache
def _known_words() -> frozenset[str]:
    return frozenset(word.key for word in _all_words())


@cache
def _by_initial() -> dict[str, tuple[str, ...]]:
    names: dict[str, set[str]] = {}
    for word in _all_words():
        if word.raw.isalpha() and word.raw.isascii() and len(word.raw) > 4:
            names.setdefault(word.raw[0].lower(), set()).add(word.raw.lower())
    return {initial: tuple(sorted(words)) for initial, words in names.items()}
