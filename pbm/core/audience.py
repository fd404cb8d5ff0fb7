"""Readers of a board: who gets a mail about what happened there, and what each may see of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pbm.core.board_messages import BoardMessage, Common, Followers
from pbm.core.budget import ANSWER, drawn
from pbm.core.context import Context, board_token, everybody
from pbm.core.events import Effect, Happening
from pbm.core.league_tables import places_after
from pbm.core.tokens import TokenKind
from pbm.domain.play import Board
from pbm.domain.player import PlayerId
from pbm.domain.seen import views
from pbm.engine import frozen
from pbm.store.time import FollowUp, FollowUpKind
from pbm.store.unit import UnitOfWork

FOLLOWERS_AT_ONCE = 10
"""If more players than that follow a board, a follow-up job writes to them, soon after the
players."""

JOINED = 20
"""The most happenings that one mail of a follow-up job reports; the board shows the result of the
others."""

NAMED = 10
"""The most followers that a mail names."""


def followers_of(context: Context, board: Board) -> Mapping[PlayerId, bool]:
    """Return the followers of a board, with True for those who want only its end.

    Those who follow all boards of a game follow those of people only. Robots answer at once, day
    and night, so their boards would fill a mailbox; they are followed one by one.
    """
    match = board.match
    robots = [player for player in context.people(match.players).values() if player.is_robot]
    return context.work.followers.of(match.number, None if robots else match.game)


@frozen
class Audience:
    """The followers of a board without a seat there, and those who get a mail now."""

    followers: tuple[PlayerId, ...]
    listening: tuple[PlayerId, ...]


_NOBODY = Audience((), ())


def audience(context: Context, board: Board, happenings: tuple[Happening, ...]) -> Audience:
    """Return the audience of these happenings."""
    followed = followers_of(context, board)
    if not followed:
        return _NOBODY
    followers = tuple(player for player in followed if player not in board.match.players)
    ended = any(happening.event.effect is Effect.END for happening in happenings)
    return Audience(followers, tuple(p for p in followers if ended or not followed[p]))


def board_messages(
    context: Context, board: Board, *happenings: Happening
) -> Iterator[BoardMessage]:
    """Return one message for each player of the board and each follower, in that order.

    A reader gets only one, even with several seats or subscriptions. If there are many
    followers, a follow-up job writes to them.
    """
    there = audience(context, board, happenings)
    at_once = there.listening
    if len(at_once) > FOLLOWERS_AT_ONCE:
        _write_later(context, board, happenings)
        at_once = ()
    here = [p for seat, p in enumerate(board.match.players) if seat not in board.match.gone]
    actors = [happening.actor for happening in happenings if happening.actor in board.match.players]
    readers = tuple(dict.fromkeys((*here, *filter(None, actors), *at_once)))
    context.budget.charge_deed((ANSWER + drawn(board.position.ply)) * len(readers))
    return messages_for(context, board, happenings, readers, there.followers)


def save_and_report(
    context: Context, before: Board, after: Board, *happenings: Happening
) -> Iterator[BoardMessage]:
    """Store a match that has changed, and return the messages about what happened."""
    saved = context.boards.save(before, after)
    places = places_after(context.work, before.match, saved.match)
    return board_messages(context, saved, *happenings, *places)


def _write_later(context: Context, board: Board, happenings: tuple[Happening, ...]) -> None:
    """Let a follow-up job write to the followers about the happenings for everybody.

    If the last job of the board has not begun, this is added to it. So however fast two play, a
    board has two jobs at most, and those of other boards come soon.
    """
    for_all = tuple(happening for happening in happenings if happening.only_for is None)
    if not for_all:
        return
    number, follow_ups = board.match.number, context.work.follow_ups
    last = follow_ups.not_begun(FollowUpKind.BOARD, number)
    if last:
        follow_ups.change(last.id, _stored((*happenings_of(last), *for_all)[-JOINED:]))
        return
    author = next((happening.actor for happening in happenings if happening.actor), None)
    facts = _stored(for_all)
    follow_ups.add(FollowUpKind.BOARD, author, context.now, number=number, facts=facts)


def _stored(happenings: tuple[Happening, ...]) -> Mapping[str, Any]:
    """Return the facts of the job that writes about these; `happenings_of` reads them."""
    return {"happenings": [happening.stored() for happening in happenings]}


def happenings_of(follow_up: FollowUp) -> tuple[Happening, ...]:
    """Return the happenings that a job writes to followers about."""
    return tuple(Happening.of(stored) for stored in follow_up.facts["happenings"])


def messages_for(
    context: Context,
    board: Board,
    happenings: tuple[Happening, ...],
    readers: Iterable[PlayerId],
    followers: tuple[PlayerId, ...],
) -> Iterator[BoardMessage]:
    """Yield a message for each of the `readers` who may see something of these happenings."""
    readers = tuple(readers)
    named = Followers(followers[:NAMED], len(followers[NAMED:]))
    people = context.people({*everybody(board), *readers, *named.names})
    visible = visibility(context.work, happenings)
    common, view = Common(), views(board)
    for player in readers:
        mine = [happening for happening in happenings if happening.only_for in (None, player)]
        told = tuple([shown for each in mine if (shown := visible(each, player))])
        if told:
            talk = not [h for h in told if h.event.effect is not Effect.TALK or h.actor == player]
            token = board_token(board, player, TokenKind.TALK if talk else TokenKind.BOARD)
            yield BoardMessage(
                people[player], told, view(player), people, context.now, named,
                context.work.plans.private_notes(board.match.number, player), common, reply=token,
            )  # fmt: skip


def visibility(
    work: UnitOfWork, happenings: tuple[Happening, ...]
) -> Callable[[Happening, PlayerId], Happening | None]:
    """Return the function that shows these happenings of one board to each player.

    It returns a happening as it is, without its comment, or not at all.

    A reader does not see the words of a player whom they block. Only the blockers of those who
    wrote something are looked up.
    """
    writers = {h.actor for h in happenings if h.comment and h.actor is not None}
    if not writers:
        return lambda happening, _reader: happening
    blockers = {writer: work.blocks.blockers_of(writer) for writer in writers}

    def visible(happening: Happening, reader: PlayerId) -> Happening | None:
        if happening.actor is None or reader not in blockers.get(happening.actor, ()):
            return happening
        talk = happening.event.effect is Effect.TALK
        return None if talk else replace(happening, comment="")

    return visible
