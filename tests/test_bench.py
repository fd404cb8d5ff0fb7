"""`python -m bench`: the form of its output, on rounds too short to say anything.

Figures are never tested. Servers are forked: importing pbm would take longer than what is measured.
The only difference is that they are killed at the end. The yardstick is started as usual.
"""

import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bench import play, servers
from bench.__main__ import main
from bench.games import engine_playouts
from bench.report import Cost, in_turn
from pbm.plugins import installed_games
from tests.databases import postgres_server
from tests.processes import Process, Streams, fork

pytestmark = pytest.mark.slow

Row = dict[str, Any]
Bench = Callable[[str], list[Row]]


def ended(line: str) -> int:
    """Run the benchmarks; return the exit status."""
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    return int(ended.value.code or 0)


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str]) -> Bench:
    """Return what runs a part of the benchmarks, and gives the rows of its report."""

    def run(line: str) -> list[Row]:
        assert ended(line) == 0
        told = capsys.readouterr()
        (report,) = json.loads(told.out)["parts"]
        assert report["benchmark"] == line.split(maxsplit=1)[0]
        assert report["unit"]
        found: list[Row] = report["rows"]
        # Tables are for people.
        assert ("--json" in line) != bool(told.err)
        return found

    return run


@pytest.fixture(autouse=True)
def _short_yardstick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure how fast the machine is for no longer than anything else."""
    monkeypatch.setattr(play, "YARDSTICK_SECONDS", 0.001)


@pytest.fixture
def _forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the servers that are started."""
    start = servers._process

    def forked(arguments: Sequence[str], folder: Path) -> Process:
        _, _, *words = arguments
        streams = Streams(errors=folder / "serve.log")
        # Asked to end, it would say QUIT to the bench, whose loop waits here and cannot answer.
        return fork(*words, home=folder, environment=servers.environment(), streams=streams)

    @contextmanager
    def process(arguments: Sequence[str], folder: Path) -> Any:
        with (forked if "pbm" in arguments else start)(arguments, folder) as running:
            yield running

    monkeypatch.setattr(servers, "_process", process)


@pytest.fixture
def _chess() -> None:
    pytest.importorskip("chess", reason="pip install chess brings the yardstick")


TINY = "--moves 3 --boards 2 --rounds 1 --game olix"


@pytest.mark.usefixtures("_chess")
def test_each_game_is_told_as_a_ratio_to_the_yardstick_of_the_same_run(bench: Bench) -> None:
    yardstick, *games = bench("engines --rounds 1 --seconds 0.001")
    assert (yardstick["game"], yardstick["ratio"]) == ("python-chess", 1.0)
    assert [game["game"] for game in games] == [game.info.key for game in installed_games()]
    assert all(game["plies_per_second"] > 0 for game in games)
    named = bench("engines --game nmm --rounds 1 --seconds 0.001")
    assert [row["game"] for row in named] == ["python-chess", "morris"]


@pytest.mark.usefixtures("_chess")
def test_what_cannot_be_measured_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "pbm.db"
    short = "play --moves 300 --boards 1 --game gonnect --option size=5 --form text"
    for line, told in (
        (short, "ends too soon"),
        (f"play {TINY} --on sqlite:///{database}",
         "bench: A scratch database is made on a PostgreSQL server, or write sqlite.\n"),
        ("engines", "bench: The yardstick is python-chess; get it: pip install chess.\n"),
    ):  # fmt: skip
        if line == "engines":
            monkeypatch.setitem(sys.modules, "chess", None)
        assert ended(line) == 1
        assert told in capsys.readouterr().err
    assert not database.exists()


def test_contestants_work_in_turn_and_the_first_round_is_not_counted() -> None:
    worked: list[str] = []

    def work(name: str) -> Cost:
        worked.append(name)
        return {"turn": len(worked)}

    costs = in_turn({"A": lambda: work("A"), "B": lambda: work("B")}, rounds=2)
    assert worked == ["A", "B"] * 3
    assert costs == {"A": [{"turn": 3}, {"turn": 5}], "B": [{"turn": 4}, {"turn": 6}]}


def test_a_playout_counts_the_plies_of_one_whole_game() -> None:
    plies = engine_playouts(installed_games().get("olix"), random.Random(7))()
    assert 15 < plies <= 122  # a row of eight stones at the earliest, a full board at the latest


@pytest.mark.usefixtures("_chess")
def test_play_tells_what_a_move_costs_on_sqlite_in_each_form(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = bench(f"play {TINY} --form text --form html")
    assert [(r["database"], r["form"]) for r in rates] == [("sqlite", "text"), ("sqlite", "html")]
    assert all(rate["play"] > 0 and rate["ratio"] > 0 for rate in rates)


@pytest.mark.postgres
@pytest.mark.usefixtures("_chess")
def test_play_makes_its_database_on_the_server_that_is_named(bench: Bench) -> None:
    rates = bench(f"play {TINY} --form text --on {postgres_server()} --json")
    assert [rate["database"] for rate in rates] == ["postgresql"]


def test_long_matches_are_compared_with_new_ones_in_each_game_that_is_named(bench: Bench) -> None:
    found = bench("nth-move --game notwos --game olix --boards 1 --rounds 1 --form text")
    assert [row["game"] for row in found] == ["notwos", "olix"]
    assert all(row["n"] > 10 and row["one"] > 0 and row["other"] > 0 for row in found)
    # Its random match ends after 104 plies: too soon for the hundredth and five more.
    (row,) = bench("nth-move --game pow2 --form text --boards 1 --rounds 5")
    assert row["n"] == 50


def test_many_boards_are_compared_with_two_twenty_fifths_of_them(bench: Bench) -> None:
    (row,) = bench("many-boards --moves 2 --boards 25 --rounds 1 --game olix --form text")
    assert (row["fewer"], row["boards"]) == (2, 25)
    assert row["ratio"] > 0


def test_the_disk_is_looked_at_before_and_after_mails_are_forgotten(bench: Bench) -> None:
    (row,) = bench("disk --moves 12 --boards 12 --game olix --form html")
    assert row["done"] > row["pruned"]


@pytest.mark.usefixtures("_forked")
def test_the_whole_way_is_told_as_a_ratio_to_n_and_its_cpu_by_stage(bench: Bench) -> None:
    layouts = "--processes one --processes four --connections 2"
    null, one, four = bench(f"way {TINY} --form html {layouts}")
    assert (null["database"], null["ratio"], null["cpu_ratio"]) == ("N", 1.0, 1.0)
    assert (one["database"], one["processes"], one["form"]) == ("sqlite", "one", "html")
    assert one["rate"] > 0
    assert one["cpu.all"] > 0
    assert all(four[f"cpu.{stage}"] > 0 for stage in ("intake", "play", "deliver"))


@pytest.mark.usefixtures("_forked")
def test_intake_is_told_as_a_ratio_to_n(bench: Bench) -> None:
    found = bench(f"intake {TINY} --connections 2")
    doors = {(row["name"], row["connections"]): row for row in found}
    assert doors["D", None]["rate"] > 0
    for many in (2, 64):
        assert doors["N", many]["ratio"] == 1.0
        assert doors["sqlite", many]["ratio"] > 0


@pytest.mark.usefixtures("_forked")
def test_an_answer_takes_a_time_also_in_the_middle_of_a_flood(bench: Bench) -> None:
    (row,) = bench(f"latency {TINY} --connections 1 --processes one")
    assert row["answers"] == 3
    assert 0 < row["p50"] <= row["p99"] <= row["worst"]
    (row,) = bench("flood --moves 6 --boards 2 --game olix --connections 2 --processes one")
    assert row["mails"] == 3, "but for those of the board that is asked in between"
    assert row["answered"] >= row["taken"] > 0
    assert row["between"] > 0


FILLING = 2 << 20
"""Octets of a database with many boards, far more than its empty tables take."""


def test_an_end_by_sigterm_leaves_no_scratch_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def end_it() -> None:
        # Among the boards: an import that a signal ends leaves its file open, which is a warning.
        while sum(file.stat().st_size for file in tmp_path.glob("*/pbm.db*")) < FILLING:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)

    ending = threading.Thread(target=end_it)
    ending.start()
    assert ended("many-boards --boards 1000000 --game olix") == 128 + signal.SIGTERM
    ending.join()
    assert list(tmp_path.iterdir()) == []
