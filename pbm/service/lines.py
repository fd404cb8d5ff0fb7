"""What one line of a mail asks for: a command, or a move written as in a reply, without a verb."""

from pbm.domain.errors import NotUnderstood, UnknownName
from pbm.domain.play import LiveMatch
from pbm.engine import MoveError, MoveSyntaxError, read_move
from pbm.service.budget import TooMuch
from pbm.service.commands.line import Request, Words
from pbm.service.context import Context
from pbm.service.proofs import void


def request_of(context: Context, line: str) -> Request:
    """Return what a line asks for: a command, or a bare move in a reply; raise a Refusal."""
    reply, grammar = context.reply, context.services.grammar
    if grammar.begins_command(line):
        return grammar.read(line, reply)
    if reply is not None and reply.ply:
        return grammar.read(f"move {line}", reply)
    if _names_board(context, line):
        # One of several lines may be a sentence of its own: "101 A4."
        return grammar.read(f"move {line.rstrip(' .!')}", reply)
    if reply is not None and (outdated := void(reply)):
        raise outdated
    if reply is not None and reply.answers and reply.number is None:
        raise NotUnderstood("Say which board you mean: that mail was about several.")
    if reply is not None and reply.answers:
        raise NotUnderstood("An invitation is answered by accept or decline.", "accept")
    meant = grammar.resembles_command(line)
    raise NotUnderstood(
        f"There is no such command; did you mean {' or '.join(meant)}?"
        if meant
        else "That could not be read as a command."
    )


def is_move(context: Context, line: str) -> bool:
    """Return whether `line`, without a verb, is meant as a move.

    It is if it reads as one on the board replied to, legal or not, or if `_names_board` is true.
    """
    if _names_board(context, line):
        return True
    board = _replied_to(context)
    if board is None or not board.to_move:
        return False
    try:
        read_move(board.game, board.position.state, board.to_move[0], line.partition("#")[0])
    except MoveSyntaxError:
        return False
    except MoveError:
        return True
    return True


def _names_board(context: Context, line: str) -> bool:
    """Return whether `line` answers a mail about several boards and begins with one of them.

    Any text may follow: "101 thanks" is refused as no move, and a move in a match that has ended
    meanwhile is refused, too. If such a line were skipped, a move would be lost silently.
    """
    reply = context.reply
    number, _ = Words(line.split()).board_number()
    if reply is None or reply.number is not None or number is None:
        return False
    try:
        return bool(context.boards.get(number).match.seats_of(reply.player.id))
    except UnknownName:
        return False
    except TooMuch:
        return True  # it is refused when its turn comes, and not lost silently


def _replied_to(context: Context) -> LiveMatch | None:
    """Return the board that the mail answers; None if it answers none, or an invitation."""
    reply = context.reply
    if reply is None or reply.number is None or not reply.ply:
        return None
    try:
        return context.boards.get(reply.number)
    except UnknownName:
        return None
