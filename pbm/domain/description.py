"""Words for players, terms and matches: names, a line of terms, the result."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from operator import itemgetter

from pbm.domain.dates import days_and_hours
from pbm.domain.invitations import Increment, Invitation, Seek, Terms
from pbm.domain.match import Ending, Match, Outcome
from pbm.domain.play import Board, Turns
from pbm.domain.player import People, PlayerId, name_of
from pbm.domain.ratings import RatingChange
from pbm.domain.seen import SeenBoard
from pbm.domain.timekeeping import DAY, HOUR, time_in_hand, time_spent
from pbm.engine import AnyGame, Setup, counted, listing


def userid(people: People, player: PlayerId) -> str:
    """Return the userid of a player, or "nobody" for one who is not among `people`."""
    found = people.get(player)
    return found.userid if found else "nobody"


def name(people: People, player: PlayerId) -> str:
    """Return the userid of a player as lists show it: "robot-3 (robot)" for a robot."""
    found = people.get(player)
    return name_of(found) if found else "nobody"


def boards_named(numbers: Sequence[int]) -> str:
    """Return "board 104", or "boards 104 and 105"."""
    word = "board" if len(numbers) == 1 else "boards"
    return f"{word} {listing(map(str, numbers), last='and')}"


def headline(news: str, game: AnyGame, number: int) -> str:
    """Return "Your move - Gonnect 104", the sender's name: lists of mails show its beginning."""
    return f"{news} - {game.info.title} {number}"


def thread_subject(match: Match | Invitation, game: AnyGame, people: People) -> str:
    """Return the subject that all mails of a match share: clients split threads by subject.

    The names are in their order at the start, because the pie rule must not change the subject.
    """
    starters = match.starters if isinstance(match, Match) else match.players
    several = f"{len(starters)} players" if len(starters) > 3 else ""
    names = several or " - ".join([name(people, player) for player in starters])
    return f"[{game.info.title} {match.number}] {names}"


def about(match: Match, game: AnyGame) -> str:
    """Return one line about a match: "Gonnect, size 13, rated, board 104"."""
    rated = "rated" if match.terms.rated else "unrated"
    return ", ".join([game.info.title, *options(match.setup, game), rated, f"board {match.number}"])


def options(setup: Setup, game: AnyGame) -> list[str]:
    """Return "size 9" and the like for each option that does not have its usual value.

    They come in the order in which the game lists them. One that is just on is its name alone.
    """
    return [
        option.name if setup[option.name] == "yes" else f"{option.name} {setup[option.name]}"
        for option in game.info.options
        if setup[option.name] != option.default
    ]


def terms_line(wish: Invitation | Seek | Match, game: AnyGame) -> str:
    """Return the options and terms of an invitation, a seek or a match as one sentence."""
    terms = wish.terms
    agreed = [*options(wish.setup, game), "rated" if terms.rated else "unrated"]
    rated = wish.ratings if isinstance(wish, Seek) else None
    who = f"; for players rated {rated[0]} to {rated[1]}" if rated else ""
    return f"{', '.join([game.info.title, *agreed])}; {clock(terms)}{who}."


def clock(terms: Terms) -> str:
    """Return "21 days for a move, with a reminder after 7", or the like for another clock."""
    if terms.increment:
        start, most = (
            days_and_hours(HOUR * hours) for hours in (terms.increment.start, terms.increment.most)
        )
        return f"{start} at the start, {gain(terms.increment)} with each move, at most {most}"
    total = terms.total_days
    in_all = f"; {counted(total, 'day')} for all moves of a player" if total else ""
    return (
        f"{counted(terms.forfeit_days, 'day')} for a move, "
        f"with a reminder after {terms.nag_days}{in_all}"
    )


def gain(increment: Increment) -> str:
    """Return "+12 hours": what a move adds to the clock."""
    return f"+{days_and_hours(HOUR * increment.gain)}"


def gain_of(match: Match) -> str:
    """Return "; +12 hours when you move", or "" without an increment."""
    increment = match.terms.increment
    return f"; {gain(increment)} when you move" if increment else ""


def clocks_line(board: Turns, people: People, now: datetime) -> str:
    """Return a sentence on the time of each player for all moves, or "" without such a limit."""
    terms = board.match.terms
    if terms.increment:
        hand = _times(board, people, time_in_hand(board, now), days_and_hours)
        return f"In hand: {hand}, of at most {days_and_hours(HOUR * terms.increment.most)}."
    if terms.total_days is None:
        return ""
    used = _times(board, people, time_spent(board, now), lambda spent: f"{spent / DAY:.1f}")
    return f"Used of the {counted(terms.total_days, 'day')} for all moves: {used}."


def _times(
    board: Turns,
    people: People,
    times: Mapping[PlayerId, timedelta],
    written: Callable[[timedelta], str],
) -> str:
    players = dict.fromkeys(board.match.players)
    return listing((f"{userid(people, p)} {written(times[p])}" for p in players), last="and")


def typed_terms(wish: Invitation | Seek, game: AnyGame) -> list[str]:
    """Return the options and terms of an invitation or a seek as they are typed in a command.

    Options with their usual value are left out.
    """
    typed = [
        f"-{option.name}={wish.setup[option.name]}"
        for option in game.info.options
        if wish.setup[option.name] != option.default
    ]
    return [*typed, *wish.terms.words]


def side_of(side: str, sign: str) -> str:
    """Return "Eks (x)": a side with the sign of its stones, if it has stones of its own."""
    return f"{side} ({sign})" if sign else side


def sides_of(board: Board | SeenBoard) -> list[str]:
    """Return the sides in the order of their seats, each as `side_of` writes it."""
    game = board.game
    return list(map(side_of, board.sides, game.info.signs))


def reason_of(outcome: Outcome, game: AnyGame | None) -> str:
    """Return why a match ended: the game's clause for its slug, or the kind of ending."""
    reasons = game.info.reasons if game else {}
    return reasons.get(outcome.reason, str(outcome.ending))


def outcome_clause(outcome: Outcome, names: tuple[str, ...], game: AnyGame | None) -> str:
    """Return "alice won: a chain joins two opposite sides", "bob resigned" or "draw: agreed".

    `names` are those of the players by seat. A match without a result is
    "declined" or "closed". `game` is None if it is not installed.
    """
    if not outcome.counts:
        return str(outcome.ending)
    winners = " and ".join(names[seat] for seat in outcome.winners)
    if winners and (lost := _LOST.get(outcome.ending)):
        losers = (name for seat, name in enumerate(names) if seat not in outcome.winners)
        return f"{listing(losers, last='and')} {lost}"
    said = f"{winners} won" if winners else "draw"
    return f"{said}: {reason_of(outcome, game)}"


_LOST = {Ending.RESIGNED: "resigned", Ending.FORFEITED: "lost on time"}
"""The endings that are the losers' doing."""


def outcome_line(board: Board | SeenBoard, people: People) -> str:
    """Return a sentence on the end of a match, or "" while it goes on."""
    outcome = board.match.outcome
    if outcome is None:
        return ""
    names = tuple(userid(people, player) for player in board.match.players)
    return outcome_sentence(outcome, names, board.game)


def outcome_sentence(outcome: Outcome, names: tuple[str, ...], game: AnyGame) -> str:
    """Return a sentence on the end of a match, for names by seat."""
    if not outcome.counts:
        by = " by the operator" if outcome.ending is Ending.CLOSED else ""
        return f"The match was {outcome.ending}{by}; it does not count."
    winners = " and ".join(names[seat] for seat in outcome.winners)
    reason = reason_of(outcome, game)
    if not winners:
        return f"The match is a draw: {reason}."
    how = " on time" if outcome.ending is Ending.FORFEITED else f": {reason}"
    return f"{winners} won{how}.{places_of(outcome.places, names)}"


def places_of(places: tuple[int, ...] | None, names: Sequence[str]) -> str:
    """Return " Places: 1 carol, 2 alice, 2 bob." with a space in front, or "" without places."""
    order = sorted(zip(places or (), names, strict=False), key=itemgetter(0))
    return f" Places: {', '.join(f'{place} {who}' for place, who in order)}." if order else ""


def rating_change(change: RatingChange) -> str:
    """Return "1500 -> 1612 +- 250 (provisional)"."""
    before, after = change.before, change.after
    provisional = " (provisional)" if after.provisional else ""
    return f"{before.rating:.0f} -> {after.rating:.0f} +- {after.deviation:.0f}{provisional}"
