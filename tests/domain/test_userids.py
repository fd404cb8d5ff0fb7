"""Userids that look like another one, or like one of those who run the server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.errors import NotUnderstood
from pbm.domain.player import alike, beginnings, check_userid, is_of_staff, skeleton
from tests.tables import each

USERIDS = st.from_regex(r"[A-Za-z][A-Za-z0-9_.-]{1,15}", fullmatch=True)

LIKE_EACH_OTHER = (
    ("alice", "aIice", "al1ce", "a1ice", "ALICE"),
    ("bob", "B0b", "b0B"),
    ("carmen", "carrnen", "CARRNEN"),
    ("wendy", "vvendy", "VVendy"),
    ("vw", "wv", "vvv"),
    ("bob-1", "bob_l", "bob.I", "b0b-i"),
)

TWINS = st.sampled_from((("l", "1"), ("o", "0"), ("m", "rn"), ("w", "vv"), ("-", "_"), ("i", "l")))


@each("alike", LIKE_EACH_OTHER, ids=lambda alike: alike[0])
def test_userids_that_look_alike_have_one_skeleton(alike: tuple[str, ...]) -> None:
    assert len(set(map(skeleton, alike))) == 1


@each(
    ("one", "other"),
    [("alice", "alces"), ("bob", "bobo"), ("ann", "anna"), ("mark", "nark"), ("alice", "al-ice")],
)
def test_userids_that_differ_to_the_eye_have_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@each("other", ["bob.", "BOB_", "b0b-", "bob.-_"])
def test_a_sign_at_the_end_makes_no_other_userid(other: str) -> None:
    assert alike("bob", other)
    assert alike(other, "bob")
    assert "bob".startswith(beginnings(other))
    assert not alike("bob", f"{other}1")


@given(USERIDS)
def test_case_makes_no_difference_and_a_skeleton_is_its_own(userid: str) -> None:
    assert skeleton(userid) == skeleton(userid.swapcase()) == skeleton(skeleton(userid))


@given(USERIDS, USERIDS)
def test_what_looks_alike_does_so_in_any_surroundings(one: str, other: str) -> None:
    assert skeleton(one + other) == skeleton(one) + skeleton(other)


@given(USERIDS, TWINS)
def test_a_letter_that_is_drawn_like_another_changes_nothing(
    userid: str, twins: tuple[str, str]
) -> None:
    one, other = twins
    assert skeleton(userid.lower().replace(one, other)) == skeleton(userid)


@given(USERIDS, st.lists(TWINS, max_size=4))
def test_whatever_looks_like_a_userid_begins_with_one_of_its_beginnings(
    userid: str, changes: list[tuple[str, str]]
) -> None:
    like = userid.lower()
    for one, other in changes:
        like = like.replace(other, one) if len(like) % 2 else like.replace(one, other)
    assert skeleton(like) == skeleton(userid)
    assert like.startswith(beginnings(userid))


@given(USERIDS)
def test_beginnings_are_few(userid: str) -> None:
    assert 1 <= len(beginnings(userid)) <= 64


@each(
    "userid",
    [
        *("pbm", "PBM", "admin", "Adrnin", "postmaster", "P0stmaster", "support", "supp0rt"),
        *("root", "r00t", "operator", "help", "heIp", "info", "abuse", "security", "system"),
        *("moderator", "noreply", "no-reply", "webmaster", "vvebmaster", "hostmaster"),
        *("mailer-daemon", "admin1", "support24", "bob.admin", "pbm-support", "real_root"),
    ],
)
def test_names_of_those_who_run_the_server_are_refused_kindly(userid: str) -> None:
    with pytest.raises(NotUnderstood, match="kept for those who run the server"):
        check_userid(userid)


@each("userid", ["alice", "hostess", "modesty", "helper", "rooth", "badminton"])
def test_names_that_only_hold_such_letters_are_fine(userid: str) -> None:
    assert not is_of_staff(userid)
    assert check_userid(userid) == userid
