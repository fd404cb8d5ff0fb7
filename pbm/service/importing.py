"""Matches taken over from another server, or from a backup, by their records."""

from collections.abc import Mapping
from typing import Any

from pbm.domain.errors import NotAllowed, NotUnderstood
from pbm.domain.player import Player, fold_userid
from pbm.domain.record_reading import match_of_record
from pbm.engine import listing
from pbm.service.administration import Administration
from pbm.service.context import board_notices
from pbm.service.happenings import Event, Happening
from pbm.service.post import post
from pbm.service.tables import snapshot_of
from pbm.service.verification import faults_of


def import_match(operator: Administration, data: Any) -> int:
    """Store the match of a JSON record under a new number, and return that.

    Its players must have accounts under the same userids. A match that goes on is shown to
    them; a finished one is neither told nor rated again. Raises a Refusal.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("game"), str):
        raise NotUnderstood("This is no record of a match.")
    game = operator.services.catalogue.get(data["game"])
    people = {fold_userid(name): operator.player(name) for name in _userids(data)}
    ids = {name: player.id for name, player in people.items()}
    match = match_of_record(data, game, ids, operator.work.next_number(), operator.now)
    if not match.over:
        _check_active(tuple(people.values()))
    table = operator.context.tables.add(match)
    faults = tuple(faults_of(match, snapshot_of(table), operator.services.catalogue))
    if faults:
        raise NotUnderstood(f"The record contradicts itself: {listing(faults, last='and')}.")
    if not match.over:
        notices = board_notices(operator.context, table, Happening(Event.STARTED))
        post(operator.services, operator.work, notices, operator.now)
    return match.number


def _userids(data: Mapping[str, Any]) -> list[str]:
    userids = data.get("starters")
    if not isinstance(userids, list) or not all(isinstance(name, str) for name in userids):
        raise NotUnderstood("The record does not say who has played.")
    if len({fold_userid(name) for name in userids}) < len(userids):
        raise NotUnderstood("The record has one player on two seats.")
    return userids


def _check_active(players: tuple[Player, ...]) -> None:
    inactive = [player.userid for player in players if not player.active]
    if inactive:
        raise NotAllowed(f"{listing(inactive, last='and')} cannot play on: not active.")
