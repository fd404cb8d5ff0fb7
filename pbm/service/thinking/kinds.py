"""The table of the kinds of thoughts, gathered from the modules of this package."""

from collections.abc import Mapping

from pbm.domain.robots import ThoughtKind
from pbm.service.thinking.base import Kind
from pbm.subjects import modules_of


def kinds() -> Mapping[ThoughtKind, Kind]:
    """Return how each kind is thought. This imports the search, which most processes never need."""
    return {
        kind: row
        for module in modules_of(__name__.rpartition(".")[0])
        for kind, row in getattr(module, "KINDS", {}).items()
    }
