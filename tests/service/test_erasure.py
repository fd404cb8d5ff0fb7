"""A player is erased: their name and addresses are in no file of the database, the rest holds."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert

from pbm.domain.errors import UnknownName
from pbm.domain.logs import Entry, EntryKind
from pbm.domain.mail import OutgoingMail, ReceivedMail
from pbm.domain.play import with_entry
from pbm.domain.player import PlayerState
from pbm.operator.administration import Administration
from pbm.operator.personal import erase, export
from pbm.operator.upkeep import verify_all
from pbm.service.audit import Signature
from pbm.store.database import create_engine
from pbm.store.tables import blocks
from tests.house import ADDRESS, HouseUnderTest, text_of

HOME, WORK = "zenobia.who@example.org", "z.palmyra@work.example.com"
NAMES = re.compile(b"zenobia|palmyra", re.IGNORECASE)

ANN = Signature("pbm (ann by sudo)", "Zenobia asked for it, from z.palmyra@work.example.com")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where zenobia has left traces wherever a player can."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    house.mail(HOME, f"signup Zenobia zen-secret {WORK}")
    house.reply(house.last_to(HOME), "yes")
    house.mail("Zenobia.Who+again@example.org", "signup another-one zen-secret-2")
    she_plays(house)
    she_talks(house)
    mails_wait(house)
    others_have_marked_her(house)
    return house


def she_plays(house: HouseUnderTest) -> None:
    """Let zenobia win board 101 after a swap, lead on board 102, and have more to come."""
    for _ in range(2):
        house.mail(HOME, "gonnect challenge zenobia zen-secret bob -size=5", "Hello, it is Zenobia")
        house.mail("bob@example.org", "accept 101 bob bob-pw")
        house.mail("bob@example.org", "accept 102 bob bob-pw")
    house.mail(HOME, "move 101 zenobia zen-secret C3", "Here begins Zenobia.")
    house.mail("bob@example.org", "swap 101 bob bob-pw", "Thank you, zenobia!")
    house.mail(HOME, "move 101 zenobia zen-secret B3", "You are welcome.")
    house.mail("bob@example.org", "resign 101 bob bob-pw", "Write to zenobia.who@example.org.")
    house.mail(HOME, "gonnect challenge zenobia zen-secret alice")
    house.mail(HOME, "set zenobia zen-secret zone Europe/Berlin")


def she_talks(house: HouseUnderTest) -> None:
    """Let her follow a board of others, talk there as followers once could, and be guessed at."""
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        gonnect = house.house.catalogue.get("gonnect")
        number = admin.create_match(gonnect, ["alice", "bob"], {"size": "5"}, {})
        boards = admin.context.boards
        talk = Entry(EntryKind.CHAT, None, "Zenobia", house.clock(), "A view from Palmyra.")
        boards.save(boards.get(number), with_entry(boards.get(number), talk))
        work.commit()
    house.mail(HOME, f"subscribe {number} zenobia zen-secret")
    house.mail(HOME, "games zenobia wrong-word")
    house.mail(HOME, "add zenobia zen-secret zen+palmyra@example.net")


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
        (row, *_) = work.outbox.claim(1, "test:1:y", now, now + timedelta(hours=1))()
        work.outbox.dead(row.id, f"550 <{HOME}> is unknown")
        work.commit()
    letters = (about, broken, about + b"again")
    house.house.inbox.put(
        [ReceivedMail("x@example.org", (ADDRESS,), each, now) for each in letters]
    )
    with house.house.open_unit() as work:
        for waiting in work.inbox.claim(10)[:2]:
            work.inbox.shunt(waiting.id, f"KeyError: {HOME}", now)
        work.commit()


def others_have_marked_her(house: HouseUnderTest) -> None:
    """Let the operator have acted on her, and others have blocked her."""
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock(), ANN)
        admin.set_addresses("zenobia", [HOME, WORK])
        zenobia, bob = admin.player("zenobia"), admin.player("bob")
        work.commit()
    engine = create_engine(house.house.settings.database)
    with engine.begin() as connection:
        for pair in ((zenobia.id, bob.id), (bob.id, zenobia.id)):
            connection.execute(insert(blocks).values(player_id=pair[0], blocked_id=pair[1]))
    engine.dispose()


def erased(house: HouseUnderTest, userid: str = "zenobia", by: Signature = ANN) -> str:
    with house.house.open_unit() as work:
        name = erase(Administration(house.house.services, work, house.clock(), by), userid)
        work.commit()
    return name


def traces_in(folder: Path, names: re.Pattern[bytes] = NAMES) -> dict[str, list[bytes]]:
    found = {file.name: names.findall(file.read_bytes()) for file in folder.iterdir()}
    return {name: hits for name, hits in found.items() if hits}


def test_nothing_in_the_files_of_the_database_names_an_erased_player(
    house: HouseUnderTest,
) -> None:
    assert traces_in(house.folder)
    erased(house)
    assert house.house.overwrite_freed()
    assert traces_in(house.folder) == {}


def test_matches_and_results_hold_under_another_name(house: HouseUnderTest) -> None:
    name = erased(house)
    assert re.fullmatch(r"gone-\d+", name)
    with house.house.open_reading() as work:
        checked = dict(verify_all(work, house.house.catalogue))
        player = work.players.by_userid(name)
    assert set(checked) == {101, 102, 104}
    assert not any(checked.values())
    assert player is not None
    assert (player.state, player.addresses, player.settings) == (PlayerState.GONE, (), {})
    told = text_of(house.mail("bob@example.org", "history")[-1])
    assert name in told


def test_what_others_said_stays_and_what_the_player_said_is_blank(house: HouseUnderTest) -> None:
    name = erased(house)
    with house.house.open_reading() as work:
        found = {number: work.matches.get(number) for number in (101, 104)}
    said = [[entry.comment for entry in match[0].log] for match in found.values() if match]
    assert said[0] == ["", f"Thank you, {name}!", "", f"Write to {name}."]
    assert said[1] == [""]


def test_opponents_are_told_of_the_end_and_by_the_new_name_alone(house: HouseUnderTest) -> None:
    house.deliver()
    name = erased(house)
    told = house.deliver()
    assert {str(mail["To"]) for mail in told} == {"alice@example.org", "bob@example.org"}
    assert all(name in text_of(mail) for mail in told)
    assert not any(NAMES.search(mail.as_bytes()) for mail in told)


def test_a_mail_about_the_player_that_waits_still_goes_out_without_the_name(
    house: HouseUnderTest,
) -> None:
    erased(house)
    told = [mail.as_bytes() for mail in house.deliver()]
    assert any(b"Hi gone-" in content for content in told)
    assert any(b"This is about gone-" in content for content in told)


def test_the_erased_can_come_back_as_somebody_new(house: HouseUnderTest) -> None:
    erased(house)
    house.play()
    house.mail(HOME, "signup zenobia another-secret")
    house.reply(house.last_to(HOME), "yes")
    assert text_of(house.last_to(HOME)).startswith("Welcome, zenobia.")


def test_a_player_who_has_left_can_be_erased_and_an_erased_one_again(
    house: HouseUnderTest,
) -> None:
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock(), ANN)
        admin.set_state("zenobia", PlayerState.GONE)
        work.commit()
    name = erased(house)
    assert erased(house, name, Signature()) == name
    assert house.house.overwrite_freed()
    # Leaving forgets which address was being added; the mail there is forgotten in --keep-days.
    confirmed = re.compile(b"zenobia|z[.]palmyra", re.IGNORECASE)
    assert traces_in(house.folder, confirmed) == {}


def test_only_whole_words_are_replaced(house: HouseUnderTest) -> None:
    house.play()
    house.add("bobby")
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        gonnect = house.house.catalogue.get("gonnect")
        number = admin.create_match(gonnect, ["bobby", "bob"], {"size": "5"}, {})
        work.commit()
    house.mail("bobby@example.org", f"move {number} bobby bobby-pw C3", "Bob, a kebob, bob?")
    name = erased(house, "bob")
    with house.house.open_reading() as work:
        found = work.matches.get(number)
        assert work.players.by_userid("bobby") is not None
    assert found is not None
    assert found[0].log[0].comment == f"{name}, a kebob, {name}?"


def test_somebody_who_took_the_anonymous_name_keeps_it(house: HouseUnderTest) -> None:
    with house.house.open_reading() as work:
        zenobia = work.players.by_userid("zenobia")
        assert zenobia is not None
    house.add(f"gone-{zenobia.id}")
    assert erased(house) == f"gone-{zenobia.id}."


def test_all_that_is_stored_is_exported_without_secrets(house: HouseUnderTest) -> None:
    with house.house.open_reading() as work:
        zenobia = work.players.by_userid("zenobia")
        assert zenobia is not None
        secret = work.players.password_hash(zenobia.id)
        found = export(work, zenobia)
    assert found["account"][0]["userid"] == "Zenobia"
    assert found["account"][0]["settings"] == {"zone": "Europe/Berlin"}
    assert [row["address"] for row in found["addresses"]] == [HOME, WORK]
    assert [row["subject"] for row in found["followers"]] == ["104"]
    assert [row["player_id"] for row in found["blocks"]] == [zenobia.id]
    assert {row["game"] for row in found["ratings"]} == {"gonnect"}
    assert found["errands"]
    assert [row["address"] for row in found["signups"]] == [HOME]
    assert found["tallies"]
    said = {part["board"]: [e["comment"] for e in part["comments"]] for part in found["matches"]}
    assert said == {101: ["Here begins Zenobia.", "You are welcome."], 102: []}
    assert found["talk_as_follower"] == {104: [{"entry": 0, "comment": "A view from Palmyra."}]}
    assert [row["act"] for row in found["audit"]] == ["user address"]
    assert found["mails"]["waiting_to_go"] >= 1
    assert secret not in repr(found)
    assert "password_hash" not in repr(found)


def test_nobody_is_erased_by_a_near_name(house: HouseUnderTest) -> None:
    with (
        house.house.open_unit() as work,
        pytest.raises(UnknownName, match="Did you mean"),
    ):
        erase(Administration(house.house.services, work, house.clock()), "zenobi")
