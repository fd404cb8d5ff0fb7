"""A match from its rows: one for each seat, and those of its log."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import islice
from operator import attrgetter
from typing import Any

from pbm.domain.invitations import Terms
from pbm.domain.logs import Earlier, Entry, EntryKind, Log
from pbm.domain.match import Match, Outcome, Reminded, Reminder
from pbm.domain.pauses import Pause
from pbm.domain.player import PlayerId
from pbm.engine import Setup, from_json, from_plain

# A lookup by value is ten times quicker than EntryKind(value), and a log is long.
_KINDS = {kind.value: kind for kind in EntryKind}

_player, _starter = attrgetter("player_id"), attrgetter("starter_id")

EntryRow = tuple[str, int | None, str, datetime, str]
"""Kind, seat, text, time and comment of an entry."""

Read = Callable[[int, int], tuple[Entry, ...]]
"""Returns the first entries of the log of a match, given its number and how many."""


def match_of(rows: Sequence[Any], log: Log, pauses: tuple[Pause, ...] = ()) -> Match:
    """Return the match of one row for each seat, with this log and these pauses.

    A row has the columns of the match, and `player_id` and `starter_id` of the seat.
    """
    first = rows[0]
    return Match(
        number=first.number,
        game=first.game,
        rules_version=first.rules_version,
        setup=Setup(_options(first.options), first.seed),
        terms=_terms(first.terms),
        starters=tuple(map(_starter, rows)),
        players=tuple(map(_player, rows)),
        started_at=first.started_at,
        turn_since=first.turn_since,
        log=log,
        outcome=None if first.outcome is None else from_plain(Outcome, from_json(first.outcome)),
        ended_at=first.ended_at,
        reminded=_reminded(first.reminded),
        pauses=pauses,
        look_at=first.look_at,
        version=first.version,
    )


def log_of(row: Any, entries: Iterable[EntryRow], read: Read) -> Log:
    """Return the log of the match of `row`, of which `entries` are those from `read_from` on.

    What comes before is asked of `read`. Entries that are younger than the row are left out.
    """
    recent = entries_of(islice(entries, row.log_length - row.read_from))
    if not row.read_from:
        return Log(recent)
    head = partial(read, row.number, row.read_from)
    return Log(recent, Earlier(row.read_from, row.plies_before, row.undos_before, head))


def entries_of(rows: Iterable[EntryRow]) -> tuple[Entry, ...]:
    """Return the entries of these rows."""
    return tuple(
        [Entry(_KINDS[kind], seat, text, at, comment) for kind, seat, text, at, comment in rows]
    )


# Most matches are played on the same few options and terms.
@lru_cache(1000)
def _options(text: str) -> Mapping[str, str]:
    options: Mapping[str, str] = from_json(text)
    return options


@lru_cache(1000)
def _terms(text: str) -> Terms:
    terms: Terms = from_plain(Terms, from_json(text))
    return terms


def _reminded(text: str) -> dict[PlayerId, Reminded]:
    if text == "{}":
        return {}
    return {
        int(player): Reminded(Reminder(last), datetime.fromisoformat(at).astimezone(UTC))
        for player, (last, at) in from_json(text).items()
    }
