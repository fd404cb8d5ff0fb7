"""What `pbm serve` shows of itself: the log, and the figures if it is told where."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pbm.bootstrap import House
from pbm.cli.places import endpoints
from pbm.config import ConfigError
from pbm.endpoints import TcpEndpoint
from pbm.watch.lives import LogWitness, Witnesses
from pbm.watch.standing import Standing

if TYPE_CHECKING:
    from pbm.watch.state import Watched


@dataclass(frozen=True, slots=True)
class Seen:
    """A house that is watched, and where its figures are shown, if they are."""

    house: House
    watched: "Watched | None" = None
    endpoint: TcpEndpoint | None = None


@contextmanager
def watching(house: House, metrics: str) -> Iterator[Seen]:
    """Yield a house like this one that tells what it does, and shows figures at `metrics`.

    Raises ConfigError if `metrics` is no HOST:PORT, if it is taken, or if the library is missing.
    """
    log = LogWitness(time.monotonic)
    if not metrics:
        with closing(replace(house, witness=log)) as watched_house:
            yield Seen(watched_house)
        return
    endpoint = _endpoint(metrics)
    try:
        from pbm.watch.metrics import MetricsWitness  # noqa: PLC0415 - an extra, and slow to import
        from pbm.watch.state import Watched  # noqa: PLC0415
    except ImportError:
        raise ConfigError("--metrics needs a library: pip install prometheus-client") from None
    from pbm.watch.window import Window  # noqa: PLC0415

    counts = MetricsWitness()
    with closing(replace(house, witness=Witnesses(log, counts))) as watched_house:
        watched = Watched(counts, lambda: _standing(watched_house), time.monotonic)
        with Window(endpoint, watched.pages()) as window:
            yield Seen(watched_house, watched, window.endpoint)


def _endpoint(text: str) -> TcpEndpoint:
    endpoint, *more = endpoints(text)
    if more or not isinstance(endpoint, TcpEndpoint):
        raise ConfigError("The metrics are shown at HOST:PORT.")
    return endpoint


def _standing(house: House) -> Standing:
    with house.open_reading() as work:
        now = house.clock()
        return Standing(
            now, work.lives.queues(), tuple(work.pulses.all()), work.thoughts.counts(now)
        )
