"""`pbm doctor` on settings, files, games and itself: whether all is well, and what to do if not."""

import os
import shutil
from collections import namedtuple
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest

from pbm.cli.printing import as_one_line
from pbm.config import Settings
from pbm.operator.doctor import CHECKS, Check, Patient, Severity, Written, examine
from pbm.operator.doctor.host import templates_there
from pbm.operator.doctor.verdict import ok
from pbm.system import folder
from tests.cli.terminal import STORED, done, findings, found, pbm
from tests.installing import install

NAMES = (
    "package", "settings", "names", "key", "dkim", "templates", "games", "database", "tables",
    "tokens", "permissions", "disk", "relay", "mailbox", "listeners", "authserv", "front", "domain",
    "operator", "certificate", "backups", "site", "signs", "outages", "clocks", "inbox",
    "outbox", "returned", "queue", "thoughts", "boards",
)  # fmt: skip


def test_where_all_is_well_each_check_says_so_and_nothing_is_changed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_BACKUPS", "copies")
    monkeypatch.setenv("PBM_OPERATOR", "grace@games.pbm.test")
    Path("copies").mkdir()
    Path(f"copies/pbm-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.db").touch()
    before = sorted(home.rglob("*"))
    typed = pbm("doctor")
    told = findings(typed)
    assert typed.status == 0
    assert tuple(told) == NAMES
    assert {level for level, _ in told.values()} == {"ok"}, told
    assert sorted(home.rglob("*")) == before
    in_json = {each["name"]: (each["level"], each["text"]) for each in pbm("doctor", "--json").json}
    assert in_json["settings"] == told["settings"]
    assert [level for level, _ in in_json.values()] == ["ok"] * len(NAMES)
    assert pbm("doctor", "--json", "--secret", "nowhere").status == 1


def test_before_the_first_start_what_is_missing_is_told_and_not_made(bare: Path) -> None:
    told = findings(pbm("doctor"))
    assert told["database"][0] == told["key"][0] == "FAIL"
    assert "pbm db upgrade makes one" in told["database"][1]
    (left,) = (name for name, (_, text) in told.items() if "not checked until database" in text)
    assert set(left.split(", ")) == {"tables", *STORED}
    assert list(bare.iterdir()) == []


@pytest.mark.usefixtures("home")
def test_the_doctor_knows_how_old_the_web_pages_are() -> None:
    assert found("site") == ("ok", "no folder for web pages is configured")
    assert "no web pages in pages: does pbm-site run?" in found("site", "--site", "pages")[1]
    done("site", "build", "pages")
    assert found("site", "--site", "pages")[0] == "ok"
    yesterday = datetime.now(UTC).timestamp() - 25 * 3600
    os.utime("pages/.pbm-site.json", (yesterday, yesterday))
    level, text = found("site", "--site", "pages")
    assert (level, "does pbm-site run?" in text) == ("warn", True)


# ---- settings


@pytest.mark.usefixtures("home")
def test_the_keys_of_the_file_are_told_and_which_of_them_the_environment_beats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("house.toml").write_text('address = "pbm@localhost"\nrelay = "null:"\nno_legal = true\n')
    monkeypatch.setenv("PBM_RELAY", "maildir:var/mail")
    monkeypatch.setenv("PBM_CONFIG", "house.toml")
    told = findings(pbm("doctor"))
    assert told["settings"] == (
        "ok",
        "house.toml sets address, relay and no_legal; PBM_RELAY in the environment beats it",
    )
    assert told["names"][0] == "ok"
    assert told["relay"][1].startswith("mails are filed in var/mail")


@pytest.mark.usefixtures("home")
def test_a_typo_in_a_key_or_a_variable_is_told_with_the_near_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("house.toml").write_text('adress = "x"\nkeep-days = 40\nzzz = 1\n')
    monkeypatch.setenv("PBM_RELAI", "null:")
    typed = pbm("--config", "house.toml", "doctor")
    assert typed.status == 0
    assert findings(typed)["settings"] == ("ok", "house.toml sets nothing")
    level, text = findings(typed)["names"]
    assert level == "warn"
    assert text == (
        'Names that are not settings are ignored. house.toml has "adress". Did you mean address? '
        'house.toml has "keep-days". Did you mean keep_days? house.toml has "zzz". '
        "The environment has PBM_RELAI. Did you mean PBM_RELAY?"
    )


# ---- files


@pytest.mark.usefixtures("home")
def test_a_password_in_a_file_that_everybody_can_read_is_warned_of_and_not_shown() -> None:
    file = Path("house.toml")
    file.write_text('relay = "smtp://bob:hunter22@127.0.0.1:1"\n')
    for mode, level in ((0o604, "warn"), (0o640, "ok")):
        file.chmod(mode)
        typed = pbm("--config", "house.toml", "doctor")
        assert findings(typed)["settings"][0] == level
        assert "hunter22" not in typed.out


def test_the_key_must_be_there_whole_and_private(home: Path) -> None:
    key = home / "var" / "secret.key"
    key.chmod(0o640)
    assert found("key") == (
        "FAIL",
        "others can read var/secret.key, and answer for the players: chmod 600 var/secret.key",
    )
    key.chmod(0o600)
    whole = key.read_text()
    for spoilt in (whole[:-3], "no hex", ""):
        key.write_text(spoilt)
        level, text = found("key")
        assert (level, "restore it" in text) == ("FAIL", True)
        assert not spoilt or spoilt not in text
    key.unlink()
    level, text = found("key")
    assert (level, "there is no var/secret.key" in text) == ("FAIL", True)


def test_the_database_is_for_its_owner_alone(home: Path) -> None:
    for mode, level, who in ((0o604, "FAIL", "everybody on this host"), (0o640, "warn", "a group")):
        (home / "var" / "pbm.db").chmod(mode)
        assert found("permissions") == (level, f"{who} has access: chmod 600 var/pbm.db")


def test_a_file_beside_the_database_that_belongs_to_another_user_is_told(home: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("this needs root")
    for end in ("", "-host", "-claims"):
        path = home / "var" / f"pbm.db{end}"
        path.touch(0o600)
        os.chown(path, 0 if end == "-claims" else 65534, -1)
    told = "not all of it belongs to one user: chown --reference=var/pbm.db var/pbm.db-claims"
    assert found("permissions") == ("FAIL", told)


def test_the_disk_needs_room_and_a_log_that_somebody_keeps_from_ending_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (home / "var" / "pbm.db-wal").open("ab") as log:
        log.truncate(300_000_000)  # a hole: it takes no room
    level, text = found("disk")
    assert (level, "has grown to 300 MB" in text) == ("warn", True)
    (home / "var" / "pbm.db-wal").unlink()
    usage = namedtuple("usage", "free")  # noqa: PYI024 - what shutil returns has more fields
    for megabytes, level in ((99, "FAIL"), (100, "warn"), (999, "warn"), (1000, "ok")):
        free = usage(megabytes * 1_000_000)
        monkeypatch.setattr("shutil.disk_usage", lambda _path, free=free: free)
        assert found("disk")[0] == level


def test_a_template_that_is_missing_is_named(tmp_path: Path) -> None:
    place = shutil.copytree(folder("templates"), tmp_path / "templates")
    assert templates_there(place).level is Severity.OK
    (place / "boards/board.txt.j2").unlink()
    told = f"install pbm again; {place} lacks boards/board.txt.j2"
    assert templates_there(place) == (Severity.FAIL, told)


GRUMPY = """
from dataclasses import replace
from games.gonnect import game as gonnect
class Grumpy(type(gonnect)):
    info = replace(gonnect.info, key='grumpy', title='Grumpy', aliases=())
    def start(self, setup): {}
    def to_move(self, state): return ()
game = Grumpy()
"""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (GRUMPY.format("raise ValueError('hunter22')"), "grumpy cannot begin: ValueError"),
        (GRUMPY.format("return super().start(setup)"),
         "in grumpy no side is to move at the beginning"),
        ("import nowhere_else_to_be_found\n", "grumpy:game cannot be loaded"),
    ],
)  # fmt: skip
def test_a_game_that_cannot_begin_is_named(
    home: Path, source: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(home / "site", monkeypatch, "grumpy", source)
    level, told = found("games")
    assert (level, text in told, "hunter22" in told) == ("FAIL", True, False)


# ---- the package


@pytest.mark.usefixtures("bare")
def test_what_runs_must_be_this_projects_and_not_a_strangers_pbm_or_another_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level, text = found("package")
    assert (level, text.partition(";")[0]) == ("ok", f"pbm-server {version('pbm-server')}")
    elsewhere = put(tmp_path / "elsewhere", "pbm_server", "99.0")
    (elsewhere / "pbm_server-99.0.dist-info" / "RECORD").write_text("pbm/__init__.py,,\n")
    (elsewhere / "pbm").mkdir()
    (elsewhere / "pbm" / "__init__.py").touch()
    strangers = put(tmp_path / "strangers", "pbm", "0.6.4")
    for site, words in (
        (strangers, ["a package called pbm, 0.6.4,", "pip uninstall pbm", "--force-reinstall"]),
        (elsewhere, [f"pbm-server is installed in {elsewhere / 'pbm'}, but what runs is "]),
    ):
        with monkeypatch.context() as patch:
            patch.syspath_prepend(str(site))
            level, text = found("package")
        assert (level, [word for word in words if word not in text]) == ("FAIL", []), text


def put(site: Path, name: str, version: str) -> Path:
    """Put the record of an installed distribution into a folder, and return the folder."""
    record = site / f"{name}-{version}.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    return site


# ---- the table


def test_an_error_in_one_check_fails_that_check_and_the_others_still_run(bare: Path) -> None:
    written = Written(Path("pbm.toml"), {}, {}, frozenset())
    settings = Settings("pbm@localhost", "sqlite:///pbm.db", "null:", bare / "key")
    patient = Patient(settings, written, None, None, datetime.now(UTC))
    checks = (
        Check("buggy", lambda _: ok(str(int("hunter22")))),
        Check("full", lambda _: ok((bare / "nowhere").read_text())),
        Check("last", lambda _: ok("looked at")),
    )
    told = list(examine(patient, as_one_line, checks))
    assert [(each.name, each.level) for each in told] == [
        ("buggy", Severity.FAIL), ("full", Severity.FAIL), ("last", Severity.OK)
    ]  # fmt: skip
    assert told[0].text == "the check met a bug in pbm: ValueError"
    assert told[1].text.endswith("nowhere: No such file or directory")


def test_each_check_comes_after_the_check_that_it_needs() -> None:
    for place, check in enumerate(CHECKS):
        assert not check.after or check.after in [each.name for each in CHECKS[:place]]
