"""Figures of a server: asked for over HTTP, drawn on the dashboard, and watched by alerts."""

import json
import re
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest
from prometheus_client import CollectorRegistry

from pbm.cli import COMMANDS
from pbm.config import TcpEndpoint
from pbm.domain.bounces import Returns
from pbm.domain.mail import Fate
from pbm.server.watch.metrics import MetricsObserver, State, Watched, gauges
from pbm.system import utc_now
from tests.doors import Handover, Pulse, Queues, ThoughtCounts
from tests.processes import PATIENCE

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@cache
def shown() -> dict[str, set[str]]:
    """Return the labels of each figure that a server can show, by its name."""
    observer = MetricsObserver()
    queues = Queues(0, 0, None, 0, 0, None, 0)
    pulses = (Pulse("relay", NOON, NOON, failing=False),)
    returns = (Returns("a.example", 1, 2, ""),)
    state = State(NOON, queues, pulses, ThoughtCounts(0, 0, None), 0, returns)
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


@pytest.mark.parametrize("count", [99, 5000])
def test_a_label_has_a_hundred_values_and_the_rest_together_are_other(count: int) -> None:
    observer = MetricsObserver()
    observer.done_by_itself({f"chore {number}": 1 for number in range(count)})
    (family,) = (each for each in observer.registry.collect() if each.name == "pbm_chores")
    totals = {s.labels["chore"]: s.value for s in family.samples if s.name.endswith("_total")}
    assert len(totals) == min(count, 101)
    assert sum(totals.values()) == count


# ---- the dashboard and the alerts

PANELS: list[dict[str, Any]] = json.loads((DEPLOY / "grafana.json").read_text())["panels"]
EXPRESSIONS = [target["expr"] for panel in PANELS for target in panel["targets"]]

ALERTS = [
    dict(re.findall(r"(\w+): +(.+)", part))
    for part in (DEPLOY / "prometheus" / "pbm.rules.yml").read_text("utf-8").split("- alert:")[1:]
]
"""The keys of each alert: PyYAML would be a dependency for two files."""

_NAME = re.compile(r"\b(?:pbm|process)_[a-z_]+\b")
_LABELS = re.compile(r"(?:by \(([a-z, ]+)\))|(?:[{,]([a-z]+)=)")


def test_every_expression_of_the_dashboard_names_figures_and_labels_that_there_are() -> None:
    figures = shown()
    for expression in EXPRESSIONS:
        names = _NAME.findall(expression)
        assert names or expression.startswith("min(up{"), expression
        found = _LABELS.findall(expression)
        asked = {word for pair in found for word in re.split(", ?", pair[0] or pair[1])}
        for name in names:
            assert name in figures, expression
            assert asked <= figures[name] | {"job", "le", "instance"}, expression


def test_every_figure_of_ours_is_on_the_dashboard_and_its_panels_lie_beside_each_other() -> None:
    asked = {name for expression in EXPRESSIONS for name in _NAME.findall(expression)}
    ours = {name for name in shown() if name.startswith("pbm_")}
    assert {name for name in ours - asked if not name.endswith(("_count", "_sum"))} == set()
    grids = [panel["gridPos"] for panel in PANELS]
    places = [
        (grid["x"] + x, grid["y"] + y)
        for grid in grids
        for x in range(grid["w"])
        for y in range(grid["h"])
    ]
    assert len(places) == len(set(places))
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)


def test_an_alert_names_figures_that_there_are_and_commands_that_help() -> None:
    assert len(ALERTS) == 14, "one for each way in which a server fails"
    figures = shown()
    for alert in ALERTS:
        asked = alert["expr"]
        names = re.findall(r"\bpbm_[a-z_]+", asked)
        assert names or asked.startswith("up{"), asked
        assert set(names) <= set(figures), asked
        for label, value in re.findall(r'[{,](\w+)!?="([^"]+)"', asked):
            assert label == "job" or all(label in figures[name] for name in names), asked
            assert label != "verdict" or value in {*Handover, *Fate}, asked
        assert set(re.findall(r"\bpbm ([a-z]+)", alert["action"])) <= set(COMMANDS), asked
        assert alert["labels"] in ("{severity: page}", "{severity: ticket}")


# ---- the HTTP server

FREE = TcpEndpoint("127.0.0.1", 0)


def no_database() -> NoReturn:
    raise AssertionError


def healthy(failed: Callable[[], str] = str) -> Watched:
    watched = Watched(CollectorRegistry(), no_database, utc_now)
    watched.watch(failed, bool)
    return watched


def connected(endpoint: TcpEndpoint) -> socket.socket:
    return socket.create_connection((endpoint.host, endpoint.port), PATIENCE)


def read_all(client: socket.socket) -> bytes:
    """Return what comes until the server hangs up."""
    return b"".join(iter(lambda: client.recv(1024), b""))


def answer(client: socket.socket) -> bytes:
    client.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
    return read_all(client)


def test_a_server_that_starts_again_at_once_gets_its_port_though_somebody_had_just_asked() -> None:
    with healthy().shown_at(FREE) as first, connected(first) as client:
        answer(client)  # to its end, so that the server has hung up first
    with healthy().shown_at(first) as second:
        assert second == first


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this host has no IPv6")
def test_the_pages_are_shown_at_an_address_of_ipv6() -> None:
    with healthy().shown_at(TcpEndpoint("::1", 0)) as shown, connected(shown) as client:
        assert str(shown) == f"[::1]:{shown.port}"
        assert answer(client)


def test_whoever_connects_and_asks_nothing_keeps_nobody_from_an_answer() -> None:
    with healthy().shown_at(FREE) as shown, ExitStack() as idle:
        for _ in range(4):  # as many as its queue takes
            idle.enter_context(connected(shown)).sendall(b"GET /hea")
        with connected(shown) as client:
            assert answer(client).startswith(b"HTTP/1.0 200 ")


def test_whoever_has_asked_is_answered_though_many_connect_meanwhile() -> None:
    asked, may_answer = threading.Event(), threading.Event()

    def slow() -> str:
        if not asked.is_set():
            asked.set()
            may_answer.wait(PATIENCE)
        return ""

    with healthy(slow).shown_at(FREE) as shown, connected(shown) as first, ExitStack() as idle:
        first.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert asked.wait(PATIENCE)
        for _ in range(4):  # as many as its queue takes
            idle.enter_context(connected(shown))
        with connected(shown) as another:
            assert answer(another).startswith(b"HTTP/1.0 200 ")
        may_answer.set()
        assert read_all(first).startswith(b"HTTP/1.0 200 ")
