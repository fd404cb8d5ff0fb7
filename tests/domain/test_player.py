"""Names, passwords and addresses that players can have."""

from dataclasses import replace

import pytest

from pbm.domain.addresses import fold_address, is_address
from pbm.domain.errors import NotUnderstood
from pbm.domain.player import (
    PlayerState,
    check_chosen,
    check_password,
    check_userid,
    fold_userid,
)
from tests.domain.matches import ALICE, PEOPLE
from tests.tables import each


@each("userid", ["al", "Alice", "a.b-c_d9", "a" * 16])
def test_a_userid_is_a_short_word_that_begins_with_a_letter(userid: str) -> None:
    assert check_userid(userid) == userid


@each(
    "userid",
    ["", "a", "a" * 17, "9lives", "-alice", "al ice", "al\u00efce", "alice\n", "a@b", "104"],
)
def test_other_words_cannot_be_userids(userid: str) -> None:
    with pytest.raises(NotUnderstood, match="cannot be a userid"):
        check_userid(userid)


@each("userid", ["me", "ALL", "Operator", "draw", "nobody"])
def test_the_servers_own_words_cannot_be_userids_in_any_case(userid: str) -> None:
    with pytest.raises(NotUnderstood):
        check_userid(userid)


def test_players_are_one_name_in_any_case() -> None:
    assert fold_userid("ALICE") == fold_userid("alice")
    assert fold_address(" Alice@Example.ORG ") == "alice@example.org"


@each("password", ["abcd", "p\u00e4ss!", "x" * 100, "a--b", "=abc"])
def test_a_password_is_one_word(password: str) -> None:
    assert check_password(password) == password


@each(
    "password",
    ["", "abc", "x" * 101, "two words", "tab\tbed", "abcd\n", "ab\u00a0cd", "ab\u200bcd",
     "-secret", "--secret", "\u2014secret", "\u2013secret"],
)  # fmt: skip
def test_what_no_command_line_can_carry_is_no_password_and_is_never_shown(password: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        check_password(password)
    sentence = str(refused.value)
    assert sentence.startswith("A password is one word of 4 to 100 characters.")
    assert password == "" or password not in sentence


@each(
    "address",
    ["a@b", "alice@example.org", "a.b+c@x-y.example.org", "o'neill@example.org",
     f"{'a' * 64}@example.org", "x@1.example"],
)  # fmt: skip
def test_addresses_that_the_server_can_write_to(address: str) -> None:
    assert is_address(address)


@each(
    "address",
    ["", "alice", "@b", "a@", "a@@b", "a b@c", '"a b"@c', "a@b c", "a@b\r\nBcc: c@d", "a@b\n",
     "a@-b", "a@b-", "a@b-.org", "a..b@c", ".a@b", "a.@b", "a@b..c", "a@.b", "a@b.", "<a@b>",
     "\u00e4@b.org", "a@b\u00fccher.org", f"{'a' * 65}@b", f"a@{'b' * 253}", "a@[127.0.0.1]",
     "a,c@b", "a:b@c", "a;b@c", "a\\b@c", "(x)a@b"],
)  # fmt: skip
def test_what_is_no_plain_address_is_not_written_to(address: str) -> None:
    assert not is_address(address)


def test_mails_go_to_the_first_address_and_to_nobody_who_has_left() -> None:
    alice = replace(PEOPLE[ALICE], addresses=("a@example.org", "b@example.org"))
    assert alice.address == "a@example.org"
    assert replace(alice, addresses=()).address is None
    gone = replace(alice, state=PlayerState.GONE)
    assert (gone.address, gone.active) == (None, False)
    disabled = replace(alice, state=PlayerState.DISABLED)
    assert (disabled.address, disabled.active) == ("a@example.org", False)


@each("password", ["eight-le", "x" * 100, "alice-pw", "alicealice"])
def test_a_player_may_choose_any_word_of_eight_characters(password: str) -> None:
    assert check_chosen(password, "alice", well_known=False) == password


@each(
    ("password", "userid", "well_known", "sentence"),
    [
        ("seven-l", "alice", False, "A password is one word of 8 to 100 characters."),
        ("--eight-letters", "alice", False, "A password is one word of 8 to 100 characters."),
        ("BENJAMIN", "benjamin", False, "Your userid is no password, as everybody knows it."),
        ("trustno1", "alice", True, "That password is one of the first that anybody tries."),
    ],
)
def test_what_is_easily_guessed_is_refused_without_being_shown(
    password: str, userid: str, *, well_known: bool, sentence: str
) -> None:
    with pytest.raises(NotUnderstood) as refused:
        check_chosen(password, userid, well_known=well_known)
    assert str(refused.value).startswith(sentence)
    assert password not in str(refused.value)
