"""Answers to the lines of one mail: paid for, and gathered in one mail if nothing was done.

The question of a line is repeated in words that can go out: names that exist, and numbers.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pbm.core.board_messages import goes_on
from pbm.core.budget import ANSWER, MUTED, REFUSAL, HourSpent
from pbm.core.command import Request
from pbm.core.context import Context
from pbm.core.grammar import line_of
from pbm.core.letters import Answer, Answers, Message, answer
from pbm.core.tokens import Token, TokenKind, player_token
from pbm.core.words import void
from pbm.dispatch.refusals import refused
from pbm.dispatch.script import COMMAND_LINES, Script, Step
from pbm.domain.errors import Boardless, NotNow, NotUnderstood, Refusal
from pbm.domain.mail import Fate, MailOutcome
from pbm.domain.player import Player
from pbm.engine import MoveError, counted
from pbm.features.help import introduction, price


def each_once(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Yield the steps without those that only repeat a question from above.

    A question may be asked again below a line that does something, because its answer may change.
    """
    asked: list[Request] = []
    for step in steps:
        request = step.request
        if request is None or request.command.echo is None:
            asked = []
        elif request in asked:
            continue
        else:
            asked.append(request)
        yield step


def answered(context: Context, request: Request, messages: Iterable[Message]) -> list[Message]:
    """Return the messages of a command, without the answers that its sender cannot pay.

    Commands that only look have paid before they worked.
    """
    if request.command.echo:
        asked = line_of(request.command.echo(request))
        if request.command.about_board and request.number is None and context.answered:
            asked += f" {context.answered}"
        return [_answer(asked, message) for message in messages]
    return [
        message for message in messages if not message.idle or context.budget.try_charge(ANSWER)
    ]


_NO_STEP = Step("", NotUnderstood(""))


def refusal(
    context: Context,
    error: Refusal | MoveError,
    step: Step = _NO_STEP,
    text: str | None = None,
) -> list[Message]:
    """Return the answer to a `step` that was not carried out; none to a stranger.

    Only the verb is repeated above it: the other words were not read, and may be a password. An
    answer that can be replied to is a mail of its own. `text` is that of a mail without a command.
    """
    context.outcomes.refused(error)
    if context.reader is None:
        return []
    try:
        if isinstance(error, HourSpent):
            raise error
        context.budget.answer(REFUSAL)
    except HourSpent:
        return _silence(context)
    reply = context.reply
    proven = context.player is not None or (reply is not None and void(reply) is None)
    message = replace(refused(context, error, step, text), proven=proven)
    if message.reply and (proven or reply):
        return [message]
    return [_answer(step.request.verb if step.request else "", message)]


def too_many(context: Context, script: Script) -> list[Message]:
    """Return the answer about commands beyond those that are read in one mail."""
    if not script.unread:
        return []
    lines = counted(script.unread, "line")
    few = NotUnderstood(
        f"A mail holds at most {COMMAND_LINES} commands. Your last {lines} did nothing: "
        "please send that part in another mail."
    )
    return refusal(context, few)


def nothing_asked(context: Context) -> list[Message]:
    """Return the answer to a mail without any command.

    An empty reply gets a line that would work; any other mail gets the introduction, which says
    that no command was found.
    """
    reply = context.reply
    if reply is not None and (outdated := void(reply)):
        return refusal(context, outdated)
    if reply is not None and reply.writes_to:
        empty = f"Your reply holds no text, so nothing went to {reply.writes_to}."
        return refusal(context, NotNow(f"{empty} Please answer them again."))
    if reply is not None and reply.answers:
        empty = (
            "Your reply holds nothing that can be read as a command or move. Some mail programs "
            "drop the text of a link that is tapped, and text below the header of a quoted mail is "
            "not read: write the move or the command yourself, as the first line."
        )
        error = Boardless(empty) if reply.number is None else NotUnderstood(empty)
        return refusal(context, error)
    if context.reader is None:
        return []
    try:
        context.budget.charge(price())
    except HourSpent as error:
        return refusal(context, error)
    return [introduction(context.reader, tuple(context.catalogue), unread=True)]


def _silence(context: Context) -> list[Message]:
    """Return nothing, but once a day the mail that says why no answer comes."""
    muted = context.payer.bounds is MUTED
    context.outcomes.silenced("unproven-unwanted" if muted else "hour-spent")
    if muted or context.today(f"silence{context.payer.name}") > 1:
        return []
    proven, reader = context.player is not None or context.reply is not None, context.asker()
    return [answer(reader, "answers/too_much", proven=proven, reply=player_token(reader.id))]


def _answer(asked: str, message: Message) -> Message:
    reader = message.reader
    return Answers(reader, (Answer(asked, message),)) if reader else message


ANSWERS_A_DAY = 20
"""Replies from one author to a board at one turn that did nothing and are answered, in a day.

A person who is refused moves in the end; a program stays where it is.

Half a move, as a tap on a piece sends it, does something: its answer shows the ways to go on.
"""


def stop_loop(
    context: Context, player: Player, messages: list[Message], outcome: MailOutcome
) -> tuple[list[Message], MailOutcome]:
    """Return what to send for a reply, without its answer if too many did nothing today.

    A program that does not say that it is one (RFC 3834) answers all our mails.
    """
    half = any(map(goes_on, messages))
    if outcome.fate is not Fate.REFUSED or half:
        return messages, outcome
    reply = context.reply
    token, turn = player_token(player.id), ""
    if reply and reply.number and reply.ply:
        # The last mail asks for no more than the others did, so answers to it count with them.
        token = Token(TokenKind.BOARD, reply.number, player.id, reply.ply, reply.undos)
        turn = f":{reply.number}.{reply.ply}.{reply.undos}"
    count = context.today(f"did-nothing:{context.author}{turn}")
    if count <= ANSWERS_A_DAY:
        return messages, outcome
    kept = [message for message in messages if not message.idle]
    if count == ANSWERS_A_DAY + 1:
        last = answer(player, "answers/no_more", replies=ANSWERS_A_DAY, reply=token)
        return [*kept, last], outcome
    return kept, MailOutcome(Fate.SILENCED, "loop")
