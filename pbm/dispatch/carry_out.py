"""A mail is carried out in one unit of work."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice

from pbm.core.board_messages import commented_in
from pbm.core.boards import LoadedBoards
from pbm.core.budget import Budget, Cost, unproven
from pbm.core.command import Proof, Request
from pbm.core.context import Context, Services, context_without_mail, hour_of
from pbm.core.grammar import confirming
from pbm.core.identity import (
    Identity,
    by_password,
    check_meant,
    count_failure,
    missing_proof,
    needs_proof,
    of_thread,
    proves_person,
)
from pbm.core.letters import Message, letter, together
from pbm.core.outbox import post
from pbm.core.passwords import NO_HASHES, Hashes, HashesOfMail, Origin
from pbm.core.strangers import is_banned
from pbm.core.token_masking import without_tokens
from pbm.core.tokens import Token, TokenKind
from pbm.core.words import Credentials, Reply, out_of_date
from pbm.dispatch.answers import answered, each_once, nothing_asked, refusal, stop_loop, too_many
from pbm.dispatch.moves import as_move, names_nobody, one_move, settled
from pbm.dispatch.plain_words import in_plain_words
from pbm.dispatch.questions import asking, choice_in
from pbm.dispatch.script import (
    COMMAND_LINES,
    Reading,
    Script,
    Step,
    comment_of,
    read_script,
    without_secrets,
)
from pbm.domain.errors import Refusal
from pbm.domain.mail import Fate, IncomingMail, Mailing, MailOutcome
from pbm.domain.phrases import below_greeting
from pbm.domain.player import Player, PlayerState
from pbm.engine import MoveError, fold
from pbm.features.accounts import from_other_address
from pbm.features.bounces import answer_unreachable, heard_from, returned, take_report
from pbm.features.introductions import can_wait, greet_stranger
from pbm.features.people import pass_on
from pbm.features.signups import begins_signup, signup_refused
from pbm.store.unit import UnitOfWork

_ASTRAY = (
    "Your mail program used the wrong address, so we can't be sure it was you. Reply to this mail "
    "instead."
)

UNPROVEN_AN_HOUR = 2000
"""Mails without a reply token or a password that are read from one address in an hour; the rest
are dropped."""

_CONFIRMED = (TokenKind.SIGNUP, TokenKind.CONFIRMATION)
"""The kinds of tokens whose mails are answered by a confirmation. The command of each gets the
token's number, the first line of the reply, and those below it."""


def receive(
    services: Services,
    work: UnitOfWork,
    reading: Reading,
    now: datetime,
    hashes: Hashes = NO_HASHES,
    number: int | None = None,
) -> tuple[MailOutcome, Cost]:
    """Carry out the commands of the mail, and put the answers into the outbox.

    `hashes` were made for it before this unit of work began; `number` is that of the mail in the
    inbox. Returns the outcome and the cost of the mail.

    Refusals are answers. Anything else that is raised is a bug, or a Conflict; the caller
    rolls back, and this mail has had no effect.
    """
    mail, context = reading.mail, context_without_mail(services, work, now)
    if mail.for_operator is not None:
        post(context, pass_on(context, mail), number=number)
    if mail.report is not None:
        post(context, take_report(context, mail.report), number=number)
    if reading.button is None and (mail.silence is not None or mail.author is None):
        return _silenced(mail.silence or "no-author")
    if mail.author is not None and is_banned(work, mail.author):
        return _silenced("banned")
    if reading.button is not None:
        return _unsubscribe(context, reading.button, mail, number), Cost()
    proof = reading.proof(work)
    # A mail with a password is read, right or wrong: all that are tried must be counted.
    unread = not (proof.proves or hashes.verdicts)
    if unread and work.tally(f"read:{mail.author}", hour_of(now)) > UNPROVEN_AN_HOUR:
        post(context, _unread(context, mail), number=number)
        return _silenced("too-many-unproven")
    return _carry_out(context, reading, hashes, number)


def _silenced(rule: str) -> tuple[MailOutcome, Cost]:
    """Return the outcome of a mail that is silenced by the rule of this name."""
    return MailOutcome(Fate.SILENCED, rule), Cost()


def _unsubscribe(
    context: Context, button: Token, mail: IncomingMail, number: int | None
) -> MailOutcome:
    """Stop the mails of the button, whether a person or a machine has pressed it."""
    command = confirming(TokenKind.LEAVE)
    messages = list(command.run(
        context, mailing=Mailing(button.ply), player=button.player, number=button.number,
        subject=mail.subject,
    ))  # fmt: skip
    post(context, messages, number=number)
    context.outcomes.did(command.name, None)
    return context.outcomes.outcome(answered=bool(messages))


def _unread(context: Context, mail: IncomingMail) -> Iterator[Message]:
    """Yield the mails that say, once a day, that mails from an address are not read."""
    for player in context.work.players.by_address(mail.author or ""):
        if context.today(f"unread:{player.id}") == 1:
            yield letter(player, "identity/unread")


def _carry_out(
    context: Context, reading: Reading, hashes: Hashes, number: int | None
) -> tuple[MailOutcome, Cost]:
    """Carry out the commands of a mail that passed the first checks."""
    mail, proof = reading.mail, reading.proof(context.work)
    context = _of_mail(context, mail, proof.reply, hashes)
    messages = _answers(context, reading, proof)
    outcome = context.outcomes.outcome(answered=bool(messages))
    # A mail with a password is no program's, and its answer may warn the owner of an account.
    if proof.reply and not hashes.verdicts:
        messages, outcome = stop_loop(context, proof.reply.player, messages, outcome)
    post(context, asking(context, together(messages)), mail, number)
    context.budget.store()
    return outcome, context.budget.spent


def _of_mail(context: Context, mail: IncomingMail, reply: Reply | None, hashes: Hashes) -> Context:
    """Return the context in which the commands of a mail run, and who pays for them."""
    work, author = context.work, mail.author or ""
    budget = Budget(work, hour_of(context.now), unproven(author))
    context = replace(
        context,
        boards=LoadedBoards(work, context.catalogue, context.now, budget),
        author=author,
        reply=reply,
        known=(reply.player,) if reply else work.players.by_address(author),
        network=mail.network,
        author_name=mail.author_name,
        borrowed=mail.subject if mail.follows else None,
        passwords=HashesOfMail(context.services.passwords, hashes),
        budget=budget,
    )
    budget.set_payer(context.payer)
    return context


def _answers(context: Context, reading: Reading, proof: Identity) -> list[Message]:
    mail = reading.mail
    if proof.misused:
        context.outcomes.silenced("token-of-another")
        return list(from_other_address(context, proof.misused, proof.misused_at))
    if proof.token and proof.token.kind in _CONFIRMED:
        line, *more = below_greeting(mail.lines) or [""]
        # A signup that is written again, corrected, is a command like any other; so is a wish.
        wish = None if context.known else _wish(context, reading)
        asks = begins_signup(line) or (wish is not None and wish[0] == line)
        if proof.token.kind is not TokenKind.SIGNUP or not asks:
            context = replace(context, comment=_for_inviter(context, reading, line))
            return _confirm(context, proof.token, line, more)
    if proof.reply is None or not proves_person(context, proof.reply):
        lines = filter(str.strip, (mail.subject, *mail.lines))
        written = tuple(islice(lines, COMMAND_LINES + 1))
        answers = _run(context, reading)
        if not answers and not context.known:
            answers = list(greet_stranger(context, written, _wish(context, reading)))
        return [*answers, *answer_unreachable(context)]
    player, welcome = returned(context, proof.reply.player)
    if player is not proof.reply.player:
        context = replace(context, known=(player,), reply=replace(proof.reply, player=player))
    return welcome + _run(context, reading)


def _for_inviter(context: Context, reading: Reading, line: str) -> str:
    """Return the text below the first line of a reply, without a password and other secrets."""
    texts = reading.mail.lines
    at = next((n for n, each in enumerate(texts) if each.strip() == line), len(texts))
    rest = tuple(text for text in texts[at + 1 :] if not fold(text).startswith("password"))
    below = without_tokens(context.services.mint, comment_of(rest, reading.lines(None)))
    writer = context.known[0] if context.known else _NEWCOMER
    return without_secrets(writer, below, context.author_name)


def _confirm(context: Context, token: Token, line: str, below: Sequence[str]) -> list[Message]:
    """Run the command that a reply with this token confirms.

    A player who answered from an address that is now theirs is welcomed back.
    """
    command = confirming(token.kind)
    messages = list(command.run(context, number=token.number, line=line, below=below))
    context.outcomes.did(command.name, None)
    player = context.people([token.player]).get(token.player)
    if player is not None and context.author in player.addresses:
        messages += heard_from(context, player)
    return messages


def _run(context: Context, reading: Reading) -> list[Message]:
    """Carry out the commands of a mail, one after the other, each with its own answer."""
    mail = reading.mail
    try:
        meant = _meant(context, reading)
    except Refusal as question:
        return refusal(context, question)
    if meant is None:
        context.outcomes.silenced("courtesy")
        return []
    if meant.guess is not None and (astray := _astray(context, mail)):
        return astray
    if not meant.steps:
        return nothing_asked(context)
    if meant.comment:
        comment = without_tokens(context.services.mint, meant.comment)
        meant = replace(meant, comment=comment)
    messages: list[Message] = []
    wrong: set[Credentials] = set()
    for step in each_once(meant.steps):
        context.budget.set_payer(context.payer)
        messages += _run_step(context, step, meant, messages, wrong)
    return [*messages, *too_many(context, meant)]


def _meant(context: Context, reading: Reading) -> Script | None:
    """Return what is to be done for a mail; None for nothing. Raises the Refusal that asks."""
    mail, lines = reading.mail, reading.lines(context.reply)
    script = read_script(
        mail,
        lines,
        lambda line: as_move(context, line),
        lambda request: names_nobody(context, request),
    )
    if chosen := choice_in(context, mail, script, lines):
        return chosen
    script = one_move(context, script, mail.lines)
    meant = in_plain_words(context, mail, script, lines)
    return None if meant is None else settled(context, meant, lines)


_NEWCOMER = Player(0, "new", (), PlayerState.ACTIVE, datetime.min.replace(tzinfo=UTC))
"""A stranger as a player; nobody can choose that userid."""


def _wish(context: Context, reading: Reading) -> tuple[str, Request] | None:
    """Return the first line of a stranger's mail as it will be read when they have an account.

    A line with a password in it is none.
    """
    reply = Reply(_NEWCOMER, None, 0, answers=False)
    lines = reading.lines(reply)
    try:
        meant = _meant(replace(context, reply=reply, known=(_NEWCOMER,)), reading)
    except Refusal:
        return None
    step = next(iter(meant.steps), None) if meant and meant.guess is None else None
    if not step or not step.request or lines.is_secret(step.line):
        return None
    return (step.line, step.request) if can_wait(step.request.command) else None


def _astray(context: Context, mail: IncomingMail) -> list[Message]:
    """Return the refusal of a reply that should have gone to the address in a board mail."""
    line, proof = next(iter(below_greeting(mail.lines)), ""), context.reply
    reply = of_thread(context.work, mail) if line and not (proof and proof.answers) else None
    if reply is None:
        return []
    context = replace(context, reply=reply, known=(reply.player,))
    astray = out_of_date(_ASTRAY)
    return refusal(context, astray, Step(line, astray))


def _run_step(
    context: Context,
    step: Step,
    script: Script,
    before: Sequence[Message],
    wrong: set[Credentials],
) -> list[Message]:
    """Carry out one step, or refuse it and undo what it did.

    `before` are the messages of earlier lines. Wrong credentials are counted once a mail; `wrong`
    has those of earlier lines.
    """
    welcome: list[Message] = []
    try:
        request = step.asked()
        check_meant(context, request, step.line)
        context = _proven(context, request, script)
        if context.player:
            player, welcome = returned(context, context.player)
            if player is not context.player:
                context = replace(context, player=player)
        return [*welcome, *_do(context, request, script, before)]
    except (Refusal, MoveError) as error:
        return [*welcome, *_refuse(context, step, script, error, wrong)]


def _do(
    context: Context, request: Request, script: Script, before: Sequence[Message]
) -> list[Message]:
    """Carry out a request, and note it: not a look without an answer.

    The mail's text is not repeated on boards where messages of earlier lines, those `before`, pass
    it on.
    """
    board, command = request.board(context.reply), request.command
    said = board in commented_in(before) or (script.private and not command.private)
    if context.comment and said:
        context = replace(context, comment="")
    messages: list[Message] = []
    if context.reader is not None or command.needs is not Proof.REGISTERED:
        with context.work.savepoint():
            messages = list(command.run(context, **request.arguments))
    answers = answered(context, request, messages)
    if answers or needs_proof(request):
        context.outcomes.did(command.name, board if command.about_board else None)
    return answers


def _refuse(
    context: Context,
    step: Step,
    script: Script,
    error: Refusal | MoveError,
    wrong: set[Credentials],
) -> list[Message]:
    """Return the answer to a step that was undone, and warnings about wrong credentials."""
    context.boards.forget()
    notes = count_failure(context, step.request, error, wrong)
    if context.reader is None:
        context.outcomes.refused(error)
        return [*signup_refused(context, step.line, error), *notes]
    text = None if script.guess is None else script.text
    return [*refusal(context, error, step, text), *notes]


def _proven(context: Context, request: Request, script: Script) -> Context:
    """Return the context with the player that `request` is proven to be from.

    A reply that proves it is enough, even with a wrong password. Raises a Refusal if there is less
    proof than the command needs.
    """
    player = None
    if missing := missing_proof(context, request):
        if request.credentials is None:
            raise missing
        origin = Origin.of(context.author, context.network, context.reply)
        player = by_password(
            context.work, context.passwords, request.credentials, origin, context.now
        )
    elif context.reply and needs_proof(request):
        player = context.reply.player
    comment = script.comment
    if player and comment:
        comment = without_secrets(player, comment, context.author_name)
    context = replace(context, player=player, game=request.game, comment=comment)
    context.budget.set_payer(context.payer)
    return context
