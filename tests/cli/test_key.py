"""`pbm key`, and a key file that is not the one that signed."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.patients import found
from tests.cli.terminal import done, pbm, refused

LOST = r"There is no key file var/secret.key, and mails are out\. Restore it"
OTHER = r"The key file var/secret.key is not the one that signed .* Restore it .* pbm key new"


def ids() -> list[str]:
    return [row["id"] for row in pbm("key", "list", "--json").json]


@pytest.mark.usefixtures("home")
def test_ids_states_and_ages_are_listed_and_no_key_is() -> None:
    (first,) = ids()
    told = done("key", "rotate", "--why", "once a year")
    second, kept = ids()
    assert kept == first
    assert f"The key {second} signs from " in told
    rows = rf"{second} +signs soon +0 days\n{first} +signs +the first\n"
    assert re.search(rows, done("key", "list"))
    shown = done("key", "list") + told + done("key", "list", "--json") + done("audit", "--json")
    for line in Path("var/secret.key").read_text().split("\n"):
        assert not line or line[:16] not in shown


@pytest.mark.usefixtures("home")
def test_what_was_done_to_the_keys_is_in_the_audit() -> None:
    done("key", "rotate", "--why", "once a year")
    done("key", "new", "--why", "stolen")
    acts = [(row["act"], row["why"]) for row in pbm("audit", "--json").json][-2:]
    assert acts == [("key rotate", "once a year"), ("key new", "stolen")]


def rename(home: Path) -> None:
    (home / "var" / "secret.key").rename(home / "gone.key")


def exchange(home: Path) -> None:
    rename(home)
    (home / "var" / "secret.key").write_text("ab" * 32 + "\n")


@pytest.mark.parametrize(("harm", "sentence"), [(rename, LOST), (exchange, OTHER)])
@pytest.mark.parametrize(
    "command",
    [("serve", "--smtp", "127.0.0.1:0"), ("work",), ("key", "rotate"), ("remind",)],
    ids=" ".join,
)
def test_without_the_key_that_signed_nothing_runs_and_no_other_is_made(
    home: Path, command: tuple[str, ...], harm: Callable[[Path], None], sentence: str
) -> None:
    shutil.copy("var/secret.key", "kept")
    harm(home)
    before = sorted(home.rglob("*.key"))
    assert re.search(sentence, refused(*command))
    assert sorted(home.rglob("*.key")) == before
    level, text = found("tokens")
    assert level == "FAIL"
    assert "is gone" in text or re.search(OTHER, text)
    shutil.copy("kept", "var/secret.key")
    done("work")
    assert found("tokens")[0] == "ok"


def test_if_it_is_lost_for_good_a_new_one_is_made_when_told_so(home: Path) -> None:
    rename(home)
    assert "replies to earlier mails prove nothing" in done("key", "new", "--why", "lost")
    assert found("tokens")[0] == "ok"
    done("work")


def test_a_key_file_from_before_a_rotation_is_noticed_once_the_new_key_has_signed(
    home: Path,
) -> None:
    before = (home / "var" / "secret.key").read_text()
    shutil.copy("var/secret.key", "before.key")
    (home / "var" / "secret.key").write_text(f"{'cd' * 32} 2026-01-01T00:00:00+00:00\n{before}")
    done("work")
    shutil.copy("before.key", "var/secret.key")
    assert re.search(OTHER, refused("work"))


def test_a_server_that_has_signed_nothing_makes_its_key_in_silence(bare: Path) -> None:
    done("work")
    assert found("tokens")[0] == "ok"
    assert (bare / "var" / "secret.key").stat().st_mode & 0o777 == 0o600
