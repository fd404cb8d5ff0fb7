"""Addresses whose mails come back, tested through the house: when they are switched off and on."""

import re
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.domain.mail import ReceivedMail
from pbm.domain.player import PlayerState
from pbm.service.administration import Administration
from pbm.service.delivery import Relay
from tests.house import ADDRESS, START, HouseUnderTest, text_of
from tests.relay.sinks import Sink, relay_to, serving

ALICE, BOB, CAROL = (f"{name}@example.org" for name in ("alice", "bob", "carol"))
OPERATOR = "operator@example.org"
DAY = timedelta(days=1)

GONE, REFUSED = "5.1.1", "5.7.1"


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    """Return a house where bob is to move against alice on 101 and carol on 102 since START."""
    house = HouseUnderTest(tmp_path, operator=OPERATOR)
    house.add("alice", "bob", "carol")
    for opponent in ("alice", "carol"):
        house.mail(BOB, f"gonnect challenge bob bob-pw {opponent} -size=5")
        house.reply(house.last_to(f"{opponent}@example.org"), "accept")
    return house


def come_back(house: HouseUnderTest, mail: EmailMessage, status: str = GONE) -> list[EmailMessage]:
    """Let the reader's host report that `mail` could not be delivered."""
    return report_to(house, house.senders[str(mail["Message-ID"])], status)


def report_to(house: HouseUnderTest, address: str, status: str = GONE) -> list[EmailMessage]:
    """Let a host report to `address` that a mail could not be delivered."""
    report = (
        "From: mailer-daemon@example.org\nContent-Type: multipart/report; boundary=b\n\n--b\n"
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; example.org\n\n"
        f"Action: failed\nStatus: {status}\n\n--b--\n"
    )
    return house.take(report.replace("\n", "\r\n").encode(), "", address)


def write_to_bob(house: HouseUnderTest) -> EmailMessage:
    """Return a new mail to bob, which the server sends because alice writes to him."""
    house.mail(ALICE, "message alice alice-pw bob", "Are you there?")
    return house.last_to(BOB)


def board_mail(house: HouseUnderTest) -> EmailMessage:
    """Return the first mail to bob about board 101, which he may answer without a password."""
    sent = (mail for mail in house.sent if mail["To"] == BOB and mail["Reply-To"])
    return next(mail for mail in sent if "[Gonnect 101]" in str(mail["Subject"]))


def on_day(house: HouseUnderTest, day: float) -> None:
    house.clock.now = START + day * DAY


def fail_on(house: HouseUnderTest, *days: float, status: str = GONE) -> list[EmailMessage]:
    """Let mails to bob come back on these days; return the mails that the last one causes."""
    told: list[EmailMessage] = []
    for day in days:
        on_day(house, day)
        told = come_back(house, write_to_bob(house), status)
    return told


def recipients(mails: list[EmailMessage]) -> list[str]:
    return sorted(str(mail["To"]) for mail in mails)


def prose(mail: EmailMessage) -> str:
    return " ".join(text_of(mail).split())


def deadline(house: HouseUnderTest) -> str:
    """Return what alice reads of bob's clock on board 101."""
    house.mail(ALICE, "show 101")
    return prose(house.last_to(ALICE)).partition("Move")[0]


def give(house: HouseUnderTest, userid: str, *addresses: str) -> None:
    """Replace a player's addresses, as the operator does."""
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        admin.set_addresses(userid, addresses)
        work.commit()


def is_off(house: HouseUnderTest, userid: str = "bob") -> bool:
    with house.house.open_reading() as work:
        player = work.players.by_userid(userid)
    assert player is not None
    return player.address is None


def test_an_address_that_does_not_exist_is_switched_off_on_the_second_day(
    house: HouseUnderTest,
) -> None:
    assert fail_on(house, 0, 0.1, 0.2) == []
    assert not is_off(house)
    fail_on(house, 1)
    assert is_off(house)


def test_an_address_that_refuses_is_switched_off_on_the_third_day(house: HouseUnderTest) -> None:
    assert fail_on(house, 0, 1, status=REFUSED) == []
    assert not is_off(house)
    fail_on(house, 2, status=REFUSED)
    assert is_off(house)


def test_the_operator_and_each_opponent_are_told_once_and_the_clocks_stand_for_thirty_days(
    house: HouseUnderTest,
) -> None:
    told = fail_on(house, 0, 1)
    assert recipients(told) == [ALICE, CAROL, OPERATOR]
    # START is Fri 20 Nov 2026 12:00. The clocks stand from a day later, for 30 days.
    until = "until Mon 21 Dec 2026 12:00 UTC"
    assert f"The clocks of bob stand {until}, or until bob writes again" in prose(told[0])
    assert "about board 101." in prose(house.last_to(ALICE))
    assert "about board 102." in prose(house.last_to(CAROL))
    assert "Mails to bob come back (status 5.1.1)" in prose(house.last_to(OPERATOR))
    assert "pbm user address bob ADDRESS" in prose(house.last_to(OPERATOR))
    # Of the 21 days one had run: 20 days from 21 Dec.
    assert "bob has time until Sun 10 Jan 2027 12:00 UTC" in deadline(house)
    assert f"Mails to bob come back; the clock stands {until}." in deadline(house)


def test_nothing_is_sent_to_an_address_that_is_off(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    told = house.mail(ALICE, "message alice alice-pw bob", "Are you there?")
    told += house.mail(ALICE, "chat 101 alice alice-pw", "Hello?")
    for day in (8, 20, 30):
        on_day(house, day)
        told += house.remind()
    assert set(recipients(told)) == {ALICE}


def test_a_report_that_is_repeated_counts_once(house: HouseUnderTest) -> None:
    mail = write_to_bob(house)
    for day in (0, 1, 2, 3):
        on_day(house, day)
        come_back(house, mail)
    assert not is_off(house)


@pytest.mark.parametrize("status", ["5.1.8", "5.3.4", "5.5.1", "5.6.0"])
def test_a_failure_that_blames_our_mail_does_not_count_against_the_address(
    house: HouseUnderTest, status: str
) -> None:
    fail_on(house, 0, 1, 2, 3, status=status)
    assert not is_off(house)


def words_of(mail: EmailMessage) -> set[str]:
    """Return every word that a reader of `mail` finds anywhere in it."""
    return set(re.findall(r"[A-Za-z0-9]+", mail.as_string() + text_of(mail)))


def test_nobody_can_forge_a_report_with_what_is_read_in_a_mail(house: HouseUnderTest) -> None:
    for day in (0, 1, 2, 3):
        on_day(house, day)
        mail = write_to_bob(house)
        word = house.senders[str(mail["Message-ID"])].partition("+")[2].partition("@")[0]
        assert word not in words_of(mail)
        for guess in words_of(mail):
            assert report_to(house, f"bounce+{guess}@games.example.org") == []
    assert not is_off(house)


def test_a_mail_to_a_bounce_address_that_reports_nothing_is_not_executed(
    house: HouseUnderTest,
) -> None:
    to = house.senders[str(board_mail(house)["Message-ID"])]
    assert house.mail(BOB, "help", to=to) == []
    assert house.mail(BOB, "resign 101 bob bob-pw", to=to) == []
    assert deadline(house)


def test_a_reply_to_a_mail_starts_the_count_anew(house: HouseUnderTest) -> None:
    fail_on(house, 0)
    house.reply(board_mail(house), "show 101")
    fail_on(house, 1)
    assert not is_off(house)
    fail_on(house, 2)
    assert is_off(house)


def test_a_mail_without_proof_from_the_address_does_not(house: HouseUnderTest) -> None:
    fail_on(house, 0)
    house.mail(BOB, "show 101")
    house.mail(BOB, "set bob wrong-pw")
    fail_on(house, 1)
    assert is_off(house)


def test_mails_go_to_the_next_address_and_say_which_one_failed(
    house: HouseUnderTest,
) -> None:
    second = "bob@work.example.org"
    give(house, "bob", BOB, second)
    told = fail_on(house, 0, 1)
    assert recipients(told) == [second]
    assert f"mails to {BOB} have come back on several days" in prose(told[0])
    assert "clock stands" not in deadline(house)
    house.mail(ALICE, "message alice alice-pw bob", "There you are.")
    assert "There you are." in text_of(house.last_to(second))
    house.mail(BOB, "set bob bob-pw")
    assert "Your settings" in text_of(house.last_to(BOB))


def test_a_command_with_password_brings_a_player_back_and_tells_what_they_missed(
    house: HouseUnderTest,
) -> None:
    fail_on(house, 0, 1)
    on_day(house, 11)
    told = house.mail(BOB, "set bob bob-pw")
    assert recipients(told) == [ALICE, BOB, BOB, CAROL]
    back = next(mail for mail in told if mail["Subject"] == "Your clocks run again")
    # The clocks stood for ten days: 21 days from START have become 31.
    assert (
        "These boards wait for your move: "
        "101 Gonnect, against alice: by Mon 21 Dec 2026 12:00 UTC "
        "102 Gonnect, against carol: by Mon 21 Dec 2026 12:00 UTC"
    ) in prose(back)
    assert "bob can be reached again, and the clocks of bob run. This is about board 102." in (
        prose(house.last_to(CAROL))
    )
    assert "stands" not in deadline(house)
    assert "bob has time until Mon 21 Dec 2026 12:00 UTC" in deadline(house)


def test_reminders_follow_the_new_deadline_once_the_player_is_back(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    on_day(house, 8)
    assert house.remind() == []
    on_day(house, 11)
    house.mail(BOB, "set bob bob-pw")
    assert house.house.list_what_is_due() == []
    # The clock had run for one day; the first reminder comes after seven days of running time.
    on_day(house, 16.9)
    assert house.remind() == []
    on_day(house, 17)
    assert recipients(house.remind()) == [BOB]


def test_a_board_shown_before_the_password_in_the_same_mail_is_shown_as_it_stands_after(
    house: HouseUnderTest,
) -> None:
    fail_on(house, 0, 1)
    on_day(house, 11)
    told = house.mail(BOB, "multiple", "show 101\nset bob bob-pw\nshow 101")
    back = next(mail for mail in told if mail["Subject"] == "Your clocks run again")
    assert "101 Gonnect, against alice: by Mon 21 Dec 2026 12:00 UTC" in prose(back)
    assert all("stands" not in prose(mail) for mail in told)


def test_a_reply_to_an_old_mail_brings_a_player_back_and_is_answered(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    on_day(house, 2)
    told = house.reply(board_mail(house), "Z99")
    assert recipients(told) == [ALICE, BOB, BOB, CAROL]
    assert not is_off(house)


def test_a_refused_line_brings_a_player_back_too(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    told = house.mail(BOB, "move 101 bob bob-pw Z99")
    assert recipients(told) == [ALICE, BOB, BOB, CAROL]
    assert not is_off(house)


@pytest.mark.parametrize("subject", ["show 101", "set bob wrong-pw", "help", "what is up?"])
def test_an_address_in_from_alone_brings_nobody_back_but_one_question_a_day(
    house: HouseUnderTest, subject: str
) -> None:
    fail_on(house, 0, 1)
    (question,) = house.mail(BOB, subject)
    assert question["To"] == BOB
    assert "a mail has come from this address without your password" in prose(question)
    assert house.mail(BOB, subject) == []
    assert is_off(house)
    house.reply(question, "games next", author="mallory@example.net")
    assert is_off(house)
    assert recipients(house.reply(question, "games next")) == [ALICE, BOB, BOB, CAROL]
    assert not is_off(house)


def test_a_password_from_elsewhere_gives_the_address_another_try(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    told = house.mail("bob@elsewhere.example.net", "set bob bob-pw")
    assert recipients(told) == [ALICE, BOB, BOB, CAROL]
    fail_on(house, 2, 3)
    assert is_off(house)


def test_a_new_address_brings_a_player_back_once_it_is_confirmed(house: HouseUnderTest) -> None:
    fail_on(house, 0)
    house.mail(BOB, "change address bob bob-pw new@example.net")
    question = house.last_to("new@example.net")
    fail_on(house, 1, 2)
    assert is_off(house)
    told = house.reply(question, "yes")
    assert recipients(told) == [ALICE, CAROL, "new@example.net", "new@example.net"]
    assert not is_off(house)
    assert "stands" not in deadline(house)


def test_an_address_that_is_added_is_where_mails_go_while_the_first_is_off(
    house: HouseUnderTest,
) -> None:
    fail_on(house, 0)
    house.mail(BOB, "add bob bob-pw new@example.net")
    question = house.last_to("new@example.net")
    fail_on(house, 1, 2)
    told = house.reply(question, "yes")
    joined = next(mail for mail in told if mail["Subject"] == "Your address is confirmed")
    assert "Mails to bob go here." in prose(joined)
    house.mail(BOB, "set bob bob-pw")
    assert "Your settings" in text_of(house.last_to(BOB))


def test_a_lost_password_is_asked_for_at_an_address_that_works(house: HouseUnderTest) -> None:
    second = "bob@work.example.org"
    give(house, "bob", BOB, second)
    fail_on(house, 0, 1)
    assert recipients(house.mail("bob@elsewhere.example.net", "forgot bob")) == [second]


def test_a_new_password_given_in_a_reply_brings_a_player_back(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    house.mail(BOB, "forgot bob")
    question = next(mail for mail in house.sent if mail["Subject"] == "Choose a new password")
    assert is_off(house)
    assert recipients(house.reply(question, "password better-pw")) == [ALICE, BOB, BOB, CAROL]
    assert not is_off(house)


def test_the_operator_brings_a_player_back_with_another_address(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    new = "bob@new.example.net"
    give(house, "bob", new)
    told = house.deliver()
    assert recipients(told) == [ALICE, new, new, CAROL]
    assert "belongs to the account bob" in prose(next(mail for mail in told if mail["To"] == new))
    assert "stands" not in deadline(house)


def test_the_operator_can_have_the_same_address_tried_again(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    give(house, "bob", BOB)
    assert not is_off(house)


def test_a_player_not_reached_in_thirty_days_gets_one_more_try_and_then_forfeits(
    house: HouseUnderTest,
) -> None:
    fail_on(house, 0, 1)
    on_day(house, 30.9)
    assert house.remind() == []
    on_day(house, 31)
    (question,) = house.remind()
    assert question["To"] == BOB
    # The clock had run for a day before that: 20 days are left.
    line = "101 Gonnect, against alice: by Sun 10 Jan 2027 12:00 UTC"
    assert "They run again now. This mail is one more try." in prose(question)
    assert line in prose(question)
    for day in (31.1, 37, 49, 50.9):
        on_day(house, day)
        assert house.remind() == []
    on_day(house, 51)
    assert recipients(house.remind()) == [ALICE, CAROL]
    assert "You won" in prose(house.last_to(ALICE))


def test_a_player_who_is_back_in_time_needs_no_last_try(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    on_day(house, 31.1)
    house.mail(BOB, "set bob bob-pw")
    assert house.remind() == []


def test_nobody_is_told_of_a_disabled_player(house: HouseUnderTest) -> None:
    mails = [write_to_bob(house), write_to_bob(house)]
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        admin.set_state("bob", PlayerState.DISABLED)
        work.commit()
    assert recipients(house.deliver()) == [BOB]
    for day, mail in enumerate(mails):
        on_day(house, day)
        assert come_back(house, mail) == []
    assert is_off(house)


def test_the_answer_to_the_last_try_brings_a_player_back(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    on_day(house, 31)
    (question,) = house.remind()
    answers = house.reply(question, "games next")
    assert recipients(answers) == [BOB]
    on_day(house, 37)
    assert recipients(house.remind()) == [BOB]


def test_clocks_stand_for_no_more_than_thirty_days_in_a_year(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    on_day(house, 21)
    house.mail(BOB, "set bob bob-pw")
    fail_on(house, 22, 23)
    # Twenty days are used up; ten are left, from day 23 on.
    assert "the clock stands until Wed 23 Dec 2026 12:00 UTC." in deadline(house)
    on_day(house, 34)
    house.mail(BOB, "set bob bob-pw")
    told = fail_on(house, 35, 36)
    assert recipients(told) == [ALICE, CAROL, OPERATOR]
    assert (
        "The clocks of bob keep running: they have already stood as long as they may this year."
        in prose(house.last_to(ALICE))
    )
    assert "stands" not in deadline(house)


def test_when_most_mails_come_back_it_is_the_server_and_no_address_is_switched_off(
    house: HouseUnderTest,
) -> None:
    for day in (2, 4, 6, 8):
        on_day(house, day)
        house.mail(ALICE, "chat 101 alice alice-pw", "Hello")
        mails = [house.last_to(ALICE), house.last_to(BOB)]
        assert come_back(house, mails[0]) == []
        told = come_back(house, mails[1])
        assert recipients(told) == [OPERATOR]
        assert "mails to 2 of 2 addresses have failed" in prose(told[0])
        assert come_back(house, write_to_bob(house)) == []
    assert not is_off(house, "bob")


def test_two_players_who_share_an_address_lose_it_and_have_it_back_together(
    house: HouseUnderTest,
) -> None:
    give(house, "carol", BOB)
    fail_on(house, 0, 1)
    assert is_off(house, "bob")
    assert is_off(house, "carol")
    house.mail(BOB, "set bob bob-pw")
    assert not is_off(house, "bob")
    assert not is_off(house, "carol")


def write(house: HouseUnderTest, author: str, subject: str, text: str) -> None:
    """Let a mail be played, and leave the mails that result in the outbox."""
    house.letters += 1
    raw = f"From: {author}\nSubject: {subject}\nMessage-ID: <w{house.letters}@x.y>\n\n{text}\n"
    content = raw.replace("\n", "\r\n").encode()
    house.house.inbox.put([ReceivedMail(author, (ADDRESS,), content, house.clock())])
    house.house.play_stage.play_waiting()


def deliver(house: HouseUnderTest, relay: Relay) -> None:
    while house.house.deliver_waiting(relay):
        pass


def test_an_address_that_our_own_relay_refuses_is_switched_off_as_well(
    house: HouseUnderTest,
) -> None:
    sink = Sink({BOB: "550 5.1.1 no such user"})
    with serving(sink), relay_to(f"smtp://localhost:{sink.port}") as relay:
        for day in (0, 1):
            on_day(house, day)
            write(house, ALICE, "message alice alice-pw bob", "Are you there?")
            assert not is_off(house)
            deliver(house, relay)
        assert is_off(house)
        deliver(house, relay)
    assert [mail.recipient for mail in sink.mails[-3:]] == [OPERATOR, ALICE, CAROL]


def test_a_relay_that_refuses_us_as_a_sender_switches_no_address_off(
    house: HouseUnderTest,
) -> None:
    class Refusing(Sink):
        async def handle_MAIL(self, *_: object) -> str:  # noqa: N802 - aiosmtpd calls it so
            return "550 5.7.1 not from you"

    with serving(Refusing()) as sink, relay_to(f"smtp://localhost:{sink.port}") as relay:
        for day in (0, 1, 2, 3):
            on_day(house, day)
            write(house, ALICE, "chat 101 alice alice-pw", "Hello?")
            deliver(house, relay)
    assert not is_off(house, "bob")
    assert not is_off(house, "alice")


def test_a_mail_that_is_tried_for_five_days_counts_once_and_one_for_a_relay_that_is_down_never(
    house: HouseUnderTest,
) -> None:
    def days_failed() -> int:
        with house.house.open_reading() as work:
            troubles = work.players.by_address(BOB)[0].troubles
        return troubles[BOB].days if BOB in troubles else 0

    write(house, ALICE, "message alice alice-pw bob", "Are you there?")
    full = Sink({BOB: "452 4.2.2 full"})
    with serving(full), relay_to(f"smtp://localhost:{full.port}") as relay:
        deliver(house, relay)
        on_day(house, 4.9)
        deliver(house, relay)
        assert days_failed() == 0
        on_day(house, 6)
        deliver(house, relay)
        assert days_failed() == 1
    write(house, ALICE, "message alice alice-pw bob", "Are you still there?")
    with relay_to(f"smtp://localhost:{full.port}") as relay:
        deliver(house, relay)
        on_day(house, 12)
        deliver(house, relay)
    assert days_failed() == 1
