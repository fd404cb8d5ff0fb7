"""A match as a record that outlives the server: JSON for programs, a playthrough for people.

pbm.domain.record_reading turns the JSON form back into a match.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pbm.domain.dates import written
from pbm.domain.errors import NotNow
from pbm.domain.logs import Entry, EntryKind, Log
from pbm.domain.match import Match
from pbm.domain.player import Player, PlayerId, name_of
from pbm.domain.ratings import RatingChange
from pbm.engine import AnyGame, counted, write_transcript

FORMAT = 1
"""The version of the JSON form; a change that old readers cannot read needs a new one."""


def record(match: Match, game: AnyGame, people: Mapping[PlayerId, Player]) -> dict[str, Any]:
    """Return the whole match as JSON values: setup, players, log with times, result, comments."""
    outcome = match.outcome
    return {
        "format": FORMAT,
        "board": match.number,
        "game": match.game,
        "rules_version": match.rules_version,
        "options": dict(match.setup.options),
        "seed": match.setup.seed,
        "seats": list(game.info.seats),
        "starters": [_name(people, player) for player in match.starters],
        "players": [_name(people, player) for player in match.players],
        "robots": [_name(people, p) for p in match.starters if p in people and people[p].is_robot],
        "rated": match.terms.rated,
        "terms": {
            "nagtime": match.terms.nag_days,
            "forfeittime": match.terms.forfeit_days,
            "totaltime": match.terms.total_days,
        },
        "started_at": _time(match.started_at),
        "log": [
            {
                "kind": entry.kind.value,
                "seat": entry.seat,
                "text": entry.text,
                "at": _time(entry.at),
                "comment": entry.comment,
            }
            for entry in match.log
        ],
        "outcome": outcome
        and {
            "ending": outcome.ending.value,
            "winners": list(outcome.winners),
            "reason": outcome.reason,
            "scores": None if outcome.scores is None else list(outcome.scores),
            "ratings": [_change(change) for change in outcome.ratings],
        },
        "ended_at": match.ended_at and _time(match.ended_at),
    }


def record_text(match: Match, game: AnyGame, people: Mapping[PlayerId, Player]) -> str:
    """Return the match as a playthrough, which replays (pbm.engine.transcript)."""
    names = " - ".join(
        name_of(people[player]) if player in people else _name(people, player)
        for player in match.starters
    )
    story = f"Board {match.number}: {names}, begun on {written(match.started_at)}."
    return write_transcript(game, match.setup, match.turns, story)


TALK_OCTETS = 50_000
"""The most octets of talk, as the JSON form writes them, that a mailed record holds."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A match with one part of what was said in it: `part` of `parts`, of so many `octets`."""

    match: Match
    part: int
    parts: int
    octets: int


def part_of_talk(match: Match, part: int) -> Talk:
    """Return the match with the part of its talk that is wanted, counted from 1.

    Every move stands in every part. Chats that belong to others are left out, and so are the
    comments that went with moves. Raises NotNow if there are fewer parts.
    """
    filled, parts = 0, 1
    kept: list[Entry] = []
    octets = 0
    for entry in match.log:
        size = _octets(entry)
        if filled and filled + size > TALK_OCTETS:
            filled, parts = 0, parts + 1
        filled += size
        if parts == part:
            octets += size
            kept.append(entry)
        elif entry.kind is not EntryKind.CHAT:
            kept.append(replace(entry, comment=""))
    if part > parts:
        raise NotNow(
            f"Nothing follows record but the number of one board, and of a part of its record; "
            f"that of board {match.number} has {counted(parts, 'part')}.",
            f"record {match.number}",
        )
    return Talk(replace(match, log=Log(kept)), part, parts, octets)


def _octets(entry: Entry) -> int:
    """Return how long what was said is in JSON; a chat takes room even for few words."""
    said = len(json.dumps(entry.comment)) - 2
    return said + (_CHAT_OCTETS if entry.kind is EntryKind.CHAT else 0)


_CHAT_OCTETS = 150


def _change(change: RatingChange) -> dict[str, float]:
    """Return a rating before and after the match, and its deviation after it."""
    return {
        "before": round(change.before.rating, 2),
        "after": round(change.after.rating, 2),
        "deviation": round(change.after.deviation, 2),
    }


def _name(people: Mapping[PlayerId, Player], player: PlayerId) -> str:
    return people[player].userid if player in people else "nobody"


def _time(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
