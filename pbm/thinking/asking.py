"""Programs of others that play for a robot: asked for its move, and replaced where they fail."""

from collections.abc import Callable
from dataclasses import replace

from pbm.engine import AnyGame
from pbm.programs import CommandError, Limits, ProgramFailed, ask, command_of
from pbm.robots.asking import question_of
from pbm.robots.moves import MoveFound, MoveTask, Program

SECONDS = 30.0
"""How long a program may think: a player who waits for a robot waits a minute at most."""

STAND_IN = 1
"""The level that plays the move that a program did not find."""


def asked(
    task: MoveTask, program: Program, game: AnyGame, is_over: Callable[[], bool]
) -> MoveFound:
    """Return the move of a program; if it fails, whatever it does, a move of our own search."""
    moment = task.moment
    try:
        command = command_of(program.entry) if program.entry else program.command
        question = question_of(
            game,
            program.setup,
            program.turns,
            moment.position(game),
            moment.seat,
            own_seats=program.own_seats,
            seconds=SECONDS,
            level=str(task.level or ""),
        )
        answer = ask(command, game, question, Limits())
    except (ProgramFailed, CommandError) as failure:
        level = min(task.level, STAND_IN)
        return replace(replace(task, level=level).run(game, is_over), fault=str(failure))
    return MoveFound(answer.move, moment.ply + 1)
