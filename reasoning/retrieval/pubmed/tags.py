"""PubMed's field tags, and which of our fields stands for each."""

from __future__ import annotations

from storage.query import Field

# A wider field stands for those that the corpus does not keep apart: nothing is lost by it.
_SPELLINGS = {
    Field.ANY: "all, all fields, word, tw, text word, text words, nm, supplementary concept, substance name,"
    " rn, sh, mesh subheading, subheading, tt, transliterated title",
    Field.TITLE_ABSTRACT: "tiab, title/abstract, title abstract, ab, abstract, ot, other term",
    Field.TITLE: "ti, title",
    Field.MESH: "mh, mesh, mesh terms, mesh term, mesh heading, majr, mesh major topic, mesh major topics",
    Field.MESH_ALONE: "mh:noexp, mesh:noexp, mesh terms:noexp, majr:noexp, mesh major topic:noexp",
    Field.TYPE: "pt, ptyp, publication type",
    Field.LANGUAGE: "la, lang, language",
}
FIELDS = {tag: field for field, tags in _SPELLINGS.items() for tag in tags.split(", ")}
_DATES = (
    "dp, pdat, date - publication, publication date, edat, date - entrez, entrez date, crdt, date - create,"
    " ppdat, epdat"
)
DATES = frozenset(_DATES.split(", "))
FILTERS = frozenset({"sb", "subset", "filter", "text"})
# The filters that we can state: name -> (words, field).
KNOWN_FILTERS = {
    "systematic": ("systematic review", Field.TYPE),
    "systematic review": ("systematic review", Field.TYPE),
    "review": ("review", Field.TYPE),
    "humans": ("humans", Field.MESH),
    "english": ("english", Field.LANGUAGE),
}


def fold_tag(tag: str) -> str:
    """A tag without its brackets, as it is compared."""
    return " ".join(tag.strip("[] \t\n").lower().split())
