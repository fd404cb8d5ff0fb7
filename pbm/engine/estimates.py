"""What a game may tell of a position without looking ahead; no game must."""

from typing import Protocol, TypeVar, runtime_checkable

S_contra = TypeVar("S_contra", contravariant=True)


@runtime_checkable
class Estimates(Protocol[S_contra]):
    """What a game may have beside the contract: how well each seat stands, at a glance."""

    def estimate(self, state: S_contra) -> tuple[float, ...]:
        """Return what `state`, which is not over, seems worth to each seat: 0 lost, 1 won.

        All of them make 1. A count of material is enough.
        """
