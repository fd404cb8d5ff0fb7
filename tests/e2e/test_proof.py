"""By real mail: what nothing proves is not done, and an old reply proves only its moment."""

from tests.e2e.conftest import PASSWORD, Table
from tests.e2e.people import begin_match, hand_in, letter, take_turn
from tests.e2e.test_repeats import has_no_more_mail, moves_on_record


def test_an_invitation_that_nothing_proves_invites_nobody_until_a_reply_proves_it(
    table: Table,
) -> None:
    alice, bob = table.alice, table.bob
    alice.write("gonnect challenge alice bob", "Buy my pills!")
    answer = alice.next("Say who you are: your userid and password are missing.")
    assert has_no_more_mail(bob)
    alice.answer(answer, "gonnect challenge bob")
    alice.next("waiting for an answer")
    assert "pills" not in bob.next("an invitation").prose


def test_after_an_undo_a_reply_to_the_mail_of_before_does_not_move(table: Table) -> None:
    alice, bob = table.alice, table.bob
    first, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
    bobs = take_turn(alice, bob, first, "C3")
    alice.write(f"undo {first.board} alice {PASSWORD}")
    alice.next("Your offer stands")
    bob.next("take back C3")
    bob.answer(bobs, "accept")
    bob.next("alice to move")
    alice.next("your move")
    alice.answer(first, "A1")
    answer = alice.next("from before moves were taken back there")
    alice.answer(answer, "B2")
    alice.next("bob to move")
    assert "B2" in bob.next("your move").prose
    assert moves_on_record(table, first.board)[-1] == "B2"


def test_a_mail_of_before_a_log_out_is_answered_and_not_executed(table: Table) -> None:
    alice, bob = table.alice, table.bob
    first, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
    alice.write(f"log out alice {PASSWORD}")
    alice.next("count no longer")
    alice.answer(first, "C3")
    alice.next("You answered a mail from before you logged out")
    assert has_no_more_mail(bob)
    assert moves_on_record(table, first.board) == []


def test_a_mail_to_the_address_where_reports_come_back_is_not_executed(table: Table) -> None:
    alice, bob = table.alice, table.bob
    first, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
    assert first.sender.startswith("bounce+")
    assert first.sender not in first.content.decode()
    command = letter(alice.address, f"move {first.board} alice {PASSWORD} C3", to=first.sender)
    hand_in(table.server, alice.address, command, first.sender)
    assert has_no_more_mail(alice)
    assert has_no_more_mail(bob)
    assert moves_on_record(table, first.board) == []
