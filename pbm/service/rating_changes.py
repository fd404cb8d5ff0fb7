"""What the end of a match does to the ratings of its players, and how that is taken back."""

from collections.abc import Mapping
from dataclasses import replace

from pbm.domain.addresses import fold_address
from pbm.domain.match import Match
from pbm.domain.play import LiveMatch
from pbm.domain.player import Player, PlayerId
from pbm.domain.ratings import Rating, rating_changes
from pbm.service.ports import RatedRow, UnitOfWork


def settle_ratings(work: UnitOfWork, before: LiveMatch, after: LiveMatch) -> LiveMatch:
    """Return `after` with the rating changes of its end, and store the new ratings.

    If a match was over and goes on, its changes are taken back. Raises Conflict if another match of
    these players has ended at the same time.
    """
    if before.match.over and not after.match.over:
        _take_back(work, before.match)
    if after.match.over and not before.match.over:
        return replace(after, match=_rated(work, after.match))
    return after


def _rated(work: UnitOfWork, match: Match) -> Match:
    outcome, now = match.outcome, match.ended_at
    if outcome is None or now is None or not outcome.counts or not match.terms.rated:
        return match
    if not _are_two(match.players, work.players.by_ids(match.players)):
        return match
    known = work.ratings.of(match.game, match.players)
    ratings = [known.get(player, Rating()) for player in match.players]
    changes = rating_changes(ratings, outcome.winners, now)
    for player, change in zip(match.players, changes, strict=True):
        after = replace(change.after, updated_at=now)
        work.ratings.save(match.game, player, known.get(player), after)
    return replace(match, outcome=replace(outcome, ratings=changes))


def _are_two(players: tuple[PlayerId, ...], people: Mapping[PlayerId, Player]) -> bool:
    """Return whether two different people played; two players who share an address are one."""
    addresses = [{fold_address(a) for a in people[p].addresses} for p in players if p in people]
    return len(set(players)) == 2 and not set.intersection(*addresses)


def _take_back(work: UnitOfWork, match: Match) -> None:
    """Give the players the ratings that they would have without the end of `match`.

    Where later matches were built on it, their changes are made anew, in the order in which they
    ended: those of its players, of whom these have played since, and so on.
    """
    if match.outcome is None or match.ended_at is None or not match.outcome.ratings:
        return
    right: dict[PlayerId, Rating] = {
        player: replace(change.before, updated_at=match.ended_at)
        for player, change in zip(match.players, match.outcome.ratings, strict=True)
    }
    for later in work.matches.rated_after(match.game, match.ended_at, match.number):
        if not right.keys().isdisjoint(later.players):
            _rate_again(work, later, right)
    known = work.ratings.of(match.game, right)
    for player, rating in right.items():
        work.ratings.save(match.game, player, known.get(player), rating)


def _rate_again(work: UnitOfWork, row: RatedRow, right: dict[PlayerId, Rating]) -> None:
    """Make the changes of a match anew from the ratings that are `right`, and note what follows."""
    befores = [
        right.get(player, replace(change.before, updated_at=row.ended_at))
        for player, change in zip(row.players, row.outcome.ratings, strict=True)
    ]
    changes = rating_changes(befores, row.outcome.winners, row.ended_at)
    for player, change in zip(row.players, changes, strict=True):
        right[player] = replace(change.after, updated_at=row.ended_at)
    work.matches.set_outcome(row.number, replace(row.outcome, ratings=changes))
