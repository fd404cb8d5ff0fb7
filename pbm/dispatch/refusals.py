"""Answers to refused lines: the sentence, a line that works, and the board that it is about."""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from pbm.core.board_messages import DrawnBoard, refusal_letter
from pbm.core.budget import ANSWER, BOARD_LOADED, drawn
from pbm.core.command import Proof, Request
from pbm.core.context import Context, everybody, seat_token
from pbm.core.grammar import MOVE, find_verb
from pbm.core.letters import Letter
from pbm.core.open_boards import waiting_boards
from pbm.core.tokens import Token, TokenKind, player_token
from pbm.core.words import OutOfDate, Reply, void
from pbm.dispatch.corrections import PASSWORD, PLACEHOLDERS, corrected, meant_options
from pbm.dispatch.moves import is_to_move, legal_form, moves_named, question_for
from pbm.dispatch.script import LineReader, Step
from pbm.dispatch.unread import Advice, offer
from pbm.domain.errors import (
    NAMELESS,
    Fix,
    Refusal,
    TooManyGuesses,
    UnknownPlayer,
    WrongPassword,
    unquoted,
)
from pbm.domain.phrases import corrects
from pbm.domain.play import Board
from pbm.domain.player import PASSWORD_LENGTHS, Player
from pbm.domain.questions import Choice, Unsettled
from pbm.domain.seen import seen
from pbm.engine import MoveError, MoveSyntaxError, UnfinishedMoveError, fold, quote, read_move

_REPLY_IS_ENOUGH = " A reply to a board mail needs no password."

_AGAIN = " Or say it again in a reply to this mail, which needs neither."

_YES = " Or reply yes to this mail, which needs neither; words for others go below the yes."

_MEANT = re.compile(r"[;.] [Dd]id you mean ([^?]+)\?")
"""A question for names, from which no line can be made that a yes would do."""

_HOW_TO_UNDO = " To ask for your last move back, reply undo."

_QUOTATION = re.compile('"[^"]*"')

_USERID = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{1,15}")

MOST_NAMED = 3
"""Moves of a text that its sender is asked about; one with more of them is no move."""

LOOKED_AT = 10
"""Boards that are looked at to find the most urgent one for an example."""

_EXAMPLE_PLAYER = re.compile(rf"\b(?:alice|bob) {PASSWORD}( bob\b)?")
"""The players in the grammar's examples, which are not made for any reader yet."""

_OF_PROOF = (Fix.WHO, Fix.PROOF)


def refused(context: Context, error: Refusal | MoveError, step: Step, text: str | None) -> Letter:
    """Return the answer to a `step` that was not carried out, for the context's reader.

    Its line is repeated only as `corrected` writes it, because it may contain a password. If the
    mail has no command, `text` is all that was written.
    """
    case = _case(context, error, step)
    found = (None if text is None else case.offer(text)) or case.answer()
    return refusal_letter(
        case.reader,
        found.sentence,
        found.examples,
        case.drawn(),
        error.candidates if isinstance(error, MoveError) else (),
        found.choices,
        found.ways,
        reply=case.token(asks=bool(found.choices)),
    )


def _whole(*lines: str) -> bool:
    """Return whether the lines can be carried out as they are."""
    return PLACEHOLDERS.isdisjoint(" ".join(lines).split())


def _case(context: Context, error: Refusal | MoveError, step: Step) -> "_Case":
    unread = Fix.WORDS if isinstance(error, MoveSyntaxError) else Fix.NOTHING
    fix = error.fix if isinstance(error, Refusal) else unread
    board = None if fix is Fix.WHO else _board(context, step.request)
    return _Case(context, error, fix, step, context.asker(), board)


def _board(context: Context, request: Request | None) -> Board | None:
    """Return the board that the request was about, if the reader plays on it."""
    number = context.answered
    if request:
        if request.command.boardless or request.command.needs is Proof.PASSWORD:
            return None  # it is about all boards or the account, whichever mail it answers
        number = request.number or number
    board = context.boards.find(number)
    if board is None or not board.match.seats_of(context.asker().id):
        return None
    mail = drawn(board.position.ply) + ANSWER
    return board if context.budget.try_charge(mail) else None


@dataclass(frozen=True)
class _Case:
    """A line that was refused by an `error`, and the board that it is about."""

    context: Context
    error: Refusal | MoveError
    fix: Fix
    step: Step
    reader: Player
    board: Board | None

    @cached_property
    def said(self) -> str:
        """The sentence, with the question whether a reply to an old mail makes a move."""
        move = self.legal() if isinstance(self.error, OutOfDate) else None
        return self.sentence() + (f" Is {move} your move?" if move else "")

    @property
    def asks(self) -> bool:
        """Whether the answer asks for something."""
        unfinished = isinstance(self.error, UnfinishedMoveError)
        return "?" in self.said or self.fix is Fix.WHO or unfinished

    def answer(self) -> Advice:
        """Return the sentence, the choices if it asks for a yes to some, and lines that work."""
        said, offers = self.said, self.made if self.asks and _whole(*self.made) else ()
        if self.fix is Fix.WHO and str(self.error) == NAMELESS:
            said += _YES if offers else _AGAIN
        if not offers:
            said = _MEANT.sub(r". Similar: \1.", said)
        error = self.error
        choices = error.choices if isinstance(error, Unsettled) else tuple(map(Choice, offers))
        return Advice(said, choices, examples=self.examples())

    def token(self, *, asks: bool) -> Token | None:
        """Return the token of the refusal: of its board, or of the mail that was replied to.

        If the sender proved nothing, a reply proves it, because the refusal goes to an address of
        the account.
        """
        if self.board is not None:
            return seat_token(self.board, self.reader)
        reply = self.context.reply
        if self.fix is Fix.WHO or (asks and reply is None):
            return player_token(self.reader.id)
        if reply is None or reply.player.id != self.reader.id:
            return None
        if reply.number is None:
            return player_token(self.reader.id)
        kind = TokenKind.BOARD if reply.ply else TokenKind.INVITATION
        return Token(kind, reply.number, self.reader.id, reply.ply, reply.undos)

    def offer(self, text: str) -> Advice | None:
        """Return what else the `text` may mean, unless the line of it has a better answer.

        The mail does not show the text, so only its proven writer is asked to send it.
        """
        reply, made = self.context.reply, self.made
        if reply is None or void(reply) is not None or self.fix not in (Fix.FORM, Fix.WORDS):
            return None
        put_right = made and self.board is None and (self.step.begun or _whole(*made))
        found = None if self.asks or put_right else offer(self.context, text, self.said)
        if found and self.step.begun and not found.examples:
            return replace(found, examples=self.examples())
        return found

    def drawn(self) -> DrawnBoard | None:
        """Return the board as its answer draws it."""
        board, context = self.board, self.context
        if board is None:
            return None
        view, people = seen(board, self.reader.id), context.people(everybody(board))
        return DrawnBoard(view, people, context.now)

    def legal(self) -> str | None:
        """Return the move that the line is, if the reader can play it now on the board shown."""
        board, reader = self.board, self.reader
        if board is None or not is_to_move(board, reader):
            return None
        return legal_form(board, reader, self.step.line)

    def sentence(self) -> str:
        """Return the sentence of the error, without words that could be a password."""
        error, request = self.error, self.step.request
        said = error.sentence if isinstance(error, MoveError) else str(error)
        if self.fix is Fix.FORM and (options := meant_options(self.context, self.step.line)):
            return f"Did you mean {' '.join(options)}?"
        if isinstance(error, UnknownPlayer) and _may_be_named(error.name, request):
            return f"There is no player {quote(error.name)} here.{error.hint}"
        if request is None:
            return said
        if request.credentials:
            said = unquoted(said, [quote(request.credentials.password)])
        if isinstance(error, WrongPassword | TooManyGuesses):
            enough = request.command.needs is not Proof.PASSWORD
            return said + _REPLY_IS_ENOUGH * enough
        if isinstance(error, MoveError):
            said = _of_move(said, request.move, error, self.board)
        if self.fix is Fix.WORDS and self.board and self.context.reply:
            return self._of_prose(said, request.move)
        return said

    def _of_prose(self, said: str, text: str) -> str:
        """Return the sentence on a text that is no move, or comes at no time for one.

        It asks about the moves that the text names.
        """
        if moves := self._named_moves():
            return question_for(moves)
        late = isinstance(self.error, Refusal) and any(map(str.isdigit, text))
        return said + _HOW_TO_UNDO if late and corrects(text) else said

    def _named_moves(self) -> tuple[str, ...]:
        """Return the moves that a text names which was not read as one; () if it has too many.

        Each has a digit, because a move that is a word of the language may be in any sentence.
        """
        request = self.step.request
        if not (isinstance(self.error, MoveSyntaxError) and request and self.board):
            return ()
        if request.command.name != MOVE:
            return ()
        found = moves_named(self.board, self.reader, request.move)
        return found if len(found) <= MOST_NAMED else ()

    @cached_property
    def made(self) -> tuple[str, ...]:
        """The lines that would work and are made of what the sender wrote, if any.

        If the refusal asks whether one is meant, it is one for a reply. So is the line of a
        question that is ours.
        """
        error = self.error
        if isinstance(error, MoveError):
            return error.candidates or self._named_moves()
        ours = self.asks and not self.step.request and self.fix is not Fix.GAME
        if ours and error.examples:
            return error.examples
        lines = () if self.fix in (Fix.WORDS, Fix.NOTHING) else self._put_right(error)
        return tuple(self._without_password(line, asks=self.asks) for line in lines)

    def examples(self) -> tuple[str, ...]:
        """Return lines that would work, those `made` if there are any.

        It never is a move, an end of a match or a board that they have not asked for. Lines that
        can be replied to a board are shown with it.
        """
        error, made = self.error, self.made
        if isinstance(error, MoveError):
            # The one way to complete a move is the sender's own; another move would be ours.
            return made if len(made) == 1 or not error.candidates else ()
        if made:
            return made
        request, found = self.step.request, error.examples
        verb = find_verb(request.verb) if request else None
        if self.fix in _OF_PROOF and verb and request:
            usual = request.command.usual
            line = verb.example_for(request.game or "GAME")
            found = (usual(self.context, self.reader) if usual else _made_for(self.reader, line),)
        else:
            fit = (line for line in found if not self._leads_astray(line))
            found = tuple(_made_for(self.reader, line) for line in fit)
        return tuple(map(self._without_password, found))

    def _put_right(self, error: Refusal) -> tuple[str, ...]:
        """Return the line, complete and in the right form; () if that is not certain."""
        request, of_proof = self.step.request, self.fix in _OF_PROOF
        if of_proof and request and request.command.usual:
            return ()
        if of_proof and (move := self.legal()):
            return (move,)
        found = corrected(self.context, self.step.line, self.reader)
        if found and (of_proof or not error.examples or self._differs(found)):
            return found
        asks_which = self.fix is Fix.BOARD and not error.examples
        return self._on_which_board() if asks_which else ()

    def _differs(self, found: tuple[str, ...]) -> bool:
        """Return whether the line was put right in more than its userid and password."""
        said = [fold(word) for word in self.step.line.split()]
        own = fold(self.reader.userid)
        if own in said:
            del said[said.index(own) : said.index(own) + 2]
        return said != fold(found[0].replace(f" {self.reader.userid} {PASSWORD}", "")).split()

    def _leads_astray(self, example: str) -> bool:
        """Return whether an example shows what is shown anyway, or ends what should not end."""
        verb = find_verb(example.split(maxsplit=1)[0])
        if verb is None:
            return False
        unasked = self.step.request is not None and self.step.request.verb != verb.name
        return (verb.name == "show" and self.board is not None) or (verb.final and unasked)

    def _on_which_board(self) -> tuple[str, ...]:
        """Return the move of the line after the number of each board where it can be played.

        If there is no such board, or no move was read, the move is `your-move`.
        """
        if not self.context.budget.try_charge(BOARD_LOADED * LOOKED_AT):
            return ()
        boards = waiting_boards(self.context, self.reader, most=LOOKED_AT)
        moves = [
            (board.match.number, legal_form(board, self.reader, self.step.line)) for board in boards
        ]
        lines = [f"{number} {move}" for number, move in moves if move]
        lines = lines or [f"{number} your-move" for number, _ in moves]
        return tuple(lines[:3])

    def _without_password(self, example: str, *, asks: bool = False) -> str:
        """Return the example without userid and password in a reply, which proves who writes.

        So does the reply to a refusal that `asks`. A command that cannot be read without them, such
        as one about the account, keeps them.
        """
        bare, reply = example.replace(f" {self.reader.userid} {PASSWORD}", ""), self.context.reply
        if asks and (reply is None or reply.writes_to) and _whole(bare):
            reply = Reply(self.reader, None, 0)
        if reply is None or reply.writes_to or bare == example:
            return example
        grammar = self.context.services.grammar
        return bare if LineReader(grammar, reply).understood(bare) else example


def _may_be_named(name: str, request: Request | None) -> bool:
    """Return whether an unknown userid can go out, because it cannot be a password.

    It can after a userid and password that were right, or if it is too short to be one. It cannot
    after a verb that needs no password, because people write theirs there all the same.
    """
    if request is None or not _USERID.fullmatch(name):
        return False
    if request.credentials:
        return request.credentials.password not in name
    return len(name) < PASSWORD_LENGTHS[0]


def _of_move(said: str, text: str, error: MoveError, board: Board | None) -> str:
    """Return what a game says about the move `text`, without what may be a password in it.

    A game quotes what it was given, so every quotation is left out, unless the text is too short
    to be a password. What it says unquoted it has read as a move. If a game cannot read the text
    but repeats words of it unquoted, the sentence is replaced by ours.
    """
    if len(text) < PASSWORD_LENGTHS[0]:
        return said
    said = unquoted(said, (quote(text), *_QUOTATION.findall(said)))
    if isinstance(error, MoveSyntaxError) and _repeated(said, text, board):
        return "What you wrote could not be read as a move."
    return said


def _repeated(said: str, text: str, board: Board | None) -> bool:
    """Return whether `said` repeats a word of `text` that the game does not say to anybody."""
    words = (word for word in fold(text).split() if len(word) >= PASSWORD_LENGTHS[0])
    found = [word for word in words if word in fold(said)]
    if not found:
        return False
    usual = ""
    if board is not None and board.choosing:
        try:
            read_move(board.game, board.position.state, board.choosing[0], "?")
        except MoveError as error:
            usual = fold(error.sentence)
    return any(word not in usual for word in found)


def _made_for(reader: Player, example: str) -> str:
    """Return the example with the reader's userid in it, and somebody else as the opponent."""
    opponent = "alice" if fold(reader.userid) == "bob" else "bob"
    return _EXAMPLE_PLAYER.sub(
        lambda found: f"{reader.userid} {PASSWORD}" + (f" {opponent}" if found[1] else ""),
        example,
    )
