"""A real Dovecot of its own: IMAP, LMTP and submission on free ports, without root."""

import base64
import getpass
import hmac
import json
import os
import re
import shutil
import smtplib
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import imapclient

from tests.processes import lasting_port, until

NEEDED = ("dovecot", "/usr/lib/dovecot/lmtp", "/usr/lib/dovecot/submission")
MISSING = "needs Dovecot 2.3: apt-get install dovecot-imapd dovecot-lmtpd dovecot-submissiond"

_TRUSTING = ssl.create_default_context()
_TRUSTING.check_hostname = False
_TRUSTING.verify_mode = ssl.CERT_NONE

ADDRESS = "me@provider.example"
PASSWORD = "sesame"

_CONFIG = """\
protocols = imap lmtp submission
base_dir = {home}/run
log_path = {home}/log
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
ssl_cert = <{home}/cert.pem
ssl_key = <{home}/key.pem
recipient_delimiter = +
auth_failure_delay = 0
lmtp_save_to_detail_mailbox = no
auth_mechanisms = plain login xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {home}/oauth2
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%Lu {home}/passwd
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={home}/mail/%Lu allow_all_users=yes
}}
mail_location = maildir:~/Maildir
mail_plugins = quota
plugin {{
  quota = count:mails
  quota_rule = *:messages={most}
  quota_vsizes = yes
}}
protocol imap {{
  mail_plugins = $mail_plugins imap_quota
}}
namespace inbox {{
  inbox = yes
  mailbox Junk {{
    special_use = \\Junk
    auto = create
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
service submission-login {{
  chroot =
  inet_listener submission {{
    port = {submission}
  }}
}}
submission_relay_host = 127.0.0.1
submission_relay_port = {relay}
submission_relay_trusted = no
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""


_TOKENS = """\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={home}/keys/
username_attribute = sub
"""

_KEY = b"the key that signs tokens"


def token(good_for: float = 60.0) -> str:
    """Return a token of OAuth 2 that the provider takes (RFC 7519)."""
    said = ({"alg": "HS256", "typ": "JWT"}, {"sub": ADDRESS, "exp": int(time.time() + good_for)})
    signed = ".".join(_base64(json.dumps(each).encode()) for each in said)
    return f"{signed}.{_base64(hmac.digest(_KEY, signed.encode(), 'sha256'))}"


def _base64(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


def is_installed() -> bool:
    return all(shutil.which(each, path=f"{os.environ['PATH']}:/usr/sbin") for each in NEEDED)


class Dovecot:
    """A Dovecot in the folder `home`; what is submitted goes to the port `relay`.

    `most` is how many mails its mailbox can hold.
    """

    def __init__(self, home: Path, relay: int = 9, most: int = 10_000) -> None:
        self.home = home
        self.imaps = lasting_port()
        self.lmtp = lasting_port(self.imaps)
        self.submission = lasting_port(self.lmtp)
        self._root = os.geteuid() == 0
        user = "nobody" if self._root else getpass.getuser()
        group = "nogroup" if self._root else str(os.getgid())
        ports = {"imaps": self.imaps, "lmtp": self.lmtp, "submission": self.submission}
        values = {"user": user, "group": group, "relay": relay, "most": most, **ports}
        config = _CONFIG.format(home=home, **values)
        (home / "dovecot.conf").write_text(config)
        (home / "passwd").write_text(f"{ADDRESS}:{PASSWORD}\n")
        (home / "oauth2").write_text(_TOKENS.format(home=home))
        (home / "keys/default/HS256").mkdir(parents=True)
        (home / "keys/default/HS256/default").write_bytes(base64.b64encode(_KEY))
        (home / "run").mkdir()
        (home / "mail").mkdir()
        _make_certificate(home)
        if self._root:
            for path in (home, *home.rglob("*")):
                shutil.chown(path, user, group)

    @property
    def certificate(self) -> str:
        return str(self.home / "cert.pem")

    @property
    def url(self) -> str:
        return f"imaps://{ADDRESS}@localhost:{self.imaps}"

    @property
    def relay_url(self) -> str:
        user = ADDRESS.replace("@", "%40")
        return f"smtp+starttls://{user}:{PASSWORD}@localhost:{self.submission}"

    @contextmanager
    def running(self) -> Iterator[None]:
        self.start()
        try:
            yield
        finally:
            self.stop()

    def start(self) -> None:
        daemon = shutil.which("dovecot", path=f"{os.environ['PATH']}:/usr/sbin") or ""
        self._process = subprocess.Popen(
            [daemon, "-F", "-c", str(self.home / "dovecot.conf")], stdin=subprocess.DEVNULL,
            user="nobody" if self._root else None, group="nogroup" if self._root else None,
            extra_groups=[] if self._root else None,
        )  # fmt: skip
        until(self._greets, "Dovecot")

    def _greets(self) -> bool:
        with suppress(OSError), smtplib.LMTP("127.0.0.1", self.lmtp) as lmtp:
            return lmtp.noop()[0] == 250
        return False

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        # Its children end once it is gone.
        until(lambda: not self._greets(), "the end of Dovecot")

    def sessions(self) -> list[int]:
        """Return the processes that have served logins by IMAP, the last one at the end."""
        log = (self.home / "log").read_text()
        return [int(pid) for pid in re.findall(r"imap-login: .*mpid=(\d+)", log)]

    def deliver(self, content: bytes, to: str = ADDRESS, sender: str = "alice@example.com") -> None:
        with smtplib.LMTP("127.0.0.1", self.lmtp) as lmtp:
            lmtp.sendmail(sender, [to], content)

    def empty(self) -> None:
        shutil.rmtree(self.home / "mail" / ADDRESS, ignore_errors=True)

    def into_junk(self) -> None:
        """Move all mails of the inbox to Junk."""
        with imapclient.IMAPClient("localhost", self.imaps, ssl_context=_TRUSTING) as client:
            client.login(ADDRESS, PASSWORD)
            client.select_folder("INBOX")
            client.move(client.search(), "Junk")

    def maildir(self, folder: str = "") -> list[Path]:
        """Return the files of mails in a folder, the inbox unless it is named."""
        place = self.home / "mail" / ADDRESS / "Maildir" / (f".{folder}" if folder else "")
        return sorted(file for name in ("new", "cur") for file in (place / name).glob("*"))


def _make_certificate(home: Path) -> None:
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(home / "key.pem"), "-out", str(home / "cert.pem")]
    subprocess.run(["openssl", *words.split(), *name, *files], check=True, capture_output=True)


@contextmanager
def dovecot(relay: int = 9, most: int = 10_000) -> Iterator[Dovecot]:
    with TemporaryDirectory() as place:
        made = Dovecot(Path(place), relay, most)
        with made.running():
            yield made
