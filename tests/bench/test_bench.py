"""`python -m bench`: the form of its output. Figures are never tested."""

import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench import play
from bench.__main__ import main
from bench.games import engine_playouts
from bench.report import Cost, in_turn
from pbm.plugins import installed_games
from tests.bench.forked import forked_servers
from tests.databases import postgres_server
from tests.installing import install


def bench(*arguments: str) -> int:
    """Run the benchmarks on rounds too short to say anything; return the exit status."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


@pytest.fixture
def forked() -> Iterator[None]:
    """Fork the servers of the benchmarks."""
    with forked_servers():
        yield


YARDSTICK = "pip install chess brings the yardstick"


@pytest.fixture(autouse=True)
def _short_yardstick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure how fast the machine is for no longer than anything else."""
    monkeypatch.setattr(play, "YARDSTICK_SECONDS", 0.001)


def test_each_game_is_told_as_a_ratio_to_the_yardstick_of_the_same_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("chess", reason=YARDSTICK)
    assert bench("engines", "--rounds", "2", "--seconds", "0.001") == 0
    told = capsys.readouterr()
    (report,) = json.loads(told.out)["parts"]
    assert (report["rounds"], report["seconds"]) == (2, 0.001)
    yardstick, *games = report["rows"]
    assert (yardstick["game"], yardstick["ratio"]) == ("python-chess", 1.0)
    assert [game["game"] for game in games] == [game.info.key for game in installed_games()]
    for game in games:
        assert game["plies_per_second"] > 0
        assert game["game"] in told.err


def test_only_the_games_that_are_named_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("chess", reason=YARDSTICK)
    assert bench("engines", "--game", "nmm", "--rounds", "1", "--seconds", "0.001") == 0
    found = rows(capsys.readouterr().out, "engines")
    assert [row["game"] for row in found] == ["python-chess", "morris"]


def test_without_the_yardstick_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    assert bench("engines") == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "bench: The yardstick is python-chess; get it: pip install chess.\n"


def test_contestants_work_in_turn_and_the_first_round_is_not_counted() -> None:
    worked: list[str] = []

    def work(name: str) -> Cost:
        worked.append(name)
        return {"turn": len(worked)}

    costs = in_turn({"A": lambda: work("A"), "B": lambda: work("B")}, rounds=2)
    assert worked == ["A", "B"] * 3
    assert costs == {"A": [{"turn": 3}, {"turn": 5}], "B": [{"turn": 4}, {"turn": 6}]}


def test_a_playout_counts_the_plies_of_one_whole_game() -> None:
    game = installed_games().get("olix")
    plies = engine_playouts(game, random.Random(7))()
    assert 15 < plies <= 122  # a row of eight stones at the earliest, a full board at the latest


TINY = ("--moves", "3", "--boards", "2", "--rounds", "1", "--game", "olix")


def rows(told: str, benchmark: str) -> list[dict[str, Any]]:
    """Return the rows of a report, and check that it is one of that benchmark."""
    (report,) = json.loads(told)["parts"]
    assert report["benchmark"] == benchmark
    assert report["unit"]
    found: list[dict[str, Any]] = report["rows"]
    return found


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install a game for three; return its key."""
    source = "from tests.engine.noughts.three import game"
    install(tmp_path, monkeypatch, "three_at_a_table", source)
    return "three"


def test_a_game_for_three_is_measured_with_three_mails_a_move(three: str) -> None:
    pytest.importorskip("chess", reason=YARDSTICK)
    assert bench("play", *TINY[:-1], three, "--form", "text") == 0


def test_play_tells_what_a_move_costs_on_sqlite_in_each_form(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("chess", reason=YARDSTICK)
    assert bench("play", *TINY, "--form", "text", "--form", "html") == 0
    told = capsys.readouterr()
    rates = rows(told.out, "play")
    assert [(r["database"], r["form"]) for r in rates] == [("sqlite", "text"), ("sqlite", "html")]
    for rate in rates:
        assert rate["play"] > 0
        assert rate["ratio"] > 0
        assert rate["form"] in told.err


@pytest.mark.postgres
def test_play_makes_its_database_on_the_server_that_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("chess", reason=YARDSTICK)
    assert bench("play", *TINY, "--form", "text", "--on", postgres_server(), "--json") == 0
    told = capsys.readouterr()
    assert [rate["database"] for rate in rows(told.out, "play")] == ["postgresql"]
    assert told.err == ""


def test_play_makes_no_database_beside_one_in_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("chess", reason=YARDSTICK)
    file = tmp_path / "pbm.db"
    assert bench("play", *TINY, "--on", f"sqlite:///{file}") == 1
    assert capsys.readouterr().err == (
        "bench: A scratch database is made on a PostgreSQL server, or write sqlite.\n"
    )
    assert not file.exists()


def test_a_match_that_ends_too_soon_is_not_measured(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("chess", reason=YARDSTICK)
    assert bench("play", "--moves", "300", "--boards", "1", "--game", "gonnect",
                 "--option", "size=5", "--form", "text") == 1  # fmt: skip
    assert "ends too soon" in capsys.readouterr().err


def test_long_matches_are_compared_with_new_ones_in_each_game_that_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    games = ("--game", "notwos", "--game", "olix")
    assert bench("nth-move", *games, "--boards", "1", "--rounds", "1", "--form", "text") == 0
    found = rows(capsys.readouterr().out, "nth-move")
    assert [row["game"] for row in found] == ["notwos", "olix"]
    assert all(row["n"] > 10 and row["one"] > 0 and row["other"] > 0 for row in found)


def test_no_more_moves_are_asked_for_than_a_match_has(capsys: pytest.CaptureFixture[str]) -> None:
    # Its random match ends after 104 plies: too soon for the hundredth and five more.
    what = ("nth-move", "--game", "pow2", "--form", "text")
    assert bench(*what, "--boards", "1", "--rounds", "5") == 0
    (row,) = rows(capsys.readouterr().out, "nth-move")
    assert row["n"] == 50


def test_many_boards_are_compared_with_two_twenty_fifths_of_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("many-boards", "--moves", "2", "--boards", "25", "--rounds", "1", "--game", "olix",
                 "--form", "text") == 0  # fmt: skip
    (row,) = rows(capsys.readouterr().out, "many-boards")
    assert (row["fewer"], row["boards"]) == (2, 25)
    assert row["ratio"] > 0


def test_the_disk_is_looked_at_before_and_after_mails_are_forgotten(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("disk", "--moves", "12", "--boards", "12", "--game", "olix", "--form", "html") == 0
    (row,) = rows(capsys.readouterr().out, "disk")
    assert row["done"] > row["pruned"]


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_the_whole_way_is_told_as_a_ratio_to_n_and_its_cpu_by_stage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    layouts = ("--processes", "one", "--processes", "four")
    assert bench("way", *TINY, "--form", "html", *layouts, "--connections", "2") == 0
    null, one, four = rows(capsys.readouterr().out, "way")
    assert (null["database"], null["ratio"], null["cpu_ratio"]) == ("N", 1.0, 1.0)
    assert (one["database"], one["processes"], one["form"]) == ("sqlite", "one", "html")
    assert one["rate"] > 0
    assert one["cpu.all"] > 0
    assert all(four[f"cpu.{stage}"] > 0 for stage in ("intake", "play", "deliver"))


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_intake_is_told_as_a_ratio_to_n(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("intake", *TINY, "--connections", "2") == 0
    doors = {
        (row["name"], row["connections"]): row for row in rows(capsys.readouterr().out, "intake")
    }
    assert doors["D", None]["rate"] > 0
    for many in (2, 64):
        assert doors["N", many]["ratio"] == 1.0
        assert doors["sqlite", many]["ratio"] > 0


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_an_answer_takes_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("latency", *TINY, "--connections", "1", "--processes", "one") == 0
    (row,) = rows(capsys.readouterr().out, "latency")
    assert row["answers"] == 3
    assert 0 < row["p50"] <= row["p99"] <= row["worst"]


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_a_flood_is_answered_and_so_is_the_mail_in_its_middle(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("flood", "--moves", "6", "--boards", "2", "--game", "olix", "--connections", "2",
                 "--processes", "one") == 0  # fmt: skip
    (row,) = rows(capsys.readouterr().out, "flood")
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
    assert bench("many-boards", "--boards", "1000000", "--game", "olix") == 128 + signal.SIGTERM
    ending.join()
    assert list(tmp_path.iterdir()) == []
