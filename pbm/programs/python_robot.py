"""The process in which a robot of a Python package plays: it speaks the protocol for it.

The entry point of its name in the group `pbm.robots` is a callable. It is given the game and a
Question, and returns the move as a text, or an Answer with more:

    def choose(game: AnyGame, question: Question) -> str | Answer

What it prints goes to stderr, so that it cannot disturb the conversation.
"""

import os
import sys
import traceback
from collections.abc import Callable
from importlib import metadata
from typing import BinaryIO

from pbm.engine import AnyGame
from pbm.plugins import installed_games
from pbm.programs import GROUP
from pbm.robots import protocol
from pbm.robots.asking import Question
from pbm.robots.protocol import Answer

Choose = Callable[[AnyGame, Question], str | Answer]

Rules = Callable[[str, int], AnyGame | None]
"""Returns the game with that key as its rules were in that version."""


class RobotError(Exception):
    """The robot cannot play; `str()` says why."""


def main(name: str) -> None:
    """Answer what comes by stdin until it ends or says quit."""
    answers = _take_stdout()
    loaded: tuple[Choose, Rules] | None = None
    match: protocol.NewMatch | None = None
    for line in sys.stdin.buffer:
        message = protocol.read_message(line)
        if isinstance(message, protocol.Quit):
            break
        try:
            if isinstance(message, protocol.Hello):
                loaded = _choose_of(name), installed_games().rules
                answers.write(protocol.written(protocol.Ready()))
            elif isinstance(message, protocol.NewMatch):
                match = message
            elif isinstance(message, protocol.PositionAsked):
                if loaded is None or match is None:
                    raise RobotError("A position came before hello and new.")  # noqa: TRY301
                answers.write(protocol.written(_chosen(*loaded, Question(match, message))))
        except Exception as error:  # noqa: BLE001 - whatever the robot raises goes to the server
            traceback.print_exc()
            answers.write(protocol.written_error(f"{type(error).__name__}: {error}"))


def _chosen(choose: Choose, rules: Rules, question: Question) -> Answer:
    key, version = question.match.game, question.match.rules_version
    game = rules(key, version)
    if game is None:
        raise RobotError(f"The game {key} is not installed with version {version} of its rules.")
    chosen = choose(game, question)
    # Read as the server will read it, so that the robot's author learns what is wrong.
    return protocol.read_answer(
        protocol.written(chosen if isinstance(chosen, Answer) else Answer(chosen))
    )


def _choose_of(name: str) -> Choose:
    points = metadata.entry_points(group=GROUP, name=name)
    if len(points) != 1:
        number = "No package brings" if not points else "Several packages bring"
        raise RobotError(f"{number} a robot called {name}.")
    (point,) = points
    choose: Choose = point.load()
    return choose


def _take_stdout() -> BinaryIO:
    """Return what the server reads, and let everything else that is printed go to stderr."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return answers
