"""A match from its rows: one for each seat, and those of its log."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from pbm.domain.match import Entry, EntryKind, Match, Outcome, Reminded, Reminder, Terms
from pbm.domain.player import PlayerId
from pbm.engine import Setup, from_plain
from pbm.store.dialects import AnyRow, from_json

# A lookup by value is ten times quicker than EntryKind(value), and a log is long.
_KINDS = {kind.value: kind for kind in EntryKind}

EntryRow = tuple[str, int | None, str, datetime, str]
"""Kind, seat, text, time and comment of an entry."""


def match_of(rows: Sequence[AnyRow], entries: Iterable[EntryRow]) -> Match:
    """Return the match of one row for each seat, and of its log."""
    first = rows[0]
    return Match(
        number=first.number,
        game=first.game,
        rules_version=first.rules_version,
        setup=Setup(from_json(first.options), first.seed),
        terms=from_plain(Terms, from_json(first.terms)),
        starters=tuple(row.starter_id for row in rows),
        players=tuple(row.player_id for row in rows),
        started_at=first.started_at,
        turn_since=first.turn_since,
        log=tuple(
            Entry(_KINDS[kind], seat, text, at, comment)
            for kind, seat, text, at, comment in entries
        ),
        outcome=None if first.outcome is None else from_plain(Outcome, from_json(first.outcome)),
        ended_at=first.ended_at,
        reminded=_reminded(first.reminded),
        look_at=first.look_at,
        version=first.version,
    )


def _reminded(text: str) -> dict[PlayerId, Reminded]:
    if text == "{}":
        return {}
    return {
        int(player): Reminded(Reminder(last), datetime.fromisoformat(at).astimezone(UTC))
        for player, (last, at) in from_json(text).items()
    }
