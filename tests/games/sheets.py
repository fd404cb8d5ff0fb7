"""Rulings and refusals as text: positions of a game, and the answers of its rules to questions.

    # "provided that a stone may not be taken from a Mill"
    at a1 d1 / a7 d7 g7 b6; hand 7 5   -> White to move
    legal g1                           -> g1xb6
    refused g1xa7 | a7 is in a mill    -> illegal
    play g1xb6                         -> Black to move
    board                              -> o a1 d1 g1, x a7 d7 g7

Lines are as in tests/readings.py. Each asks about the position that the lines above it led to:

    at WORDS, start OPTION=VALUE ...  a position in words that the game's test reads; the first one
    play TURNS, try TURNS             typed turns, and whose turn it is then, or who won and why;
                                      `try` leaves the position as it was
    legal PREFIX, among TURNS         legal turns that begin so; those of TURNS that are legal
    count PREFIX                      how many legal turns begin so
    read TEXT                         the turn that TEXT means
    refused TEXT | WORDS              the kind of the refusal, whose sentence has these WORDS
    parts TEXT                        the turns that an incomplete one could be
    board                             signs and the points where they are
    last, captured, winning           marked points
    shows WORDS                       yes, if the picture has these words

They enter by the contract of a game, not by mail, because they start from positions that take
long to reach, and because they are so many. An answer of nothing is "none".
"""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbm.engine import AnyGame, IncompleteMoveError, MarkKind, MoveError, Viewer, draw
from tests.readings import answers

TEXTS = Path(__file__).with_name("sheets")
CASES = Path(__file__).with_name("cases")


def recorded(name: str) -> Any:
    """Return a file of recorded games or positions; the README in cases/ explains the formats."""
    data = (CASES / name).read_bytes()
    return json.loads(gzip.decompress(data) if name.endswith(".gz") else data)


def wrong_lines(game: AnyGame, at: Callable[[str], Any]) -> str:
    """Return the lines of a game's sheet that are wrong, with the answers that they get.

    `at` reads a position in words.
    """
    sheet = TEXTS.joinpath(f"{game.info.key}.txt").read_text("utf-8")
    asked = [line for line in sheet.split("\n") if line and not line.startswith("#")]
    assert all("-> " in line for line in asked), "each line has an answer"
    found = answers(sheet, _Sheet(game, at), MoveError)
    both = zip(found.split("\n"), sheet.split("\n"), strict=True)
    return "\n".join(line for line, written in both if line != written)


class _Sheet:
    """Answers line after line; `state` is the position that they have led to."""

    def __init__(self, game: AnyGame, at: Callable[[str], Any]) -> None:
        self.game, self._position = game, at
        self.state: Any = None

    def __call__(self, line: str, words: str = "") -> str:
        verb, _, rest = line.partition(" ")
        found = getattr(self, f"_{verb}")(rest, *filter(None, [words]))
        return (found if isinstance(found, str) else " ".join(found)) or "none"

    def _at(self, words: str) -> str:
        self.state = self._position(words)
        return self._status(self.state)

    def _start(self, options: str) -> str:
        given = dict(pair.split("=") for pair in options.split())
        self.state = self.game.start(self.game.info.setup(given))
        return self._status(self.state)

    def _play(self, turns: str) -> str:
        self.state = self._after(turns)
        return self._status(self.state)

    def _try(self, turns: str) -> str:
        return self._status(self._after(turns))

    def _after(self, turns: str) -> Any:
        state = self.state
        for text in turns.split():
            seat = self.game.to_move(state)[0]
            state = self.game.play(state, seat, self.game.parse(state, seat, text))
        return state

    def _status(self, state: Any) -> str:
        sides, result = self.game.sides(state), self.game.result(state)
        if result is None:
            return f"{sides[self.game.to_move(state)[0]]} to move"
        winner = sides[result.winners[0]] if result.winners else "draw"
        return " ".join(map(str, (winner, result.reason, *(result.scores or ()))))

    def _moves(self) -> list[str]:
        due = self.game.to_move(self.state)
        return [str(move) for seat in due for move in self.game.legal_moves(self.state, seat)]

    def _legal(self, prefix: str) -> list[str]:
        return [move for move in self._moves() if move.startswith(prefix)]

    def _count(self, prefix: str) -> str:
        return str(len(self._legal(prefix)))

    def _among(self, turns: str) -> list[str]:
        legal = self._moves()
        return [turn for turn in turns.split() if turn in legal]

    def _read(self, text: str) -> str:
        return str(self.game.parse(self.state, self.game.to_move(self.state)[0], text))

    def _refused(self, text: str, words: str) -> str:
        with pytest.raises(MoveError) as refused:
            self._read(text)
        error = refused.value
        return error.kind if words in str(error) else f"{error.kind}: {error}"

    def _parts(self, text: str) -> tuple[str, ...]:
        with pytest.raises(IncompleteMoveError) as refused:
            self._read(text)
        assert all(part in str(refused.value) for part in refused.value.candidates[:3])
        return refused.value.candidates

    def _board(self, _: str) -> str:
        found: dict[str, list[str]] = {}
        for piece in self.game.diagram(self.state, Viewer()).pieces:
            found.setdefault(piece.symbol, []).append(piece.at)
        points = {sign: sorted(at, key=lambda p: (p[0], len(p), p)) for sign, at in found.items()}
        return ", ".join(" ".join((sign, *at)) for sign, at in sorted(points.items()))

    def _marks(self, kind: MarkKind) -> list[str]:
        marks = self.game.diagram(self.state, Viewer()).marks
        return [mark.at for mark in marks if mark.kind == kind]

    def _last(self, _: str) -> list[str]:
        return self._marks(MarkKind.LAST)

    def _captured(self, _: str) -> list[str]:
        return self._marks(MarkKind.CAPTURED)

    def _winning(self, _: str) -> list[str]:
        return self._marks(MarkKind.WINNING)

    def _shows(self, words: str) -> str:
        drawn = " ".join(draw(self.game.diagram(self.state, Viewer())).split())
        return "yes" if words in drawn else f"no: {drawn}"
