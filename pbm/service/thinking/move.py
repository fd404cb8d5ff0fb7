"""What a robot plays: thought about when it is to move, and played as a person's move is."""

from collections.abc import Iterator, Mapping

from pbm.domain.errors import NotNow
from pbm.domain.play import LiveMatch, check_ply_due
from pbm.domain.player import PlayerId
from pbm.domain.robots import Brain, Thought, ThoughtKind
from pbm.engine import Seat
from pbm.features.turns import give_up, take_turn
from pbm.robots.moves import MoveFound, MoveTask, Program
from pbm.service.context import Context, day_of
from pbm.service.letters import Message
from pbm.service.notices.thinking import RobotFailed
from pbm.service.thinking.base import Kind, chance_of
from pbm.service.thinking.robots import brain_of, draw_offered, level_for, moment_of


def prepare(context: Context, thought: Thought) -> MoveTask | None:
    """Return the position to find a move in; None if the robot is not to move.

    A draw that is offered to it is answered first: what it says to that asks for its move anew.
    """
    board = context.boards.get(thought.number)
    seat = _due_seat(board, thought.player)
    if seat is None or draw_offered(board, thought.player):
        return None
    brain = brain_of(context, thought)
    return MoveTask(
        moment_of(board, seat),
        level_for(brain, thought),
        chance_of(thought.number, board.position.ply),
        None if brain.is_ours else _program(board, brain, thought.player),
    )


def _program(board: LiveMatch, brain: Brain, robot: PlayerId) -> Program:
    match = board.match
    seats = match.seats_of(robot)
    return Program(brain.command, brain.entry, match.setup, tuple(match.turns), seats)


def carry_out(context: Context, thought: Thought, found: MoveFound) -> Iterator[Message]:
    """Play the move, and what is queued to follow it; or give the match up."""
    board = context.boards.get(thought.number)
    if draw_offered(board, thought.player):
        raise NotNow(f"A draw is offered on board {thought.number}.")
    check_ply_due(board, found.due)
    yield from _told_of_fault(context, found)
    if found.resigns and _has_moved(board, thought.player):
        yield from give_up(context, board, thought.player)
    else:
        yield from take_turn(context, thought.number, found.text, found.due)


def _told_of_fault(context: Context, found: MoveFound) -> Iterator[Message]:
    """Tell the operator, once a day for each robot, that a program did not play itself."""
    robot, operator = context.sender(), context.services.operator
    if not found.fault or operator is None:
        return
    if context.work.tally(f"robot-failed:{robot.id}", day_of(context.now)) == 1:
        yield RobotFailed(operator, robot.userid, found.fault)


def _due_seat(board: LiveMatch, robot: PlayerId) -> Seat | None:
    return next((seat for seat in board.to_move if board.match.players[seat] == robot), None)


def _has_moved(board: LiveMatch, robot: PlayerId) -> bool:
    """Return whether to give up is to resign: before the first move it would decline the match."""
    seats = board.match.seats_of(robot)
    return any(entry.seat in seats for entry in board.match.plies)


def _fault_of(found: MoveFound) -> str:
    return found.fault


KINDS: Mapping[ThoughtKind, Kind] = {ThoughtKind.MOVE: Kind(prepare, carry_out, _fault_of)}
