"""Blocks and reports: what players can do about each other."""

from collections.abc import Iterator, Mapping

from pbm.domain.errors import NotAllowed, NotNow
from pbm.domain.invitations import InvitationState
from pbm.domain.play import LiveMatch
from pbm.domain.player import Player, fold_userid
from pbm.domain.talk import MOST_BLOCKED, Said, words_of
from pbm.service.commands.people import Block, Blocks, Report, Unblock
from pbm.service.context import Context, Handler, day_of, everybody
from pbm.service.letters import Message, noted
from pbm.service.notices.people import BlocksShown, Reported

REPORTS_A_DAY = 5

LAST_WORDS = 10
"""What the operator reads of somebody's words at most, the newest."""

BOARDS_READ = 5
"""Boards, the newest that two players share, whose words go with a report."""

_ALL = 1_000_000


def block(context: Context, command: Block) -> Iterator[Message]:
    """Let nothing that another player writes reach the sender; the other is not told."""
    player, other = _both(context, command.userid)
    if len(context.work.blocks.blocked_by(player.id)) >= MOST_BLOCKED:
        raise NotNow(f"You block {MOST_BLOCKED} players already. Unblock one first.", "blocks")
    if not context.work.blocks.block(player.id, other.id):
        raise NotNow(f"You block {other.userid} already.", _blocks(player))
    yield noted(
        player,
        f"You block {other.userid}: nothing that they write reaches you. Moves on your boards "
        "still do. They are not told.",
    )


def unblock(context: Context, command: Unblock) -> Iterator[Message]:
    """Let another player write to the sender again."""
    player, other = _both(context, command.userid)
    if not context.work.blocks.unblock(player.id, other.id):
        raise NotNow(f"You do not block {other.userid}.", _blocks(player))
    yield noted(player, f"{other.userid} can write to you again.")


def _both(context: Context, userid: str) -> tuple[Player, Player]:
    """Return the sender and somebody else, of that name."""
    player = context.sender()
    (other,) = context.players([userid])
    if other.id == player.id:
        raise NotAllowed("That is you. Name somebody else.")
    return player, other


def _blocks(player: Player) -> str:
    return f"blocks {player.userid} your-password"


def show_blocks(context: Context, _command: Blocks) -> Iterator[Message]:
    """List whom the sender blocks."""
    player = context.sender()
    people = context.people(context.work.blocks.blocked_by(player.id))
    userids = sorted((other.userid for other in people.values()), key=fold_userid)
    yield BlocksShown(player, tuple(userids))


def report(context: Context, command: Report) -> Iterator[Message]:
    """Tell the operator of a player or a board, with the last words there, and nobody else."""
    reporter, operator = context.sender(), context.services.operator
    if operator is None:
        raise NotNow(
            "Nobody can be told: this server has named no operator. You can block a player.",
            "block alice your-password bob",
        )
    other = _reported(context, reporter, command)
    board = context.board(command.number) if command.number or not other else None
    if context.work.tally(f"report:{reporter.id}", day_of(context.now)) > REPORTS_A_DAY:
        raise NotNow(f"You can send {REPORTS_A_DAY} reports a day.", "help report")
    userid = other.userid if other else ""
    number = board.match.number if board else None
    said = _said_by(context, reporter, other, board)
    yield Reported(operator, reporter.userid, userid, number, context.comment, said)
    what = userid or f"board {number}"
    yield noted(reporter, f"The operator has been told of {what}. Nobody else is told.")


def _reported(context: Context, reporter: Player, command: Report) -> Player | None:
    """Return the player reported: by name, or by a reply to their invitation; None for a board."""
    if command.userid:
        return _both(context, command.userid)[1]
    if command.number is not None:
        return None
    invitation = context.work.invitations.get(context.board_number(None))
    if invitation is None or invitation.state is InvitationState.STARTED:
        return None
    asked = reporter.id in invitation.players and reporter.id != invitation.inviter
    return context.people([invitation.inviter])[invitation.inviter] if asked else None


def _said_by(
    context: Context, reporter: Player, other: Player | None, board: LiveMatch | None
) -> tuple[Said, ...]:
    """Return the last words of `other` on the board, or on those shared; of all there if None."""
    boards = [board] if board else [] if other is None else _shared(context, reporter, other)
    people = context.people({player for each in boards for player in everybody(each)})
    said = (words for each in boards for words in words_of(each.match, people))
    wanted = (words for words in said if other is None or words.by == other.userid)
    return tuple(sorted(wanted, key=lambda words: words.at)[-LAST_WORDS:])


def _shared(context: Context, reporter: Player, other: Player) -> list[LiveMatch]:
    rows = context.work.matches.listing(None, [reporter.id], limit=_ALL)
    numbers = [row.number for row in rows if other.userid in row.players]
    return [context.boards.get(number) for number in numbers[-BOARDS_READ:]]


HANDLERS: Mapping[type, Handler] = {
    Block: block,
    Unblock: unblock,
    Blocks: show_blocks,
    Report: report,
}
