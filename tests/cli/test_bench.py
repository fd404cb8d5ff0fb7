"""`pbm bench`: the form of its output. Figures are never tested."""

import json
import random
import sys
from pathlib import Path

import pytest

from pbm.bench.engines import engine_playouts, rates_in_turn
from pbm.cli import main
from pbm.plugins import installed_games
from tests.databases import postgres_server


def bench(*arguments: str) -> int:
    """Run `pbm bench` on rounds too short to say anything; return the exit status."""
    with pytest.raises(SystemExit) as ended:
        main(["bench", *arguments])
    return int(ended.value.code or 0)


def test_each_game_is_told_as_a_ratio_to_the_yardstick_of_the_same_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("chess", reason="pip install 'pbm[bench]' brings the yardstick")
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
    pytest.importorskip("chess", reason="pip install 'pbm[bench]' brings the yardstick")
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
        "pbm: The yardstick is python-chess; get it with: pip install 'pbm[bench]'.\n"
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


TINY = ("--moves", "3", "--boards", "2", "--rounds", "1", "--game", "olix")


def test_play_tells_what_a_move_costs_on_sqlite_in_each_form(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("play", *TINY, "--form", "text", "--form", "html") == 0
    told = capsys.readouterr()
    rates = json.loads(told.out)["rows"]
    assert [(r["database"], r["form"]) for r in rates] == [("sqlite", "text"), ("sqlite", "html")]
    for rate in rates:
        assert rate["median.play"] > 0
        assert rate["median.statements"] > 0
        assert rate["play_by_round"] == [rate["median.play"]]
        assert rate["form"] in told.err


@pytest.mark.postgres
def test_play_makes_its_database_on_the_server_that_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench("play", *TINY, "--form", "text", "--on", postgres_server(), "--json") == 0
    told = capsys.readouterr()
    assert [rate["database"] for rate in json.loads(told.out)["rows"]] == ["postgresql"]
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


def test_play_writes_where_its_time_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "profile.txt"
    assert bench("profile", str(file), "--moves", "3", "--game", "olix", "--form", "text") == 0
    assert "play_waiting" in file.read_text()
    assert capsys.readouterr().out == ""


def test_a_match_that_ends_too_soon_is_not_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("play", "--moves", "300", "--boards", "1", "--game", "gonnect",
                 "--option", "size=5", "--form", "text") == 1  # fmt: skip
    assert "ends too soon" in capsys.readouterr().err


def test_the_whole_way_is_told_as_a_ratio_to_n(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("way", *TINY, "--form", "html", "--processes", "one", "--connections", "2") == 0
    null, one = json.loads(capsys.readouterr().out)["rows"]
    assert (null["database"], null["ratio"], null["cpu_ratio"]) == ("N", 1.0, 1.0)
    assert (one["database"], one["processes"], one["form"]) == ("sqlite", "one", "html")
    assert one["rate"] > 0
    assert one["cpu.all"] > 0


@pytest.mark.slow
def test_the_cpu_of_the_whole_way_is_told_by_stage(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("way", *TINY, "--form", "text", "--processes", "four", "--connections", "2") == 0
    _, four = json.loads(capsys.readouterr().out)["rows"]
    assert all(four[f"cpu.{stage}"] > 0 for stage in ("intake", "play", "deliver"))
