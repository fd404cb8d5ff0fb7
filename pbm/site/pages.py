"""A page of the site, with the files beside it.

Each module of pages yields its own. The digest of a page's inputs says whether its files are as
they would be written now, so nothing else knows which page depends on what.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import blake2b
from typing import Protocol

from pbm.domain.seen import SeenBoard
from pbm.engine import frozen
from pbm.store.match_reading import MatchRow


class Source(Protocol):
    """Matches, for the pages that are made."""

    def board(self, number: int) -> SeenBoard:
        """Return a match as anybody may know it now."""

    def course(self, number: int) -> tuple[SeenBoard, ...]:
        """Return a match at ply 0, 1, 2, ... as anybody may know it."""

    def rows(self, numbers: Collection[int]) -> Sequence[MatchRow]:
        """Return matches as lists have them, in the order of these numbers."""


Files = Mapping[str, str | bytes]
"""Contents by path below the root of the site."""


@frozen
class Page:
    """Files of the site that are written together, by `make`.

    All that they show is in `inputs`, plain values with the same repr in every process, or the same
    for as long as the program is. A page is also made if one of the players of the matches
    `numbers` has another name.
    """

    paths: tuple[str, ...]
    inputs: object
    make: Callable[[Source], Files]
    numbers: tuple[int, ...] = ()

    @property
    def digest(self) -> str:
        """The digest of the inputs."""
        return blake2b(repr(self.inputs).encode(), digest_size=8).hexdigest()
