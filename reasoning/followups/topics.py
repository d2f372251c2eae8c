"""What a person may carry on from the turns before: everything of their own, of others only the subject."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reasoning.followups.concepts import Named, find_named
from reasoning.followups.privacy import Parts, part_question, public_names, public_part, without_conditions
from reasoning.followups.turns import Earlier

_ENDS = ".!?,:;。！？，：；、)）"
_MOST = 4  # names that are carried; our choice


@dataclass(frozen=True, slots=True)
class Topic:
    """The last question of a talk, complete. `told` are the statements of each person within this topic."""

    turn: int  # its place in the talk
    person: str
    language: str
    asked: str
    told: tuple[tuple[str, str], ...] = ()  # (person, statement)
    answered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Base:
    """A topic as one person may have it. `asked` None where only the names may be carried."""

    asked: str | None
    told: tuple[str, ...]
    names: tuple[Named, ...]
    language: str
    own: bool

    @property
    def full(self) -> str:
        return join((*self.told, self.asked or ""), self.language)


def base_for(topic: Topic, person: str) -> Base:
    told = tuple(statement for who, statement in topic.told if who == person)
    own = topic.person == person
    asked: str | None = topic.asked
    if own:
        names = find_named(topic.asked, topic.language)
        if not any(named.is_subject for named in names):
            names += tuple(one for text in told for one in find_named(text, topic.language))
    else:
        asked = public_part(topic.asked, topic.language)
        names = public_names(topic.asked, topic.language)
        if topic.language == "zh" and any(who == topic.person for who, _ in topic.told):
            # behind "我妈妈78岁，" a disease beside a drug is hers, though no word says so
            narrowed = without_conditions(names)
            names, asked = narrowed, asked if narrowed == names else None
    if not any(named.is_subject for named in names):
        names += tuple(Named(name, name, "condition", 0, 0) for name in topic.answered[:1])
    return Base(asked or None, told, _distinct(names), topic.language, own)


def next_topic(last: Topic | None, number: int, turn: Earlier, parts: Parts, *, carries: bool) -> Topic:
    """The topic behind a turn, the `number`th of the talk; one that carries something keeps what was told."""
    told = tuple((turn.person, statement) for statement in parts.told)
    kept = tuple(one for one in last.told if one[0] != turn.person) if last is not None and carries else ()
    return Topic(number, turn.person, turn.language, parts.asked, (*kept, *told), turn.answered)


def stated(topic: Topic, text: str) -> Topic:
    """The same with the question as it was completed elsewhere, its statements apart."""
    parts = part_question(text, topic.language)
    told = tuple((topic.person, statement) for statement in parts.told)
    others = tuple(one for one in topic.told if one[0] != topic.person)
    return replace(topic, asked=parts.asked, told=(*others, *told))


def join(texts: tuple[str, ...], language: str) -> str:
    """One behind the other; where a text has no end mark it gets one, so that they stay apart."""
    kept = [text for text in texts if text]
    mark, space = ("，", "") if language == "zh" else (".", " ")
    ended = [text if text[-1] in _ENDS else text + mark for text in kept[:-1]]
    return space.join((*ended, *kept[-1:]))


def _distinct(names: tuple[Named, ...]) -> tuple[Named, ...]:
    chosen: list[Named] = []
    for named in sorted(names, key=lambda one: not one.is_subject):
        if not any(named.is_like(other) for other in chosen):
            chosen.append(named)
    kept = chosen[:_MOST]
    return tuple(named for named in names if any(named is one for one in kept))
