"""`pbm user` and `pbm ban`: players, and addresses that are kept out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from pbm.cli.completion import complete_player
from pbm.cli.options import (
    Rows,
    administering,
    administers,
    json_option,
    lists,
    maintains,
    reason_option,
    setting,
    signed,
    with_app,
)
from pbm.cli.printing import Noun, echo, echo_json, echo_table, fields_of
from pbm.domain.player import Player, PlayerState, name_of

if TYPE_CHECKING:
    from pbm.core.audit import Signature
    from pbm.domain.ratings import Rating
    from pbm.operator.administration import Administration
    from pbm.operator.upkeep import Upkeep
    from pbm.server.assembly import App
    from pbm.store.match_reading import MatchRow
    from pbm.store.unit import UnitOfWork

userid_argument = click.argument("userid", shell_complete=complete_player)


@click.group(cls=Noun)
def user() -> None:
    """Add, list and change players."""


_ASK = "-"
"""The argument in place of a password, which should not be in the shell's history."""


def _asked(_ctx: click.Context, _parameter: click.Parameter, given: str) -> str:
    """Return the given password, or ask for one without echo."""
    if given != _ASK:
        return given
    asked: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return asked


@user.command()
@click.argument("userid")
@click.argument("password", callback=_asked)
@click.argument("addresses", nargs=-1, required=True)
@administers
def add(admin: Administration, userid: str, password: str, addresses: tuple[str, ...]) -> str:
    """Open an account without a confirmation. If PASSWORD is -, you are asked for it."""
    player = admin.add_player(userid, password, addresses)
    return f"added {player.userid}"


def account_facts(player: Player) -> dict[str, Any]:
    """Return the facts of an account, which `pbm user list` prints too."""
    return {
        "userid": player.userid,
        "kind": player.kind.value,
        "state": player.state.value,
        "addresses": list(player.addresses),
        "off": list(player.off),
        "created_at": player.created_at.isoformat(timespec="seconds"),
    }


@user.command("list")
@lists(
    ("userid", "state", "since", "addresses"),
    lambda p: (name_of(p), p.state.value, f"{p.created_at:%Y-%m-%d}", ", ".join(_marked(p))),
    account_facts,
)
def list_users(app: App) -> Rows:
    """List all players."""
    with app.open_reading() as work:
        return list(work.players.listing())


def _marked(player: Player) -> list[str]:
    """Return the addresses; one that mails come back from is marked as off."""
    return [f"{each} (off)" if each in player.off else each for each in player.addresses]


@user.command()
@userid_argument
@json_option
@with_app
def show(app: App, userid: str, as_json: bool) -> None:
    """Show a player: account, ratings, boards and last move."""
    from pbm.operator.administration import player_called

    with app.open_reading() as work:
        shown = profile(work, player_called(work, userid))
    if as_json:
        echo_json(shown)
    else:
        show_profile(shown)


@user.command()
@userid_argument
@click.argument("password", callback=_asked)
@administers
def password(admin: Administration, userid: str, password: str) -> str:
    """Set a player's password. If PASSWORD is -, you are asked for it."""
    admin.set_password(userid, password)
    return "changed"


@user.command()
@userid_argument
@click.argument("addresses", nargs=-1, required=True)
@administers
def address(admin: Administration, userid: str, addresses: tuple[str, ...]) -> str:
    """Replace a player's addresses. Email goes to the first one, even if it has bounced."""
    admin.set_addresses(userid, addresses)
    return "changed"


def set_state(admin: Administration, userid: str, state: PlayerState) -> str:
    """Change the state of a player, and return a line about it."""
    admin.set_state(userid, state)
    return f"{userid} is {state.value}"


@user.command()
@userid_argument
@reason_option
@administers
def disable(admin: Administration, userid: str) -> str:
    """Stop a player from playing, and notify them, with the reason. Nothing is deleted."""
    return set_state(admin, userid, PlayerState.DISABLED)


@user.command()
@userid_argument
@reason_option
@administers
def enable(admin: Administration, userid: str) -> str:
    """Let a disabled player play again."""
    return set_state(admin, userid, PlayerState.ACTIVE)


@user.command()
@userid_argument
@administers
def remove(admin: Administration, userid: str) -> str:
    """Resign a player's games and close the account.

    The userid stays on the matches. Opponents and followers are notified.
    """
    return set_state(admin, userid, PlayerState.GONE)


@user.command()
@userid_argument
@with_app
def export(app: App, userid: str) -> None:
    """Print everything stored about a player, as JSON without secrets, for the player."""
    from pbm.operator.administration import player_called
    from pbm.operator.personal import export as everything_of

    with app.open_reading() as work:
        echo_json(everything_of(work, player_called(work, userid)))


_ASK_TO_ERASE = (
    "Erase {userid}? Their open games are resigned, their comments blanked, and everything that "
    "names them is removed. This cannot be undone"
)

_BUSY = (
    "the database is in use, so traces may be left in its file: stop the server and run "
    "pbm user erase {name}"
)


@user.command()
@userid_argument
@setting("--yes", is_flag=True, show_default=False, help="Do not ask.")
@with_app
@signed
def erase(app: App, userid: str, yes: bool, by: Signature) -> None:
    """Erase a player: remove everything that names them, and keep their matches.

    Their matches show another name, such as gone-17. Bans and earlier backups are kept.
    """
    from pbm.operator.personal import erase as forget

    if not yes:
        click.confirm(_ASK_TO_ERASE.format(userid=userid), abort=True)
    with administering(app, by) as admin:
        name = forget(admin, userid)
    echo(f"erased; their matches now show {name}")
    if not app.database.overwrite_freed():
        echo(_BUSY.format(name=name), err=True)


def profile(work: UnitOfWork, player: Player) -> dict[str, Any]:
    """Return all facts of a player as plain values."""
    rows = work.matches.listing(None, [player.id], over=False)
    ratings = work.ratings.all_of(player.id)
    return {
        **account_facts(player),
        "boards": [row.number for row in rows],
        "finished": work.matches.count(None, [player.id], over=True),
        "last_move_at": _when(work.personal.last_move(player)),
        "settings": dict(player.settings),
        "ratings": [
            _rating(game, own) for game, own in ratings.items() if own.matches or player.is_robot
        ],
        "games": [_game(row, player) for row in rows],
    }


def show_profile(shown: Mapping[str, Any]) -> None:
    """Print it for a person."""
    for name, value in _lines(shown):
        echo(f"{name + ':':<12} {value}")
    if shown["ratings"]:
        header = ("game", "rating", "deviation", "won", "lost", "drawn")
        echo()
        echo_table(header, [tuple(rating[name] for name in header) for rating in shown["ratings"]])
    if shown["games"]:
        echo()
        echo_table(
            ("board", "game", "players", "moves", "to move", "since"),
            [
                (game["board"], game["game"], " - ".join(game["players"]), game["moves"],
                 "yes" if game["to_move"] else "", game["since"][:10])
                for game in shown["games"]
            ],
        )  # fmt: skip


def _lines(shown: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in ("userid", "kind", "state", "addresses", "off", "created_at"):
        value = shown[name]
        yield name, ", ".join(value) if isinstance(value, list) else value
    yield "boards", ", ".join(map(str, shown["boards"]))
    yield "finished", shown["finished"]
    yield "last move", shown["last_move_at"] or "never"
    if shown["settings"]:
        yield "settings", ", ".join(f"{name} {value}" for name, value in shown["settings"].items())


def _when(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None


def _rating(game: str, own: Rating) -> dict[str, Any]:
    return {
        "game": game, "rating": round(own.rating), "deviation": round(own.deviation),
        "won": own.won, "lost": own.lost, "drawn": own.drawn,
    }  # fmt: skip


def _game(row: MatchRow, player: Player) -> dict[str, Any]:
    turn = player.id in {row.players[seat] for seat in row.to_move}
    return {
        "board": row.number, "game": row.game, "players": list(row.userids), "moves": row.ply,
        "to_move": turn, "since": row.turn_since.isoformat(timespec="seconds"),
    }  # fmt: skip


@click.group(cls=Noun)
def ban() -> None:
    """Ban addresses and domains: email from there is neither executed nor answered."""


@ban.command("add")
@click.argument("pattern")
@maintains
def add_ban(upkeep: Upkeep, pattern: str) -> str:
    """Ban PATTERN: an address with its plus-addresses, or a domain with its subdomains.

    No account is opened for such an address. A player who has an account already still gets email
    about their boards; to stop that, use pbm user disable.
    """
    return f"{upkeep.ban(pattern)} is banned"


@ban.command("list")
@lists(
    ("pattern", "since", "why"),
    lambda row: (row.pattern, f"{row.made_at:%Y-%m-%d}", row.why),
    fields_of,
)
def list_bans(app: App) -> Rows:
    """List the bans: since when, and why."""
    with app.open_reading() as work:
        return work.bans.listing()


@ban.command("remove")
@click.argument("pattern")
@maintains
def remove_ban(upkeep: Upkeep, pattern: str) -> str:
    """Accept email from PATTERN again."""
    return f"{upkeep.lift_ban(pattern)} is not banned any more"
