"""`pbm rules trace` agrees with recorded games: what a script sees is what the rules say."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from click.testing import CliRunner

from pbm.cli import group
from tests.games.recorded import read


@dataclass(frozen=True)
class Case:
    """A recorded game in the terms of a trace, which are the same for every game.

    `legal` holds the recorded choices of each ply, or None if there are none; `silent` are
    turns that the record does not list among the choices.
    """

    turns: list[str]
    legal: list[list[str] | None]
    winner: int
    reason: str
    options: dict[str, str]
    silent: frozenset[str] = frozenset()


def shortest(file: str, finished: Callable[[Any], bool]) -> Any:
    games = read(file)["games"]
    found = [game for game in games if finished(game)]
    return min(found, key=lambda game: len(game.get("plies", game.get("moves"))))


def gonnect() -> Case:
    game = shortest("gonnect_games.json.gz", lambda game: bool(game["seed_winner"]))
    size = game["size"]
    letters = "ABCDEFGHJKLMNOP"[:size]
    points = [f"{letter}{row}" for row in range(size, 0, -1) for letter in letters]
    choices = [f"{int(code, 16):0{4 * len(code)}b}" for code in game["legal"]]
    return Case(
        game["moves"],
        [[p for p, bit in zip(points, bits, strict=False) if bit == "1"] for bits in choices],
        "xo".index(game["seed_winner"]),
        game["seed_end"],
        {"size": str(size)},
        frozenset({"swap"}),
    )


def morris() -> Case:
    game = shortest("morris_games_take_strict.json.gz", lambda game: game["end"] == "two_left")
    return Case(
        [ply["m"] for ply in game["plies"]],
        [ply["legal"] for ply in game["plies"]],
        "WB".index(game["winner"]),
        game["end"],
        {"take": "strict"},
    )


def notwos() -> Case:
    game = shortest("notwos_games.json.gz", lambda game: game["end"] == "chain")
    turns, _, _, legal = zip(*game["plies"], strict=True)
    return Case(
        [",".join(game["setup"]), game["chooser_takes"], *turns],
        [None, ["first", "second"], *legal],
        1 if game["winner"] == game["chooser_takes"] else 0,
        game["end"],
        {},
    )


def olix() -> Case:
    game = shortest("olix_games.json.gz", lambda game: game["end"] == "pattern")
    cells = [f"{letter}{row}" for row in range(11, 0, -1) for letter in "abcdefghijk"]
    moves = game["moves"]
    return Case(
        moves,
        [[cell for cell in cells if cell not in moves[:ply]] for ply in range(len(moves))],
        "xo".index(game["winner"]),
        game["patterns"][0].lower(),
        {},
        frozenset({"count"}),
    )


def pow2() -> Case:
    game = shortest("pow2_games_options.json.gz", lambda game: bool(game["winner"]))
    turns, _, _, legal = zip(*game["plies"], strict=True)
    return Case(
        list(turns),
        list(legal),
        ["light", "dark"].index(game["winner"].lower()),
        game["end"],
        {name: "yes" if game[name] else "no" for name in ("exact", "noborder")},
    )


def trace(game: str, options: dict[str, str], turns: list[str]) -> list[Any]:
    """Return the JSON lines that `pbm rules trace` prints."""
    given = [word for name in options for word in ("--option", f"{name}={options[name]}")]
    ended = CliRunner().invoke(group, ["rules", "trace", game, *given], input="\n".join(turns))
    assert ended.exit_code == 0, ended.output
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.mark.parametrize("read", [gonnect, morris, notwos, olix, pow2], ids=lambda f: f.__name__)
def test_each_ply_and_the_end_of_a_recorded_game_are_traced_as_recorded(
    read: Callable[[], Case],
) -> None:
    case = read()
    *before, last = trace(read.__name__, case.options, case.turns)
    assert [line["ply"] for line in (*before, last)] == list(range(len(case.turns) + 1))
    for line, legal in zip(before, case.legal, strict=True):
        assert line["result"] is None
        assert len(line["to_move"]) == 1
        if legal is not None:
            assert sorted(set(line["legal"]) - case.silent) == sorted(legal)
    assert (last["to_move"], last["legal"]) == ([], [])
    assert last["result"]["winners"] == [case.winner]
    assert last["result"]["reason"] == case.reason


def test_a_refused_turn_is_told_with_its_kind_and_the_position_stays() -> None:
    turns = ["a1", "a7", "d1", "d7", "f4", "hello", "a1", "g7", "g7xf4"]
    *before, syntax, illegal, incomplete, played = trace("morris", {}, turns)
    refused = (syntax, illegal, incomplete)
    assert [line["error"] for line in refused] == ["syntax", "illegal", "incomplete"]
    assert [line["candidates"] for line in refused] == [[], [], ["g7xa1", "g7xd1", "g7xf4"]]
    assert {line["ply"] for line in refused} == {before[-1]["ply"]} == {5}
    assert all(set(line) == {"ply", "error", "message", "candidates"} for line in refused)
    assert (played["ply"], played["to_move"]) == (6, [0])


def test_no_legal_leaves_the_list_out() -> None:
    ended = CliRunner().invoke(group, ["rules", "trace", "morris", "--no-legal"], input="d2\n")
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [set(line) for line in lines] == [{"ply", "to_move", "result", "board"}] * 2
