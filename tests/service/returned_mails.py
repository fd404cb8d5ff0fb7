"""A house from which mails come back, and what the tests of that ask of it."""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

from tests.house import ADDRESS, START, HouseUnderTest

ALICE, BOB, CAROL = (f"{name}@example.org" for name in ("alice", "bob", "carol"))
OPERATOR = "operator@example.org"
DAY = timedelta(days=1)

GONE = "5.1.1"


def playing_house(tmp_path: Path) -> HouseUnderTest:
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


def come_back_to_server(
    house: HouseUnderTest, mail: EmailMessage, status: str = GONE
) -> list[EmailMessage]:
    """Let a smart host, which put our address in place of the sender's, return `mail`."""
    return report_to(house, ADDRESS, status, f"Content-Type: message/rfc822\n\n{mail}\n--b")


def report_to(
    house: HouseUnderTest, address: str, status: str = GONE, copy: str = ""
) -> list[EmailMessage]:
    """Let a host report to `address` that a mail could not be delivered."""
    report = (
        "From: mailer-daemon@example.org\nContent-Type: multipart/report; boundary=b\n\n--b\n"
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; example.org\n\n"
        f"Action: failed\nStatus: {status}\n\n--b\n{copy}--\n"
    )
    lines = report.splitlines()
    return house.take("\r\n".join([*lines, ""]).encode(), "", address)


def write_to_bob(house: HouseUnderTest) -> EmailMessage:
    """Return a new mail to bob, which the server sends because alice writes to him."""
    house.mail(ALICE, "message alice alice-pw bob", "Are you there?")
    return house.last_to(BOB)


def on_day(house: HouseUnderTest, day: float) -> None:
    house.clock.now = START + day * DAY


def is_off(house: HouseUnderTest, userid: str = "bob") -> bool:
    with house.house.open_reading() as work:
        player = work.players.by_userid(userid)
    assert player is not None
    return player.address is None
