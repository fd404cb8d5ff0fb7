"""Rating lists, and the ratings of a player."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pbm.domain.player import name_of
from pbm.domain.ratings import aged
from pbm.service.budget import QUERY, ROW
from pbm.service.commands.ratings import Standings
from pbm.service.context import Context, Handler
from pbm.service.letters import Message
from pbm.service.notices.ratings import RatingList, RatingsOfPlayer, RobotRating
from pbm.service.robots import robots_of
from pbm.service.tokens import player_token

STANDINGS = 200
"""Players in one rating list."""


def show_standings(context: Context, command: Standings) -> Iterator[Message]:
    """Send the rating list of a game, or the ratings of one player."""
    if context.reader is None:
        return
    context.budget.spend(QUERY * 2)
    if context.game is None or command.userid:
        yield _ratings_of_player(context, command.userid)
        return
    rows = context.work.ratings.standings(context.game, limit=STANDINGS + 1)
    context.budget.spend(ROW * min(len(rows), STANDINGS))
    today = tuple(replace(row, rating=aged(row.rating, context.now)) for row in rows[:STANDINGS])
    game = context.services.catalogue.get(context.game)
    reply = player_token(context.reader.id)
    robots = tuple(_robots(context, game.info.key))
    more = len(rows) > STANDINGS
    yield RatingList(context.reader, game, today, more=more, robots=robots, reply=reply)


def _robots(context: Context, game: str) -> Iterator[RobotRating]:
    """Yield the robots that play the game, the strongest first."""
    robots = robots_of(context.work, game)
    known = context.work.ratings.of(game, [robot.player.id for robot in robots])
    rated = [robot for robot in robots if robot.player.id in known]
    for robot in sorted(rated, key=lambda each: -known[each.player.id].rating):
        own = aged(known[robot.player.id], context.now)
        yield RobotRating(robot.player.userid, robot.brain.level, own)


def _ratings_of_player(context: Context, userid: str) -> Message:
    assert context.reader is not None  # noqa: S101 - the caller has checked
    (player,) = context.players([userid]) if userid else (context.reader,)
    context.budget.spend(QUERY + ROW * len(context.services.catalogue.names))
    known = context.work.ratings.all_of(player.id)
    games = [g for g in context.services.catalogue if context.game in (None, g.info.key)]
    ratings = {
        game.info.title: aged(known[game.info.key], context.now)
        for game in games
        if game.info.key in known and (known[game.info.key].matches or player.is_robot)
    }
    return RatingsOfPlayer(context.reader, name_of(player), ratings, games[0].info.key)


HANDLERS: Mapping[type, Handler] = {
    Standings: show_standings,
}
