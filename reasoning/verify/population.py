"""For whom a finding holds: no group may be added or swapped, or dropped where the source limits itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from config.resources import read_toml
from reasoning.verify.certainty import supporting_lines
from reasoning.verify.cues import blank, compile_cues, fold
from reasoning.verify.ground import Ground
from reasoning.verify.words import keys_in, terms_in, words_within

_PATIENTS = re.compile(
    r"\b(?:people|patients|adults|women|men|children|those|persons|babies|anyone|someone)"
    r" (?:with|who have|who had|on|taking) "
)
_IMPLIED = frozenset({"sex", "everyone"})  # tables of which a source may speak without naming them
_INVENTED = frozenset({"age", "sex", "reproduction", "species", "everyone"})  # never said without a source
_KEPT = frozenset({"age", "sex", "reproduction", "species", "spread"})  # never left out
_WIDER = re.compile(
    r"\b(?:people|patients|adults|everyone|everybody|anyone|anybody|persons|humans|users)\b|患者|人|personas|pacientes|menschen|patienten|personnes"
)
_WITHOUT = re.compile(r"\b(?:without|no|not|excluding|except|free of) (?:\w+ ){0,2}?[\w-]+", re.IGNORECASE)
_TELLING = 1.2  # weight of a word that says whom it is about
_OLD = re.compile(
    r"(?:over|older than|above|past|aged|age) (?:the age of )?(?:6|7|8|9)\d\b(?!%)(?! ?(?:to|-|–) ?\d)"
    r"(?! (?:out of|in|of|percent))"
    r"|\b(?:6|7|8|9)\d (?:years )?(?:of age )?(?:or|and) (?:older|over|above|more)\b"
    r"|[6-9]\d岁以上|mayores de [6-9]\d|über [6-9]\d"
)


@dataclass(frozen=True, slots=True)
class Group:
    table: str
    name: str
    within: tuple[str, ...]
    limits: bool


@cache
def _groups() -> tuple[Group, ...]:
    return tuple(
        Group(table, name, tuple(entry["within"]), bool(entry["limits"]))
        for table, members in read_toml("lexicons/populations.toml").items()
        if isinstance(members, dict)
        for name, entry in members.items()
    )


@cache
def _pattern(group: Group, language: str, implied: bool) -> re.Pattern[str]:
    entry = read_toml("lexicons/populations.toml")[group.table][group.name]
    words = [entry.get(language, "")]
    if implied and language == "en":
        words.append(entry.get("implied", ""))
    return compile_cues(*words)


@cache
def _needs(group: Group) -> re.Pattern[str]:
    """Words without which the group's own mean something else: an infection spreads, too."""
    words = read_toml("lexicons/populations.toml")[group.table][group.name].get("needs")
    return compile_cues(words) if words else re.compile("")


@cache
def _unless(group: Group) -> re.Pattern[str]:
    """Words beside which the group's own mean something else: the baby of a pregnant woman."""
    return compile_cues(read_toml("lexicons/populations.toml")[group.table][group.name].get("unless", ""))


@lru_cache(maxsize=2048)
def groups_in(text: str, language: str, implied: bool = False, by_number: bool = True) -> frozenset[Group]:
    """The groups a text names; with `implied` also those it is about without naming them, with `by_number`
    those over 60 as older people."""
    folded = blank(compile_cues(read_toml("lexicons/populations.toml")["pseudo"]), fold(text))
    found = {
        group
        for group in _groups()
        if _pattern(group, language, implied).search(folded)
        and (implied or _needs(group).search(folded))
        and not _unless(group).search(folded)
    }
    if by_number and _OLD.search(folded):
        found.add(next(group for group in _groups() if group.name == "older"))
    if "never" in {g.name for g in found}:
        bare = _pattern(next(g for g in _groups() if g.name == "never"), language, False).sub(" ", folded)
        found = {g for g in found if g.name != "smokers" or _pattern(g, language, False).search(bare)}
    return frozenset(found)


def object_to_population(ground: Ground) -> str | None:
    mine = groups_in(ground.text, ground.language, by_number=False)  # the numbers have a check of their own
    named = groups_in(ground.said, ground.source_language)
    levels = [
        groups_in(text, ground.source_language)
        | {g for g in groups_in(text, ground.source_language, implied=True) if g.table in _IMPLIED}
        for text in (ground.said, ground.headings, ground.passages)
    ]
    for group in sorted(mine, key=lambda g: (g.table, g.name)):
        if group.name == "infants" and _unless(group).search(fold(f"{ground.passages} {ground.headings}")):
            continue  # the baby of a pregnancy
        if not _is_named(group, levels) and not _stands_beside(group, mine, named, levels):
            return f"speaks of {group.name} where the source does not"
    return _names_other_patients(ground) or _dropped(ground, mine)


def _names_other_patients(ground: Ground) -> str | None:
    """ "people with X", where neither quote nor title names X, and the passage only to leave it out."""
    if ground.translated or ground.language != "en":
        return None
    near = keys_in("\n".join((ground.said, ground.headings)), ground.source_language)
    around = keys_in(_WITHOUT.sub(" ", ground.passages), ground.source_language)
    for match in _PATIENTS.finditer(ground.text):
        for term in [t for t in terms_in(ground.text, "en") if t.start >= match.end()][:1]:
            named = term.category in ("conditions", "classes", "treatments")
            if named and term.weight >= _TELLING and not term.covered_by(near | around):
                words = words_within(ground.text, "en", term)
                if len(words) < 2 or not all(word.covered_by(near | around) for word in words):
                    name = ground.text[term.start : term.end]
                    return f"speaks of people with {name} where the source does not"
    return None


def _is_named(group: Group, levels: list[frozenset[Group]]) -> bool:
    """By the first of quote, heading and passage that names any group of the table."""
    if group.name == "young" and not any(o.name in ("older", "children", "infants") for o in levels[0]):
        return True
    if not group.limits and group.table in ("species", "age") and group.name in ("people", "adults"):
        return _is_plain(group, levels)
    if group.table == "species":
        levels = [levels[0] | levels[1], levels[2]]
    for level in levels:
        table = [other for other in level if other.table == group.table]
        if table:
            return any(_fits(group, other) for other in table)
    return group.table not in _INVENTED


def _stands_beside(
    group: Group, mine: frozenset[Group], named: frozenset[Group], levels: list[frozenset[Group]]
) -> bool:
    """ "more in children than in adults", "women and men": the other group is only what is left."""
    others = {other.name for other in mine if other.table == group.table} - {group.name}
    if {group.name, *others} >= {"women", "men"}:
        return not any(other.table == "sex" for other in named)
    return group.name == "adults" and any(other.name in others for level in levels[:2] for other in level)


def _is_plain(group: Group, levels: list[frozenset[Group]]) -> bool:
    """People and adults are what most findings are about: only another group in the quote excludes them."""
    table = {other.name for other in levels[0] if other.table == group.table}
    if not table and group.name == "people":
        table = {other.name for other in levels[1] if other.table == group.table}
    if group.name == "people":
        return not table or "people" in table
    return not table or bool(table & {"adults", "older"})


def _fits(group: Group, other: Group) -> bool:
    return group == other or group.name in other.within


def _dropped(ground: Ground, mine: frozenset[Group]) -> str | None:
    """A group that the quote alone speaks of, and the sentence leaves out."""
    implied = groups_in(ground.text, ground.language, implied=True)
    lines = [groups_in(line, ground.source_language) for line in supporting_lines(ground)]
    heading = groups_in(ground.headings, ground.source_language)
    for named, only_animals in (
        (frozenset.intersection(*lines) if lines else frozenset(), False),
        (heading, True),
    ):
        for group in sorted(named, key=lambda g: (g.table, g.name)):
            table = [other for other in named if other.table == group.table]
            if (
                not group.limits
                or group.table not in _KEPT
                or group.name == "young"
                or (only_animals and group.name not in ("animals", "cells"))
            ):
                continue
            if group.table != "species" and not _WIDER.search(fold(ground.text)):
                continue  # says nothing of people at all, so nothing wider
            if group in heading and not only_animals and group.table != "species":
                continue  # the title says whom it is about, and is shown
            if len(table) == 1 and not any(other.table == group.table for other in mine | implied):
                return f"leaves out that the source speaks of {group.name}"
    return None
