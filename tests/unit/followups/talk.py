"""A talk written as lines "PERSON: text", for tests."""

from __future__ import annotations

from reasoning.followups import Earlier, Standalone, Talk
from reasoning.followups.rule import complete_by_rule


def language_of(text: str) -> str:
    return "zh" if any("㐀" <= character <= "鿿" for character in text) else "en"


def talk(*lines: str) -> Talk:
    """The last line is the message."""
    turns = [line.split(": ", 1) for line in lines]
    earlier = tuple(Earlier(text, language_of(text), person) for person, text in turns[:-1])
    person, message = turns[-1]
    return Talk(earlier, message, language_of(message), person)


def completed(*lines: str) -> Standalone:
    said = talk(*lines)
    return complete_by_rule(said.earlier, said.message, said.language, said.person)
