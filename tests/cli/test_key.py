"""`pbm key` and `pbm dkim`: the keys of tokens and signatures."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pbm.dkim import create, load, record, record_fault
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


def made(*arguments: str) -> str:
    """Make a key; return the record that is printed."""
    typed = pbm("dkim", "new", *arguments)
    assert typed.status == 0, typed.err
    return typed.out.strip()


def test_a_new_key_is_open_to_its_owner_only_and_its_record_is_shown_again(bare: Path) -> None:
    address = ("--address", "pbm@games.example.org", "--dkim-selector", "pbm2027")
    printed = made("keys/mine.pem", *address)
    assert printed.startswith('pbm2027._domainkey.games.example.org. IN TXT ( "v=DKIM1; k=rsa; p=')
    assert (bare / "keys" / "mine.pem").stat().st_mode & 0o777 == 0o600
    assert done("dkim", "show", "--dkim-key", "keys/mine.pem", *address).strip() == printed


def test_no_string_of_a_record_is_longer_than_the_dns_allows_and_joined_they_are_the_record(
    bare: Path,
) -> None:
    strings = re.findall(r'"([^"]*)"', made("k.pem"))
    assert [len(text) <= 255 for text in strings] == [True, True]
    assert "".join(strings) == record(load(bare / "k.pem"))


def test_openssl_reads_the_key_and_has_the_same_public_half(bare: Path) -> None:
    published = "".join(re.findall(r'"([^"]*)"', made("k.pem"))).partition("p=")[2]
    ended = subprocess.run(
        ["openssl", "pkey", "-in", bare / "k.pem", "-pubout"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "".join(ended.stdout.splitlines()[1:-1]) == published


@pytest.mark.usefixtures("bare")
def test_a_key_is_never_overwritten() -> None:
    made("k.pem")
    before = Path("k.pem").read_bytes()
    assert "no key is overwritten" in refused("dkim", "new", "k.pem")
    assert Path("k.pem").read_bytes() == before


@pytest.mark.usefixtures("bare")
def test_without_a_name_the_key_lies_beside_that_of_the_tokens() -> None:
    made()
    assert Path("var/dkim.pem").exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "There is no DKIM key k.pem; pbm dkim new makes one."),
        (b"", "k.pem holds no private key in PEM form without a password."),
        (b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "holds no private key"),
    ],
)
@pytest.mark.parametrize("command", [("work",), ("serve", "--smtp", "127.0.0.1:0")])
def test_a_server_with_a_key_that_cannot_sign_does_not_start(
    bare: Path, command: tuple[str, ...], content: bytes | None, sentence: str
) -> None:
    if content is not None:
        (bare / "k.pem").write_bytes(content)
    assert sentence in refused(*command, "--dkim-key", "k.pem")


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("kind", ["rsa_keygen_bits:1024", "ec_paramgen_curve:P-256"])
def test_a_weak_key_or_one_of_another_kind_is_refused(kind: str) -> None:
    subprocess.run(
        ["openssl", "genpkey", "-quiet", "-algorithm", kind.partition("_")[0], "-pkeyopt", kind,
         "-out", "k.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    assert "k.pem cannot sign mails: " in refused("dkim", "show", "--dkim-key", "k.pem")


@pytest.mark.usefixtures("bare")
def test_doctor_tells_a_key_that_others_can_read_and_one_that_is_gone() -> None:
    made("k.pem")
    assert "ok   dkim: k.pem signs by rsa" in done("doctor", "dkim", "--dkim-key", "k.pem")
    Path("k.pem").chmod(0o640)
    assert "others can read k.pem" in pbm("doctor", "dkim", "--dkim-key", "k.pem").out
    Path("k.pem").unlink()
    assert "FAIL dkim: There is no DKIM key" in pbm("doctor", "dkim", "--dkim-key", "k.pem").out


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("selector", ["", "a b", "-x", "x.", "a" * 64, "ü", "x;y", "x\n", "a..b"])
def test_a_selector_that_is_no_name_of_the_dns_is_refused(selector: str) -> None:
    assert "The DKIM selector is a name" in refused("user", "list", "--dkim-selector", selector)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda text: text, None),
        (lambda text: text.replace("; ", " ;\t ").replace("p=", "p= ") + ";", None),
        (lambda text: text.replace("v=DKIM1; ", ""), None),
        (lambda text: text.replace("DKIM1", "spf1"), "no DKIM record"),
        (lambda text: text.partition("p=")[0] + "p=", "no public key"),
        (lambda text: text[:-30], "damaged|another key"),
        (lambda text: "v=DKIM1; k=ed25519; p=AAAA", "another kind"),
        (lambda text: "v=DKIM1; p=AAAA", "another key"),
    ],
)
def test_a_published_record_is_compared_with_the_key(tmp_path: Path, change, fault) -> None:  # type: ignore[no-untyped-def]
    key = create(tmp_path / "k.pem", "rsa")
    found = record_fault(key, change(record(key)))
    assert found is None if fault is None else re.search(fault, found or "")
