"""`pbm bench`: the form of its output. Figures are never tested."""

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

from pbm.bench import play, playouts, rest
from pbm.bench.engines import engine_playouts, nobody, rates_in_turn
from pbm.bench.plan import Plan
from pbm.cli import main
from pbm.plugins import installed_games
from tests.cli.forked import forked_servers
from tests.databases import postgres_server
from tests.engine.noughts import game as noughts
from tests.installing import install
from tests.tables import each


def bench(*arguments: str) -> int:
    """Run `pbm bench` on rounds too short to say anything; return the exit status."""
    with pytest.raises(SystemExit) as ended:
        main(["bench", *arguments])
    return int(ended.value.code or 0)


@pytest.fixture
def forked() -> Iterator[None]:
    """Fork the servers; those at rest and on a slow disk are started as an operator does."""
    with forked_servers():
        yield


YARDSTICK = "pip install 'pbm-server[bench]' brings the yardstick"


@pytest.fixture(autouse=True)
def _short_yardstick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure how fast the machine is for no longer than anything else."""
    monkeypatch.setattr(play, "_YARDSTICK_SECONDS", 0.001)


def test_each_game_is_told_as_a_ratio_to_the_yardstick_of_the_same_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("chess", reason=YARDSTICK)
    assert bench("engines", "--rounds", "2", "--seconds", "0.001") == 0
    told = capsys.readouterr()
    report = json.loads(told.out)
    assert (report["rounds"], report["seconds"]) == (2, 0.001)
    yardstick, *games = report["rows"]
    assert (yardstick["game"], yardstick["ratio"]) == ("python-chess", 1.0)
    assert [game["game"] for game in games] == [game.info.key for game in installed_games()]
    for game in games:
        assert game["plies_per_second"] > 0
        assert game["game"] in told.err


def test_only_the_games_that_are_named_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("chess", reason=YARDSTICK)
    assert bench("engines", "nmm", "--rounds", "1", "--seconds", "0.001") == 0
    report = json.loads(capsys.readouterr().out)
    assert [game["game"] for game in report["rows"]] == ["python-chess", "morris"]


def test_without_the_yardstick_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    assert bench("engines") == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        "pbm: The yardstick is python-chess; get it with: pip install 'pbm-server[bench]'.\n"
    )


@pytest.mark.parametrize("arguments", [["--rounds", "0"], ["--seconds", "0"], ["--seconds", "x"]])
def test_a_number_that_measures_nothing_is_wrong_usage(arguments: list[str]) -> None:
    assert bench("engines", *arguments) == 2


def test_contestants_work_in_turn_after_a_piece_of_work_that_is_not_measured() -> None:
    worked: list[str] = []

    def work(name: str) -> int:
        worked.append(name)
        return 1

    contestants = {"A": lambda: work("A"), "B": lambda: work("B")}
    rates = rates_in_turn(contestants, rounds=3, seconds=1e-9)
    assert {name: len(measured) for name, measured in rates.items()} == {"A": 3, "B": 3}
    turns = [name for n, name in enumerate(worked) if n == 0 or worked[n - 1] != name]
    assert turns == ["A", "B"] * 4


def test_a_playout_counts_the_plies_of_one_whole_game() -> None:
    game = installed_games().get("olix")
    plies = engine_playouts(game, random.Random(7))()
    assert 15 < plies <= 122  # a row of eight stones at the earliest, a full board at the latest


def test_playouts_are_told_by_the_contract_and_with_the_help_of_each_game() -> None:
    catalogue = installed_games()
    plan = Plan((catalogue.get("notwos"), catalogue.get("gonnect")), rounds=1, seconds=1e-9)
    ticks: list[None] = []
    found = playouts.report(plan, lambda: ticks.append(None)).rows
    assert len(ticks) == playouts.steps(plan)
    assert [row["game"] for row in found] == ["notwos", "gonnect"]
    assert all(row["contract"] > 0 and row["helped"] > 0 for row in found)


def test_playouts_of_a_game_that_gives_no_help_are_told_by_the_contract_alone() -> None:
    (row,) = playouts.report(Plan((noughts,), rounds=1, seconds=1e-9), nobody).rows
    assert row["contract"] > 0
    assert row["helped"] is None


TINY = ("--moves", "3", "--boards", "2", "--rounds", "1", "--game", "olix")


def rows(told: str, benchmark: str) -> list[dict[str, Any]]:
    """Return the rows of a report, and check that it is one of that benchmark."""
    report = json.loads(told)
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


@each("part", ["load --pairs 1 --matches 1", "robots-beside --rounds 1"])
def test_people_in_pairs_cannot_play_a_game_for_three_and_the_error_says_what_would_work(
    part: str, three: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(*part.split(), "--game", three) == 1
    assert capsys.readouterr().err.strip() == (
        "pbm: Three is played by 3, and here people play in pairs. Choose a game for two with "
        "--game; pbm bench play, way and latency measure yours."
    )


def test_play_tells_what_a_move_costs_on_sqlite_in_each_form(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("chess", reason=YARDSTICK)
    assert bench("play", *TINY, "--form", "text", "--form", "drawn") == 0
    told = capsys.readouterr()
    rates = rows(told.out, "play")
    assert [(r["database"], r["form"]) for r in rates] == [("sqlite", "text"), ("sqlite", "drawn")]
    for rate in rates:
        assert rate["median.play"] > 0
        assert rate["median.statements"] > 0
        assert rate["play_by_round"] == [rate["median.play"]]
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
    file = tmp_path / "pbm.db"
    assert bench("play", *TINY, "--on", f"sqlite:///{file}") == 1
    assert capsys.readouterr().err == (
        "pbm: A scratch database is made on a PostgreSQL server, or write sqlite.\n"
    )
    assert not file.exists()


def test_a_profile_tells_where_the_time_of_play_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "profile.txt"
    olix = ("--moves", "3", "--game", "olix", "--form", "text")
    assert bench("profile", str(file), *olix) == 0
    assert "play_waiting" in file.read_text()
    assert capsys.readouterr().out == ""
    assert bench("where", *olix, "--boards", "2") == 0
    shares = [row["percent"] for row in rows(capsys.readouterr().out, "where")]
    assert sum(shares) == pytest.approx(100, abs=0.1)
    assert shares == sorted(shares, reverse=True)


def test_a_match_that_ends_too_soon_is_not_measured(capsys: pytest.CaptureFixture[str]) -> None:
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
    assert all(row["n"] > 10 and row["first"] > 0 and row["nth"] > 0 for row in found)


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


def test_a_long_queue_is_compared_with_an_empty_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("queue", "--moves", "2", "--waiting", "65", "--rounds", "1") == 0
    (row,) = rows(capsys.readouterr().out, "queue")
    assert row["waiting"] == 65
    assert row["empty"] > 0
    assert row["full"] > 0


def test_lists_are_asked_for_where_there_are_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("lists", "--boards", "2", "--rounds", "1", "--game", "olix") == 0
    found = rows(capsys.readouterr().out, "lists")
    assert [row["question"] for row in found] == ["standings", "games", "list", "history"]
    assert all(row["answer"] > 0 for row in found)


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
def test_intake_is_told_as_a_ratio_to_n_and_a_slower_disk_as_a_ratio_to_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("intake", *TINY, "--connections", "2") == 0
    doors = {
        (row["name"], row["connections"], row["disk"]): row
        for row in rows(capsys.readouterr().out, "intake")
    }
    assert doors["D", None, ""]["rate"] > 0
    for many in (2, 64):
        assert doors["N", many, ""]["ratio"] == 1.0
        assert doors["sqlite", many, ""]["of_own"] == 1.0


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_an_answer_takes_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("latency", *TINY, "--connections", "1", "--processes", "one") == 0
    (row,) = rows(capsys.readouterr().out, "latency")
    assert row["answers"] == 3
    assert 0 < row["p50"] <= row["p99"] <= row["worst"]


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_what_is_left_of_the_rate_beside_robots_that_think_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("robots-beside", "--rounds", "1", "--boards", "1", "--connections", "1",
                 "--game", "gonnect", "--option", "size=5") == 0  # fmt: skip
    nobody, four = rows(capsys.readouterr().out, "robots-beside")
    assert (nobody["robots"], nobody["thoughts"], nobody["share"]) == (0, 0, 1.0)
    assert (four["robots"], four["rate"] > 0, four["share"] > 0) == (4, True, True)
    assert nobody["core_seconds"] == 0 < four["core_seconds"]


@pytest.mark.slow
def test_each_process_at_rest_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rest, "_SETTLED", 0.0)
    assert bench("rest", "--boards", "2", "--game", "olix", "--seconds", "1",
                 "--processes", "one") == 0  # fmt: skip
    (row,) = rows(capsys.readouterr().out, "rest")
    assert row["stage"] == "all"
    assert row["percent"] >= 0
    assert row["resident"] > 10


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_a_flood_is_answered_and_so_is_the_mail_in_its_middle(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("flood", "--moves", "6", "--boards", "2", "--game", "olix", "--connections", "2",
                 "--processes", "one") == 0  # fmt: skip
    (row,) = rows(capsys.readouterr().out, "flood")
    assert row["mails"] == 6
    assert row["answered"] >= row["taken"] > 0
    assert row["between"] > 0


def test_all_parts_that_are_named_are_told_in_one_run_and_written_into_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "performance.md"
    page.write_text("above\n<!-- start -->\nold\n<!-- end of start -->\nbelow\n")
    assert bench("--part", "start", "--rounds", "1", "--page", str(page)) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["machine"]["cores"] >= 1
    (part,) = report["parts"]
    commands = [row["command"] for row in part["rows"]]
    assert commands[1:] == ["pbm --help", "pbm send", "pbm rules trace", "pbm serve"]
    lines = page.read_text().splitlines()
    assert (lines[0], lines[-1]) == ("above", "below")
    assert "old" not in lines
    assert all(any(line.startswith(f"| {name} |") for line in lines) for name in commands)


REPORT = {
    "benchmark": "latency", "unit": "milliseconds", "python": "3.13", "moves": 5,
    "rows": [{"database": "sqlite", "p50": 7.1, "p99": 120.0}],
}  # fmt: skip


LATER = {"benchmark": "start", "unit": "seconds", "rows": [{"command": "pbm", "wall": 1.0}]}


def test_figures_that_were_printed_are_written_into_a_page_beside_their_targets(
    tmp_path: Path,
) -> None:
    page, figures = tmp_path / "performance.md", tmp_path / "latency.json"
    figures.write_text(json.dumps(REPORT))
    marks = ("targets", "latency", "start")
    page.write_text("".join(f"<!-- {name} -->\n<!-- end of {name} -->\n" for name in marks))
    assert bench("page", str(page), str(figures)) == 0
    figures.write_text(json.dumps(LATER))
    assert bench("page", str(page), str(figures)) == 0
    assert page.read_text().splitlines() == [
        "<!-- targets -->",
        "| what | target | measured | met |",
        "| --- | --- | --- | --- |",
        "| answer, every layout: p50 in ms | <= 15 | 7.1 | yes |",
        "| answer, every layout: p99 in ms | <= 100 | 120 | no |",
        "<!-- end of targets -->",
        "<!-- latency -->",
        "Milliseconds; moves 5.",
        "",
        "| database | p50 | p99 |",
        "| --- | --- | --- |",
        "| sqlite | 7.1 | 120 |",
        "<!-- end of latency -->",
        "<!-- start -->",
        "Seconds.",
        "",
        "| command | wall |",
        "| --- | --- |",
        "| pbm | 1 |",
        "<!-- end of start -->",
    ]


FILLING = 2 << 20
"""Octets of a database that mails are put into, far more than its empty tables take."""


def test_an_end_by_sigterm_leaves_no_scratch_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def end_it() -> None:
        # Among the mails: an import that a signal ends leaves its file open, which is a warning.
        while sum(file.stat().st_size for file in tmp_path.glob("*/pbm.db")) < FILLING:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)

    ending = threading.Thread(target=end_it)
    ending.start()
    assert bench("queue", "--waiting", "1000000") == 128 + signal.SIGTERM
    ending.join()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("forked")
def test_simulated_people_play_whole_matches_that_are_on_record_as_they_were_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("load", "--pairs", "2", "--matches", "3", "--game", "gonnect",
                 "--option", "size=5") == 0  # fmt: skip
    (row,) = rows(capsys.readouterr().out, "load")
    assert (row["matches"], row["verified"]) == (3, 3)
    assert row["moves"] > 3
    assert 0 < row["p50"] <= row["p99"] <= row["worst"]


def test_a_server_to_be_loaded_is_named_by_host_and_port(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("load", "--server", "localhost") == 2
    assert "localhost is not HOST:PORT." in capsys.readouterr().err
