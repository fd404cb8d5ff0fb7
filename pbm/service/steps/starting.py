"""Starting a match that everybody has agreed to."""

from collections.abc import Iterator, Mapping

from pbm.domain.errors import UnknownName
from pbm.domain.match import Invitation, Match, Terms
from pbm.domain.player import PlayerId
from pbm.engine import AnyGame, OptionError, Setup
from pbm.service.context import Context, board_notices
from pbm.service.notices import Notice
from pbm.service.notices.happenings import Event, Happening


def setup_of(game: AnyGame, options: Mapping[str, str], seed: int = 0) -> Setup:
    """Return the setup that a command asks for; raise UnknownName for an unknown option."""
    try:
        return game.info.setup(options, seed)
    except OptionError as error:
        raise UnknownName(str(error), f"help {game.info.key}") from error


def agreed_by_all(
    context: Context, game: AnyGame, setup: Setup, terms: Terms, players: tuple[PlayerId, ...]
) -> Invitation:
    """Return an invitation with a new number, to which all `players` have agreed."""
    return Invitation(
        number=context.work.next_number(),
        game=game.info.key,
        setup=setup,
        terms=terms,
        players=players,
        inviter=players[0],
        agreed=frozenset(players),
        made_at=context.now,
    )


def start_match(context: Context, invitation: Invitation) -> Iterator[Notice]:
    """Store the match of `invitation`; tell its players and those who follow the game."""
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
    board = context.boards.add(match)
    by = context.player.id if context.player else None
    started = Happening(Event.STARTED, by, comment=context.comment)
    yield from board_notices(context, board, started)
