"""Questions of the server: the lines that a refusal asks about are kept for the reply to its mail.

The token of a mail has its board, ply and moment, by which its question is found. So a yes counts
for the mail that asks, at the ply of that mail, and once.
"""

from collections.abc import Sequence
from datetime import datetime

from pbm.dispatch.moves import board_answered, legal_form
from pbm.dispatch.reading import LineReader, Script, comment_of
from pbm.domain.confirmations import Answer, read_choice
from pbm.domain.errors import OR, NotNow, NotUnderstood
from pbm.domain.mail import IncomingMail
from pbm.domain.phrases import below_greeting
from pbm.domain.player import Player
from pbm.domain.questions import Choice
from pbm.domain.settings import ASKED
from pbm.engine import from_json, listing, to_json
from pbm.service.board_messages import Refused
from pbm.service.context import Context
from pbm.service.line import Reply, void
from pbm.service.tokens import Token, token_time

KEPT = 8
"""Questions to one player that are kept, each with the number and moment of its mail."""

LINES = 60
"""Lines of one question that are kept."""


def remember(context: Context, message: Refused) -> None:
    """Keep the lines that a refusal asks about for the reply to it."""
    if message.choices and message.reply:
        player, key = context.person(message.to.id), _key(message.reply, context.now)
        before = _kept(player).get(key, ())
        choices = tuple(dict.fromkeys((*before, *message.choices)))
        _keep(context, player, key, choices[:LINES])


def choice_in(context: Context, mail: IncomingMail, reader: LineReader) -> Script | None:
    """Return the line that `mail` chooses, if the mail that it answers asks about some.

    Returns None if it chooses none. Raises the Refusal of an answer that settles nothing, and of
    one to a question that has been answered.
    """
    reply = context.reply
    if reply is None or reply.made_at is None or void(reply) or not _kept(reply.player):
        return None
    first = next(iter(below_greeting(mail.lines)), "")
    if reader.begins_command(first) and not context.catalogue.find(first):
        return None
    key = _key(reply, reply.made_at)
    choices = _kept(reply.player).get(key)
    lines = [choice.line for choice in choices or ()]
    choice = read_choice(first, lines) if first and choices is not None else None
    board = board_answered(context) if choice else None
    if choice is None or choices is None or (board and legal_form(board, first)):
        return None
    if not choices:
        raise NotNow("You have answered that question already. Nothing more was done.")
    if choice is Answer.NO:
        raise NotNow("Nothing was done.")
    if choice is Answer.UNCLEAR:
        which = f"Do you mean {listing(lines)}? Nothing was done yet."
        raise NotUnderstood(f"{which} Please reply with that in a line of its own.", OR.join(lines))
    _keep(context, reply.player, key, ())
    at = [line.strip() for line in mail.lines].index(first)
    below = comment_of(mail.lines[at + 1 :], reader)
    chosen = next(each for each in choices if each.line == choice)
    return Script((chosen.line,), "\n\n".join(filter(None, (chosen.comment, below))))


def _key(mail: Token | Reply, moment: datetime) -> str:
    """Return the key of a mail; its moment alone is one of an hour."""
    return f"{mail.number or 0} {mail.ply}.{mail.undos} {token_time(moment).isoformat()}"


def _kept(player: Player) -> dict[str, tuple[Choice, ...]]:
    """Return the choices of the latest questions by their keys; an answered one has none."""
    kept = from_json(player.settings.get(ASKED, "[]"))
    return {key: tuple(Choice(*choice) for choice in choices) for key, choices in kept}


def _keep(context: Context, player: Player, key: str, choices: Sequence[Choice]) -> None:
    kept = _kept(player)
    kept.pop(key, None)
    pairs = [*kept.items(), (key, choices)][-KEPT:]
    latest = [(key, [(choice.line, choice.comment) for choice in asked]) for key, asked in pairs]
    context.work.players.set_setting(player.id, ASKED, to_json(latest))
