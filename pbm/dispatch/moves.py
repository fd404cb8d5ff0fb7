"""Requests in the lines of a mail: commands, and moves that are written without a verb."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, islice, takewhile

from pbm.core.budget import TooMuch
from pbm.core.command import Parameter, Request
from pbm.core.context import Context
from pbm.core.grammar import CHAT, find_verb
from pbm.core.words import Words, void
from pbm.dispatch.script import (
    COMMAND_LINES,
    COMMENT_LENGTH,
    LINES_COUNTED,
    LineReader,
    Script,
    Step,
)
from pbm.domain.errors import Boardless, NotUnderstood, UnknownName
from pbm.domain.phrases import corrects, is_quote, unwrapped
from pbm.domain.play import Board, reading_seat
from pbm.domain.player import Player
from pbm.engine import MoveError, MoveSyntaxError, UnfinishedMoveError, listing, read_move

_NUMBERED = re.compile(
    r"(?:(?:on )?board )?(#?\d{1,9}(?:#\d{1,4})?)\s?[:.;)-]?\s+(\S.*)", re.IGNORECASE
)
"""A line that begins with the number of a board, with what people put around that."""

_WORDS_OF_MOVE = 3
"""Words of a line that may be a move on one of several boards."""

WORDS_TRIED = 40
"""Words of a text in which moves are looked for."""


def settled(context: Context, script: Script, lines: LineReader) -> Script:
    """Return `script` with a step for the line that is guessed, and for a move in a sentence."""
    steps = script.steps or tuple(_guessed(context, line, lines) for line in script.lines)
    if len(steps) == 1 and _is_sentence(context, steps[0]):
        move = lines.grammar.read_move(steps[0].line, context.reply)
        steps = (replace(steps[0], meant=move),)
    return script if steps is script.steps else replace(script, steps=steps)


def _guessed(context: Context, line: str, lines: LineReader) -> Step:
    """Return the step of a line that only looks like one: most are refused with a reason."""
    reply = context.reply
    if lines.begins_command(line) or (reply is not None and reply.ply):
        return lines.step(line)
    if reply is not None and (outdated := void(reply)):
        return Step(line, outdated)
    if reply is not None and reply.answers:
        several = reply.number is None and any(map(str.isdigit, line))
        if several and len(line.split()) <= _WORDS_OF_MOVE:
            return Step(line, Boardless("Say which board you mean: that mail was about several."))
        said = "Sorry, that could not be understood, so nothing was changed."
    elif meant := lines.grammar.resembles_command(line):
        said = f"There is no such command; did you mean {' or '.join(meant)}?"
    else:
        said = "That could not be read as a command."
    return Step(line, NotUnderstood(said))


def _is_sentence(context: Context, step: Step) -> bool:
    """Return whether a line that is no whole command names a move that its writer can play now.

    A command that takes a move, or a text below it, says better what is wrong with its line.
    """
    verb = None if step.request else find_verb(step.line.partition(" ")[0])
    if verb is None or verb.name == CHAT or Parameter.MOVE in verb.takes.values():
        return False
    reply, board = context.reply, context.boards.find(context.answered)
    if reply is None or board is None or not is_to_move(board, reply.player):
        return False
    return bool(moves_named(board, reply.player, step.line))


def as_move(context: Context, line: str) -> str | None:
    """Return the move that `line`, without a verb, is meant as, or None.

    It is a move if it reads as one on the board replied to, legal or not, or if `_names_board` is
    true. Words around it that `unwrapped` knows are left out, if the game then reads a legal move;
    or an illegal one, if it could read nothing before.
    """
    reply = context.reply
    if reply is None:
        return None
    if reply.number is not None:
        board = context.boards.find(reply.number)
        return _move_on(board, reply.player, line) if reply.ply else None
    line = line.strip()
    named = _NUMBERED.fullmatch(line)
    plain = f"{named[1]} {named[2]}" if named else line
    if not _names_board(context, plain):
        return None
    number, _, rest = plain.partition(" ")
    board = context.boards.find(int(number.strip("#,").partition("#")[0]))
    return f"{number} {_move_on(board, reply.player, rest) or rest.rstrip(' .!')}".strip()


def names_nobody(context: Context, request: Request) -> bool:
    """Return whether a request for several players names none: "Message from outside"."""
    userids = request.first(Parameter.USERIDS) or ()
    players = context.work.players
    return (
        len(userids) > 1
        and request.credentials is None
        and not any(map(players.by_userid, userids))
    )


def legal_form(board: Board, player: Player, text: str) -> str | None:
    """Return the move that `text` is, without the words around it, if it can be played now."""
    return _forms(board, player, text)[0]


def begun_form(board: Board, player: Player, text: str) -> str | None:
    """Return the move that `text` is, or the beginning of one, if it can be played now."""
    legal, begun, _ = _forms(board, player, text)
    return begun if legal is None else legal


def _forms(board: Board, player: Player, text: str) -> tuple[str | None, str | None, str | None]:
    """Return the first form of `text` that is a legal move, and those before it that are not.

    The one begins a move, the other is refused for any reason.
    """
    begun: str | None = None
    refused: str | None = None
    seat = reading_seat(board, player.id)
    if seat is None or not text or is_quote(text):
        return None, None, None
    for form in unwrapped(text):
        try:
            bare = form.partition("#")[0]
            read_move(board.game, board.position.state, seat, bare)
        except MoveSyntaxError:
            continue
        except MoveError as error:
            refused = form if refused is None else refused
            if begun is None and isinstance(error, UnfinishedMoveError):
                begun = form
        else:
            return form, begun, refused
    return None, begun, refused


def one_move(context: Context, script: Script, text: Sequence[str]) -> Script:
    """Return `script` with one bare move at most on the board answered.

    Raises the Refusal that asks which if the sender may have corrected the first one. What else is
    below a move that can be played, and only looks like another one, is a comment.
    """
    head = script.lines[:1]
    below = [line for line in text if line.strip() and line not in head]
    board = context.boards.find(context.answered) if head and below else None
    reply = context.reply
    first = legal_form(board, reply.player, head[0]) if board and reply else None
    if board is None or reply is None or first is None:
        return script
    me = reply.player
    found = dict.fromkeys((first, *_at_the_head(board, me, text), *_corrected(board, me, below)))
    moves = dict.fromkeys(_notation(board, me, move) for move in found) if len(found) > 1 else found
    if len(moves) > 1 and void(reply) is None and is_to_move(board, me):
        raise NotUnderstood(question_for(moves), *moves)
    talk = [step.line for step in script.steps[1:] if not step.begun]
    steps = tuple(step for step in script.steps if step.line not in talk)
    return replace(script, steps=steps, comment="\n".join((*talk, script.comment)).strip())


_IS_IT_THIS = (
    "Is {move} your move? Nothing was done yet. Please reply with yes or the move in a line of "
    "its own; what you want to say goes below it."
)

_WHICH_OF_THESE = (
    "Which is your move, {move}? Nothing was done yet. Please reply with one of them in a "
    "line of its own; what you want to say goes below it."
)


def question_for(moves: Collection[str]) -> str:
    """Return the question which of these is the move that is meant."""
    asked = _WHICH_OF_THESE if len(moves) > 1 else _IS_IT_THIS
    return asked.format(move=listing(moves))


def is_to_move(board: Board, player: Player) -> bool:
    """Return whether `player` may send a turn now, perhaps in place of one that is sealed."""
    return not set(board.choosing).isdisjoint(board.match.seats_of(player.id))


def _notation(board: Board, player: Player, legal: str) -> str:
    """Return the one notation of a legal move, however it is spelled."""
    bare, seat = legal.partition("#")[0], reading_seat(board, player.id)
    return str(read_move(board.game, board.position.state, seat or 0, bare))


def _at_the_head(board: Board, player: Player, text: Sequence[str]) -> Iterator[str]:
    """Yield the moves of the first lines that are each a move, one below the other."""
    written = islice(filter(str.strip, text), COMMAND_LINES)
    forms = (legal_form(board, player, line) for line in written)
    found = dropwhile(lambda move: move is None, forms)
    yield from takewhile(bool, found)


def _corrected(board: Board, player: Player, text: Sequence[str]) -> Iterator[str]:
    """Yield the moves in lines of their own, and those in lines with a word of correction.

    Only moves with a digit count.
    """
    lines = [*filter(_has_digit, "\n".join(text)[:COMMENT_LENGTH].split("\n"))]
    yield from filter(None, (legal_form(board, player, line) for line in lines[:LINES_COUNTED]))
    yield from moves_named(board, player, " ".join(filter(corrects, lines)))


def moves_within(board: Board, player: Player, text: str) -> tuple[str, ...]:
    """Return the first words of `text` that are each a move that can be played now, each once.

    A single letter is not taken for a move. Many moves are ordinary words, such as "first"; see
    `moves_named`.
    """
    words = (word.strip(".,;:!?()") for word in text.split()[:WORDS_TRIED])
    tried = [word for word in dict.fromkeys(words) if len(word) > 1]
    return tuple(filter(None, (legal_form(board, player, word) for word in tried)))


def moves_named(board: Board, player: Player, text: str) -> tuple[str, ...]:
    """Return the moves in sentences: those of `moves_within` that have a digit."""
    return moves_within(board, player, " ".join(filter(_has_digit, text.split())))


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _move_on(board: Board | None, player: Player, text: str) -> str | None:
    """Return the first form of `text` that is a legal move, else the first that is any move."""
    legal, _, refused = _forms(board, player, text) if board else (None, None, None)
    return refused if legal is None else legal


def _names_board(context: Context, line: str) -> bool:
    """Return whether `line` answers a mail about several boards and begins with one of them.

    Any text may follow: "101 thanks" and a move in a match that has ended meanwhile are refused.
    If such a line were skipped, a move would be lost silently.
    """
    reply = context.reply
    if reply is None or reply.number is not None:
        return False
    number, _ = Words(line.split()).board_number()
    if number is None:
        return False
    try:
        return bool(context.boards.get(number).match.seats_of(reply.player.id))
    except UnknownName:
        return False
    except TooMuch:
        return True  # it is refused later, and not lost silently
