"""Leagues: players enter a season, look at its tables, and leave."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pbm.core.audience import board_messages
from pbm.core.budget import QUERY
from pbm.core.command import Line, Proof, Request, as_asked, command, reply_command
from pbm.core.context import Context
from pbm.core.events import Effect, Event, Happening
from pbm.core.league_tables import points_written, tables_of
from pbm.core.letters import Message, answer, letter, noted
from pbm.core.open_boards import MOST_BOARDS
from pbm.core.tokens import player_token
from pbm.domain.addresses import mailbox
from pbm.domain.description import clock, name, options
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood, Refusal, UnknownName
from pbm.domain.leagues import (
    Mark,
    Row,
    Season,
    SeasonState,
    movement,
    named_season,
    stands,
    table_of,
)
from pbm.domain.player import People, Player, PlayerId
from pbm.domain.questions import Choice
from pbm.engine import listing, near, quote
from pbm.features.turns import give_up
from pbm.render.marks import Column, table


def names_league(line: str) -> bool:
    """Return whether the second word of a line is like the name of a league."""
    return any(named_season(word) for word in line.split()[1:2])


def read_league(line: Line) -> str:
    """Take the name of a league from the words of a line."""
    if not (line.words.rest and named_season(line.words.rest[0])):
        raise NotUnderstood(
            f"{line.verb.name} needs the name of a league; leagues lists them.", "leagues"
        )
    return line.words.rest.pop(0).lower()


def season_named(context: Context, text: str) -> Season:
    """Return the season that was named, the newest if no number was; raise UnknownName."""
    league, number = named_season(text) or ("", None)
    stored = context.work.leagues
    found = stored.get(league, number) if number else stored.newest(league)
    if found is None:
        known = dict.fromkeys(season.name for season in stored.all())
        meant = near(league, known) or tuple(known)[:_NAMED]
        there = f" There is {listing(meant, last='and')}." if meant else ""
        raise UnknownName(f"There is no league {quote(text)}.{there}", "leagues")
    return found


_NAMED = 5


@command(
    "leagues", "", "lists the leagues that you can enter", "leagues",
    needs=Proof.REGISTERED, read=lambda line: line.request(), echo=as_asked, boardless=True,
    text="In a league you play everybody of your division once, all boards at once. When the "
         "season is over, the best go up a division, the last go down, and the next season "
         "begins. join enters, and leave with the name of the league leaves.\n"
         "A win is 2 half points, a draw 1. Equal points are decided by the boards between those "
         "players, then by the points of those beaten (Sonneborn-Berger), then by wins, then by "
         "the order at the start.\n"
         "Before the season you leave at once. In it, leaving resigns your open boards; if fewer "
         "than half of yours have ended, all your results go out of the table. You are in the "
         "next season if you have played in this one.",
)  # fmt: skip
def leagues(context: Context) -> Iterator[Message]:
    """Mail the seasons that go on, those of the reader first."""
    context.budget.spend(QUERY * 4)
    reader, stored = context.asker(), context.work.leagues
    mine = {season.id for season in stored.entered(reader.id)}
    found = sorted(stored.going_on(), key=lambda season: season.id not in mine)
    lines = tuple(_listed(context, season, is_mine=season.id in mine) for season in found)
    yield answer(reader, "leagues/list", seasons=lines, reply=player_token(reader.id))


def _listed(context: Context, season: Season, *, is_mine: bool) -> dict[str, Any]:
    """Return the facts of one season in a list."""
    enters = season.state is SeasonState.ENTRY
    return {
        **facts_of(context, season),
        "entry": enters, "mine": is_mine, "key": season.key,
        "line": f"join {season.name}" if enters and not is_mine else f"league {season.key}",
    }  # fmt: skip


def facts_of(context: Context, season: Season) -> dict[str, Any]:
    """Return the facts of a season that all letters about it use."""
    game = context.catalogue.find(season.game)
    setup = game.info.setup(season.options) if game else None
    what = [game.info.title, *options(setup, game)] if game and setup else [season.game]
    count = len(context.work.leagues.entrants(season.id))
    return {
        "title": season.title, "league": season.name, "what": ", ".join(what),
        "starts": season.starts_at, "count": count, "missing": max(0, season.least - count),
    }  # fmt: skip


def _read_table(line: Line) -> Request:
    league = read_league(line)
    if line.words.rest:
        raise NotUnderstood("league takes no words after its name.", f"league {league}")
    return line.request(league=league)


@command(
    "league", "LEAGUE[-N]", "shows the tables of a season", "league olix-league",
    needs=Proof.REGISTERED, read=_read_table, echo=as_asked, boardless=True, opens=names_league,
    writes=lambda request: request.words("league"),
    text="Without a number: the season in play, or the next one. olix-league-3 is the third "
         "season.",
)  # fmt: skip
def league(context: Context, league: str) -> Iterator[Message]:
    """Mail the tables of a season."""
    context.budget.spend(QUERY * 6)
    reader, season = context.asker(), season_shown(context, league)
    there = context.work.leagues.entrants(season.id)
    people = context.people(entrant.player for entrant in there)
    begun = season.state is not SeasonState.ENTRY
    tables = tables_of(context.work, season) if begun else {}
    mine = any(each.id == season.id for each in context.work.leagues.entered(reader.id))
    facts = facts_of(context, season)
    del facts["league"]
    yield answer(
        reader, "leagues/table", begun=begun, over=season.state is SeasonState.OVER,
        entered=sorted(name(people, entrant.player) for entrant in there),
        divisions=[crosstable(tables, each, people, reader) for each in tables],
        join=f"join {season.name}" if not (begun or mine) else "",
        leaves=f"leave {season.name}" if mine else "",
        left=any(row.apart for rows in tables.values() for row in rows),
        reply=player_token(reader.id), **facts,
    )  # fmt: skip


def season_shown(context: Context, text: str) -> Season:
    """Return the season named; without a number, one in play comes before one that waits."""
    season = season_named(context, text)
    before = context.work.leagues.get(season.name, season.number - 1)
    named = named_season(text) or ("", None)
    waits = named[1] is None and season.state is SeasonState.ENTRY
    return before if waits and before and before.state is SeasonState.PLAY else season


_TABLE = (
    Column("place", "{:>5}  "),
    Column("player", "{:<24} "),
    Column("results", "{} "),
    Column("points", "{:>6}  "),
    Column("", "{}", minor=True),
)


def crosstable(
    tables: dict[int, tuple[Row, ...]], division: int, people: People, reader: Player
) -> str:
    """Return the table of a division in text, with the ways up and down."""
    rows, sizes = tables[division], {number: len(rows) for number, rows in tables.items()}
    columns = (*_TABLE[:2], replace(_TABLE[2], form=f"{{:<{max(7, len(rows) + 2)}}} "), *_TABLE[3:])
    return table(columns, (
        (
            str(row.place), "you" if row.player == reader.id else name(people, row.player),
            results_of(row, rows), points_written(row.points),
            "left" if row.apart else movement(division, row.place, sizes),
        )
        for row in rows
    ))  # fmt: skip


def results_of(row: Row, rows: tuple[Row, ...]) -> str:
    """Return the results of a row; those with players who have left are in brackets."""
    cells = [
        "\\" if other.player == row.player else row.marks.get(other.player, " ") for other in rows
    ]
    kept = sum(not other.apart for other in rows)
    apart = "".join(cells[kept:])
    return "".join(cells[:kept]) + (f"({apart})" if apart else "")


def _read_join(line: Line) -> Request:
    league = read_league(line)
    credentials = line.who()
    if line.words.rest:
        raise NotUnderstood("join takes the name of a league, and who you are.", line.example)
    return line.request(credentials, league=league)


@command(
    "join", "LEAGUE [userid password]", "enters a league",
    "join olix-league alice your-password", needs=Proof.PERSON, locks=True, read=_read_join,
    boardless=True, opens=names_league,
    writes=lambda request: (*request.words("league"), *request.who),
    text="For the season that comes, and all after it, until you leave or do not play. See \"help "
         "leagues\".",
)  # fmt: skip
def join(context: Context, league: str) -> Iterator[Message]:
    """Enter the sender for the season that comes."""
    yield enter(context, context.sender(), season_named(context, league))


def enter(context: Context, player: Player, season: Season) -> Message:
    """Enter a player for a season, and return the letter about it; once entered, only that.

    Raises a Refusal if the season has begun, or if the player may not enter it.
    """
    stored = context.work.leagues
    season = stored.locked(season.id)
    if season.state is not SeasonState.ENTRY:
        raise NotNow(
            f"{season.title} has begun, and nobody can enter it any more.", f"league {season.key}"
        )
    before = stored.get(season.name, season.number - 1)
    playing = before if before and before.state is SeasonState.PLAY else None
    mine = {each.id for each in stored.entered(player.id)}
    if playing and playing.id in mine:
        raise NotNow(
            f"You are in {playing.title}, and so in the next season, until you leave.",
            f"league {playing.key}",
        )
    if season.id not in mine:
        _check_may_enter(context, player, season, playing)
        stored.enter(season.id, [player.id])
        season = _with_beginning(context, season, playing)
    facts = facts_of(context, season)
    return letter(
        player, "leagues/joined", again=season.id in mine, least=season.least,
        others=facts.pop("count") - 1, boards=season.size - 1, rated=season.terms.rated,
        clock=clock(season.terms), after=playing.title if playing else "",
        reply=player_token(player.id), **facts,
    )  # fmt: skip


def _check_may_enter(
    context: Context, player: Player, season: Season, playing: Season | None
) -> None:
    """Raise NotAllowed for a second account of a mailbox, or for somebody with too many boards."""
    there = list(context.work.leagues.entrants(season.id))
    if playing:
        there += context.work.leagues.entrants(playing.id)
    people = context.people(entrant.player for entrant in there if entrant.left_at is None)
    mine = set(map(mailbox, player.addresses))
    for other in people.values():
        if not mine.isdisjoint(map(mailbox, other.addresses)):
            raise NotAllowed(
                f"{other.userid}, which has the same mailbox as you, is in {season.title} already. "
                "One person can have one place in it.",
                f"league {season.name}",
            )
    boards = 0 if player.is_robot else context.work.matches.count(None, [player.id], over=False)
    if boards + season.size - 1 > MOST_BOARDS:
        raise NotAllowed(
            f"You play on {boards} boards. With those of {season.title} that could be more than "
            f"{MOST_BOARDS}, the most at a time.",
            "games",
        )


def _with_beginning(context: Context, season: Season, playing: Season | None) -> Season:
    """Return the season, which begins after its notice if enough have entered now."""
    count = len(context.work.leagues.entrants(season.id))
    if season.starts_at or playing or count < season.least:
        return season
    starting = replace(season, starts_at=after_notice(season, context.now))
    context.work.leagues.save(starting)
    return starting


def after_notice(season: Season, now: datetime) -> datetime:
    """Return when a season begins that is announced now."""
    return now + timedelta(days=season.notice)


@reply_command(
    "leave league", needs=Proof.PERSON, locks=True, boardless=True,
    writes=lambda request: (
        *request.words("league"), *request.who, *(["yes"] if request.arguments["sure"] else []),
    ),
)  # fmt: skip
def leave_league(context: Context, league: str, sure: bool) -> Iterator[Message]:  # noqa: FBT001
    """Leave a league: at once before the season, and in it after a question."""
    player, stored = context.sender(), context.work.leagues
    name = season_named(context, league).name
    mine = [season for season in stored.entered(player.id) if season.name == name]
    if not mine:
        raise NotNow(f"You are not in {name.capitalize()}.", "leagues")
    playing = next((season for season in mine if season.state is SeasonState.PLAY), None)
    if playing and not sure:
        yield _ask(context, player, playing)
        return
    for season in mine:
        yield from leave_season(context, player, season)
    yield noted(
        player,
        f"You have left {name.capitalize()}. To enter it again, reply join {name}.",
        reply=player_token(player.id),
    )


def read_leave_league(line: Line) -> Request:
    """Read `LEAGUE [userid password] [yes]`, as behind leave."""
    league = read_league(line)
    credentials = line.who()
    sure = [word.lower() for word in line.words.rest] == ["yes"]
    if line.words.rest and not sure:
        raise NotUnderstood("leave takes the name of a league, and who you are.", f"leave {league}")
    return line.request(credentials, command=leave_league, league=league, sure=sure)


def _ask(context: Context, player: Player, season: Season) -> Message:
    """Return the question to somebody who leaves a season in play."""
    open_, over = _boards_of(context, player.id, season)
    asked = letter(
        player, "leagues/leaving", title=season.title, numbers=open_, over=over,
        boards=over + len(open_), stands=stands(over, over + len(open_)),
        reply=player_token(player.id),
    )  # fmt: skip
    return replace(asked, choices=(Choice(f"leave {season.name} yes"),))


def _boards_of(context: Context, player: PlayerId, season: Season) -> tuple[tuple[int, ...], int]:
    """Return the open boards of a player in a season, and how many have ended."""
    pairs = context.work.leagues.pairings(season.id)
    mine = [pair for pair in pairs if player in (pair.first, pair.second)]
    rows = table_of(context.work.leagues.entrants(season.id), mine)
    row = next(row for row in rows if row.player == player)
    open_ = (pair.number for pair in mine if row.marks[pair.other(player)] is Mark.OPEN)
    return tuple(open_), row.boards_over


LEFT_LEAGUE = Event(
    "left_league",
    lambda seen: f"{seen.actor} {'have' if seen.mine else 'has'} left {seen.text}.",
    Effect.OTHER,
)


def leave_season(context: Context, player: Player, season: Season) -> Iterator[Message]:
    """Take `player` out of a season; if it is in play, their open boards there are given up."""
    mark_left(context, player.id, season)
    context = replace(context, comment="")
    for pair in context.work.leagues.pairings(season.id):
        is_open = pair.board is not None and pair.board.outcome is None
        if is_open and player.id in (pair.first, pair.second):
            with suppress(Refusal):  # a game that is not installed now
                board = context.boards.get(pair.number)
                left = Happening(LEFT_LEAGUE, player.id, season.title)
                yield from board_messages(context, board, left)
                yield from give_up(context, board, player.id)


def leave_leagues(context: Context, player: Player) -> Iterator[Message]:
    """Take `player` out of all leagues, and give up their open boards there."""
    for season in context.work.leagues.entered(player.id):
        yield from leave_season(context, player, season)


def mark_left(context: Context, player: PlayerId, season: Season) -> None:
    """Take a player out of a season. Their boards are not touched."""
    stored = context.work.leagues
    if stored.locked(season.id).state is SeasonState.ENTRY:
        stored.withdraw(season.id, [player])
        return
    mine = next(entrant for entrant in stored.entrants(season.id) if entrant.player == player)
    stored.set_entrants(season.id, [replace(mine, left_at=context.now)])


def mark_left_all(context: Context, player: PlayerId) -> None:
    """Take a player who leaves the server out of all leagues. Their boards end with the others."""
    for season in context.work.leagues.entered(player):
        mark_left(context, player, season)
