"""All leaves of the site."""

from collections.abc import Iterator
from itertools import chain

from pbm.site.board_pages import board_leaves
from pbm.site.facts import Facts, Site
from pbm.site.list_pages import list_leaves
from pbm.site.pages import Leaf
from pbm.site.rules_pages import rules_leaves


def plan(facts: Facts, site: Site) -> Iterator[Leaf]:
    """Yield all leaves of the site."""
    return chain(board_leaves(facts, site), rules_leaves(site), list_leaves(facts, site))
