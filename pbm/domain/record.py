"""A match as a record that outlives the server: JSON for programs, a playthrough for people.

pbm.domain.record_reading turns the JSON form back into a match.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pbm.domain.match import Match
from pbm.domain.player import Player, PlayerId
from pbm.domain.ratings import RatingChange
from pbm.engine import AnyGame, write_transcript

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
    names = " - ".join(_name(people, player) for player in match.starters)
    story = f"Board {match.number}: {names}, begun on {match.started_at:%Y-%m-%d}."
    return write_transcript(game, match.setup, match.turns, story)


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
