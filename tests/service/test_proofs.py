"""Proofs of commands: laws of all commands.

The rest is in conversations/proofs.txt, log_out.txt and unsubscribing.txt.
"""

from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.core.command import Proof
from pbm.domain.player import Player
from tests.house import HouseUnderTest, text_of
from tests.links import button
from tests.service.houses import commands

ALICE, CAROL, MALLORY = (f"{name}@example.org" for name in ("alice", "carol", "mallory"))
TEXT = "Words-of-mallory"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice is to move against bob on board 101, an hour after it began."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", "carol")
    house.begin_match()
    house.mail(CAROL, "subscribe 101 carol carol-pw")
    house.mail(ALICE, "gonnect subscribe all alice alice-pw")
    house.mail(ALICE, "block alice alice-pw carol")
    house.reply(house.last_to(ALICE), "show 101")
    house.clock.now += timedelta(hours=1)
    return house


def stored(house: HouseUnderTest) -> tuple[object, ...]:
    """Return what a mail may change: players, boards, seeks, who follows what and blocks whom.

    Wrong passwords are counted with the player, and questions of the server are kept there, which
    changes nothing of theirs.
    """
    with house.house.open_reading() as work:
        people = tuple(
            replace(player, settings=chosen(player)) for player in work.players.listing()
        )
        boards = [work.matches.get(n) or work.invitations.get(n) for n in range(101, 105)]
        followed = [work.followers.followed_by(player.id) for player in people]
        blocked = [work.blocks.blocked_by(player.id) for player in people]
        return people, boards, followed, blocked, work.wishes.seeks()


def chosen(player: Player) -> dict[str, str]:
    return {
        name: value
        for name, value in player.settings.items()
        if name not in {"wrong-passwords", "asked"}
    }


def prose(mails: list[EmailMessage]) -> str:
    return " ".join(" ".join(map(text_of, mails)).split())


def test_who_proves_nothing_changes_nothing_and_no_other_player_hears_of_it(
    begun: HouseUnderTest, tmp_path: Path
) -> None:
    """A law of all commands: alice's address is forged, and a stranger writes."""
    before = stored(begun)
    lines = (Path(__file__).parent / "unproven.txt").read_text().splitlines()[1:]
    for number, line in enumerate(lines):
        (tmp_path / str(number)).mkdir()
        house = begun.twin(tmp_path / str(number))
        told = house.mail(ALICE, line, TEXT)
        assert [mail["To"] for mail in told] == [ALICE], line
        assert TEXT not in prose(told), line
        assert {str(mail["To"]) for mail in house.mail(MALLORY, line, TEXT)} <= {MALLORY}, line
        assert stored(house) == before, line


def test_no_reply_touches_the_account(house: HouseUnderTest) -> None:
    """A law of the commands that need a password."""
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


def test_without_a_game_in_the_subject_a_button_stops_the_seeks_of_all_games(
    house: HouseUnderTest,
) -> None:
    house.mail("bob@example.org", "gonnect notify seeks bob bob-pw")
    house.mail(ALICE, "gonnect seek alice alice-pw")
    to, _ = button(house.last_to("bob@example.org"))
    assert "no more mails about seeks at any game" in prose(
        house.mail("bob@example.org", "", "", to)
    )


def test_each_mail_of_a_game_that_answers_nothing_has_a_button(house: HouseUnderTest) -> None:
    for name, line in (("alice", "C3"), ("bob", "swap"), ("alice", "chat\n\nHello")):
        house.reply(house.last_to(f"{name}@example.org"), line)
    house.clock.now += timedelta(days=19)
    house.remind()
    house.reply(house.last_to(ALICE), "resign")
    mine = [mail for mail in house.sent if mail["To"] in (ALICE, "bob@example.org")]
    assert len(mine) > 6
    for mail in mine:
        answers = mail["Auto-Submitted"] == "auto-replied"
        assert (mail["List-Unsubscribe"] is None) == answers, mail["From"]
