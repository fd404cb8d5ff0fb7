"""`pbm user`: accounts, as the operator sees them."""

from typing import Any

import click

from pbm.bootstrap import House
from pbm.cli.options import echo_json, echo_table, json_option, with_house
from pbm.domain.errors import UnknownName
from pbm.domain.player import Player, PlayerState
from pbm.service.administration import Administration


@click.group()
def user() -> None:
    """Add, list and change players."""


_ASK = "-"
"""Stands for a word that should not show in the shell's history."""


def _password_argument(given: str) -> str:
    """Return the given password, or ask for one without echo."""
    if given != _ASK:
        return given
    asked: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return asked


@user.command()
@click.argument("userid")
@click.argument("password")
@click.argument("addresses", nargs=-1, required=True)
@with_house
def add(house: House, userid: str, password: str, addresses: tuple[str, ...]) -> None:
    """Open an account without a confirmation. PASSWORD - prompts for it."""
    with house.open_unit() as work:
        admin = Administration(house.services, work, house.clock())
        player = admin.add_player(userid, _password_argument(password), addresses)
        work.commit()
    click.echo(f"added {player.userid}")


@user.command("list")
@json_option
@with_house
def list_users(house: House, as_json: bool) -> None:
    """List all players."""
    with house.open_reading() as work:
        players = list(work.players.listing())
    if as_json:
        echo_json([_plain(player) for player in players])
        return
    echo_table(
        ("userid", "state", "since", "addresses"),
        [
            (p.userid, p.state.value, f"{p.created_at:%Y-%m-%d}", ", ".join(_marked(p)))
            for p in players
        ],
    )


def _marked(player: Player) -> list[str]:
    """Return the addresses; one that mails come back from is marked as off."""
    return [f"{each} (off)" if each in player.off else each for each in player.addresses]


def _plain(player: Player) -> dict[str, Any]:
    return {
        "userid": player.userid,
        "state": player.state.value,
        "addresses": list(player.addresses),
        "off": list(player.off),
        "created_at": player.created_at.isoformat(timespec="seconds"),
    }


@user.command()
@click.argument("userid")
@json_option
@with_house
def show(house: House, userid: str, as_json: bool) -> None:
    """Show a player and their boards."""
    with house.open_reading() as work:
        player = work.players.by_userid(userid)
        if player is None:
            raise UnknownName(f"There is no player {userid}.")
        boards = work.matches.listing(None, [player.id], over=False)
    plain = {**_plain(player), "boards": [row.number for row in boards]}
    if as_json:
        echo_json(plain)
        return
    for name, value in plain.items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        click.echo(f"{name + ':':<12} {shown}")


@user.command()
@click.argument("userid")
@click.argument("password")
@with_house
def password(house: House, userid: str, password: str) -> None:
    """Set a player's password. PASSWORD - prompts for it."""
    with house.open_unit() as work:
        admin = Administration(house.services, work, house.clock())
        admin.set_password(userid, _password_argument(password))
        work.commit()
    click.echo("changed")


@user.command()
@click.argument("userid")
@click.argument("addresses", nargs=-1, required=True)
@with_house
def address(house: House, userid: str, addresses: tuple[str, ...]) -> None:
    """Replace a player's addresses; mails go to the first, even if some came back from it."""
    with house.open_unit() as work:
        Administration(house.services, work, house.clock()).set_addresses(userid, addresses)
        work.commit()
    click.echo("changed")


def _set_state(house: House, userid: str, state: PlayerState) -> None:
    with house.open_unit() as work:
        Administration(house.services, work, house.clock()).set_state(userid, state)
        work.commit()
    click.echo(f"{userid} is {state.value}")


@user.command()
@click.argument("userid")
@with_house
def disable(house: House, userid: str) -> None:
    """Keep a player from playing; nothing is lost."""
    _set_state(house, userid, PlayerState.DISABLED)


@user.command()
@click.argument("userid")
@with_house
def enable(house: House, userid: str) -> None:
    """Let a disabled player play again."""
    _set_state(house, userid, PlayerState.ACTIVE)


@user.command()
@click.argument("userid")
@with_house
def remove(house: House, userid: str) -> None:
    """Resign a player's games and forget the player.

    The userid stays on the matches. Players and followers of the boards are told.
    """
    _set_state(house, userid, PlayerState.GONE)
