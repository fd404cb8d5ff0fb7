"""A match as a record that outlives the server: JSON for programs, a playthrough for people.

A match can be rebuilt from the JSON form, with every turn verified.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from pbm.domain.dates import written
from pbm.domain.description import name, userid
from pbm.domain.errors import NotUnderstood
from pbm.domain.invitations import Terms
from pbm.domain.logs import EntryKind, Log, LogEntry
from pbm.domain.match import Ending, Match, Outcome, new_match, seated
from pbm.domain.offers import open_offer, read_offer
from pbm.domain.player import People, PlayerId, fold_userid
from pbm.domain.ratings import RatingChange
from pbm.domain.seen import SeenMatch, is_open
from pbm.engine import (
    LEAVES,
    SWAP,
    AnyGame,
    GameFile,
    MoveError,
    OptionError,
    PlayedMatch,
    Seat,
    Turn,
    WritesFiles,
    begin,
    notation_of,
    repeat,
    write_transcript,
)

FORMAT = 1
"""The version of the JSON form; a change that old readers cannot read needs a new one."""


def record(match: SeenMatch, game: AnyGame, people: People) -> dict[str, Any]:
    """Return the whole match as JSON values: setup, players, log with times, result, comments."""
    outcome = match.outcome
    return {
        "format": FORMAT,
        "board": match.number,
        "game": match.game,
        "rules_version": match.rules_version,
        "options": dict(match.setup.options),
        "dealt": list(match.setup.dealt),
        "seats": list(game.info.seats[: len(match.players)]),
        "starters": [userid(people, player) for player in match.starters],
        "players": [userid(people, player) for player in match.players],
        "robots": [userid(people, p) for p in match.starters if p in people and people[p].is_robot],
        "rated": match.terms.rated,
        "terms": _clock(match.terms),
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
            "places": None if outcome.places is None else list(outcome.places),
            "ratings": [_change(change) for change in outcome.ratings],
        },
        "ended_at": match.ended_at and _time(match.ended_at),
    }


def published_record(
    match: SeenMatch, game: AnyGame, userids: Mapping[PlayerId, str], robots: Collection[PlayerId]
) -> dict[str, Any]:
    """Return the record without talk and times of day."""
    log = Log(replace(e, comment="") for e in match.log if e.kind is not EntryKind.CHAT)
    found = record(replace(match, log=log), game, {})
    for named, players in (("starters", match.starters), ("players", match.players)):
        found[named] = [userids[player] for player in players]
    found["robots"] = [userids[player] for player in match.starters if player in robots]
    found["started_at"], found["ended_at"] = (
        at and at.date().isoformat() for at in (match.started_at, match.ended_at)
    )
    for entry, logged in zip(found["log"], log, strict=True):
        entry["at"] = logged.at.date().isoformat()
    return found


def record_text(match: SeenMatch, game: AnyGame, people: People) -> str:
    """Return the match as a playthrough, which replays (pbm.engine.transcript).

    While something is hidden it has the turns alone, as they are told.
    """
    names = " - ".join(name(people, player) for player in match.starters)
    story = f"Board {match.number}: {names}, begun on {written(match.started_at)}."
    if is_open(game, match):
        return write_transcript(game, match.setup, match.turns, story)
    sides, turns = game.info.seats, enumerate(match.turns, 1)
    return "\n".join([story, "", *(f"{ply} {sides[t.seat]} {t.text}" for ply, t in turns), ""])


def own_file(match: SeenMatch, game: AnyGame, players: Iterable[str]) -> GameFile | None:
    """Return the match in the file format of its game, with the names of its `players` by seat.

    None if the game has no format, and while something is hidden.
    """
    if not (isinstance(game, WritesFiles) and is_open(game, match)):
        return None
    turns, outcome = tuple(turn.text for turn in match.turns), match.outcome
    winners = outcome.winners if outcome and outcome.counts else None
    title, begun = f"Board {match.number}", match.started_at.date()
    return game.file_of(PlayedMatch(title, begun, tuple(players), turns, winners))


def octets_of_talk(match: SeenMatch) -> int:
    """Return the length of all comments in JSON; a chat takes room even for few words."""
    chats = sum(entry.kind is EntryKind.CHAT for entry in match.log)
    return sum(len(json.dumps(entry.comment)) - 2 for entry in match.log) + _CHAT_OCTETS * chats


_CHAT_OCTETS = 150


def _clock(terms: Terms) -> dict[str, object]:
    if terms.increment:
        return {"time": str(terms.increment)}
    return {
        "nagtime": terms.nag_days,
        "forfeittime": terms.forfeit_days,
        "totaltime": terms.total_days,
    }


def _change(change: RatingChange) -> dict[str, float]:
    """Return a rating before and after the match, and its deviation after it."""
    return {
        "before": round(change.before.rating, 2),
        "after": round(change.after.rating, 2),
        "deviation": round(change.after.deviation, 2),
    }


def _time(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def match_of_record(
    data: Mapping[str, Any],
    game: AnyGame,
    players: Mapping[str, PlayerId],
    number: int,
    now: datetime,
) -> Match:
    """Return the match that `data` describes, as board `number`.

    `players` are ids by folded userid. The clock of an unfinished match starts now. Rating
    changes are left out, because they belong to the server where they happened. Raises
    NotUnderstood if the record cannot be read, is for other rules or does not replay.
    """
    if data.get("format") != FORMAT:
        raise NotUnderstood(f"This is not a record of format {FORMAT}.")
    try:
        if data["rules_version"] != game.info.rules_version:
            raise NotUnderstood(
                f"The record is by version {data['rules_version']} of the rules of "
                f"{game.info.title}; version {game.info.rules_version} is installed."
            )
        match = _read(data, game, players, number, now)
        players_now = _ids(data["players"], players)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotUnderstood(f"The record cannot be read: {error!r}.") from error
    except OptionError as error:
        raise NotUnderstood(f"The record cannot be read: {error}") from error
    _check_turns(match, game)
    _check_answers(match)
    if match.players != players_now:
        raise NotUnderstood("The players of the record do not sit where its turns put them.")
    return match


def _read(
    data: Mapping[str, Any],
    game: AnyGame,
    players: Mapping[str, PlayerId],
    number: int,
    now: datetime,
) -> Match:
    setup = game.info.setup(data["options"], tuple(map(str, data.get("dealt", ()))))
    seats = game.info.players(setup)
    starters = _ids(data["starters"], players)
    if len(starters) != seats:
        raise ValueError(f"{game.info.title} is for {seats} players")
    days = {name: str(value) for name, value in data["terms"].items() if value is not None}
    terms = Terms().read({**days, "rated": "yes" if data["rated"] else "no"})
    begun_at, log = _read_time(data["started_at"]), Log(_entry(e, seats) for e in data["log"])
    match = new_match(number, game, setup, terms, starters, begun_at)
    match = replace(match, turn_since=now, log=log, players=seated(starters, log.plies))
    if data["outcome"] is None:
        return match
    ended_at = _read_time(data["ended_at"])
    outcome = _outcome(data["outcome"], seats)
    return replace(match, outcome=outcome, ended_at=ended_at, turn_since=ended_at)


def _ids(userids: Any, players: Mapping[str, PlayerId]) -> tuple[PlayerId, ...]:
    return tuple(players[fold_userid(userid)] for userid in userids)


def _entry(data: Mapping[str, Any], seats: int) -> LogEntry:
    kind, text = EntryKind(data["kind"]), data["text"]
    if not isinstance(text, str) or not isinstance(data["comment"], str):
        raise TypeError("a text is expected")
    if kind is EntryKind.UNDO and not (text.isascii() and text.isdigit()):
        raise ValueError("an undo tells how many plies it takes back")
    if kind is EntryKind.EXTEND and not (text.isascii() and text.isdigit()):
        raise ValueError("an extension tells by how many days")
    if kind is EntryKind.PAUSE and text and not (text.isascii() and text.isdigit()):
        raise ValueError("a pause of players tells how many days it lasts")
    if kind is EntryKind.OFFER:
        text = read_offer(text, 0, 0).text
    seat = None if data["seat"] is None else _seat(data["seat"], seats)
    return LogEntry(kind, seat, text, _read_time(data["at"]), data["comment"])


def _seat(seat: Any, seats: int) -> Seat:
    if type(seat) is not int or seat not in range(seats):
        raise ValueError(f"a seat is a number from 0 to {seats - 1}")
    return seat


def _read_time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return time.astimezone(UTC)


def _outcome(data: Mapping[str, Any], seats: int) -> Outcome:
    return Outcome(
        ending=Ending(data["ending"]),
        winners=tuple(_seat(seat, seats) for seat in data["winners"]),
        reason=str(data["reason"]),
        scores=None if data["scores"] is None else tuple(map(int, data["scores"])),
        places=tuple(map(int, data.get("places") or ())) or None,
    )


def _check_turns(match: Match, game: AnyGame) -> None:
    """Raise NotUnderstood unless the turns are legal and in canonical notation."""
    try:
        position = begin(game, match.setup)
    except MoveError as error:
        raise NotUnderstood(f"The record does not begin: {error}") from error
    for ply, entry in enumerate(match.plies, 1):
        if entry.seat is None:
            raise NotUnderstood(f"The record does not say who played ply {ply}.")
        try:
            position, turn = repeat(game, position, Turn(entry.seat, entry.text))
        except MoveError as error:
            raise NotUnderstood(f"The record does not replay at ply {ply}: {error}") from error
        if turn.text != entry.text:
            raise NotUnderstood(f"Ply {ply} of the record should be written {turn.text}.")
        swaps, leaves = turn.text == SWAP, notation_of(turn.text) == LEAVES
        if (swaps, leaves) != (entry.kind is EntryKind.SWAP, entry.kind is EntryKind.LEAVE):
            raise NotUnderstood(f"Ply {ply} of the record is not of the kind {entry.kind}.")


def _check_answers(match: Match) -> None:
    """Raise NotUnderstood unless each answer to an offer has an offer to answer."""
    for position, entry in enumerate(match.log):
        if entry.kind in (EntryKind.ACCEPT, EntryKind.REJECT):
            before = replace(match, log=Log(match.log[:position]), outcome=None)
            offered = open_offer(before)
            # A player agrees only once, but may still say no afterwards.
            agrees = entry.kind is EntryKind.ACCEPT
            if offered is None or entry.seat in (offered.willing if agrees else (offered.seat,)):
                raise NotUnderstood(f"Entry {position + 1} of the record answers no offer.")
