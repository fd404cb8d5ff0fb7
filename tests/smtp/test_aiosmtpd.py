"""What pbm uses of the inside of aiosmtpd is there, and is used in one module only."""

import inspect
import re
from importlib.metadata import requires
from pathlib import Path

import aiosmtpd.smtp
import pytest

from pbm.smtp import aiosmtpd_inside, session, transaction
from pbm.smtp.aiosmtpd_inside import PRIVATE_NAMES
from tests.tables import each

ITS_SOURCE = inspect.getsource(aiosmtpd.smtp)
OURS = Path(aiosmtpd_inside.__file__)


@each("name", PRIVATE_NAMES)
def test_aiosmtpd_still_has(name: str) -> None:
    found = re.search(rf"(?:self\.|def ){name}\b", ITS_SOURCE)
    assert found, f"aiosmtpd has {name} no more; mend {OURS.name}"


def test_the_module_uses_every_private_name_that_it_lists_and_no_other() -> None:
    used = set(re.findall(r"(?:self\.|def )(_[a-z]\w*)", OURS.read_text("utf-8")))
    assert used == set(PRIVATE_NAMES)


@pytest.mark.parametrize("module", [session, transaction], ids=lambda module: module.__name__)
def test_no_session_of_ours_reaches_inside_by_itself(module: object) -> None:
    source = inspect.getsource(module)  # type: ignore[arg-type]
    assert not [name for name in PRIVATE_NAMES if f"self.{name}" in source]


def test_the_next_minor_version_is_not_taken_unseen() -> None:
    (wanted,) = [line for line in requires("pbm-server") or () if line.startswith("aiosmtpd")]
    assert "<1.5" in wanted
