"""What the notices of addresses that fail say: subject and context of each."""

from collections.abc import Callable, Mapping
from typing import Any

from pbm.engine import listing
from pbm.mail import bounce_contexts as contexts
from pbm.mail.local_time import local_time, utc_time
from pbm.mail.waiting_lines import boards_named, waiting_lines
from pbm.mail.wording import Wording
from pbm.service.bounce_notices import (
    AddressFailed,
    MostMailsFail,
    OpponentReachable,
    OpponentUnreachable,
    PlayerUnreachable,
    ReachableAgain,
    TriedAgain,
)


def _address_failed(notice: AddressFailed, _address: str) -> Wording:
    reader = notice.to
    context = contexts.AddressFailedMail(reader.userid, notice.failed, reader.address or "")
    return Wording("Mails to your other address come back", context, answer=False)


def _opponent_unreachable(notice: OpponentUnreachable, _address: str) -> Wording:
    until = local_time(notice.until, notice.to) if notice.until else ""
    context = contexts.OpponentUnreachableMail(
        notice.to.userid, notice.userid, boards_named(notice.boards), until
    )
    return Wording(f"{notice.userid} cannot be reached", context, answer=False)


def _opponent_reachable(notice: OpponentReachable, _address: str) -> Wording:
    boards = boards_named(notice.boards)
    context = contexts.OpponentReachableMail(notice.to.userid, notice.userid, boards)
    return Wording(f"{notice.userid} can be reached again", context, answer=False)


def _reachable_again(notice: ReachableAgain, _address: str) -> Wording:
    lines = waiting_lines(notice.boards, notice.people, notice.to)
    return Wording("Your clocks run again", contexts.ReachableAgainMail(notice.to.userid, lines))


def _tried_again(notice: TriedAgain, _address: str) -> Wording:
    lines = waiting_lines(notice.boards, notice.people, notice.to)
    context = contexts.TriedAgainMail(notice.to.userid, notice.asked, lines)
    return Wording("Can you read this?", context, answer=notice.asked)


def _player_unreachable(notice: PlayerUnreachable, _address: str) -> Wording:
    failed = listing(notice.failed, last="and")
    until = utc_time(notice.until) if notice.until else ""
    context = contexts.PlayerUnreachableMail(notice.userid, failed, notice.status, until)
    return Wording(f"{notice.userid} cannot be reached", context, answer=False)


def _most_mails_fail(notice: MostMailsFail, _address: str) -> Wording:
    context = contexts.MostMailsFailMail(notice.failed, notice.tried)
    return Wording("Most mails fail", context, answer=False)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    AddressFailed: _address_failed,
    OpponentUnreachable: _opponent_unreachable,
    OpponentReachable: _opponent_reachable,
    ReachableAgain: _reachable_again,
    TriedAgain: _tried_again,
    PlayerUnreachable: _player_unreachable,
    MostMailsFail: _most_mails_fail,
}
"""What is said for each kind of notice of this subject."""
