"""Seasons of leagues begin and end by themselves: a scheduled job, and a follow-up job for boards.

The state of a season is read again under its lock, so whatever is killed or done by two processes,
each season begins and ends once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbm.core.audience import messages_for
from pbm.core.context import Context
from pbm.core.events import Effect, Event, Happening, SeenHappening
from pbm.core.league_tables import tables_of
from pbm.core.letters import Message, letter
from pbm.core.open_boards import open_board
from pbm.core.outbox import post
from pbm.core.schedule import Due, Part, ScheduledJob
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
    movement,
    order,
    round_robin,
)
from pbm.domain.match import new_match
from pbm.domain.player import People, Player, PlayerId
from pbm.domain.timekeeping import players_to_move
from pbm.engine import AnyGame, begin
from pbm.features.leagues import after_notice, crosstable, facts_of
from pbm.store.time import FollowUp, FollowUpKind


def _due(context: Context) -> Iterator[Due]:
    for season in context.work.leagues.due(context.now):
        yield Due(season.starts_at or context.now, f"the beginning of {season.title}")
    for season in context.work.leagues.finished():
        yield Due(context.now, f"the end of {season.title}")


def _carry_out(context: Context) -> Counter[str]:
    """Begin or end one season."""
    stored = context.work.leagues
    waiting = [each for each in stored.due(context.now) if context.catalogue.find(each.game)]
    for season in waiting[:1]:
        post(context, begin_season(context, season, season.least))
        return Counter({"season begun": 1})
    for season in stored.finished()[:1]:
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
        yield from _put_off(context, replace(season, starts_at=None), [people[p] for p in ready])
        return
    pairs = _pair(context, season, ready, people)
    stored.save(replace(season, state=SeasonState.PLAY))
    if not season.once:
        following = replace(season, number=season.number + 1, starts_at=None)
        stored.add(following)
    context.work.follow_ups.add(FollowUpKind.LEAGUE, None, context.now, number=season.id)
    yield from _begun(context, season, pairs, people)


def _put_off(context: Context, season: Season, people: Iterable[Player]) -> Iterator[Message]:
    context.work.leagues.save(season)
    facts = facts_of(context, season)
    facts.pop("starts")
    for player in people:
        yield letter(
            player, "leagues/postponed", notice=season.notice, key=season.game,
            reply=player_token(player.id), **facts,
        )  # fmt: skip


def _pair(
    context: Context, season: Season, ready: Sequence[PlayerId], people: People
) -> list[Pairing]:
    """Store divisions, and who meets whom on which board; two robots never meet."""
    stored = context.work.leagues
    before = stored.get(season.name, season.number - 1)
    ratings = context.work.ratings.of(season.game, ready)
    strengths = {player: rating.rating for player, rating in ratings.items()}
    ranked = order(stored.entrants(before.id) if before else (), ready, strengths)
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
    game, first = _game_of(context, season)
    many = max((pair.division for pair in pairs), default=1)
    for player in dict.fromkeys(p for pair in pairs for p in (pair.first, pair.second)):
        mine = [pair for pair in pairs if player in (pair.first, pair.second)]
        begins = [(pair.first, pair.second)[first] == player for pair in mine]
        yield letter(
            people[player], "leagues/begun", title=season.title, league=season.name,
            division=mine[0].division, divisions=many, game=game.info.title,
            others=[name(people, pair.other(player)) for pair in mine],
            mine=[pair.number for pair, is_mine in zip(mine, begins, strict=True) if is_mine],
            theirs=[pair.number for pair, is_mine in zip(mine, begins, strict=True) if not is_mine],
            reply=player_token(player),
        )  # fmt: skip


def _game_of(context: Context, season: Season) -> tuple[AnyGame, int]:
    """Return the game of a season, and the seat that begins."""
    game = context.catalogue.get(season.game)
    start = begin(game, game.info.setup(season.options))
    return game, game.to_move(start.state)[0]


BATCH = 3
"""Boards that begin in one part."""


def _started(seen: SeenHappening) -> str:
    return f"The match has begun, in {seen.text}: {seen.sides}."


STARTED = Event("league_started", _started, Effect.START)


def begin_boards(context: Context, follow_up: FollowUp) -> Part:
    """Begin a few boards of a season, each once, and write to those who move first."""
    stored = context.work.leagues
    season = stored.locked(follow_up.number or 0)
    batch = stored.to_begin(season.id, follow_up.done_up_to, BATCH)
    messages = [message for pair in batch for message in _begin_board(context, season, pair)]
    return Part(tuple(messages), batch[-1].number if batch else None)


def _begin_board(context: Context, season: Season, pair: Pairing) -> Iterator[Message]:
    game, _ = _game_of(context, season)
    setup = game.info.setup(season.options, context.services.chance.seed())
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
    tables = tables_of(context.work, season)
    known = {entrant.player: entrant for entrant in stored.entrants(season.id)}
    placed = [replace(known[r.player], place=r.place) for rows in tables.values() for r in rows]
    stored.set_entrants(season.id, placed)
    stored.save(replace(season, state=SeasonState.OVER))
    people = context.people(known)
    played = stored.have_played(season.id)
    staying = {e.player for e in placed if e.left_at is None and e.player in played}
    following = stored.get(season.name, season.number + 1)
    if following and following.state is SeasonState.ENTRY:
        following = replace(following, starts_at=after_notice(following, context.now))
        there = {entrant.player for entrant in stored.entrants(following.id)}
        stored.enter(following.id, sorted(staying - there))
        stored.save(following)
    for entrant in placed:
        if entrant.left_at is None:
            yield _over(season, following, tables, entrant, people, stays=entrant.player in staying)


def _over(
    season: Season,
    following: Season | None,
    tables: dict[int, tuple[Row, ...]],
    entrant: Entrant,
    people: People,
    *,
    stays: bool,
) -> Message:
    rows, sizes = tables[entrant.division], {number: len(rows) for number, rows in tables.items()}
    reader = people[entrant.player]
    return letter(
        reader, "leagues/over", title=season.title, league=season.name,
        place=entrant.place, of=len(rows), division=entrant.division, divisions=len(tables),
        goes=movement(entrant.division, entrant.place, sizes),
        ties=list(_ties(rows, entrant.place, people)),
        table=crosstable(tables, entrant.division, people, reader),
        next=following.title if following else "", starts=following and following.starts_at,
        stays=stays, reply=player_token(reader.id),
    )  # fmt: skip


def _ties(rows: Sequence[Row], place: int, people: People) -> Iterator[str]:
    """Yield what decided between a player and those just above and below with equal points."""
    mine = rows[place - 1]
    for word, other in (("before", place + 1), ("behind", place - 1)):
        beside = rows[other - 1] if 0 < other <= len(rows) else None
        if beside and (rule := decided(mine, beside)):
            yield f"{word} {name(people, beside.player)} by {rule.value}"
