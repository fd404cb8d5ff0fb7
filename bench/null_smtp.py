"""The yardstick N: aiosmtpd with a handler that throws the mail away, in a process of its own.

`python -m bench.null_smtp` tells its port on the first line, and ends with its standard input.
"""

import asyncio
import sys

from aiosmtpd.smtp import SMTP, Envelope, Session


class Nowhere:
    """Takes every mail and keeps none."""

    async def handle_DATA(  # noqa: N802 - the name is aiosmtpd's
        self, _server: SMTP, _session: Session, _envelope: Envelope
    ) -> str:
        """Say that the mail is taken."""
        return "250 OK"


async def serve() -> None:
    """Listen until standard input ends."""
    loop = asyncio.get_running_loop()
    handler = Nowhere()
    server = await loop.create_server(
        lambda: SMTP(handler, hostname="null.example", loop=loop), "127.0.0.1", 0
    )
    sys.stdout.write(f"listening smtp 127.0.0.1:{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve())
