"""Questions about games played, which anybody with a registered address may ask."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pbm.domain.people import without_words_of
from pbm.service.commands.results import History, Overview, Record
from pbm.service.context import Context, Handler, everybody
from pbm.service.notices import Notice
from pbm.service.notices.results import FinishedGames, GameRecord, GamesOffered
from pbm.service.steps.people import apart_from

SEEKS = 50
"""Open seeks in one mail: those that have waited longest."""

HISTORY = 100
"""Finished games in one mail."""


def show_overview(context: Context, command: Overview) -> Iterator[Notice]:
    """Send the games on offer, how much each is played, and who seeks an opponent."""
    if context.reader is None:
        return
    catalogue = context.services.catalogue
    named = {game.info.key: game for game in map(catalogue.get, command.keys)}
    games = tuple(named.values()) or tuple(catalogue)
    keys = {game.info.key for game in games}
    apart = apart_from(context, context.reader)
    open_seeks = (seek for seek in context.work.wishes.seeks() if seek.player not in apart)
    seeks = tuple(seek for seek in open_seeks if seek.game in keys)[:SEEKS]
    people = context.people(seek.player for seek in seeks)
    yield GamesOffered(context.reader, games, context.work.matches.census(), seeks, people)


def show_history(context: Context, command: History) -> Iterator[Notice]:
    """List finished games of the players named, or of the reader if none is named."""
    if context.reader is None:
        return
    players = context.players(command.userids) or (context.reader,)
    rows = context.work.matches.history(
        context.game, [player.id for player in players], limit=HISTORY + 1
    )
    games = {game.info.key: game for game in context.services.catalogue}
    yield FinishedGames(context.reader, rows[:HISTORY], games, more=len(rows) > HISTORY)


def send_record(context: Context, command: Record) -> Iterator[Notice]:
    """Send the record of a match as it stands, without the words of those the reader blocks."""
    board = context.board(command.number)
    if context.reader:
        people = context.people(everybody(board))
        blocked = context.people(context.work.blocks.blocked_by(context.reader.id)).values()
        silent = {player.userid for player in blocked}
        board = replace(board, match=without_words_of(board.match, people, silent))
        yield GameRecord(context.reader, board, people)


HANDLERS: Mapping[type, Handler] = {
    Overview: show_overview,
    History: show_history,
    Record: send_record,
}
