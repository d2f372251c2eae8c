"""The figures of some days as charts: volume, route mix, thumbs, abstention, time to answer, what reviewers
found unsupported, and how far they agree. Days are of UTC; a day without answers is in them, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from bot.review.charts import Chart, Series, ceiling, shares, stack, trace
from storage.history.review import Day, Overview

_NONE = (0,) * 8


def draw(overview: Overview, since: date, until: date) -> tuple[Chart, ...]:
    """`until` is the last day that belongs to it."""
    found = {day.day: day for day in overview.days}
    count = (until - since).days + 1
    days = [since + timedelta(days=n) for n in range(count)]
    filled = [found.get(day) or Day(day, *_NONE, None, None) for day in days]
    return (
        _counts(filled, "volume", "Answers a day", _volume(overview), (("answers", "one"),)),
        _mix("routes", "Methods that answered", "method", overview.methods),
        _counts(
            filled, "thumbs", "Feedback a day", _thumbs(filled), (("helpful", "one"), ("unhelpful", "two"))
        ),
        _rate(filled, "abstention", "Abstained", lambda day: (day.abstained, day.answers), "answers"),
        _seconds(filled),
        _rate(
            filled, "wrong", "Found unsupported or unsafe", lambda day: (day.wrong, day.reviewed), "reviews"
        ),
        _mix("agreement", "Two reviewers of one answer", "opinion", _agreement(overview)),
        _mix("verdicts", "Verdicts", "verdict", overview.verdicts),
    )


def _volume(overview: Overview) -> str:
    return f"{overview.answers:,} answers in all."


def _thumbs(days: Sequence[Day]) -> str:
    good, bad = sum(day.helpful for day in days), sum(day.unhelpful for day in days)
    return (
        f"{good:,} helpful, {bad:,} not; {_percent(good, good + bad)} of those who said so found it helpful."
    )


def _agreement(overview: Overview) -> dict[str, int]:
    agreed = {"the same verdict": overview.agreed, "another one": overview.twice - overview.agreed}
    return agreed if overview.twice else {}


def _counts(
    days: Sequence[Day], id: str, title: str, summary: str, fields: tuple[tuple[str, str], ...]
) -> Chart:
    series = [Series(name, look, [getattr(day, name) for day in days]) for name, look in fields]
    most = ceiling([sum(values) for values in zip(*(one.values for one in series), strict=True)])
    rows = tuple(
        (str(day.day), *(f"{getattr(day, name):,}" for name, _ in fields)) for day in days if day.answers
    )
    return Chart(
        id,
        title,
        summary,
        ("Day", *(name.capitalize() for name, _ in fields)),
        rows,
        bars=stack(series, most),
        names=tuple((look, name) for name, look in fields),
        top=f"{most:,.0f}",
        ends=_ends(days),
    )


def _rate(
    days: Sequence[Day], id: str, title: str, parts: Callable[[Day], tuple[int, int]], of: str
) -> Chart:
    pairs = [parts(day) for day in days]
    values = [some / all_ if all_ else None for some, all_ in pairs]
    lines, dots = trace([Series(title, "one", values)], 1.0)
    some, all_ = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
    rows = tuple(
        (str(day.day), f"{pair[0]:,}", f"{pair[1]:,}", _percent(*pair))
        for day, pair in zip(days, pairs, strict=True)
        if pair[1]
    )
    summary = f"{some:,} of {all_:,} {of}, {_percent(some, all_)}."
    heads = ("Day", "So many", f"Of {of}", "Share")
    return Chart(id, title, summary, heads, rows, lines=lines, dots=dots, top="100 %", ends=_ends(days))


def _seconds(days: Sequence[Day]) -> Chart:
    series = [
        Series("half of them within", "one", [day.median_seconds for day in days]),
        Series("19 of 20 within", "two", [day.slow_seconds for day in days]),
    ]
    most = ceiling([value for one in series for value in one.values])
    lines, dots = trace(series, most)
    timed = [day for day in days if day.median_seconds is not None and day.slow_seconds is not None]
    rows = tuple((str(day.day), f"{day.median_seconds:.1f}", f"{day.slow_seconds:.1f}") for day in timed)
    slowest = max(timed, key=lambda day: day.slow_seconds or 0, default=None)
    summary = f"The slowest day was {slowest.day}." if slowest else "None came by chat."
    return Chart(
        "seconds",
        "Seconds from question to answer",
        summary,
        ("Day", "Half of them within", "19 of 20 within"),
        rows,
        lines=lines,
        dots=dots,
        names=tuple((one.look, one.name) for one in series),
        top=f"{most:,.0f} s",
        ends=_ends(days),
    )


def _mix(id: str, title: str, kind: str, counts: dict[str, int]) -> Chart:
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    rows = tuple((name, f"{count:,}", _percent(count, total)) for name, count in ordered)
    summary = f"Most often {rows[0][0]}, {rows[0][2]}." if total else "There are none."
    heads = (kind.capitalize(), "So many", "Share")
    return Chart(id, title, summary, heads, rows, bars=shares([count for _, count in ordered]))


def _percent(some: int, all_: int) -> str:
    return f"{some / all_:.0%}".replace("%", " %") if all_ else "–"


def _ends(days: Sequence[Day]) -> tuple[str, str]:
    return str(days[0].day), str(days[-1].day)
