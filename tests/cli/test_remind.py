"""`pbm remind`: whatever is due is listed, done once, and told."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.terminal import done, pbm

pytestmark = pytest.mark.usefixtures("table")


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
        "pbm",
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
