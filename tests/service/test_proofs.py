"""What proves a command: the table of `proofs`, and the attacks that it is there for."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbm.domain.player import Player
from pbm.operator.administration import Administration
from pbm.service.command import Proof
from pbm.service.grammar import commands
from pbm.service.tokens import TokenKind
from pbm.token_keys import load_keys
from tests.house import ADDRESS, HouseUnderTest, text_of
from tests.links import button
from tests.service.houses import word_of_before

ALICE, BOB, MALLORY = (f"{name}@example.org" for name in ("alice", "bob", "mallory"))
DAY = timedelta(days=1)
TEXT = "Words-of-mallory"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice is to move against bob on board 101, an hour after it began."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", "carol")
    house.begin_match()
    house.clock.now += timedelta(hours=1)
    return house


def stored(house: HouseUnderTest) -> tuple[object, ...]:
    """Return what a mail may change: players, matches, invitations, seeks, who follows what.

    Wrong passwords are counted with the player, which changes nothing of theirs.
    """
    with house.house.open_reading() as work:
        people = tuple(
            replace(player, settings=chosen(player)) for player in work.players.listing()
        )
        boards = [work.matches.get(n) or work.invitations.get(n) for n in range(101, 105)]
        followed = [work.followers.followed_by(player.id) for player in people]
        return people, boards, followed, work.wishes.seeks()


def chosen(player: Player) -> dict[str, str]:
    return {name: value for name, value in player.settings.items() if name != "wrong-passwords"}


def prose(mails: list[EmailMessage]) -> str:
    return " ".join(" ".join(map(text_of, mails)).split())


UNPROVEN = {
    "by the form without a password": "gonnect challenge alice bob",
    "with words that are no password": "gonnect challenge alice guess bob",
    "a standing answer": "gonnect accept alice guess",
    "a seek": "gonnect seek 1 alice guess",
    "a move": "move 101 alice guess C3",
    "a resignation": "resign 101 alice guess",
    "a chat": "chat 101 alice guess",
    "a message": "message alice guess bob",
    "a broadcast": "broadcast alice guess",
    "a setting": "set alice guess zone Europe/Berlin",
    "a vacation without a name": "vacation 10 days",
    "less mail": "unsubscribe 101",
    "less mail of a game": "gonnect unsubscribe all",
    "a log out": "logout alice guess",
    "a log out without a name": "log out",
    "the end of the account": "signoff alice guess",
}


@pytest.mark.parametrize("line", UNPROVEN.values(), ids=UNPROVEN)
def test_a_forged_from_changes_nothing_and_passes_nothing_on(
    house: HouseUnderTest, line: str
) -> None:
    house.mail(ALICE, "subscribe 101 carol carol-pw")
    house.mail(ALICE, "gonnect subscribe all alice alice-pw")
    before = stored(house)
    told = house.mail(ALICE, line, TEXT)
    assert [mail["To"] for mail in told] == [ALICE]
    assert TEXT not in prose(told)
    assert stored(house) == before


@pytest.mark.parametrize("line", UNPROVEN.values(), ids=UNPROVEN)
def test_a_stranger_changes_nothing_and_no_player_hears_of_it(
    house: HouseUnderTest, line: str
) -> None:
    before = stored(house)
    told = house.mail(MALLORY, line, TEXT)
    assert stored(house) == before
    assert not {ALICE, BOB} & {str(mail["To"]) for mail in told}


@pytest.mark.parametrize(
    ("line", "works"),
    [
        ("gonnect challenge alice bob", "gonnect challenge alice your-password bob"),
        ("unsubscribe 101", "unsubscribe 101 alice your-password"),
        ("vacation 10 days", "vacation alice your-password 10 days"),
    ],
)
def test_who_proved_nothing_is_told_what_is_missing_and_a_line_that_works(
    house: HouseUnderTest, line: str, works: str
) -> None:
    (answer,) = house.mail(ALICE, line)
    assert "Say who you are: your userid and password are missing." in prose([answer])
    assert f"Try: {works}" in prose([answer]).replace("  ", " ")


def test_a_reply_to_that_answer_proves_it(house: HouseUnderTest) -> None:
    (answer,) = house.mail(ALICE, "gonnect challenge alice carol")
    told = house.reply(answer, "gonnect challenge alice carol")
    assert [mail["To"] for mail in told] == [ALICE, "carol@example.org"]


def test_no_reply_touches_the_account(house: HouseUnderTest) -> None:
    lines = {
        "change": "change password another-pw",
        "change address": "change address mallory@example.org",
        "add": "add mallory@example.org",
        "signoff": "signoff",
    }
    needing = {command.name for command in commands() if command.needs is Proof.PASSWORD}
    assert needing <= set(lines)
    before = stored(house)
    for line in lines.values():
        told = house.reply(house.last_to(ALICE), line)
        assert [mail["To"] for mail in told] == [ALICE]
    assert stored(house) == before


def plays(house: HouseUnderTest, userid: str, move: str) -> EmailMessage:
    """Let a player move by a reply to their newest mail; return that mail."""
    mail = house.last_to(f"{userid}@example.org")
    told = house.reply(mail, move)
    assert "Please check" not in str(told[0]["From"]), prose(told)
    return mail


def take_back(house: HouseUnderTest) -> None:
    """Take the last move of board 101 back, as both players agree to."""
    (answer, *_) = house.mail(ALICE, "undo 101 alice alice-pw")
    assert "You have asked" in prose([answer])
    house.mail(BOB, "accept 101 bob bob-pw")


def test_after_an_undo_a_mail_of_before_does_not_move_though_the_ply_is_the_same(
    house: HouseUnderTest,
) -> None:
    first = plays(house, "alice", "C3")
    take_back(house)
    before = stored(house)
    (answer,) = house.reply(first, "A1")
    assert stored(house) == before
    assert "from before moves were taken back there" in prose([answer])
    # The answer shows the board, and a reply to it moves.
    assert "It's your move" in prose([answer])
    house.reply(answer, "B2")
    assert "B2" in prose([house.last_to(BOB)])


def test_a_mail_of_before_an_undo_answers_no_later_offer(house: HouseUnderTest) -> None:
    plays(house, "alice", "C3")
    later = plays(house, "bob", "C4")
    house.mail(BOB, "undo 101 bob bob-pw")
    house.mail(ALICE, "accept 101 alice alice-pw")
    take_back(house)
    house.mail(ALICE, "draw 101 alice alice-pw")
    (answer,) = house.reply(later, "accept")
    assert "older than the offer" in prose([answer])


@pytest.mark.parametrize("line", ["C4", "move 101 C4", "C4#2", "queue C4", "submit C4"])
def test_a_mail_of_an_earlier_ply_does_not_move_whatever_it_says(
    house: HouseUnderTest, line: str
) -> None:
    plays(house, "alice", "C3")
    asked = house.last_to(BOB)
    house.mail(BOB, "move 101 bob bob-pw D4")
    plays(house, "alice", "B3")
    before = stored(house)
    (answer,) = house.reply(asked, line.replace("#2", "#4"))
    assert (answer["To"], stored(house)) == (BOB, before)
    assert "It's your move" in prose([answer])


def test_a_mail_of_another_board_moves_only_while_the_turn_lasts(house: HouseUnderTest) -> None:
    house.mail("carol@example.org", "olix challenge carol carol-pw alice")
    other = house.last_to(ALICE)
    house.clock.now += timedelta(minutes=1)
    plays_at = house.reply(other, "move 101 C3")
    assert "You played C3." in prose(plays_at)
    house.clock.now += timedelta(minutes=1)
    house.mail(BOB, "move 101 bob bob-pw C4")
    before = stored(house)
    (answer,) = house.reply(other, "move 101 D4")
    assert "Board 101 has changed since the mail that you answered." in prose([answer])
    assert stored(house) == before


AGES = (
    # What a reply to the mail of a board asks for, and for how many days it is done.
    ("C3", 1000),
    ("chat", 60),
    ("draw", 60),
    ("resign", 60),
    ("show", 1000),
    ("set zone Europe/Berlin", 30),
    ("gonnect challenge carol", 30),
    ("message bob", 30),
    ("vacation 5 days", 30),
    ("logout", 30),
)


@pytest.mark.parametrize("age", [29, 31, 59, 61, 300])
@pytest.mark.parametrize(("line", "days"), AGES)
def test_a_reply_proves_less_the_older_its_mail_is(
    house: HouseUnderTest, line: str, days: int, age: int
) -> None:
    mail = house.last_to(ALICE)
    house.clock.now += age * DAY
    answer = house.reply(mail, f"{line}\n{TEXT}")[0]
    assert ("Please check" in str(answer["From"])) == (age > days)


def test_an_old_reply_is_answered_with_the_fresh_board_and_passes_nothing_on(
    house: HouseUnderTest,
) -> None:
    mail = house.last_to(ALICE)
    house.clock.now += 61 * DAY
    (answer,) = house.reply(mail, f"chat\n{TEXT}")
    assert "more than 30 days old. Nothing was done: please answer this one" in prose([answer])
    assert "It's your move" in prose([answer])
    assert TEXT not in prose([answer])
    told = house.reply(answer, f"chat\n{TEXT}")
    assert {str(mail["To"]) for mail in told} == {ALICE, BOB}


def test_when_the_match_is_over_its_mails_prove_only_the_person(house: HouseUnderTest) -> None:
    mail = house.last_to(ALICE)
    house.mail(BOB, "resign 101 bob bob-pw")
    house.clock.now += 29 * DAY
    assert len(house.reply(mail, f"chat\n{TEXT}")) == 2
    house.clock.now += 2 * DAY
    (answer,) = house.reply(mail, f"chat\n{TEXT}")
    assert "Please check" in str(answer["From"])


def test_a_mail_from_before_replies_had_a_date_is_answered_and_not_executed(
    house: HouseUnderTest,
) -> None:
    with house.house.open_reading() as work:
        alice = work.players.by_userid("alice")
    assert alice
    local, _, domain = ADDRESS.partition("@")
    word = word_of_before(
        load_keys(house.folder / "key").keys[0].secret, TokenKind.BOARD, 101, alice.id, 1
    )
    to = f"{local}+{word}@{domain}"
    before = stored(house)
    (answer,) = house.mail(ALICE, "Re: your move", "C3", to)
    assert stored(house) == before
    assert "You answered a mail from before replies had a date." in prose([answer])
    assert "It's your move" in prose([answer])
    # Somebody else learns nothing from it, and its owner is told once.
    assert [mail["To"] for mail in house.mail(MALLORY, "Re: x", "C3", to)] == [ALICE]
    assert house.mail(MALLORY, "Re: x", "C3", to) == []


def test_a_signup_asked_for_before_the_upgrade_can_still_be_confirmed(
    house: HouseUnderTest,
) -> None:
    house.mail("dora@example.org", "signup dora dora-pw-dora")
    local, _, domain = ADDRESS.partition("@")
    word = word_of_before(load_keys(house.folder / "key").keys[0].secret, TokenKind.SIGNUP, 1)
    (welcome,) = house.mail("dora@example.org", "Re: x", "yes", f"{local}+{word}@{domain}")
    assert "Your account is open" in prose([welcome])


def new_password(house: HouseUnderTest) -> None:
    house.mail(ALICE, "change password alice alice-pw another-pw")


def operators_password(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        Administration(house.house.services, work, house.clock()).set_password("alice", "another")
        work.commit()
    house.deliver()


def forgotten_password(house: HouseUnderTest) -> None:
    house.mail(ALICE, "forgot alice")
    house.reply(house.last_to(ALICE), "password another-pw")


def log_out(house: HouseUnderTest) -> None:
    house.mail(ALICE, "log out alice alice-pw")


@pytest.mark.parametrize("act", [new_password, operators_password, forgotten_password, log_out])
def test_a_new_password_and_a_log_out_make_all_earlier_mails_worthless(
    house: HouseUnderTest, act: Callable[[HouseUnderTest], None]
) -> None:
    mails = [mail for mail in house.sent if mail["To"] == ALICE and mail["Reply-To"]]
    act(house)
    before = stored(house)
    for mail in mails:
        for line in ("C3", "resign", "accept", "set zone Europe/Berlin", "draw"):
            (answer,) = house.reply(mail, f"{line}\n{TEXT}")
            assert "before you logged out, or had another password" in prose([answer])
    assert stored(house) == before
    # A mail of a second later counts again.
    house.clock.now += timedelta(seconds=1)
    house.mail(ALICE, "show 101")
    plays(house, "alice", "C3")


def test_the_mails_of_others_count_on_when_one_player_logs_out(house: HouseUnderTest) -> None:
    mail = house.last_to(BOB)
    log_out(house)
    assert len(house.reply(mail, f"chat\n{TEXT}")) == 2


def test_a_password_in_a_reply_counts_where_the_reply_no_longer_does(house: HouseUnderTest) -> None:
    mail = house.last_to(ALICE)
    log_out(house)
    (wrong,) = house.reply(mail, "move alice guess C3")
    assert "The password does not match that userid." in prose([wrong])
    assert "You played C3." in prose(house.reply(mail, "move alice alice-pw C3"))


def test_a_worthless_reply_is_no_sign_of_life(house: HouseUnderTest) -> None:
    mail = house.last_to(ALICE)
    log_out(house)
    with house.house.open_unit() as work:
        work.players.count_failure(ALICE)
        work.commit()
    before = stored(house)
    house.reply(mail, "Hello, here I am!")
    assert stored(house) == before


def test_without_a_game_in_the_subject_a_button_stops_the_seeks_of_all_games(
    house: HouseUnderTest,
) -> None:
    house.mail("carol@example.org", "gonnect notify seeks carol carol-pw")
    house.mail(ALICE, "gonnect seek alice alice-pw")
    to, _ = button(house.last_to("carol@example.org"))
    assert "opponent at any game" in prose(house.mail("carol@example.org", "", "", to))


def test_no_mail_of_a_game_that_one_plays_has_a_button(house: HouseUnderTest) -> None:
    plays(house, "alice", "C3")
    house.reply(house.last_to(BOB), "swap")
    house.reply(house.last_to(ALICE), "chat\n\nHello")
    house.clock.now += 19 * DAY
    house.remind()
    house.reply(house.last_to(ALICE), "resign")
    mine = [mail for mail in house.sent if mail["To"] in (ALICE, BOB)]
    assert len(mine) > 6
    assert not [mail["From"] for mail in mine if mail["List-Unsubscribe"]]
