"""Acts of the operator on leagues: logged, with mails to those concerned."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from pbm.core.letters import Message, noted
from pbm.core.open_boards import is_for_two
from pbm.core.outbox import post
from pbm.core.robots import check_plays
from pbm.core.tokens import player_token
from pbm.domain.errors import NotAllowed, NotNow
from pbm.domain.invitations import Terms
from pbm.domain.leagues import Season, SeasonState, check_name
from pbm.domain.player import Player
from pbm.engine import AnyGame
from pbm.features.league_seasons import begin_season
from pbm.features.leagues import enter, leave_season, season_named
from pbm.operator.administration import Administration


def open_league(
    operator: Administration,
    name: str,
    game: AnyGame,
    options: Mapping[str, str],
    terms: Terms,
    starts_at: datetime | None,
    *,
    size: int,
    least: int,
    notice: int,
    once: bool,
) -> Season:
    """Open the first season of a league; the number goes on after one that has ended."""
    check_name(name)
    if not is_for_two(game):
        raise NotAllowed(f"{game.info.title} is not for two players, as boards of a league are.")
    before = [season for season in operator.work.leagues.all() if season.name == name]
    if any(season in operator.work.leagues.going_on() for season in before):
        raise NotAllowed(f"There is a league {name} already.")
    if starts_at and starts_at <= operator.now:
        raise NotAllowed("A season begins later than now; players need time to enter it.")
    given = game.info.setup(options).options
    number = before[-1].number + 1 if before else 1
    season = operator.work.leagues.add(
        Season(0, name, number, game.info.key, given, terms, size, least, notice, once,
               SeasonState.ENTRY, starts_at)
    )  # fmt: skip
    operator.note("league new", season.key, {}, {"game": season.game, "options": dict(given)})
    return season


def begin_now(operator: Administration, name: str) -> Season:
    """Begin the season that can be entered, with all who are there, if they are two or more."""
    season = season_named(operator.context, name)
    if season.state is not SeasonState.ENTRY:
        raise NotNow(f"{season.title} has begun already.")
    before = operator.work.leagues.get(season.name, season.number - 1)
    if before and before.state is SeasonState.PLAY:
        raise NotNow(f"{before.title} is not over yet.")
    post(operator.context, begin_season(operator.context, season, _FEWEST))
    if operator.work.leagues.locked(season.id).state is SeasonState.ENTRY:
        raise NotAllowed(f"{season.title} needs {_FEWEST} players who can be reached.")
    operator.note("league begin", season.key, {}, {})
    return season


_FEWEST = 2


def drop_league(operator: Administration, name: str) -> tuple[Season, ...]:
    """End a league without places. Boards that have begun go on."""
    season_named(operator.context, name)  # refuses an unknown name
    stored = operator.work.leagues
    going_on = tuple(season for season in stored.going_on() if season.name == name.lower())
    if not going_on:
        raise NotNow(f"No season of {name} goes on.")
    people: dict[int, Player] = {}
    for season in going_on:
        there = [e.player for e in stored.entrants(season.id) if e.left_at is None]
        people |= operator.context.people(there)
        stored.save(replace(stored.locked(season.id), state=SeasonState.DROPPED))
        operator.note("league drop", season.key, {"state": season.state.value}, {})
    said = f"The operator of the server has ended {name.capitalize()}. Boards that have begun go on"
    post(operator.context, (_told(operator, player, said) for player in people.values()))
    return going_on


def add_players(operator: Administration, name: str, userids: Sequence[str]) -> Season:
    """Enter players, who may be robots, for the season that comes."""
    season = season_named(operator.context, name)
    players = operator.context.players(userids)
    check_plays(operator.work, operator.services.catalogue.get(season.game), players)
    for player in players:
        post(operator.context, [enter(operator.context, player, season)])
        operator.note("league add", season.key, {}, {"player": player.userid})
    return season


def remove_player(operator: Administration, name: str, userid: str) -> Player:
    """Take a player out of a league, as if they had left it."""
    league, player = season_named(operator.context, name).name, operator.player(userid)
    entered = operator.work.leagues.entered(player.id)
    mine = [season for season in entered if season.name == league]
    if not mine:
        raise NotNow(f"{player.userid} is not in {league}.")
    for season in mine:
        post(operator.context, leave_season(operator.context, player, season))
        operator.note("league remove", season.key, {"player": player.userid}, {})
    said = f"The operator of the server has taken you out of {league.capitalize()}"
    post(operator.context, [_told(operator, player, said)])
    return player


def _told(operator: Administration, player: Player, said: str) -> Message:
    because = f": {operator.by.told}" if operator.by.told else "."
    return noted(player, f"{said}{because}", reply=player_token(player.id))
