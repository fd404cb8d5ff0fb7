"""The dashboard in deploy/ asks for figures that the server shows."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pbm.service.ports import Pulse, ThoughtCounts
from pbm.service.ports.mail import Queues
from pbm.watch.metrics import MetricsObserver, State, gauges

FILE = Path(__file__).resolve().parent.parent / "deploy" / "grafana.json"
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)

_NAME = re.compile(r"\b(?:pbm|process)_[a-z_]+\b")
_LABELS = re.compile(r"(?:by \(([a-z, ]+)\))|(?:[{,]([a-z]+)=)")


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FILE.read_text())["panels"]
    return found


def expressions() -> Iterator[str]:
    for panel in panels():
        yield from (target["expr"] for target in panel["targets"])


def shown() -> dict[str, set[str]]:
    """Return the labels of each figure that a server can show, by its name."""
    observer = MetricsObserver()
    queues = Queues(0, 0, None, 0, 0, None, 0)
    pulses = (Pulse("relay", NOON, NOON, failing=False),)
    thoughts = ThoughtCounts(0, 0, None)
    state = State(NOON, queues, pulses, thoughts)
    found: dict[str, set[str]] = {}
    for family in (*observer.registry.collect(), *gauges(state, usable=True)):
        labels = set(_labels_of(observer, family.name)).union(*(s.labels for s in family.samples))
        suffixes = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}
        for suffix in suffixes.get(family.type, ("",)):
            found[f"{family.name}{suffix}"] = labels
    return found


def _labels_of(observer: MetricsObserver, name: str) -> tuple[str, ...]:
    """Return the labels of a counter that has counted nothing yet."""
    counters = (each for each in vars(observer).values() if getattr(each, "_name", "") == name)
    return next((tuple(each._labelnames) for each in counters), ())


def test_every_expression_names_figures_and_labels_that_there_are() -> None:
    figures = shown()
    for expression in expressions():
        names = _NAME.findall(expression)
        assert names or expression.startswith("min(up{"), expression
        for name in names:
            assert name in figures, expression
            asked = {
                word
                for pair in _LABELS.findall(expression)
                for word in re.split(", ?", pair[0] or pair[1])
            }
            assert asked <= figures[name] | {"job", "le", "instance"}, expression


def test_every_figure_of_ours_is_on_the_dashboard() -> None:
    asked = {name for expression in expressions() for name in _NAME.findall(expression)}
    ours = {name for name in shown() if name.startswith("pbm_")}
    left = {name for name in ours - asked if not name.endswith(("_count", "_sum"))}
    assert left == set()


def test_the_panels_lie_beside_each_other() -> None:
    places = [
        (panel["gridPos"]["x"] + x, panel["gridPos"]["y"] + y)
        for panel in panels()
        for x in range(panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["h"])
    ]
    assert len(places) == len(set(places))
    assert len({panel["id"] for panel in panels()}) == len(panels())


@pytest.mark.parametrize("count", [99, 5000])
def test_a_label_has_a_hundred_values_and_the_rest_together_are_other(count: int) -> None:
    observer = MetricsObserver()
    observer.done_by_itself({f"chore {number}": 1 for number in range(count)})
    (family,) = (each for each in observer.registry.collect() if each.name == "pbm_chores")
    totals = {s.labels["chore"]: s.value for s in family.samples if s.name.endswith("_total")}
    assert len(totals) == min(count, 101)
    assert sum(totals.values()) == count
