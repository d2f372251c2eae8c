"""Paragraphs dealt out to messages that a platform takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from bot.render.borders import break_off
from bot.render.spoken import Paragraph

Said = tuple[Paragraph, ...]


def part(said: Sequence[Paragraph], fits: Callable[[Said], bool]) -> list[Said]:
    """As few parts as their order allows, each of which `fits`; never none where something is said.

    Parts begin with a paragraph, a source or a notice; one that is too long for any part is broken at its
    best borders. A heading stays with what it heads. `read` of all parts is `read` of what was said.
    """
    parts: list[Said] = []
    current: Said = ()
    for group in _groups(said):
        if fits((*current, *group)):
            current = (*current, *group)
            continue
        if current and fits(group):
            parts.append(current)
            current = group
            continue
        for paragraph in group:
            full, current = _deal(paragraph, current, fits)
            parts += full
    return [*parts, current] if current else parts


def _groups(said: Sequence[Paragraph]) -> list[Said]:
    """Paragraphs one by one; a heading with the next."""
    groups: list[Said] = []
    for paragraph in said:
        if groups and groups[-1][-1].kind == "heading":
            groups[-1] = (*groups[-1], paragraph)
        else:
            groups.append((paragraph,))
    return groups


def _deal(paragraph: Paragraph, current: Said, fits: Callable[[Said], bool]) -> tuple[list[Said], Said]:
    """Full parts, and the one that is begun."""
    full: list[Said] = []
    while not fits((*current, paragraph)):
        if current and fits((paragraph,)):
            return [*full, current], (paragraph,)
        broken = break_off(paragraph, partial(_fits_behind, fits, current), anywhere=not current)
        if broken is None and not current:
            break  # one code point that no part takes: the platform's to refuse
        if broken is None:
            full.append(current)
        else:
            full.append((*current, broken[0]))
            paragraph = broken[1]
        current = ()
    return full, (*current, paragraph)


def _fits_behind(fits: Callable[[Said], bool], begun: Said, paragraph: Paragraph) -> bool:
    return fits((*begun, paragraph))


def number(parts: int, at: int) -> str | None:
    """The label of a part, "2/3"; None where there is only one."""
    return f"{at}/{parts}" if parts > 1 else None


def utf16(text: str) -> int:
    """Length in UTF-16 code units: what Telegram counts, and no less than what anybody else does."""
    return len(text.encode("utf-16-le")) // 2
