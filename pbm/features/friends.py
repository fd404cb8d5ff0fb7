"""Friends: a mail address is invited to a match, and a yes from there is enough to begin it.

The address may be a stranger's, so its mail has no word of the inviter's. It may be a player's as
well, so the inviter is told the same whoever reads mail there.
"""

from collections.abc import Iterator, Mapping, Sequence

from pbm.domain.addresses import fold_address
from pbm.domain.errors import NotAllowed, NotNow
from pbm.domain.invitations import Answer, Stance, Terms
from pbm.domain.match import new_match
from pbm.domain.play import live
from pbm.domain.player import Player
from pbm.engine import AnyGame, Setup
from pbm.features.accounts import checked_addresses
from pbm.service import strangers
from pbm.service.board_messages import Position
from pbm.service.context import Context
from pbm.service.letters import Message, letter, noted
from pbm.service.limits import count_of_day
from pbm.service.tokens import Token, TokenKind

FRIENDS_A_DAY = 5
"""The most addresses that one player invites in a day."""


def invite_address(
    context: Context,
    game: AnyGame,
    setup: Setup,
    named: str,
    options: Mapping[str, str],
    terms: Sequence[str],
) -> Iterator[Message]:
    """Ask whoever reads mail at the address `named` to a match, once; `terms` are words."""
    sender, (address,) = context.sender(), checked_addresses(context, (named,))
    if address in map(fold_address, sender.addresses):
        raise NotAllowed("You cannot play against yourself. Name another opponent.")
    if context.work.signups.invited(address, sender.id):
        raise NotNow("You have invited that address already, and it gets one such mail from you.")
    count_of_day(context, sender, "friends", "addresses", FRIENDS_A_DAY)
    words = [f"-{name}={value}" for name, value in options.items()]
    line = " ".join([game.info.key, "challenge", address, *words, *terms])
    asked = context.work.signups.add("", "", address, context.now, wish=line, inviter=sender.id)
    if _may_be_invited(context, game, sender, address):
        seats = (sender.id,) * len(game.info.seats)
        match = new_match(0, game, setup, Terms(), seats, context.now)
        yield letter(
            address, "invitations/friend", inviter=sender.userid, title=game.info.title,
            summary=game.info.summary, position=Position(live(match, game)), key=game.info.key,
            threadless=True, reply=Token(TokenKind.SIGNUP, asked.id),
        )  # fmt: skip
    yield noted(
        sender,
        f"Your invitation to {game.info.title} goes to that address, if it takes mail from this "
        "server. A yes from there begins the match. You need do nothing more.",
    )


def _may_be_invited(context: Context, game: AnyGame, sender: Player, address: str) -> bool:
    """Return whether the address gets the mail: its player wants none, or it said stop."""
    players = [player.id for player in context.work.players.by_address(address)]
    if not players:
        return strangers.may_open_account(context.work, address) and strangers.may_write(
            context, address
        )
    stances = context.work.wishes.stances(game.info.key, players)
    blockers = context.work.blocks.blockers_of(sender.id)
    refusing = [p for p in players if stances.get(p, Stance()).answer is Answer.REJECT]
    return not refusing and blockers.isdisjoint(players)
