"""A page of the site, with the files beside it.

Each module of pages yields its own. The digest of a page's inputs says whether its files are as
they would be written now, so nothing else knows which page depends on what.
"""

from collections.abc import Callable, Mapping
from hashlib import blake2b

from pbm.domain.play import Board
from pbm.engine import frozen

Boards = Mapping[int, Board]
"""Whole matches by number."""

Files = Mapping[str, str | bytes]
"""Contents by path below the root of the site."""


@frozen
class Page:
    """Files of the site that are written together, by `make`, from the matches `numbers`.

    All that they show is in `inputs`, plain values with the same repr in every process, or the same
    for as long as the program is.
    """

    paths: tuple[str, ...]
    inputs: object
    make: Callable[[Boards], Files]
    numbers: tuple[int, ...] = ()

    @property
    def digest(self) -> str:
        """The digest of the inputs."""
        return blake2b(repr(self.inputs).encode(), digest_size=8).hexdigest()
