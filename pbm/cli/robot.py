"""`pbm robot`: the robots of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbm.cli.completion import complete_game
from pbm.cli.dev import duel
from pbm.cli.options import (
    administering,
    administers,
    json_option,
    reason_option,
    setting,
    signed,
    with_app,
)
from pbm.cli.printing import Noun, echo, echo_rows, hidden
from pbm.cli.user import set_state
from pbm.domain.player import PlayerState
from pbm.engine import listing, quote

if TYPE_CHECKING:
    from pbm.core.audit import Signature
    from pbm.operator.administration import Administration
    from pbm.server.assembly import App
    from pbm.store.operator import Facts


@click.group(cls=Noun)
def robot() -> None:
    """Add, list and change the robots of this server."""


robot.add_command(hidden(duel))


_USUAL_LEVEL = 3


@robot.command()
@click.argument("name", required=False)
@setting("--standard", is_flag=True, show_default=False,
         help="Create robot-1 to robot-5, unless they exist.")  # fmt: skip
@setting("--game", default=None, show_default=False, shell_complete=complete_game,
         help="The only game it plays. Without it: all.")  # fmt: skip
@setting("--level", default=None, show_default=False, type=click.IntRange(1, 5),
         help="How strong it is, from 1 to 5.")  # fmt: skip
@setting("--program", "entry", default="", show_default=False, metavar="ENTRY",
         help="A robot from an installed package that plays for it (docs/robots.md).")  # fmt: skip
@with_app
@signed
def add(
    app: App,
    name: str | None,
    standard: bool,
    game: str | None,
    level: int | None,
    entry: str,
    by: Signature,
) -> None:
    """Add a robot NAME, or with --standard the usual five.

    A robot has no address and no password. Its moves come from the server's own search, at --level,
    or from a --program, which plays one --game, and only unrated.
    """
    from pbm.core.robot_accounts import add_robot, add_standard, give_ratings, unknown_hash
    from pbm.domain.robots import Brain
    from pbm.operator.robot_accounts import note_added
    from pbm.plugins import robot_names

    if bool(name) == standard:
        raise click.UsageError("Give the NAME of a robot, or --standard.")
    if entry and game is None:
        raise click.UsageError("A program plays one game: name it with --game.")
    if entry and entry not in (known := robot_names()):
        there = listing(known) or "none"
        raise click.UsageError(f"No package has a robot called {quote(entry)}; there is {there}.")
    if name and not (entry or level):
        raise click.UsageError("Give the --level of the robot, or a --program.")
    with administering(app, by) as operator:
        if name is None:
            added = add_standard(operator.context)
        else:
            brain = Brain(level or _USUAL_LEVEL, game, entry)
            unknown = unknown_hash(app.services)
            added = (add_robot(operator.context, name, brain, unknown),)
        give_ratings(operator.context, app.robots.calibration)
        for robot in added:
            note_added(operator, robot)
    names = ", ".join(robot.userid for robot in added)
    echo(f"added {names}" if added else "all of them are there")


@robot.command("list")
@json_option
@with_app
def list_robots(app: App, as_json: bool) -> None:
    """List the robots: what plays for each, its games and its open boards."""
    from pbm.operator.robot_accounts import listed

    with app.open_reading() as work:
        rows = tuple(listed(work, app.catalogue))
    if not rows and not as_json:
        echo("There are no robots: pbm robot add --standard makes five.", err=True)
        return
    echo_rows(
        rows,
        ("robot", "state", "level", "game", "thinks", "boards"),
        lambda r: (r["userid"], r["state"], r["level"], _game(r), r["entry"] or "the server",
                   r["boards"]),
        as_json=as_json,
        facts=dict,
    )  # fmt: skip


def _game(robot: Facts) -> str:
    """Return the game it plays; one that is gone is marked, because then it plays nothing."""
    return (robot["game"] or "all") + ("" if robot["installed"] else " (not installed)")


def _set_state(admin: Administration, name: str, state: PlayerState) -> str:
    """Change the state of a robot; raise NotAllowed for a person."""
    from pbm.domain.errors import NotAllowed

    player = admin.work.players.by_userid(name)
    if player is not None and not player.is_robot:
        raise NotAllowed(f"{name} is a person: pbm user changes the accounts of people.")
    return set_state(admin, name, state)


@robot.command()
@click.argument("name")
@reason_option
@administers
def disable(admin: Administration, name: str) -> str:
    """Stop a robot from playing. Its boards wait, and nobody loses on time there."""
    return _set_state(admin, name, PlayerState.DISABLED)


@robot.command()
@click.argument("name")
@reason_option
@administers
def enable(admin: Administration, name: str) -> str:
    """Let a disabled robot play again."""
    return _set_state(admin, name, PlayerState.ACTIVE)
