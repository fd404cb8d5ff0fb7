"""The completion of arguments, for a shell that asks."""

from contextlib import suppress
from typing import Any

import click

from pbm.config import ROLES


def complete_game(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the games whose key begins so, with none of them loaded."""
    from pbm.plugins import game_names

    del ctx, parameter
    return [name for name in game_names() if name.startswith(incomplete.lower())]


def complete_roles(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the roles that can end a list with commas."""
    del ctx, parameter
    before, comma, begun = incomplete.rpartition(",")
    given = before.split(",")
    return [f"{before}{comma}{r}" for r in ROLES if r.startswith(begun) and r not in given]


def complete_board(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the numbers of boards that begin so, the newest first."""
    from pbm.store.tables import matches

    del parameter
    return _stored(ctx, matches.c.number, incomplete, matches.c.number.desc())


def complete_player(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the userids that begin so."""
    from pbm.store.tables import players

    del parameter
    return _stored(ctx, players.c.userid_folded, incomplete.lower(), players.c.userid_folded)


_MOST = 100
"""Names that a shell is offered at once."""


def _stored(ctx: click.Context, column: Any, begun: str, order: Any) -> list[str]:
    """Return the stored values of a column that begin so, or none without a database."""
    from sqlalchemy import String, select
    from sqlalchemy import cast as sql_cast

    from pbm.store.driver.database import reading
    from pbm.store.migrations import connected

    text = sql_cast(column, String)
    found = select(text).where(text.startswith(begun, autoescape=True)).order_by(order)
    # A shell that completes has no place for an error.
    with suppress(Exception), connected(ctx.params["database"]) as connection:
        return list(reading(connection).scalars(found.limit(_MOST)))
    return []
