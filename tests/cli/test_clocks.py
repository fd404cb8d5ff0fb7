"""The operator and time: `pbm remind`, `pbm pause`, `resume`, and the clocks of matches."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from pbm.store.database import create_engine
from pbm.store.tables import matches, pauses, pulses
from tests.cli.conftest import PASSWORD
from tests.cli.terminal import done, pbm, refused

pytestmark = pytest.mark.usefixtures("table")

DAY = timedelta(days=1)


def change(statement: object) -> None:
    """Change the database as if time had passed."""
    engine = create_engine("sqlite:///var/pbm.db")
    with engine.begin() as connection:
        connection.execute(statement)  # type: ignore[call-overload]
    engine.dispose()


def begun(ago: timedelta) -> datetime:
    """Let the turn on board 101 have begun so long ago; return when."""
    moment = datetime.now(UTC) - ago
    change(update(matches).values(turn_since=moment, look_at=moment))
    return moment


def told(moment: datetime) -> str:
    return f"{moment:%a} {moment.day} {moment:%b %Y %H:%M} UTC"


def reminded(now: str) -> str:
    """Run a drill for `now`; return what players are told in that round."""
    done_now = pbm("remind", "--now", now, "--json").json
    return ", ".join(what for what, number in done_now.items() if what != "looked at" and number)


def newest(player: str) -> str:
    """Deliver, and return the newest mail to `player` with white space folded."""
    done("work")
    mails = pbm("mail", "list", "--for", f"{player}@example.com", "--json").json
    return " ".join(done("mail", "show", str(mails[-1]["number"])).split())


def test_an_extension_is_told_to_both_and_moves_the_deadline() -> None:
    begin = begun(20 * DAY)
    assert "warning: 1" in done("remind")
    said = done("game", "extend", "101", "10")
    end = told(begin + 31 * DAY)
    assert said == f"board 101: time until {begin + 31 * DAY:%Y-%m-%d %H:%M} UTC\n"
    for player in ("alice", "bob"):
        mail = newest(player)
        assert "The operator of the server has added 10 days to the time for this move." in mail
        assert end in mail
    # A player who was warned before is warned again before the new end, and not earlier.
    assert reminded("+8d") == ""
    assert reminded("+9d") == "warning"
    assert reminded("+12d") == "forfeit"


@pytest.mark.parametrize("days", ["0", "-3", "367", "soon"])
def test_an_extension_is_of_1_to_366_days(days: str) -> None:
    assert pbm("game", "extend", "--", "101", days).status == 2


def test_the_clock_of_one_match_stands_while_the_operator_says_so() -> None:
    begin = begun(6 * DAY)
    assert done("game", "pause", "101") == "board 101: the clock stands\n"
    mail = newest("alice")
    assert "has stopped the clock of this match" in mail
    assert "The operator has stopped the clock." in mail
    assert "is already stopped" in refused("game", "pause", "101")
    assert reminded("+60d") == ""
    said = done("game", "resume", "101")
    assert said == f"board 101: time until {begin + 21 * DAY:%Y-%m-%d %H:%M} UTC\n"
    assert "The clock of this match runs again." in newest("bob")
    assert "has not been stopped" in refused("game", "resume", "101")
    assert reminded("+2d") == "nag"


def test_a_move_can_be_played_on_a_stopped_board() -> None:
    done("game", "pause", "101")
    line = f"move 101 alice {PASSWORD} c3"
    Path("mail.eml").write_text(f"From: alice@example.com\nSubject: {line}\n\n")
    done("inject", "mail.eml")
    assert "The operator has stopped the clock." in newest("bob")
    assert pbm("game", "show", "101", "--json").json["ply"] == 1


@pytest.mark.parametrize("verb", [("extend", "101", "3"), ("pause", "101"), ("resume", "101")])
def test_a_match_that_is_over_has_no_clock(verb: tuple[str, ...]) -> None:
    done("game", "close", "101")
    assert refused("game", *verb)


def test_all_clocks_stand_and_run_again_and_everybody_is_told_at_once() -> None:
    done("game", "create", "notwos", "alice", "bob")
    begin = begun(6 * DAY)
    assert "have not been stopped" in refused("resume")
    stopped = datetime.now(UTC)
    assert done("pause") == "all clocks stand; 2 players told\n"
    assert "already stopped" in refused("pause")
    assert "the operator of the server has stopped all clocks" in newest("bob")
    assert reminded("+60d") == ""
    assert done("resume") == "all clocks run again; 2 players told\n"
    mail = newest("alice")
    assert "all clocks run again" in mail
    stood = datetime.now(UTC) - stopped  # seconds, in which another minute may have begun
    ends = [told(begin + 21 * DAY), told(begin + 21 * DAY + stood)]
    assert any(f"101 Gonnect, against bob: by {end}" in mail for end in ends)
    assert any(f"102 NOTWO'S, against bob: by {end}" in mail for end in ends)
    assert "have not been stopped" in refused("resume")
    assert reminded("+2d") == "nag"


def test_a_maintenance_of_days_moves_every_deadline_by_days() -> None:
    begin = begun(6 * DAY)
    done("pause")
    change(update(pauses).values(began_at=begin + 2 * DAY))
    done("resume")
    assert reminded("+119h") == ""
    assert reminded("+5d") == "nag"


def test_while_the_server_is_silent_remind_says_so_and_does_nothing() -> None:
    begun(8 * DAY)
    done("work")
    since = datetime.now(UTC) - DAY
    change(update(pulses).values(at=since, good_until=since))
    typed = pbm("remind")
    assert (typed.status, typed.out) == (0, "nothing was done\n")
    assert f"silent since {since:%Y-%m-%d %H:%M} UTC; nobody is reminded" in typed.err
    assert "silent" in pbm("remind", "--dry-run").err
    assert "nag: 1" in done("remind", "--now", "+0m")


def test_a_server_without_a_daemon_gives_signs_by_working() -> None:
    begun(9 * DAY)
    done("work")
    since = datetime.now(UTC) - 3 * DAY
    change(update(pulses).values(at=since, good_until=since))
    done("work")
    assert done("remind", "--dry-run").count("news: outage") == 1
    assert done("remind").startswith("news: 2")
    mail = newest("alice")
    assert f"was silent from {told(since)} to {told(datetime.now(UTC))}" in mail
    assert reminded("+23h") == ""
    assert reminded("+24h") == "nag"


def headlines(player: str) -> list[str]:
    """Return the headlines of the mails to `player`, the newest last."""
    done("work")
    mails = pbm("mail", "list", "--for", f"{player}@example.com", "--json").json
    return [mail["author"] for mail in mails]


def test_a_match_is_nagged_warned_and_forfeited_each_once() -> None:
    assert done("remind") == "nothing was due\n"
    assert done("remind", "--now", "+8d").startswith("nag: 1")
    assert done("remind", "--now", "+8d") == "nothing was due\n"
    assert done("remind", "--now", "+20d").startswith("warning: 1")
    assert done("remind", "--now", "+20d") == "nothing was due\n"
    assert done("remind", "--now", "+22d").startswith("forfeit: 1")
    assert done("remind", "--now", "+23d") == "nothing was due\n"
    assert headlines("alice") == [
        "Your move - Gonnect 101",
        "A reminder - Gonnect 101",
        "Last reminder - Gonnect 101",
        "You lost - Gonnect 101",
    ]
    assert headlines("bob") == ["alice to move - Gonnect 101", "You won - Gonnect 101"]
    assert done("verify").startswith("1 ")


def test_a_dry_run_lists_what_is_due_and_leaves_it_to_be_done() -> None:
    assert done("remind", "--dry-run") == "nothing is due\n"
    listed = done("remind", "--dry-run", "--now", "+8d")
    assert [line.split()[2:] for line in listed.splitlines()[1:]] == [["nag", "101", "alice"]]
    (row,) = pbm("remind", "--dry-run", "--now", "+8d", "--json").json
    assert (row["what"], row["board"], row["player"]) == ("nag", 101, "alice")
    told = pbm("remind", "--now", "+8d", "--json").json
    assert (told["looked at"], told["nag"]) == (1, 1)


@pytest.mark.parametrize("written", ["{:%Y-%m-%dT%H:%M}", "{:%Y-%m-%d %H:%M+00:00}"])
def test_a_drill_takes_a_time_in_utc(written: str) -> None:
    moment = written.format(datetime.now(UTC) + timedelta(days=8))
    assert done("remind", "--now", moment).startswith("nag: 1")


@pytest.mark.parametrize("given", ["tomorrow", "+8", "+8 weeks", "8d", "+" + "9" * 30 + "d", ""])
def test_a_time_that_cannot_be_read_is_wrong_usage(given: str) -> None:
    typed = pbm("remind", "--now", given)
    assert typed.status == 2
    assert "is not a time such as" in typed.err


def test_a_time_far_from_ours_is_wrong_usage() -> None:
    typed = pbm("remind", "--dry-run", "--now", "0001-01-01")
    assert typed.status == 2
    assert "years 2000 to 2999" in typed.err


def test_a_drill_forgets_nothing_that_a_real_round_would_keep() -> None:
    letter = "From: alice@example.com\nMessage-ID: <a@example.com>\nSubject: help\n\n"
    Path("mail.eml").write_text(letter)
    done("inject", "mail.eml")
    done("work")
    done("remind", "--now", "+60d")
    done("inject", "mail.eml")
    assert done("work").startswith("0 mails played")


def test_mails_cannot_be_kept_for_less_than_a_repeat_may_take() -> None:
    for option, value in (("--keep-days", "6"), ("--keep-dead-days", "0")):
        typed = pbm("remind", option, value)
        assert typed.status == 2
        assert option in typed.err
