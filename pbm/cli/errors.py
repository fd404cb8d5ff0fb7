"""Which exceptions the operator can fix: those are printed in one line, without a traceback."""

MENDABLE = frozenset(
    {
        "builtins.OSError",
        "pbm.config.ConfigError",
        "pbm.dkim.keys.DkimError",
        "pbm.domain.errors.Refusal",
        "pbm.engine.errors.GameError",
        "pbm.engine.transcript.TranscriptError",
        "pbm.plugins.GameLoadError",
        "pbm.relay.url.RelayUrlError",
        "pbm.scaffold.ScaffoldError",
        "pbm.secrets_file.KeyFileError",
        "pbm.service.ports.Conflict",
        "pbm.service.ports.StoreUnavailable",
        "pbm.service.ports.post.IntakeUnavailable",
        "pbm.store.engine.StoreError",
        "pbm.terminal.LetterError",
        "smtplib.SMTPException",
    }
)
"""By name, because a command need not import half of the house to say what went wrong."""


def as_one_line(error: Exception) -> str | None:
    """Return what to print for `error`; None if it is a bug, which needs its traceback."""
    kinds = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}
    if MENDABLE.isdisjoint(kinds):
        return None
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__
