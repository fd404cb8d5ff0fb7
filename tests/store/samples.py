"""Sample values for the tests of the store."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from pbm.domain.invitations import Terms
from pbm.domain.logs import EntryKind, LogEntry
from pbm.domain.mail import OutgoingMail, ReceivedMail
from pbm.domain.match import Match
from pbm.domain.player import PlayerId
from pbm.engine import Setup
from tests.doors import Snapshot, UnitOfWork

NOW = datetime(2026, 2, 1, 9, 30, 0, 123456, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
START = Snapshot(0, '{"moves":[]}')


def add_players(unit: UnitOfWork, *userids: str) -> tuple[PlayerId, ...]:
    return tuple(unit.players.add(u, "hash", [f"{u}@example.org"], NOW).id for u in userids)


def a_match(number: int, players: Sequence[PlayerId], game: str = "noughts") -> Match:
    return Match(
        number=number,
        game=game,
        rules_version=1,
        setup=Setup({"size": "3"}, dealt=("3", "1")),
        terms=Terms(nag_days=3),
        starters=tuple(players),
        players=tuple(players),
        started_at=NOW,
        turn_since=NOW,
    )


def a_move(seat: int, text: str = "b2") -> LogEntry:
    return LogEntry(EntryKind.MOVE, seat, text, NOW)


def a_mail(content: bytes = b"Subject: help\r\n\r\n") -> ReceivedMail:
    return ReceivedMail("alice@example.org", ("pbm@example.net",), content, NOW)


def an_answer(recipient: str = "alice@example.org", word: str = "a") -> OutgoingMail:
    sender, message_id = f"bounce+{word}@example.net", f"<id-{word}@example.net>"
    return OutgoingMail(sender, recipient, message_id, word.encode())
