"""What the mails about failures say: addresses that fail, and bugs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.engine import listing
from pbm.mail.writing.wording import Wording, boards_named, local_time, utc_time, waiting_lines
from pbm.service.notices.bounces import (
    AddressFailed,
    MailShunted,
    MostMailsFail,
    OpponentReachable,
    OpponentUnreachable,
    PlayerUnreachable,
    ReachableAgain,
    TriedAgain,
)


@dataclass(frozen=True, slots=True)
class AddressFailedMail:
    """`failed` is switched off; the mail goes to `address`."""

    template: ClassVar[str] = "bounces/address_failed.txt.j2"
    reader: str
    failed: str
    address: str


@dataclass(frozen=True, slots=True)
class OpponentUnreachableMail:
    """`boards` is "board 104" or "boards 104 and 105"; `until` is "" if the clocks run on."""

    template: ClassVar[str] = "bounces/opponent_unreachable.txt.j2"
    reader: str
    userid: str
    boards: str
    until: str


@dataclass(frozen=True, slots=True)
class OpponentReachableMail:
    """The clocks run again on `boards`."""

    template: ClassVar[str] = "bounces/opponent_reachable.txt.j2"
    reader: str
    userid: str
    boards: str


@dataclass(frozen=True, slots=True)
class ReachableAgainMail:
    """`lines` list the boards that wait for the reader."""

    template: ClassVar[str] = "bounces/reachable_again.txt.j2"
    reader: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TriedAgainMail:
    """`asked`: a mail came from there; `lines` list the boards that wait for the reader."""

    template: ClassVar[str] = "bounces/tried_again.txt.j2"
    reader: str
    asked: bool
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerUnreachableMail:
    """To the operator; `status` is "" without a known reason, `until` if the clocks run on."""

    template: ClassVar[str] = "bounces/player_unreachable.txt.j2"
    userid: str
    failed: str
    status: str
    until: str


@dataclass(frozen=True, slots=True)
class MostMailsFailMail:
    """To the operator: most mails fail."""

    template: ClassVar[str] = "bounces/most_mails_fail.txt.j2"
    failed: int
    tried: int


@dataclass(frozen=True, slots=True)
class ShuntedMail:
    """To the operator: a mail is in the shunt."""

    template: ClassVar[str] = "bounces/shunted.txt.j2"
    number: int


def _address_failed(notice: AddressFailed, _address: str) -> Wording:
    reader = notice.to
    context = AddressFailedMail(reader.userid, notice.failed, reader.address or "")
    return Wording("Mails to your other address come back", context, answer=False)


def _opponent_unreachable(notice: OpponentUnreachable, _address: str) -> Wording:
    until = local_time(notice.until, notice.to) if notice.until else ""
    context = OpponentUnreachableMail(
        notice.to.userid, notice.userid, boards_named(notice.numbers), until
    )
    return Wording(f"{notice.userid} cannot be reached", context, answer=False)


def _opponent_reachable(notice: OpponentReachable, _address: str) -> Wording:
    boards = boards_named(notice.numbers)
    context = OpponentReachableMail(notice.to.userid, notice.userid, boards)
    return Wording(f"{notice.userid} can be reached again", context, answer=False)


def _reachable_again(notice: ReachableAgain, _address: str) -> Wording:
    lines = waiting_lines(notice.boards, notice.people, notice.to, notice.more)
    return Wording("Your clocks run again", ReachableAgainMail(notice.to.userid, lines))


def _tried_again(notice: TriedAgain, _address: str) -> Wording:
    lines = waiting_lines(notice.boards, notice.people, notice.to, notice.more)
    context = TriedAgainMail(notice.to.userid, notice.asked, lines)
    return Wording("Can you read this?", context, answer=notice.asked)


def _player_unreachable(notice: PlayerUnreachable, _address: str) -> Wording:
    failed = listing(notice.failed, last="and")
    until = utc_time(notice.until) if notice.until else ""
    context = PlayerUnreachableMail(notice.userid, failed, notice.status, until)
    return Wording(f"{notice.userid} cannot be reached", context, answer=False)


def _most_mails_fail(notice: MostMailsFail, _address: str) -> Wording:
    context = MostMailsFailMail(notice.failed, notice.tried)
    return Wording("Most mails fail", context, answer=False)


def _shunted(notice: MailShunted, _address: str) -> Wording:
    context = ShuntedMail(notice.number)
    return Wording("A mail met a bug", context, answer=False)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    AddressFailed: _address_failed,
    OpponentUnreachable: _opponent_unreachable,
    OpponentReachable: _opponent_reachable,
    ReachableAgain: _reachable_again,
    TriedAgain: _tried_again,
    PlayerUnreachable: _player_unreachable,
    MostMailsFail: _most_mails_fail,
    MailShunted: _shunted,
}
"""What is said for each kind of notice of failures."""
