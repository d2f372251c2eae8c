"""Charts: what is drawn is what the table says, in the frame, and breaks where there is nothing."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.review.charts import HEIGHT, WIDTH, Series, ceiling, shares, stack, trace
from bot.review.dashboard import draw
from storage.history.review import Day, Overview

MONDAY = date(2026, 11, 2)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], 1), ([0.0], 1), ([None, 3], 5), ([10], 10), ([11], 20), ([499], 500), ([501], 1000)],
)
def test_the_top_of_the_axis(values: list[float | None], expected: float):
    assert ceiling(values) == expected


@given(st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900)), min_size=1, max_size=90))
def test_bars_are_in_the_frame_and_stand_on_each_other(values: list[tuple[int, int]]):
    series = [Series(name, name, [pair[n] for pair in values]) for n, name in enumerate(("one", "two"))]
    most = ceiling([sum(pair) for pair in values])
    for bar in stack(series, most):
        assert bar.x >= 0
        assert bar.x + bar.width <= WIDTH + 0.1
        assert bar.y >= 0
        assert bar.y + bar.height <= HEIGHT
    [low, high] = stack([Series("a", "one", [3]), Series("b", "two", [4])], 10)
    assert high.y + high.height == pytest.approx(low.y)
    assert low.height / high.height == pytest.approx(3 / 4, abs=0.01)


def test_a_line_breaks_where_a_day_has_nothing():
    lines, dots = trace([Series("a", "one", [1.0, 0.5, None, 0.2, None, None, 0.1, 0.3])], 1.0)
    assert [len(line.points.split()) for line in lines] == [2, 2]
    assert len(dots) == 1


def test_lying_bars_are_against_the_longest():
    assert [bar.width for bar in shares([40, 10, 0])] == [WIDTH, WIDTH / 4, 0]
    assert shares([]) == ()


def test_the_figures_of_three_days():
    days = (
        Day(MONDAY, 10, 1, 0, 2, 3, 1, 4, 1, 5.0, 20.0),
        Day(date(2026, 11, 4), 20, 4, 0, 0, 0, 0, 0, 0, None, None),
    )
    overview = Overview(days, {"literature": 20, "sema-rag": 10}, {"correct": 3, "unsafe": 1}, 4, 3, 0, None)
    charts = {chart.id: chart for chart in draw(overview, MONDAY, date(2026, 11, 4))}
    assert charts["volume"].rows == (("2026-11-02", "10"), ("2026-11-04", "20"))
    assert (charts["volume"].top, len(charts["volume"].bars)) == ("20", 2)
    assert charts["routes"].rows[1] == ("sema-rag", "10", "33 %")
    assert "75 % of those" in charts["thumbs"].summary
    assert charts["abstention"].summary == "5 of 30 answers, 17 %."
    assert charts["wrong"].rows == (("2026-11-02", "1", "4", "25 %"),)
    assert charts["seconds"].summary == "The slowest day was 2026-11-02."
    assert charts["agreement"].rows[0] == ("the same verdict", "3", "75 %")


def test_no_figures_at_all():
    for chart in draw(Overview((), {}, {}, 0, 0, 0, None), MONDAY, MONDAY):
        assert not chart.rows
        assert not chart.bars
