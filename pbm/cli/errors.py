"""Which exceptions the operator can fix: those are printed in one line, without a traceback."""

import smtplib

from pbm.bench.errors import BenchError
from pbm.config import ConfigError
from pbm.domain.errors import Refusal
from pbm.engine import GameError, TranscriptError
from pbm.plugins import GameLoadError
from pbm.relay import RelayUrlError
from pbm.scaffold import ScaffoldError
from pbm.service.ports import Conflict, StoreUnavailable
from pbm.service.ports.post import IntakeUnavailable
from pbm.store.engine import StoreError
from pbm.terminal import LetterError

_MENDABLE = (
    BenchError, ConfigError, Conflict, GameError, GameLoadError, IntakeUnavailable, LetterError,
    OSError, Refusal, RelayUrlError, ScaffoldError, StoreError, StoreUnavailable, TranscriptError,
    smtplib.SMTPException,
)  # fmt: skip


def as_one_line(error: Exception) -> str | None:
    """Return what to print for `error`; None if it is a bug, which needs its traceback."""
    if not isinstance(error, _MENDABLE):
        return None
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__
