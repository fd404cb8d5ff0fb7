"""A headless Chromium that takes pictures of pages, spoken to over a pipe (DevTools Protocol).

It is driven this way, and not by `--screenshot`, because a window is never narrower than 500 px
and because one browser for all pictures takes a tenth of the time.
"""

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

_NAMES = ("chromium", "chromium-browser", "google-chrome")


def program() -> str | None:
    """Return the path of a Chromium of this machine, or None."""
    return next((path for path in map(shutil.which, _NAMES) if path), None)


class Chromium:
    """One running browser with one page; a context manager that ends it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._number = 0
        self._session = ""

    def __enter__(self) -> Self:
        self._profile = TemporaryDirectory(ignore_cleanup_errors=True)
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()
        # The browser reads from descriptor 3 and writes to 4. Only bash knows numbers above 9.
        command = f'exec "$0" "$@" 3<&{read_there} 4>&{write_there}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, self._path, "--headless", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self._profile.name}"],
            pass_fds=(read_there, write_there), stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(read_there)
        os.close(write_there)
        self._out, self._in = os.fdopen(write_here, "wb"), os.fdopen(read_here, "rb")
        self._buffer = b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self.call("Page.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(10)
        self._out.close()
        self._in.close()
        self._profile.cleanup()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the browser's answer to one call; raise RuntimeError if it is an error."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        self._out.flush()
        while (answer := self._next()).get("id") != self._number:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return dict(answer["result"])

    def look(self, width: int, scheme: str, scale: int = 1) -> None:
        """Make the screen `width` px wide, and "light" or "dark"; a px is `scale` dots."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=640, deviceScaleFactor=scale, mobile=width < 500,
        )  # fmt: skip
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def open(self, page: Path) -> None:
        """Show a page, and wait until it is there."""
        self.call("Page.navigate", url=page.resolve().as_uri())
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def ask(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        return answer["result"].get("value")

    def picture(self) -> bytes:
        """Return the whole page as a PNG, as long as it is."""
        width, height = self.ask("[innerWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        answer = self.call(
            "Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True
        )
        return base64.b64decode(answer["data"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            data = os.read(self._in.fileno(), 1 << 20)
            if not data:
                raise RuntimeError(f"{self._path} ended")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))
