"""One notice of each kind about a match of the small game, and a composer for them."""

from datetime import timedelta

from pbm.domain.match import Ending, Invitation, Outcome, Reminder, Terms
from pbm.domain.openness import Seek
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.player import ErrandKind
from pbm.domain.rating import Rating
from pbm.domain.settings import SETTINGS
from pbm.domain.vacation import YearLeft
from pbm.mail.outgoing import MailComposer
from pbm.render.templates import Templates
from pbm.resources import folder
from pbm.service.absence_notices import InvitationClosed, SeekClosed, StayAsked
from pbm.service.account_notices import (
    AddressesAsked,
    AddressesChanged,
    AddressJoined,
    ErrandAsked,
    Farewell,
    PasswordChanged,
    SettingsShown,
)
from pbm.service.bounce_notices import (
    AddressFailed,
    MostMailsFail,
    OpponentReachable,
    OpponentUnreachable,
    PlayerUnreachable,
    ReachableAgain,
    TriedAgain,
)
from pbm.service.happenings import Event, Happening
from pbm.service.help_pages import help_page
from pbm.service.news_notices import NewsTold
from pbm.service.notices import (
    BoardNotice,
    BoardsShown,
    ChooseUserid,
    ConfirmSignup,
    Declined,
    GamesTable,
    HelpPage,
    Invited,
    MailShunted,
    Notice,
    Previewed,
    Refused,
    TokenMisused,
    Welcome,
)
from pbm.service.ports import GameCounts, HistoryRow, MatchRow, News, StandingRow
from pbm.service.reminder_notices import RemindedBoard, Reminders
from pbm.service.result_notices import (
    FinishedGames,
    GameRecord,
    GamesOffered,
    RatingList,
    RatingsOfPlayer,
)
from pbm.service.talk_notices import Noted, Passed
from pbm.service.tokens import Token, TokenKind, TokenMint
from pbm.service.vacation_notices import (
    OpponentAway,
    OpponentBack,
    VacationBegun,
    VacationOver,
    VacationShown,
)
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE, after
from tests.engine.noughts import game
from tests.service.houses import CATALOGUE

ADDRESS = "pbm@games.example.org"
MINT = TokenMint(b"k" * 32)
COMPOSER = MailComposer(Templates(folder("templates")), MINT, ADDRESS)

TABLE = after("b2", "swap", "a1")
TOKEN = Token(TokenKind.BOARD, 104, ALICE, 4)
SIGNUP = Token(TokenKind.SIGNUP, 3)
INVITATION = Invitation(
    105, "noughts", game.info.setup(), Terms(), (ALICE, BOB), ALICE, frozenset({ALICE}), NOW
)
TO = PEOPLE[ALICE]
REPLY = Token(TokenKind.PLAYER, 0, ALICE)
LATER = NOW + timedelta(days=10)
RATING = Rating(1623.4, 81.2, 0.06, 12, 5, 1, NOW)

MOVED = BoardNotice(
    TO,
    (Happening(Event.MOVED, ALICE, "a1", "Sch\u00f6ne Gr\u00fc\u00dfe!"),),
    TABLE,
    PEOPLE,
    NOW,
    TOKEN,
)

NOTICES: tuple[Notice, ...] = (
    MOVED,
    BoardsShown(TO, (TABLE,), PEOPLE, NOW, TOKEN),
    Reminders(
        TO,
        (RemindedBoard(TABLE, Reminder.NAG), RemindedBoard(TABLE, Reminder.WARNING)),
        PEOPLE,
        NOW,
        Token(TokenKind.PLAYER, 0, ALICE),
    ),
    Previewed(TO, TABLE, ("a1",), PEOPLE, TOKEN, submitted=True),
    Refused(TO, "It is not your turn.", "show 104", NOW),
    Refused(TO, "It is not your turn.", "show 104", NOW, (), TABLE, PEOPLE, TOKEN),
    ConfirmSignup("dora@example.org", SIGNUP),
    ChooseUserid("dora@example.org", SIGNUP),
    Welcome(TO, game),
    Invited(TO, INVITATION, game, PEOPLE, "Hello!", Token(TokenKind.INVITATION, 105, ALICE)),
    Declined(TO, INVITATION, game, PEOPLE, PEOPLE[BOB], "No time."),
    HelpPage(TO, help_page(CATALOGUE, "")),
    GamesTable(
        TO,
        (MatchRow(104, "noughts", ("alice", "bob"), 3, (0,), NOW - timedelta(days=1), over=False),),
        NOW,
    ),
    TokenMisused(TO, 104),
    GamesOffered(
        TO,
        (game,),
        {"noughts": GameCounts(3, 12, 5)},
        (Seek(ALICE, "noughts", game.info.setup(), Terms(), 2, NOW),),
        PEOPLE,
    ),
    RatingList(TO, game, (StandingRow(ALICE, "alice", RATING, 3, None, 1),), more=True),
    RatingsOfPlayer(TO, "alice", {"noughts": RATING}, "noughts"),
    FinishedGames(
        TO,
        (HistoryRow(104, "noughts", ("alice", "bob"), 9, Outcome(Ending.RULES, (0,), "row"), NOW),),
        {"noughts": game},
        more=False,
    ),
    GameRecord(TO, TABLE, PEOPLE),
    Passed(TO, "bob", "Are you there?"),
    Noted(TO, "You follow board 104."),
    SettingsShown(TO, tuple((setting, setting.default) for setting in SETTINGS)),
    *(
        ErrandAsked("new@example.org", "alice", kind, Token(TokenKind.ERRAND, 5))
        for kind in ErrandKind
        if kind is not ErrandKind.STAY
    ),
    AddressesAsked("alice@example.org", "alice", ("new@example.org",)),
    AddressesChanged("alice@example.org", "alice", ("new@example.org",)),
    AddressJoined("new@example.org", "alice", first=True),
    PasswordChanged("alice@example.org", "alice"),
    Farewell("alice@example.org", "alice"),
    MailShunted("operator@example.org", 9),
    *(
        NewsTold(TO, news, Pause(PauseKind.OUTAGE, NOW, LATER), boards, PEOPLE, REPLY)
        for news in News
        for boards in ((), (TABLE,))
    ),
    StayAsked(TO, LATER, Token(TokenKind.ERRAND, 5, ALICE)),
    InvitationClosed(TO, INVITATION, game, PEOPLE, REPLY),
    InvitationClosed(TO, INVITATION, game, PEOPLE, None, PEOPLE[BOB]),
    SeekClosed(TO, Seek(ALICE, "noughts", game.info.setup(), Terms(), 2, NOW), game, REPLY),
    VacationShown(TO, LATER, (YearLeft(2026, 12),), 30, None, REPLY),
    VacationShown(TO, None, (YearLeft(2026, 0),), 30, LATER.date(), REPLY),
    VacationBegun(TO, LATER, (YearLeft(2026, 12),), changed=False, last_day=None, reply=REPLY),
    VacationBegun(
        TO,
        LATER,
        (YearLeft(2026, 12), YearLeft(2027, 1)),
        changed=True,
        last_day=LATER.date(),
        reply=REPLY,
    ),
    VacationOver(TO, (YearLeft(2026, 12),), (TABLE,), PEOPLE, REPLY),
    VacationOver(TO, (YearLeft(2026, 12),), (), PEOPLE, REPLY),
    OpponentAway(TO, "bob", LATER, (104, 105), changed=False),
    OpponentAway(TO, "bob", LATER, (104,), changed=True),
    OpponentBack(TO, "bob", (104, 105)),
    AddressFailed(TO, "old@example.org"),
    OpponentUnreachable(TO, "bob", (104, 107), NOW + timedelta(days=30)),
    OpponentUnreachable(TO, "bob", (104,), None),
    OpponentReachable(TO, "bob", (104,)),
    ReachableAgain(TO, (TABLE,), PEOPLE, Token(TokenKind.PLAYER, 0, ALICE)),
    TriedAgain(TO, "off@example.org", (TABLE,), PEOPLE, Token(TokenKind.PLAYER, 0, ALICE)),
    PlayerUnreachable("operator@example.org", "bob", ("b@example.org",), "5.1.1", NOW),
    MostMailsFail("operator@example.org", 5, 6),
)
