"""Readings of lines by people and hosts: too many cases for mails."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.addresses import (
    beginning_of_all,
    domain_sold,
    is_address,
    mailbox,
    patterns_of,
    read_pattern,
    spelled_once,
)
from pbm.domain.bounces import (
    GIVEN_UP,
    MEANINGS,
    STILL_TRYING,
    counts,
    is_dead,
    status_of_notice,
    status_said,
)
from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.domain.confirmations import Consent, read_answer, read_choice
from pbm.domain.dates import read_date, written
from pbm.domain.errors import NotUnderstood, Refusal, UnknownName
from pbm.domain.invitations import Seek, Terms, asked_seat, exchanged, moved_to, whole_number
from pbm.domain.match import Ending, Outcome
from pbm.domain.pauses import asked_end, asks_for_vacation, is_vacation
from pbm.domain.phrases import LONGEST, meaning_of, opening_of, split_remark, unwrapped
from pbm.domain.player import (
    PlayerState,
    alike,
    beginnings,
    check_chosen,
    check_password,
    check_userid,
    is_of_staff,
    skeleton,
)
from pbm.domain.settings import SETTINGS, Setting, chosen, settings_of, style_of
from pbm.engine import Setup
from pbm.plugins import installed_games
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE
from tests.engine.noughts import Noughts, game
from tests.readings import answers, sections

TABLES = sections(Path(__file__).with_name("readings.txt"))

TODAY = NOW.date()


class Hex(Noughts):
    info = replace(game.info, key="hex", title="Hex", aliases=("Con-Tac-Tix",))


CATALOGUE = Catalogue([InstalledGame(game, "# Noughts\n"), InstalledGame(Hex(), "# Hex\n")])

ZONES = ("America/New_York", "Asia/Kolkata", "Europe/Berlin", "UTC")
KNOWN = {setting.name: setting for setting in settings_of(installed_games(), ZONES)}


def one_mailbox(address: str) -> str:
    """Return the mailbox, which is its own and begins as all ways to write it do."""
    box = mailbox(address)
    assert mailbox(box) == box
    assert address.strip().lower().startswith(beginning_of_all(box))
    return box or "-"


def ban(text: str) -> str:
    try:
        return read_pattern(text)
    except NotUnderstood:
        return "none"


def failures(status: str) -> str:
    """Return the days until an address is dead, and how many of a week count."""
    dead = next(days for days in range(1, 10) if is_dead(days, status))
    monday = datetime(2026, 11, 23, 12, tzinfo=UTC)
    return f"{dead}, {sum(counts(status, monday + timedelta(days=day)) for day in range(7))}"


def notice(said: str) -> str | None:
    status = status_of_notice(said)
    return "-" if status == "" else status


def game_named(name: str) -> str:
    found = CATALOGUE.get(name).info.key
    assert CATALOGUE.find(name) is CATALOGUE.get(name)
    return found


def meaning(line: str, *userids: str) -> str | None:
    found = meaning_of(line, userids)
    return found and found.name


def chosen_line(line: str, *offers: str) -> str:
    found = read_choice(line, offers)
    return found.name if isinstance(found, Consent) else found or "-"


def opening(text: str) -> str | None:
    found = opening_of(text)
    return found and found.name


def unshown(password: str, check: Callable[[str], str]) -> str:
    """Return what is said of a password, which is never shown."""
    try:
        assert check(password) == password
    except NotUnderstood as refused:
        shown = bool(password) and password in str(refused)
        return f"! {str(refused).partition('.')[0]}." + (" It is shown." if shown else "")
    return "fine"


def choice(password: str, userid: str = "alice", well_known: str = "") -> str:
    return unshown(password, lambda word: check_chosen(word, userid, well_known=bool(well_known)))


def userid_of(word: str) -> str:
    """Return the userid, if it can be one."""
    try:
        assert not is_of_staff(check_userid(word))
    except NotUnderstood as refused:
        return "kept for the staff" if "those who run the server" in str(refused) else "none"
    return word


def looks_like_bob(other: str) -> bool:
    assert alike("bob", other) == alike(other, "bob") <= "bob".startswith(beginnings(other))
    return alike("bob", other)


def side(word: str) -> int | None:
    seat, rest = asked_seat({"Seat": word, "nagtime": "3"}, ("Eks", "Dark Side"))
    assert rest == {"nagtime": "3"} | ({} if seat is not None else {"Seat": word})
    return seat


def vacation(text: str, zone: str, now: str = str(NOW)) -> datetime | None:
    return asked_end(text, datetime.fromisoformat(now), ZoneInfo(zone))


def terms(line: str, usual: str = "21d") -> str:
    """Return the nagtime, and the terms as they are written, which are read as the same."""

    def read(words: list[str], usual: Terms) -> Terms:
        parts = (word.removeprefix("--").partition("=") for word in words)
        return usual.read({name: value for name, _, value in parts})

    found = read(line.split(), Terms().read({"time": usual}))
    for other in ("2d", "7d+12h/14d"):
        assert read(list(found.words), Terms().read({"time": other})) == found
    return " ".join((str(found.nag_days), *found.words))


def fitting(mine: str, theirs: str) -> bool:
    one, other = (
        Seek(number, player, "hex", Setup({"size": "9"}), Terms(), 1, NOW, seat)
        for number, player, seat in ((104, ALICE, seat_of(mine)), (105, BOB, seat_of(theirs)))
    )
    assert one.is_like(other) is (mine == theirs)
    assert one.fits(other) is other.fits(one)
    return one.fits(other)


def seat_of(word: str) -> int | None:
    return None if word == "-" else int(word)


READERS: dict[str, Callable[..., object]] = {
    "mailbox": one_mailbox,
    "address as it is stored": spelled_once,
    "domain that was bought": domain_sold,
    "address that the server can write to": is_address,
    "choice of the lines of a question": chosen_line,
    "yes or no": lambda line, name="": read_answer(line, name).name,
    "days of failures until an address is dead, days of a week that count": failures,
    "why a mail failed": lambda said: status_said(said) or "-",
    "what a notice says": notice,
    "game": game_named,
    "day, on 20 November 2026": lambda text, today="2026-11-20": read_date(
        text, date.fromisoformat(today)
    ),
    "number up to 3650": lambda text: whole_number(text, 3650),
    "meaning of a line, which may address somebody": meaning,
    "meaning of the first sentence of a text": opening,
    "whether G7 is the move": lambda line: "G7" in unwrapped(line),
    "move and what is said behind it": lambda line: " / ".join(split_remark(line)),
    "userid": userid_of,
    "password": lambda password: unshown(password, check_password),
    "password that alice chooses": choice,
    "userids that look alike: skeletons": lambda *userids: len(set(map(skeleton, userids))),
    "userid that looks like bob": looks_like_bob,
    "side": side,
    "setting": lambda name, text: KNOWN[name].read(text),
    "end of a vacation that begins on 20 November 2026 at noon": vacation,
    "what may ask for a vacation": asks_for_vacation,
    "what only fits a vacation": is_vacation,
    "match options, the nagtime, and how the terms are written": terms,
    "ban": lambda pattern, who: read_pattern(pattern) in patterns_of(who),
    "pattern of a ban": ban,
    "whether a match with this end counts": lambda end: Outcome(Ending(end)).counts,
    "seeks that fit: my seat, theirs": fitting,
}


@pytest.mark.parametrize("title", TABLES)
def test_it_is_read_as_the_table_says(title: str) -> None:
    assert answers(TABLES[title], READERS[title], Refusal) == TABLES[title]


@pytest.mark.parametrize(
    "unit", ["yes, ", "1. ", "move ", ", please", "((", "*", "hi ", ".", " - "]
)
def test_long_lines_cost_nothing(unit: str) -> None:
    began = time.process_time()
    for line in (unit * 100_000, unit * (LONGEST // len(unit))):
        meaning_of(line)
        opening_of(line)
        list(unwrapped(line))
    assert time.process_time() - began < 0.05


def test_a_text_may_be_very_long() -> None:
    assert is_address(f"{'a' * 64}@example.org")
    assert not is_address(f"{'a' * 65}@b")
    assert not is_address(f"a@{'b' * 253}")
    assert choice("x" * 100) == unshown("x" * 100, check_password) == "fine"
    assert unshown("x" * 101, check_password) != "fine"
    assert whole_number("0" * 5000 + "7", 3650) == 7
    assert whole_number("0" * 6 + "1" * 25, 3650) is whole_number("9" * 5000, 3650) is None
    with pytest.raises(UnknownName, match="a number of days from 1 to 3650"):
        Terms().read({"forfeittime": "9" * 5000})
    assert meaning_of("yes " * 60) is None
    assert status_of_notice("x " * 5000 + "user unknown") == ""


@given(st.text(max_size=300), st.text(max_size=16))
def test_any_text_is_read(text: str, name: str) -> None:
    assert read_answer(text, name) in Consent
    assert read_choice(text, (name,)) in (None, name, *Consent)
    meaning_of(text)
    opening_of(text)
    forms = list(unwrapped(text))
    assert forms[0] == text
    assert all(form in text for form in forms)


@given(st.text() | st.text("0123456789 .-/acdefgilnoprtuw", max_size=12), st.integers(0, 40_000))
def test_any_text_is_a_day_or_none(text: str, days: int) -> None:
    asked_end(text, NOW + timedelta(days), ZoneInfo("Pacific/Chatham"))
    read_date(text, TODAY)


@given(st.dates(min_value=date(2000, 1, 1), max_value=date(2999, 12, 31)))
def test_a_day_is_read_as_it_is_written(day: date) -> None:
    assert read_date(written(day), TODAY) == day


@given(st.dictionaries(st.sampled_from(["nagtime", "seat", "rated", "x"]) | st.text(), st.text()))
def test_any_match_options_give_terms_or_a_refusal(typed: dict[str, str]) -> None:
    try:
        terms = Terms().read(typed)
    except Refusal:
        return
    assert 1 <= terms.nag_days < terms.forfeit_days


@given(st.sampled_from(sorted(KNOWN)), st.text())
def test_any_text_gives_a_value_of_a_setting_or_a_refusal_that_does_not_repeat_it(
    name: str, text: str
) -> None:
    setting = KNOWN[name]
    try:
        found = setting.read(text)
    except UnknownName as refusal:
        found = str(refusal)
    assert found in (*setting.values, f"{name} can be {setting.choice}.")


def test_of_many_values_the_near_ones_are_named() -> None:
    zones = tuple(f"Area/Place{number}" for number in range(20))
    many = Setting("zone", (*zones, "Europe/Berlin"), "UTC", "", sample="a zone")
    for text in ("berlin", "Europe/Berln"):
        with pytest.raises(UnknownName, match=r"a zone\. Did you mean Europe/Berlin\?"):
            many.read(text)


def test_a_stored_setting_is_used_as_long_as_it_exists() -> None:
    for setting in SETTINGS:
        assert chosen(setting, {}) == setting.default
        assert chosen(setting, {setting.name: setting.values[-1]}) == setting.values[-1]
        assert chosen(setting, {setting.name: "gone"}) == setting.default
    assert all(setting.default in setting.values for setting in KNOWN.values())


def test_a_game_that_is_drawn_in_several_ways_has_a_style_to_set() -> None:
    for each in installed_games():
        key, styles = each.info.key, each.info.styles
        assert (f"style.{key}" in KNOWN) == (len(styles) > 1)
        assert style_of(each, {f"style.{key}": styles[-1]}) == styles[-1]
        assert style_of(each, {f"style.{key}": "gone"}) == styles[0]
        assert style_of(each, {"style": styles[-1]}) == styles[0]


def test_each_word_that_tells_why_a_mail_failed_is_in_a_sentence() -> None:
    said = TABLES["why a mail failed"].lower().replace("\\u2019", "'")
    assert [word for words in MEANINGS.values() for word in words if word not in said] == []


def test_only_a_host_that_has_given_up_reports_a_failure() -> None:
    for words in STILL_TRYING:
        notice = f"Your mail to bob {words.capitalize()} for four hours."
        assert status_of_notice(notice) is None
    for words in GIVEN_UP:
        notice = f"The mail was delayed and will be retried. Now it is {words}. 4.4.1 timed out"
        assert status_of_notice(notice) == "4.4.1"


def test_signs_within_a_move_are_part_of_it() -> None:
    for turn in ("b3-e6", "b3,e5", "c4>c6", "a1-a4xd7", "m13-j7,k8", "e2 e4"):
        assert list(unwrapped(turn)) == [turn]
        assert turn in unwrapped(f"1. {turn} please")


def test_games_come_in_order_of_their_keys() -> None:
    assert [each.info.key for each in CATALOGUE] == ["hex", "noughts"]
    assert CATALOGUE.help_page("hex") == "# Hex\n"


def test_a_side_by_name_goes_before_one_by_number() -> None:
    assert asked_seat({"seat": "first"}, ("Second", "First")) == (1, {})
    assert asked_seat({"SEAT": "given"}, ()) == (None, {"SEAT": "given"})


def test_seats_are_exchanged_for_another_match() -> None:
    assert exchanged(("a", "b")) == ("b", "a")
    assert exchanged(("a", "b", "c")) == ("c", "a", "b")
    assert moved_to(1, "a", ("a", "b")) == ("b", "a")
    assert moved_to(0, "a", ("a", "b")) == ("a", "b")
    assert moved_to(2, "a", ("a", "b", "c")) == ("b", "c", "a")


def test_seeks_of_another_match_do_not_fit() -> None:
    mine = Seek(104, ALICE, "hex", Setup({"size": "9"}), Terms(), 1, NOW)
    for change in (
        {"game": "go"}, {"setup": Setup({"size": "11"})}, {"terms": Terms(rated=False)},
    ):  # fmt: skip
        other = replace(mine, number=105, player=BOB, **change)
        assert not mine.fits(other)
        assert not mine.is_like(other)


def test_mails_go_to_the_first_address_and_to_nobody_who_has_left() -> None:
    alice = replace(PEOPLE[ALICE], addresses=("a@example.org", "b@example.org"))
    assert alice.address == "a@example.org"
    assert replace(alice, addresses=()).address is None
    gone = replace(alice, state=PlayerState.GONE)
    assert (gone.address, gone.active) == (None, False)
    disabled = replace(alice, state=PlayerState.DISABLED)
    assert (disabled.address, disabled.active) == ("a@example.org", False)


USERIDS = st.from_regex(r"[A-Za-z][A-Za-z0-9_.-]{1,15}", fullmatch=True)
TWINS = st.sampled_from((("l", "1"), ("o", "0"), ("m", "rn"), ("w", "vv"), ("-", "_"), ("i", "l")))


@given(USERIDS, USERIDS, st.lists(TWINS, max_size=4))
def test_userids_that_look_alike_have_one_skeleton(
    userid: str, other: str, changes: list[tuple[str, str]]
) -> None:
    assert skeleton(userid) == skeleton(userid.swapcase()) == skeleton(skeleton(userid))
    assert skeleton(userid + other) == skeleton(userid) + skeleton(other)
    like = userid.lower()
    for one, twin in changes:
        assert skeleton(like.replace(one, twin)) == skeleton(userid)
        like = like.replace(twin, one) if len(like) % 2 else like.replace(one, twin)
    assert skeleton(like) == skeleton(userid)
    assert like.startswith(beginnings(userid))
    assert 1 <= len(beginnings(userid)) <= 64
