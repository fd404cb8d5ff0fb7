"""The boards of the gallery: every game's playthroughs, large boards, and strangers' games."""

import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from pbm.engine import (
    AnyGame,
    Diagram,
    Position,
    Transcript,
    Turn,
    Viewer,
    begin,
    by_weight,
    parse_transcript,
    repeat,
)
from pbm.engine.chance import after_chance
from pbm.engine.laws import folder_of
from pbm.engine.transcript import TurnStep
from pbm.plugins import installed_games

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class GalleryPicture:
    """One board: a title, and the game's position."""

    title: str
    game: AnyGame
    state: Any
    style: str = "default"

    @property
    def diagram(self) -> Diagram:
        return self.game.diagram(self.state, Viewer(None, self.style))


def strangers() -> Iterator[AnyGame]:
    """Yield games that are no part of pbm, and know nothing of pictures."""
    yield import_module("tests.engine.noughts").game
    sys.path.insert(0, str(ROOT / "tests" / "thirdparty" / "pbm-gomoku"))
    try:
        yield import_module("pbm_gomoku").game
    finally:
        sys.path.pop(0)


def all_games() -> tuple[AnyGame, ...]:
    return (*installed_games(), *strangers())


def playthroughs(game: AnyGame) -> Iterator[tuple[str, Transcript]]:
    """Yield name and transcript of each playthrough beside a game's rules."""
    files = (folder_of(game) / "playthroughs").iterdir()
    for file in sorted(files, key=lambda file: file.name):
        yield file.name.removesuffix(".txt"), parse_transcript(file.read_text("utf-8"))


def positions(game: AnyGame, transcript: Transcript) -> Iterator[Position[Any]]:
    """Yield every position of a playthrough, the first one included."""
    position = begin(game, game.info.setup(transcript.options, transcript.dealt))
    yield position
    for step in transcript.steps:
        if isinstance(step, TurnStep) and step.refusal is None:
            seat = game.info.seats.index(step.side)
            position, _ = repeat(game, position, Turn(seat, step.text))
            yield position


def played(game: AnyGame, plies: int, options: Mapping[str, str] | None = None) -> Any:
    """Return the position after random play, before its end."""
    chance = random.Random(3)
    draw = by_weight(chance)
    state, _ = after_chance(game, game.start(game.info.setup(options)), draw)
    for _ in range(plies):
        seats = game.to_move(state)
        after = state
        if seats:
            moves = list(islice(game.legal_moves(state, seats[0]), 400))
            after = game.play(state, seats[0], chance.choice(moves))
            after, _ = after_chance(game, after, draw)
        if not game.to_move(after):
            break
        state = after
    return state


def height(game: AnyGame, state: Any) -> int:
    """Return the height of the highest stack on the board."""
    return max((piece.height for piece in game.diagram(state, Viewer()).pieces), default=0)


def boards(game: AnyGame) -> Iterator[GalleryPicture]:
    """Yield the boards of one game: the start, the middle and the end of each playthrough."""
    yield GalleryPicture("start", game, game.start(game.info.setup()))
    for name, transcript in playthroughs(game):
        along = [position.state for position in positions(game, transcript)]
        if len(along) > 8:
            yield GalleryPicture(f"{name}, ply {len(along) // 2}", game, along[len(along) // 2])
        highest = max(along, key=lambda state: height(game, state))
        if height(game, highest) > 2:
            yield GalleryPicture(f"{name}, stack", game, highest)
        yield GalleryPicture(f"{name}, end", game, along[-1])
    yield GalleryPicture("random play, 40 plies", game, played(game, 40))
    if "19" in {o.name: o.choices for o in game.info.options}.get("size", ()):
        for plies in (30, 330):
            yield GalleryPicture(f"19x19, {plies} plies", game, played(game, plies, {"size": "19"}))
