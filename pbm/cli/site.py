"""`pbm site`: write the web pages of matches, players and games, and look at them."""

import time
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from pbm import system
from pbm.cli.log import log_to_stderr
from pbm.cli.options import setting, with_app
from pbm.cli.printing import Noun, echo
from pbm.config import ConfigError
from pbm.engine import counted

if TYPE_CHECKING:
    from pbm.server.assembly import App
    from pbm.site.building import Builder


@click.group(cls=Noun)
def site() -> None:
    """Write and look at the web pages of matches, players and games."""


_into = click.argument("folder", default=None, required=False, type=click.Path(path_type=Path))

_folder = setting("--site", "usual", default="var/site", help="The folder of the pages.")

_every = setting("--every", default=0, type=click.IntRange(min=0), metavar="SECONDS",
                 help="Keep running and build again every so many seconds; 0: once.")  # fmt: skip


@site.command()
@_into
@_folder
@_every
@setting("--all", "everything", is_flag=True, help="Write all pages again.")
@with_app
def build(app: "App", folder: Path | None, usual: str, every: int, *, everything: bool) -> None:
    """Write the pages that have changed to FOLDER.

    Any web server can serve the folder: see docs/operations.md.
    """
    log_to_stderr("INFO", "text")
    _build(app, folder or Path(usual), every, everything=everything)


def _builder(app: "App", into: Path) -> "Builder":
    from pbm.mail.writing.wording import add_filters
    from pbm.render.templates import Templates
    from pbm.site.building import Builder
    from pbm.site.facts import Site

    settings = app.settings
    environment = Templates(system.folder("templates")).environment
    add_filters(environment)
    pages = Site(
        app.catalogue, settings.address, settings.site_url or "", settings.site_index,
        environment, app.pictures, settings.site_name, settings.site_about,
    )  # fmt: skip
    return Builder(pages, into, app.open_reading, app.clock, app.time_limit, settings.public)


_HERE = "http://127.0.0.1:8080/"
"""Where the pages are unless the operator says where."""


_WITHOUT_URL = (
    "No site-url is set, so there are no feeds, no sitemap and no pictures for previews of links."
)


def _build(app: "App", folder: Path, every: int, *, everything: bool = False) -> None:
    """Build into `folder`, once or for ever."""
    builder = _builder(app, folder)
    system.collect_seldom()
    while True:
        began = time.monotonic()
        built = builder.build(everything=everything)
        if built.made or built.removed or not every:
            echo(
                f"{counted(built.written, 'file')} written, {built.removed} removed; "
                f"{built.made} of {built.pages} pages made in {time.monotonic() - began:.1f} s"
            )
        if not every:
            if not builder.site.url:
                echo(_WITHOUT_URL)
            return
        everything = False
        time.sleep(every)  # a page may be a minute old, so nothing need announce changes


@site.command()
@_into
@_folder
@_every
@setting("--port", default=None, type=click.IntRange(0, 65535),
         help="The port on 127.0.0.1.  [default: that of the site-url, or 8080]")  # fmt: skip
@with_app
def serve(app: "App", folder: Path | None, usual: str, every: int, port: int | None) -> None:
    """Serve FOLDER on 127.0.0.1, to look at it; with --every, build it too."""
    log_to_stderr("INFO", "text")
    into = folder or Path(usual)
    if port is None:
        port = urlsplit(app.settings.site_url or _HERE).port or 8080
    from http.server import ThreadingHTTPServer

    from pbm.site.serving import SiteHandler

    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(SiteHandler, directory=str(into)))
    except OSError as error:
        raise ConfigError(f"Port {port} cannot be used: {error.strerror}.") from error
    with server:
        echo(f"The web pages: http://127.0.0.1:{server.server_port}/")
        if not every:
            server.serve_forever()
        Thread(target=server.serve_forever, daemon=True).start()
        _build(app, into, every)
