"""deploy/README.md is followed to the letter on a bare Debian host, and people play there.

The host is made and thrown away by the test (scratch.py), which needs root and Debian's packages.
"""

import os
import re
import shutil
from collections.abc import Iterator

import pytest

from tests.e2e.people import begin_match, take_turn
from tests.host.debian import AS_SYSTEMD, PAGE, Debian, commands
from tests.host.people import Writer, answers, connected
from tests.processes import run, until
from tests.sink import Sink

pytestmark = [pytest.mark.host, pytest.mark.postfix, pytest.mark.timeout(600)]

DOMAIN = "games.example.org"
SERVER = f"pbm@{DOMAIN}"
OPERATOR = "you@example.org"
PASSWORD = "correct-horse"


def _is_roots_debian() -> bool:
    return os.geteuid() == 0 and all(map(shutil.which, ("unshare", "nsenter", "apt-get")))


def _may_make_a_host() -> bool:
    """Return whether the kernel lets root make one: in most containers it does not, CI or no CI."""
    spaces = ("--mount", "--net", "--pid", "--ipc", "--uts", "--fork")
    mounts = ("sh", "-c", 'mount -t tmpfs tmpfs "$1" && ip link set lo up', "sh", "/mnt")
    return run("unshare", *spaces, *mounts).returncode == 0


@pytest.fixture(scope="module")
def host() -> Iterator[Debian]:
    """Return the host once the page has been followed to its end."""
    if not _is_roots_debian():
        (pytest.fail if os.environ.get("CI") else pytest.skip)("needs root on Debian")
    if not _may_make_a_host():
        pytest.skip("this machine lets nobody make namespaces and mounts, so no host can be made")
    with Debian() as debian:
        debian.follow()
        yield debian


@pytest.fixture(scope="module")
def world(host: Debian) -> Iterator[Sink]:
    """Return what Postfix takes for the rest of the world: there is no DNS to look it up in."""
    earth = Sink()
    with host.network():
        earth.__enter__()
    try:
        host.run(f"postconf -e 'relayhost = [127.0.0.1]:{earth.port}'; postfix reload")
        yield earth
    finally:
        earth.__exit__(None, None, None)


def player(name: str, host: Debian, world: Sink) -> Writer:
    """Return somebody who has just opened an account."""
    person = Writer(name, host, world, server=SERVER)
    person.opens_account(PASSWORD)
    return person


# ---- the page


def test_the_page_is_short_and_all_that_it_asks_of_systemd_was_done(host: Debian) -> None:
    page = PAGE.read_text("utf-8")
    assert len(page.splitlines()) <= 200
    assert len(commands(page)) <= 8
    assert set(AS_SYSTEMD) < set(host.seen)


def test_all_steps_can_be_done_again_and_change_nothing(host: Debian) -> None:
    look = "cat /etc/pbm/pbm.toml; sha256sum /var/lib/pbm/* /root/pbm-keys/*; postconf -n"
    before = host.run(f"{look} 2>&1").stdout
    host.run("printf '#!/bin/sh\\n' >/usr/local/bin/systemctl; chmod 755 /usr/local/bin/systemctl")
    (setup,) = (line for line in commands(PAGE.read_text("utf-8")) if line.endswith(" --apply"))
    host.run(setup, fetches=True)
    assert host.run(f"{look} 2>&1").stdout == before


def test_the_doctor_finds_nothing_wrong_after_the_last_step(host: Debian) -> None:
    told = host.run("pbm doctor").stdout
    assert "FAIL" not in told
    wrong = [line.split(":")[0].split()[1] for line in told.splitlines() if line.startswith("warn")]
    assert wrong == ["domain", "operator"], told
    assert f"takes mails to {SERVER}, to its replies and bounces, and to nobody else" in told


def test_the_doctor_prints_the_records_of_the_domain(host: Debian) -> None:
    told = host.seen["pbm doctor --dns || true"]
    for record in (
        "MX: games.example.org. MX 10 mail.example.org.",
        "PTR: the name of that address: PTR mail.example.org.",
        'SPF: games.example.org. TXT "v=spf1 mx -all"',
        "DKIM: pbm._domainkey.games.example.org. IN TXT",
        "_dmarc.games.example.org. TXT",
    ):
        assert record in told


def test_only_root_and_the_service_read_the_settings_and_only_postfix_reaches_the_socket(
    host: Debian,
) -> None:
    reads = "head -c1 /etc/pbm/pbm.toml"
    connects = (
        "python3 -c 'import socket; "
        's = socket.socket(socket.AF_UNIX); s.connect("/var/spool/postfix/pbm/lmtp")\''
    )
    for user, may_read, may_connect in (
        ("pbm", True, True),
        ("postfix", False, True),
        ("nobody", False, False),
        ("postgres", False, False),
    ):
        become = f"cd /; runuser -u {user} --"
        assert (host.run(f"{become} {reads}", check=False).returncode == 0) is may_read
        assert (host.run(f"{become} {connects}", check=False).returncode == 0) is may_connect
    assert "pbm" not in host.run("id -nG postfix").stdout.split()


def test_systemd_is_told_that_the_service_lives(host: Debian) -> None:
    host.systemd.hear_of("WATCHDOG=1")


# ---- mails through Postfix


def test_postfix_offers_tls_to_the_world(host: Debian) -> None:
    told = host.run(
        "openssl s_client -starttls smtp -connect 192.0.2.1:25 -brief </dev/null"
    ).stdout
    assert "Protocol version: TLSv1.3" in told


def test_a_match_is_played_through_postfix_in_both_directions(host: Debian, world: Sink) -> None:
    ann, ben = player("ann", host, world), player("ben", host, world)
    mine, _ = begin_match(ann, ben, PASSWORD)
    for move in ("C3", "D4", "B2", "B3"):
        mine = take_turn(ann, ben, mine, move)
        ann, ben = ben, ann
    ann.answer(mine, "resign")
    ann.next("You lost")
    ben.next("You won")
    assert all(mail.sender.startswith("bounce+") for mail in world.mails)
    assert all("d=games.example.org" in mail.message["DKIM-Signature"] for mail in world.mails)


def test_each_address_of_the_domain_is_taken_and_no_other(host: Debian) -> None:
    token = "a" * 42
    ours = [SERVER, f"pbm+{token}@{DOMAIN}", f"bounce+{token}@{DOMAIN}", SERVER.upper()]
    assert answers(host, "a@example.com", ours) == [250] * 4
    assert answers(host, "", [f"postmaster@{DOMAIN}", f"abuse@{DOMAIN}", "postmaster"]) == [250] * 3
    assert answers(host, "a@example.com", [f"nobody@{DOMAIN}", "x@example.com"]) == [550, 554]
    assert answers(host, "a@example.com", [SERVER], size=1_100_000) == [552]


def test_what_is_written_to_the_postmaster_comes_to_the_operator(host: Debian, world: Sink) -> None:
    Writer("carol", host, world).write("Stop", "Please.", f"postmaster@{DOMAIN}")
    world.wait(lambda mails: any(m.recipient == OPERATOR for m in mails), "a mail for the operator")
    mail = next(mail for mail in world.mails if mail.recipient == OPERATOR)
    assert mail.subject == "Stop"


def test_an_address_whose_mails_come_back_through_postfix_is_switched_off(
    host: Debian, world: Sink
) -> None:
    dora, emil = player("dora", host, world), player("emil", host, world)
    mine, _ = begin_match(dora, emil, PASSWORD)

    world.answers[emil.address] = "550 5.1.1 There is nobody of that name here"
    dora.answer(mine, "C3")
    dora.next("emil to move")
    until(lambda: returned(host) == 1, "the first mail to come back")
    host.run("runuser -u postgres -- psql -q pbm -c \"DELETE FROM tallies WHERE key LIKE 'ret%'\"")
    dora.write(f"chat {mine.board} dora {PASSWORD}", "Are you there?")
    dora.next("Are you there?")

    dora.next("clocks are stopped until")
    world.wait(lambda mails: any("emil cannot be reached" in m.subject for m in mails), "a warning")
    assert "emil@example.com" in host.run("pbm user show emil").stdout
    assert "off" in host.run("pbm user show emil").stdout


def returned(host: Debian) -> int:
    """Return how many addresses have a mail that came back today."""
    count = "SELECT count(*) FROM tallies WHERE key LIKE 'returned:%'"
    return int(host.run(f'runuser -u postgres -- psql -tA pbm -c "{count}"').stdout.split()[-1])


# ---- a step forgotten, backup, end


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("smtpd_forbid_bare_newline=no", "needs smtpd_forbid_bare_newline = yes"),
        ("virtual_mailbox_maps=inline:{ pbm@games.example.org=pbm }", "refuses bounce+doctor@"),
        ("virtual_mailbox_domains=", "takes no-such-address@games.example.org"),
    ],
)
def test_the_doctor_says_which_line_for_postfix_was_forgotten(
    host: Debian, setting: str, told: str
) -> None:
    name = setting.partition("=")[0]
    before = host.run(f"postconf -h {name}").stdout.strip()
    host.run(f"postconf -e '{setting}'; postfix reload")
    try:
        found = host.run("pbm doctor front", check=False)
        assert told in found.stdout, found.stdout
    finally:
        host.run(f"postconf -e '{name}={before}'; postfix reload")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("PBM_CONFIG=/etc/pbm/none.toml pbm doctor", "/etc/pbm/none.toml cannot be read"),
        ("pbm doctor database --database postgresql://pbm@/none", 'database "none" does not exist'),
        ("pbm doctor database --database postgresql://none@/pbm", "Peer authentication failed"),
        ("pbm doctor relay --relay smtp://127.0.0.1:26", "FAIL relay: 127.0.0.1:26"),
        ("pbm serve --lmtp /var/spool/postfix/none/lmtp", "/var/spool/postfix/none/lmtp"),
        ("pbm dkim new /var/lib/pbm/dkim.pem", "There is a file /var/lib/pbm/dkim.pem already"),
    ],
)
def test_what_is_missing_or_done_twice_is_told_in_one_line(
    host: Debian, command: str, told: str
) -> None:
    ended = host.run(f"{command} 2>&1 | tail -1; exit ${{PIPESTATUS[0]}}", check=False)
    assert (ended.returncode, told in ended.stdout) == (1, True), ended.stdout
    assert "Traceback" not in ended.stdout


def test_a_backup_can_be_restored_beside_the_server(host: Debian) -> None:
    host.start_backup()
    [*_, file] = host.run("ls /var/backups/pbm/pbm-*.dump").stdout.split()
    assert host.run(f"stat -c '%U %a' {file}").stdout.split() == ["pbm", "600"]
    host.run("cd /; runuser -u postgres -- createdb --owner pbm --template template0 copy")
    host.run(f"cd /; runuser -u pbm -- pg_restore --dbname copy --no-owner {file}")
    verified = host.run("pbm verify --database postgresql+psycopg://pbm@/copy").stdout
    assert re.search(r"[1-9]\d* matches, 0 with faults", verified), verified


def test_the_service_ends_in_order_and_says_so(host: Debian) -> None:
    assert host.stop_pbm() == 0
    assert host.systemd.hear_of("STOP") == "STOPPING=1"
    with connected(host) as client:
        # Postfix keeps what comes meanwhile.
        client.sendmail("late@example.com", [SERVER], b"Subject: help\r\n\r\n")
