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
from pbm.robots.asking import Question
from pbm.robots.protocol import (
    Answer,
    Hello,
    Message,
    NewMatch,
    PositionAsked,
    Quit,
    Ready,
    read_answer,
    read_message,
    written,
    written_error,
)

Choose = Callable[[AnyGame, Question], str | Answer]

Rules = Callable[[str, int], AnyGame | None]
"""Returns the game with that key as its rules were in that version."""


class RobotError(Exception):
    """The robot cannot play; `str()` says why."""


def main(name: str) -> None:
    """Answer what comes by stdin until it ends or says quit."""
    answers = _take_stdout()
    player = _Player(name)
    for line in sys.stdin.buffer:
        message = read_message(line)
        if isinstance(message, Quit):
            break
        try:
            answers.write(player.answer(message))
        except Exception as error:  # noqa: BLE001 - whatever the robot raises, the server is told
            traceback.print_exc()
            answers.write(written_error(f"{type(error).__name__}: {error}"))


class _Player:
    """The robot of that name, in the match that it was last told of."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loaded: tuple[Choose, Rules] | None = None
        self._match: NewMatch | None = None

    def answer(self, message: Message | None) -> bytes:
        """Return the line that answers the message, or nothing if none does."""
        if isinstance(message, Hello):
            self._loaded = _choose_of(self._name), installed_games().rules
            return written(Ready())
        if isinstance(message, NewMatch):
            self._match = message
        if isinstance(message, PositionAsked):
            return self._chosen(message)
        return b""

    def _chosen(self, asked: PositionAsked) -> bytes:
        if self._loaded is None or self._match is None:
            raise RobotError("A position came before hello and new.")
        choose, rules = self._loaded
        key, version = self._match.game, self._match.rules_version
        game = rules(key, version)
        if game is None:
            raise RobotError(
                f"The game {key} is not installed with version {version} of its rules."
            )
        chosen = choose(game, Question(self._match, asked))
        # Read as the server will read it, so that the robot's author is told what is wrong.
        answer = chosen if isinstance(chosen, Answer) else Answer(chosen)
        return written(read_answer(written(answer)))


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
