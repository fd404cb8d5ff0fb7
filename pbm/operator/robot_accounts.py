"""The accounts of robots, as the operator makes them and as a server makes its own.

A robot has no address, nobody knows its password, and its clock is always stopped: it is
never reminded, and nobody loses because nothing has thought for it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pbm.core.context import Services
from pbm.core.open_boards import is_for_two
from pbm.domain.errors import NotAllowed, NotUnderstood
from pbm.domain.pauses import PauseKind
from pbm.domain.player import Player, PlayerId, PlayerKind, PlayerState, check_userid
from pbm.domain.robots import LEVELS, STANDARD, Brain, Calibration, starting_rating
from pbm.operator.administration import Administration, player_facts
from pbm.store.operator import Facts
from pbm.store.unit import UnitOfWork


@dataclass(frozen=True, slots=True)
class RobotRow:
    """A robot for the operator's list: its account, brain, and boards that are open."""

    player: Player
    brain: Brain
    boards: int


def unknown_hash(services: Services) -> str:
    """Return the hash of a password that nobody knows: a wrong one takes as long to refuse."""
    return services.passwords.hash(services.chance.new_id() + services.chance.new_id())


def add_robot(operator: Administration, userid: str, brain: Brain, unknown: str) -> Player:
    """Open the account of a robot, to which `give_ratings` then gives its ratings.

    `unknown` is an `unknown_hash`, which several robots may share.

    Raises NotUnderstood for a userid or level that there cannot be, NotAllowed if the name, or
    one that looks like it, is taken, and UnknownName for a game that is not installed.
    """
    work, services = operator.work, operator.services
    check_userid(userid, PlayerKind.ROBOT)
    if brain.level not in LEVELS:
        raise NotUnderstood(f"A robot has a level from {LEVELS[0]} to {LEVELS[-1]}.")
    if brain.game is not None:
        brain = replace(brain, game=services.catalogue.get(brain.game).info.key)
    if (like := work.players.lookalike(userid)) is not None:
        raise NotAllowed(f"The userid {userid} is taken, or looks like {like}.")
    player = work.players.add(userid, unknown, (), operator.now, PlayerKind.ROBOT)
    work.robots.save(player.id, brain)
    work.pauses.add(PauseKind.ROBOT, operator.now, None, player.id)
    return player


def note_added(operator: Administration, player: Player) -> None:
    """Note that an operator has added a robot; what a server does by itself is in its log."""
    brain = operator.work.robots.get(player.id)
    facts = brain_facts(brain) if brain else {}
    operator.note("robot add", player.userid, {}, {**player_facts(player), **facts})


def add_standard(operator: Administration) -> tuple[Player, ...]:
    """Make the standard robots that are missing, still without ratings, and return them.

    One whose name somebody has, or has had, is left out: a robot that the operator removed does
    not come back.
    """
    players = operator.work.players
    # To look for one of that very name first is quicker: at nearly every start all are there.
    missing = [
        name
        for name in STANDARD
        if players.by_userid(name) is None and players.lookalike(name) is None
    ]
    unknown = unknown_hash(operator.services) if missing else ""
    return tuple(add_robot(operator, name, Brain(STANDARD[name]), unknown) for name in missing)


def give_ratings(operator: Administration, calibration: Calibration) -> None:
    """Give each robot a rating in each game for two that it plays, where it has none yet.

    So a robot has one too in a game that was installed after it was made.
    """
    work = operator.work
    games = [game.info.key for game in filter(is_for_two, operator.services.catalogue)]
    for player, brain in work.robots.all().items():
        known = work.ratings.all_of(player)
        for game in (game for game in games if brain.plays(game) and game not in known):
            start = starting_rating(calibration, game, brain.level)
            work.ratings.save(game, player, None, replace(start, updated_at=operator.now))


def listed(work: UnitOfWork) -> Iterable[RobotRow]:
    """Return the robots, those that are disabled too, in order of level and name."""
    brains = work.robots.all()
    people = work.players.by_ids(brains).values()
    there = (player for player in people if player.state is not PlayerState.GONE)
    for player in sorted(there, key=lambda each: (brains[each.id].level, each.userid)):
        yield RobotRow(player, brains[player.id], open_boards(work, player.id))


def open_boards(work: UnitOfWork, player: PlayerId) -> int:
    """Return how many boards a player has that are not over."""
    return work.matches.count(None, [player], over=False)


def brain_facts(brain: Brain) -> Facts:
    """Return what an operator decides of a robot."""
    return {
        "level": brain.level,
        "game": brain.game,
        "entry": brain.entry,
    }
