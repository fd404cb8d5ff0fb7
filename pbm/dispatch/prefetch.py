"""Prefetch: the boards, people and password hashes that a batch of mails will need.

Boards and people are guessed by tokens and numbers, which is cheap and only saves time. Hashes are
found in the lines that may be commands. A line that is no command costs a hash for nothing, within
the bound on hashes.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice

from pbm.core.command import Proof, Request
from pbm.core.passwords import Origin, Wanted, check_may_guess
from pbm.core.strangers import is_banned
from pbm.core.tokens import Token, TokenKind
from pbm.dispatch.script import Reading, candidates
from pbm.domain.confirmations import ConfirmationKind, Consent, read_answer
from pbm.domain.errors import NotAllowed
from pbm.domain.mail import IncomingMail
from pbm.domain.phrases import below_greeting
from pbm.domain.player import PlayerId
from pbm.features.confirmations import new_password_in
from pbm.store.batch import PrefetchKeys
from pbm.store.unit import UnitOfWork

_NUMBER = re.compile(r"\b[1-9][0-9]{2,8}\b")
"""A number that may be that of a board."""

_NUMBERS, _WHERE_NUMBERS_ARE = 3, 100
"""The most numbers that are looked for in a text, and the letters of it that are searched."""


def prefetch_keys(readings: Iterable[Reading]) -> PrefetchKeys:
    """Return what these mails name by their tokens, or by numbers if they have none."""
    boards: set[int] = set()
    players: set[PlayerId] = set()
    addresses: set[str] = set()
    for reading in readings:
        mail = reading.mail
        if mail.silence is not None or mail.author is None:
            continue
        addresses.add(mail.author)
        for each in reading.tokens:
            players.add(each.token.player)
            if each.token.kind in {TokenKind.BOARD, TokenKind.TALK}:
                boards.add(each.token.number)
        if not reading.tokens:
            boards.update(_numbers_in(mail))
    return PrefetchKeys(frozenset(boards), frozenset(players - {0}), frozenset(addresses))


def _numbers_in(mail: IncomingMail) -> Iterator[int]:
    first = next(filter(str.strip, mail.lines), "")
    for text in (mail.subject, first[:_WHERE_NUMBERS_ARE]):
        yield from (int(found) for found in islice(_NUMBER.findall(text), _NUMBERS))


def hashes_wanted(work: UnitOfWork, reading: Reading, now: datetime) -> tuple[Wanted, ...]:
    """Return the hashes that the mail will need, in the order of its lines."""
    mail = reading.mail
    if mail.silence is not None or mail.author is None or reading.button:
        return ()
    if not (reading.has_verb or reading.confirms) or is_banned(work, mail.author):
        return ()
    proof = reading.proof(work)
    if proof.misused is not None:
        return ()
    if proof.token and proof.reply is None:
        return tuple(_for_confirmation(work, proof.token, mail))
    origin = Origin.of(mail.author, mail.network, proof.reply)
    lines = reading.lines(proof.reply)
    requests = candidates(mail, lines)
    return tuple(each for request in requests for each in _for(work, request, origin, now))


def locks(work: UnitOfWork, reading: Reading) -> bool:
    """Return whether a command of the mail writes what a batch does not keep in memory.

    One that will be refused for want of a proof does not: a flood of them must lock nobody out.
    """
    mail = reading.mail
    if mail.silence is not None or mail.author is None or not reading.has_verb:
        return reading.confirms
    proof = reading.proof(work)
    lines = reading.lines(proof.reply)
    return reading.confirms or any(
        request.command.locks
        and (proof.proves or request.credentials or request.command.needs is Proof.NOTHING)
        for request in candidates(mail, lines)
    )


def _for_confirmation(work: UnitOfWork, token: Token, mail: IncomingMail) -> Iterator[Wanted]:
    """Yield the new password in a reply that will set it."""
    line, *below = below_greeting(mail.lines) or [""]
    if token.kind is TokenKind.SIGNUP:
        signup = work.signups.get(token.number)
        waits = signup is not None and signup.confirmed_at is None
        sets = waits and read_answer(line) is Consent.YES
        line = "".join(below[:1])
    else:
        asked = work.confirmations.get(token.number)
        kind = asked.kind if asked and asked.done_at is None else None
        sets = kind is ConfirmationKind.RESET_PASSWORD
    if sets and (word := new_password_in(line)):
        yield Wanted(word)


def _for(work: UnitOfWork, request: Request, origin: Origin, now: datetime) -> Iterator[Wanted]:
    """Yield the hashes of one request, unless it will be refused before it needs one."""
    given, new = request.credentials, request.arguments.get(request.command.new_password)
    player = work.players.by_userid(given.userid) if given else None
    if given is None or player is None or not player.active:
        return
    try:
        check_may_guess(work, player, origin, now)
    except NotAllowed:
        return
    yield Wanted(given.password, work.players.password_hash(player.id))
    if new:
        yield Wanted(new)
