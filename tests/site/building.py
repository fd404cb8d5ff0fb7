"""A site built from a house under test, and what its folder holds."""

from contextlib import nullcontext
from functools import cache
from pathlib import Path

from jinja2 import Environment

from pbm import system
from pbm.mail.writing.wording import add_filters
from pbm.render.templates import Templates
from pbm.site.building import Builder
from pbm.site.facts import Site
from tests.house import ADDRESS, HouseUnderTest

URL = "https://games.example.org/"


def builder(tested: HouseUnderTest, into: Path) -> Builder:
    """Return what builds the site of a house into a folder."""
    house = tested.house
    site = Site(house.catalogue, ADDRESS, URL, False, _environment(), house.pictures)
    return Builder(site, into, house.open_reading, tested.clock, nullcontext, public=True)


@cache
def _environment() -> Environment:
    """Return the templates, compiled once for all builds."""
    environment = Templates(system.folder("templates")).environment
    add_filters(environment)
    return environment


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a site by path, without the state of the build."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.name.startswith(".")
    }
