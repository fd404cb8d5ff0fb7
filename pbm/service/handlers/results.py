"""Questions about games played, which anybody with a registered address may ask."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pbm.domain.play import LiveMatch
from pbm.domain.record import Talk, part_of_talk
from pbm.domain.talk import without_words_of
from pbm.service.budget import ENTRY_RECORDED, PLY_REPLAYED, QUERY, ROW, TALK_READ, Cost
from pbm.service.commands.results import History, Overview, Record
from pbm.service.context import Context, Handler, everybody
from pbm.service.letters import Message
from pbm.service.notices.results import FinishedGames, GameRecord, GamesOffered
from pbm.service.robots import robot_line
from pbm.service.steps.people import apart_from
from pbm.service.tokens import player_token

SEEKS = 50
"""Open seeks in one mail: those that have waited longest."""

HISTORY = 100
"""Finished matches in one mail."""


def show_overview(context: Context, command: Overview) -> Iterator[Message]:
    """Send the games on offer, how much each is played, and who seeks an opponent."""
    if context.reader is None:
        return
    context.budget.spend(QUERY * 4)
    catalogue = context.services.catalogue
    named = {game.info.key: game for game in map(catalogue.get, command.keys)}
    games = tuple(named.values()) or tuple(catalogue)
    keys = {game.info.key for game in games}
    apart = apart_from(context, context.reader)
    open_seeks = (seek for seek in context.work.wishes.seeks() if seek.player not in apart)
    seeks = tuple(seek for seek in open_seeks if seek.game in keys)[:SEEKS]
    context.budget.spend(ROW * (len(games) + len(seeks)))
    people = context.people(seek.player for seek in seeks)
    census = context.work.matches.census()
    reply = player_token(context.reader.id)
    robot = next(filter(None, (robot_line(context, g.info.key) for g in games)), "")
    yield GamesOffered(context.reader, games, census, seeks, people, robot, reply=reply)


def show_history(context: Context, command: History) -> Iterator[Message]:
    """List finished games of the players named, or of the reader if none is named."""
    if context.reader is None:
        return
    context.budget.spend(QUERY * (1 + len(command.userids)))
    players = context.players(command.userids) or (context.reader,)
    rows = context.work.matches.history(
        context.game, [player.id for player in players], limit=HISTORY + 1
    )
    context.budget.spend(ROW * min(len(rows), HISTORY))
    games = {game.info.key: game for game in context.services.catalogue}
    yield FinishedGames(context.reader, rows[:HISTORY], games, more=len(rows) > HISTORY)


def send_record(context: Context, command: Record) -> Iterator[Message]:
    """Send the record of a match as it stands, with one part of what was said there.

    Without the words of those whom the reader blocks.
    """
    if context.reader is None:
        return
    context.budget.spend(QUERY)
    board = context.board(command.number)
    said = sum(len(entry.comment) for entry in board.match.log)
    context.budget.spend(TALK_READ * (said // 1000))
    people = context.people(everybody(board))
    blocked = context.people(context.work.blocks.blocked_by(context.reader.id)).values()
    silent = {player.userid for player in blocked}
    match = without_words_of(board.match, people, silent)
    talk = part_of_talk(match, command.part)
    context.budget.spend(_price(board, talk))
    yield GameRecord(context.reader, replace(board, match=match), people, talk)


def _price(board: LiveMatch, talk: Talk) -> Cost:
    """Return the price of a record: both forms of the log, a replay, and what was said."""
    entries = ENTRY_RECORDED * len(talk.match.log)
    said = Cost(units=talk.octets // 200, octets=talk.octets)
    return entries + said + PLY_REPLAYED * board.position.ply


HANDLERS: Mapping[type, Handler] = {
    Overview: show_overview,
    History: show_history,
    Record: send_record,
}
