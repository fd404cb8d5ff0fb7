"""The events of play that several features cause: a turn, and the end of a match."""

from collections.abc import Iterator, Mapping

from pbm.core.events import Effect, Event, Happening, SeenHappening
from pbm.domain.description import places_of, userid
from pbm.domain.logs import EntryKind, LogEntry
from pbm.domain.match import Ending, Outcome
from pbm.domain.play import Board
from pbm.domain.player import PlayerId
from pbm.engine import listing, spoken


def turn_of(
    entry: LogEntry, player: PlayerId | None, *, over: bool = False, queued: bool = False
) -> Happening:
    """Return the happening of a turn by `player`; `over`: it has ended the match."""
    if entry.kind is EntryKind.SWAP and not over:
        return Happening(SWAPPED, player, comment=entry.comment, queued=queued)
    own, told = spoken(entry.text)
    secret = own if own != told else ""
    event = ENDED if over else MOVED
    return Happening(event, player, told, entry.comment, queued=queued, secret=secret)


def turns_of(
    before: Board, after: Board, player: PlayerId, *, queued: bool = False
) -> tuple[Happening, ...]:
    """Return the happenings of a turn by `player`, and of those that are revealed with it.

    A choice that stays secret is named to its player alone, and told to the others once.
    """
    plies = after.match.log.last_plies(after.position.ply - before.position.ply)
    if not plies:
        sealed, known = after.match.sealed, before.match.sealed
        mine = [seat for seat in after.match.seats_of(player) if seat in sealed]
        seat = next((seat for seat in mine if sealed[seat] != known.get(seat)), mine[0])
        told = Happening(CHOSEN, player, only_for=player if seat in known else None)
        return Happening(CHOICE, player, sealed[seat].text, only_for=player), told
    *first, last = plies
    players = after.match.players
    others = (turn_of(entry, players[entry.seat or 0]) for entry in first)
    mover = players[last.seat or 0] if first else player
    return *others, turn_of(last, mover, over=after.match.over, queued=queued)


def _chosen(seen: SeenHappening) -> str:
    if seen.mine:
        return "Nobody else sees that until all have chosen; until then you can choose again."
    return f"{seen.actor} has chosen."


def _played(seen: SeenHappening) -> str:
    """Return the sentence about a move."""
    return f"{seen.actor} played {_quoted(seen)}{_queued(seen)}."


def _queued(seen: SeenHappening) -> str:
    """Return " (queued)" behind what was queued; only its player reads that."""
    return " (queued)" if seen.happening.queued and seen.mine else ""


def _quoted(seen: SeenHappening) -> str:
    """Return the move; a plain word is quoted: played "first"."""
    return f'"{seen.text}"' if seen.text.isalpha() else seen.text


def _ended(seen: SeenHappening) -> str:
    return " ".join(_end(seen))


def _end(seen: SeenHappening) -> Iterator[str]:
    """Yield the sentences about an end: the last move, another cause, and the result."""
    outcome = seen.board.match.outcome
    assert outcome is not None  # noqa: S101 - the event says that it is over
    if seen.text:
        yield _played(seen)
    if outcome.ending in _ENDS:
        yield _ENDS[outcome.ending].format(actor=seen.actor, queued=_queued(seen))
    if late := _late(seen):
        yield f"{late} ran out of time."
    reason = seen.board.game.info.reasons.get(outcome.reason, "")
    because = f": {reason}" if reason else ""
    if outcome.winners:
        yield f"{_won(seen, outcome)}{because}."
    elif outcome.counts:
        yield f"The match is a draw{because}."
    if outcome.scores:
        yield f"Points: {' to '.join(map(str, outcome.scores))}."
    if outcome.places and outcome.winners:
        yield _place(seen, outcome.places)


def _place(seen: SeenHappening, places: tuple[int, ...]) -> str:
    """Return the place of the reader, or those of all players for a reader who follows."""
    players = seen.board.match.players
    if seen.reader.id in players:
        return f"You are {places[players.index(seen.reader.id)]} of {len(places)}."
    return places_of(places, [userid(seen.people, player) for player in players]).lstrip()


_ENDS: Mapping[Ending, str] = {
    Ending.RESIGNED: "{actor} resigned{queued}.",
    Ending.AGREED: "{actor} accepted the offer of a draw.",
    Ending.DECLINED: "{actor} declined the match before the first move. It does not count.",
    Ending.ADJUDICATED: "The operator of the server has decided the match.",
    Ending.ABANDONED: "{actor} left the match, which cannot go on. It does not count.",
    Ending.CLOSED: "The operator of the server has closed the match. It does not count.",
}
"""Sentences about ends by neither a move nor the clock."""


def _won(seen: SeenHappening, outcome: Outcome) -> str:
    """Return "You won", "bob won", or "You lost; bob won" if no other sentence names the loser."""
    reader, players = seen.reader.id, seen.board.match.players
    winners = tuple(players[seat] for seat in outcome.winners)
    if winners == (reader,):
        return "You won"
    others = f"{listing((userid(seen.people, winner) for winner in winners), last='and')} won"
    if reader not in players or reader in winners or outcome.ending in _NAMES_THE_LOSER:
        return others
    return f"You lost; {others}"


_NAMES_THE_LOSER = (Ending.RESIGNED, Ending.FORFEITED)
"""The ends whose sentence names the loser."""


def _late(seen: SeenHappening) -> str:
    """Return "You" or the userid of the player who lost on time, or ""."""
    match = seen.board.match
    last = match.log[-1] if match.log else None
    if last is None or last.kind is not EntryKind.FORFEIT or last.seat is None:
        return ""
    player = match.players[last.seat]
    return "You" if player == seen.reader.id else userid(seen.people, player)


def _swapped(seen: SeenHappening) -> str:
    who = "you two" if seen.reader.id in seen.board.match.players else "the players"
    return (
        f"{seen.actor} used the pie rule: {who} have swapped sides, and the board stays as it is. "
        f"Now {seen.sides}."
    )


CHOICE = Event("choice", lambda seen: f"You have chosen {_quoted(seen)}.", Effect.OTHER)
CHOSEN = Event("chosen", _chosen, Effect.OTHER)
LEFT = Event(
    "left_match",
    lambda seen: f"{seen.actor} {seen.text} and left the match. The others go on.",
    Effect.OTHER,
)
MOVED = Event("moved", _played, Effect.TURN)
SWAPPED = Event("swapped", _swapped, Effect.TURN)
ENDED = Event("ended", _ended, Effect.END)
