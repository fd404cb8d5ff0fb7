"""The pages by HTTP, to look at them on this machine."""

from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

from pbm.site.facts import NOT_FOUND


class SiteHandler(SimpleHTTPRequestHandler):
    """Serves files as a web server does for the site, without a line of log for each."""

    error_message_format = ""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send the site's own page for what is not found."""
        own = Path(self.directory, NOT_FOUND)
        if code == HTTPStatus.NOT_FOUND and own.exists():
            self.error_message_format = own.read_text("utf-8").replace("%", "%%")
        super().send_error(code, message, explain)

    def list_directory(self, path: object) -> None:
        """Show nobody the files of a folder."""
        del path
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own name
        """Write nothing."""
