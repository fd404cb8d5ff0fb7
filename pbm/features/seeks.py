"""Seeks: open to everybody, announced to those who want to know, and taken by the first."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbm.core.budget import QUERY
from pbm.core.command import (
    CommandLine,
    Count,
    InvitationNumber,
    Proof,
    Request,
    command,
    reply_command,
)
from pbm.core.context import Context
from pbm.core.letters import Message, letter, noted
from pbm.core.limits import Limit, count_each
from pbm.core.open_boards import agreed_by_all, is_for_two, setup_for, setup_of, start_match
from pbm.core.robots import robot_line
from pbm.core.schedule import READERS, JobPart, endings, outlived
from pbm.core.tokens import Token, TokenKind, player_token
from pbm.core.words import Words, split_options
from pbm.domain.description import terms_line, typed_terms
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood, UnknownName, UnreadSecret
from pbm.domain.invitations import (
    SEEK_LASTS,
    SEEKS_HEARD,
    SEEKS_TOLD,
    Seek,
    asked_ratings,
    asked_seat,
    moved_to,
    wants_seeks,
    whole_number,
)
from pbm.domain.mail import Leaving, Mailing
from pbm.domain.player import Player, PlayerId
from pbm.domain.ratings import Rating
from pbm.engine import AnyGame, fold, listing
from pbm.features.closed_invitations import withdraw_invitation
from pbm.features.people import apart_from
from pbm.features.settings import has_room
from pbm.store.time import FollowUp, FollowUpKind

_MOST_SOUGHT = 10

_NAMED = 3
"""Other seeks that are named to somebody who came too late."""

ACCEPTED = Limit("seek", 10, 3)
"""Seeks of others that one player accepts in an hour."""


def _read_seek(line: CommandLine) -> Request:
    """Read `[HOW-MANY] [userid password]` and options; without a number it is one match."""
    options = split_options(line.words.rest)
    words = Words(options.words)
    first = "".join(words.rest[:1])
    count: int | None = 1
    if first[:1].isdigit():
        del words.rest[0]
        count = whole_number(first, _MOST_SOUGHT)
    if count is None:
        raise NotUnderstood(f"seek takes a number from 0 to {_MOST_SOUGHT}.", line.example)
    credentials = words.credentials(line.proven, least_rest=0)
    if words.rest:
        raise UnreadSecret(
            "seek takes a number, your userid and password, and options.", line.example
        )
    return line.request(credentials, count=count, options=options.game, terms=options.match)


@command(
    "seek", "[HOW-MANY] [userid password] [-option=value] [--option=value]",
    "looks for an opponent, or several", "GAME seek alice your-password",
    needs=Proof.PERSON, locks=True, read=_read_seek, needs_game=True,
    writes=lambda request: (*request.words("count"), *request.who, *request.options),
    text="It is shown under list, and players who asked for it get a mail. The first player to "
         "accept gets the match. If somebody is already seeking the same, the match starts at "
         "once. Options and terms are those of challenge; sides are chosen at random unless you "
         "add --seat. You can seek one kind of match of a game at a time.\n"
         "HOW-MANY is a number of matches. If a game is for more than two, it is the number of "
         "players of one match, which starts when the last of them seeks the same or accepts.\n"
         "--rating=1400-1700 finds you an opponent with such a rating. New players have "
         f"{Rating().rating:.0f}.\n"
         f"It ends after {SEEK_LASTS.days} days. To withdraw it: withdraw and its number, or GAME "
         "seek 0.\n"
         "GAME notify seeks sends you a mail when others seek.",
)  # fmt: skip
def seek(
    context: Context, count: Count, options: Mapping[str, str], terms: Mapping[str, str]
) -> Iterator[Message]:
    """Pair the player with seeks that fit, oldest first; store and announce the rest.

    A player seeks one kind of match of a game at a time; a count of 0 withdraws it. If nothing but
    the number of matches changes, the seek keeps its number and is not announced again.
    """
    player, game = context.sender(), context.named_game
    if count:
        context.catalogue.on_offer(game)
    setup = setup_of(game, options)
    if count > 1 and not is_for_two(game):
        setup, count = setup_for(game, options, count, player.userid), 1
    seat, given = asked_seat(terms, game.info.seats[: game.info.players(setup)])
    ratings, given = asked_ratings(given)
    agreed = replace(context.services.periods.terms.read(given), draw_seats=False)
    mine = Seek(0, player.id, game.info.key, setup, agreed, count, context.now, seat, ratings)
    yield from _join(context, game, mine, _open_to(context, player, game.info.key))


def _join(context: Context, game: AnyGame, mine: Seek, others: Iterable[Seek]) -> Iterator[Message]:
    """Begin the matches for which `others` and the player are enough, and store what is left."""
    player, asked = context.person(mine.player), mine.count
    table: tuple[Seek, ...] = (mine,)
    for other in others:
        if mine.count and _fits(context, game, table, other):
            table = (*table, other)
        if len(table) == game.info.players(mine.setup):
            yield from _begin(context, game, table)
            mine = replace(mine, count=mine.count - 1)
            table = (mine,)
    if mine.count or is_for_two(game):
        yield _store(context, player, mine, asked, table[1:])
    else:
        _close(context, mine)


def _fits(context: Context, game: AnyGame, table: tuple[Seek, ...], other: Seek) -> bool:
    """Return whether `other` can play with all at the table; the first one may meet them."""
    if not (all(each.fits(other) for each in table) and has_room(context, game, other.player)):
        return False
    asking = [(each, other.player) for each in table] + [(other, each.player) for each in table]
    if not all(is_rated_for(context, seek, player) for seek, player in asking):
        return False
    one, *people = (context.person(each.player) for each in (other, *table[1:]))
    return not any(
        one.id in apart_from(context, player) or _is_same_person(one, player) for player in people
    )


def _store(
    context: Context, player: Player, mine: Seek, asked: int, joined: tuple[Seek, ...]
) -> Message:
    """Store what is left of the seek in place of the player's earlier one of the game.

    A match of several begins when more have come than the `joined`.
    """
    before = next((s for s in context.work.wishes.seeks_of(player.id) if s.game == mine.game), None)
    announced = False
    if before and mine.count and before.is_like(mine):
        mine, announced = replace(mine, number=before.number), True
    elif mine.count:
        mine = replace(mine, number=context.work.next_number())
        announced = not joined and context.today(f"seeks-told:{player.id}") <= SEEKS_TOLD
        if announced:
            kind = FollowUpKind.SEEK
            context.work.follow_ups.add(kind, player.id, context.now, number=mine.number)
    context.work.wishes.set_seek(mine)
    game = context.catalogue.get(mine.game)
    withdrawn = before.number if before and before.number != mine.number else 0
    is_open = mine.count > 0
    more = "more " if mine.count != asked else ""
    sought = f"{mine.count} {more}{'match' if mine.count == 1 else 'matches'}" if is_open else ""
    return letter(
        player, "seeks/noted",
        sought=sought, open=is_open, several=mine.count > 1, announced=announced,
        announcements=SEEKS_TOLD,
        joined=[context.person(each.player).userid for each in joined],
        missing=game.info.players(mine.setup) - 1 - len(joined),
        withdrawn=withdrawn, robot=robot_line(context, mine.game) if is_open else "",
        board=mine.number if is_open else None,
        reply=Token(TokenKind.INVITATION, mine.number, player.id) if is_open else None,
        **_facts_of(context, mine),
    )  # fmt: skip


def _facts_of(context: Context, seek: Seek) -> dict[str, Any]:
    """Return the facts of a letter that describes a seek. `side` is the one that they ask for."""
    game = context.catalogue.get(seek.game)
    return {
        "number": seek.number,
        "key": seek.game,
        "title": game.info.title,
        "terms": terms_line(seek, game),
        "side": "" if seek.seat is None else game.info.seats[seek.seat],
        "size": game.info.players(seek.setup),
        "until": seek.made_at + SEEK_LASTS,
    }


@command(
    "withdraw", "N [userid password]", "withdraws your invitation or seek",
    "withdraw 104 alice your-password", needs=Proof.BOARD, locks=True,
    text="In a reply to the mail about it, the word alone is enough. A match that has begun "
         "cannot be withdrawn.",
)  # fmt: skip
def withdraw(context: Context, number: InvitationNumber) -> Iterator[Message]:
    """Take an invitation or a seek of the player's own back."""
    player, number = context.sender(), context.board_number(number)
    sought = context.work.wishes.seek(number)
    match = context.work.matches.get(number)
    if match and player.id in match[0].players:
        raise NotNow(
            f"Board {number} has begun. You can resign it; before your first move that does not "
            "count.",
            f"resign {number} {player.userid} your-password",
        )
    if sought is None or sought.player != player.id:
        yield from withdraw_invitation(context, player, number)
    else:
        _close(context, sought)
        yield noted(player, f"Your seek {number}, of {_title(context, sought)}, was withdrawn.")


def close_seeks(context: Context, player: PlayerId) -> bool:
    """Close the seeks of `player`; return whether there was one."""
    seeks = context.work.wishes.seeks_of(player)
    for seek in seeks:
        _close(context, seek)
    return bool(seeks)


def _open_to(context: Context, player: Player, game: str | None = None) -> tuple[Seek, ...]:
    """Return the seeks that `player` could accept, the oldest first."""
    context.budget.charge_step(QUERY * 2)
    apart = apart_from(context, player)
    seeks = context.work.wishes.seeks(game)
    people = context.people(seek.player for seek in seeks)
    return tuple(
        seek
        for seek in seeks
        if seek.player not in apart
        and not _is_same_person(player, people[seek.player])
        and is_rated_for(context, seek, player.id)
    )


def is_rated_for(context: Context, seek: Seek, player: PlayerId) -> bool:
    """Return whether the player's rating is one that the seek asks for."""
    if seek.ratings is None:
        return True
    own = context.work.ratings.of(seek.game, [player]).get(player, Rating())
    return seek.ratings[0] <= round(own.rating) <= seek.ratings[1]


def _is_same_person(one: Player, other: Player) -> bool:
    """Return whether two accounts show that they belong to one person."""
    return one.id == other.id or bool(set(one.addresses) & set(other.addresses))


def take(context: Context, player: Player, seek: Seek) -> Iterator[Message]:
    """Begin a match of `seek` with `player`, who accepts it; raise a Refusal if they cannot."""
    if seek.player == player.id:
        raise NotNow(
            f"That is your own seek. Somebody else must accept {seek.number}.",
            f"withdraw {seek.number} {player.userid} your-password",
        )
    seeker = context.person(seek.player)
    game = context.catalogue.get(seek.game)
    if _is_same_person(player, seeker):
        raise NotAllowed("You cannot play against yourself.")
    if seek.player in apart_from(context, player):
        # As if there were no such seek: nobody learns who blocks them.
        raise come_too_late(context, player, seek.number)
    if not is_rated_for(context, seek, player.id):
        raise NotAllowed(
            f"{seeker.userid} is looking for an opponent with another rating than yours: "
            f"{terms_line(seek, game)}",
            f"{seek.game} seek {player.userid} your-password",
        )
    if not has_room(context, game, seeker.id):
        raise NotAllowed(f"{seeker.userid} has reached their limit of boards of {game.info.title}.")
    count_each(context, ACCEPTED, player, [seeker])
    mine = replace(
        seek, number=0, player=player.id, count=1, made_at=context.now, seat=None, ratings=None
    )
    if is_for_two(game):
        yield from _begin(context, game, (mine, seek))
    else:
        others = (other for other in _open_to(context, player, seek.game) if other != seek)
        yield from _join(context, game, mine, (seek, *others))


def _begin(context: Context, game: AnyGame, table: tuple[Seek, ...]) -> Iterator[Message]:
    """Begin a match of all at the table, the first of whom has just come."""
    _, seek, *_ = table
    for other in table[1:]:
        context.work.wishes.take_seek(other)
    seats = context.services.chance.shuffled([each.player for each in reversed(table)])
    for seat, player in sorted((s.seat, s.player) for s in table if s.seat is not None):
        seats = moved_to(seat, player, seats)
    number = seek.number if seek.count == 1 else None
    agreed = agreed_by_all(context, game, seek.setup, seek.terms, seats, number)
    yield from start_match(context, agreed)


def come_too_late(context: Context, player: Player, number: int) -> NotNow | UnknownName:
    """Return the refusal of somebody who accepts `number`: who plays there, and what is open."""
    match = context.work.matches.get(number)
    others = _open_to(context, player)[:_NAMED]
    seated = match[0].players if match else ()
    people = context.people({*(seek.player for seek in others), *seated})
    if match:
        names = listing((people[one].userid for one in seated), last="and")
        played = "have played" if match[0].over else "play"
        said = f"{number} is taken: {names} {played} there."
    else:
        said = f"There is no open invitation {number}."
    still = (
        f"{seek.number} ({people[seek.player].userid}, {_title(context, seek)})" for seek in others
    )
    example = "list"
    if match:
        line = robot_line(context, match[0].game) or f"{match[0].game} seek"
        example = f"{line} {player.userid} your-password"
    if others:
        example = f"accept {others[0].number} {player.userid} your-password"
        said += f" Still open: {listing(still, last='and')}."
    return NotNow(said, example) if match else UnknownName(said, example)


def _title(context: Context, seek: Seek) -> str:
    return context.catalogue.get(seek.game).info.title


def read_want_seeks(line: CommandLine, *, wanted: bool) -> Request | None:
    """Read `seeks [userid password]`, as behind notify; None if it is about boards."""
    if fold("".join(line.words.rest[:1])) not in ("seek", "seeks"):
        return None
    del line.words.rest[0]
    credentials = line.who()
    if line.words.rest:
        raise NotUnderstood("seeks takes no words after it.", line.example)
    return line.request(credentials, command=want_seeks, wanted=wanted)


@reply_command(
    "want seeks", needs=Proof.PERSON, locks=True,
    writes=lambda request: ("seeks", *request.who),
)  # fmt: skip
def want_seeks(context: Context, wanted: bool) -> Iterator[Message]:  # noqa: FBT001
    """Begin or stop to write to the player about seeks, of the game named or of all games."""
    player, catalogue = context.sender(), context.catalogue
    games = [catalogue.get(context.game)] if context.game else list(catalogue)
    for game in games:
        value = "yes" if wanted else None
        context.work.players.set_setting(player.id, wants_seeks(game.info.key), value)
    what = games[0].info.title if context.game else "any game"
    line = f"{context.game} unsubscribe seeks" if context.game else "unsubscribe seeks"
    yield noted(
        player,
        f"You get a mail when somebody seeks an opponent at {what}, at most {SEEKS_HEARD} a day. "
        f"To see the open seeks, reply list. To stop the mails, reply {line}."
        if wanted
        else f"You get no more mails about seeks at {what}.",
        reply=player_token(player.id),
    )


def announce_seek(context: Context, follow_up: FollowUp) -> JobPart:
    """Write to some of those who want to know of a seek, as long as it is open."""
    seek = context.work.wishes.seek(follow_up.number or 0)
    if seek is None:
        return JobPart((), None)
    seeker, facts = context.person(seek.player), _facts_of(context, seek)
    wanted, after = wants_seeks(seek.game), follow_up.done_up_to
    batch = context.work.players.with_setting(wanted, "yes", after=after, limit=READERS)
    letters = tuple(
        letter(
            reader, "seeks/announced", seeker=seeker.userid, board=seek.number,
            leave=Leaving(Mailing.SEEKS, game=seek.game),
            reply=Token(TokenKind.INVITATION, seek.number, reader.id), **facts,
        )
        for reader in batch
        if _may_hear_of(context, seek, seeker, reader)
    )  # fmt: skip
    return JobPart(letters, batch[-1].id if batch else None)


def _may_hear_of(context: Context, seek: Seek, seeker: Player, reader: Player) -> bool:
    """Return whether `reader` gets a mail of a seek, and count it.

    Not if they could not accept it: it is their own, one of both blocks the other, or it is for
    other ratings. Nor if they have had their share today.
    """
    if _is_same_person(reader, seeker) or seeker.id in apart_from(context, reader):
        return False
    if not is_rated_for(context, seek, reader.id):
        return False
    return context.today(f"seeks-heard:{reader.id}") <= SEEKS_HEARD


def _expired(context: Context, most: int) -> list[tuple[datetime, Seek]]:
    return outlived(context, context.work.wishes.seeks_since, SEEK_LASTS, most)


def _close(context: Context, seek: Seek) -> None:
    context.work.wishes.set_seek(replace(seek, count=0))


def _found_nobody(context: Context, seek: Seek) -> Iterator[Message]:
    player, game = context.person(seek.player), context.catalogue.get(seek.game)
    if player.active:
        more = [] if seek.seat is None else [f"--seat={seek.seat + 1}"]
        if seek.ratings:
            more.append("--rating={}-{}".format(*seek.ratings))
        yield letter(
            player, "seeks/closed", title=game.info.title, days=SEEK_LASTS.days,
            matches="one match" if seek.count == 1 else f"{seek.count} matches",
            line=" ".join([seek.game, "seek", str(seek.count), *typed_terms(seek, game), *more]),
            robot=robot_line(context, seek.game), reply=player_token(player.id),
        )  # fmt: skip


EXPIRED_SEEKS = endings(
    "expired seeks", "expired seek", _expired, _close, _found_nobody,
    whose=lambda seek: (seek.player, None), about=lambda seek: f"the end of a seek of {seek.game}",
)  # fmt: skip
"""Closing seeks that have found nobody. They do not age while all clocks are stopped."""
