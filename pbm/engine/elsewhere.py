"""Whether a match goes the same way in another process, for the conformance suite.

The hashes of texts differ from process to process, and with them the order of a set. Robots think
in processes of their own, and a match is replayed by whichever process reads it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import islice
from typing import Any

from pbm.engine.game import AnyGame, encode
from pbm.engine.laws import ConformanceError, law
from pbm.engine.replay import Turn, replay
from pbm.engine.types import Setup

PLIES = 60
"""So many positions of a match are looked at."""

SECONDS = 300.0
"""The time limit of the other process. This one took about a second for the same."""

Played = tuple[Setup, list[Turn]]

Seen = list[tuple[list[str], str]]
"""The legal moves in their order and the stored state, for each position of a match."""


def check_elsewhere(game: AnyGame, played: Sequence[Played]) -> None:
    """Raise ConformanceError if a process with other hashes sees these matches in another way.

    A game that no other process can import is not looked at: one that is written in a test.
    """
    name = _name_of(game)
    there = _seen_elsewhere(*name, played) if name else None
    for (setup, turns), found in zip(played, there or (), strict=False):
        for ply, (here, other) in enumerate(zip(_seen(game, setup, turns), found, strict=True)):
            after = " ".join(turn.text for turn in turns[:ply]) or "no move"
            law(here[1] == other[1], f"{after} leads to the same position in every process")
            law(
                here[0] == other[0],
                "legal moves come in the same order in every process, and those of a set do not; "
                f"after {after} here {_some(here[0])}, in another {_some(other[0])}",
            )


def _some(names: Iterable[str]) -> str:
    return " ".join(islice(names, 8))


def _seen(game: AnyGame, setup: Setup, turns: Iterable[Turn]) -> Seen:
    states = (each.state for each in replay(game, setup, islice(turns, PLIES)))
    return [(_moves(game, state), encode(game, state)) for state in states]


def _moves(game: AnyGame, state: Any) -> list[str]:
    return [str(move) for seat in game.to_move(state) for move in game.legal_moves(state, seat)]


def _name_of(game: AnyGame) -> tuple[str, str] | None:
    """Return a module and the name in it of the game, or of its class; None if it has none."""
    home, kind = type(game).__module__, type(game).__qualname__
    for module in (home, home.rpartition(".")[0]):
        for name, value in vars(sys.modules.get(module, object)).items():
            if value is game:
                return module, name
    known = getattr(sys.modules.get(home), kind, None) is type(game)
    return (home, kind) if known and home != "__main__" else None


def _seen_elsewhere(module: str, name: str, played: Sequence[Played]) -> list[Seen] | None:
    """Return what another process sees; None if it cannot import the game."""
    question = json.dumps(
        {
            "module": module,
            "name": name,
            "played": [
                [dict(setup.options), setup.dealt, [[turn.seat, turn.text] for turn in turns]]
                for setup, turns in played
            ],
        }
    )
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    path = os.pathsep.join(sys.path)
    try:
        done = subprocess.run(
            (sys.executable, "-m", "pbm.engine.elsewhere"),
            input=question, text=True, encoding="utf-8", capture_output=True, timeout=SECONDS,
            check=True, env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
        )  # fmt: skip
    except subprocess.CalledProcessError as failed:
        why = (failed.stderr.strip().splitlines() or ["it ended"])[-1]
        raise ConformanceError(f"broken law: a match is played in every process: {why}") from failed
    seen: list[Seen] | None = json.loads(done.stdout.splitlines()[-1])
    return seen and [[(names, state) for names, state in match] for match in seen]


def main() -> None:
    """Write what this process sees of the matches on standard input; null without the game."""
    question = json.load(sys.stdin)
    try:
        found: Any = getattr(import_module(question["module"]), question["name"])
    except (ImportError, AttributeError):
        seen = None
    else:
        game: AnyGame = found() if isinstance(found, type) else found
        seen = [
            _seen(game, Setup(options, tuple(dealt)), [Turn(*turn) for turn in turns])
            for options, dealt, turns in question["played"]
        ]
    sys.stdout.write(f"\n{json.dumps(seen)}\n")


if __name__ == "__main__":
    main()
