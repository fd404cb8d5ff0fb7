"""Answers to words that were not understood: what fits the mail that they answer, by a tap.

Nothing is done without a yes or a tap. Words for another player are kept with the question, and are
sent as they were written.
"""

import re

from pbm.core.context import Context
from pbm.core.grammar import CHAT, MESSAGE, find_verb, near_names
from pbm.core.token_masking import without_tokens
from pbm.dispatch.rooms import PLAYED, Asked, Room, people_in, room_of
from pbm.dispatch.script import LineReader, without_secrets
from pbm.domain.addresses import is_address
from pbm.domain.phrases import address_in
from pbm.domain.player import fold_userid
from pbm.domain.questions import Choice
from pbm.engine import AnyGame, fold, frozen, listing

Ways = tuple[tuple[str, str], ...]
"""Lines that one can reply, each with what it does."""


@frozen
class Advice:
    """The sentence for a line that was not carried out, with `choices` if it asks for one.

    `ways` and `examples` are lines that would work.
    """

    sentence: str
    choices: tuple[Choice, ...] = ()
    ways: Ways = ()
    examples: tuple[str, ...] = ()


def offer(context: Context, text: str, said: str) -> Advice | None:
    """Return what fits there for a `text` that was refused with the sentence `said`, if anything.

    The text is of the player who has replied. Returns None if the sentence is enough.
    """
    reader, room = context.asker(), room_of(context)
    text = without_secrets(reader, without_tokens(context.services.mint, text), context.author_name)
    match room.asked:
        case Asked.NOTHING:
            return None
        case Asked.INVITED:
            return _about_invitation(context, room)
        case Asked.SEVERAL:
            return _invite(context, text) or _nearest(context, text) or _general(context, text)
        case Asked.FOLLOWED:
            return _about_followed(room, said)
        case Asked.WAITING:
            return _about_waiting(context, room, text)
        case _:
            return _about_board(context, room, text, said)


@frozen
class _Talk:
    """The text as words for others: the `choice` that sends it, and the userids of its readers."""

    choice: Choice
    names: str


def _about_board(context: Context, room: Room, text: str, said: str) -> Advice | None:
    if found := _nearest(context, text):
        return found
    names = listing(_listeners(context, room), last="and")
    talk = _Talk(Choice(CHAT, text), names) if names and _is_talk(context, text) else None
    if found := _invite(context, text, talk) or _wish(room, text, talk):
        return found
    begun, other = "", f" If you meant something else: {said}"
    if room.asked is Asked.STARTED:
        begun, other = "The match of that invitation has begun, and here is its board. ", ""
    if not talk:
        return Advice(begun) if begun else None
    game = context.catalogue.find(room.match.game) if room.match else None
    return Advice(
        f"{begun}Send this to {names}? Nothing was done yet. To say something to the other player, "
        f"reply yes, and your words go out as you wrote them.{other}",
        (talk.choice,),
        (("yes", f"sends your words to {names}"), *_rules(game)),
    )


_WORDS_OF_COMMAND = 3
"""Words of a text that may be a command with a password in the wrong place: "move PASSWORD"."""


def _is_talk(context: Context, text: str) -> bool:
    """Return whether words can be kept for another player: more than one, and no short command."""
    words = len(text.split())
    begun = context.services.grammar.begins_command(text)
    return words > (_WORDS_OF_COMMAND if begun else 1)


def _about_waiting(context: Context, room: Room, text: str) -> Advice:
    """Return the answer to words about an invitation that waits for somebody else."""
    said = (
        "What you reply here reaches nobody. To take back an invitation of yours, reply withdraw."
    )
    others = _listeners(context, room)
    if not others or not _is_talk(context, text):
        return Advice(said, examples=("withdraw",))
    names = listing(others, last="and")
    return Advice(
        f"{said} Send your words to {names}?",
        (Choice(" ".join((MESSAGE, *others)), text),),
        (("yes", f"sends your words to {names}"), ("withdraw", "takes the invitation back")),
    )


def _about_invitation(context: Context, room: Room) -> Advice:
    """Return the answer to words that neither accept nor decline."""
    said, invitation = "An invitation is answered by accept or decline.", room.invitation
    if invitation is not None and invitation.inviter != context.asker().id:
        inviter = context.person(invitation.inviter).userid
        said += (
            f" For the rules reply help {invitation.game}. To write to {inviter} first, reply "
            f"message {inviter}, with your words below it."
        )
    return Advice(said, examples=("accept", "decline"))


def _about_followed(room: Room, said: str) -> Advice:
    number = room.match.number if room.match else 0
    return Advice(
        f"{said} You follow this match. To write to a player, reply message and their userid, with "
        "your words below it.",
        ways=(
            (f"show {number}", "the board now"),
            (f"unsubscribe {number}", "no more mails about it"),
        ),
    )


def _general(context: Context, text: str) -> Advice:
    """Return the answer to words in reply to a mail about several boards, or about none."""
    reader, said = context.asker(), "Sorry, that could not be understood, so nothing was changed."
    open_boards = context.work.matches.count(None, [reader.id], over=False, to_move=False)
    if not open_boards:
        said += (
            " You have no open board: robot begins a match against a robot at once, and help tells "
            "how to find people."
        )
    if context.services.operator:
        said += (
            f" To ask a person, write to postmaster@{context.services.address.partition('@')[2]}."
        )
    first = ("games", "your boards") if open_boards else ("robot", "a match against a robot, now")
    ways = (
        first,
        *_rules(_named_game(context, text)),
        ("list", "the games, and who looks for an opponent"),
        ("help", "how to play here, and how to find people"),
    )
    return Advice(said, ways=ways)


def _nearest(context: Context, text: str) -> Advice | None:
    """Return the question whether a misspelt word is a command that can be given like that."""
    word = text.strip(" .!?")
    if len(word) < _SHORTEST or not word.isalpha():
        return None
    meant = next(iter(near_names(word)), "")
    verb = find_verb(meant)
    whole = LineReader(context.services.grammar, context.reply).understood(meant)
    if verb is None or not whole:
        return None
    ends = " That cannot be taken back." if verb.final else ""
    return Advice(
        f"Did you mean {meant}?{ends} Nothing was done yet.",
        (Choice(meant),),
        (("yes", verb.summary),),
    )


_SHORTEST = 4
"""Letters of a word that may be a misspelt command."""


_WISHES = (
    (
        "draw",
        "offer a draw",
        "offers a draw, with your words",
        re.compile(r"\b(?:draw|remis|tablas|match nul|gelijkspel)\b"),
    ),
    (
        "undo",
        "ask to take back a move",
        "asks to take it back, with your words",
        re.compile(r"\btake\b(?: \S+){0,4} back\b|\btake back\b"),
    ),
    (
        "resign",
        "give this match up",
        "ends the match: you lose",
        re.compile(r"\bi(?:'ll| will)? (?:give up|resign|concede)\b"),
    ),
)
"""Commands that a sentence may wish for, the question, what a yes does, and words of the wish."""


def _wish(room: Room, text: str, talk: _Talk | None) -> Advice | None:
    """Return the question whether a sentence on a board wishes for a command."""
    if room.asked not in (*PLAYED, Asked.STARTED) or room.asked is Asked.OFFER:
        return None
    folded = fold(text)
    found = next((wish for wish in _WISHES if wish[-1].search(folded)), None)
    if found is None:
        return None
    line, wanted, does, _ = found
    return _question(f"Do you want to {wanted}", (Choice(line, text),), does, talk)


_INVITES = re.compile(r"\b(?:invite|challenge|play|game|match|friend|einladen|spielen|jouer)\b")

_WHOM = re.compile(r"\b(?:invite|challenge|with|against) ([\w.-]+\w)")


def _invite(context: Context, text: str, talk: _Talk | None = None) -> Advice | None:
    """Return the question whether somebody who is named should be invited."""
    who = _invited(context, text) if _INVITES.search(fold(text)) else ""
    if not who:
        return None
    game = _named_game(context, text)
    games = [game] if game else list(context.catalogue)
    title = f" of {game.info.title}" if game else ""
    choices = tuple(Choice(f"{each.info.key} challenge {who}") for each in games)
    asked = f"Do you want to invite {who} to a match{title}"
    return _question(asked, choices, "sends the invitation", talk)


def _invited(context: Context, text: str) -> str:
    """Return the mail address or the userid of another player that `text` names, else ""."""
    reader, address = context.asker(), address_in(" ".join(text.split()))
    words = text.split()
    at = next((n for n, word in enumerate(words) if address and address in word), 0)
    own = at > 0 and fold_userid(words[at - 1]) == fold_userid(reader.userid)
    if address and is_address(fold(address)) and not own:
        return fold(address)
    for name in _WHOM.findall(fold(text)):
        player = context.work.players.by_userid(name)
        if player is not None and player.active and player != reader:
            return player.userid
    return ""


def _question(asked: str, choices: tuple[Choice, ...], does: str, talk: _Talk | None) -> Advice:
    """Return a question with these choices, and with that of only sending the words."""
    ways = [("yes" if len(choices) == 1 and not talk else each.line, does) for each in choices]
    if talk:
        asked += f", or only send your words to {talk.names}"
        choices = (*choices, talk.choice)
        ways.append((talk.choice.line, f"only sends your words to {talk.names}"))
    return Advice(f"{asked}? Nothing was done yet.", choices, tuple(ways))


def _listeners(context: Context, room: Room) -> list[str]:
    """Return the userids of the other people at the board; there may be only robots."""
    others = (p for p in people_in(context, room) if p != context.reader and not p.is_robot)
    return [player.userid for player in others]


def _named_game(context: Context, text: str) -> AnyGame | None:
    folded = fold(text)
    words = re.findall(r"[\w'-]+", folded)
    named = (g for g in context.catalogue if g.info.key in words or fold(g.info.title) in folded)
    return next(named, None)


def _rules(game: AnyGame | None) -> Ways:
    return ((f"help {game.info.key}", f"the rules of {game.info.title}"),) if game else ()
