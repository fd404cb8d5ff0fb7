"""`pbm robot`: the robots of a server, and duels at the shell for authors of games."""

import random
from dataclasses import asdict, replace

import click

from pbm.cli import robot_accounts
from pbm.cli.completing import complete_game
from pbm.cli.options import echo, echo_json, json_option, setting
from pbm.cli.progress import progress
from pbm.cli.rules import read_pairs
from pbm.engine import AnyGame, GameInfo
from pbm.plugins import installed_game
from pbm.robots.duel import UNFINISHED, Played, Score, Share, games_between, score_of
from pbm.robots.levels import Level, level_of


@click.group()
def robot() -> None:
    """Give a server robots to play with, and let them play to learn whether a game is balanced."""


for command in (
    *(robot_accounts.add, robot_accounts.list_robots),
    *(robot_accounts.disable, robot_accounts.enable),
):
    robot.add_command(command)


@robot.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def calibrate(arguments: tuple[str, ...]) -> None:
    """Rate the levels of the robots in a game, as `python -m bench.calibrate` does."""
    try:
        from bench.calibrate import calibrate as run  # noqa: PLC0415 - not in the package
    except ImportError:
        raise click.ClickException(
            "This is part of the source, not of the package: python -m bench.calibrate GAME there."
        ) from None
    run.main(list(arguments), prog_name="pbm robot calibrate")


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
        told = {"game": engine.info.key, "options": dict(setup.options), "seed": seed}
        echo_json({**told, "levels": [asdict(one), asdict(other)], **asdict(score)})
        return
    for line in _told(engine, (one, other), score):
        echo(line)


def _thinking(level: Level, playouts: int | None) -> Level:
    """Return the level with so many playouts, if that is said and it thinks at all."""
    return replace(level, playouts=playouts) if playouts and level.playouts else level


def _told(game: AnyGame, levels: tuple[Level, Level], score: Score) -> list[str]:
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
