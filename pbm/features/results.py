"""Results: the games on offer, finished matches, the record of a match, and ratings."""

import json
from collections.abc import Iterator

from pbm.core.budget import ENTRY_RECORDED, PLY_REPLAYED, QUERY, ROW, TALK_READ, Cost
from pbm.core.command import (
    BoardNumber,
    CommandLine,
    Proof,
    Request,
    Userid,
    Userids,
    as_asked,
    command,
)
from pbm.core.context import Context, everybody
from pbm.core.letters import Attachment, Message, answer
from pbm.core.robots import robot_line, robots_of
from pbm.core.tokens import player_token
from pbm.domain.dates import written
from pbm.domain.description import (
    about,
    headline,
    outcome_clause,
    outcome_line,
    terms_line,
    thread_subject,
    userid,
)
from pbm.domain.errors import NotUnderstood
from pbm.domain.invitations import Seek
from pbm.domain.match import Outcome, without_words_of
from pbm.domain.player import People, Player, name_of
from pbm.domain.ratings import Rating, aged
from pbm.domain.record import octets_of_talk, own_file, record_text
from pbm.domain.record import record as record_json
from pbm.domain.seen import SeenMatch, seen
from pbm.engine import AnyGame, counted
from pbm.features.people import apart_from
from pbm.features.seeks import is_rated_for
from pbm.render.marks import Column, link, table
from pbm.store.match_reading import GameCounts, MatchRow
from pbm.store.ratings import StandingRow

SEEKS = 50
"""The most open seeks in one mail: those that have waited longest."""

HISTORY = 100
"""The most finished matches in one mail."""

STANDINGS = 200
"""The most players in one rating list."""

_NAMES = 20
"""The most games or players that a line can name."""


def _read_list(line: CommandLine) -> Request:
    named = (line.game,) if line.game else ()
    return line.request(keys=(*named, *line.words.rest)[:_NAMES])


@command(
    "list", "[GAME...]", "lists the games and who is looking for an opponent", "list",
    needs=Proof.REGISTERED, read=_read_list, echo=as_asked,
    writes=lambda request: request.arguments["keys"][bool(request.game) :],
    text="Without the name of a game: all of them.",
)  # fmt: skip
def list_games(context: Context, keys: tuple[str, ...]) -> Iterator[Message]:
    """Mail the games on offer, how much each is played, and who seeks an opponent."""
    context.budget.charge(QUERY * 4)
    reader, catalogue = context.asker(), context.catalogue
    named = {game.info.key: game for game in map(catalogue.get, keys)}
    games = named or {game.info.key: game for game in catalogue}
    apart = apart_from(context, reader)
    open_seeks = (seek for seek in context.work.wishes.seeks() if seek.player not in apart)
    oldest = tuple(seek for seek in open_seeks if seek.game in games)[:SEEKS]
    seeks = sorted(oldest, key=lambda seek: [*games].index(seek.game))
    context.budget.charge(ROW * (len(games) + len(seeks)))
    people = context.people(seek.player for seek in seeks)
    census = context.work.matches.census()
    others = (seek for seek in seeks if seek.player != reader.id)
    open_to_me = [seek.number for seek in others if is_rated_for(context, seek, reader.id)]
    mine = [seek.number for seek in seeks if seek.player == reader.id]
    yield answer(
        reader, "results/list", key=next(iter(games)),
        table=table(_GAMES, (_game_row(game, census[key]) for key, game in games.items())),
        seeks=[_seek_row(seek, games[seek.game], people, reader) for seek in seeks],
        take=f"accept {open_to_me[0]}" if open_to_me else "",
        withdraw=f"withdraw {mine[0]}" if mine else "",
        robot=robot_line(context, next(iter(games))),
        page=context.services.pages.url, reply=player_token(reader.id),
    )  # fmt: skip


_GAMES = (
    Column("game", "{:<10} "),
    Column("title", "{:<24} "),
    Column("players", "{:>7} ", minor=True),
    Column("boards", "{:>7} ", minor=True),
    Column("finished", "{:>8}", minor=True),
)


def _game_row(game: AnyGame, counts: GameCounts) -> tuple[str, ...]:
    figures = counts.players, counts.open, counts.over
    rules = link(game.info.key, f"help {game.info.key}")
    return rules, game.info.title, *map(str, figures)


def _seek_row(seek: Seek, game: AnyGame, people: People, reader: Player) -> str:
    mine = seek.player == reader.id
    who = "you" if mine else userid(people, seek.player)
    several = f"{seek.count} of " if seek.count > 1 else ""
    plays = "You play" if mine else f"{who} plays"
    side = f" {plays} {game.info.seats[seek.seat]}." if seek.seat is not None else ""
    return f"{seek.number:>5}  {who}: {several}{terms_line(seek, game)}{side}"


@command(
    "history", "[userid...]", "lists finished games with their results, newest first",
    "history alice", needs=Proof.REGISTERED, echo=as_asked,
    read=lambda line: line.request(userids=tuple(line.words.rest[:_NAMES])),
    text="Without a name: your own. With the name of a game before it, only that game.",
)  # fmt: skip
def history(context: Context, userids: Userids) -> Iterator[Message]:
    """Mail a list of the finished games of the players named, or of the sender."""
    context.budget.charge(QUERY * (1 + len(userids)))
    players = context.players(userids) or (context.asker(),)
    found = context.work.matches.history(
        context.game, [player.id for player in players], limit=HISTORY + 1
    )
    context.budget.charge(ROW * min(len(found), HISTORY))
    games = {game.info.key: game for game in context.catalogue}
    rows = [
        _history_row(row, row.outcome, games.get(row.game))
        for row in found[:HISTORY]
        if row.outcome
    ]
    yield answer(
        context.asker(), "results/history", table=table(_HISTORY, rows) if rows else "",
        shown=len(rows), more=len(found) > HISTORY,
        page=context.services.pages.of_player(players[0]) if len(players) == 1 else "",
    )  # fmt: skip


_HISTORY = (
    Column("board", "{:>6}  "),
    Column("game", "{:<10} "),
    Column("ended", "{:<11}  "),
    Column("players, result"),
    Column("", "\n        {}", minor=True),
)


def _history_row(row: MatchRow, outcome: Outcome, game: AnyGame | None) -> tuple[str, ...]:
    return (
        link(str(row.number), f"show {row.number}"),
        row.game,
        written(row.moved_at),
        " - ".join(row.shown),
        f"{outcome_clause(outcome, row.userids, game)} ({counted(row.ply, 'move')})",
    )


def _read_record(line: CommandLine) -> Request:
    number, _ = line.words.board_number()
    if number is None and line.answered is None:
        raise NotUnderstood("record needs the number of a board.", line.example)
    if line.words.rest:
        raise NotUnderstood("Nothing follows record but the number of one board.", line.example)
    return line.request(number=number)


@command(
    "record", "B", "sends the record of a match as files", "record 104",
    needs=Proof.REGISTERED, read=_read_record, echo=as_asked,
    text="One file is JSON and has everything: players, moves with their times, offers, comments, "
         "result. The other is text that people and programs can replay. A game with a file "
         "format of its own comes in that, too.",
)  # fmt: skip
def record(context: Context, number: BoardNumber) -> Iterator[Message]:
    """Mail the record of a match so far, without the words of those whom the reader blocks."""
    context.budget.charge(QUERY)
    board, reader = context.board(number), context.asker()
    match, game = seen(board, reader.id).match, board.game
    said = sum(len(entry.comment) for entry in match.log)
    context.budget.charge(TALK_READ * (said // 1000))
    people = context.people(everybody(board))
    blocked = context.people(context.work.blocks.blocked_by(reader.id)).values()
    silent = {player.userid for player in blocked}
    match = without_words_of(match, people, silent)
    octets = octets_of_talk(match)
    context.budget.charge(
        ENTRY_RECORDED * len(match.log)
        + Cost(units=octets // 200, octets=octets)
        + PLY_REPLAYED * board.position.ply
    )
    files = _files(match, game, people)
    yield answer(
        reader, "results/record", board=match.number, files=files,
        own=files[2].name if files[2:] else "",
        subject=thread_subject(match, game, people), game=game.info.key,
        headline=headline("The record", game, match.number), about=about(match, game),
        number=match.number, moves=counted(match.log.ply, "move"),
        outcome=outcome_line(board, people),
    )  # fmt: skip


def _files(match: SeenMatch, game: AnyGame, people: People) -> tuple[Attachment, ...]:
    """Return all forms of a record, named after the board: JSON, text, and that of the game."""
    name = f"board-{match.number}"
    plain = json.dumps(record_json(match, game, people), indent=1)
    text = record_text(match, game, people)
    own = own_file(match, game, (userid(people, player) for player in match.players))
    return (
        Attachment(f"{name}.json", "application/json", plain),
        Attachment(f"{name}.txt", "text/plain", text),
        *([Attachment(f"{name}.{own.suffix}", own.media_type, own.text)] if own else ()),
    )


def _read_standings(line: CommandLine) -> Request:
    if len(line.words.rest) > 1:
        raise NotUnderstood("standings is about one player, or a whole game.", "standings")
    return line.request(userid="".join(line.words.rest))


@command(
    "standings", "[userid]", "the rating list of a game, or one player's ratings",
    "GAME standings", needs=Proof.REGISTERED, read=_read_standings, aliases=("ratings",),
    echo=as_asked,
    text="GAME standings is the list of a game. Without the name of a game it shows your ratings "
         "in all games, or those of the player you name. Ratings are Glicko-2: a newcomer has "
         "1500; the number after +- shows how uncertain a rating is; ? = provisional. Three "
         "matches a day count between the same two players.",
)  # fmt: skip
def standings(context: Context, userid: Userid) -> Iterator[Message]:
    """Mail the rating list of a game, or the ratings of one player; "" is the sender."""
    context.budget.charge(QUERY * 2)
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
    found = context.work.ratings.standings(key, limit=STANDINGS + 1)
    context.budget.charge(ROW * min(len(found), STANDINGS))
    rows = [_standing(context, rank, row) for rank, row in enumerate(found[:STANDINGS], 1)]
    robots = _robots(context, key)
    return answer(
        reader, "results/standings", title=game.info.title, key=key,
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
    games = [game.info for game in context.catalogue if context.game in (None, game.info.key)]
    context.budget.charge(QUERY + ROW * len(games))
    known = context.work.ratings.all_of(player.id)
    rows = [
        (info.title, *_figures(aged(rating, context.now)))
        for info in games
        if (rating := known.get(info.key)) and (rating.matches or player.is_robot)
    ]
    return answer(
        reader, "results/ratings", userid=name_of(player), mine=player.id == reader.id,
        table=table(_RATINGS, rows) if rows else "", key=games[0].key,
        page=context.services.pages.of_player(player),
    )  # fmt: skip


def _figures(rating: Rating) -> tuple[str, ...]:
    """Return the figures of a rating: "1612 +- 250", with "?" if it is provisional, and matches."""
    mark = " ?" if rating.provisional else ""
    shown = f"{rating.rating:.0f} +- {rating.deviation:.0f}{mark}"
    return shown, *map(str, (rating.won, rating.lost, rating.drawn))
