"""The moves of a talk, tried one after the other: a correction, an ellipsis, a pronoun, a statement."""

from __future__ import annotations

from dataclasses import dataclass

from reasoning.followups import forms
from reasoning.followups.concepts import Named, find_named
from reasoning.followups.cues import Opening, open_message, points_back, read_correction
from reasoning.followups.newness import is_bare, is_name, is_new, is_short
from reasoning.followups.privacy import Parts, part_question, tells_of_oneself
from reasoning.followups.pronouns import put_for_pronoun
from reasoning.followups.topics import Base, join
from reasoning.routing import part_options

_SHORT = 40  # characters of a correction


@dataclass(frozen=True, slots=True)
class Done:
    """A completed question, its parts, and the form it was given (see `rule`)."""

    form: str
    question: str
    parts: Parts


def correct(base: Base, message: str, language: str) -> Done | None:
    found = read_correction(message, language) or ((message, False) if forms.is_measure(message) else None)
    if found is None or not base.full or len(found[0]) > _SHORT:
        return None
    rest, sure = found
    number = forms.swap_number(base.full, rest, language)
    if number:
        return Done("correction", number, part_question(number, language))
    if base.asked:
        names = find_named(rest, language)
        piece = forms.read_piece(rest, language, names, "")
        swapped = None
        if piece is not None:
            swapped = forms.put_in_place(base.asked, piece, language)
        elif not names and sure:
            swapped = forms.put_for_unknown(base.asked, rest, language)
        if swapped:
            return _told(base, Parts((), swapped), language, "correction")
    if not sure and not any(map(str.isdigit, rest)):
        return None
    return Done(
        "correction", _glue(base.full, message, language), Parts((*base.told, message), base.asked or "")
    )


def go_on(base: Base, message: str, parts: Parts, language: str) -> Done | None:
    options = part_options(message)
    stem = options.stem if options.options else parts.asked
    if not stem:
        return _stating(base, message, parts, language)
    opening = open_message(stem, language)
    names = find_named(opening.rest, language)
    if not options.options and base.asked and base.language == language:
        done = _elliptical(base, parts, opening, names, language)
        if done:
            return done
    own = [one for one in names if one.is_subject]
    told = [one for text in parts.told for one in find_named(text, language) if one.is_subject]
    places = [one.start for one in names] + ([-1] if told else [])
    back = points_back(opening.rest, language, places)
    again = opening.leans and any(one.is_like(each) for one in base.names for each in own)
    if (own or told) and not back and not again and not _lacks(base, own, opening):
        return None
    if not names and not back and not opening.leans and is_new(opening.rest, language):
        return None
    told_too = " ".join(base.told)
    people = any(one.group == "people" for one in names)
    carried = [
        one
        for one in base.names
        if not any(one.is_like(each) for each in own)
        and one.text not in told_too
        and not (people and one.group == "people")
    ]
    if opening.leans and own and not back and not again:
        carried = [one for one in carried if one.group != own[0].group]
    if not carried and not base.told:
        return None
    shown = tuple(forms.name_in(one, language) for one in carried)
    led = None
    if back and len(base.names) == len(carried) == 1 and not parts.told and not options.options:
        led = put_for_pronoun(message, carried[0], shown[0], base.asked, language)
    led = led or forms.lead_with(shown, message, language)
    return _told(base, Parts((), led), language, "led")


def _elliptical(
    base: Base, parts: Parts, opening: Opening, names: tuple[Named, ...], language: str
) -> Done | None:
    """The last question again, with what this message names."""
    assert base.asked is not None
    asks = parts.asked.rstrip().endswith(("?", "？"))
    options = part_options(base.asked)
    stem = options.stem if options.options else base.asked  # nothing is said behind the last option
    if not names and is_bare(opening.rest, language):
        return _told(base, Parts(parts.told, _glue(stem, parts.asked, language)), language, "bare")
    if not names and opening.leans and is_name(opening.rest, language):
        asked = forms.put_for_unknown(base.asked, opening.rest, language)
        return _told(base, Parts(parts.told, asked), language, "ellipsis") if asked else None
    varies = opening.leans or (asks and is_short(opening.rest, names, language))
    piece = forms.read_piece(opening.rest, language, names, base.asked if varies else "")
    if piece is None or not (opening.leans or asks):
        return None
    asked = forms.put_in_place(base.asked, piece, language)
    if asked is None and (piece.before or piece.named.group == "people"):
        asked = forms.add_to(stem, piece, language)
    if asked is None:
        asked = _glue(stem, parts.asked, language)
    return _told(base, Parts(parts.told, asked), language, "ellipsis")


def _stating(base: Base, message: str, parts: Parts, language: str) -> Done | None:
    """ "I am pregnant." belongs before the question, "tell me more" behind it."""
    if not base.asked or any(one.is_subject for one in find_named(message, language)):
        return None
    if tells_of_oneself(message, language):
        return _told(base, Parts(parts.told, base.asked), language, "told")
    question = _glue(base.full, message, language)
    if part_options(base.asked).options:
        return None
    return Done("bare", question, Parts(base.told, base.asked))


def _lacks(base: Base, own: list[Named], opening: Opening) -> bool:
    """ "And does ibuprofen help?" does not say against what."""
    groups = {one.group for one in own}
    return opening.leans and groups == {"means"} and any(one.group == "condition" for one in base.names)


def _told(base: Base, parts: Parts, language: str, form: str) -> Done:
    told = tuple(dict.fromkeys((*base.told, *parts.told)))
    return Done(form, join((*told, parts.asked), language), Parts(told, parts.asked))


def _glue(one: str, two: str, language: str) -> str:
    return f"{one}{two}" if language == "zh" else f"{one} {two}"
