"""Questions of the server: the mail that asks carries an id, and what it asks is found by that.

So a yes does what its own mail says, once. A yes to a board mail counts only for the one question
that the player's own reply to that mail has led to, as long as nothing has happened there since.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile

from pbm.core.context import Context
from pbm.core.letters import Answers, Letter, Message
from pbm.core.tokens import QUESTIONS, TokenKind, question_token, token_time
from pbm.core.words import Reply, void
from pbm.dispatch.moves import legal_form
from pbm.dispatch.script import LineReader, Script, comment_of
from pbm.domain.confirmations import Consent, read_choice
from pbm.domain.errors import NotNow
from pbm.domain.mail import IncomingMail
from pbm.domain.offers import open_offer
from pbm.domain.phrases import below_greeting
from pbm.domain.play import Board
from pbm.domain.questions import Choice, Question, Unsettled
from pbm.engine import fold

CHOICES = 60
"""Choices of one question that are kept."""

ANSWER_WORDS = 6
"""The most words of a line that answers a question from a board mail."""


def asking(context: Context, messages: Iterable[Message]) -> list[Message]:
    """Return the messages; what one asks is stored, and its token gets the id of the question."""
    return [_asking(context, message) for message in messages]


def _asking(context: Context, message: Message) -> Message:
    parts = [a.message for a in message.answers] if isinstance(message, Answers) else [message]
    asks = [part for part in parts if isinstance(part, Letter) and part.choices]
    if not asks or message.reply is None:
        return message
    token, reply = message.reply, context.reply
    proven = all(part.proven for part in asks)
    choices = dict.fromkeys(choice for part in asks for choice in part.choices)
    question = Question(
        id=int(context.services.chance.new_id(), 36) % (QUESTIONS - 1) + 1,
        player=token.player,
        choices=tuple(choices)[:CHOICES],
        proven=proven,
        made_at=context.now,
        board=None if token.kind is TokenKind.PLAYER else token.number,
        ply=token.ply,
        undos=token.undos % 256,
        answers=_written(reply) if reply and proven else "",
    )
    context.work.questions.add(question)
    return replace(message, reply=question_token(question))


def choice_in(
    context: Context, mail: IncomingMail, script: Script, reader: LineReader
) -> Script | None:
    """Return the step that `mail` chooses, if the mail that it answers asks about some.

    Returns None if it chooses none. Raises the Refusal of an answer that settles nothing, and of
    one to a question that has been answered.
    """
    first = next(iter(below_greeting(mail.lines)), "")
    question = _question(context, script, first) if first else None
    if question is None:
        return None
    at = [line.strip() for line in mail.lines].index(first)
    below = comment_of(mail.lines[at + 1 :], reader)
    choice = _choice(context, question, first, reader, alone=not below)
    if choice is None:
        return None
    if question.answered_at is not None:
        raise NotNow("You have answered that question already. Nothing more was done.")
    if choice is Consent.NO:
        raise NotNow("Nothing was done.")
    if not isinstance(choice, Choice):
        raise Unsettled(question.choices)
    context.work.questions.answer(question, context.now)
    return Script((reader.step(choice.line),), "\n\n".join(filter(None, (choice.comment, below))))


def _question(context: Context, script: Script, first: str) -> Question | None:
    """Return the question that the mail may answer."""
    reply = context.reply
    if reply is None or void(reply):
        return None
    if reply.question:
        return context.work.questions.get(reply.player.id, reply.question)
    if script.guess is None or not _written(reply) or len(first.split()) > ANSWER_WORDS:
        return None
    return _asked_about(context, reply, first)


def _choice(
    context: Context, question: Question, first: str, reader: LineReader, *, alone: bool
) -> Choice | Consent | None:
    """Return what the line chooses; a command and a move that can be played mean themselves.

    A command that is `alone` sends the words that were stored with the question. One with other
    words below it sends these.
    """
    lines = [choice.line for choice in question.choices]
    with_text = (choice for choice in question.choices if choice.comment and alone)
    tapped = next((choice for choice in with_text if fold(choice.line) == fold(first)), None)
    if tapped or (reader.begins_command(first) and not context.catalogue.find(first)):
        return tapped
    chosen = read_choice(first, lines)
    board = context.boards.find(context.answered) if chosen else None
    reply = context.reply
    if chosen is None or (board and reply and legal_form(board, reply.player, first)):
        return None
    return chosen if isinstance(chosen, Consent) else question.choices[lines.index(chosen)]


def _asked_about(context: Context, reply: Reply, first: str) -> Question | None:
    """Return the only open question that the player's own reply to the same board mail led to.

    Returns None if anything has happened on the board since, or if a yes may answer somebody else.
    """
    asked = [
        question for question in context.work.questions.of(reply.player.id)
        if question.proven and question.board == reply.number and question.answered_at is None
    ]  # fmt: skip
    mine = [question for question in asked if question.answers == _written(reply)]
    board = context.boards.find(context.answered) if mine else None
    if board is None or _others_wait(board, mine[-1]):
        return None
    if len(asked) > 1 and read_choice(first, [choice.line for choice in mine[-1].choices]):
        raise NotNow("More than one question is open here. Please reply to the mail that asks it.")
    return mine[0]


def _others_wait(board: Board, question: Question) -> bool:
    """Return whether a yes may be for another player, or for what came after the question."""
    seats, log = board.match.seats_of(question.player), board.match.log
    if open_offer(board.match) or (log and log[-1].at >= question.made_at):
        return True
    since = takewhile(lambda entry: entry.seat not in seats, reversed(log.recent))
    return any(entry.comment for entry in since)


def _written(reply: Reply) -> str:
    """Return the name of the board mail that is answered; "" if it asks, or passes on words."""
    if reply.number is None or reply.made_at is None or reply.talk or reply.question:
        return ""
    return f"{reply.number} {reply.ply}.{reply.undos} {token_time(reply.made_at).isoformat()}"
