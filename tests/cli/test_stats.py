"""`pbm stats`: how the server is doing, in numbers."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbm.store.migrations import connected
from tests.cli.conftest import PASSWORD
from tests.cli.terminal import done, pbm

QUIET = """\
Matches
  all: 1 open, 0 over; in the last 30 days 1 started, 0 ended
  gonnect: 1 open, 0 over; in the last 30 days 1 started, 0 ended
Players
  2 active, 0 disabled, 0 gone
  2 with open boards
  0 on vacation, 0 unreachable
Open
  0 invitations
  0 seeks
Inbox
  0 waiting, 0 shunted
  0 octets waiting
  0 taken in the last 24 hours
Outbox
  0 waiting, 0 given up
  2 sent in the last 24 hours
Signs of life
  deliver: well, the last sign TODAY
  intake: well, the last sign TODAY
  play: well, the last sign TODAY
  relay: well, the last sign TODAY
Clocks
  0 boards overdue for a check (the next NEXT)
Thoughts of robots
  0 waiting, 0 being thought about
"""


@pytest.mark.usefixtures("bare")
def test_an_empty_house_is_told_as_one() -> None:
    told = pbm("stats", "--json").json
    assert told["matches"] == {
        "open": 0, "over": 0, "started_in_30_days": 0, "ended_in_30_days": 0
    }  # fmt: skip
    assert (told["games"], told["signs_of_life"]) == ({}, [])
    assert "none: no server has run yet" in done("stats")


@pytest.mark.usefixtures("table")
def test_what_there_is_is_told_in_short_lines() -> None:
    done("work")
    next_look = moment(pbm("stats", "--json").json["clocks"]["next_due"])
    assert timedelta(days=6) < next_look - datetime.now(UTC) < timedelta(days=7)
    shown = done("stats")
    today = {f"{now:%Y-%m-%d %H:%M} UTC" for now in (datetime.now(UTC), last_minute())}
    for written in today:
        shown = shown.replace(written, "TODAY")
    assert shown.replace(f"{next_look:%Y-%m-%d %H:%M} UTC", "NEXT") == QUIET


@pytest.mark.usefixtures("table")
def test_every_key_of_the_json_is_promised_by_the_help() -> None:
    done("work")
    promised = done("stats", "--help")
    told = pbm("stats", "--json").json
    assert set(told["games"]) == {"gonnect"}
    assert told["games"]["gonnect"] == told["matches"]
    for key, value in told.items():
        assert f"  {key}" in promised
        inner = value[0] if isinstance(value, list) else value
        below = inner if isinstance(inner, dict) and key != "games" else {}
        line = next(line for line in promised.splitlines() if line.startswith(f"  {key}"))
        assert all(name in line for name in below)


@pytest.mark.usefixtures("table")
def test_a_mail_is_counted_on_its_way_through_the_house() -> None:
    first = pbm("stats", "--json").json
    assert (first["inbox"]["waiting"], first["outbox"]["waiting"]) == (0, 2)
    assert abs(moment(first["outbox"]["next_due"]) - datetime.now(UTC)) < timedelta(hours=1)
    Path("mail.eml").write_text(
        f"From: alice@example.com\nTo: pbm@localhost\nSubject: resign 101 alice {PASSWORD}\n\nGG\n"
    )
    done("inject", "mail.eml")
    taken = pbm("stats", "--json").json
    assert (taken["inbox"]["waiting"], taken["inbox"]["taken_in_24_hours"]) == (1, 1)
    assert abs(moment(taken["inbox"]["oldest_waiting"]) - datetime.now(UTC)) < timedelta(hours=1)
    assert "1 waiting (the oldest since " in done("stats")
    done("work")
    played = pbm("stats", "--json").json
    assert (played["inbox"]["waiting"], played["inbox"]["oldest_waiting"]) == (0, None)
    assert (played["outbox"]["waiting"], played["outbox"]["next_due"]) == (0, None)
    assert played["outbox"]["sent_in_24_hours"] == 4
    assert played["matches"] == {
        "open": 0, "over": 1, "started_in_30_days": 1, "ended_in_30_days": 1
    }  # fmt: skip
    assert played["players"]["playing"] == 0


@pytest.mark.usefixtures("table")
def test_a_part_that_gives_no_sign_is_silent_and_boards_that_nobody_looks_at_are_counted() -> None:
    done("work")
    long_ago = "2026-01-01T00:00:00.000000Z"
    with connected("sqlite:///var/pbm.db") as connection, connection.begin():
        connection.exec_driver_sql(f"UPDATE matches SET look_at = '{long_ago}'")
        connection.exec_driver_sql(
            f"UPDATE pulses SET at = '{long_ago}', good_until = '{long_ago}' WHERE name = 'play'"
        )
        connection.exec_driver_sql("UPDATE pulses SET failing = 1 WHERE name = 'relay'")
    told = pbm("stats", "--json").json
    assert told["clocks"]["overdue"] == 1
    assert moment(told["clocks"]["next_due"]) == datetime(2026, 1, 1, tzinfo=UTC)
    assert {sign["part"]: (sign["silent"], sign["failing"]) for sign in told["signs_of_life"]} == {
        "deliver": (False, False),
        "intake": (False, False),
        "play": (True, False),
        "relay": (False, True),
    }
    shown = done("stats")
    assert "play: silent, the last sign 2026-01-01 00:00 UTC" in shown
    assert "relay: failing, the last sign " in shown
    assert "1 board overdue for a check (the next 2026-01-01 00:00 UTC)" in shown


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def last_minute() -> datetime:
    return datetime.now(UTC) - timedelta(minutes=1)
