"""How a refusal is answered: the sentence, a line that works, and the board it was about."""

import re

from pbm.dispatch.corrections import meant_options
from pbm.dispatch.hints import example_for, named_moves
from pbm.domain.errors import (
    Nameless,
    NotNow,
    NotUnderstood,
    Refusal,
    TooManyGuesses,
    UnknownName,
    UnknownPlayer,
    WrongPassword,
)
from pbm.domain.play import LiveMatch
from pbm.domain.player import PASSWORD_LENGTHS, Player
from pbm.engine import MoveError, MoveSyntaxError, fold, listing, quote, read_move
from pbm.service.board_messages import Refused
from pbm.service.budget import ANSWER, drawn
from pbm.service.command import Request
from pbm.service.context import Context, everybody, seat_token
from pbm.service.identity import Unproven, needs_password
from pbm.service.letters import Message
from pbm.service.tokens import Token, TokenKind, player_token


def refused(
    context: Context, request: Request | None, error: Refusal | MoveError, line: str
) -> list[Message]:
    """Return the answer to a `line` that was not carried out; none to a stranger.

    The line is repeated only as `corrected` writes it: it may hold a password.
    """
    reader = context.reader
    if reader is None:
        return []
    board = _board(context, request, reader)
    return [
        Refused(
            to=reader,
            sentence=_sentence(context, request, error, line, board),
            example=example_for(context, request, error, board, line, reader),
            now=context.now,
            candidates=error.candidates if isinstance(error, MoveError) else (),
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
    if isinstance(error, Unproven | Nameless):
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
    if request and (request.command.boardless or needs_password(request)):
        return None  # it is about all boards or the account, whichever mail it answers
    if request:
        number = request.number or number
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


def _sentence(
    context: Context,
    request: Request | None,
    error: Refusal | MoveError,
    line: str,
    board: LiveMatch | None,
) -> str:
    """Return what the error says, without words of the player that could be a password."""
    said = error.sentence if isinstance(error, MoveError) else str(error)
    if isinstance(error, NotUnderstood | UnknownName) and (options := meant_options(context, line)):
        return f"Did you mean {' '.join(options)}?"
    if isinstance(error, UnknownPlayer) and _may_be_named(error.name, request):
        return f"There is no player {quote(error.name)} here.{error.hint}"
    if request is None:
        return said
    if request.credentials:
        quoted = quote(request.credentials.password)
        said = said.replace(quoted, "That" if said.startswith(quoted) else "that")
    text = request.move
    if isinstance(error, WrongPassword | TooManyGuesses) and not needs_password(request):
        return said + _REPLY_IS_ENOUGH
    if isinstance(error, MoveError):
        said = _of_move(said, text, error, board)
    if isinstance(error, NotNow | MoveSyntaxError) and board and context.reply:
        return _of_prose(said, text, error, named_moves(request, error, board))
    return said


def _of_prose(said: str, text: str, error: Refusal | MoveError, moves: tuple[str, ...]) -> str:
    """Return what is said about a text that is no move, or comes at no time for one.

    `moves` are those that it names. Who writes several words may want to be read by the opponent.
    """
    if moves:
        asked = _WHICH_OF_THESE if len(moves) > 1 else _IS_IT_THIS
        return asked.format(move=listing(moves))
    late = isinstance(error, NotNow) and any(map(str.isdigit, text))
    return said if late or len(text.split()) < 2 else said + _HOW_TO_TALK


_REPLY_IS_ENOUGH = " A reply to a board mail needs no password."

_IS_IT_THIS = (
    "Is {move} your move? Nothing was done yet. Please reply with the move in a line of "
    "its own; what you want to say goes below it."
)

_WHICH_OF_THESE = (
    "Which is your move, {move}? Nothing was done yet. Please reply with one of them in a "
    "line of its own; what you want to say goes below it."
)

_HOW_TO_TALK = (
    " Nothing was done. To say something to the other player, write chat in the first line, and "
    "your words below it."
)


def _may_be_named(name: str, request: Request | None) -> bool:
    """Return whether an unknown userid can go out, because it can be no password.

    That is behind a userid and password that were right, and where it is too short to be one. Not
    behind a verb that needs no password: people write theirs there all the same.
    """
    if request is None or not _USERID.fullmatch(name):
        return False
    if request.credentials:
        return request.credentials.password not in name
    return len(name) < PASSWORD_LENGTHS[0]


_QUOTATION = re.compile('"[^"]*"')

_USERID = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{1,15}")


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
        return fold(error.sentence)
    return ""
