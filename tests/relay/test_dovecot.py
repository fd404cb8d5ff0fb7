"""Dovecot's submission as the relay: a real one that offers PIPELINING and falls over a group."""

import grp
import os
import pwd
import shutil
import smtplib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.doors import Sent
from tests.processes import lasting_port, start, until
from tests.relay.relays import deliver, mails
from tests.sink import Sink

SUBMISSION = Path("/usr/lib/dovecot/submission")

pytestmark = pytest.mark.skipif(
    not (shutil.which("dovecot") and SUBMISSION.exists()),
    reason="needs Dovecot 2.3 (apt-get install dovecot-submissiond)",
)

CONFIGURATION = """
protocols = submission
base_dir = {folder}/run
log_path = {folder}/log
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
ssl = no
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {folder}/passwd
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail
}}
mail_location = maildir:~/Maildir
submission_relay_host = 127.0.0.1
submission_relay_port = {relay}
service submission-login {{
  chroot =
  inet_listener submission {{
    port = {port}
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""


def answers(port: int) -> bool:
    try:
        smtplib.SMTP("127.0.0.1", port, timeout=5).close()
    except OSError:
        return False
    return True


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as served:
        yield served


@pytest.fixture
def dovecot(sink: Sink) -> Iterator[tuple[str, Path]]:
    """Yield the URL of a submission server that hands on to the sink, and its log."""
    # Its processes are other users than root, for whom the folders of pytest are closed.
    user = "nobody" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    group = grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name
    with TemporaryDirectory() as name:
        folder, port = Path(name), lasting_port()
        folder.chmod(0o755)
        for part in ("run", "mail"):
            (folder / part).mkdir()
        shutil.chown(folder / "mail", user)
        (folder / "passwd").write_text("me@provider.example:secret\n")
        file = folder / "dovecot.conf"
        file.write_text(
            CONFIGURATION.format(folder=folder, user=user, group=group, port=port, relay=sink.port)
        )
        with start("dovecot", "-F", "-c", file) as process:
            until(lambda: answers(port), "Dovecot")
            yield f"smtp://me%40provider.example:secret@127.0.0.1:{port}", folder / "log"
            process.end()


def test_each_mail_goes_through_dovecot_once(sink: Sink, dovecot: tuple[str, Path]) -> None:
    url, log = dovecot
    batch = mails(*(f"p{number}" for number in range(30)))
    assert deliver(url, *batch) == [Sent()] * 30
    assert [taken.recipient for taken in sink.mails] == [each.recipient for each in batch]
    assert "Panic" not in log.read_text()
