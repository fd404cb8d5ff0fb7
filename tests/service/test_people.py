"""Who is blocked reaches nobody with a word, and cannot tell; talk has bounds; reports are private.

Each row plays one way in which mallory's words could reach alice, in two houses that differ only
in whether alice blocks mallory.
"""

import re
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage, Message
from itertools import cycle, islice
from pathlib import Path

import pytest

from pbm.domain.invitations import Invitation, Terms
from pbm.domain.match import MOST_BLOCKED
from pbm.features.invitations import INVITATIONS
from pbm.features.offers import OFFERS
from pbm.features.talk import CHATS, MESSAGES
from pbm.service.context import hour_of
from pbm.service.limits import RECEIVED_AN_HOUR, Limit
from tests.house import HouseUnderTest, text_of

ALICE, BOB, MALLORY, CAROL = (f"{n}@example.org" for n in ("alice", "bob", "mallory", "carol"))
OPERATOR = "operator@example.org"
WORD = "Quisling"
"""What mallory writes, and alice does not want to read."""

Attack = Callable[[HouseUnderTest], list[EmailMessage]]

New = Callable[[str], HouseUnderTest]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice plays mallory on board 101, and bob plays carol on 102."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"), operator=OPERATOR)
    house.add("alice", "bob", "mallory", "carol")
    for one, other in (("alice", MALLORY), ("bob", CAROL)):
        opponent = other.partition("@")[0]
        line = f"gonnect challenge {one} {one}-pw {opponent} -size=5"
        house.mail(f"{one}@example.org", line)
        house.reply(house.last_to(other), "accept")
    return house


@pytest.fixture
def new(begun: HouseUnderTest, tmp_path: Path) -> New:
    """Return a maker of houses that are all alike."""

    def make(name: str) -> HouseUnderTest:
        (tmp_path / name).mkdir()
        return begun.twin(tmp_path / name)

    return make


def blocking(house: HouseUnderTest) -> HouseUnderTest:
    house.mail(ALICE, "block alice alice-pw mallory")
    return house


def writes(line: str, text: str = WORD, *, first: tuple[str, str] | None = None) -> Attack:
    """Return the attack that writes this, after somebody else, if `first` says so."""

    def attack(house: HouseUnderTest) -> list[EmailMessage]:
        mails = house.mail(*first) if first else []
        return mails + house.mail(MALLORY, line, text)

    return attack


def invited_earlier(house: HouseUnderTest) -> int:
    """Return the number of an invitation that alice made to mallory before any block."""
    with house.house.open_unit() as work:
        alice, mallory = (work.players.by_userid(name) for name in ("alice", "mallory"))
        assert alice
        assert mallory
        number = work.next_number()
        game = house.house.catalogue.get("olix").info
        seats = (alice.id, mallory.id)
        work.invitations.add(
            Invitation(
                number, game.key, game.setup(), Terms(), seats, alice.id,
                frozenset({alice.id}), house.clock(),
            )
        )  # fmt: skip
        work.commit()
    return number


ME = "mallory mallory-pw"
MINE = (ALICE, "move 101 alice alice-pw C3")

WAYS: dict[str, Attack] = {
    "a message": writes(f"message {ME} alice"),
    "a message to several": writes(f"message {ME} bob alice carol"),
    "a broadcast": writes(f"broadcast {ME}", first=(ALICE, "set alice alice-pw broadcast yes")),
    "a chat": writes(f"chat 101 {ME}"),
    "a comment below a move": writes(f"move 101 {ME} C4", first=MINE),
    "a comment below the pie rule": writes(f"swap 101 {ME}", first=MINE),
    "a comment below a submitted move": lambda house: [
        *house.mail(*MINE),
        *house.mail(MALLORY, f"submit 101 {ME} C4", WORD),
        *house.mail(MALLORY, f"confirm 101 {ME}", WORD),
    ],
    "a comment below an offer": writes(f"draw 101 {ME}"),
    "a comment below a no": writes(f"reject 101 {ME}", first=(ALICE, "draw 101 alice alice-pw")),
    "a comment below a yes": writes(f"accept 101 {ME}", first=(ALICE, "draw 101 alice alice-pw")),
    "a comment below a resignation": writes(f"resign 101 {ME}"),
    "the acceptance of an invitation": lambda house: [
        *house.mail(MALLORY, f"accept {invited_earlier(house)} {ME}", WORD),
    ],
    "the refusal of an invitation": lambda house: [
        *house.mail(MALLORY, f"decline {invited_earlier(house)} {ME}", WORD),
    ],
    "a chat on a board that alice follows": lambda house: [
        *house.mail(BOB, "subscribe 101 bob bob-pw"),
        *house.mail(MALLORY, f"chat 101 {ME}", WORD),
    ],
    "the record of the board": lambda house: [
        *house.mail(MALLORY, f"chat 101 {ME}", WORD),
        *house.mail(*MINE),
        *house.mail(MALLORY, f"swap 101 {ME}", WORD),
        *house.mail(MALLORY, f"move 101 {ME} C4", WORD),
        *house.mail(ALICE, "record 101"),
        *house.mail(ALICE, "show 101"),
    ],
    "several commands in one mail": lambda house: house.mail(
        MALLORY, "", f"chat 101 {ME}\nmessage {ME} alice\ndraw 101 {ME}\n\n{WORD}"
    ),
}


def read_by(reader: str, mails: list[EmailMessage]) -> list[str]:
    """Return all that `reader` reads of these mails, files included."""
    return [
        "\n".join(_content(p) for p in mail.walk() if p.get_content_maintype() in _READ)
        for mail in mails
        if mail["To"] == reader
    ]


_READ = ("text", "application")


def _content(part: Message) -> str:
    """Return the text of a part without what differs anyway: the tokens and the mail's own name."""
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return re.sub(r"mailto:pbm\+[a-z2-7]+@|cid:[^\"]+", "", content.decode())


@pytest.mark.parametrize("way", WAYS)
def test_no_word_of_somebody_blocked_arrives_and_they_cannot_tell(new: New, way: str) -> None:
    heard, unheard = WAYS[way](new("one")), WAYS[way](blocking(new("two")))
    assert any(WORD in text for text in read_by(ALICE, heard)), "the attack does nothing"
    assert not any(WORD in text for text in read_by(ALICE, unheard))
    assert read_by(MALLORY, unheard) == read_by(MALLORY, heard)
    assert read_by(BOB, unheard) == read_by(BOB, heard)


def test_what_somebody_blocked_does_on_a_board_is_told_all_the_same(new: New) -> None:
    house = blocking(new("house"))
    house.mail(*MINE)
    (told,) = read_by(ALICE, house.mail(MALLORY, f"move 101 {ME} C4", WORD))
    assert "mallory played C4." in told
    (answer,) = house.mail(CAROL, "record 101")
    assert WORD in "".join(read_by(CAROL, [answer])), "the log of the match keeps the words"


def test_an_invitation_is_refused_as_by_somebody_who_takes_none(new: New) -> None:
    invitation = (MALLORY, f"gonnect challenge {ME} alice", WORD)
    turning_down = new("one")
    turning_down.mail(ALICE, "gonnect reject alice alice-pw")
    blocked = blocking(new("two"))
    answers = [read_by(MALLORY, house.mail(*invitation)) for house in (turning_down, blocked)]
    assert answers[0] == answers[1]
    assert "alice takes no such invitation to Gonnect." in answers[0][0]
    assert ALICE not in {mail["To"] for mail in blocked.sent[-1:]}


@pytest.mark.parametrize("blocker", ["alice", "mallory"])
def test_seeks_do_not_pair_players_of_whom_one_blocks_the_other(new: New, blocker: str) -> None:
    house = new("house")
    other = {"alice": "mallory", "mallory": "alice"}[blocker]
    house.mail(f"{blocker}@example.org", f"block {blocker} {blocker}-pw {other}")
    house.mail(ALICE, "olix seek 1 alice alice-pw")
    (answer,) = house.mail(MALLORY, f"olix seek 1 {ME}")
    assert "You seek 1 match of OLIX." in text_of(answer)
    mails = house.mail(BOB, "olix seek 1 bob bob-pw")
    assert {"alice@example.org", BOB} == {mail["To"] for mail in mails}


def test_a_seek_after_the_block_is_over_pairs_them_again(house: HouseUnderTest) -> None:
    blocking(house).mail(ALICE, "unblock alice alice-pw mallory")
    house.mail(ALICE, "olix seek 1 alice alice-pw")
    assert len(house.mail(MALLORY, f"olix seek 1 {ME}")) == 3


MANY = [
    (MESSAGES, f"message {ME} {{}}", "10 messages an hour to one player are the limit, and alice"),
    (CHATS, f"chat 101 {ME}", "30 chats an hour to one player are the limit, and alice"),
    (INVITATIONS, f"olix challenge {ME} {{}}", "10 invitations an hour to one player are the"),
]


@pytest.mark.parametrize(("limit", "line", "said"), MANY, ids=lambda it: getattr(it, "name", ""))
def test_so_much_to_one_player_in_an_hour_is_enough(
    house: HouseUnderTest, limit: Limit, line: str, said: str
) -> None:
    told = house.flood(MALLORY, *[(line.format("alice"), WORD)] * limit.most_to_one)
    assert [mail["To"] for mail in told].count(ALICE) == limit.most_to_one
    (answer,) = house.mail(MALLORY, line.format("alice"), WORD)
    assert said in " ".join(text_of(answer).split())
    assert "Wait a little." in " ".join(text_of(answer).split())
    if "{}" in line:
        others = house.mail(MALLORY, line.format("bob"), WORD)
        assert BOB in {mail["To"] for mail in others}, "somebody else can still be written to"
    house.clock.now += timedelta(hours=1)
    assert ALICE in {mail["To"] for mail in house.mail(MALLORY, line.format("alice"), WORD)}


@pytest.mark.parametrize("limit", [MESSAGES, INVITATIONS], ids=lambda limit: limit.name)
def test_so_much_in_all_in_an_hour_is_enough(house: HouseUnderTest, limit: Limit) -> None:
    line = {"message": "message", "invitation": "olix challenge"}[limit.name]
    house.add("dave")
    names = islice(cycle(("alice", "bob", "carol")), limit.most)
    told = house.flood(MALLORY, *((f"{line} {ME} {name}", WORD) for name in names))
    assert [mail["To"] for mail in told].count(MALLORY) == limit.most
    assert len(told) == 2 * limit.most
    (answer,) = house.mail(MALLORY, f"{line} {ME} dave", WORD)
    assert f"{limit.most} {limit.name}s an hour are the limit. Wait a little." in text_of(answer)


@pytest.mark.parametrize("limit", [MESSAGES, INVITATIONS], ids=lambda limit: limit.name)
def test_so_much_from_all_together_is_enough_and_who_is_blocked_does_not_count(
    house: HouseUnderTest, limit: Limit
) -> None:
    line = {"message": "message", "invitation": "olix challenge"}[limit.name]
    with house.house.open_unit() as work:
        (alice,) = work.players.by_address(ALICE)
        hour = hour_of(house.clock())
        work.add_to_tally(f"{limit.name}>{alice.id}", hour, RECEIVED_AN_HOUR - 1)
        work.commit()
    blocking(house).mail(MALLORY, f"{line} {ME} alice", WORD)
    assert ALICE in {mail["To"] for mail in house.mail(BOB, f"{line} bob bob-pw alice", WORD)}
    (answer,) = house.mail(CAROL, f"{line} carol carol-pw alice", WORD)
    assert f"alice has had 30 {limit.name}s from players" in " ".join(text_of(answer).split())
    house.clock.now += timedelta(hours=1)
    assert ALICE in {mail["To"] for mail in house.mail(CAROL, f"{line} carol carol-pw alice", WORD)}


def test_chats_are_bounded_over_all_boards(house: HouseUnderTest) -> None:
    house.mail(CAROL, "gonnect challenge carol carol-pw mallory")
    house.reply(house.last_to(MALLORY), "accept")
    chats = [(f"chat {number} {ME}", WORD) for number in (101, 103)]
    told = house.flood(MALLORY, *chats * (CHATS.most // 2))
    assert sum(" 103]" in mail["Subject"] for mail in told) == 2 * (CHATS.most // 2)
    (answer,) = house.mail(MALLORY, f"chat 103 {ME}", WORD)
    assert "60 chats an hour are the limit. Wait a little." in text_of(answer)


def test_offers_that_replace_each_other_are_bounded_and_so_are_the_texts_below_them(
    house: HouseUnderTest,
) -> None:
    house.mail(*MINE)
    house.mail(MALLORY, f"move 101 {ME} E5")
    offers = [(f"{what} 101 {ME}", WORD) for what in ("draw", "undo")]
    told = house.flood(MALLORY, *offers * (OFFERS.most_to_one // 2))
    assert [mail["To"] for mail in told].count(ALICE) == OFFERS.most_to_one
    (answer,) = house.mail(MALLORY, *offers[0])
    assert "10 offers an hour to one player are the limit" in " ".join(text_of(answer).split())
    assert ALICE in {mail["To"] for mail in house.mail(ALICE, "accept 101 alice alice-pw")}
    house.clock.now += timedelta(hours=1)
    assert ALICE in {mail["To"] for mail in house.mail(MALLORY, *offers[0])}


def test_a_message_to_several_is_passed_on_to_all_or_to_nobody(house: HouseUnderTest) -> None:
    house.flood(MALLORY, *[(f"message {ME} alice", WORD)] * MESSAGES.most_to_one)
    (answer,) = house.mail(MALLORY, f"message {ME} bob carol alice", WORD)
    assert answer["To"] == MALLORY


def test_a_bound_does_not_tell_who_blocks(house: HouseUnderTest) -> None:
    blocking(house)
    house.flood(MALLORY, *[(f"message {ME} alice", WORD)] * MESSAGES.most_to_one)
    (answer,) = house.mail(MALLORY, f"message {ME} alice", WORD)
    assert "alice has had them" in " ".join(text_of(answer).split())


def test_blocks_have_a_bound(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        alice = work.players.by_userid("alice")
        assert alice is not None
        for n in range(MOST_BLOCKED):
            other = work.players.add(f"other{n}", "", [f"o{n}@example.org"], house.clock())
            work.blocks.block(alice.id, other.id)
        work.commit()
    (blocked,) = house.mail(ALICE, "block alice alice-pw mallory")
    assert "You block 200 players already. Unblock one first." in text_of(blocked)


RUDE = "She is rude."
MOVE, AT_BOARD = "move 101 alice alice-pw C3", "report 101 alice alice-pw"
PRIVATE = {
    "its own": ("report alice alice-pw mallory", RUDE),
    "below a move": ("", f"{MOVE}\n{AT_BOARD}\n\n{RUDE}"),
    "above a move": ("", f"{AT_BOARD}\n{MOVE}\n\n{RUDE}"),
    "with a chat": ("", f"{AT_BOARD}\nchat 101 alice alice-pw\n\n{RUDE}"),
    "with a message": ("", f"message alice alice-pw bob\n{AT_BOARD}\n\n{RUDE}"),
}


@pytest.mark.parametrize("what", PRIVATE)
def test_the_text_of_a_report_is_for_the_operator_alone(house: HouseUnderTest, what: str) -> None:
    subject, text = PRIVATE[what]
    mails = house.mail(ALICE, subject, text)
    readers = {str(m["To"]) for m in mails if RUDE in text_of(m)}
    assert readers == {OPERATOR}


def test_a_report_holds_neither_password_nor_reply_address(house: HouseUnderTest) -> None:
    board = next(m for m in reversed(house.sent) if m["To"] == ALICE and "101" in m["Subject"])
    token = str(board["Reply-To"]).strip("<>")
    text = f"See {token}\nalice alice-pw\nmove 101 alice alice-pw C3\nRude!"
    mails = house.mail(ALICE, "report 101 alice alice-pw", text)
    (told,) = read_by(OPERATOR, mails)
    assert "Rude!" in told
    assert "alice-pw" not in told
    assert token not in told
    (mail,) = (mail for mail in mails if mail["To"] == OPERATOR)
    assert mail["Reply-To"] is None
    assert (mail["In-Reply-To"], mail["References"]) == (None, None)


def test_without_an_operator_a_report_says_so(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "mallory")
    (answer,) = house.mail(ALICE, "report alice alice-pw mallory", "She is rude.")
    assert answer["To"] == ALICE
    assert "Nobody can be told: this server has named no operator." in text_of(answer)
    assert "block alice your-password bob" in text_of(answer)


UNPROVEN = (
    "block alice wrong-pw mallory", "block alice", "unblock alice wrong-pw mallory", "blocks",
    "report 101", "report mallory",
)  # fmt: skip


@pytest.mark.parametrize("line", UNPROVEN)
def test_a_mail_that_proves_nothing_changes_nothing(house: HouseUnderTest, line: str) -> None:
    mails = house.mail(ALICE, line, RUDE)
    assert {mail["To"] for mail in mails} == {ALICE}
    with house.house.open_reading() as work:
        alice = work.players.by_userid("alice")
        assert alice is not None
        assert work.blocks.blocked_by(alice.id) == frozenset()
