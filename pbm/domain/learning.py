"""Where a robot may help a player: never in a match between people while it goes on."""

from pbm.domain.match import Match
from pbm.domain.player import People, PlayerId


def against_robots(match: Match, player: PlayerId, people: People) -> bool:
    """Return whether all others in the match are robots, and there is one.

    Whoever is not among `people` counts as a person.
    """
    others = [each for each in match.players if each != player]
    return bool(others) and all(each in people and people[each].is_robot for each in others)


def may_have_hints(match: Match, player: PlayerId, people: People) -> bool:
    """Return whether a player may be helped in a match that goes on: it counts for nobody else."""
    return against_robots(match, player, people) and not match.terms.rated
