"""Invitations: challenges, rematches and the answers to them.

A match begins when every player has agreed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from pbm.core.command import (
    CommandLine,
    FinishedBoard,
    InvitationNumber,
    Proof,
    Request,
    Userids,
    command,
)
from pbm.core.context import Context
from pbm.core.letters import Message, letter
from pbm.core.limits import Limit, count_each, count_received
from pbm.core.open_boards import (
    agreed_by_all,
    is_for_two,
    setup_for,
    setup_of,
    start_match,
)
from pbm.core.robots import (
    check_robots,
    is_robot,
    robot_named,
    robots_named,
    terms_with_robots,
    unrated_unless_said,
)
from pbm.core.tokens import Token, TokenKind
from pbm.core.words import Credentials, Words, split_options
from pbm.domain.description import terms_line
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood
from pbm.domain.invitations import (
    INVITATION_LASTS,
    Invitation,
    InvitationState,
    StandingAnswer,
    StandingOffer,
    Terms,
    asked_seat,
    exchanged,
    moved_to,
)
from pbm.domain.match import Match
from pbm.domain.offers import open_offer
from pbm.domain.play import seat_of
from pbm.domain.player import Player, PlayerId, fold_userid
from pbm.engine import AnyGame, Setup
from pbm.features.closed_invitations import (
    concerned,
    decline_invitation,
    facts_of,
    open_invitation,
    words_for,
)
from pbm.features.offers import accept_offer, reject_offer
from pbm.features.people import check_not_blocking
from pbm.features.seeks import come_too_late, take
from pbm.features.settings import is_within_limit, read_answer
from pbm.features.signups import invite_address
from pbm.features.turns import give_up

INVITATIONS = Limit("invitation", 30, 10)
"""Invitations that one player sends in an hour."""


def _read_challenge(line: CommandLine) -> Request:
    """Read `[userid password] opponent...`, or `userid1 userid2`, which names nobody's password."""
    options = split_options(line.words.rest)
    words = Words(robots_named(options.words))
    credentials: Credentials | None = None
    players: tuple[str, ...]
    if line.reply:
        credentials = words.credentials(line.reply.player, least_rest=2)
        me = line.reply.player.userid
        players = (me, *(w for w in words.rest if fold_userid(w) != fold_userid(me)))
    elif len(words.rest) == 2:
        players = tuple(words.rest)
    else:
        credentials = words.credentials(None, least_rest=1)
        players = (credentials.userid if credentials else "", *words.rest)
    if len(players) < 2:
        raise NotUnderstood("challenge needs the userid of your opponent.", line.example)
    return line.request(credentials, players=players, options=options.game, terms=options.match)


def _write_challenge(request: Request) -> tuple[str, ...]:
    me, *others = request.arguments["players"]
    # Two userids are read as both players; the reply says who asks for a match with several.
    first = request.who or ((me,) if len(others) == 1 else ())
    return (*first, *others, *request.options)


@command(
    "challenge", "userid password opponent [-option=value] [--option=value]",
    "invites somebody to a match", "GAME challenge alice your-password bob",
    needs=Proof.PERSON, locks=True, read=_read_challenge, writes=_write_challenge,
    aliases=("invite",), least=5, needs_game=True,
    text="You take the first seat, your opponent the second. --seat=second, or a side as in "
         "--seat=black, asks for another seat; --seat=random draws lots. -name=value sets an "
         "option of the game; help GAME lists them. --name=value sets a term of the match:\n"
         "--time=3d: a player who has not moved after 3 days loses.\n"
         "--time=7d+12h/14d: a clock of 7 days at the start; each move adds 12 hours (h), "
         "and there are never more than 14 days (d) on it. A player who runs out loses.\n"
         "--nagtime=7: the player to move gets a reminder after this many days; by default after "
         "a third of the forfeittime, at most 7 days.\n"
         "--forfeittime=21: a player who has not moved after this many days loses.\n"
         "--totaltime=60: a player who has used this many days for all moves together loses; "
         "without it there is no such limit.\n"
         "--unrated: the match does not count for ratings.\n"
         "For a game of more than two, name all the others.\n"
         "The match starts when everybody has accepted. An invitation expires after "
         f"{INVITATION_LASTS.days} days. More about clocks, and the usual one: \"help time\".\n"
         "A friend without an account is invited by mail address, as in  GAME challenge "
         "anna@phone.example  and has only to reply yes; that match is unrated unless you add "
         "--rated.\n"
         "You can also invite robot (one of your strength) or robot-1 to robot-5: the match "
         "starts at once, unrated unless you add --rated. See \"help robot\".",
)  # fmt: skip
def challenge(
    context: Context,
    players: Userids,
    options: Mapping[str, str],
    terms: Mapping[str, str],
    guest: Player | None = None,
) -> Iterator[Message]:
    """Invite the players named, or "robot", in the order of seats; see `challenge_to`."""
    yield from challenge_to(context, context.named_game, players, options, terms, guest)


def challenge_to(
    context: Context,
    game: AnyGame,
    names: Sequence[str],
    options: Mapping[str, str],
    given: Mapping[str, str],
    guest: Player | None = None,
) -> Iterator[Message]:
    """Invite the players of these names; the sender has already agreed, if they play.

    One of them may be a mail address. `guest` is the player who has said yes from there.
    """
    sender = context.sender()
    context.catalogue.on_offer(game)
    address = next((name for name in names if "@" in name), "")
    alone = address or any(map(is_robot, names))
    new = [p.id for p in (sender, guest) if alone and p and _is_newcomer(context, p)]
    if new or (address and guest is None):
        options = {**game.info.first, **options}
    sides, usual = game.info.seats[: len(names)], context.services.periods.terms
    seat, given = asked_seat(given, sides)
    if address and guest is None and len(names) == 2 and is_for_two(game):
        setup = setup_of(game, options)
        side = [] if seat is None else [f"--seat={seat + 1}"]
        agreed = usual.read(unrated_unless_said(given))
        yield from invite_address(context, game, setup, address, options, agreed, side)
        return
    players = tuple(
        guest if guest and name == address else _player(context, game, name) for name in names
    )
    terms = usual.read(terms_with_robots(players, given))
    setup = setup_for(game, options, len(players), sender.userid)
    _check_seats(players, sender)
    if seat is not None:
        players = moved_to(seat, sender if sender in players else players[0], players)
    elif terms.draw_seats:
        drawn = context.services.chance.shuffled([player.id for player in players])
        players = tuple(context.people(drawn)[player] for player in drawn)
    yield from _invite(context, game, setup, terms, players, guest=guest, newcomers=new)


def _is_newcomer(context: Context, player: Player) -> bool:
    """Return whether the player has never had a board."""
    return not context.work.matches.count(None, [player.id])


def _player(context: Context, game: AnyGame, name: str) -> Player:
    """Return the player of that name; "robot" is one, and "robot-9" if there is one."""
    found = context.work.players.by_userid(name)
    if found.is_robot if found else is_robot(name):
        return robot_named(context, game, fold_userid(name), context.sender())
    (player,) = context.players([name])
    return player


def _check_seats(players: tuple[Player, ...], sender: Player) -> None:
    for one, other in pairwise(sorted(players, key=lambda player: player.id)):
        if one.id == other.id:
            twice = f"{one.userid} is named twice."
            said = "You cannot play against yourself." if one == sender else twice
            raise NotAllowed(f"{said} Name another opponent.")


def _invite(
    context: Context,
    game: AnyGame,
    setup: Setup,
    terms: Terms,
    players: Sequence[Player],
    *,
    guest: Player | None = None,
    newcomers: Sequence[PlayerId] = (),
) -> Iterator[Message]:
    """Ask `players`, in the order of seats, to a match; the sender agrees to it by asking.

    A `guest` has agreed. It starts at once if all have agreed by their standing answers. Raises a
    Refusal if one of them takes no such invitation, or the sender has invited enough for this hour.
    """
    inviter = context.sender()
    invited = [player for player in players if player.id != inviter.id]
    check_not_blocking(context, inviter, invited)
    check_robots(context, game, terms, inviter, players)
    count_each(context, INVITATIONS, inviter, invited)
    if guest is None:
        agreed = _agreed_by_preference(context, game, inviter, invited)
    else:
        agreed = frozenset({guest.id})
    count_received(context, INVITATIONS, invited, frozenset())
    seats = tuple(player.id for player in players)
    if all(player.is_robot for player in invited):
        context = replace(context, comment="")  # which nobody would read but its author
    invitation = replace(
        agreed_by_all(context, game, setup, terms, seats),
        inviter=inviter.id,
        agreed=(agreed | {inviter.id}) & set(seats),
    )
    if invitation.missing:
        context.work.invitations.add(invitation)
        yield from _invitations(context, invitation)
    else:
        yield from start_match(context, invitation, newcomers)


def _agreed_by_preference(
    context: Context, game: AnyGame, inviter: Player, invited: Sequence[Player]
) -> frozenset[PlayerId]:
    """Return the ids of the `invited` players who have agreed by a standing answer, as robots do.

    Raises NotAllowed if one takes no invitations, or has as many boards as they want. The refusal
    is the same for players who block the inviter, so nobody learns who does.
    """
    blockers = context.work.blocks.blockers_of(inviter.id)
    stances = context.work.wishes.stances(game.info.key, [player.id for player in invited])
    for player in invited:
        stance = stances.get(player.id, StandingOffer())
        if stance.answer is StandingAnswer.REJECT or player.id in blockers:
            raise NotAllowed(f"{player.userid} does not accept invitations to {game.info.title}.")
        if not is_within_limit(context, game, player.id, stance):
            raise NotAllowed(
                f"{player.userid} has reached their limit of boards of {game.info.title}."
            )
    accepting = [p for p, stance in stances.items() if stance.answer is StandingAnswer.ACCEPT]
    accepting += [player.id for player in invited if player.is_robot]
    seated = {player.id for player in invited}
    return frozenset(p for p in accepting if not context.work.blocks.blocked_by(p) & seated)


def _invitations(context: Context, invitation: Invitation) -> Iterator[Message]:
    """Write to each player of an open invitation; the inviter gets it as a receipt."""
    game = context.catalogue.get(invitation.game)
    people = concerned(context, invitation)
    facts = facts_of(context, invitation, people)
    for reader in people.values():
        seated = reader.id in invitation.players
        token = Token(TokenKind.INVITATION, invitation.number, reader.id)
        yield letter(
            reader, "invitations/invited", inviter=people[invitation.inviter].userid,
            mine=reader.id == invitation.inviter, asked=reader.id in invitation.missing,
            seated=seated, until=invitation.made_at + INVITATION_LASTS,
            waiting=[people[player].userid for player in invitation.missing],
            seats=list(zip(game.info.seats, facts["names"], strict=False)),
            summary=game.info.summary, terms=terms_line(invitation, game),
            comment=words_for(context, reader), reply=token if seated else None, **facts,
        )  # fmt: skip


@command(
    "rematch", "B [userid password]", "invites your last opponent again, with sides exchanged",
    "rematch 104 alice your-password", needs=Proof.PERSON, locks=True, aliases=("again",),
    text="The same game, options and terms, once board B is over; the first player there is "
         "second now. In a reply to the mail about its end, the word alone is enough. If your "
         "opponent has already asked for a rematch, it starts at once.",
)  # fmt: skip
def rematch(context: Context, number: FinishedBoard) -> Iterator[Message]:
    """Invite the opponents of a match that is over to another one, with sides exchanged.

    If one of them has asked for the same, this accepts it.
    """
    sender, board = context.sender(), context.board(number)
    match = board.match
    if sender.id not in match.starters:
        raise NotAllowed(f"You did not play on board {match.number}.", f"show {match.number}")
    if not match.over:
        people = context.people(match.players)
        others = " ".join(people[p].userid for p in match.players if p != sender.id)
        raise NotNow(
            f"Board {match.number} is not over yet. You can still start another match:",
            f"{match.game} challenge {sender.userid} your-password {others}",
        )
    seats = exchanged(match.starters)
    people = context.people(seats)
    for player in people.values():
        if not player.active:
            raise NotNow(f"{player.userid} no longer plays here.")
    waiting = _same_again(context, sender, match, seats)
    if waiting is None:
        setup = setup_of(board.game, match.setup.options)
        terms = replace(match.terms, draw_seats=False)
        players = tuple(people[player] for player in seats)
        yield from _invite(context, board.game, setup, terms, players)
    else:
        yield from _agree(context, waiting, sender)


def _same_again(
    context: Context, sender: Player, match: Match, seats: tuple[PlayerId, ...]
) -> Invitation | None:
    """Return an open invitation of the same players to the same match, whatever the seats."""
    for invitation in context.work.invitations.open_for(sender.id):
        same = invitation.game == match.game and set(invitation.players) == set(seats)
        options = invitation.setup.options == match.setup.options
        terms = replace(match.terms, draw_seats=invitation.terms.draw_seats) == invitation.terms
        if same and options and terms:
            return invitation
    return None


@command(
    "accept", "N [userid password]", "accepts an invitation, a seek or an offer",
    "accept 104 bob your-password",
    needs=Proof.BOARD, locks=True, read=partial(read_answer, StandingAnswer.ACCEPT),
    text="Or just reply accept to its mail. list shows who is looking for an opponent.",
)  # fmt: skip
def accept(context: Context, number: InvitationNumber) -> Iterator[Message]:
    """Agree to an invitation, a seek or an offer."""
    player = context.sender()
    number = context.board_number(number)
    match = context.work.matches.get(number)
    sought = context.work.wishes.seek(number)
    if match and player.id in match[0].players:
        invited = context.reply and context.reply.number == number and not context.reply.ply
        if invited and open_offer(match[0]) is None:
            raise NotNow(
                "You have accepted this invitation already, and the match has begun. Here is the "
                "board."
            )
        yield from accept_offer(context, number)
    elif sought and context.game in (None, sought.game):
        yield from take(context, player, sought)
    elif match or context.work.invitations.get(number) is None:
        raise come_too_late(context, player, number)
    else:
        yield from _agree(context, open_invitation(context, player, number), player)


def _agree(context: Context, invitation: Invitation, player: Player) -> Iterator[Message]:
    """Note that `player` accepts the open invitation; start the match if they were the last."""
    if player.id in invitation.agreed:
        raise NotNow(f"You have already accepted {invitation.number}; others have not yet.")
    invitation = replace(invitation, agreed=invitation.agreed | {player.id})
    if invitation.missing:
        context.work.invitations.save(invitation)
        yield from _invitations(context, invitation)
    else:
        context.work.invitations.save(replace(invitation, state=InvitationState.STARTED))
        yield from start_match(context, invitation)


@command(
    "decline", "N [userid password] [reason in the text]", "declines an invitation",
    "decline 104 bob your-password", needs=Proof.BOARD, locks=True, aliases=("refuse",),
    text="What you write below it is passed on as the reason.",
)  # fmt: skip
def decline(context: Context, number: InvitationNumber) -> Iterator[Message]:
    """Turn down an invitation, an offer, or a match before the player's first move."""
    player = context.sender()
    number = context.board_number(number)
    if context.work.matches.get(number) is not None:
        yield from _decline_match(context, player, number)
    else:
        yield from decline_invitation(context, player, number)


def _decline_match(context: Context, player: Player, number: int) -> Iterator[Message]:
    board = context.boards.get(number, context.game)
    seat = seat_of(board, player.id)
    offered = open_offer(board.match)
    if offered and offered.seat != seat:
        yield from reject_offer(context, number)
        return
    if any(entry.seat == seat for entry in board.match.plies):
        raise NotNow(
            f"You have already moved on board {number}, so you can resign it but not decline it.",
            f"resign {number}",
        )
    yield from give_up(context, board, player.id)
