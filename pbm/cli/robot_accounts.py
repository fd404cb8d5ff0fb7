"""`pbm robot add`, `list`, `enable`, `disable`: the robots of a server, for its operator."""

import shlex
from typing import Any

import click

from pbm.bootstrap import House
from pbm.cli.completing import complete_game
from pbm.cli.options import (
    echo,
    echo_json,
    echo_table,
    json_option,
    reason_option,
    setting,
    signed,
    with_house,
)
from pbm.cli.user import set_state
from pbm.domain.errors import NotAllowed
from pbm.domain.player import PlayerState
from pbm.domain.robots import STANDARD, Brain
from pbm.service.administration import Administration
from pbm.service.audit import Signature
from pbm.service.robot_accounts import (
    RobotRow,
    add_robot,
    add_standard,
    brain_facts,
    give_ratings,
    listed,
    note_added,
    unknown_hash,
)

_USUAL_LEVEL = 3


@click.command()
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
    with house.open_unit() as work:
        operator = Administration(house.services, work, house.clock(), by)
        if name is None:
            added = add_standard(operator)
        else:
            brain = Brain(level or _USUAL_LEVEL, game, _words(command, entry), entry)
            unknown = unknown_hash(house.services)
            added = (add_robot(operator, name, brain, unknown),)
        give_ratings(operator, house.robots.calibration)
        for robot in added:
            note_added(operator, robot)
        work.commit()
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


@click.command("list")
@json_option
@with_house
def list_robots(house: House, as_json: bool) -> None:
    """List the robots: who thinks for each, what it plays, and its open boards."""
    with house.open_reading() as work:
        rows = tuple(listed(work))
    if as_json:
        echo_json([_facts(house, row) for row in rows])
        return
    if not rows:
        echo("There are no robots: pbm robot add --standard makes five.", err=True)
        return
    echo_table(
        ("robot", "state", "level", "game", "thinks", "boards"),
        [
            (r.player.userid, r.player.state.value, r.brain.level, _game(house, r.brain),
             _thinks(r.brain), r.boards)
            for r in rows
        ],
    )  # fmt: skip


def _game(house: House, brain: Brain) -> str:
    """Return what it plays; a game that is gone is marked, because then it plays nothing."""
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


def _check_robot(house: House, name: str) -> None:
    """Raise NotAllowed for a person, whom a command on robots must not change."""
    with house.open_reading() as work:
        player = work.players.by_userid(name)
    if player is not None and not player.is_robot:
        raise NotAllowed(f"{name} is a person: pbm user changes the accounts of people.")


@click.command()
@click.argument("name")
@with_house
@reason_option
@signed
def disable(house: House, name: str, by: Signature) -> None:
    """Keep a robot from playing; its boards wait, and nobody loses on time there."""
    _check_robot(house, name)
    set_state(house, name, PlayerState.DISABLED, by)


@click.command()
@click.argument("name")
@with_house
@reason_option
@signed
def enable(house: House, name: str, by: Signature) -> None:
    """Let a disabled robot play again."""
    _check_robot(house, name)
    set_state(house, name, PlayerState.ACTIVE, by)
