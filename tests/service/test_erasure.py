"""A player is erased: their name and addresses are in no file of the database, the rest is valid.

These tests look into the files and tables, which no mail shows.
"""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.core.audit import Signature
from pbm.domain.errors import UnknownName
from pbm.domain.logs import EntryKind, LogEntry
from pbm.domain.mail import OutgoingMail
from pbm.domain.play import with_entry
from pbm.operator.personal import erase, export
from pbm.operator.upkeep import verify_all
from tests.conversations.conversation import prepare
from tests.doors import Facts
from tests.house import UNSIGNED, HouseUnderTest, text_of

HOME, WORK = "zenobia.who@example.org", "z.palmyra@work.example.com"
NAMES = re.compile(b"zenobia|palmyra", re.IGNORECASE)

ANN = Signature("pbm (ann by sudo)", "Zenobia asked for it, from z.palmyra@work.example.com")

TRACES = f"""
{HOME}> signup Zenobia
{HOME} replies> yes
| password zen-secret
Zenobia.Who+again@example.org> signup another-one zen-secret-2
# She wins board 101 after a swap, leads on board 102, and has more to come.
2 times {HOME}> gonnect challenge zenobia zen-secret bob -size=5
| Hello, it is Zenobia
bob> accept 101 bob bob-pw
bob> accept 102 bob bob-pw
{HOME}> move 101 zenobia zen-secret C3
| Here begins Zenobia.
bob> swap 101 bob bob-pw
| Thank you, zenobia!
{HOME}> move 101 zenobia zen-secret B3
| You are welcome.
bob> resign 101 bob bob-pw
| Write to zenobia.who@example.org.
{HOME}> gonnect challenge zenobia zen-secret alice
{HOME}> set zenobia zen-secret zone Europe/Berlin
# She follows a board of others and is guessed at; others have blocked her, and she has blocked.
$ pbm game create gonnect alice bob --option size=5
{HOME}> subscribe 104 zenobia zen-secret
{HOME}> games zenobia wrong-word
{HOME}> add zenobia zen-secret zen+palmyra@example.net
{HOME}> block zenobia zen-secret bob
bob> block bob bob-pw zenobia
work
"""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where zenobia has left traces wherever a player can."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    prepare(house, TRACES)
    mails_wait(house)
    with house.administration() as admin:
        talk = LogEntry(EntryKind.CHAT, None, "Zenobia", house.clock(), "A view from Palmyra.")
        live = admin.context.boards.get(104)  # followers once could talk there
        admin.context.boards.save(live, with_entry(live, talk))
    with house.administration(ANN) as admin:
        admin.set_addresses("zenobia", [HOME, WORK])
    return house


def mails_wait(house: HouseUnderTest) -> None:
    """Let mails to her, from her and about her wait, be given up, and be in the shunt."""
    now = house.clock()
    about = b"From: bob@example.org\r\nSubject: message bob bob-pw zenobia\r\n\r\nHi Zenobia\r\n"
    broken = b"X-Mailer: x\r\nFrom: =?q?Z?= <\r\n\tZenobia.Who@example.org>\r\n\r\nZenobia\r\n"
    torn = b"Subject: x\r\n\r\nThis is about zeno=\r\nbia, you know.\r\n"
    with house.house.open_unit() as work:
        work.outbox.add(
            [
                OutgoingMail("bounce+a@x", HOME.upper(), "<a@x>", b"To: " + HOME.encode()),
                OutgoingMail("bounce+b@x", "bob@example.org", "<b@x>", about),
                OutgoingMail("bounce+c@x", "bob@example.org", "<c@x>", torn),
            ],
            now,
        )
        (row, *_) = work.outbox.claim(1, "test:1:y", now, now + timedelta(hours=1))
        work.outbox.dead(row.id, f"550 <{HOME}> is unknown")
        work.commit()
    house.busy = True
    for letter in (about, broken, about + b"again"):
        house.take(letter)
    house.busy = False
    with house.house.open_unit() as work:
        for waiting in work.inbox.claim(10)[:2]:
            work.inbox.shunt(waiting.id, f"KeyError: {HOME}", now)
        work.commit()


def erased(house: HouseUnderTest, userid: str = "zenobia", by: Signature = ANN) -> str:
    with house.administration(by) as admin:
        return erase(admin, userid)


def traces_in(folder: Path, names: re.Pattern[bytes] = NAMES) -> dict[str, list[bytes]]:
    found = {file.name: names.findall(file.read_bytes()) for file in folder.iterdir()}
    return {name: hits for name, hits in found.items() if hits}


def test_nothing_in_the_files_of_the_database_names_an_erased_player(
    house: HouseUnderTest,
) -> None:
    assert traces_in(house.folder)
    erased(house)
    assert house.house.database.overwrite_freed()
    assert traces_in(house.folder) == {}


def test_matches_and_results_are_valid_under_another_name_and_what_others_said_stays(
    house: HouseUnderTest,
) -> None:
    name = erased(house)
    assert re.fullmatch(r"gone-\d+", name)
    with house.house.open_reading() as work:
        checked = dict(verify_all(work, house.house.catalogue))
        found = {number: work.matches.get(number) for number in (101, 104)}
    assert checked == {101: (), 102: (), 104: ()}
    said = [[entry.comment for entry in match[0].log] for match in found.values() if match]
    assert said[0] == ["", f"Thank you, {name}!", "", f"Write to {name}."]
    assert said[1] == [""]
    assert name in text_of(house.mail("bob@example.org", "history")[-1])


def test_others_are_told_of_the_end_by_the_new_name_alone_and_waiting_mails_go_without_it(
    house: HouseUnderTest,
) -> None:
    name = erased(house)
    told = house.deliver()
    readers = {str(mail["To"]) for mail in told if mail["To"]}
    assert readers == {"alice@example.org", "bob@example.org"}
    assert not any(NAMES.search(mail.as_bytes()) for mail in told)
    contents = [mail.as_bytes() for mail in told]
    assert any(b"Hi gone-" in content for content in contents)
    assert any(b"This is about gone-" in content for content in contents)
    for reader in readers:
        assert any(name in text_of(mail) for mail in told if mail["To"] == reader)


def test_a_mail_that_waits_and_names_the_erased_only_in_its_from_is_not_played(
    house: HouseUnderTest,
) -> None:
    def waiting() -> int:
        with house.house.open_reading() as work:
            return work.inbox.waiting()

    before, house.busy = waiting(), True
    house.take(f"From: {HOME}\r\nSubject: list\r\n\r\n".encode(), "gateway@example.com")
    assert waiting() == before + 1
    erased(house)
    assert waiting() == before


def test_the_erased_can_come_back_as_somebody_new(house: HouseUnderTest) -> None:
    erased(house)
    house.play()
    prepare(house, f"{HOME}> signup zenobia another-secret\n{HOME} replies> yes")
    assert text_of(house.last_to(HOME)).startswith("Welcome, zenobia.")


def test_a_player_who_has_left_can_be_erased_and_an_erased_one_again(
    house: HouseUnderTest,
) -> None:
    prepare(house, "$ pbm user remove zenobia")
    name = erased(house)
    assert erased(house, name, UNSIGNED) == name
    assert house.house.database.overwrite_freed()
    # Leaving forgets which address was being added; the mail there is forgotten in --keep-days.
    confirmed = re.compile(b"zenobia|z[.]palmyra", re.IGNORECASE)
    assert traces_in(house.folder, confirmed) == {}


def test_only_whole_words_are_replaced(house: HouseUnderTest) -> None:
    house.play()
    house.add("bobby")
    number = house.create_match("bobby", "bob")
    prepare(house, f"bobby> move {number} bobby bobby-pw C3\n| Bob, a kebob, bob?")
    name = erased(house, "bob")
    with house.house.open_reading() as work:
        found = work.matches.get(number)
        assert work.players.by_userid("bobby") is not None
    assert found is not None
    assert found[0].log[0].comment == f"{name}, a kebob, {name}?"


def test_somebody_who_took_the_anonymous_name_keeps_it(
    house: HouseUnderTest, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    house.add(name := erased(house.twin(tmp_path / "other")))
    assert erased(house) == f"{name}."


def exported(house: HouseUnderTest, userid: str) -> Facts:
    with house.house.open_reading() as work:
        player = work.players.by_userid(userid)
        assert player is not None
        found = export(work, player)
        secret = work.players.password_hash(player.id)
    assert not secret or secret not in repr(found)
    assert "password_hash" not in repr(found)
    return found


def test_all_that_is_stored_is_exported_without_secrets(house: HouseUnderTest) -> None:
    found = exported(house, "zenobia")
    assert found["account"][0]["userid"] == "Zenobia"
    assert found["account"][0]["settings"] == {"zone": "Europe/Berlin"}
    assert [row["address"] for row in found["addresses"]] == [HOME, WORK]
    assert [row["subject"] for row in found["followers"]] == ["104"]
    assert len(found["blocks"]) == 1
    assert {row["game"] for row in found["ratings"]} == {"gonnect"}
    assert found["errands"]
    assert [row["address"] for row in found["signups"]] == [HOME]
    assert found["tallies"]
    said = {part["board"]: [e["comment"] for e in part["comments"]] for part in found["matches"]}
    assert said == {101: ["Here begins Zenobia.", "You are welcome."], 102: []}
    assert found["talk_as_follower"] == {104: [{"entry": 0, "comment": "A view from Palmyra."}]}
    assert [row["act"] for row in found["audit"]] == ["user address"]
    assert found["mails"]["waiting_to_go"] >= 1


def test_what_a_player_who_leaves_has_set_asked_for_and_blocked_is_forgotten(
    house: HouseUnderTest,
) -> None:
    prepare(house, f'{HOME}> signoff zenobia zen-secret\nwork\n{HOME} replies "Close"> yes')
    found = exported(house, "zenobia")
    assert found["account"][0]["settings"] == {}
    for kind in ("addresses", "followers", "blocks", "errands", "signups"):
        assert not found[kind], kind
    assert not exported(house, "bob")["blocks"]
    with house.house.open_reading() as work:
        zenobia = work.players.by_userid("zenobia")
        assert zenobia is not None
        assert work.players.password_hash(zenobia.id) == ""


def test_nobody_is_erased_by_a_near_name(house: HouseUnderTest) -> None:
    with pytest.raises(UnknownName, match="Did you mean"):
        erased(house, "zenobi")
