"""`pbm dev`: tools for authors of games."""

from __future__ import annotations

import random
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbm.cli.completion import complete_game
from pbm.cli.options import json_option, setting
from pbm.cli.printing import Noun, echo, echo_facts, progress
from pbm.cli.rules import commands, new_game, read_pairs, rules
from pbm.engine import AnyGame, GameInfo
from pbm.robots.levels import Level, level_of

if TYPE_CHECKING:
    from pbm.robots.duel import DuelGame, Score, Share


@click.group(cls=Noun)
def dev() -> None:
    """Tools for authors of games."""


for each in (rules, new_game, commands):
    dev.add_command(each)


@dev.command()
@click.argument("game", shell_complete=complete_game)
@click.argument("folder", type=click.Path(path_type=Path))
@setting("--games", default=500, type=click.IntRange(min=1), help="How many to try at most.")
@setting("--seed", default=0, type=int, help="The same seed finds the same games.")
def playthroughs(game: str, folder: Path, games: int, seed: int) -> None:
    """Write a playthrough of GAME into FOLDER for each reason to end.

    They are random games. Read each, and write its story in place of the first line. A file that
    is there already stays as it is.
    """
    from pbm.engine.transcript import find_transcripts
    from pbm.plugins import installed_game

    engine = installed_game(game)
    chance = random.Random(seed)  # noqa: S311 - reproducible play, no secret
    found = find_transcripts(engine, chance, games)
    folder.mkdir(parents=True, exist_ok=True)
    for reason in engine.info.reasons:
        path = folder / f"{reason}.txt"
        if path.exists():
            echo(f"{path} is there already")
        elif reason in found:
            path.write_text(found[reason], "utf-8")
            echo(path)
        else:
            echo(f"None of {games} games ended by {reason}; write {path} by hand.")


@dev.group("robot", cls=Noun)
def robots() -> None:
    """Let robots play each other, to see how strong they are and whether a game is fair."""


@robots.command()
@click.argument("game", shell_complete=complete_game)
@click.argument("level")
@click.argument("other_level", metavar="LEVEL")
@setting("--games", "games", default=20, type=click.IntRange(min=1),
         help="How many to play; the two take turns to begin.")  # fmt: skip
@setting("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option.")
@setting("--seed", default=0, type=int, help="The same seed gives the same games.")
@setting("--playouts", default=None, type=click.IntRange(min=1), show_default=False,
         help="Playouts per move for both, instead of those of their levels.")  # fmt: skip
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

    A LEVEL is level1 to level5 (or 1 to 5), or random. The output shows how often the first one
    won, how often the first seat won, how long the games were and how they ended. Draws count
    half. Each share has its 95 % interval.
    """
    from pbm.plugins import installed_game
    from pbm.robots.duel import games_between, score_of

    engine = installed_game(game)
    setup = engine.info.setup(read_pairs(options))
    one, other = (_thinking(level_of(name), playouts) for name in (level, other_level))

    def dice(name: str) -> random.Random:
        return random.Random(f"{seed} {name}")  # noqa: S311 - reproducible play, no secret

    played: list[DuelGame] = []
    with progress(games, f"{one.name} - {other.name}") as tick:
        for each in games_between(engine, setup, (one, other), games, dice):
            played.append(each)
            tick(1)
    score = score_of(played)
    facts = {"game": engine.info.key, "options": dict(setup.options), "seed": seed}
    facts |= {"levels": [asdict(one), asdict(other)], **asdict(score)}
    echo_facts(facts, _lines(engine, (one, other), score), as_json=as_json)


def _thinking(level: Level, playouts: int | None) -> Level:
    """Return the level with so many playouts, if they are given and it thinks at all."""
    return replace(level, playouts=playouts) if playouts and level.playouts else level


def _lines(game: AnyGame, levels: tuple[Level, Level], score: Score) -> list[str]:
    """Return the score as lines for people."""
    info, games = game.info, score.robot.games
    one, other = (f"{n.name} ({n.playouts:,} playouts)" if n.playouts else n.name for n in levels)
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


def _share(share: Share) -> str:
    """Return it in per cent, as "70 %  (48 to 85 %, 14 of 20)"."""
    low, high = (f"{100 * bound:.0f}" for bound in (share.low, share.high))
    return f"{100 * share.share:.0f} %  ({low} to {high} %, {share.won:.4g} of {share.games})"


def _reason(info: GameInfo, reason: str) -> str:
    from pbm.robots.duel import UNFINISHED

    if reason == UNFINISHED:
        return "stopped, because it did not come to an end"
    return f"{reason}: {info.reasons[reason]}"
