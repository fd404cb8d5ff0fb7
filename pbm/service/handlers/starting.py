"""A match that everybody has agreed to, put on its board."""

from collections.abc import Iterator

from pbm.domain.match import Invitation, Match
from pbm.service.context import Context, board_notices
from pbm.service.notices import Event, Happening, Notice


def start_match(context: Context, invitation: Invitation) -> Iterator[Notice]:
    """Store the match of `invitation` and tell its players and whoever follows the game."""
    game = context.services.catalogue.get(invitation.game)
    match = Match(
        number=invitation.number,
        game=invitation.game,
        rules_version=game.info.rules_version,
        setup=invitation.setup,
        terms=invitation.terms,
        starters=invitation.players,
        players=invitation.players,
        started_at=context.now,
        turn_since=context.now,
    )
    table = context.tables.add(match)
    by = context.player.id if context.player else None
    started = Happening(Event.STARTED, by, comment=context.comment)
    yield from board_notices(context, table, started)
