"""The hint of a refusal: a line that would work, made of what the sender wrote."""

import re

from pbm.dispatch.corrections import PASSWORD, corrected
from pbm.dispatch.moves import legal_form, moves_within
from pbm.domain.errors import OR, NotUnderstood, Refusal, UnknownName, WrongPassword
from pbm.domain.play import LiveMatch
from pbm.domain.player import Player
from pbm.engine import MoveError, MoveSyntaxError, fold
from pbm.service.budget import BOARD_LOADED
from pbm.service.command import Request
from pbm.service.context import Context
from pbm.service.grammar import MOVE, find_verb
from pbm.service.identity import Unproven
from pbm.service.line import OutOfDate
from pbm.service.open_boards import waiting_boards

MOST_NAMED = 3
"""Moves of a text that its sender is asked about; one with more of them is no move."""

LOOKED_AT = 10
"""Boards that are looked at to find the most urgent one for an example."""


_EXAMPLE_PLAYER = re.compile(rf"\b(?:alice|bob) {PASSWORD}( bob\b)?")
"""The players in the grammar's examples, which are not made for any reader yet."""


def example_for(
    context: Context,
    request: Request | None,
    error: Refusal | MoveError,
    board: LiveMatch | None,
    line: str,
    reader: Player,
) -> str:
    """Return a line that would work, made of what the sender wrote; "" if there is none.

    It is no move, no end of a match and no board that they have not asked for. What can be
    replied to a board that is shown stands there.
    """
    if isinstance(error, MoveError):
        # The one way to complete a move is the sender's own; another move would be ours.
        whole = error.candidates[0] if len(error.candidates) == 1 else ""
        return whole or OR.join(named_moves(request, error, board))
    if isinstance(error, _OF_PROOF | _OF_FORM) and (
        found := _put_right(context, request, error, line, reader)
    ):
        return _without_password(context, reader, found)
    if not error.example or _leads_astray(error.example, request, board):
        return ""
    return _without_password(context, reader, _made_for(reader, error.example))


def named_moves(
    request: Request | None, error: Refusal | MoveError, board: LiveMatch | None
) -> tuple[str, ...]:
    """Return the moves that a text names which could not be read as one; () if it has too many.

    Each has a digit, because a move that is a word of the language may stand in any sentence.
    """
    if not isinstance(error, MoveSyntaxError) or request is None or board is None:
        return ()
    if request.command.name != MOVE:
        return ()
    digits = [word for word in request.move.split() if any(map(str.isdigit, word))]
    found = moves_within(board, " ".join(digits))
    return found if len(found) <= MOST_NAMED else ()


def _put_right(
    context: Context, request: Request | None, error: Refusal, line: str, reader: Player
) -> str:
    """Return what the sender wrote, complete and in the right form; "" if that is not certain."""
    of_proof = isinstance(error, _OF_PROOF)
    if of_proof and request and request.command.usual:
        return request.command.usual(context, reader)
    found = corrected(context, line, reader)
    if found and (of_proof or not error.example or _differs(found, line, reader)):
        return found
    verb = find_verb(request.verb) if of_proof and request else None
    if verb and request:
        return _made_for(reader, verb.example_for(request.game or "GAME"))
    several = context.reply is not None and context.reply.number is None
    if several and request is None and not error.example and isinstance(error, NotUnderstood):
        return _on_which_board(context, line, reader)
    return ""


def _differs(found: str, line: str, reader: Player) -> bool:
    """Return whether a line was put right in more than its userid and password."""
    said = [fold(word) for word in line.split()]
    own = fold(reader.userid)
    if own in said:
        del said[said.index(own) : said.index(own) + 2]
    return said != fold(found.replace(f" {reader.userid} {PASSWORD}", "")).split()


_OF_PROOF = Unproven | OutOfDate | WrongPassword

_OF_FORM = NotUnderstood | UnknownName


def _leads_astray(example: str, request: Request | None, board: LiveMatch | None) -> bool:
    """Return whether an example only shows what is shown, or ends what nobody wanted to end."""
    verb = find_verb(example.split(maxsplit=1)[0])
    if verb is None:
        return False
    unasked = request is not None and request.verb != verb.name
    return (verb.name == "show" and board is not None) or (verb.final and unasked)


def _on_which_board(context: Context, line: str, reader: Player) -> str:
    """Return the move of `line` behind the number of each board that it can be played on.

    If that is none, or no move was read, the move is `your-move`.
    """
    if not context.budget.afford(BOARD_LOADED * LOOKED_AT):
        return ""
    boards = waiting_boards(context, reader, most=LOOKED_AT)
    moves = [(board.match.number, legal_form(board, line)) for board in boards]
    lines = [f"{number} {move}" for number, move in moves if move]
    lines = lines or [f"{number} your-move" for number, _ in moves]
    return OR.join(lines[:3])


def _made_for(reader: Player, example: str) -> str:
    """Return the example with the reader's userid in it, and somebody else as the opponent."""
    opponent = "alice" if fold(reader.userid) == "bob" else "bob"
    return _EXAMPLE_PLAYER.sub(
        lambda found: f"{reader.userid} {PASSWORD}" + (f" {opponent}" if found[1] else ""),
        example,
    )


def _without_password(context: Context, reader: Player, example: str) -> str:
    """Return the example without userid and password in a reply, which proves who writes.

    A command that cannot be read without them, such as one about the account, keeps them.
    """
    bare = example.replace(f" {reader.userid} {PASSWORD}", "")
    if context.reply is None or context.reply.writes_to or bare == example:
        return example
    try:
        context.services.grammar.read(bare, context.reply)
    except NotUnderstood:
        return example
    return bare
