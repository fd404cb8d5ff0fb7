"""Leagues: players enter a season, look at its tables, and leave."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbm.core.audience import board_messages
from pbm.core.budget import QUERY
from pbm.core.command import CommandLine, Proof, Request, as_asked, command, reply_command
from pbm.core.context import Context
from pbm.core.events import Effect, Event, Happening
from pbm.core.league_tables import points_written, tables_now
from pbm.core.letters import Message, answer, letter, noted
from pbm.core.open_boards import MOST_BOARDS
from pbm.core.tokens import player_token
from pbm.domain.addresses import mailbox
from pbm.domain.description import clock, name, options
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood, Refusal, UnknownName
from pbm.domain.leagues import (
    Entrant,
    Mark,
    Row,
    Season,
    SeasonState,
    named_season,
    stands,
    table_of,
)
from pbm.domain.player import People, Player, PlayerId
from pbm.domain.questions import Choice
from pbm.engine import listing, near, quote
from pbm.features.turns import give_up
from pbm.render.marks import Column, table

_NAMED = 5


def names_league(line: str) -> bool:
    """Return whether the second word of a line is like the name of a league."""
    return any(named_season(word) for word in line.split()[1:2])


def read_league(line: CommandLine, **more: Any) -> Request:
    """Read `LEAGUE [userid password]`; the arguments may be those of another command."""
    if not (line.words.rest and named_season(line.words.rest[0])):
        raise NotUnderstood(
            f"{line.verb.name} needs the name of a league; leagues lists them.", "leagues"
        )
    league = line.words.rest.pop(0).lower()
    looks = line.verb.needs is Proof.REGISTERED
    credentials = None if looks else line.who()
    if "sure" in more:
        more["sure"] = [word.lower() for word in line.words.rest] == ["yes"]
    if line.words.rest and not more.get("sure"):
        raise NotUnderstood(
            f"{line.verb.name} takes the name of a league, and nothing after it.",
            f"{line.verb.name} {league}",
        )
    return line.request(credentials, league=league, **more)


def season_named(context: Context, text: str, first: SeasonState | None = None) -> Season:
    """Return the season named; without a number the last, of the state `first` if there is one.

    Raises UnknownName.
    """
    league, number = named_season(text) or ("", None)
    stored = context.work.leagues
    there = [
        season
        for season in stored.of(league)
        if season.state is not SeasonState.DROPPED and number in (None, season.number)
    ]
    if there:
        return ([season for season in there if season.state is first] or there)[-1]
    known = dict.fromkeys(season.name for season in stored.all())
    meant = near(league, known) or tuple(known)[:_NAMED]
    said = f" There is {listing(meant, last='and')}." if meant else ""
    raise UnknownName(f"There is no league {quote(text)}.{said}", "leagues")


def season_before(context: Context, season: Season) -> Season | None:
    """Return the season before this one, if it is in play."""
    playing = (s for s in context.work.leagues.of(season.name) if s.state is SeasonState.PLAY)
    return next((each for each in playing if each.number == season.number - 1), None)


def facts_of(context: Context, season: Season) -> Mapping[str, Any]:
    """Return what letters say about a season."""
    game, before = context.catalogue.find(season.game), season_before(context, season)
    what = [season.game]
    if game:
        what = [game.info.title, *options(game.info.setup(season.options), game)]
    count, url = len(context.work.leagues.entrants(season.id)), context.services.pages.url
    return {
        "title": season.title, "league": season.name, "what": ", ".join(what),
        "starts": season.starts_at, "after": before.title if before else "", "count": count,
        "least": season.least, "missing": max(0, season.least - count),
        "state": season.state.value, "page": f"{url}l/{season.key}.html" if url else "",
    }  # fmt: skip


@command(
    "leagues", "", "lists the leagues that you can enter", "leagues",
    needs=Proof.REGISTERED, read=lambda line: line.request(), echo=as_asked, boardless=True,
    text="In a league you play everybody of your division once, all boards at once. When the "
         "season is over, the best go up a division, the last go down, and the next season "
         "begins. join enters, and leave with the name of the league leaves.\n"
         "A win is a point, a draw half a point. Equal points are decided by the boards between "
         "these players, then by the points of those beaten (Sonneborn-Berger), then by wins, "
         "then by the order at the start.\n"
         "Before the season you leave at once. In it, leaving resigns your open boards; if fewer "
         "than half of yours have ended, all your results go out of the table. You are in the "
         "next season if you have played in this one.",
)  # fmt: skip
def leagues(context: Context) -> Iterator[Message]:
    """Mail the seasons that go on, those of the reader first."""
    context.budget.charge(QUERY * 4)
    reader, stored = context.asker(), context.work.leagues
    mine = {season.id for season in stored.entered(reader.id)}
    found = []
    for season in sorted(stored.going_on(), key=lambda season: season.id not in mine):
        enters = season.state is SeasonState.ENTRY and season.id not in mine
        line = f"join {season.name}" if enters else f"league {season.key}"
        found.append((facts_of(context, season), season.id in mine, line))
    yield answer(reader, "leagues/list", seasons=found, reply=player_token(reader.id))


@command(
    "league", "LEAGUE[-N]", "shows the tables of a season", "league olix-league",
    needs=Proof.REGISTERED, read=read_league, echo=as_asked, boardless=True, opens=names_league,
    writes=lambda request: request.words("league"),
    text="Without a number: the season in play, or the next one. olix-league-3 is the third "
         "season.",
)  # fmt: skip
def league(context: Context, league: str) -> Iterator[Message]:
    """Mail the tables of a season."""
    context.budget.charge(QUERY * 6)
    reader, season = context.asker(), season_named(context, league, SeasonState.PLAY)
    there = context.work.leagues.entrants(season.id)
    people = context.people(entrant.player for entrant in there)
    entry = season.state is SeasonState.ENTRY
    tables = {} if entry else tables_now(context.work, season)
    mine = any(each.id == season.id for each in context.work.leagues.entered(reader.id))
    line = f"leave {season.name}" if mine else f"join {season.name}" if entry else ""
    yield answer(
        reader, "leagues/table", season=facts_of(context, season),
        entered=sorted(name(people, entrant.player) for entrant in there) if entry else [],
        divisions=[crosstable(rows, people, reader) for rows in tables.values()],
        mine=mine, line=line, reply=player_token(reader.id),
    )  # fmt: skip


_TABLE = (
    Column("place", "{:>5}  "), Column("player", "{:<24} "), Column("results", "{:<8} "),
    Column("points", "{:>6}  "), Column("", "{}", minor=True),
)  # fmt: skip


def crosstable(rows: Sequence[Row], people: People, reader: Player) -> str:
    """Return the table of a division in text, with the ways up and down."""
    return table(_TABLE, (
        (
            str(row.place), "you" if row.player == reader.id else name(people, row.player),
            results_of(row, rows), points_written(row.points), row.goes,
        )
        for row in rows
    ))  # fmt: skip


def results_of(row: Row, rows: Sequence[Row]) -> str:
    """Return the results of a row; those with players who have left are in brackets."""
    cells = [
        "\\" if other.player == row.player else row.marks.get(other.player, " ") for other in rows
    ]
    kept = sum(not other.apart for other in rows)
    apart = "".join(cells[kept:])
    return "".join(cells[:kept]) + (f"({apart})" if apart else "")


def _write_league(request: Request) -> tuple[str, ...]:
    sure = ("yes",) if request.arguments.get("sure") else ()
    return (*request.words("league"), *request.who, *sure)


@command(
    "join", "LEAGUE [userid password]", "enters a league",
    "join olix-league alice your-password", needs=Proof.PERSON, locks=True, read=read_league,
    writes=_write_league, boardless=True, opens=names_league,
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
    season, playing = stored.locked(season.id), season_before(context, season)
    mine = {each.id for each in stored.entered(player.id)}
    _check_open(season, playing if playing and playing.id in mine else None)
    if season.id not in mine:
        _check_may_enter(context, player, season, playing)
        stored.set_entrants(season.id, [Entrant(player.id)])
        count = len(stored.entrants(season.id))
        if not (season.starts_at or playing) and count >= season.least:
            season = replace(season, starts_at=context.now + timedelta(days=season.notice))
            stored.save(season)
    return letter(
        player, "leagues/joined", season=facts_of(context, season), again=season.id in mine,
        boards=season.size - 1, rated=season.terms.rated, clock=clock(season.terms),
        reply=player_token(player.id),
    )  # fmt: skip


def _check_open(season: Season, mine: Season | None) -> None:
    """Raise NotNow for a season that has begun, or after `mine`, which leads to it by itself."""
    if season.state is not SeasonState.ENTRY:
        is_ = "is over" if season.state is SeasonState.OVER else "has begun"
        said = f"{season.title} {is_}, and nobody can enter it any more."
        raise NotNow(said, f"league {season.key}")
    if mine:
        said = f"You are in {mine.title}, and so in the next season, until you leave."
        raise NotNow(said, f"league {mine.key}")


def _check_may_enter(
    context: Context, player: Player, season: Season, playing: Season | None
) -> None:
    """Raise NotAllowed for a second account of a mailbox, or for somebody with too many boards."""
    ids = [each.id for each in (season, playing) if each]
    there = [each for number in ids for each in context.work.leagues.entrants(number)]
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


@reply_command("leave league", needs=Proof.PERSON, locks=True, boardless=True, writes=_write_league)
def leave_league(context: Context, league: str, sure: bool) -> Iterator[Message]:  # noqa: FBT001
    """Leave a league: at once before the season, and in it after a question."""
    player = context.sender()
    name = season_named(context, league).name
    mine = [season for season in context.work.leagues.entered(player.id) if season.name == name]
    if not mine:
        raise NotNow(f"You are not in {name.capitalize()}.", "leagues")
    playing = [season for season in mine if season.state is SeasonState.PLAY]
    if playing and not sure:
        yield _ask(context, player, playing[0])
        return
    for season in mine:
        yield from leave_season(context, player, season)
    yield noted(
        player,
        f"You have left {name.capitalize()}. To enter it again, reply join {name}.",
        reply=player_token(player.id),
    )


def _ask(context: Context, player: Player, season: Season) -> Message:
    """Return the question to somebody who leaves a season in play."""
    stored = context.work.leagues
    pairs = [p for p in stored.pairings(season.id) if player.id in (p.first, p.second)]
    rows = table_of(stored.entrants(season.id), pairs)
    row = next(row for row in rows if row.player == player.id)
    asked = letter(
        player, "leagues/leaving", title=season.title, over=row.boards_over, boards=len(pairs),
        numbers=[p.number for p in pairs if row.marks[p.other(player.id)] is Mark.OPEN],
        stands=stands(row.boards_over, len(pairs)), reply=player_token(player.id),
    )  # fmt: skip
    return replace(asked, choices=(Choice(f"leave {season.name} yes"),))


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


def mark_left(context: Context, player: PlayerId, season: Season) -> None:
    """Take a player out of a season. Their boards are not touched."""
    stored = context.work.leagues
    if stored.locked(season.id).state is SeasonState.ENTRY:
        stored.withdraw(season.id, [player])
        return
    mine = (entrant for entrant in stored.entrants(season.id) if entrant.player == player)
    stored.set_entrants(season.id, [replace(each, left_at=context.now) for each in mine])
