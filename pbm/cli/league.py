"""`pbm league`: leagues, for the operator."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from pbm.cli.completion import complete_game, complete_player
from pbm.cli.options import Rows, administers, lists, reason_option, setting
from pbm.cli.printing import Noun
from pbm.cli.rules import read_pairs

if TYPE_CHECKING:
    from pbm.operator.administration import Administration
    from pbm.server.assembly import App

name_argument = click.argument("name")


@click.group(cls=Noun)
def league() -> None:
    """Open, list, show and end leagues."""


@league.command()
@name_argument
@setting("--game", required=True, shell_complete=complete_game, help="The game that is played.")
@setting("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option.")
@setting("--begins", "starts_at", default=None, show_default=False, type=click.DateTime(),
         help="The first season begins then (UTC), or with enough players.")  # fmt: skip
@setting("--clock", default="7d+12h/14d", help="The clock of each board.")
@setting("--size", default=8, type=click.IntRange(4, 40), help="The most players of a division.")
@setting("--least", default=4, type=click.IntRange(min=2), help="The fewest players of a season.")
@setting("--notice", default=7, type=click.IntRange(0, 366),
         help="Days between a season and the next one.")  # fmt: skip
@setting("--once", is_flag=True, help="One season, and no other after it.")
@setting("--unrated", is_flag=True, help="Boards do not count for ratings.")
@administers
def new(
    admin: Administration, name: str, game: str, options: tuple[str, ...], clock: str,
    starts_at: datetime | None, unrated: bool, **sizes: Any,
) -> str:  # fmt: skip
    """Open a league NAME, such as olix-league."""
    from pbm.domain.invitations import Terms
    from pbm.domain.leagues import Season, SeasonState
    from pbm.operator.leagues import open_league

    terms = Terms().read({"time": clock} | ({"unrated": ""} if unrated else {}))
    season = open_league(admin, Season(
        id=0, name=name, number=1, game=game, options=read_pairs(options), terms=terms,
        state=SeasonState.ENTRY,
        starts_at=starts_at and starts_at.replace(tzinfo=UTC), **sizes,
    ))  # fmt: skip
    return f"players can enter {season.title}: join {season.name}"


@league.command("list")
@lists(("season", "game", "players", "state", "begins"))
def list_leagues(app: App) -> Rows:
    """List all seasons."""
    with app.open_reading() as work:
        return [
            (s.key, s.game, len(work.leagues.entrants(s.id)), s.state.value, s.starts_at or "-")
            for s in work.leagues.all()
        ]


@league.command()
@name_argument
@lists(("division", "place", "player", "results", "points", "goes"))
def show(app: App, name: str) -> Rows:
    """Show the tables of the newest season of NAME, or of the season NAME-3."""
    from pbm.core.context import context_without_mail
    from pbm.core.league_tables import tables_now
    from pbm.domain.leagues import SeasonState
    from pbm.features.leagues import results_of, season_named

    with app.open_reading() as work:
        context = context_without_mail(app.services, work, app.clock())
        season = season_named(context, name, SeasonState.PLAY)
        tables = tables_now(work, season)
        people = work.players.by_ids({row.player for rows in tables.values() for row in rows})
    return [
        (division, row.place, people[row.player].userid, results_of(row, rows), row.points / 2,
         row.goes)
        for division, rows in tables.items()
        for row in rows
    ]  # fmt: skip


@league.command()
@name_argument
@administers
def begin(admin: Administration, name: str) -> str:
    """Begin the next season of NAME now, with all who have entered.

    In a season in play, begin the boards that met a bug (see the log).
    """
    from pbm.operator.leagues import begin_now

    return f"{begin_now(admin, name).title} has begun"


@league.command()
@name_argument
@reason_option
@administers
def drop(admin: Administration, name: str) -> str:
    """End a league without places, and notify its players. Boards that have begun go on."""
    from pbm.operator.leagues import drop_league

    return "\n".join(f"{season.title} is dropped" for season in drop_league(admin, name))


@league.command()
@name_argument
@click.argument("userids", nargs=-1, required=True, shell_complete=complete_player)
@administers
def add(admin: Administration, name: str, userids: tuple[str, ...]) -> str:
    """Enter players, who may be robots, for the next season of NAME."""
    from pbm.operator.leagues import add_players

    return f"{', '.join(userids)}: in {add_players(admin, name, userids).title}"


@league.command()
@name_argument
@click.argument("userid", shell_complete=complete_player)
@reason_option
@administers
def remove(admin: Administration, name: str, userid: str) -> str:
    """Take a player out of NAME; their open boards in it are resigned."""
    from pbm.operator.leagues import remove_player

    return f"{remove_player(admin, name, userid).userid} is out of {name}"
