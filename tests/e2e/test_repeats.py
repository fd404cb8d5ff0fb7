"""Mails that come twice, late, or at the wrong moment move nothing."""

import json

from tests.e2e.conftest import PASSWORD, Table
from tests.e2e.people import Person, begin_match, hand_in, letter, take_turn


def moves_on_record(table: Table, board: str) -> list[str]:
    record = json.loads(table.server.pbm("game", "record", board))
    return [entry["text"] for entry in record["log"]]


def has_no_more_mail(person: Person) -> bool:
    """Return whether a later question is answered with no other mail in between."""
    person.write("help commands")
    return person.next().headline == "pbm"


def test_a_mail_that_the_sender_repeats_plays_once_and_is_answered_once(table: Table) -> None:
    alice, bob = table.alice, table.bob
    mail, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
    sent = alice.answer(mail, "C3")
    hand_in(table.server, alice.address, sent, mail.reply_to)
    hand_in(table.server, alice.address, b"Received: from elsewhere\r\n" + sent, mail.reply_to)
    alice.next("bob to move")
    bob.next("your move")
    for person in (alice, bob):
        assert has_no_more_mail(person)
    assert moves_on_record(table, mail.board) == ["C3"]


def test_the_same_move_in_a_new_mail_is_refused_and_played_once(table: Table) -> None:
    alice, bob = table.alice, table.bob
    mail, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
    take_turn(alice, bob, mail, "C3")
    alice.answer(mail, "C3")
    assert "but move 2 is due" in alice.next("Not done").prose
    assert has_no_more_mail(bob)
    assert moves_on_record(table, mail.board) == ["C3"]


def test_a_reply_to_an_old_board_mail_is_refused_though_it_is_that_players_turn(
    table: Table,
) -> None:
    alice, bob = table.alice, table.bob
    old, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
    mail = take_turn(alice, bob, old, "C3")
    take_turn(bob, alice, mail, "B2")
    alice.answer(old, "D4")
    assert "move 3" in alice.next("Not done").prose
    assert has_no_more_mail(bob)
    assert moves_on_record(table, mail.board) == ["C3", "B2"]


def test_a_move_meant_for_another_ply_is_refused_with_the_ply_that_is_due(table: Table) -> None:
    alice, bob = table.alice, table.bob
    mail, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
    alice.write(f"move {mail.board} alice {PASSWORD} C3#7")
    assert "move 1" in alice.next("Not done").prose
    assert moves_on_record(table, mail.board) == []


def test_a_reply_token_moves_nothing_from_an_address_that_is_not_the_players(
    table: Table,
) -> None:
    alice, bob = table.alice, table.bob
    mail, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
    hand_in(
        table.server, "eve@example.com",
        letter("eve@example.com", "Re: hello", "C3", to=mail.reply_to), mail.reply_to,
    )  # fmt: skip
    assert mail.token not in alice.next().content.decode()
    assert moves_on_record(table, mail.board) == []
    assert {mail.recipient for mail in table.sink.mails} == {alice.address, bob.address}
