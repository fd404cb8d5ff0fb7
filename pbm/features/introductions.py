"""Introductions: a stranger who writes is offered an account, and it does what they wish.

An answer to a stranger contains no word of theirs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbm.core import strangers
from pbm.core.board_messages import DrawnPosition
from pbm.core.command import Command, Proof, Request
from pbm.core.context import Context
from pbm.core.grammar import find_verb
from pbm.core.letters import Message, answer
from pbm.core.open_boards import setup_of
from pbm.core.robots import unrated_unless_said
from pbm.core.tokens import Token, TokenKind
from pbm.domain.addresses import is_address
from pbm.domain.confirmations import Consent, read_answer
from pbm.domain.description import terms_line
from pbm.domain.errors import Refusal
from pbm.domain.invitations import Seek, asked_seat
from pbm.domain.match import new_match
from pbm.domain.play import live
from pbm.domain.player import unlinked
from pbm.domain.seen import seen
from pbm.engine import any_of, deal
from pbm.features.help import INTRODUCTION, help_on, page
from pbm.features.signups import begins_signup, signup_refused


def greet_stranger(
    context: Context, lines: Sequence[str], wish: tuple[str, Request] | None
) -> Iterator[Message]:
    """Offer an account to a stranger whose mail was no signup; note if they say no.

    `lines` are the first of the mail that are not blank, with the subject; `wish` is the line that
    waits for the account, as it is read then. If a signup below a greeting cannot be read, the
    answer says why. An address that may not open an account gets nothing.
    """
    if not lines or not is_address(context.author):
        return
    if not strangers.may_open_account(context.work, context.author):
        context.outcomes.silenced("may-open-no-account")
        return
    if Consent.NO in map(read_answer, lines[:2]):
        context.outcomes.silenced("said-no")
        strangers.leave_alone(context, context.author, proven=False)
        return
    line = next(filter(begins_signup, lines), "")
    try:
        if line:
            context.services.grammar.read(line, None)
    except Refusal as error:
        yield from signup_refused(context, line, error)
    else:
        yield from _page_asked_for(context, lines) or _introduce(context, wish)


def _page_asked_for(context: Context, lines: Sequence[str]) -> list[Message]:
    """Return the page of help that a stranger asks for, if there is one and it may go out."""
    grammar, services = context.services.grammar, context.services
    line = next((line for line in lines if find_verb(line.partition(" ")[0]) is help_on), "")
    topic = grammar.read(line, None).arguments["topic"] if line else ""
    found = page(context.author, topic, services.catalogue, services.periods)
    if not topic or found.template == INTRODUCTION:
        return []
    may = strangers.may_write(context, context.author, strangers.WORDS_A_DAY)
    return [replace(found, threadless=True)] if may else []


def can_wait(command: Command) -> bool:
    """Return whether `command` of a stranger is carried out once their account is open."""
    return command.needs in (Proof.REGISTERED, Proof.PERSON) and command is not help_on


def _introduce(context: Context, wish: tuple[str, Request] | None) -> Iterator[Message]:
    """Offer the author, a stranger, an account that does what they wish; if that is allowed.

    Only a mail with a wish is answered more than once a day. It names the command, and no word of
    the sender's.
    """
    address = context.author
    if (
        strangers.may_write(context, address, strangers.WORDS_A_DAY)
        if wish
        else strangers.may_introduce(context)
    ):
        line, request = wish or ("", None)
        asked = context.work.signups.add("", address, context.now, wish=line)
        need, label = _NEEDS.get(request.verb if request else "", _NEEDS[""])
        yield answer(
            address, "signups/introduced",
            games=[game.info.title for game in context.catalogue],
            wish=_named(context, request) if request else "",
            terms=_terms_of(context, request) if request else "", threadless=True,
            need=need, label=label, position=_position(context, request) if request else None,
            place=context.services.pages.place, reply=Token(TokenKind.SIGNUP, asked.id),
        )  # fmt: skip


_NEEDS = {
    "robot": ("To play a robot", "Open my account and play a robot"),
    "challenge": ("To invite somebody", "Open my account and send the invitation"),
    "seek": ("To look for an opponent", "Open my account and find an opponent"),
    "": ("For that", "Open my account"),
}
"""By command: what needs an account, and the words of the button that opens it."""


def _position(context: Context, request: Request) -> DrawnPosition | None:
    """Return an empty board of the game that a wish names."""
    if (game := context.catalogue.find(request.game or "")) is None:
        return None
    setup, terms = deal(game, game.info.setup(), any_of), context.services.periods.terms
    seats = (0,) * game.info.players(setup)
    match = new_match(0, game, setup, terms, seats, context.now)
    return DrawnPosition(seen(live(match, game), None))


def _named(context: Context, request: Request) -> str:
    """Return the command of a wish, with the players that it names."""
    names = request.arguments.get("players", ())
    found = filter(None, map(context.work.players.by_userid, names))
    userids = (unlinked(player.userid) for player in found)
    return " ".join(filter(None, (request.game, request.verb, *userids)))


def _terms_of(context: Context, request: Request) -> str:
    """Return the terms of the match that a wish asks for, or "" if they are the usual ones."""
    given, game = request.arguments, context.catalogue.find(request.game or "")
    if game is None or not (given.get("options") or given.get("terms")):
        return ""
    try:
        terms = asked_seat(given["terms"], game.info.seats)[1]
        if any("@" in name for name in given.get("players", ())):
            terms = unrated_unless_said(terms)
        agreed = context.services.periods.terms.read(terms)
        setup = setup_of(game, given["options"])
    except Refusal:
        return ""  # a yes begins no match then
    return terms_line(Seek(0, 0, game.info.key, setup, agreed, 1, context.now), game)
