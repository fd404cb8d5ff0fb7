"""The door: one mail in, and everything that follows from it in one unit of work."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbm.dispatch.answers import answered, each_once, nothing_asked, refusal, stop_loop, too_many
from pbm.dispatch.intents import in_plain_words
from pbm.dispatch.moves import as_move, request_of
from pbm.dispatch.reading import (
    COMMAND_LINES,
    LineReader,
    Reading,
    Script,
    is_for_operator,
    read_script,
    without_secrets,
)
from pbm.domain.addresses import is_address
from pbm.domain.confirmations import Answer, read_answer
from pbm.domain.errors import Refusal
from pbm.domain.mail import Fate, IncomingMail, Outcome, Proceedings
from pbm.domain.mailings import Mailing
from pbm.domain.phrases import below_greeting
from pbm.domain.player import Player
from pbm.engine import MoveError, quote
from pbm.features.bounces import answer_unreachable, heard_from, returned, take_report
from pbm.features.people import pass_on
from pbm.features.signups import introduce, wrong
from pbm.service.board_messages import commented_in
from pbm.service.boards import Boards
from pbm.service.budget import Budget, Cost, Hours, unproven
from pbm.service.command import Command, Request
from pbm.service.context import Context, Services, context_without_mail, day_of, hour_of
from pbm.service.grammar import confirming, find_verb
from pbm.service.identity import (
    Identity,
    asks_unregistered,
    by_password,
    count_failure,
    lacking,
    needs_proof,
    proves_person,
)
from pbm.service.letters import Message, letter, together
from pbm.service.line import Credentials, Reply
from pbm.service.outbox import post
from pbm.service.passwords import NO_HASHES, STRANGE_HASHES, Hashes, HashesOfMail, Origin
from pbm.service.ports import Passwords, UnitOfWork
from pbm.service.strangers import asks_again, is_banned, leave_alone, may_open_account
from pbm.service.token_masking import without_tokens
from pbm.service.tokens import Token, TokenKind

_SIGNUP = "signup"


def at_the_front_door(context: Context, mail: IncomingMail) -> Iterator[Message]:
    """Introduce the server to a stranger whose mail came to nothing; heed one who says no.

    A signup below a greeting that cannot be read is told what is wrong with it. An address that may
    open no account hears nothing.
    """
    lines = [line for line in (mail.subject, *mail.lines) if line.strip()]
    if context.known or not lines or not is_address(context.author):
        return
    if not may_open_account(context.work, context.author):
        context.proceedings.silenced("may-open-no-account")
        return
    if Answer.NO in map(read_answer, lines[:2]):
        context.proceedings.silenced("said-no")
        leave_alone(context, context.author, proven=False)
        return
    signup = next(filter(begins_signup, lines[: COMMAND_LINES + 1]), None)
    try:
        if signup:
            context.services.grammar.read(signup, None)
        yield from introduce(context)
    except Refusal as error:
        yield from signup_refused(context, signup or "", error)


def begins_signup(line: str) -> bool:
    """Return whether `line` is meant as a signup, whether or not it can be read as one."""
    verb = next((find_verb(word) for word in line.split()[:1]), None)
    return verb is not None and verb.name == _SIGNUP


def signup_refused(context: Context, line: str, error: Refusal | MoveError) -> Iterator[Message]:
    """Tell a stranger what is wrong with their signup; say nothing to any other `line`."""
    if not begins_signup(line) or not is_address(context.author):
        return
    asks_again(context)
    yield from wrong(context, context.author, _without_words(str(error), line))


def _without_words(sentence: str, line: str) -> str:
    """Return `sentence` without the words that it quotes from `line`."""
    for word in line.split():
        quoted = quote(word)
        sentence = sentence.replace(quoted, "That" if sentence.startswith(quoted) else "that")
    return sentence


def unsubscribe(
    services: Services,
    work: UnitOfWork,
    button: Token,
    mail: IncomingMail,
    now: datetime,
    number: int | None,
) -> Outcome:
    """Do what the button asks for, whether a person or a machine has pressed it.

    `number` is that of the mail in the inbox. Returns what became of it.
    """
    if mail.author is not None and is_banned(work, mail.author):
        return Outcome(Fate.SILENCED, "banned")
    context = context_without_mail(services, work, now)
    command = confirming(TokenKind.LEAVE)
    messages = list(command.run(
        context, mailing=Mailing(button.ply), player=button.player, number=button.number,
        subject=mail.subject,
    ))  # fmt: skip
    post(services, work, messages, now, number=number)
    context.proceedings.did(command.name, None)
    return context.proceedings.outcome(answered=bool(messages))


UNPROVEN_AN_HOUR = 2000
"""Mails without a reply token or a password that are read from one address in an hour; the rest
are dropped."""

_CONFIRMED = (TokenKind.SIGNUP, TokenKind.CONFIRMATION)
"""The kinds of tokens whose mails are answered by a confirmation. The command of each is given the
token's number, the first line of the reply, and whether that line is all that it holds."""


@dataclass(frozen=True, slots=True)
class Reception:
    """Reads mails and carries out what each asks for."""

    services: Services

    def receive(
        self,
        work: UnitOfWork,
        reading: Reading,
        now: datetime,
        hashes: Hashes = NO_HASHES,
        number: int | None = None,
    ) -> tuple[Outcome, Cost]:
        """Carry out what the mail asks for, put the answers into the outbox.

        `hashes` have been worked out for it before this unit of work began; `number` is that of
        the mail in the inbox. Returns what became of the mail, and what it cost.

        Refusals are answers. Anything else that is raised is a bug, or a Conflict; the caller
        rolls back, and this mail has had no effect.
        """
        mail = reading.mail
        if mail.for_operator is not None or mail.report is not None:
            self._take_what_needs_no_author(work, mail, now, number)
        if button := reading.button:
            return unsubscribe(self.services, work, button, mail, now, number), Cost()
        if mail.silence is not None or mail.author is None:
            return _silenced(mail.silence or "no-author")
        if is_banned(work, mail.author):
            return _silenced("banned")
        proof = reading.proof(work)
        if hashes.made and not (proof.proves or any(hashes.verdicts.values())):
            work.add_to_tally(STRANGE_HASHES, hour_of(now), len(hashes.made))
        # A mail with a password is read, right or wrong: all that are tried must be counted.
        unread = not (proof.proves or hashes.verdicts)
        if unread and self._over_bound(work, "read", mail, UNPROVEN_AN_HOUR, now):
            post(self.services, work, _unread(work, mail.author, now), now, number=number)
            return _silenced("too-many-unproven")
        passwords = HashesOfMail(self.services.passwords, hashes)
        hours = Hours(work, hour_of(now))
        budget = Budget(unproven(mail.author), hours)
        proceedings = Proceedings()
        messages = self._answers(passwords, work, reading, now, budget, proceedings)
        outcome = proceedings.outcome(answered=bool(messages))
        # A mail with a password is no program's, and its answer may warn the owner of an account.
        if proof.reply and not hashes.verdicts:
            player = proof.reply.player
            messages, outcome = stop_loop(work, mail.author, player, now, messages, outcome)
        post(self.services, work, together(messages), now, mail, number)
        hours.store()
        return outcome, budget.spent

    def _take_what_needs_no_author(
        self, work: UnitOfWork, mail: IncomingMail, now: datetime, number: int | None
    ) -> None:
        """Pass on what is for the operator, and take a report on a mail of ours."""
        context = context_without_mail(self.services, work, now)
        if mail.for_operator is not None:
            post(self.services, work, pass_on(context, mail), now, number=number)
        if mail.report is not None:
            post(self.services, work, take_report(context, mail.report), now, number=number)

    def _over_bound(
        self, work: UnitOfWork, what: str, mail: IncomingMail, most: int, now: datetime
    ) -> bool:
        """Count one more for this address and hour; return whether that exceeds `most`."""
        return work.tally(f"{what}:{mail.author}", hour_of(now)) > most

    def _answers(
        self,
        passwords: Passwords,
        work: UnitOfWork,
        reading: Reading,
        now: datetime,
        budget: Budget,
        proceedings: Proceedings,
    ) -> list[Message]:
        mail, proof = reading.mail, reading.proof(work)
        assert mail.author is not None  # noqa: S101 - `receive` has checked
        if proof.misused:
            proceedings.silenced("token-of-another")
            once = work.tally(f"misused:{proof.misused.id}", day_of(now)) == 1
            warning = letter(proof.misused, "identity/misused", number=proof.misused_at)
            return [warning] if once else []
        command, arguments = self._confirmation(mail, proof)
        context = Context(
            self.services,
            work,
            Boards(work, self.services.catalogue, now, budget),
            now,
            mail.author,
            reply=proof.reply,
            known=(proof.reply.player,) if proof.reply else work.players.by_address(mail.author),
            network=mail.network,
            author_name=mail.author_name,
            passwords=passwords,
            budget=budget,
            proceedings=proceedings,
        )
        if proof.token and command:
            messages = list(command.run(context, **arguments))
            proceedings.did(command.name, None)
            return messages + _back_by_confirmation(context, proof.token)
        if proof.reply is None or not proves_person(context, proof.reply):
            answers = self._run(context, reading) or list(at_the_front_door(context, mail))
            return [*answers, *answer_unreachable(context)]
        player, welcome = returned(context, proof.reply.player)
        if player is not proof.reply.player:
            reply = replace(proof.reply, player=player)
            context = replace(context, known=(player,), reply=reply)
        return welcome + self._run(context, reading)

    def _confirmation(
        self, mail: IncomingMail, proof: Identity
    ) -> tuple[Command | None, Mapping[str, object]]:
        """Return what a reply with a confirming token asks for, and how; None for any other mail.

        Also None if it is a corrected signup: then the command is run.
        """
        if proof.token is None or proof.token.kind not in _CONFIRMED:
            return None, {}
        line, *more = below_greeting(mail.lines) or [""]
        if proof.token.kind is TokenKind.SIGNUP and begins_signup(line):
            return None, {}
        arguments = {"number": proof.token.number, "line": line, "alone": not more}
        return confirming(proof.token.kind), arguments

    def _run(self, context: Context, reading: Reading) -> list[Message]:
        """Carry out the commands of a mail, one after the other, each with its own answer."""
        messages: list[Message] = []
        mail, lines = reading.mail, reading.lines(context.reply)
        try:
            script = read_script(mail, lines, lambda line: as_move(context, line))
            meant = in_plain_words(context, mail, script, lines)
        except Refusal as question:
            return refusal(context, None, question)
        if meant is None:
            context.proceedings.silenced("courtesy")
            return []
        script = meant
        if not script.commands:
            return nothing_asked(context)
        if script.comment:
            script = replace(script, comment=without_tokens(self.services.mint, script.comment))
        wrong: set[Credentials] = set()
        for line in each_once(script.commands, lines):
            context.budget.charge(context.payer)
            messages += self._run_line(context, lines, line, script, messages, wrong)
        return [*messages, *too_many(context, script)]

    def _run_line(
        self,
        context: Context,
        lines: LineReader,
        line: str,
        script: Script,
        before: Sequence[Message],
        wrong: set[Credentials],
    ) -> list[Message]:
        """Carry out one line, or refuse it and undo what it did.

        The mail's text is not repeated on boards where messages of earlier lines, those `before`,
        pass it on. Wrong credentials are counted once a mail; `wrong` are those of earlier lines.
        """
        request: Request | None = None
        welcome: list[Message] = []
        try:
            request = request_of(context, lines, line)
            context = self._proven(context, request, script)
            if context.player:
                player, welcome = returned(context, context.player)
                if player is not context.player:
                    context = replace(context, player=player)
            if context.comment and (
                request.board(context.reply) in commented_in(before)
                or (not request.command.private and is_for_operator(script, lines))
            ):
                context = replace(context, comment="")
            told: list[Message] = []
            if not asks_unregistered(context, request):
                with context.work.savepoint():
                    told = list(request.command.run(context, **request.arguments))
            context.proceedings.did(request.command.name, _board(request, context.reply))
            return [*welcome, *answered(context, request, told)]
        except (Refusal, MoveError) as error:
            context.boards.forget()
            notes = count_failure(context, request, error, wrong)
            if context.reader is None:
                context.proceedings.refused(error)
                return [*signup_refused(context, line, error), *notes]
            return [*welcome, *refusal(context, request, error, line), *notes]

    def _proven(self, context: Context, request: Request, script: Script) -> Context:
        """Return the context with the player that `request` is proven to be from."""
        player = self._sender(context, request)
        comment = script.comment
        if player and comment:
            comment = without_secrets(player, comment, context.author_name)
        context = replace(context, player=player, game=request.game, comment=comment)
        context.budget.charge(context.payer)
        return context

    def _sender(self, context: Context, request: Request) -> Player | None:
        """Return the player that `request` is proven to be from; None if it need not be.

        A reply that proves it is enough, even with a wrong password. Raises a Refusal if there
        is less than `proofs` says.
        """
        missing = lacking(context, request)
        if missing is None:
            return context.reply.player if context.reply and needs_proof(request) else None
        if request.credentials is None:
            raise missing
        return by_password(
            context.work, context.passwords, request.credentials,
            Origin.of(context.author, context.network, context.reply), context.now,
        )  # fmt: skip


def _silenced(rule: str) -> tuple[Outcome, Cost]:
    """Return what became of a mail that the rule of this name has silenced."""
    return Outcome(Fate.SILENCED, rule), Cost()


def _board(request: Request, reply: Reply | None) -> int | None:
    """Return the number of the board that `request` is about; None if it is about none."""
    return request.board(reply) if request.command.about_board else None


def _unread(work: UnitOfWork, author: str, now: datetime) -> list[Message]:
    """Return the mails that say, once a day, that mails from an address are not read."""
    return [
        letter(player, "identity/unread")
        for player in work.players.by_address(author)
        if work.tally(f"unread:{player.id}", day_of(now)) == 1
    ]


def _back_by_confirmation(context: Context, token: Token) -> list[Message]:
    """Welcome back a player who answered such a mail from an address that is now theirs."""
    player = context.people([token.player]).get(token.player)
    if player is None or context.author not in player.addresses:
        return []
    return list(heard_from(context, player))
