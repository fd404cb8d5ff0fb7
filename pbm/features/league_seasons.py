"""Seasons of leagues begin and end by themselves: a scheduled job, and a follow-up job for boards.

The state of a season is read again under its lock, so whatever is killed or done by two processes,
each season begins and ends once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbm.core.audience import messages_for
from pbm.core.context import Context
from pbm.core.events import Effect, Event, Happening
from pbm.core.league_tables import tables_now
from pbm.core.letters import Message, letter
from pbm.core.open_boards import open_board
from pbm.core.outbox import post
from pbm.core.schedule import Due, JobPart, ScheduledJob, tell
from pbm.core.tokens import player_token
from pbm.domain.description import name
from pbm.domain.leagues import (
    Entrant,
    Pairing,
    Row,
    Season,
    SeasonState,
    decided,
    divisions,
    order,
    round_robin,
)
from pbm.domain.match import new_match
from pbm.domain.player import People, Player, PlayerId
from pbm.domain.timekeeping import players_to_move
from pbm.engine import begin, deal
from pbm.features.leagues import crosstable, facts_of
from pbm.store.time import FollowUp, FollowUpKind


def _due(context: Context) -> Iterator[Due]:
    for season in context.work.leagues.due(context.now):
        yield Due(season.starts_at or context.now, f"the beginning of {season.title}")
    for season in context.work.leagues.finished():
        yield Due(context.now, f"the end of {season.title}")


def _carry_out(context: Context) -> Counter[str]:
    """Begin or end one season."""
    stored = context.work.leagues
    for season in stored.due(context.now):
        if context.catalogue.find(season.game):
            post(context, begin_season(context, season, season.least))
            return Counter({"season begun": 1})
    for season in stored.finished():
        post(context, _end(context, season))
        return Counter({"season ended": 1})
    return Counter()


LEAGUES = ScheduledJob("leagues", _due, _carry_out)
"""Begins seasons when their time has come, and ends those of which all boards are over."""


def begin_season(context: Context, season: Season, least: int) -> Iterator[Message]:
    """Begin a season with those who can play, or put it off if they are fewer than `least`."""
    stored = context.work.leagues
    season = stored.locked(season.id)
    if season.state is not SeasonState.ENTRY:
        return
    there = [entrant.player for entrant in stored.entrants(season.id)]
    people = context.people(there)
    ready = [p for p in there if people[p].active and (people[p].is_robot or people[p].address)]
    stored.withdraw(season.id, set(there) - set(ready))
    if len(ready) < least:
        yield from _put_off(context, season, [people[player] for player in ready])
        return
    pairs = _pair(context, season, ready, people)
    stored.save(replace(season, state=SeasonState.PLAY))
    if not season.once:
        stored.add(replace(season, number=season.number + 1, starts_at=None))
    context.work.follow_ups.add(FollowUpKind.LEAGUE, None, context.now, number=season.id)
    yield from _begun(context, season, pairs, people)


def _put_off(context: Context, season: Season, ready: Iterable[Player]) -> Iterator[Message]:
    """Let a season wait for more players, and write to those who are there."""
    season = replace(season, starts_at=None)
    context.work.leagues.save(season)
    facts = facts_of(context, season)
    for player in ready:
        yield letter(
            player, "leagues/postponed", season=facts, notice=season.notice, key=season.game,
            reply=player_token(player.id),
        )  # fmt: skip


def _pair(
    context: Context, season: Season, ready: Sequence[PlayerId], people: People
) -> list[Pairing]:
    """Store divisions, and who meets whom on which board; two robots never meet."""
    stored = context.work.leagues
    before = [each for each in stored.of(season.name) if each.number == season.number - 1]
    ratings = context.work.ratings.of(season.game, ready)
    strengths = {player: rating.rating for player, rating in ratings.items()}
    ranked = order([e for each in before for e in stored.entrants(each.id)], ready, strengths)
    there = divisions(ranked, season.size)
    numbered = [(number, each) for number, players in enumerate(there, 1) for each in players]
    seeds = enumerate(numbered, 1)
    stored.set_entrants(season.id, [Entrant(p, seed, number) for seed, (number, p) in seeds])
    pairs = [
        Pairing(first, second, number, context.work.next_number())
        for number, players in enumerate(there, 1)
        for first, second in round_robin(players)
        if not (people[first].is_robot and people[second].is_robot)
    ]
    stored.pair(season.id, pairs)
    return pairs


def _begun(
    context: Context, season: Season, pairs: Sequence[Pairing], people: People
) -> Iterator[Message]:
    """Yield one letter to each player, with the numbers of their boards."""
    game = context.catalogue.get(season.game)
    start = begin(game, game.info.setup(season.options))
    first = game.to_move(start.state)[0]
    many = max((pair.division for pair in pairs), default=1)
    for player in dict.fromkeys(p for pair in pairs for p in (pair.first, pair.second)):
        mine = [pair for pair in pairs if player in (pair.first, pair.second)]
        own = [pair.number for pair in mine if (pair.first, pair.second)[first] == player]
        yield letter(
            people[player], "leagues/begun", title=season.title, league=season.name,
            division=mine[0].division, divisions=many, game=game.info.title,
            others=sorted(name(people, pair.other(player)) for pair in mine), mine=own,
            theirs=[pair.number for pair in mine if pair.number not in own],
            reply=player_token(player),
        )  # fmt: skip


BATCH = 3
"""Boards that begin in one part."""


STARTED = Event(
    "league_started",
    lambda seen: f"The match has begun, in {seen.text}: {seen.sides}.",
    Effect.START,
)


def begin_boards(context: Context, follow_up: FollowUp) -> JobPart:
    """Begin a few boards of a season, each once, and write to those who move first.

    A board that meets a bug is left out. `pbm league begin` tries it again.
    """
    stored = context.work.leagues
    season = stored.locked(follow_up.number or 0)
    batch = stored.to_begin(season.id, follow_up.done_up_to, BATCH)
    for pair in batch:
        about = f"the beginning of board {pair.number} of {season.title}"
        tell(context, _begin_board(context, season, pair), about)
    return JobPart((), batch[-1].number if batch else None)


def _begin_board(context: Context, season: Season, pair: Pairing) -> Iterator[Message]:
    game = context.catalogue.get(season.game)
    setup = deal(game, game.info.setup(season.options), context.draw)
    people = context.people((pair.first, pair.second))
    robots = any(player.is_robot for player in people.values())
    terms = replace(season.terms, rated=season.terms.rated and not robots)
    players = (pair.first, pair.second)
    match = new_match(pair.number, game, setup, terms, players, context.now)
    board = open_board(context, match)
    started = Happening(STARTED, text=season.title)
    yield from messages_for(context, board, (started,), players_to_move(board), ())


def _end(context: Context, season: Season) -> Iterator[Message]:
    """Store the places of a season, enter those who stay for the next one, and write to all."""
    stored = context.work.leagues
    season = stored.locked(season.id)
    if season.state is not SeasonState.PLAY:
        return
    tables = tables_now(context.work, season)
    present = _store_places(context, season, tables)
    people = context.people(row.player for rows in tables.values() for row in rows)
    robots = {player for player in present if people[player].is_robot}
    staying = robots | (present & stored.have_played(season.id))
    following = _announce_next(context, season, staying)
    for division, rows in tables.items():
        for row in rows:
            if row.player in present:
                yield _over(
                    season, rows, row, people, division=division, divisions=len(tables),
                    next=following.title if following else "", stays=row.player in staying,
                    starts=following and following.starts_at,
                )  # fmt: skip


def _store_places(
    context: Context, season: Season, tables: Mapping[int, Sequence[Row]]
) -> set[PlayerId]:
    """End a season with the places of its tables; return the players who have not left."""
    stored = context.work.leagues
    places = {row.player: row.place for rows in tables.values() for row in rows}
    there = [replace(e, place=places[e.player]) for e in stored.entrants(season.id)]
    stored.set_entrants(season.id, there)
    stored.save(replace(season, state=SeasonState.OVER))
    return {entrant.player for entrant in there if entrant.left_at is None}


def _over(season: Season, rows: Sequence[Row], row: Row, people: People, **facts: Any) -> Message:
    reader = people[row.player]
    return letter(
        reader, "leagues/over", title=season.title, league=season.name, row=row, of=len(rows),
        ties=list(_ties(rows, row, people)), table=crosstable(rows, people, reader),
        reply=player_token(reader.id), **facts,
    )  # fmt: skip


def _announce_next(context: Context, season: Season, staying: set[PlayerId]) -> Season | None:
    """Enter players for the next season, and return it; None after the only one."""
    stored = context.work.leagues
    for waiting in stored.of(season.name):
        if waiting.number > season.number and waiting.state is SeasonState.ENTRY:
            starts_at = context.now + timedelta(days=season.notice)
            following = replace(waiting, starts_at=starts_at)
            stored.save(following)
            stored.set_entrants(following.id, map(Entrant, sorted(staying)))
            return following
    return None


def _ties(rows: Sequence[Row], mine: Row, people: People) -> Iterator[str]:
    """Yield what decided between a player and those just above and below with equal points."""
    for word, place in (("before", mine.place + 1), ("behind", mine.place - 1)):
        for beside in rows:
            if beside.place == place and (rule := decided(mine, beside)):
                yield f"{word} {name(people, beside.player)} by {rule.value}"
