"""Chess: its numbers of lines of play, the notations that people type, and the server without it.

Further in than a conversation because the cases are many.
"""

import sys

import pytest

from pbm.engine import MoveError, advance, begin, perft
from pbm.plugins import installed_games
from tests.cli.terminal import done
from tests.readings import answers

chess = pytest.importorskip("chess", reason="needs python-chess, of the extra chess")

PERFT = """
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 3 -> 20 400 8902
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 | 2 -> 48 2039
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 | 4 -> 14 191 2812 43238
r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1 | 3 -> 6 264 9467
rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8 | 3 -> 44 1486 62379
"""
"""Positions with castling, promotion, pins and en passant, and the figures of python-chess."""

READINGS = """
e4 e5 Nf3 Nc6 Bb5 a6 | bxc6 -> b5xc6
e4 e5 Nf3 Nc6 Bb5 a6 | O-O -> e1-g1
e4 e5 Nf3 Nc6 Bb5 a6 | 0-0 -> e1-g1
e4 e5 Nf3 Nc6 Bb5 a6 | Ke1-g1 -> e1-g1
e4 e5 Nf3 Nc6 Bb5 a6 | ng5!? -> f3-g5
e4 e5 Nf3 Nc6 Bb5 a6 | Nfg5 -> f3-g5
e4 e5 Nf3 Nc6 Bb5 a6 | f3 to e5 -> f3xe5
e4 e5 Nf3 Nc6 Bb5 a6 | d4 -> d2-d4
e4 e5 Nf3 Nc6 Bb5 a6 | O-O-O -> illegal
e4 e5 Nf3 Nc6 Bb5 a6 | b1-d3 -> illegal
e4 e5 Nf3 Nc6 Bb5 a6 | b4xc3 -> illegal
e4 e5 Nf3 Nc6 Bb5 a6 | Nf9 -> illegal
e4 e5 Nf3 Nc6 Bb5 a6 | e2 -> incomplete: b5-e2 e1-e2 d1-e2
e4 e5 Nf3 Nc6 Bb5 a6 | Nx -> syntax
e4 e5 b4 Bxb4 Ba3 Bc3 | dxc3 -> d2xc3
e4 e5 Nf3 Nc6 Bb5 a6 | Bb2 -> illegal
d4 e5 Nf3 e4 | Nd2 -> ambiguous: f3-d2 b1-d2
e4 d5 e5 f5 | exf6 e.p. -> e5xf6
e4 Nf6 Nc3 e6 d4 Bb4 a3 | bxc3 -> b4xc3
e4 Nf6 Nc3 e6 d4 Bb4 a3 | Bxc3+ -> b4xc3
e4 f5 exf5 g6 fxg6 Nf6 gxh7 Rg8 | hxg8 -> incomplete: h7xg8=Q h7xg8=R h7xg8=B h7xg8=N
e4 f5 exf5 g6 fxg6 Nf6 gxh7 Rg8 | h8 -> incomplete: h7-h8=Q h7-h8=R h7-h8=B h7-h8=N
e4 f5 exf5 g6 fxg6 Nf6 gxh7 Rg8 | hxg8n -> h7xg8=N
e4 f5 exf5 g6 fxg6 Nf6 gxh7 Rg8 | h7-h8=r -> h7-h8=R
"""


@pytest.mark.slow
def test_lines_of_play_are_as_many_as_published() -> None:
    game = installed_games().get("chess")

    def counts(fen: str, depth: str) -> str:
        state = game.load({"fen": fen, "since": [fen], "last": "", "reason": ""})
        return " ".join(str(perft(game, state, plies + 1)) for plies in range(int(depth)))

    assert answers(PERFT, counts) == PERFT


def test_both_notations_are_read() -> None:
    game = installed_games().get("chess")

    def reading(moves: str, text: str) -> str:
        position = begin(game, game.info.setup())
        for move in moves.split():
            position, _ = advance(game, position, position.state.mover, move)
        try:
            return str(game.parse(position.state, position.state.mover, text))
        except MoveError as error:
            named = ": " + " ".join(error.candidates) if error.candidates else ""
            return f"{error.kind}{named}"

    assert answers(READINGS, reading) == READINGS


def test_without_the_package_the_game_is_not_offered_and_the_list_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    for module in [name for name in sys.modules if name.startswith("games.chess")]:
        monkeypatch.delitem(sys.modules, module)
    listed = done("games")
    assert "Reversi" in listed
    assert "Chess is not offered: it needs the package chess" in listed
    assert "chess" not in installed_games().names
