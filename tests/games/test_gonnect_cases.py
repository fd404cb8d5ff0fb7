"""Gonnect agrees with recorded games and positions of implementations that do not know it."""

from typing import Any

import pytest

from games.gonnect import game
from games.gonnect.position import State
from pbm.engine import MoveError, Position, advance, begin, may_swap
from tests.games.gonnect_boards import after, legal, start, taken, won
from tests.games.recorded import read
from tests.tables import each


def listed(state: State, code: str) -> list[str]:
    """The points of a recorded legal set: bits, row by row from the top, padded at the end."""
    flags = f"{int(code, 16):0{4 * len(code)}b}"
    names = [name for name in state.board.names if name]
    return [name for name, flag in zip(names, flags, strict=False) if flag == "1"]


def drawn(state: State) -> list[str]:
    eks, ohs = (set(state.board.listed(stones)) for stones in state.stones)
    signs = "".join(
        "x" if name in eks else "o" if name in ohs else "." for name in state.board.names if name
    )
    return [signs[n : n + state.size] for n in range(0, len(signs), state.size)]


def agree_on_a_game(record: dict[str, Any]) -> None:
    """Compare every legal set, capture and ko, with both options of ko, and the end."""
    state = start(size=str(record["size"]))
    superko: State | None = start(size=str(record["size"]), ko="superko")
    kos, older = dict(record["ko_points"]), dict(record["superko_points"])
    for ply, (move, code) in enumerate(zip(record["moves"], record["legal"], strict=True)):
        expected = listed(state, code)
        assert legal(state) == expected
        assert state.board.listed(state.ko) == kos.get(ply, [])
        if superko is not None:
            allowed = [m for m in expected if m not in older.get(ply, [])]
            assert legal(superko) == allowed
            superko = game.play(superko, superko.mover, move) if move in allowed else None
        state = after(state, move)
        assert taken(state) == sorted(record["captures"][ply], key=taken(state).index)
    assert drawn(state) == record["board"]
    if record["seed_end"]:
        assert won(state) == (record["seed_winner"], record["seed_end"])
    else:
        # AbstractPlay ends a game at the second occurrence of a position; here it goes on.
        assert record["abstractplay_end"] == "repetition"
        assert won(state) is None


@pytest.mark.parametrize(
    ("name", "count"), [("gonnect_games.json.gz", 66), ("gonnect_small_games.json.gz", 80)]
)
def test_every_recorded_game_has_the_same_moves_captures_kos_and_end(name: str, count: int) -> None:
    games = read(name)["games"]
    assert len(games) == count
    for record in games:
        agree_on_a_game(record)


def positions() -> list[Any]:
    return list(read("gonnect_positions.json")["positions"])


@each("record", positions(), ids=lambda record: record["name"])
def test_every_recorded_position_has_the_same_moves_and_end(record: dict[str, Any]) -> None:
    state = start(size=str(record["size"]))
    for move, captures in zip(record["moves"], record["captures"], strict=True):
        state = after(state, move)
        assert set(taken(state)) == set(captures)
    assert drawn(state) == record["board"]
    assert won(state) == ((record["winner"], record["end"]) if record["winner"] else None)
    assert record.get("expect_winner") in (None, record["winner"])
    assert set(record.get("expect_captured_last", taken(state))) == set(taken(state))
    if record["winner"]:
        assert legal(state) == []
        return
    assert game.info.signs[state.mover] == record["to_move"]
    assert len(legal(state)) == record["legal_count"]
    empty = set(state.board.bits) - {n for s in state.stones for n in state.board.listed(s)}
    assert empty - set(legal(state)) == set(record["illegal_empty_points"])
    assert set(record.get("expect_legal", [])) <= set(legal(state))
    assert not set(record.get("expect_illegal", [])) & set(legal(state))


def played(record: dict[str, Any]) -> Position[State]:
    position = begin(game, game.info.setup({"size": str(record["size"])}))
    for move in record["moves"]:
        position, _ = advance(game, position, game.to_move(position.state)[0], move)
    return position


def test_every_recorded_swap_is_the_same() -> None:
    records = read("gonnect_positions.json")["swap"]
    assert len(records) == 7
    for record in records:
        position = played(record)
        state = position.state
        if "swap_legal" in record:
            assert may_swap(game, position) == record["swap_legal"]
            assert game.info.signs[game.to_move(state)[0]] == record["to_move"]
        for name, sign in record.get("board_stones", {}).items():
            assert state.stones["xo".index(sign)] == state.board.bits[name]
        for text in record.get("illegal_next", []):
            with pytest.raises(MoveError):
                advance(game, position, game.to_move(state)[0], text)
        if "end" in record:
            assert won(state) == (record["winner"], record["end"])


def test_the_two_examples_of_the_text_are_one_chain_and_five() -> None:
    record = read("gonnect_positions.json")["seed_connection_examples"]
    board = start(size="6").board
    for key, chains in (("left_connected", 1), ("right_not_connected", 5)):
        stones = sum(board.bits[name] for name in record[key])
        assert len({board.chain(board.bits[name], stones) for name in record[key]}) == chains
