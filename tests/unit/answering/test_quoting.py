"""A sentence that does not stand gives way to what it cites, where that may be said by itself."""

from __future__ import annotations

from reasoning.evidence import Claim
from reasoning.quoting import quote_instead, stands_alone

RISK = "Drinking a lot of beer raises the risk of an attack of gout."
DIET = "People with gout are told to eat less red meat and seafood."
CLIMATE = "The clinic is open on weekdays from nine to five in the winter."


def written(text: str, *quotes: str, paragraph: int = 1) -> Claim:
    return Claim(text, tuple((f"lib:{at}", quote) for at, quote in enumerate(quotes)), paragraph)


GOOD = written("Beer can bring on gout.", RISK)
BAD = written("People with gout must never eat red meat.", CLIMATE, DIET, paragraph=2)


def test_the_nearest_quote_takes_the_place():
    said = quote_instead([GOOD, BAD], [GOOD], [GOOD, BAD])
    assert [(claim.text, claim.paragraph) for claim in said] == [(GOOD.text, 1), (DIET, 2)]
    assert said[1].support == (("lib:1", DIET),)


def test_a_quote_on_another_matter_is_not_said():
    assert quote_instead([written("Red meat is forbidden.", CLIMATE)], [], [written("x", CLIMATE)]) == []


def test_what_is_told_already_is_not_told_again():
    twice = [GOOD, written("Beer always brings on gout.", RISK)]
    assert quote_instead(twice, [GOOD], twice) == [GOOD]


def test_a_sentence_without_a_sound_quote_is_gone():
    assert quote_instead([BAD], [], []) == []


def test_standing_alone():
    assert stands_alone(DIET)
    for broken in ("Too short.", "This also raises the risk of an attack.", DIET[:-1], f"Line\n{DIET}"):
        assert not stands_alone(broken)
