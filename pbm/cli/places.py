"""Where to listen, as options say it."""

from pbm.config import ConfigError
from pbm.endpoints import Endpoint, read_endpoint


def endpoints(text: str) -> tuple[Endpoint, ...]:
    """Return the endpoints that `text` lists, with commas; raise ConfigError if one is none."""
    try:
        return tuple(read_endpoint(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise ConfigError(str(error)) from error
