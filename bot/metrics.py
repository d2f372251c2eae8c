"""What is counted while carecite runs, as Prometheus reads it at /metrics (bot/health/probes.py).

Labels are platforms and codes that stand in our code: no id, nobody's words. What happens in this process
is counted here; the ends of questions and what waits are read from the history, where all processes meet.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from storage.history.chat import Count, Delivery, Platform, Reading

REGISTRY = CollectorRegistry()
_QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5)
_SLOW = (0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300)
_ACCEPTED = Histogram(
    "carecite_accept_seconds", "From receiving to keeping", ["platform"], registry=REGISTRY, buckets=_QUICK
)
_FIRST_SIGN = Histogram(
    "carecite_first_sign_seconds", "Until a first sign", ["platform"], registry=REGISTRY, buckets=_SLOW
)
_ANSWER = Histogram(
    "carecite_answer_seconds", "Until an answer", ["platform"], registry=REGISTRY, buckets=_SLOW
)
_POSTPONED = Counter(
    "carecite_postponed", "Messages that the platform takes later", ["platform", "code"], registry=REGISTRY
)
_GIVEN_UP = Counter(
    "carecite_given_up", "Messages that it never takes", ["platform", "code"], registry=REGISTRY
)
_RETRIES = Counter("carecite_retries", "Messages that went out again", ["platform"], registry=REGISTRY)
_RENEWALS = Counter(
    "carecite_receiver_restarts", "Receivers begun anew after a silence", ["platform"], registry=REGISTRY
)
_SIGNS = ("placeholder", "reply 1", "consent 1")  # the parts that come first, by name
_ANSWERS = ("answer 1", "reply 1")


@contextmanager
def accepting(platform: Platform) -> Iterator[None]:
    """Around what a receiver does from reading a delivery until it is kept."""
    began = time.perf_counter()
    yield
    _ACCEPTED.labels(platform).observe(time.perf_counter() - began)


def count_sent(platform: Platform, delivery: Delivery, seconds: float) -> None:
    """A part that arrived, `seconds` after it was fetched."""
    age = delivery.age + seconds
    if delivery.name in _SIGNS:
        _FIRST_SIGN.labels(platform).observe(age)
    if delivery.name in _ANSWERS:
        _ANSWER.labels(platform).observe(age)
    if delivery.attempt > 1:
        _RETRIES.labels(platform).inc()


def count_postponed(platform: Platform, code: str) -> None:
    _POSTPONED.labels(platform, code).inc()


def count_given_up(platform: Platform, code: str) -> None:
    _GIVEN_UP.labels(platform, code).inc()


def count_renewal(platform: str) -> None:
    _RENEWALS.labels(platform).inc()


def exposition(reading: Reading) -> bytes:
    """Everything in the text format of Prometheus 0.0.4."""
    kept = CollectorRegistry()
    kept.register(_Kept(reading))
    return generate_latest(REGISTRY) + generate_latest(kept)


class _Kept:
    """The families that are read from the history."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def collect(self) -> Iterable[Metric]:
        taken = CounterMetricFamily("carecite_questions_taken", "Questions for a worker", labels=["platform"])
        ends = CounterMetricFamily("carecite_questions", "Questions by their end", labels=["platform", "end"])
        for one in self._reading.tallies:
            family, _, end = one.what.partition(":")
            if family == "questions":
                taken.add_metric([one.platform], one.n)
            elif family == "end":
                ends.add_metric([one.platform, end], one.n)
        yield from (taken, ends)
        yield _gauge("carecite_questions_open", "Questions without an end", "state", self._reading.open)
        yield _gauge("carecite_outbox", "Messages not sent yet", "state", self._reading.unsent)
        yield _gauge("carecite_outbox_overdue_seconds", "The oldest waits", "", self._reading.overdue)


def _gauge(name: str, about: str, label: str, counts: Iterable[Count]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=["platform", label] if label else ["platform"])
    for one in counts:
        family.add_metric([one.platform, one.what] if label else [one.platform], one.n)
    return family
