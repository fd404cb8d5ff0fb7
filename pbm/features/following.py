"""Following: players get the mails of boards on which they do not play, or only the last one."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Annotated

from pbm.core.audience import audience, followers_of, happenings_of, messages_for
from pbm.core.command import (
    CommandLine,
    Parameter,
    Proof,
    Request,
    command,
    no_board,
    reply_command,
)
from pbm.core.context import Context
from pbm.core.letters import Message, noted
from pbm.core.schedule import READERS, JobPart
from pbm.core.tokens import TokenKind, player_token
from pbm.domain.description import boards_named
from pbm.domain.errors import NotNow, UnknownName
from pbm.domain.invitations import wants_seeks
from pbm.domain.mail import FOLLOWED_AN_HOUR, Mailing
from pbm.domain.player import Player, PlayerId
from pbm.domain.settings import BROADCAST, DIGEST, NEWS, REMINDERS, chosen
from pbm.engine import fold, listing
from pbm.features.seeks import read_want_seeks
from pbm.store.people import Subject
from pbm.store.time import FollowUp

_MOST = 20
"""The most boards that one line can name."""

Subjects = Annotated[tuple[Subject, ...], Parameter.BOARDS]
"""Boards to follow."""


def _read_follow(line: CommandLine) -> Request:
    """Read `B... [userid password]`, `GAME subscribe all [userid password]`, or about seeks."""
    if about_seeks := read_want_seeks(line, wanted=True):
        return about_seeks
    subjects = _read_subjects(line)
    return line.request(line.who(), subjects=subjects)


def _read_unsubscribe(line: CommandLine) -> Request:
    """Read the same without the need of a password: then the server asks for a reply."""
    if about_seeks := read_want_seeks(line, wanted=False):
        return about_seeks
    subjects = _read_subjects(line)
    return line.request(line.who() if line.words.rest else None, subjects=subjects)


def _read_subjects(line: CommandLine) -> tuple[Subject, ...]:
    """Read `B...`, or `all` behind a game; in a reply to a board mail the board may be left out."""
    subjects: list[Subject] = []
    if line.game and line.words.rest and fold(line.words.rest[0]) == "all":
        del line.words.rest[0]
        subjects.append(line.game)
    while (number := line.words.board_number()[0]) is not None:
        subjects.append(number)
    if not subjects:
        if line.answered is None:
            raise no_board(line)
        subjects.append(line.answered)
    return tuple(subjects[:_MOST])


def _write_subjects(request: Request) -> tuple[str, ...]:
    boards = ("all" if isinstance(s, str) else str(s) for s in request.arguments["subjects"])
    return (*boards, *request.who)


@command(
    "subscribe", "B... [userid password]", "follows boards: you get their mails",
    "subscribe 104 105 alice your-password", needs=Proof.PERSON, locks=True, read=_read_follow,
    writes=_write_subjects, aliases=("follow",), least=4,
    text="You get all mails about the boards, to the end. GAME subscribe all userid password "
         "follows every board of a game, except robots' boards. You get at most "
         f"{FOLLOWED_AN_HOUR} mails an hour about boards that you follow.",
)  # fmt: skip
def subscribe(context: Context, subjects: Subjects) -> Iterator[Message]:
    """Let a player get all mails of some boards, or of every board of a game."""
    yield _follow(context, subjects, only_end=False)


@command(
    "unsubscribe", "B... [userid password]", "stops following boards",
    "unsubscribe 104 alice your-password", needs=Proof.PERSON, locks=True, read=_read_unsubscribe,
    writes=_write_subjects, aliases=("unfollow",),
    text="GAME unsubscribe all stops following every board of a game. In a reply to any of their "
         "mails, the word alone is enough. Without a password the server asks you to confirm it "
         "by a reply.",
)  # fmt: skip
def unsubscribe(context: Context, subjects: Subjects) -> Iterator[Message]:
    """Stop the mails of these boards, and say which of them come for another reason."""
    player = context.sender()
    ended = [s for s in subjects if context.work.followers.unfollow(player.id, s)]
    through = _followed_through(context, player, subjects)
    if not ended and not through:
        raise NotNow("You are not following that.")
    said = [f"You no longer follow {_named(context, ended)}."] if ended else []
    said += [
        f"You get the mails about {boards_named(numbers)} because you follow every board of "
        f"{context.catalogue.get(game).info.title}; {game} unsubscribe all stops them."
        for game, numbers in through.items()
    ]
    yield noted(player, " ".join(said))


@command(
    "notify", "B..., or seeks [userid password]",
    "sends you a mail when boards end, or when somebody seeks an opponent",
    "notify 104 alice your-password", needs=Proof.PERSON, locks=True, read=_read_follow,
    writes=_write_subjects,
    text="One mail for each board, at its end. If you follow a board, you get that mail anyway. "
         "GAME notify all userid password does it for every board of a game.\n"
         "GAME notify seeks userid password: a mail when somebody seeks an opponent at that game; "
         "without GAME, at any game. unsubscribe seeks stops it.",
)  # fmt: skip
def notify(context: Context, subjects: Subjects) -> Iterator[Message]:
    """Let a player get the last mail of some boards, or of every board of a game."""
    yield _follow(context, subjects, only_end=True)


def _follow(context: Context, subjects: tuple[Subject, ...], *, only_end: bool) -> Message:
    """Let the sender get all mails of these, or only the last ones.

    Whoever follows a board gets its last mail anyway, so asking for that takes nothing away.
    Raises a Refusal if the sender plays on one of the boards.
    """
    player = context.sender()
    for number in _numbers(subjects):
        if context.boards.get(number, context.game).match.seats_of(player.id):
            raise NotNow(f"You are playing on board {number} and get its mails.", f"show {number}")
    kept = [s for s in subjects if only_end and _gets_all(context, player, s)]
    new = [subject for subject in subjects if subject not in kept]
    for subject in new:
        context.work.followers.follow(player.id, subject, only_end=only_end)
    said = []
    if new:
        what = "get a mail at the end of" if only_end else "follow"
        said.append(f"You now {what} {_named(context, new)}.")
    if kept:
        said.append(f"You already get all mails about {_named(context, kept)}, to the end.")
    return noted(player, " ".join(said))


def _numbers(subjects: Iterable[Subject]) -> list[int]:
    return [subject for subject in subjects if isinstance(subject, int)]


def _gets_all(context: Context, player: Player, subject: Subject) -> bool:
    """Return whether the player gets all mails of it, and not only the last one."""
    if isinstance(subject, int):
        return followers_of(context, context.boards.get(subject)).get(player.id) is False
    return context.work.followers.choice(player.id, subject) is False


def _followed_through(
    context: Context, player: Player, subjects: Iterable[Subject]
) -> dict[str, list[int]]:
    """Return the boards whose mails the player gets because they follow a game, by game."""
    found: dict[str, list[int]] = {}
    for number in _numbers(subjects):
        with suppress(UnknownName):
            board = context.boards.get(number)
            if player.id in followers_of(context, board):
                found.setdefault(board.match.game, []).append(number)
    return found


def _named(context: Context, subjects: Iterable[Subject]) -> str:
    """Return "boards 104 and 105 and every board of Gonnect"."""
    numbers = _numbers(subjects)
    titles = [
        f"every board of {context.catalogue.get(subject).info.title}"
        for subject in subjects
        if isinstance(subject, str)
    ]
    return listing([*([boards_named(numbers)] if numbers else []), *titles], last="and")


def go_on_telling_followers(context: Context, follow_up: FollowUp) -> JobPart:
    """Write to some followers of a board, who were too many to be written to at once.

    They see the board as it is by now. If the board is gone, nobody gets anything.
    """
    happenings = happenings_of(follow_up)
    try:
        board = context.boards.get(follow_up.number or 0)
    except UnknownName:
        return JobPart((), None)
    there = audience(context, board, happenings)
    after = follow_up.done_up_to
    batch = sorted(reader for reader in there.listening if reader > after)[:READERS]
    messages = messages_for(context, board, happenings, batch, there.followers)
    return JobPart(tuple(messages), batch[-1] if batch else None)


@reply_command("leave", needs=Proof.ITS_MAIL, confirms=TokenKind.LEAVE)
def leave(
    context: Context, mailing: Mailing, player: PlayerId, number: int, subject: str
) -> Iterator[Message]:
    """Stop a kind of mails; write to their reader if that changes anything.

    `number` may be a board, and `subject`, the subject of the mail, may begin with a game.
    """
    reader = context.people([player]).get(player)
    if reader is None or not reader.active:
        return
    sentence = _stopped(context, mailing, reader, number, subject)
    if sentence:
        yield noted(reader, f"As you asked: {sentence}", reply=player_token(player))


_LESS = {BROADCAST: "no", REMINDERS: "last", NEWS: "no", DIGEST: "yes"}
"""The value of each of these settings with which there are fewer mails."""

_SETTINGS = {
    Mailing.BROADCASTS: ((BROADCAST,), "you get no more broadcasts."),
    Mailing.REMINDERS: (
        (REMINDERS,),
        (
            "you get only the last reminder of each turn, before you would lose. Mails about your "
            "boards come as before."
        ),
    ),
    Mailing.NEWS: ((NEWS,), "you get no more news about the server."),
    Mailing.MOVES: (
        (DIGEST,),
        "moves that wait for your answer come together, once a day. Your clocks keep running.",
    ),
    Mailing.ALL: (
        tuple(_LESS),
        (
            "you get as few mails as possible: moves that wait for your answer come together, once "
            "a day, and you are only reminded before you would lose."
        ),
    ),
}
"""For each kind of mails that settings stop: the settings, and a sentence."""


def _stopped(context: Context, mailing: Mailing, reader: Player, number: int, subject: str) -> str:
    """Stop the mails; return a sentence on what has changed, or "" if nothing has."""
    if mailing is Mailing.FOLLOWED:
        return _board(context, reader, number)
    if mailing is Mailing.SEEKS:
        return _seeks(context, reader, subject)
    settings, said = _SETTINGS[mailing]
    changed = [one for one in settings if chosen(one, reader.settings) != _LESS[one]]
    for setting in changed:
        context.work.players.set_setting(reader.id, setting.name, _LESS[setting])
    if len(changed) > 1:
        return f"{said} To see all settings: set"
    again = [f"{one.name} {'no' if one is DIGEST else 'yes'}" for one in changed]
    return f"{said} To start again: set {again[0]}" if again else ""


def _board(context: Context, reader: Player, number: int) -> str:
    """Stop the mails of a board, and those of its game if they come because of that."""
    followers = context.work.followers
    said = f"you no longer follow board {number}." if followers.unfollow(reader.id, number) else ""
    try:
        game = context.boards.get(number).match.game
    except UnknownName:
        return said
    if followers.unfollow(reader.id, game):
        title = context.catalogue.get(game).info.title
        return f"you no longer follow every board of {title}. To start again: {game} subscribe all"
    return f"{said} To start again: subscribe {number}" if said else ""


def _seeks(context: Context, reader: Player, subject: str) -> str:
    """Stop the mails of the seeks of a game; of all games if the subject names none."""
    named = context.catalogue.find(subject.partition(" ")[0])
    games = [named] if named else list(context.catalogue)
    wanted = [wants_seeks(game.info.key) for game in games]
    ended = [name for name in wanted if reader.settings.get(name) == "yes"]
    for name in ended:
        context.work.players.set_setting(reader.id, name, None)
    what = named.info.title if named else "any game"
    again = f"{named.info.key} notify seeks" if named else "notify seeks"
    said = f"you get no more mails about seeks at {what}. To start again: {again}"
    return said if ended else ""
