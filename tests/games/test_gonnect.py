"""Gonnect: its sheet of rulings, recorded games and positions, ko fights, and what is stored."""

import json
import random
from dataclasses import replace

import pytest

from games.gonnect import game
from games.gonnect.board import board_of
from games.gonnect.position import State, legal_points
from games.gonnect.random_game import play_on
from pbm.engine import MarkKind, MoveError, Viewer, advance, begin, decode, draw, encode, may_swap
from tests.games.sheets import recorded, wrong_lines

LETTERS = "ABCDEFGHJKLMNOPQRST"

TRIPLE_KO = "A5 A2 B4 B3 G5 G2 F4 F3 F7 C7 E6 D6 G3 A4 D4 E7"
"""Three kos, on the west side, on the east side and at the top."""

ROUND = "A3 G4 D7 A4 G3 E7"


def at(words: str) -> State:
    """Return the position in the words of sheets/gonnect.txt."""
    rows, *notes = words.split("; ")
    board = board_of(len(rows.split()))
    signs = dict(zip(filter(None, board.names), rows.replace(" ", ""), strict=True))
    eks, ohs = (sum(board.bits[n] for n, s in signs.items() if s == sign) for sign in "xo")
    both = eks | ohs << board.shifts[1]
    history = (0, both) if "o" in notes else (both,)
    return State(board.size, "superko" in notes, (eks, ohs), history=history)


def start(**options: str) -> State:
    return game.start(game.info.setup(options))


def after(state: State, moves: str) -> State:
    for text in moves.split():
        state = game.play(state, state.mover, game.parse(state, state.mover, text))
    return state


def legal(state: State) -> list[str]:
    return list(game.legal_moves(state, state.mover))


def marked(state: State, kind: MarkKind = MarkKind.CAPTURED) -> set[str]:
    return {mark.at for mark in game.diagram(state, Viewer()).marks if mark.kind is kind}


def ended(state: State) -> tuple[str, str] | None:
    result = game.result(state)
    return ("".join("xo"[seat] for seat in result.winners), result.reason) if result else None


def test_every_ruling_and_refusal_is_as_the_sheet_says() -> None:
    assert wrong_lines(game, at) == ""


@pytest.mark.parametrize("size", range(5, 20))
def test_on_every_size_a_row_or_column_wins_with_its_last_stone_and_is_drawn(size: int) -> None:
    letters, numbers = LETTERS[:size], range(1, size + 1)
    down = [f"C{number} E{number}" for number in numbers]
    across = [f"{letter}3 {letter}1" for letter in letters]
    for *pairs, last in (down, across):
        state = after(start(size=str(size)), " ".join(pairs))
        assert ended(state) is None
        assert ended(after(state, last.split()[0])) == ("x", "connection")
    header, *middle, footer = draw(game.diagram(start(size=str(size)), Viewer())).split("\n")
    assert header == footer == " " * 10 + " ".join(letters)
    dots = " ".join("." * size)
    assert middle == [f"      {row:>2}  {dots}  {row:>2}" for row in reversed(numbers)]


def rows(state: State) -> list[str]:
    """Return the board as the records have it."""
    places = [name for name in state.board.names if name]
    sets = [set(state.board.listed(stones)) for stones in state.stones]
    signs = "".join("x" if n in sets[0] else "o" if n in sets[1] else "." for n in places)
    return [signs[n : n + state.size] for n in range(0, len(signs), state.size)]


def listed(state: State, code: str) -> list[str]:
    """Return the points of a recorded legal set: bits, row by row from the top, then padding."""
    flags = f"{int(code, 16):0{4 * len(code)}b}"
    names = [name for name in state.board.names if name]
    return [name for name, flag in zip(names, flags, strict=False) if flag == "1"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gonnect_games", "gonnect_small_games"])
def test_every_recorded_game_has_the_same_moves_captures_kos_and_end(name: str) -> None:
    for record in recorded(f"{name}.json.gz")["games"]:
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
            assert marked(state) == set(record["captures"][ply])
        assert rows(state) == record["board"]
        # AbstractPlay ends a game at the second occurrence of a position; here it goes on.
        assert record["seed_end"] or record["abstractplay_end"] == "repetition"
        winner = record["seed_end"] and (record["seed_winner"], record["seed_end"])
        assert ended(state) == (winner or None)


def test_every_recorded_position_has_the_same_moves_and_end() -> None:
    for record in recorded("gonnect_positions.json")["positions"]:
        state = start(size=str(record["size"]))
        for move, captures in zip(record["moves"], record["captures"], strict=True):
            state = after(state, move)
            assert marked(state) == set(captures), record["name"]
        assert rows(state) == record["board"]
        assert record.get("expect_winner") in (None, record["winner"])
        assert marked(state) == set(record.get("expect_captured_last", marked(state)))
        winner = record["winner"] and (record["winner"], record["end"])
        assert ended(state) == (winner or None), record["name"]
        if not winner:
            assert game.info.signs[state.mover] == record["to_move"]
            assert len(legal(state)) == record["legal_count"]
            empty = set(state.board.bits) - set(
                state.board.listed(state.stones[0] | state.stones[1])
            )
            assert empty - set(legal(state)) == set(record["illegal_empty_points"])
            assert set(record.get("expect_legal", [])) <= set(legal(state))
            assert not set(record.get("expect_illegal", [])) & set(legal(state))


def test_every_recorded_swap_is_the_same() -> None:
    for record in recorded("gonnect_positions.json")["swap"]:
        position = begin(game, game.info.setup({"size": str(record["size"])}))
        for move in record["moves"]:
            position, _ = advance(game, position, game.to_move(position.state)[0], move)
        state = position.state
        if "swap_legal" in record:
            assert may_swap(game, position) == record["swap_legal"]
            assert game.info.signs[game.to_move(state)[0]] == record["to_move"]
        for name, sign in record.get("board_stones", {}).items():
            assert state.stones["xo".index(sign)] == state.board.bits[name]
        for text in record.get("illegal_next", []):
            with pytest.raises(MoveError):
                advance(game, position, game.to_move(state)[0], text)
        assert ended(state) == ((record["winner"], record["end"]) if "end" in record else None)


def test_the_two_examples_of_the_text_are_one_chain_and_five() -> None:
    record = recorded("gonnect_positions.json")["seed_connection_examples"]
    board = start(size="6").board
    for key, chains in (("left_connected", 1), ("right_not_connected", 5)):
        stones = sum(board.bits[name] for name in record[key])
        assert len({board.chain(board.bits[name], stones) for name in record[key]}) == chains


def fight(seed: int, ko: str) -> State:
    """Mostly retake in one of three kos."""
    chance = random.Random(seed)
    state = after(start(size="7", ko=ko), TRIPLE_KO)
    while moves := legal(state):
        kos = [move for move in moves if marked(game.play(state, state.mover, move))]
        move = chance.choice(kos if kos and chance.random() < 0.97 else moves)
        state = game.play(state, state.mover, move)
        if len(state.history) > 50:
            break
    return state


def test_fights_over_three_kos_are_a_draw_unless_superko_ends_them() -> None:
    simple, superko = (
        [ended(fight(seed, ko)) for seed in range(5)] for ko in ("simple", "superko")
    )
    assert simple.count(("", "repetition")) >= 2
    assert ("", "repetition") not in superko


def test_a_point_asked_for_alone_is_as_legal_as_among_all() -> None:
    chance, state = random.Random(1), start(size="5", ko="superko")
    while game.result(state) is None:
        alone = [name for name, bit in state.board.bits.items() if legal_points(state, bit)]
        assert alone == legal(state)
        state = game.play(state, state.mover, chance.choice(alone))


def one_ply_earlier(state: State, ply: int) -> State:
    """Return the position as if the board of `ply` had come a ply earlier, the other to move."""
    history = list(state.history)
    history[ply - 1], history[ply] = history[ply], history[ply - 1]
    return replace(state, history=tuple(history))


def test_who_was_to_move_matters_for_repetition_and_not_for_superko() -> None:
    almost = f"{TRIPLE_KO} A3 G4 D7 A4 G3"
    state = after(start(size="7"), f"{TRIPLE_KO} {ROUND} A3 G4 D7 A4 G3")
    assert ended(after(state, "E7")) == ("", "repetition")
    assert ended(after(one_ply_earlier(state, 16), "E7")) is None
    assert "E7" not in legal(one_ply_earlier(after(start(size="7", ko="superko"), almost), 16))


def test_a_side_whose_every_move_superko_bars_has_lost() -> None:
    state = after(start(size="5", ko="superko"), "A1 B1 C3 D3")
    replies = {reply: after(state, f"B2 {reply}") for reply in legal(after(state, "B2"))}
    stood = [reply.history[-1] for reply in replies.values()]
    assert len(stood) == 20
    assert ended(after(replace(state, history=(*stood, *state.history)), "B2")) == ("x", "no_move")
    free = replace(state, history=(0, *stood[1:], *state.history))
    assert legal(after(free, "B2")) == [next(iter(replies))]


@pytest.mark.parametrize(
    ("words", "moves", "then", "may"),
    [
        ("..... .xo.. x.xo. .xo.. .....; o", "", ("B3", "C3"), False),
        ("..x.. oox.. xx... ..... .....", "A5", ("B5", "A5"), True),
    ],
    ids=["ko", "snapback"],
)
def test_a_random_game_knows_what_may_be_retaken(
    words: str, moves: str, then: tuple[str, str], *, may: bool
) -> None:
    state, chance = after(at(words), moves), random.Random(1)
    begun = {tuple(play_on(state, chance, 2)[0]) for _ in range(5000)}
    assert any(first == then[0] for first, _ in begun)
    assert (then in begun) == may


def test_a_stored_state_stays_small_in_a_long_match_and_keeps_a_result() -> None:
    chance, state = random.Random(7), start(size="19", ko="superko")
    while len(state.history) <= 300:
        state = game.play(state, state.mover, chance.choice(legal(state)))
    assert len(encode(game, state)) < 4000
    assert decode(game, encode(game, state)) == state
    over = after(start(size="5"), "A3 A1 B3 B1 C3 C1 D3 D1 E3")
    assert decode(game, encode(game, over)).result == over.result is not None


def test_the_form_of_a_stored_state_stays_what_it_is() -> None:
    """Matches on disk hold these values: another form needs another key, or is read wrong."""
    state = after(start(size="5"), "A1 A2 C3 B1")
    assert json.loads(encode(game, state)) == {
        "size": 5,
        "superko": False,
        "stones": ["8000", "810"],
        "last": "B1",
        "taken": "20",
        "ko": "0",
        "changes": [[], [5], [41], [15], [5, 34]],
        "result": None,
    }
