"""The door: one mail in, and everything that follows from it in one unit of work."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from pbm.domain.errors import NotUnderstood, Refusal, UnknownName, WrongPassword
from pbm.domain.mail import IncomingMail, Report
from pbm.domain.play import LiveMatch
from pbm.engine import MoveError, MoveSyntaxError, counted
from pbm.service.answers import answered, each_once, refusal
from pbm.service.boards import Boards
from pbm.service.budget import (
    HELP_PAGE,
    Budget,
    Cost,
    Hours,
    HourSpent,
    TooMuch,
    unproven,
)
from pbm.service.commands import Reply
from pbm.service.commands.accounts import Confirm, ConfirmErrand
from pbm.service.commands.line import AtBoard, Command, Request, Words
from pbm.service.context import Context, Services, context_without_mail, day_of, hour_of
from pbm.service.handlers import handlers
from pbm.service.identity import (
    Proof,
    by_password,
    count_failure,
    prove,
)
from pbm.service.notices import Notice
from pbm.service.notices.answers import together
from pbm.service.notices.help import HelpPage, Introduction
from pbm.service.notices.play import commented_in
from pbm.service.ports import UnitOfWork
from pbm.service.post import post
from pbm.service.script import COMMAND_LINES, Script, read_script, without_password, without_tokens
from pbm.service.steps.absence import returned
from pbm.service.steps.bounces import answer_unreachable, take_report
from pbm.service.tokens import Token, TokenKind

UNPROVEN_AN_HOUR = 2000
"""Mails without a reply token that are read from one address in an hour; the rest are dropped."""

_CONFIRMATIONS: Mapping[TokenKind, Callable[[int, str], Command]] = {
    TokenKind.SIGNUP: lambda signup, line: Confirm(signup, line.partition(" ")[0]),
    TokenKind.ERRAND: ConfirmErrand,
}
"""What a reply with a token of this kind asks for, given the token's number and the first line."""


@dataclass(frozen=True, slots=True)
class Reception:
    """Reads mails and carries out what each asks for."""

    services: Services

    def receive(self, work: UnitOfWork, mail: IncomingMail, now: datetime) -> Cost:
        """Carry out what `mail` asks for, put the answers into the outbox; return what it cost.

        Refusals are answers. Anything else that is raised is a bug, or a Conflict; the caller
        rolls back, and this mail has had no effect.
        """
        if mail.report is not None:
            self._take_report(work, mail.report, now)
        if mail.silence is not None or mail.author is None:
            return Cost()
        proof = prove(work, self.services.mint, mail)
        if proof.token is None and self._over_bound(work, "read", mail, UNPROVEN_AN_HOUR, now):
            return Cost()
        hours = Hours(work, hour_of(now))
        budget = Budget(unproven(mail.author), hours)
        notices = self._answers(work, mail, proof, now, budget)
        post(self.services, work, together(notices), now, mail)
        hours.store()
        return budget.spent

    def _take_report(self, work: UnitOfWork, report: Report, now: datetime) -> None:
        context = context_without_mail(self.services, work, now)
        post(self.services, work, take_report(context, report), now)

    def _over_bound(
        self, work: UnitOfWork, what: str, mail: IncomingMail, most: int, now: datetime
    ) -> bool:
        """Count one more for this address and hour; return whether that exceeds `most`."""
        return work.tally(f"{what}:{mail.author}", hour_of(now)) > most

    def _answers(
        self, work: UnitOfWork, mail: IncomingMail, proof: Proof, now: datetime, budget: Budget
    ) -> list[Notice]:
        assert mail.author is not None  # noqa: S101 - `receive` has checked
        known = (proof.reply.player,) if proof.reply else work.players.by_address(mail.author)
        boards = Boards(work, self.services.catalogue, now, budget)
        context = Context(self.services, work, boards, now, mail.author, None, known, budget=budget)
        if proof.misused:
            once = work.tally(f"misused:{proof.misused.to.id}", day_of(now)) == 1
            return [proof.misused] if once else []
        command = self._confirmation(mail, proof)
        if proof.token and command:
            notices = list(handlers()[type(command)](context, command))
            return notices + _back_by_errand(context, proof.token)
        if proof.reply is None:
            return [*self._run(context, mail), *answer_unreachable(context)]
        player, welcome = returned(context, proof.reply.player)
        reply = replace(proof.reply, player=player)
        return welcome + self._run(replace(context, known=(player,), reply=reply), mail)

    def _confirmation(self, mail: IncomingMail, proof: Proof) -> Command | None:
        """Return what a reply with a confirming token asks for; None for any other mail.

        Also None if any reply confirms and this one is a command: then the command is run.
        """
        line = next((line.strip() for line in mail.lines if line.strip()), "")
        if proof.token is None or proof.token.kind not in _CONFIRMATIONS:
            return None
        if proof.reply and self.services.grammar.begins_command(line):
            return None
        return _CONFIRMATIONS[proof.token.kind](proof.token.number, line)

    def _run(self, context: Context, mail: IncomingMail) -> list[Notice]:
        """Carry out the commands of `mail`, one after the other, each with its own answer."""
        notices: list[Notice] = []
        script = read_script(
            mail, self.services.grammar, context.reply, lambda line: _is_move(context, line)
        )
        if not script.commands:
            return _nothing_asked(context)
        for line in each_once(script.commands, self.services.grammar, context.reply):
            context.budget.charge(context.payer)
            notices += self._run_line(context, line, script, commented_in(notices))
        return [*notices, *_too_many(context, script)]

    def _run_line(
        self, context: Context, line: str, script: Script, commented: frozenset[int]
    ) -> list[Notice]:
        """Carry out one line, or refuse it and undo what it did.

        The mail's text is not repeated on boards that an earlier line has `commented`.
        """
        request: Request | None = None
        welcome: list[Notice] = []
        try:
            request = self._request(context, line)
            context = self._proven(context, request, script)
            if context.player and context.reply is None:
                player, welcome = returned(context, context.player)
                context = replace(context, player=player)
            if board_of(request.command, context.reply) in commented:
                context = replace(context, comment="")
            with context.work.savepoint():
                told = list(handlers()[type(request.command)](context, request.command))
            return [*welcome, *answered(context, request, told)]
        except (Refusal, MoveError) as error:
            context.boards.forget()
            if isinstance(error, WrongPassword) and request and request.credentials:
                count_failure(context.work, request.credentials, context.author, context.now)
            return [*welcome, *refusal(context, request, error)]

    def _request(self, context: Context, line: str) -> Request:
        reply = context.reply
        if self.services.grammar.begins_command(line):
            return self.services.grammar.read(line, reply)
        if reply is not None and reply.ply:
            return self.services.grammar.read(f"move {line}", reply)
        if _names_board(context, line):
            # One of several lines may be a sentence of its own: "101 A4."
            return self.services.grammar.read(f"move {line.rstrip(' .!')}", reply)
        if reply is not None and reply.number is None:
            raise NotUnderstood("Say which board you mean: that mail was about several.")
        if reply is not None:
            raise NotUnderstood("An invitation is answered by accept or decline.", "accept")
        meant = self.services.grammar.resembles_command(line)
        raise NotUnderstood(
            f"There is no such command; did you mean {' or '.join(meant)}?"
            if meant
            else "That could not be read as a command."
        )

    def _proven(self, context: Context, request: Request, script: Script) -> Context:
        """Return the context with the player that `request` is proven to be from."""
        player = context.reply.player if context.reply else None
        if request.credentials:
            player = by_password(
                context.work, self.services.passwords, request.credentials,
                context.author, context.now,
            )  # fmt: skip
        comment = without_tokens(self.services.mint, script.comment)
        if player and comment:
            comment = without_password(context.work, self.services.passwords, player, comment)
        context = replace(context, player=player, game=request.game, comment=comment)
        context.budget.charge(context.payer)
        return context


def _back_by_errand(context: Context, token: Token) -> list[Notice]:
    """Welcome back a player who answered such a mail from an address that is now theirs."""
    player = context.people([token.player]).get(token.player)
    if player is None or context.author not in player.addresses:
        return []
    return returned(context, player)[1]


def _too_many(context: Context, script: Script) -> list[Notice]:
    """Return the answer to commands beyond those that are read in one mail."""
    if not script.unread:
        return []
    lines = counted(script.unread, "line")
    few = NotUnderstood(
        f"A mail holds at most {COMMAND_LINES} commands. Your last {lines} did nothing: "
        "please send that part in another mail."
    )
    return refusal(context, None, few)


def board_of(command: Command, reply: Reply | None) -> int | None:
    """Return the number of the board that `command` is about, if it is about one."""
    given = command.number if isinstance(command, AtBoard) else None
    return reply.number if given is None and reply is not None else given


def _is_move(context: Context, line: str) -> bool:
    """Return whether `line`, without a verb, is meant as a move.

    It is if it reads as one on the board replied to, legal or not, or if `_names_board` is true.
    """
    if _names_board(context, line):
        return True
    board = _replied_to(context)
    if board is None or not board.to_move:
        return False
    try:
        board.game.parse(board.position.state, board.to_move[0], line.partition("#")[0])
    except MoveSyntaxError:
        return False
    except MoveError:
        return True
    return True


def _names_board(context: Context, line: str) -> bool:
    """Return whether `line` answers a mail about several boards and begins with one of them.

    Any text may follow: "101 thanks" is refused as no move, and a move in a match that has ended
    meanwhile is refused, too. If such a line were skipped, a move would be lost silently.
    """
    reply = context.reply
    number, _ = Words(line.split()).board_number()
    if reply is None or reply.number is not None or number is None:
        return False
    try:
        return bool(context.boards.get(number).match.seats_of(reply.player.id))
    except UnknownName:
        return False
    except TooMuch:
        return True  # it is refused when its turn comes, and not lost silently


def _replied_to(context: Context) -> LiveMatch | None:
    """Return the board that the mail answers; None if it answers none, or an invitation."""
    reply = context.reply
    if reply is None or reply.number is None or not reply.ply:
        return None
    try:
        return context.boards.get(reply.number)
    except UnknownName:
        return None


def _nothing_asked(context: Context) -> list[Notice]:
    """Return what a mail without any command gets: nothing, unless it may be answered.

    An empty reply is told what would work; any other mail gets the introduction, which says that
    no command was found.
    """
    if context.reply is not None:
        nothing = NotUnderstood("Your reply holds nothing that can be read as a command or move.")
        return refusal(context, None, nothing)
    if context.reader is None:
        return []
    try:
        context.budget.spend(HELP_PAGE)
    except HourSpent as error:
        return refusal(context, None, error)
    return [HelpPage(context.reader, Introduction(tuple(context.services.catalogue), unread=True))]
