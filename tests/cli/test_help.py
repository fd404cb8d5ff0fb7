"""Help says what belongs to a command, and a mistyped word names what was meant."""

import pytest

from pbm.cli import COMMANDS, SUBCOMMANDS
from tests.cli.terminal import done, pbm

pytestmark = pytest.mark.usefixtures("bare")


def test_the_page_of_a_command_shows_its_own_options_and_points_to_the_others() -> None:
    page = done("user", "disable", "--help")
    assert "--reason" in page
    assert "--vacation-days" not in page
    assert "pbm help settings" in page


def test_the_first_page_is_one_screen_with_every_command_and_no_line_cut() -> None:
    page = done("--help").splitlines()
    assert len(page) <= 34
    assert all(len(line) <= 80 and not line.endswith("...") for line in page[1:])
    names = {name for line in page if line[:2] == "  " for name in line[:18].split(", ")}
    assert {*COMMANDS} - {"help"} <= {name.strip() for name in names}
    assert "pbm help settings" in "".join(page)


def test_the_settings_that_all_share_are_listed_once_with_their_defaults() -> None:
    page = " ".join(done("help", "settings").split())
    for name in ("address", "database", "relay", "secret", "operator", "keep-days", "as-root"):
        assert f"--{name} " in page
    assert "[default: maildir:var/mail]" in page


def test_a_setting_that_is_not_on_the_page_is_still_taken() -> None:
    assert done("user", "list", "--database", "sqlite:///other.db", "--vacation-days", "20")


def test_help_names_the_page_of_a_command() -> None:
    assert done("help", "game", "undo") == done("game", "undo", "--help")
    assert done("help") == done("--help")
    assert pbm("help", "user", "list", "x").status == 2


def test_help_passes_over_options_that_belong_to_other_commands() -> None:
    assert done("help", "settings", "--as-root") == done("help", "settings")
    assert done("help", "--as-root", "game", "undo") == done("help", "game", "undo")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("usr", "list"), "user"),
        (("outbox", "rety"), "retry"),
        (("user", "list", "--jsn"), "--json"),
        (("help", "gmae"), "game"),
    ],
)
def test_a_mistyped_word_names_the_one_that_was_meant(typed: tuple[str, ...], meant: str) -> None:
    refused = pbm(*typed)
    assert refused.status == 2
    assert f"'{meant}'" in refused.err.rpartition("Did you mean")[2]


@pytest.mark.parametrize("noun", sorted(SUBCOMMANDS))
def test_the_page_of_a_group_cuts_no_line(noun: str) -> None:
    assert "..." not in done(noun, "--help").partition("Commands:")[2]
