"""Ratings: the rating list of a game, and the ratings of one player."""

from collections.abc import Iterator

from pbm.domain.errors import NotAllowed, NotUnderstood
from pbm.domain.player import name_of
from pbm.domain.ratings import Rating, aged
from pbm.render.marks import Column, table
from pbm.service.budget import QUERY, ROW
from pbm.service.command import Line, Proof, Request, Userid, command
from pbm.service.context import Context
from pbm.service.letters import Message, answer
from pbm.service.matches import challenge_line, is_for_two
from pbm.service.ports import StandingRow
from pbm.service.robots import robots_of
from pbm.service.tokens import player_token

STANDINGS = 200
"""The most players in one rating list."""


def _read_standings(line: Line) -> Request:
    if len(line.words.rest) > 1:
        raise NotUnderstood("standings is about one player, or a whole game.", "standings")
    return line.request(userid="".join(line.words.rest))


@command(
    "standings", "[userid]", "the rating list of a game, or one player's ratings",
    "GAME standings", needs=Proof.REGISTERED, read=_read_standings, aliases=("ratings",),
    echo=lambda userid: (userid,) if userid else (),
    text="GAME standings is the list of a game. Without the name of a game it shows your ratings "
         "in all games, or those of the player you name. Ratings are Glicko-2: a newcomer has "
         "1500; the number after +- shows how uncertain a rating is; ? = provisional. Three "
         "matches a day count between the same two players.",
)  # fmt: skip
def standings(context: Context, userid: Userid) -> Iterator[Message]:
    """Mail the rating list of a game, or the ratings of one player; "" is the sender."""
    context.budget.spend(QUERY * 2)
    if context.game is None or userid:
        yield _ratings_of_player(context, userid)
    else:
        yield _rating_list(context, context.game)


_FIGURES = (
    Column("rating", "{:<15} "),
    Column("won", "{:>4} ", minor=True),
    Column("lost", "{:>4} ", minor=True),
    Column("drawn", "{:>5}  ", minor=True),
)

_STANDINGS = (
    Column("rank", "{:>4}  "),
    Column("player", "{:<16} "),
    *_FIGURES,
    Column("boards", "{:<6}  ", minor=True),
    Column("seeks", minor=True),
)

_ROBOTS = (Column("player", "{:<24} "), *_FIGURES, Column("level"))

_RATINGS = (Column("game", "{:<24} "), *_FIGURES)


def _rating_list(context: Context, key: str) -> Message:
    reader, game = context.asker(), context.catalogue.get(key)
    if not is_for_two(game):
        said = f"{game.info.title} is for {len(game.info.seats)} players, so it has no ratings."
        raise NotAllowed(said, challenge_line(game, reader.userid))
    found = context.work.ratings.standings(key, limit=STANDINGS + 1)
    context.budget.spend(ROW * min(len(found), STANDINGS))
    rows = [_standing(context, rank, row) for rank, row in enumerate(found[:STANDINGS], 1)]
    robots = _robots(context, key)
    return answer(
        reader, "ratings/standings", title=game.info.title, key=key,
        table=table(_STANDINGS, rows) if rows else "", shown=len(rows),
        more=len(found) > STANDINGS, robots=table(_ROBOTS, robots) if robots else "",
        page=context.services.pages.of_game(key), reply=player_token(reader.id),
    )  # fmt: skip


def _standing(context: Context, rank: int, row: StandingRow) -> tuple[str, ...]:
    figures = _figures(aged(row.rating, context.now))
    boards = f"{row.active}" if row.limit is None else f"{row.active}/{row.limit}"
    return str(rank), row.userid, *figures, boards, str(row.seeking or "")


def _robots(context: Context, key: str) -> list[tuple[str, ...]]:
    """Return a row for each robot that plays the game, the strongest first."""
    robots = robots_of(context.work, key)
    known = context.work.ratings.of(key, [robot.player.id for robot in robots])
    rated = [robot for robot in robots if robot.player.id in known]
    rated.sort(key=lambda robot: -known[robot.player.id].rating)
    return [
        (
            f"{robot.player.userid} (robot)",
            *_figures(aged(known[robot.player.id], context.now)),
            str(robot.brain.level),
        )
        for robot in rated
    ]


def _ratings_of_player(context: Context, userid: str) -> Message:
    reader = context.asker()
    (player,) = context.players([userid]) if userid else (reader,)
    catalogue = context.catalogue
    context.budget.spend(QUERY + ROW * len(catalogue.names))
    known = context.work.ratings.all_of(player.id)
    games = [game.info for game in catalogue if context.game in (None, game.info.key)]
    rows = [
        (info.title, *_figures(aged(rating, context.now)))
        for info in games
        if (rating := known.get(info.key)) and (rating.matches or player.is_robot)
    ]
    return answer(
        reader, "ratings/ratings", userid=name_of(player), mine=player.id == reader.id,
        table=table(_RATINGS, rows) if rows else "", key=games[0].key,
        page=context.services.pages.of_player(player),
    )  # fmt: skip


def _figures(rating: Rating) -> tuple[str, ...]:
    """Return the figures of a rating: "1612 +- 250", with "?" if it is provisional, and matches."""
    mark = " ?" if rating.provisional else ""
    shown = f"{rating.rating:.0f} +- {rating.deviation:.0f}{mark}"
    return shown, *map(str, (rating.won, rating.lost, rating.drawn))
