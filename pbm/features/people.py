"""People: blocks between players, reports to the operator, and mails to the postmaster."""

import logging
from collections.abc import Iterable, Iterator

from pbm.core.command import (
    BoardNumber,
    CommandLine,
    Proof,
    Request,
    Userid,
    command,
    one_userid,
    read_bare,
    written_words,
)
from pbm.core.context import Context, everybody, hour_of
from pbm.core.letters import Attachment, Message, answer, letter, noted
from pbm.core.words import is_board
from pbm.domain.errors import NotAllowed, NotNow
from pbm.domain.invitations import InvitationState
from pbm.domain.mail import IncomingMail
from pbm.domain.match import MOST_BLOCKED, Said, words_of
from pbm.domain.play import Board
from pbm.domain.player import Player, PlayerId, fold_userid

log = logging.getLogger("pbm.play")


@command(
    "block", "[userid password] userid", "hides everything that a player writes",
    "block alice your-password bob", needs=Proof.PERSON, locks=True, in_letters=True,
    text="You get no more invitations, messages, chat or comments from them, and no seek pairs "
         "you. On boards that you share you still get their moves, without comments, and records "
         "leave their words out. They are not notified.",
)  # fmt: skip
def block(context: Context, userid: Userid) -> Iterator[Message]:
    """Block another player: the sender gets nothing more that they write."""
    player, other = _both(context, userid)
    if len(context.work.blocks.blocked_by(player.id)) >= MOST_BLOCKED:
        raise NotNow(f"You already block {MOST_BLOCKED} players. Unblock one first.", "blocks")
    if not context.work.blocks.block(player.id, other.id):
        raise NotNow(f"You already block {other.userid}.", _blocks_line(player))
    yield noted(
        player,
        f"You have blocked {other.userid}: you get nothing more that they write, except moves on "
        "your boards. They are not notified.",
    )


@command(
    "unblock", "[userid password] userid", "lets a player write to you again",
    "unblock alice your-password bob", needs=Proof.PERSON, locks=True,
)  # fmt: skip
def unblock(context: Context, userid: Userid) -> Iterator[Message]:
    """Let another player write to the sender again."""
    player, other = _both(context, userid)
    if not context.work.blocks.unblock(player.id, other.id):
        raise NotNow(f"You do not block {other.userid}.", _blocks_line(player))
    yield noted(player, f"{other.userid} can write to you again.")


def _both(context: Context, userid: str) -> tuple[Player, Player]:
    """Return the sender and the other player of that name."""
    player = context.sender()
    (other,) = context.players([userid])
    if other.id == player.id:
        raise NotAllowed("That is you. Name somebody else.")
    return player, other


def _blocks_line(player: Player) -> str:
    return f"blocks {player.userid} your-password"


@command(
    "blocks", "[userid password]", "lists the players you block", "blocks alice your-password",
    needs=Proof.PERSON,
)  # fmt: skip
def blocks(context: Context) -> Iterator[Message]:
    """Mail the sender a list of the players that they block."""
    player = context.sender()
    people = context.people(context.work.blocks.blocked_by(player.id))
    blocked = sorted((other.userid for other in people.values()), key=fold_userid)
    yield answer(player, "people/blocks", blocked=blocked)


def check_not_blocking(context: Context, player: Player, others: Iterable[Player]) -> None:
    """Raise NotAllowed if `player` blocks one of `others`, who could not answer them."""
    blocked = context.work.blocks.blocked_by(player.id)
    for other in others:
        if other.id in blocked:
            raise NotAllowed(
                f"You block {other.userid}, who could not answer you. Unblock them first.",
                f"unblock {player.userid} your-password {other.userid}",
            )


def apart_from(context: Context, player: Player) -> frozenset[PlayerId]:
    """Return the players that `player` blocks and those who block them: no seek pairs these."""
    stored = context.work.blocks
    return stored.blocked_by(player.id) | stored.blockers_of(player.id)


REPORTS_A_DAY = 5

LAST_WORDS = 10
"""The operator gets at most so many of the newest words of a player."""

BOARDS_READ = 5
"""The words of so many boards go with a report: the newest that the two players share."""

_ALL = 1_000_000


def _read_report(line: CommandLine) -> Request:
    """Read `B [userid password]` or `[userid password] userid|B`; a reply may say it alone.

    In a reply to a board mail, a player is reported with the board.
    """
    words = line.words.rest
    if not words or is_board(words[0]):
        bare = read_bare(line)
        return line.request(bare.credentials, userid="", **bare.arguments)
    credentials = line.who(least_rest=1)
    if len(words) == 1 and is_board(words[0]):
        return line.request(credentials, userid="", number=line.words.board_number()[0])
    at_board = line.answered if line.reply and line.reply.ply else None
    return line.request(credentials, userid=one_userid(line), number=at_board)


def _write_report(request: Request) -> tuple[str, ...]:
    userid = request.arguments["userid"]
    return (*request.who, userid) if userid else written_words(request)


@command(
    "report", "userid password userid; report B [userid password]",
    "reports a player or a board to the operator, in confidence",
    "report alice your-password bob", needs=Proof.PERSON, read=_read_report,
    writes=_write_report, private=True,
    in_letters=True,
    text="Only the operator gets what you write below it, with the latest chat on the board. The "
         "server does not keep messages: copy the one you complain about into your mail, without "
         "the quotation marks of your mail program.",
)  # fmt: skip
def report(context: Context, userid: Userid, number: BoardNumber) -> Iterator[Message]:
    """Report a player, a board, or a player at a board to the operator, with the last words."""
    reporter, operator = context.sender(), context.services.operator
    if operator is None:
        raise NotNow(
            "Your report cannot be sent, because this server has no operator's address. You can "
            "block a player.",
            "block alice your-password bob",
        )
    other = _reported(context, reporter, userid, number)
    board = context.board(number) if number or not other else None
    if context.today(f"report:{reporter.id}") > REPORTS_A_DAY:
        raise NotNow(f"You can send {REPORTS_A_DAY} reports a day.", "help report")
    named = other.userid if other else ""
    where = f"board {board.match.number}" if board else ""
    yield letter(
        operator, "people/reported", reporter=reporter.userid, reported=named,
        what=" on ".join(filter(None, (named, where))),
        number=board.match.number if board else None,
        text=context.comment, said=_said_by(context, reporter, other, board),
    )  # fmt: skip
    yield noted(
        reporter, f"Your report about {named or where} was sent to the operator and to nobody else."
    )


def _reported(context: Context, reporter: Player, userid: str, number: int | None) -> Player | None:
    """Return the player reported: by name, or by a reply to their invitation; None for a board."""
    if userid:
        return _both(context, userid)[1]
    if number is not None:
        return None
    invitation = context.work.invitations.get(context.board_number(None))
    if invitation is None or invitation.state is InvitationState.STARTED:
        return None
    asked = reporter.id in invitation.players and reporter.id != invitation.inviter
    return context.person(invitation.inviter) if asked else None


def _said_by(
    context: Context, reporter: Player, other: Player | None, board: Board | None
) -> list[Said]:
    """Return the last words of `other` on the board, or on those shared; of all there if None."""
    boards = [board] if board else [] if other is None else _shared(context, reporter, other)
    people = context.people({player for each in boards for player in everybody(each)})
    said = (words for each in boards for words in words_of(each.match, people))
    wanted = (words for words in said if other is None or words.by == other.userid)
    return sorted(wanted, key=lambda words: words.at)[-LAST_WORDS:]


def _shared(context: Context, reporter: Player, other: Player) -> list[Board]:
    rows = context.work.matches.listing(None, [reporter.id], limit=_ALL)
    numbers = [row.number for row in rows if other.id in row.players]
    return [context.boards.get(number) for number in numbers[-BOARDS_READ:]]


MAILS_AN_HOUR = 20
"""Mails to the postmaster that are passed on in an hour, whoever writes them."""

MOST_SHUNTED = 100
"""Mails in the shunt, beyond which those to a postmaster who is not there are dropped."""

MOST_OCTETS = 64 * 1024
"""The part of a mail to the postmaster that the operator gets: its headers and more than a text."""


class NoOperatorError(Exception):
    """Mail to the postmaster that waits in the shunt until the server has an operator."""


def pass_on(context: Context, mail: IncomingMail) -> Iterator[Message]:
    """Pass a mail to the postmaster on to the operator, as it came, within the limit of an hour.

    Anybody can write to the postmaster as often as they like, and what we send to one address must
    not depend on that. Raises NoOperatorError.
    """
    whole = mail.for_operator
    if whole is None:
        return
    if context.services.operator is None:
        if context.work.shunt.count() < MOST_SHUNTED:
            raise NoOperatorError
        log.warning("mail to the postmaster is dropped: set operator, then pbm shunt retry")
        return
    count = context.work.tally("postmaster", hour_of(context.now))
    if count <= MAILS_AN_HOUR:
        text = whole[:MOST_OCTETS].decode("utf-8", "replace")
        yield from context.to_operator(
            "people/postmaster", writer=mail.author or "Somebody", subject=mail.subject,
            files=(Attachment("mail.txt", "text/plain", text),),
        )  # fmt: skip
    elif count == MAILS_AN_HOUR + 1:
        log.warning("the postmaster gets no more mails in this hour: there were %d", MAILS_AN_HOUR)
