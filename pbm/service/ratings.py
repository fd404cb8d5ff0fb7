"""What the end of a match does to the ratings of its players, and how that is taken back."""

from collections.abc import Mapping
from dataclasses import replace

from pbm.domain.errors import NotNow
from pbm.domain.match import Match
from pbm.domain.play import LiveMatch
from pbm.domain.player import Player, PlayerId, fold_address
from pbm.domain.ratings import Rating, rating_changes
from pbm.service.ports import UnitOfWork


def settle_ratings(work: UnitOfWork, before: LiveMatch, after: LiveMatch) -> LiveMatch:
    """Return `after` with the rating changes of its end, and store the new ratings.

    If a match was over and goes on, its changes are taken back. Raises NotNow if that is not
    possible, and Conflict if another match of these players has ended at the same time.
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
    """Give the players the ratings from before `match`, if nothing has been built on them."""
    if match.outcome is None or not match.outcome.ratings:
        return
    known = work.ratings.of(match.game, match.players)
    for player, change in zip(match.players, match.outcome.ratings, strict=True):
        rating = known.get(player)
        if rating != replace(change.after, updated_at=match.ended_at):
            raise NotNow(
                f"Board {match.number} cannot be opened again: it was rated, and one of its "
                f"players has since finished another rated match of {match.game}.",
                f"show {match.number}",
            )
        work.ratings.save(
            match.game, player, rating, replace(change.before, updated_at=match.ended_at)
        )
