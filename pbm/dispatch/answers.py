"""The answers to the lines of one mail: paid for, and gathered where they only tell.

What a line has asked is said again in words that can go out: names that exist, and numbers.
"""

from collections.abc import Iterable

from pbm.dispatch.reading import COMMAND_LINES, LineReader, Script
from pbm.dispatch.refusals import refused
from pbm.domain.errors import NotNow, NotUnderstood, Refusal
from pbm.domain.mail import Fate, Outcome
from pbm.domain.player import Player
from pbm.engine import MoveError, counted
from pbm.features.help import introduction, price
from pbm.service.board_messages import Refused
from pbm.service.budget import ANSWER, REFUSAL, HourSpent
from pbm.service.command import Request
from pbm.service.context import Context, day_of
from pbm.service.letters import Answer, Answers, Message, answer
from pbm.service.line import Reply, void
from pbm.service.tokens import player_token


def each_once(lines: tuple[str, ...], reader: LineReader) -> tuple[str, ...]:
    """Return the lines without those that only ask what a line above them asks.

    A question may be asked again below a line that does something: its answer may be another.
    """
    if len(lines) < 2:
        return lines
    kept: dict[tuple[int, str], str] = {}
    deeds = 0
    for line in lines:
        words = " ".join(line.lower().split())
        request = reader.understood(line)
        if request is None or request.command.echo is None:
            deeds += 1
        kept.setdefault((deeds, words), line)
    return tuple(kept.values())


def answered(context: Context, request: Request, told: Iterable[Message]) -> list[Message]:
    """Return what a command has led to, without the answers that its sender cannot pay.

    Commands that only look have paid before they worked.
    """
    if request.command.echo:
        return [_answer(_said(request, context.reply), message) for message in told]
    return [message for message in told if not message.idle or context.budget.afford(ANSWER)]


def refusal(
    context: Context, request: Request | None, error: Refusal | MoveError, line: str = ""
) -> list[Message]:
    """Return the answer to a `line` that was not carried out; none to a stranger.

    Above it only the verb is said: its other words were not read, and may hold a password.
    What can be answered by itself is a mail of its own.
    """
    context.proceedings.refused(error)
    if context.reader is None:
        return []
    try:
        if isinstance(error, HourSpent):
            raise error
        context.budget.answer(REFUSAL)
    except HourSpent:
        return _silence(context)
    message = refused(context, request, error, line)
    proven = context.player or context.reply
    return [message if message.reply and proven else _answer(_verb(request), message)]


def too_many(context: Context, script: Script) -> list[Message]:
    """Return the answer to commands beyond those that are read in one mail."""
    if not script.unread:
        return []
    lines = counted(script.unread, "line")
    few = NotUnderstood(
        f"A mail holds at most {COMMAND_LINES} commands. Your last {lines} did nothing: "
        "please send that part in another mail."
    )
    return refusal(context, None, few)


def nothing_asked(context: Context) -> list[Message]:
    """Return what a mail without any command gets: nothing, unless it may be answered.

    An empty reply is told what would work; any other mail gets the introduction, which says that
    no command was found.
    """
    if context.reply is not None and (outdated := void(context.reply)):
        return refusal(context, None, outdated)
    if context.reply is not None and (sender := context.reply.writes_to):
        empty = f"Your reply holds no text, so nothing went to {sender}. Please answer them again."
        return refusal(context, None, NotNow(empty))
    if context.reply is not None and context.reply.answers:
        nothing = NotUnderstood("Your reply holds nothing that can be read as a command or move.")
        return refusal(context, None, nothing)
    if context.reader is None:
        return []
    try:
        context.budget.spend(price())
    except HourSpent as error:
        return refusal(context, None, error)
    return [introduction(context.reader, tuple(context.services.catalogue), unread=True)]


def _silence(context: Context) -> list[Message]:
    """Return nothing, but once a day the mail that says why nothing comes."""
    context.proceedings.silenced("hour-spent")
    if context.reader is None:
        return []
    payer = context.payer
    first = context.today(f"silence{payer.name}") == 1
    proven = context.player is not None or context.reply is not None
    return [answer(context.reader, "answers/too_much", proven=proven)] if first else []


def _answer(asked: str, message: Message) -> Message:
    reader = message.reader
    return Answers(reader, (Answer(asked, message),)) if reader else message


def _verb(request: Request | None) -> str:
    return request.verb if request else ""


def _said(request: Request, reply: Reply | None) -> str:
    command = request.command
    words = command.echo(**request.arguments) if command.echo else ()
    if not words and command.about_board and reply:
        words = (str(reply.number),)
    return " ".join(filter(None, (request.game, request.verb, *words)))


ANSWERS_A_DAY = 20
"""Replies from one author that did nothing and are answered, in a day.

Half a move, as a tap on a piece sends it, does something: its answer shows the ways to go on.
"""


def stop_loop(
    context: Context, player: Player, messages: list[Message], outcome: Outcome
) -> tuple[list[Message], Outcome]:
    """Return what to send for a reply, without its answer if too many did nothing today.

    A program that does not say that it is one (RFC 3834) answers all our mails.
    """
    half = any(isinstance(message, Refused) and message.candidates for message in messages)
    if outcome.fate is not Fate.REFUSED or half:
        return messages, outcome
    count = context.work.tally(f"did-nothing:{context.author}", day_of(context.now))
    if count <= ANSWERS_A_DAY:
        return messages, outcome
    kept = [message for message in messages if not message.idle]
    if count == ANSWERS_A_DAY + 1:
        last = answer(
            player, "answers/no_more", replies=ANSWERS_A_DAY, reply=player_token(player.id)
        )
        return [*kept, last], outcome
    return kept, Outcome(Fate.SILENCED, "loop")
