"""`pbm robot`: the robots of a server, and duels for authors of games."""

import random
import shlex
from dataclasses import asdict, replace
from typing import Any

import click

from pbm.bootstrap import House
from pbm.cli.options import (
    administering,
    administers,
    complete_game,
    json_option,
    reason_option,
    setting,
    signed,
    with_house,
)
from pbm.cli.printing import Noun, echo, echo_json, echo_rows, progress
from pbm.cli.rules import read_pairs
from pbm.cli.user import set_state
from pbm.domain.errors import NotAllowed
from pbm.domain.player import PlayerState
from pbm.domain.robots import STANDARD, Brain
from pbm.engine import AnyGame, GameInfo
from pbm.operator.administration import Administration
from pbm.operator.robot_accounts import (
    RobotRow,
    add_robot,
    add_standard,
    brain_facts,
    give_ratings,
    listed,
    note_added,
    unknown_hash,
)
from pbm.plugins import installed_game
from pbm.robots.calibration import ESTIMATE, Result, fitted, pairs
from pbm.robots.duel import UNFINISHED, Played, Score, Share, games_between, score_of
from pbm.robots.levels import LEVELS, Level, level_of
from pbm.service.audit import Signature


@click.group(cls=Noun)
def robot() -> None:
    """Give a server robots to play with, and let them play to learn whether a game is balanced."""


@robot.command()
@click.argument("game", shell_complete=complete_game)
@setting("--games", "games", default=40, type=click.IntRange(min=1),
         help="How many each pair of levels plays.")  # fmt: skip
@setting("--levels", default=len(LEVELS), type=click.IntRange(2, len(LEVELS)),
         help="How many levels play, from the lowest.")  # fmt: skip
@setting("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option.")
def calibrate(game: str, games: int, levels: int, options: tuple[str, ...]) -> None:
    """Let the levels of robots play GAME against each other, and print their ratings.

    Levels that are neighbours and levels with one between them play each other. Prints a line of
    pbm/robots/calibration.json, from which new robots start: ratings and standard deviations,
    which with an --option are large, because that is an estimate for the usual board.
    """
    engine = installed_game(game)
    setup = engine.info.setup(read_pairs(options), 0)
    results: dict[tuple[int, int], Result] = {}
    met = pairs(range(1, levels + 1))
    with progress(len(met) * games, engine.info.title) as tick:
        for one, other in met:

            def dice(name: str, pair: str = f"{one} {other}") -> random.Random:
                return random.Random(f"{pair} {name}")  # noqa: S311 - reproducible play, no secret

            won = 0.0
            sides = (LEVELS[one - 1], LEVELS[other - 1])
            for each in games_between(engine, setup, sides, games, dice):
                won += each.worths[0]
                tick()
            results[one, other] = Result(won, games)
    least = ESTIMATE if options else 0.0
    strengths = {
        level: [round(own.rating), round(max(own.deviation, least))]
        for level, own in fitted(results).items()
    }
    echo_json({engine.info.key: strengths})


@robot.command()
@click.argument("game", shell_complete=complete_game)
@click.argument("level")
@click.argument("other_level", metavar="LEVEL")
@setting("--games", "games", default=20, type=click.IntRange(min=1),
         help="How many are played; the two begin in turn.")  # fmt: skip
@setting("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option.")
@setting("--seed", default=0, type=int, help="The same seed gives the same games.")
@setting("--playouts", default=None, type=click.IntRange(min=1), show_default=False,
         help="Games that both try for a move, in place of their levels'.")  # fmt: skip
@json_option
def duel(
    game: str,
    level: str,
    other_level: str,
    games: int,
    options: tuple[str, ...],
    seed: int,
    playouts: int | None,
    as_json: bool,
) -> None:
    """Let two robots play GAME against each other.

    A LEVEL is level1 to level5, in short 1 to 5, or random. Prints how much the first of them won,
    what it is worth to have the first seat, how long the games were and how they ended. Draws
    count as half, and each share comes with its 95 % interval.
    """
    engine = installed_game(game)
    setup = engine.info.setup(read_pairs(options), seed)
    one, other = (_thinking(level_of(name), playouts) for name in (level, other_level))

    def dice(name: str) -> random.Random:
        return random.Random(f"{seed} {name}")  # noqa: S311 - reproducible play, no secret

    played: list[Played] = []
    with progress(games, f"{one.name} - {other.name}") as tick:
        for each in games_between(engine, setup, (one, other), games, dice):
            played.append(each)
            tick()
    score = score_of(played)
    if as_json:
        facts = {"game": engine.info.key, "options": dict(setup.options), "seed": seed}
        echo_json({**facts, "levels": [asdict(one), asdict(other)], **asdict(score)})
        return
    for line in _lines(engine, (one, other), score):
        echo(line)


def _thinking(level: Level, playouts: int | None) -> Level:
    """Return the level with so many playouts, if they are given and it thinks at all."""
    return replace(level, playouts=playouts) if playouts and level.playouts else level


def _lines(game: AnyGame, levels: tuple[Level, Level], score: Score) -> list[str]:
    """Return the score as lines for people."""
    info, games = game.info, score.robot.games
    one, other = (_described(level) for level in levels)
    first = f"{info.seats[0]}, who {'moves' if info.swap_after is None else 'moved'} first"
    lines = [
        f"{info.title}, {games} game{'s' if games > 1 else ''}: {one} against {other}",
        f"  {levels[0].name} won     {_share(score.robot)}",
        f"  first seat won {_share(score.first_seat)}  ({first})",
        f"  draws          {score.draws}",
        f"  plies          median {score.median_plies:g}, longest {score.longest_plies}",
    ]
    if info.swap_after is not None:
        lines.append(f"  swaps          {score.swaps}")
    lines.append("  ends")
    ends = score.reasons.items()
    return lines + [f"    {number:4}  {_reason(info, reason)}" for reason, number in ends]


def _described(level: Level) -> str:
    return f"{level.name} ({level.playouts:,} playouts)" if level.playouts else level.name


def _share(share: Share) -> str:
    """Return it in per cent, as "70 %  (48 to 85 %, 14 of 20)"."""
    low, high = (f"{100 * bound:.0f}" for bound in (share.low, share.high))
    return f"{100 * share.share:.0f} %  ({low} to {high} %, {share.won:.4g} of {share.games})"


def _reason(info: GameInfo, reason: str) -> str:
    if reason == UNFINISHED:
        return "stopped, because it did not come to an end"
    return f"{reason}: {info.reasons[reason]}"


_USUAL_LEVEL = 3


@robot.command()
@click.argument("name", required=False)
@setting("--standard", is_flag=True, show_default=False,
         help=f"Make {min(STANDARD)} to {max(STANDARD)}, those that are missing.")  # fmt: skip
@setting("--game", default=None, show_default=False, shell_complete=complete_game,
         help="The only game that it plays; without it, all.")  # fmt: skip
@setting("--level", default=None, show_default=False, type=click.IntRange(1, 5),
         help="How well it plays, from 1 to 5.")  # fmt: skip
@setting("--command", default="", show_default=False, metavar="LINE",
         help="A program that thinks for it (docs/robots.md), as words of a shell.")  # fmt: skip
@setting("--program", "entry", default="", show_default=False, metavar="ENTRY",
         help="The same, by its entry point among pbm.robots.")  # fmt: skip
@with_house
@signed
def add(
    house: House,
    name: str | None,
    standard: bool,
    game: str | None,
    level: int | None,
    command: str,
    entry: str,
    by: Signature,
) -> None:
    """Open the account of a robot NAME, or those of the standard ones.

    It has no address and no password. Without --command and --program the server's own search
    thinks for it, at --level; a program plays one --game, and unrated.
    """
    if bool(name) == standard:
        raise click.UsageError("Name a robot, or say --standard.")
    if command and entry:
        raise click.UsageError("Either --command or --program thinks for it.")
    if (command or entry) and game is None:
        raise click.UsageError("A program plays one game: which one, says --game.")
    if name and not (command or entry or level):
        raise click.UsageError("How well it plays, says --level, or who thinks, --command.")
    with administering(house, by) as operator:
        if name is None:
            added = add_standard(operator)
        else:
            brain = Brain(level or _USUAL_LEVEL, game, _words(command, entry), entry)
            unknown = unknown_hash(house.services)
            added = (add_robot(operator, name, brain, unknown),)
        give_ratings(operator, house.robots.calibration)
        for robot in added:
            note_added(operator, robot)
    names = ", ".join(robot.userid for robot in added)
    echo(f"added {names}" if added else "all of them are there")


def _words(command: str, entry: str) -> tuple[str, ...]:
    """Return the words of a command line; raise UsageError for what cannot be started."""
    from pbm.programs import CommandError, command_from, command_of  # noqa: PLC0415 - used seldom

    try:
        if entry:
            command_of(entry)
        return command_from(command) if command else ()
    except CommandError as error:
        raise click.UsageError(str(error)) from error


@robot.command("list")
@json_option
@with_house
def list_robots(house: House, as_json: bool) -> None:
    """List the robots: who thinks for each, what it plays, and its open boards."""
    with house.open_reading() as work:
        rows = tuple(listed(work))
    if not rows and not as_json:
        echo("There are no robots: pbm robot add --standard makes five.", err=True)
        return
    echo_rows(
        rows,
        ("robot", "state", "level", "game", "thinks", "boards"),
        lambda r: (r.player.userid, r.player.state.value, r.brain.level, _game(house, r.brain),
                   _thinks(r.brain), r.boards),
        as_json=as_json,
        facts=lambda row: _facts(house, row),
    )  # fmt: skip


def _game(house: House, brain: Brain) -> str:
    """Return the game it plays; one that is gone is marked, because then it plays nothing."""
    if brain.game is None:
        return "all"
    return brain.game if house.catalogue.find(brain.game) else f"{brain.game} (not installed)"


def _thinks(brain: Brain) -> str:
    if brain.command:
        return shlex.join(brain.command)
    return brain.entry or "the server"


def _facts(house: House, row: RobotRow) -> dict[str, Any]:
    game = row.brain.game
    return {
        "userid": row.player.userid,
        "state": row.player.state.value,
        **brain_facts(row.brain),
        "installed": game is None or house.catalogue.find(game) is not None,
        "boards": row.boards,
    }


def _set_state(admin: Administration, name: str, state: PlayerState) -> str:
    """Change the state of a robot; raise NotAllowed for a person."""
    player = admin.work.players.by_userid(name)
    if player is not None and not player.is_robot:
        raise NotAllowed(f"{name} is a person: pbm user changes the accounts of people.")
    return set_state(admin, name, state)


@robot.command()
@click.argument("name")
@reason_option
@administers
def disable(admin: Administration, name: str) -> str:
    """Keep a robot from playing; its boards wait, and nobody loses on time there."""
    return _set_state(admin, name, PlayerState.DISABLED)


@robot.command()
@click.argument("name")
@reason_option
@administers
def enable(admin: Administration, name: str) -> str:
    """Let a disabled robot play again."""
    return _set_state(admin, name, PlayerState.ACTIVE)
