"""The keys of tokens and of signatures: their files, and `pbm key` and `pbm dkim`."""

import multiprocessing
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbm.server.dkim import create, load, record, record_fault
from pbm.server.token_keys import (
    BEFORE_SIGNING,
    KEPT,
    KeyFileError,
    load_keys,
    load_or_create,
    replace_all,
    rotate,
)
from tests.cli.terminal import done, found, pbm, refused

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

# ---- the file of the keys that sign tokens


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "var" / "secret.key"
    load_or_create(path)
    return path


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Yield a folder that every user may enter, which that of the tests is not."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def told_to_a_stranger(path: Path) -> str:
    """Return what a user hears who may not read a file; ends the process's rights."""
    if os.geteuid() == 0:
        os.setuid(65534)
    try:
        load_keys(path)
    except KeyFileError as error:
        return str(error)
    return ""


def test_a_key_that_was_put_back_by_another_user_is_told_with_what_to_type(
    open_folder: Path,
) -> None:
    file = open_folder / "secret.key"
    load_or_create(file)
    owner = file.owner()
    if os.geteuid():
        file.chmod(0)
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as another:
        told = another.submit(told_to_a_stranger, file).result(20)
    user = "nobody" if os.geteuid() == 0 else owner
    assert told == (
        f"The key file {file} belongs to {owner} and cannot be read by {user}: "
        f"chown {user} {file}, chmod 600 {file}."
    )


def test_a_file_of_an_earlier_version_is_a_ring_of_one_key_that_signs(file: Path) -> None:
    file.write_text("ab" * 32 + "\n")
    ring = load_keys(file)
    assert [key.secret for key in ring.keys] == [b"\xab" * 32]
    assert ring.in_force(NOW) == ring.keys


def test_a_new_key_counts_at_once_signs_in_ten_minutes_and_the_old_one_counts_for_90_days(
    file: Path,
) -> None:
    (old,) = load_keys(file).keys
    fresh = rotate(file, NOW)
    ring = load_keys(file)
    assert ring.keys == (fresh, old)
    assert ring.in_force(NOW) == (old, fresh)
    assert ring.in_force(NOW + BEFORE_SIGNING - MINUTE)[0] == old
    assert ring.in_force(NOW + BEFORE_SIGNING) == (fresh, old)
    before = file.read_bytes()
    with pytest.raises(KeyFileError, match="does not sign yet"):
        rotate(file, NOW + MINUTE)
    assert file.read_bytes() == before
    end = NOW + BEFORE_SIGNING + KEPT
    assert old in ring.in_force(end - MINUTE)
    assert ring.in_force(end) == (fresh,)
    newest = rotate(file, end)
    assert load_keys(file).keys == (newest, fresh)
    assert old.secret.hex() not in file.read_text()


def test_a_key_is_replaced_at_once_and_the_old_file_stays_beside_it_as_private(file: Path) -> None:
    (old,) = load_keys(file).keys
    rotate(file, NOW)
    fresh, aside = replace_all(file)
    assert load_keys(file).keys == (fresh,)
    assert aside is not None
    assert old in load_keys(aside).keys
    assert sorted(file.parent.iterdir()) == sorted([file, aside])
    assert {each.stat().st_mode & 0o777 for each in (file, aside)} == {0o600}


def test_a_damaged_file_is_told_without_a_word_of_it(file: Path) -> None:
    key = "ab" * 32
    for text in (
        *("", "\n", "xy" * 32, "ab" * 31, "ab" * 33, f"{key} noon", f"{key} 2026-11-20T12:00"),
        *(f"{key}\nab", "\u00e9" * 64),
    ):
        file.write_text(text, "utf-8")
        with pytest.raises(KeyFileError, match=r"secret.key does not hold keys of 32 bytes in hex"):
            load_keys(file)


def test_of_many_who_start_or_rotate_at_once_each_has_the_same_key(tmp_path: Path) -> None:
    path = tmp_path / "new" / "key"

    def turn(_: int) -> bool:
        try:
            rotate(path, NOW)
        except KeyFileError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        rings = list(pool.map(lambda _: load_or_create(path), range(40)))
        assert len(set(rings)) == 1
        assert sum(pool.map(turn, range(20))) == 1
    assert len(load_keys(path).keys) == 2


# ---- `pbm key`

LOST = r"There is no key file var/secret.key, and mails are out\. Restore it"
OTHER = r"The key file var/secret.key is not the one that signed .* Restore it .* pbm key new"


@pytest.mark.usefixtures("home")
def test_ids_states_and_ages_are_listed_and_no_key_is_and_the_audit_has_what_was_done() -> None:
    (first,) = [row["id"] for row in pbm("key", "list", "--json").json]
    told = done("key", "rotate", "--why", "once a year")
    second, kept = [row["id"] for row in pbm("key", "list", "--json").json]
    assert kept == first
    assert f"The key {second} signs from " in told
    rows = rf"{second} +signs soon +0 days\n{first} +signs +the first\n"
    assert re.search(rows, done("key", "list"))
    shown = done("key", "list") + told + done("key", "list", "--json") + done("audit", "--json")
    for line in Path("var/secret.key").read_text().split("\n"):
        assert not line or line[:16] not in shown
    done("key", "new", "--why", "stolen")
    acts = [(row["act"], row["why"]) for row in pbm("audit", "--json").json][-2:]
    assert acts == [("key rotate", "once a year"), ("key new", "stolen")]


@pytest.mark.parametrize(("other", "sentence"), [(None, LOST), ("ab" * 32 + "\n", OTHER)])
@pytest.mark.parametrize("command", ["serve --smtp 127.0.0.1:0", "work", "key rotate", "remind"])
@pytest.mark.usefixtures("home")
def test_without_the_key_that_signed_nothing_runs_and_no_other_is_made(
    command: str, other: str | None, sentence: str
) -> None:
    key = Path("var/secret.key")
    key.rename("kept")
    if other:
        key.write_text(other)
    before = sorted(Path().rglob("*.key"))
    assert re.search(sentence, refused(*command.split()))
    assert sorted(Path().rglob("*.key")) == before
    level, text = found("tokens")
    assert level == "FAIL"
    assert "is gone" in text or re.search(OTHER, text)
    shutil.copy("kept", key)
    done("work")
    assert found("tokens")[0] == "ok"


@pytest.mark.usefixtures("home")
def test_if_it_is_lost_for_good_a_new_one_is_made_when_told_so() -> None:
    Path("var/secret.key").unlink()
    assert "replies to earlier mails prove nothing" in done("key", "new", "--why", "lost")
    assert found("tokens")[0] == "ok"
    done("work")


@pytest.mark.usefixtures("home")
def test_a_key_file_from_before_a_rotation_is_noticed_once_the_new_key_has_signed() -> None:
    key = Path("var/secret.key")
    before = key.read_text()
    key.write_text(f"{'cd' * 32} 2026-01-01T00:00:00+00:00\n{before}")
    done("work")
    key.write_text(before)
    assert re.search(OTHER, refused("work"))


def test_a_server_that_has_signed_nothing_makes_its_key_in_silence(bare: Path) -> None:
    done("db", "upgrade")
    done("work")
    assert found("tokens")[0] == "ok"
    assert (bare / "var" / "secret.key").stat().st_mode & 0o777 == 0o600


# ---- `pbm dkim`


def made(*arguments: str) -> str:
    """Make a key; return the record that is printed."""
    typed = pbm("dkim", "new", *arguments)
    assert typed.status == 0, typed.err
    return typed.out.strip()


def test_a_new_key_is_open_to_its_owner_only_never_overwritten_and_its_record_shown_again(
    bare: Path,
) -> None:
    address = ("--address", "pbm@games.example.org", "--dkim-selector", "pbm2027")
    printed = made("keys/mine.pem", *address)
    assert printed.startswith('pbm2027._domainkey.games.example.org. IN TXT ( "v=DKIM1; k=rsa; p=')
    key = bare / "keys" / "mine.pem"
    assert key.stat().st_mode & 0o777 == 0o600
    assert done("dkim", "show", "--dkim-key", "keys/mine.pem", *address).strip() == printed
    before = key.read_bytes()
    assert "no key is overwritten" in refused("dkim", "new", "keys/mine.pem")
    assert key.read_bytes() == before
    made()
    assert Path("var/dkim.pem").exists(), "beside the key of the tokens"


def test_the_strings_of_a_record_fit_the_dns_and_are_the_public_half_as_openssl_reads_it(
    bare: Path,
) -> None:
    strings = re.findall(r'"([^"]*)"', made("k.pem"))
    assert [len(text) <= 255 for text in strings] == [True, True]
    assert "".join(strings) == record(load(bare / "k.pem"))
    command = ["openssl", "pkey", "-in", str(bare / "k.pem"), "-pubout"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "".join(ended.stdout.splitlines()[1:-1]) == "".join(strings).partition("p=")[2]


PEM = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
NO_KEY = "k.pem holds no private key in PEM form without a password."


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("command", ["work", "serve --smtp 127.0.0.1:0"])
def test_a_server_with_a_key_that_cannot_sign_does_not_start(command: str) -> None:
    line = (*command.split(), "--dkim-key", "k.pem")
    assert "There is no DKIM key k.pem; pbm dkim new makes one." in refused(*line)
    for content in ("", PEM):
        Path("k.pem").write_text(content)
        assert NO_KEY in refused(*line)


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("kind", ["rsa_keygen_bits:1024", "ec_paramgen_curve:P-256"])
def test_a_weak_key_or_one_of_another_kind_is_refused(kind: str) -> None:
    tool = ["openssl", "genpkey", "-quiet", "-algorithm", kind.partition("_")[0], "-pkeyopt", kind]
    subprocess.run([*tool, "-out", "k.pem"], check=True, capture_output=True)
    assert "k.pem cannot sign mails: " in refused("dkim", "show", "--dkim-key", "k.pem")


@pytest.mark.usefixtures("bare")
def test_doctor_tells_a_key_that_others_can_read_and_one_that_is_gone() -> None:
    made("k.pem")
    assert found("dkim", "--dkim-key", "k.pem")[1].startswith("k.pem signs by rsa")
    Path("k.pem").chmod(0o640)
    assert "others can read k.pem" in found("dkim", "--dkim-key", "k.pem")[1]
    Path("k.pem").unlink()
    level, text = found("dkim", "--dkim-key", "k.pem")
    assert (level, text.startswith("There is no DKIM key")) == ("FAIL", True)


@pytest.mark.usefixtures("bare")
def test_a_selector_that_is_no_name_of_the_dns_is_refused() -> None:
    for selector in ("", "a b", "-x", "x.", "a" * 64, "ü", "x;y", "x\n", "a..b"):
        told = refused("user", "list", "--dkim-selector", selector)
        assert "The DKIM selector is a name" in told, selector


def test_a_published_record_is_compared_with_the_key(tmp_path: Path) -> None:
    key = create(tmp_path / "k.pem", "rsa")
    text = record(key)
    for published, fault in (
        (text, ""),
        (text.replace("; ", " ;\t ").replace("p=", "p= ") + ";", ""),
        (text.replace("v=DKIM1; ", ""), ""),
        (text.replace("DKIM1", "spf1"), "no DKIM record"),
        (text.partition("p=")[0] + "p=", "no public key"),
        (text[:-30], "damaged|another key"),
        ("v=DKIM1; k=ed25519; p=AAAA", "another kind"),
        ("v=DKIM1; p=AAAA", "another key"),
    ):
        told = record_fault(key, published)
        assert re.search(fault, told or "") if fault else told is None, published
