"""Words of searches: whose they are, and until when."""

from __future__ import annotations

from bot.review.searches import MOST, WINDOW, Searches
from storage.history.review.sessions import LONGEST


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_words_are_for_whoever_searched():
    searches = Searches()
    name = searches.keep(1, "chest pain")
    assert searches.keep(1, "chest pain") == name
    assert searches.keep(2, "chest pain") != name
    assert (searches.find(1, name), searches.find(2, name), searches.find(1, "x")) == (
        "chest pain",
        None,
        None,
    )
    assert "chest" not in name


def test_words_are_forgotten():
    clock = Clock()
    searches = Searches(clock)
    early, other = searches.keep(1, "early"), searches.keep(2, "other")
    searches.forget(1)
    assert (searches.find(1, early), searches.find(2, other)) == (None, "other")
    clock.now += LONGEST.total_seconds() - 1
    late = searches.keep(2, "late")
    clock.now += 2
    assert (searches.find(2, other), searches.find(2, late)) == (None, "late")


def test_memory_is_bounded():
    searches = Searches()
    names = [searches.keep(n, "x") for n in range(MOST + 5)]
    assert searches.find(0, names[0]) is None
    assert searches.find(MOST + 4, names[-1]) == "x"


def test_the_same_look_is_new_once_in_a_while():
    clock = Clock()
    searches = Searches(clock)
    assert searches.is_new("a")
    clock.now += WINDOW - 1
    assert not searches.is_new("a")
    assert searches.is_new("b")
    clock.now += 1
    assert searches.is_new("a")
    clock.now += 1
    assert not searches.is_new("b")
