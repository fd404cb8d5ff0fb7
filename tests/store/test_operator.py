"""What operators did, whom they keep out, and what is forgotten for good: on both databases."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Engine, insert, text

from pbm.domain.confirmations import ADDRESS_KINDS
from pbm.domain.logs import Entry, EntryKind, Log
from pbm.domain.mail import ReceivedMail
from pbm.service.ports import AuditRow, BanRow, Traces
from pbm.store.intake import Letterbox
from pbm.store.tables import blocks
from pbm.store.unit import UnitOfWork
from tests.store.conftest import Begin
from tests.store.samples import NOW, START, a_match, add_players, an_answer

ROW = AuditRow(NOW, "ann", "user disable", "Alice", {"state": "active"}, {"state": "gone"}, "spam")


def test_acts_are_read_by_subject_in_any_case_by_name_and_newest_last(begin: Begin) -> None:
    later = replace(ROW, at=NOW + timedelta(hours=1), act="user enable", why="\x00 'quoted'")
    other = replace(ROW, subject="101", act="game close", before={}, after={"winners": [0, 1]})
    with begin() as unit:
        for row in (ROW, other, later):
            unit.audit.add(row)
        unit.commit()
    with begin() as unit:
        assert unit.audit.listing()[:2] == (ROW, other)
        assert unit.audit.listing("aLICE") == (ROW, replace(later, why="\\x00 'quoted'"))
        assert unit.audit.listing(act="game close") == (other,)
        assert unit.audit.listing("alice", "user disable") == (ROW,)
        assert [row.act for row in unit.audit.listing(limit=1)] == ["user enable"]


def test_a_ban_is_stored_once_and_found_among_others(begin: Begin) -> None:
    ban = BanRow("spam.example", NOW, "spam")
    with begin() as unit:
        assert unit.bans.add(ban)
        assert not unit.bans.add(replace(ban, why="again"))
        assert unit.bans.listing() == (ban,)
        assert unit.bans.any_of(["example", "spam.example"])
        assert not unit.bans.any_of(["example"])
        assert unit.bans.remove("spam.example")
        assert not unit.bans.remove("spam.example")
        assert unit.bans.listing() == ()


def traces_of(unit: UnitOfWork) -> Traces:
    player = unit.players.by_userid("zenobia")
    assert player is not None
    return Traces(player, ("zenobia@example.org",), f"gone-{player.id}")


def fill(begin: Begin, engine: Engine) -> None:
    """Store rows of zenobia's wherever a repository or a table takes them."""
    letter = b"From: Zenobia@Example.org\r\n\r\nhello"
    about = b"From: bob@example.org\r\n\r\nto zenobia"
    letterbox = Letterbox(engine, lambda mail: None, 100)
    letterbox.put([ReceivedMail("x@y.z", ("pbm@x",), each, NOW) for each in (letter, about)])
    with begin() as unit:
        zenobia, bob = add_players(unit, "zenobia", "bob")
        unit.signups.add("Zenobia", "hash", "zenobia@example.org", NOW)
        unit.signups.add("carl", "hash", "carl@example.org", NOW, ["ZENOBIA@example.org"])
        unit.confirmations.add(min(ADDRESS_KINDS), bob, "zenobia@example.org", NOW)
        unit.outbox.add([an_answer("Zenobia@example.org"), an_answer("bob@example.org", "b")], NOW)
        unit.tally("read:zenobia@example.org", NOW)
        unit.tally("read:bob@example.org", NOW)
        unit.audit.add(replace(ROW, subject="bob", why="by zenobia"))
        unit.matches.add(a_match(101, (bob, zenobia)), START, (0,))
        unit.commit()
    with engine.begin() as connection:
        for pair in ((zenobia, bob), (bob, zenobia)):
            connection.execute(insert(blocks).values(player_id=pair[0], blocked_id=pair[1]))


def everything(engine: Engine) -> str:
    """Return all rows of all tables as one text."""
    names = ("players", "addresses", "signups", "errands", "outbox", "inbox", "tallies", "audit")
    with engine.connect() as connection:
        rows = [connection.execute(text(f"SELECT * FROM {name}")).all() for name in names]
    return repr(
        [[bytes(v) if isinstance(v, memoryview) else v for v in r] for t in rows for r in t]
    )


def test_no_row_names_an_erased_player_and_others_keep_theirs(begin: Begin, engine: Engine) -> None:
    fill(begin, engine)
    assert "zenobia" in everything(engine).lower()
    with begin() as unit:
        traces = traces_of(unit)
        unit.personal.rename(traces.player, traces.anonymous)
        unit.personal.erase(traces)
        unit.commit()
    left = everything(engine)
    assert "zenobia" not in left.lower()
    assert all(kept in left for kept in ("bob@example.org", "carl", "read:bob", traces.anonymous))
    with begin() as unit:
        assert [row.recipient for row in unit.outbox.listing()] == ["bob@example.org"]
        (waiting,) = unit.inbox.claim(10)
        assert waiting.mail.content.endswith(f"to {traces.anonymous}".encode())
        assert unit.matches.get(101) is not None


def test_what_was_said_is_blanked_and_what_others_said_is_reworded(
    begin: Begin, engine: Engine
) -> None:
    fill(begin, engine)
    chat = EntryKind.CHAT
    talk = (
        Entry(chat, 1, "", NOW, "I said"),
        Entry(chat, 0, "", NOW, "Hi Zenobia."),
        Entry(chat, None, "Zenobia", NOW, "from outside"),
        Entry(chat, None, "carl", NOW, "zenobias"),
    )
    with begin() as unit:
        found = unit.matches.get(101)
        assert found is not None
        unit.matches.save(found[0], replace(found[0], log=Log(talk)), START, (0,))
        assert unit.personal.chats("zenobia") == {101: {2: "from outside"}}
        unit.personal.silence(101, (0, 2))
        unit.personal.reword(101, traces_of(unit))
        name = traces_of(unit).anonymous
        after = unit.matches.get(101)
    assert after is not None
    assert [(entry.text, entry.comment) for entry in after[0].log] == [
        ("", ""), ("", f"Hi {name}."), (name, ""), ("carl", "zenobias"),
    ]  # fmt: skip


def test_what_is_stored_is_told_by_table_without_secrets(begin: Begin, engine: Engine) -> None:
    fill(begin, engine)
    with begin() as unit:
        found = unit.personal.stored(traces_of(unit).player)
    assert found["account"][0]["userid"] == "zenobia"
    assert [row["match_number"] for row in found["seats"]] == [101]
    assert len(found["blocks"]) == 1
    assert [row["userid"] for row in found["signups"]] == ["Zenobia"]
    assert [row["key"] for row in found["tallies"]] == ["read:zenobia@example.org"]
    assert found["mails"] == {"waiting_to_go": 1, "waiting_to_be_read": 0}
    assert "password_hash" not in repr(found)
