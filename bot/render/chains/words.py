"""The words around the chains, in the language of the question."""

from __future__ import annotations

from collections.abc import Iterator

from bot.render.chains.picture import Arrow, Picture, State
from reasoning.notices import notice


def describe(picture: Picture) -> str:
    """What the drawing shows, for who cannot see it: the question's entities, then facts by their state."""
    asked = ", ".join(node.name for node in picture.nodes if node.asked)
    lines = [f"{notice('picture_asked', picture.language)}: {asked}"]
    for state in State:
        said = list(dict.fromkeys(_say(arrow) for arrow in picture.arrows if arrow.state is state))
        lines += [f"{_name(state, picture.language)}: {'; '.join(said)}"] if said else []
    return "\n".join((*lines, *words_of(picture)))


def legend_of(picture: Picture) -> Iterator[tuple[State | bool, str]]:
    """Each sign that occurs, with its meaning: a state of facts, or whether a box is of the question."""
    for asked, code in ((True, "picture_asked"), (False, "picture_other")):
        if any(node.asked is asked for node in picture.nodes):
            yield asked, notice(code, picture.language)
    for state in State:
        if any(arrow.state is state for arrow in picture.arrows):
            yield state, _name(state, picture.language)


def words_of(picture: Picture) -> Iterator[str]:
    """Each chain with what it looked up, and how much is not drawn."""
    for chain in picture.chains:
        text = f"{chain.id}: {chain.text}"
        yield notice("picture_failed", picture.language, part=text) if chain.failed else text
    if picture.left_out:
        yield notice("picture_left_out", picture.language, n=picture.left_out)


def _name(state: State, language: str) -> str:
    return notice(f"picture_{state}", language)


def _say(arrow: Arrow) -> str:
    return " ".join((arrow.said, *(f"[{n}]" for n in arrow.numbers)))
