"""A sample of every message: the letters of samples.toml, what features make, and board mails."""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbm.core import board_messages, plies
from pbm.core.board_messages import (
    BoardMessage,
    Common,
    DrawnBoard,
    DrawnBoards,
    DrawnPosition,
    Followers,
    WaitingBoards,
    WaitingList,
    refusal_letter,
)
from pbm.core.events import Event, Happening
from pbm.core.letters import Answer, Answers, Attachment, Letter, Message, answer
from pbm.core.token_masking import opened
from pbm.domain.description import terms_line
from pbm.domain.invitations import Seek, Terms
from pbm.domain.mail import Leaving, Mailing, OutgoingMail
from pbm.domain.match import Ending, Outcome, Said
from pbm.domain.pages import Pages
from pbm.domain.plans import PrivateNotes, QueuedMove
from pbm.domain.play import Board
from pbm.domain.questions import Choice
from pbm.domain.seen import seen
from pbm.domain.settings import SETTINGS, Setting
from pbm.features import boards, results
from pbm.features.help import introduction
from pbm.features.help import page as help_page
from pbm.features.learning import analysis_letter, hint_letter
from pbm.features.plans import preview_letter
from pbm.features.robots import share_used_up
from pbm.features.settings import settings_table
from pbm.mail.writing.outgoing import MailComposer
from pbm.render.marks import link, table
from pbm.render.templates import Templates
from pbm.robots.analysis import Analysis, Mistake, Prospect, Swing
from pbm.robots.tasks import Hint, Tried
from pbm.system import folder
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE, after, later
from tests.doors import DatedToken, MatchRow, Token, TokenKind, TokenMint
from tests.engine.noughts import game
from tests.service.houses import CATALOGUE

__all__ = (
    "Answers", "BoardMessage", "Common", "DatedToken", "Event", "Followers", "Happening", "Letter",
    "Message", "TokenKind", "refusal_letter",
)  # fmt: skip
"""Names of the core that the tests of mails have from here, so that its modules can be renamed."""

ADDRESS = "pbm@games.example.org"
MINT = TokenMint(b"k" * 32)
SITE = "https://games.example.org/"
COMPOSER = MailComposer(Templates(folder("templates")), MINT, ADDRESS, pages=Pages(SITE))

TO = PEOPLE[ALICE]
REPLY = Token(TokenKind.PLAYER, 0, ALICE)
TOKEN = Token(TokenKind.BOARD, 104, ALICE, 4)
OPENED = after("b2")
TABLE = after("b2", "swap", "a1")
ENDED = after("b2", "swap", "a1", "c2", "c1", "a2")
"""Alice has the second seat after the swap."""

VIEW = seen(TABLE, None)

WAITS = BoardMessage(TO, (), VIEW, PEOPLE, NOW)
MOVED = replace(
    WAITS,
    happenings=(Happening(plies.MOVED, ALICE, "a1", "Sch\u00f6ne Gr\u00fc\u00dfe!"),),
    reply=TOKEN,
)
_OTHER = replace(WAITS, board=seen(replace(TABLE, match=replace(TABLE.match, number=107)), None))
_SAID = Said("bob", 104, NOW, "You are a fool.\n\nAnd slow.")
_SEEK = Seek(105, ALICE, "noughts", game.info.setup(), Terms(), 2, NOW)
_ROW = MatchRow(
    104,
    "noughts",
    1,
    4,
    3,
    later(-48),
    later(-24),
    None,
    None,
    "{}",
    (ALICE, BOB),
    ("alice", "bob"),
    (0,),
    (),
)
_ROWS = (_ROW,)
_SOON = {104: later(0).replace(minute=9)}
_NOTES = PrivateNotes(
    (QueuedMove("c3", 2, ("c1",)), QueuedMove("a3")), "Weak in the corner.\nSlow."
)
_FIGURES = ("1623 +- 81", "12", "5", "1")
_STYLES = Setting("style.noughts", ("large", "small"), "large", "how its boards are drawn")
_RESULT = ("20 Nov 2026", "alice - bob", "alice won: row (9 moves)")
_RULES = link("noughts", "help noughts")

VALUES: dict[str, Any] = {
    "none": None,
    "alice": TO,
    "bob": PEOPLE[BOB],
    "noughts": replace(game.info, title="Noughts"),
    "noughts without a swap": replace(game.info, title="Noughts", swap_after=None),
    "summary": game.info.summary,
    "terms": terms_line(_SEEK, game),
    "said": _SAID,
    "some wait": WaitingList(TO, (VIEW,), 2, PEOPLE),
    "one waits": WaitingList(TO, (VIEW,), 0, PEOPLE),
    "nothing waits": WaitingList(TO),
    "position": DrawnPosition(VIEW),
    "boards": WaitingBoards((WAITS, _OTHER)),
    "digest": WaitingBoards((replace(MOVED, reply=None), _OTHER)),
    "settings": settings_table((one, one.default) for one in (*SETTINGS, _STYLES)),
    "games since": table(boards._columns(None), boards._cells(_ROWS, None, NOW)),
    "games timed": table(boards._columns(_SOON), boards._cells(_ROWS, _SOON, NOW)),
    "standings": table(results._STANDINGS, [("1", "alice", *_FIGURES, "3", "1")]),
    "robots": table(results._ROBOTS, [("robot-5 (robot)", *_FIGURES, "5")]),
    "ratings": table(results._RATINGS, [("Noughts and Crosses", *_FIGURES)]),
    "list": table(results._GAMES, [(_RULES, game.info.title, "3", "12", "5")]),
    "history": table(results._HISTORY, [(link("104", "show 104"), "noughts", *_RESULT)]),
}


def _value(written: Any) -> Any:
    """Return a value of samples.toml: lists are tuples, and `$name` is one of VALUES."""
    if isinstance(written, list):
        return tuple(map(_value, written))
    if isinstance(written, str) and written.startswith("$"):
        return VALUES[written[1:]]
    return written


def _letters() -> Iterator[Letter]:
    for template, samples in tomllib.loads(_FILE.read_text("utf-8")).items():
        facts: dict[str, Any] = {}
        for sample in samples:
            facts |= {name: _value(written) for name, written in sample.items()}
            yield _letter(template, **facts)


_FILE = Path(__file__).with_suffix(".toml")


def _letter(
    template: str, *, to: Any = TO, reply: Any = None, leave: Any = None, files: Any = (),
    board: int | None = None, idle: bool = False, threadless: bool = False, **facts: object,
) -> Letter:  # fmt: skip
    return Letter(
        to, template, facts, idle, board, leave and Leaving(Mailing[leave[0]], *leave[1:]),
        tuple(Attachment(*file) for file in files), threadless,
        reply=reply and Token(TokenKind[reply[0]], *reply[1:]),
    )  # fmt: skip


HINTS = (
    Hint(Tried("a1", 0.62), 2, Tried("c1", 0.55)),
    Hint(Tried("a1", 0.49), 2, Tried("c1", 0.5)),
    Hint(Tried("a1", 1.0, proven=True), 2, Tried("c1", 0.0, proven=True)),
    Hint(Tried("a1", 0.0, proven=True), 2),
    Hint(Tried("swap", 0.58), 2, Tried("c1", 0.42)),
    Hint(Tried("a1", 0.51), 2, even=True),
    Hint(Tried("a1", 0.5), 2, only=True),
)
_PROSPECTS = tuple(Prospect((1 - w, w)) for w in (0.5, 0.31, 0.31, 0.28, 0.5, 0.0, 0.0))
_TURNS = ((0, "b2"), (1, "swap"), (1, "a1"), (0, "c2"), (1, "c1"), (0, "a2"))
_SWINGS = tuple(Swing(ply, seat, text, 0.0, 0.0) for ply, (seat, text) in enumerate(_TURNS, 1))
_MISTAKES = (
    Mistake(5, "c1", "a2", 0.0, 0.5),
    Mistake(1, "b2", "a2", 0.31, 0.49),
    Mistake(2, "swap", "c3", 0.3, 1.0),
)
ANALYSED = analysis_letter(TO, ENDED, PEOPLE, Analysis(_PROSPECTS, _SWINGS, _MISTAKES, 333))
_LAST_FOUR = Analysis(_PROSPECTS[2:], _SWINGS[2:], (), 40)


def _new(outcome: Outcome | None = None) -> Board:
    """Return a new board, which has no number."""
    return replace(TABLE, match=replace(TABLE.match, number=0, outcome=outcome))


_TOPICS = (
    "", "stop", "commands", "reference", "time", "noughts", "challenge", "mvoe", "xyzzy",
)  # fmt: skip

LETTERS: tuple[Letter, ...] = (
    *_letters(),
    *(help_page(TO, topic, CATALOGUE) for topic in _TOPICS),
    introduction(TO, (game,), unread=True),
    *(hint_letter(PEOPLE[BOB], OPENED, PEOPLE, NOW, hint) for hint in HINTS),
    ANALYSED,
    analysis_letter(PEOPLE[BOB], ENDED, PEOPLE, _LAST_FOUR),
    preview_letter(TO, TABLE, ("a1",), PEOPLE, submitted=True, reply=TOKEN),
    preview_letter(TO, TABLE, ("a1", "c3"), PEOPLE, reply=TOKEN),
    preview_letter(TO, TABLE, (), PEOPLE, reply=TOKEN),
    preview_letter(TO, _new(), (), {}),
    preview_letter(TO, _new(Outcome(Ending.RULES, (0,), "row")), ("a1",), {}),
    preview_letter(TO, _new(Outcome(Ending.RULES, (), "full")), ("a1",), {}),
    share_used_up(TO, 1800, later(240)),
)


KINDS = {
    kind
    for kind in vars(board_messages).values()
    if isinstance(kind, type) and issubclass(kind, Message) and kind is not Message
}
"""Every kind of message but letters."""

_RESIGN = (Choice("resign"),)

_TWO = seen(after("b2", "a1"), None)
_DRAWN = DrawnBoard(VIEW, PEOPLE, NOW)
_WHOLE = replace(_DRAWN, whole=True)
SHOWN = answer(TO, "boards/shown", board=104, boards=DrawnBoards((_WHOLE,)), reply=TOKEN)
_PAST = replace(_WHOLE, board=seen(after(), None), earlier=True)
EARLIER = answer(TO, "boards/shown", board=104, boards=DrawnBoards((_PAST,)))

NOTICES: tuple[Message, ...] = (
    *LETTERS,
    MOVED,
    SHOWN,
    EARLIER,
    BoardMessage(TO, (Happening(plies.MOVED, BOB, "b2"),), _TWO, PEOPLE, NOW, reply=TOKEN),
    replace(MOVED, board=_TWO, to=PEOPLE[BOB], private=_NOTES),
    refusal_letter(TO, "Two ways.", (), replace(_DRAWN, board=_TWO), ("b2", "c1"), reply=TOKEN),
    refusal_letter(TO, "Do you resign?", ("resign",), _DRAWN, choices=_RESIGN, reply=TOKEN),
    refusal_letter(TO, "Send this?", (), _DRAWN, ways=(("yes", "sends it"),), reply=REPLY),
    replace(MOVED, digest=True),
    refusal_letter(TO, "It is not your turn.", ("show 104",)),
    refusal_letter(TO, "It is not your turn.", ("show 104",), _DRAWN, reply=TOKEN),
    Answers(
        TO,
        (
            Answer("help", help_page(TO, "", CATALOGUE)),
            Answer("", refusal_letter(TO, "That could not be read as a command.", ("help",))),
        ),
        reply=REPLY,
    ),
)


def sample(template: str) -> Letter:
    """Return the first sample of a template."""
    letters = (notice for notice in NOTICES if isinstance(notice, Letter))
    return next(letter for letter in letters if letter.template == template)


def sent(notice: Message, uid: str, returns: str, answers: str | None = None) -> OutgoingMail:
    """Return the mail for a notice as the relay gets it."""
    return opened(MINT, COMPOSER.compose(notice, uid, returns, NOW, answers))
