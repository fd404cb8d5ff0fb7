"""An end to loops: a program that does not say that it is one (RFC 3834) answers all our mails."""

from datetime import datetime

from pbm.domain.mail import Fate, Outcome
from pbm.domain.player import Player
from pbm.service.board_messages import Refused
from pbm.service.context import day_of
from pbm.service.letters import Message
from pbm.service.notices.answers import NoMoreAnswers
from pbm.service.ports import UnitOfWork
from pbm.service.tokens import player_token

ANSWERS_A_DAY = 20
"""Replies from one author that did nothing and are answered, in a day.

Half a move, as a tap on a piece sends it, does something: its answer shows the ways to go on.
"""


def stop_loop(
    work: UnitOfWork,
    author: str | None,
    player: Player,
    now: datetime,
    messages: list[Message],
    outcome: Outcome,
) -> tuple[list[Message], Outcome]:
    """Return what to send for a reply, without its answer if too many did nothing today."""
    half = any(isinstance(message, Refused) and message.candidates for message in messages)
    if outcome.fate is not Fate.REFUSED or half:
        return messages, outcome
    count = work.tally(f"did-nothing:{author}", day_of(now))
    if count <= ANSWERS_A_DAY:
        return messages, outcome
    kept = [message for message in messages if not message.idle]
    if count == ANSWERS_A_DAY + 1:
        token = player_token(player.id)
        return [*kept, NoMoreAnswers(player, ANSWERS_A_DAY, reply=token)], outcome
    return kept, Outcome(Fate.SILENCED, "loop")
