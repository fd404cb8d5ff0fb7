"""The accounts of robots, as an operator and a server make them.

A robot has no address, nobody knows its password, and its clock is always stopped: it is
never reminded, and nobody loses because nothing has thought for it.
"""

from dataclasses import replace

from pbm.core.context import Context, Services
from pbm.core.open_boards import is_for_two
from pbm.domain.errors import NotAllowed, NotUnderstood
from pbm.domain.pauses import PauseKind
from pbm.domain.player import Player, PlayerKind, check_userid
from pbm.domain.robots import LEVELS, STANDARD, Brain, Calibration, starting_rating


def unknown_hash(services: Services) -> str:
    """Return the hash of a password that nobody knows: a wrong one takes as long to refuse."""
    return services.passwords.hash(services.chance.new_id() + services.chance.new_id())


def add_robot(context: Context, userid: str, brain: Brain, unknown: str) -> Player:
    """Open the account of a robot, to which `give_ratings` then gives its ratings.

    `unknown` is an `unknown_hash`, which several robots may share.

    Raises NotUnderstood for a userid or level that there cannot be, NotAllowed if the name, or
    one that looks like it, is taken, and UnknownName for a game that is not installed.
    """
    work, now = context.work, context.now
    check_userid(userid, PlayerKind.ROBOT)
    if brain.level not in LEVELS:
        raise NotUnderstood(f"A robot has a level from {LEVELS[0]} to {LEVELS[-1]}.")
    if brain.game is not None:
        brain = replace(brain, game=context.catalogue.get(brain.game).info.key)
    if (like := work.players.lookalike(userid)) is not None:
        raise NotAllowed(f"The userid {userid} is taken, or looks like {like}.")
    player = work.players.add(userid, unknown, (), now, PlayerKind.ROBOT)
    work.robots.save(player.id, brain)
    work.pauses.add(PauseKind.ROBOT, now, None, player.id)
    return player


def add_standard(context: Context) -> tuple[Player, ...]:
    """Make the standard robots that are missing, still without ratings, and return them.

    One whose name somebody has, or has had, is left out: a robot that the operator removed does
    not come back.
    """
    players = context.work.players
    # To look for one of that very name first is quicker: at nearly every start all are there.
    missing = [
        name
        for name in STANDARD
        if players.by_userid(name) is None and players.lookalike(name) is None
    ]
    unknown = unknown_hash(context.services) if missing else ""
    return tuple(add_robot(context, name, Brain(STANDARD[name]), unknown) for name in missing)


def give_ratings(context: Context, calibration: Calibration) -> None:
    """Give each robot a rating in each game for two that it plays, where it has none yet.

    So a robot has one too in a game that was installed after it was made.
    """
    ratings = context.work.ratings
    games = [game.info.key for game in filter(is_for_two, context.catalogue)]
    for player, brain in context.work.robots.all().items():
        known = ratings.all_of(player)
        for game in (game for game in games if brain.plays(game) and game not in known):
            start = starting_rating(calibration, game, brain.level)
            ratings.save(game, player, None, replace(start, updated_at=context.now))
