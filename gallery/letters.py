"""The mails of the gallery: a walk through a house, a match of each game, each kind of notice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

from gallery.boards import all_games, playthroughs
from pbm.core.board_messages import BoardMessage, WaitingBoards
from pbm.core.events import Happening
from pbm.core.letters import Message
from pbm.core.letters import letter as message
from pbm.core.open_boards import STARTED
from pbm.core.plies import ENDED, turn_of
from pbm.core.token_masking import opened
from pbm.domain.invitations import Terms
from pbm.domain.logs import EntryKind
from pbm.domain.mail import Leaving, Mailing
from pbm.domain.match import Match
from pbm.domain.play import Board, live, play
from pbm.domain.seen import seen
from pbm.engine import AnyGame, Setup, Transcript, notation_of
from pbm.engine.chance import drawn_before
from pbm.engine.transcript import TurnStep
from pbm.mail.writing.outgoing import MailComposer
from pbm.render.templates import Templates
from pbm.system import folder
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE
from tests.doors import Token, TokenKind, TokenMint, player_token
from tests.house import HouseUnderTest, text_of
from tests.mail.writing.samples import NOTICES
from tests.sent_mails import SentMail

_COMPOSER = MailComposer(
    Templates(folder("templates")), TokenMint(b"k" * 32), "pbm@games.example.org"
)
_TALK = "Good luck! I have not seen this opening before.\n\nGreetings from the seaside."
_ANNA, _BEN = "anna@example.org", "ben@example.org"


@dataclass(frozen=True)
class Letter:
    """One mail of ours: the part of the gallery it is in, what it shows, its text and its HTML.

    `html` names its pictures as they are named in `pictures`; it is "" if the mail is text alone.
    """

    part: str
    title: str
    subject: str
    text: str
    html: str = ""
    octets: int = 0
    pictures: Mapping[str, bytes] = field(default_factory=dict)


def letter(part: str, title: str, mail: EmailMessage) -> Letter:
    """Return a mail as the gallery shows it."""
    html = mail.get_body(("html",))
    subject = str(mail["Subject"])
    whole = Letter(part, title, subject, text_of(mail), octets=len(mail.as_bytes()))
    if html is None:
        return whole
    pictures = {
        f"cid:{image['Content-ID'].strip('<>')}": image.get_content()
        for image in mail.walk()
        if image.get_content_type() == "image/png"
    }
    return replace(whole, html=html.get_content(), pictures=pictures)


def composed(notice: Message, number: int = 0) -> EmailMessage:
    """Return the mail for a notice, parsed."""
    mail = opened(_COMPOSER.mint, _COMPOSER.compose(notice, f"letter{number}", "r", NOW))
    return SentMail(mail.content)


def letters() -> Iterator[Letter]:
    """Yield all mails of the gallery."""
    for game in all_games():
        yield from _match(game)
    yield from several()
    yield from walk("A walk", _WALK)
    yield from walk("Not understood", _NOT_UNDERSTOOD)
    yield from kinds()


_SEVEN = ("gonnect", "hex", "morris", "notwos", "noughts", "olix", "pow2")
"""The games of a mail with one board of each, as many as can all be tapped."""


def several() -> Iterator[Letter]:
    """Yield mails about several boards: a few, one of seven games, and more than fit a mail."""
    games = [game for game in all_games() if game.info.key in _SEVEN]
    each = [notice for game in games for title, notice in boards(game) if title == "middle"]
    large = [opening(game, size="19") for game in games if game.info.key == "gonnect"]
    for title, told in (("two", each[:2]), ("each game", each), ("ten of 19x19", large * 10)):
        yield letter("Several boards", f"digest of {title}", composed(_digest(told)))
        yield letter("Several boards", f"reminders of {title}", composed(_reminders(told)))


def _digest(told: Sequence[BoardMessage]) -> Message:
    boards = WaitingBoards(tuple(map(_for_alice, told)))
    return message(PEOPLE[ALICE], "digests/digest", boards=boards, reply=player_token(ALICE))


def _reminders(told: Sequence[BoardMessage]) -> Message:
    waiting = WaitingBoards(tuple(replace(_for_alice(one), happenings=(), now=NOW) for one in told))
    return message(
        PEOPLE[ALICE], "reminders/reminders", boards=waiting, last=[],
        leave=Leaving(Mailing.REMINDERS), reply=player_token(ALICE),
    )  # fmt: skip


def _for_alice(told: BoardMessage) -> BoardMessage:
    """Return a notice of the same board, on which it is alice's turn."""
    board = told.board
    players = (ALICE, BOB) if board.to_move[0] == 0 else (BOB, ALICE)
    live = replace(board, match=replace(board.match, players=players))
    happened = tuple(replace(one, actor=BOB) for one in told.happenings)
    return replace(told, to=PEOPLE[ALICE], board=live, happenings=happened)


def kinds() -> Iterator[Letter]:
    """Yield a sample of each kind of notice."""
    for number, notice in enumerate(NOTICES, start=1):
        kind = getattr(notice, "template", type(notice).__name__)
        yield letter("Kinds of mail", kind, composed(notice, number))


def boards(game: AnyGame) -> Iterator[tuple[str, BoardMessage]]:
    """Yield three board mails of a match of `game`: early, in its middle with talk, at its end."""
    longest = max((t for _, t in playthroughs(game)), key=_length, default=None)
    if longest is None:
        return
    along = list(_played(game, longest))
    middle = len(along) // 2
    for title, ply in (("early", 2), ("middle", middle), ("end", len(along) - 1)):
        yield title, _told(along[ply], ply, _TALK if title == "middle" else "")


def _length(transcript: Transcript) -> int:
    """Return how long a playthrough is; one that is left open counts for less."""
    turns = sum(isinstance(s, TurnStep) and s.refusal is None for s in transcript.steps)
    return turns if transcript.reason else turns - 1000


def _begun(game: AnyGame, setup: Setup) -> Board:
    players = (ALICE, BOB)
    return live(Match(104, game.info.key, 1, setup, Terms(), players, players, NOW, NOW), game)


def opening(game: AnyGame, **options: str) -> BoardMessage:
    """Return what who moves first reads when a match with these options begins."""
    board = _begun(game, game.info.setup(options))
    started = (Happening(STARTED, ALICE),)
    reply = Token(TokenKind.BOARD, 104, ALICE, 0)
    return BoardMessage(PEOPLE[ALICE], started, seen(board, ALICE), PEOPLE, NOW, reply=reply)


def _played(game: AnyGame, transcript: Transcript) -> Iterator[Board]:
    board = _begun(game, game.info.setup(transcript.options, transcript.dealt))
    yield board
    for step in transcript.steps:
        if isinstance(step, TurnStep) and step.refusal is None:
            seat = game.info.seats.index(step.side)
            now = board.match.turn_since + timedelta(hours=7)
            outcomes = step.text.partition(" [")[2].removesuffix("]").split()
            board = play(
                board, seat, notation_of(step.text), due=None, comment="", now=now,
                draw=drawn_before(outcomes),
            )  # fmt: skip
            yield board


def _told(board: Board, ply: int, comment: str) -> BoardMessage:
    """Return what the player reads who is to move, or at the end who did not move last."""
    entry = board.match.plies[-1]
    seat = entry.seat or 0
    swapped = entry.kind is EntryKind.SWAP
    actor = board.match.players[seat ^ swapped]
    reader = board.match.players[board.to_move[0] if board.to_move else 1 - seat]
    happened = [turn_of(replace(entry, comment=comment), actor)]
    if board.match.over:
        happened.append(Happening(ENDED))
    return BoardMessage(
        PEOPLE[reader],
        tuple(happened),
        seen(board, reader),
        PEOPLE,
        board.match.turn_since,
        reply=Token(TokenKind.BOARD, 104, reader, ply),
    )


def _match(game: AnyGame) -> Iterator[Letter]:
    for title, notice in boards(game):
        yield letter(game.info.title, title, composed(notice))


_WALK: tuple[tuple[str, str, str], ...] = (
    # The writer, "reply" to answer their last mail or else the subject, the text.
    (_ANNA, "hello", "how do I play?"),
    (_ANNA, "signup anna green-apple", ""),
    (_ANNA, "reply", "yes"),
    (_BEN, "signup ben blue-pear-7", ""),
    (_BEN, "reply", "yes"),
    (_ANNA, "gonnect challenge anna green-apple ben -size=9", "Shall we?"),
    (_BEN, "reply", "accept"),
    (_ANNA, "reply", "C3\n\nGood luck!"),
    (_BEN, "reply", "swap"),
    (_ANNA, "reply", "D2"),
    (_BEN, "reply", "draw"),
    (_ANNA, "reply", "reject"),
    (_BEN, "reply", "chat\nHow are you?"),
    (_BEN, "reply", "B2"),
    (_ANNA, "reply", "Z9"),
    (_ANNA, "reply", "thanks"),
    (_ANNA, "reply", "undo"),
    (_BEN, "reply", "accept"),
    (_BEN, "reply", "resign"),
    (_BEN, "reply", "I resign"),
    (_ANNA, "morris challenge anna green-apple ben", ""),
    (_BEN, "reply", "accept"),
    (_ANNA, "list", ""),
    (_ANNA, "gonnect standings", ""),
    (_ANNA, "history anna", ""),
    (_ANNA, "games", ""),
    (_ANNA, "help", ""),
    (_ANNA, "help commands", ""),
    (_ANNA, "help gonnect", ""),
    (_ANNA, "set anna green-apple", ""),
    (_ANNA, "message anna green-apple ben", "Hi Ben"),
    (_ANNA, "vacation anna green-apple 5 days", ""),
    (_ANNA, "forgot anna", ""),
)


_NOT_UNDERSTOOD: tuple[tuple[str, str, str], ...] = (
    (_ANNA, "signup anna", ""),
    (_ANNA, "reply", "yes"),
    (_BEN, "signup ben", ""),
    (_BEN, "reply", "yes"),
    (_ANNA, "reply", "Can you invite tom@phone.example to a game of Gonnect?"),
    (_BEN, "reply", "Is there a clock in this thing?"),
    (_ANNA, "reply", "gonnect challenge ben -size=5"),
    (_BEN, "reply", "Who are you?"),
    (_BEN, "reply", "accept"),
    (_ANNA, "reply", "Sorry for the delay, I will move tomorrow."),
    (_ANNA, "reply", "Shall we call it a draw?"),
    (_ANNA, "reply", "resgin"),
)
"""Six texts that are not understood, and what leads to them."""


def walk(part: str, steps: Sequence[tuple[str, str, str]]) -> Iterator[Letter]:
    """Yield the mails of two newcomers who write these texts."""
    with TemporaryDirectory() as place:
        house = HouseUnderTest(Path(place))
        for writer, subject, text in steps:
            house.clock.now += timedelta(hours=1)
            if subject == "reply":
                mails = house.reply(house.last_to(writer), text)
                said = text.partition("\n")[0]
            else:
                mails, said = house.mail(writer, subject, text), subject
            for mail in mails:
                yield letter(part, f"{writer} writes: {said} - {mail['To']} reads", mail)
