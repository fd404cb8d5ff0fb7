"""Signups: anybody can ask for an account, or be invited to one by a friend.

Whoever says yes at the address opens it. An address may be a stranger's, so no mail to it contains
a word of the sender's or the inviter's except the userid. It may be a player's as well, so an
inviter is told the same whoever reads mail there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pbm.core import limits, strangers
from pbm.core.board_messages import BoardMessage, DrawnPosition, refusal_letter
from pbm.core.command import CommandLine, Proof, Request, command, join_second_word, reply_command
from pbm.core.context import Context
from pbm.core.grammar import find_verb
from pbm.core.letters import Letter, Message, answer, is_note, letter, noted
from pbm.core.robots import recommended, robot_line
from pbm.core.tokens import Token, TokenKind, player_token
from pbm.core.words import Reply
from pbm.domain.addresses import is_address, mailbox
from pbm.domain.confirmations import SIGNUP_LASTS, Consent, Signup, read_answer
from pbm.domain.description import terms_line
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood, Refusal, UnreadSecret, unquoted
from pbm.domain.invitations import StandingAnswer, StandingOffer, Terms
from pbm.domain.match import new_match
from pbm.domain.phrases import meaning_of
from pbm.domain.play import live
from pbm.domain.player import Player, PlayerState, check_userid, unlinked, userids_for
from pbm.domain.robots import ANYBODY
from pbm.domain.seen import seen
from pbm.domain.words import Meaning
from pbm.engine import AnyGame, MoveError, Setup, any_of, deal, quote
from pbm.features.accounts import check_chosen_password, checked_addresses
from pbm.features.confirmations import new_password_in, unclear
from pbm.features.help import help_on, page
from pbm.features.talk import chat


def _read_signup(line: CommandLine) -> Request:
    """Read `userid password address...`, or the same after `sign up`, as phones write it."""
    join_second_word(line, "sign", "up")
    userid, password, *further = (*line.words.rest, "", "")
    addresses = tuple(word.strip("<>,;") for word in further if word)
    if not all("@" in address for address in addresses):
        raise UnreadSecret(
            "signup takes a userid in one word and, if you like, a password in one word and "
            "further mail addresses.",
            line.example,
        )
    return line.request(userid=userid, password=password, addresses=addresses)


@command(
    "signup", "[userid] [password] [address...]", "opens an account for the address you write from",
    "signup alice",
    needs=Proof.NOTHING, locks=True, read=_read_signup, aliases=("register", "sign"),
    writes=lambda request: request.words("userid", "password", "addresses"),
    new_password="password",  # noqa: S106 - the name of a parameter
    text="The server writes to that address; reply yes to that mail, and you can play. Without a "
         "userid it is made of your address, and you can change it later. Replies need no "
         "password, so you need none until you write from elsewhere. To set one, write it below "
         "the yes, as in  password your-new-password\n"
         "It is one word of eight characters or more; do not use it elsewhere. Later, forgot gets "
         "you one. Anybody can write a signup in your name, so a password or a further address in "
         "it is not stored; add adds an address once the account is open.",
)  # fmt: skip
def signup(
    context: Context, userid: str, password: str, addresses: tuple[str, ...]
) -> Iterator[Message]:
    """Write to the address that asks for an account; open nothing yet.

    The From may be forged, so the password and the further addresses are not stored.
    """
    userid = check_userid(userid) if userid else ""
    if password:
        check_chosen_password(context, password, userid)
    if not is_address(context.author):
        raise NotUnderstood("The server cannot send mail to the address that this came from.")
    if userid:
        strangers.check_free(context.work, userid)
    if not strangers.may_open_account(context.work, context.author):
        return
    strangers.asks_again(context)
    if not strangers.may_write(context, context.author):
        if context.known:
            raise NotNow("There were too many signups from your address. Try again tomorrow.")
        return
    asked = context.work.signups.add(userid, context.author, context.now)
    yield letter(
        context.author, "signups/confirm", asked_at=context.now, userid=userid,
        password=bool(password), further=bool(addresses), threadless=True,
        reply=Token(TokenKind.SIGNUP, asked.id),
    )  # fmt: skip


@reply_command("confirm signup", needs=Proof.ITS_MAIL, confirms=TokenKind.SIGNUP)
def confirm_signup(
    context: Context, number: int, line: str, below: Sequence[str]
) -> Iterator[Message]:
    """Open the account if the reply says yes, or names the userid and nothing else.

    The line `below` the yes may hold its password. After a no the server never writes there again,
    except to a player. All else changes nothing.
    """
    asked = context.work.signups.get(number)
    if asked is None:
        return
    said = read_answer(line, "" if below else asked.userid)
    if asked.confirmed_at is not None:
        done = "That mail has already been answered: the account is open."
        yield from (refusal_letter(reader, done, ("help",)) for reader in context.known[:1])
    elif said is Consent.NO and asked.inviter and context.known:
        context.work.signups.confirm(asked, context.now)
    elif said is Consent.NO:
        context.work.signups.forget(asked.address)
        strangers.leave_alone(context, asked.address, proven=True)
    elif said is Consent.UNCLEAR:
        yield from _unclear(context, asked, line)
    elif strangers.may_open_account(context.work, asked.address):
        yield from _confirmed(context, asked, below)


def _unclear(context: Context, asked: Signup, line: str) -> Iterator[Message]:
    """Ask again for a yes or a no; an invited friend who asks for the rules gets them."""
    token = Token(TokenKind.SIGNUP, asked.id)
    game = context.catalogue.find(asked.wish.partition(" ")[0]) if asked.inviter else None
    if game is None:
        yield from unclear(context, asked.address, token)
    elif find_verb(line.partition(" ")[0]) is help_on or meaning_of(line) is Meaning.RULES:
        if strangers.may_write(context, asked.address):
            rules = page(asked.address, game.info.key, context.catalogue)
            yield replace(rules, threadless=True, reply=token)
    else:
        inviter = unlinked(context.person(asked.inviter).userid)
        yield from unclear(context, asked.address, token, inviter, game.info)


def _confirmed(context: Context, asked: Signup, below: Sequence[str]) -> Iterator[Message]:
    """Open the account, or say why it cannot be opened."""
    friend = context.known[0] if asked.inviter and context.known else None
    try:
        if context.now - asked.made_at > SIGNUP_LASTS:
            raise NotNow("That mail is too old. Please sign up again.")
        if asked.userid:
            strangers.check_free(context.work, asked.userid)
    except Refusal as error:
        yield from _wrong(context, asked.address, str(error))
        return
    if friend:
        context.work.signups.confirm(asked, context.now)
        yield from _carry_out_wish(context, friend, asked)
    else:
        yield from _open_account(context, asked, below)


def begins_signup(line: str) -> bool:
    """Return whether `line` is meant as a signup, whether or not it can be read as one."""
    return any(find_verb(word) is signup for word in line.split()[:1])


def signup_refused(context: Context, line: str, error: Refusal | MoveError) -> Iterator[Message]:
    """Yield the mail that says what is wrong with a stranger's signup; ignore any other `line`."""
    if begins_signup(line) and is_address(context.author):
        strangers.asks_again(context)
        yield from _wrong(context, context.author, unquoted(str(error), map(quote, line.split())))


def _wrong(context: Context, address: str, sentence: str) -> Iterator[Message]:
    """Write to `address` what is wrong with its signup, if the server may write there."""
    if strangers.may_write(context, address, strangers.WORDS_A_DAY):
        yield answer(address, "signups/refused", sentence=sentence, threadless=True)


def _open_account(context: Context, asked: Signup, below: Sequence[str]) -> Iterator[Message]:
    """Open the account, and do what its owner has asked for; a board is welcome enough."""
    free = (u for u in userids_for(asked.address) if not context.work.players.lookalike(u))
    userid = asked.userid or next(free)
    player = context.work.players.add(userid, "", [asked.address], context.now)
    context.work.signups.confirm(asked, context.now)
    strangers.has_said_yes(context, asked.address)
    password = _set_first_password(context, player, new_password_in("".join(below[:1])))
    done = list(_carry_out_wish(context, player, asked)) if asked.wish else []
    if password or not any(isinstance(each, BoardMessage) and each.to == player for each in done):
        said = [each for each in done if isinstance(each, Letter) and is_note(each, player)]
        done = [each for each in done if each not in said]
        yield _welcome(context, player, password, [note.facts["sentence"] for note in said])
    yield from done


def _set_first_password(context: Context, player: Player, password: str | None) -> str:
    """Set the password that was below the yes; return a sentence on it, or "" if there is none."""
    if password is None:
        return ""
    try:
        check_chosen_password(context, password, player.userid)
    except NotUnderstood as error:
        return f"Your password was not set. {error}"
    context.work.players.set_password_hash(player.id, context.passwords.hash(password))
    return "Your password is set."


def _carry_out_wish(context: Context, player: Player, asked: Signup) -> Iterator[Message]:
    """Carry out the line that waited for a yes of `player`, for its author, or say why not.

    The author is the player, who wrote it as a stranger, or the one who invites them. That one
    reads what the player wrote below the yes.
    """
    words = context.comment if asked.inviter else ""
    author = context.person(asked.inviter) if asked.inviter else player
    reply = Reply(author, None, 0, answers=False)
    try:
        if not author.active:
            raise NotNow(f"{author.userid} no longer plays here.")
        request = context.services.grammar.read(asked.wish, reply)
        context = replace(context, player=author, reply=reply, game=request.game, comment="")
        guest = {"guest": player} if asked.inviter else {}
        with context.work.savepoint():
            messages = list(request.command.run(context, **request.arguments, **guest))
            boards = (each.board for each in messages if isinstance(each, BoardMessage))
            if words and (board := next(boards, None)):
                context = replace(context, player=player, comment=words)
                messages += chat.run(context, number=board.match.number)
    except (Refusal, MoveError) as error:
        context.boards.forget()
        examples = error.examples if isinstance(error, Refusal) else ()
        token = player_token(player.id)
        yield refusal_letter(player, str(error), examples or ("help",), reply=token)
    else:
        yield from messages


def _welcome(context: Context, player: Player, password: str, done: Sequence[object]) -> Message:
    games = [game.info for game in context.catalogue]
    first = recommended(context.work, context.catalogue)
    robot = ANYBODY if robot_line(context, first.info.key) else ""
    return letter(
        player, "signups/welcome", games=[game.title for game in games], key=games[0].key,
        robot=robot, password=password, done=" ".join(map(str, done)),
        reply=player_token(player.id),
    )  # fmt: skip


FRIENDS_A_DAY = 5
"""The most addresses that one player invites in a day."""

INVITED_AN_HOUR = 60
"""The most addresses that all invite in an hour; young accounts cost little, and share their own.

They leave alone what is kept for mails to those who write to the server by themselves."""


def invite_address(
    context: Context,
    game: AnyGame,
    setup: Setup,
    named: str,
    options: Mapping[str, str],
    terms: Terms,
    side: Sequence[str],
) -> Iterator[Message]:
    """Ask whoever reads mail at the address `named` to a match, once; `side` are words."""
    sender, (address,) = context.sender(), checked_addresses(context, (named,))
    if mailbox(address) in map(mailbox, sender.addresses):
        raise NotAllowed("You cannot play against yourself. Name another opponent.")
    if context.work.signups.invited(address, sender.id):
        raise NotNow("You have invited that address already, and it gets one such mail from you.")
    limits.count_of_day(context, sender, "friends", "addresses", FRIENDS_A_DAY)
    young = " from new accounts" if sender.is_young(context.now) else ""
    limits.count_of_all(context, f"invitations by address{young}", INVITED_AN_HOUR)
    words = [f"-{name}={value}" for name, value in options.items()]
    line = " ".join([game.info.key, "challenge", address, *words, *terms.words, *side])
    asked = context.work.signups.add("", address, context.now, wish=line, inviter=sender.id)
    if _may_be_invited(context, game, sender, address):
        seats = (sender.id,) * len(game.info.seats)
        match = new_match(0, game, deal(game, setup, any_of), terms, seats, context.now)
        yield letter(
            address, "invitations/friend", inviter=unlinked(sender.userid), title=game.info.title,
            summary=game.info.summary, terms=terms_line(match, game), key=game.info.key,
            position=DrawnPosition(seen(live(match, game), None)), threadless=True,
            reply=Token(TokenKind.SIGNUP, asked.id),
        )  # fmt: skip
    yield noted(
        sender,
        f"We've invited that address to {game.info.title}. The match starts when they say yes.",
    )


def _may_be_invited(context: Context, game: AnyGame, sender: Player, address: str) -> bool:
    """Return whether the address gets the mail: its player wants none, or it said stop."""
    players = context.work.players.of_mailbox(address, PlayerState.ACTIVE)
    stances = context.work.wishes.stances(game.info.key, players)
    blockers = context.work.blocks.blockers_of(sender.id)
    refusing = [
        p for p in players if stances.get(p, StandingOffer()).answer is StandingAnswer.REJECT
    ]
    if refusing or not blockers.isdisjoint(players):
        return False
    return bool(context.work.players.by_address(address)) or (
        strangers.may_open_account(context.work, address)
        and strangers.may_write(context, address, invited=True)
    )
