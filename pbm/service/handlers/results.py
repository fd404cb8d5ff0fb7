"""Questions about what has been played, which anybody with a registered address may ask."""

from collections.abc import Iterator
from dataclasses import replace

from pbm.domain.commands import History, Overview, Record, Standings
from pbm.domain.rating import aged
from pbm.service.context import Context, everybody
from pbm.service.notices import Notice
from pbm.service.result_notices import (
    FinishedGames,
    GameRecord,
    GamesOffered,
    RatingList,
    RatingsOfPlayer,
)

STANDINGS = 200
"""Players in one rating list."""

SEEKS = 50
"""Open seeks in one mail, those that wait longest."""

HISTORY = 100
"""Finished games in one mail."""


def show_overview(context: Context, command: Overview) -> Iterator[Notice]:
    """Tell which games there are, what is played, and who looks for an opponent."""
    if context.reader is None:
        return
    catalogue = context.services.catalogue
    named = {game.info.key: game for game in map(catalogue.get, command.keys)}
    games = tuple(named.values()) or tuple(catalogue)
    keys = {game.info.key for game in games}
    seeks = tuple(seek for seek in context.work.wishes.seeks() if seek.game in keys)[:SEEKS]
    people = context.people(seek.player for seek in seeks)
    yield GamesOffered(context.reader, games, context.work.matches.census(), seeks, people)


def show_standings(context: Context, command: Standings) -> Iterator[Notice]:
    """Tell the rating list of a game, or the ratings of one player."""
    if context.reader is None:
        return
    if context.game is None or command.userid:
        yield _ratings_of_player(context, command.userid)
        return
    rows = context.work.ratings.standings(context.game, limit=STANDINGS + 1)
    today = tuple(replace(row, rating=aged(row.rating, context.now)) for row in rows[:STANDINGS])
    game = context.services.catalogue.get(context.game)
    yield RatingList(context.reader, game, today, more=len(rows) > STANDINGS)


def _ratings_of_player(context: Context, userid: str) -> Notice:
    assert context.reader is not None  # noqa: S101 - the caller has looked
    (player,) = context.players([userid]) if userid else (context.reader,)
    known = context.work.ratings.all_of(player.id)
    games = [g for g in context.services.catalogue if context.game in (None, g.info.key)]
    ratings = {
        game.info.title: aged(known[game.info.key], context.now)
        for game in games
        if game.info.key in known and known[game.info.key].matches
    }
    return RatingsOfPlayer(context.reader, player.userid, ratings, games[0].info.key)


def show_history(context: Context, command: History) -> Iterator[Notice]:
    """List finished games of the players named, or else of the reader."""
    if context.reader is None:
        return
    players = context.players(command.userids) or (context.reader,)
    rows = context.work.matches.history(
        context.game, [player.id for player in players], limit=HISTORY + 1
    )
    games = {game.info.key: game for game in context.services.catalogue}
    yield FinishedGames(context.reader, rows[:HISTORY], games, more=len(rows) > HISTORY)


def send_record(context: Context, command: Record) -> Iterator[Notice]:
    """Send the record of a match as it stands."""
    table = context.table(command.board)
    if context.reader:
        yield GameRecord(context.reader, table, context.people(everybody(table)))
