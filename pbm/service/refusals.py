"""How a refusal is answered: the sentence, a line that works, and the board it was about."""

import re

from pbm.domain.errors import NotUnderstood, Refusal, UnknownName
from pbm.domain.play import LiveMatch, example_move
from pbm.domain.player import PASSWORD_LENGTHS, Player
from pbm.engine import (
    MoveError,
    MoveSyntaxError,
    UnfinishedMoveError,
    fold,
    quote,
    read_move,
)
from pbm.service.budget import ANSWER, BOARD_LOADED, TooMuch, drawn
from pbm.service.commands import find_verb
from pbm.service.commands.line import AtBoard, Request
from pbm.service.commands.plans import Preview, Queue, Submit
from pbm.service.commands.play import Move
from pbm.service.commands.vacations import Vacation
from pbm.service.context import Context, everybody, seat_token
from pbm.service.notices import Notice
from pbm.service.notices.play import Refused
from pbm.service.proofs import OutOfDate, Unproven
from pbm.service.steps.open_boards import waiting_boards
from pbm.service.steps.vacations import usual_line
from pbm.service.tokens import Token, TokenKind, player_token

_WITH_MOVES = Move | Queue | Submit | Preview
LOOKED_AT = 10
"""Boards that are looked at to find the most urgent one for an example."""

_QUOTATION = re.compile('"[^"]*"')

_EXAMPLE_PLAYER = re.compile(r"\b(?:alice|bob) your-password( bob\b)?")
"""The players in the grammar's examples, which are not made for any reader yet."""


def refused(context: Context, request: Request | None, error: Refusal | MoveError) -> list[Notice]:
    """Return the answer to a request that was not carried out; none to a stranger.

    The player's own line is never repeated: it may hold a password.
    """
    reader = context.reader
    if reader is None:
        return []
    board = _board(context, request, reader)
    return [
        Refused(
            to=reader,
            sentence=_sentence(request, error, board),
            example=_example(context, request, error, board, reader),
            now=context.now,
            candidates=error.candidates if isinstance(error, UnfinishedMoveError) else (),
            board=board,
            people=context.people(everybody(board)) if board else None,
            reply=_token(context, error, board, reader),
        )
    ]


def _token(
    context: Context, error: Refusal | MoveError, board: LiveMatch | None, reader: Player
) -> Token | None:
    """Return what the refusal can be answered with: its board, or what was replied to.

    Who proved nothing can prove it by a reply, because the refusal goes to an address of theirs.
    """
    if isinstance(error, Unproven):
        return player_token(reader.id)
    if board is not None:
        return seat_token(board, reader)
    reply = context.reply
    if reply is None or reply.player.id != reader.id:
        return None
    if reply.number is None:
        return player_token(reader.id)
    kind = TokenKind.BOARD if reply.ply else TokenKind.INVITATION
    return Token(kind, reply.number, reader.id, reply.ply, reply.undos)


def _board(context: Context, request: Request | None, reader: Player) -> LiveMatch | None:
    """Return the board that the request was about, if the reader plays on it."""
    number = context.reply.number if context.reply else None
    command = request.command if request else None
    if isinstance(command, Vacation):
        return None  # it is about all boards, whichever mail it answers
    if isinstance(command, AtBoard):
        number = command.number or number
    if number is None:
        return None
    try:
        board = context.boards.get(number)
    except Refusal:
        return None
    if not board.match.seats_of(reader.id):
        return None
    mail = drawn(board.position.ply) + ANSWER
    return board if context.budget.afford(mail) else None


def _sentence(request: Request | None, error: Refusal | MoveError, board: LiveMatch | None) -> str:
    """Return what the error says, without words of the player that could be a password."""
    said = str(error)
    if request is None:
        return said
    if request.credentials:
        quoted = quote(request.credentials.password)
        said = said.replace(quoted, "That" if said.startswith(quoted) else "that")
    text = request.command.text if isinstance(request.command, _WITH_MOVES) else ""
    return _of_move(said, text, error, board) if isinstance(error, MoveError) else said


def _of_move(said: str, text: str, error: MoveError, board: LiveMatch | None) -> str:
    """Return what a game says about the move `text`, without what may be a password in it.

    A game quotes what it was given, so every quotation is left out, unless the text is too short
    to be a password. What it says unquoted it has read as a move. A game that cannot read the
    text but repeats words of it all the same is not believed: then the sentence is ours.
    """
    if len(text) < PASSWORD_LENGTHS[0]:
        return said
    for quoted in (quote(text), *_QUOTATION.findall(said)):
        said = said.replace(quoted, "That" if said.startswith(quoted) else "that")
    if isinstance(error, MoveSyntaxError) and _repeated(said, text, board):
        return "What you wrote could not be read as a move."
    return said


def _repeated(said: str, text: str, board: LiveMatch | None) -> bool:
    """Return whether a word of `text` stands in `said` that the game does not say to anybody."""
    words = (word for word in fold(text).split() if len(word) >= PASSWORD_LENGTHS[0])
    found = [word for word in words if word in fold(said)]
    if not found:
        return False
    usual = _said_to_anybody(board)
    return any(word not in usual for word in found)


def _said_to_anybody(board: LiveMatch | None) -> str:
    """Return, folded, what the game says about a text without words."""
    if board is None or not board.to_move:
        return ""
    try:
        read_move(board.game, board.position.state, board.to_move[0], "?")
    except MoveError as error:
        return fold(str(error))
    return ""


def _example(
    context: Context,
    request: Request | None,
    error: Refusal | MoveError,
    board: LiveMatch | None,
    reader: Player,
) -> str:
    """Return a line that would work, made for this reader and board."""
    if isinstance(error, UnfinishedMoveError) and error.candidates:
        return error.candidates[0]
    at_turn = board is not None and any(
        board.match.players[seat] == reader.id for seat in board.to_move
    )
    if board is not None and at_turn and not isinstance(error, UnknownName | NotUnderstood):
        return example_move(board)
    if isinstance(error, Unproven | OutOfDate) and request:
        return _said_again(context, request, reader)
    if isinstance(error, Refusal) and error.example:
        return _without_password(context, reader, _made_for(reader, error.example))
    return f"show {board.match.number}" if board else _move_elsewhere(context, reader)


def _said_again(context: Context, request: Request, reader: Player) -> str:
    """Return a line of that command that says who writes, if it must."""
    verb = find_verb(request.verb)
    if verb is None or isinstance(request.command, Vacation):
        return usual_line(context, reader)
    example = _made_for(reader, verb.example_for(request.game or "GAME"))
    return _without_password(context, reader, example)


def _made_for(reader: Player, example: str) -> str:
    """Return the example with the reader's userid in it, and somebody else as the opponent."""
    opponent = "alice" if fold(reader.userid) == "bob" else "bob"
    return _EXAMPLE_PLAYER.sub(
        lambda found: f"{reader.userid} your-password" + (f" {opponent}" if found[1] else ""),
        example,
    )


def _without_password(context: Context, reader: Player, example: str) -> str:
    """Return the example without userid and password in a reply, which proves who writes.

    A command that cannot be read without them, such as one about the account, keeps them.
    """
    bare = example.replace(f" {reader.userid} your-password", "")
    if context.reply is None or bare == example:
        return example
    try:
        context.services.grammar.read(bare, context.reply)
    except NotUnderstood:
        return example
    return bare


def _move_elsewhere(context: Context, reader: Player) -> str:
    """Return a whole command for a board where the reader is to move; "help" if there is none.

    In a reply, which needs no password, it is the most urgent board.
    """
    if not context.budget.afford(BOARD_LOADED * LOOKED_AT):
        return "help"
    if context.reply is not None:
        waiting = waiting_boards(context, reader, most=LOOKED_AT)[:1]
        return next(
            (f"move {board.match.number} {example_move(board)}#{board.due}" for board in waiting),
            "help",
        )
    rows = context.work.matches.listing(None, [reader.id], over=False, to_move=True, limit=1)
    if not rows:
        return "help"
    try:
        move = example_move(context.boards.get(rows[0].number))
    except TooMuch:
        return "help"
    return f"move {rows[0].number} {reader.userid} your-password {move}"
