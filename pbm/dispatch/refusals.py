"""How a refusal is answered: the sentence, a line that works, and the board it was about."""

import re
from collections.abc import Iterable

from pbm.dispatch.corrections import PASSWORD, corrected, meant_options
from pbm.dispatch.moves import legal_form, moves_within
from pbm.domain.errors import (
    OR,
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
from pbm.service.budget import ANSWER, BOARD_LOADED, drawn
from pbm.service.command import Request
from pbm.service.context import Context, everybody, seat_token
from pbm.service.grammar import MOVE, find_verb
from pbm.service.identity import Unproven, needs_password
from pbm.service.letters import Message
from pbm.service.line import OutOfDate
from pbm.service.matches import waiting_boards
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
        said = without(said, [quote(request.credentials.password)])
    text = request.move
    if isinstance(error, WrongPassword | TooManyGuesses) and not needs_password(request):
        return said + _REPLY_IS_ENOUGH
    if isinstance(error, MoveError):
        said = _of_move(said, text, error, board)
    if isinstance(error, NotNow | MoveSyntaxError) and board and context.reply:
        return _of_prose(said, text, error, named_moves(request, error, board))
    return said


def without(said: str, quotations: Iterable[str]) -> str:
    """Return a sentence with "that" in place of these quotations."""
    for quoted in quotations:
        said = said.replace(quoted, "That" if said.startswith(quoted) else "that")
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
    said = without(said, (quote(text), *_QUOTATION.findall(said)))
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
