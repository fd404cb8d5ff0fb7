"""Questions that anybody with a registered address may ask: help, boards, tables."""

from collections.abc import Iterator

from pbm.domain.commands import Games, Help, Show
from pbm.domain.playing import position_at
from pbm.service.context import Context, board_notice
from pbm.service.help_pages import help_page
from pbm.service.notices import BoardEvent, GamesTable, HelpPage, Notice

_OVER = {"active": False, "next": False, "inactive": True, "all": None}


def show_help(context: Context, command: Help) -> Iterator[Notice]:
    """Tell the page on a topic, or the introduction."""
    if context.reader:
        services = context.services
        topic, text = help_page(services.catalogue, services.address, command.topic)
        yield HelpPage(context.reader, topic, text)


def show_boards(context: Context, command: Show) -> Iterator[Notice]:
    """Show each board, as it stands or as it stood."""
    for number, ply in command.boards:
        table = context.tables.get(number, context.game)
        shown = table if ply is None else position_at(table, ply)
        if context.reader:
            yield board_notice(context, context.reader, BoardEvent.SHOWN, shown)


def list_games(context: Context, command: Games) -> Iterator[Notice]:
    """List boards: of the players named, or else of everybody."""
    players = context.players(command.userids)
    rows = context.work.matches.listing(
        context.game,
        [player.id for player in players],
        over=_OVER[command.which],
        to_move=command.which == "next",
    )
    if context.reader:
        yield GamesTable(context.reader, rows, context.now)
