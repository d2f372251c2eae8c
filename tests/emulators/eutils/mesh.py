"""MeSH as far as it is loaded: headings, their places in the tree, and the entry terms of each."""

from __future__ import annotations

import csv
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.emulators.eutils.words import key_of


@dataclass(slots=True)
class Descriptor:
    name: str
    trees: tuple[str, ...] = ()
    entries: list[str] = field(default_factory=list)
    ui: str = ""

    @property
    def uid(self) -> str:
        """Its number in db=mesh: 68 and the digits of the UI, or of a stand-in where none is loaded."""
        digits = self.ui.lstrip("D").zfill(6) if self.ui else f"{zlib.crc32(self.name.encode()):010d}"
        return "68" + digits


def natural_entries(name: str) -> list[str]:
    """Entry terms that MeSH has for every heading of such a form: inverted ones in reading order, and
    "cancer" and "tumor" for "… Neoplasms"."""
    found = []
    if name == "Neoplasms":
        found = ["Cancer", "Cancers", "Tumor", "Tumors", "Neoplasia", "Malignancy", "Malignancies"]
    if name.count(", ") == 1:
        head, qualifier = name.split(", ")
        found.append(f"{qualifier} {head}")
    if name.endswith(" Neoplasms"):
        site = name.removesuffix(" Neoplasms")
        found += [f"{site} {word}" for word in ("Neoplasm", "Cancer", "Cancers", "Tumor", "Tumors")]
        found += [f"Cancer of {site}", f"Cancer of the {site}"]
    return found


class Thesaurus:
    """Headings by name or entry term. A heading without a place in the tree explodes to itself."""

    def __init__(self, descriptors: Iterable[Descriptor] = ()) -> None:
        self.descriptors: dict[str, Descriptor] = {}  # by key of the name
        self._leading: dict[str, str] = {}  # key of an entry term -> key of the heading
        self._below: dict[str, frozenset[str]] = {}
        for descriptor in descriptors:
            self.add(descriptor)

    def add(self, descriptor: Descriptor) -> None:
        key = key_of(descriptor.name)
        known = self.descriptors.setdefault(key, descriptor)
        if known is not descriptor:
            known.trees = tuple(dict.fromkeys((*known.trees, *descriptor.trees)))
            known.ui = known.ui or descriptor.ui
            known.entries += [entry for entry in descriptor.entries if entry not in known.entries]
        for entry in (*natural_entries(descriptor.name), *descriptor.entries):
            self._leading.setdefault(key_of(entry), key)
        self._below.clear()

    def find(self, phrase: str) -> Descriptor | None:
        """The heading of a name or an entry term, singular or plural."""
        key = key_of(phrase)
        for form in (key, f"{key}s", key.removesuffix("s")) if len(key) > 3 else (key,):
            found = self.descriptors.get(form) or self.descriptors.get(self._leading.get(form, ""))
            if found:
                return found
        return None

    def knows_phrase(self, key: str) -> bool:
        return key in self.descriptors or key in self._leading

    def explode(self, key: str) -> frozenset[str]:
        """Keys of the heading and of all below it."""
        if key not in self._below:
            trees = self.descriptors[key].trees
            stems = tuple(f"{tree}." for tree in trees)
            below = {
                other
                for other, descriptor in self.descriptors.items()
                if any(tree.startswith(stems) for tree in descriptor.trees)
            }
            self._below[key] = frozenset(below | {key})
        return self._below[key]

    def search(self, words: list[str]) -> list[Descriptor]:
        """Headings with all the words in the name or in one entry term, shortest name first."""
        wanted = set(words)
        if not wanted:
            return []
        keys = {key for key in self.descriptors if wanted <= set(key.split())}
        keys |= {heading for entry, heading in self._leading.items() if wanted <= set(entry.split())}
        return [self.descriptors[key] for key in sorted(keys, key=lambda key: (len(key), key))]


def read_headings(path: Path) -> list[Descriptor]:
    """Headings of a table with the columns descriptor, tree_numbers and, if it has it, entry_terms (`|`
    between), or of NLM's own list of the tree (`mtrees*.bin`: one `name;number` a line)."""
    if path.suffix == ".bin":
        trees: dict[str, list[str]] = {}
        for line in path.read_text("utf-8").splitlines():
            name, _, number = line.rpartition(";")
            if name:
                trees.setdefault(name, []).append(number)
        return [Descriptor(name, tuple(numbers)) for name, numbers in trees.items()]
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            Descriptor(
                row["descriptor"],
                tuple(filter(None, row["tree_numbers"].split("|"))),
                list(filter(None, (row.get("entry_terms") or "").split("|"))),
            )
            for row in csv.DictReader(lines, delimiter="\t")
        ]


def add_synonyms(thesaurus: Thesaurus, path: Path) -> None:
    """Entry terms from a table of names with `exact_synonyms`: where one of them is a heading, the others
    lead to it."""
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            names = [row["name"], *filter(None, row["exact_synonyms"].split("|"))]
            heading = next((found for name in names if (found := thesaurus.find(name))), None)
            if heading:
                others = [name for name in names if not thesaurus.find(name)]
                thesaurus.add(Descriptor(heading.name, (), others))
