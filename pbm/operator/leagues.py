"""Acts of the operator on leagues: logged, with mails to those concerned."""

from collections.abc import Sequence
from dataclasses import replace

from pbm.core.letters import Message, noted
from pbm.core.open_boards import is_for_two
from pbm.core.outbox import post
from pbm.core.robots import check_plays
from pbm.core.tokens import player_token
from pbm.domain.errors import NotAllowed, NotNow
from pbm.domain.leagues import Season, SeasonState, check_name
from pbm.domain.player import Player
from pbm.features.league_seasons import begin_season
from pbm.features.leagues import enter, leave_season, season_before, season_named
from pbm.operator.administration import Administration
from pbm.store.time import FollowUpKind


def open_league(operator: Administration, season: Season) -> Season:
    """Open a league with its first season; after one that has ended, its number goes on."""
    check_name(season.name)
    game = operator.services.catalogue.get(season.game)
    if not is_for_two(game):
        raise NotAllowed(f"{game.info.title} is not for two players, as boards of a league are.")
    before = operator.work.leagues.of(season.name)
    if any(each.state in (SeasonState.ENTRY, SeasonState.PLAY) for each in before):
        raise NotAllowed(f"There is a league {season.name} already.")
    if season.starts_at and season.starts_at <= operator.now:
        raise NotAllowed("A season begins later than now; players need time to enter it.")
    given = game.info.setup(season.options).options
    season = replace(season, game=game.info.key, options=given, number=len(before) + 1)
    operator.note("league new", season.key, {}, {"game": season.game, "options": dict(given)})
    return operator.work.leagues.add(season)


def begin_now(operator: Administration, name: str) -> Season:
    """Begin the season that can be entered, with all who are there, if they are two or more.

    In a season in play, begin the boards that met a bug.
    """
    season = season_named(operator.context, name)
    playing = season_before(operator.context, season) or season
    if playing.state is not SeasonState.ENTRY:
        if not operator.work.leagues.to_begin(playing.id, 0, 1):
            raise NotNow(f"{playing.title} is not over yet.")
        kind = FollowUpKind.LEAGUE
        operator.work.follow_ups.add(kind, None, operator.now, number=playing.id)
        return playing
    post(operator.context, begin_season(operator.context, season, _FEWEST))
    if operator.work.leagues.locked(season.id).state is SeasonState.ENTRY:
        raise NotAllowed(f"{season.title} needs {_FEWEST} players who can be reached.")
    operator.note("league begin", season.key, {}, {})
    return season


_FEWEST = 2


def drop_league(operator: Administration, name: str) -> list[Season]:
    """End a league without places. Boards that have begun go on."""
    league, stored = season_named(operator.context, name).name, operator.work.leagues
    going_on = [season for season in stored.going_on() if season.name == league]
    there = {e.player for s in going_on for e in stored.entrants(s.id) if e.left_at is None}
    for season in going_on:
        stored.save(replace(stored.locked(season.id), state=SeasonState.DROPPED))
        operator.note("league drop", season.key, {"state": season.state.value}, {})
    said = (
        f"The operator of the server has ended {league.capitalize()}. Boards that have begun go on"
    )
    people = operator.context.people(there)
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
    mine = [each for each in operator.work.leagues.entered(player.id) if each.name == league]
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
