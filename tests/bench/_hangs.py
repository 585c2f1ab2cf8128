"""A model that takes requests and never answers, in a process of its own: `python -m tests.bench._hangs MANY`.

It says where it is, and then, when so many requests have come in whole, that they have.
"""

from __future__ import annotations

import asyncio
import subprocess  # noqa: TID251 - a server in this process would be measured along with the bot
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def a_deaf_model(many: int) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run one; yield its URL, and the process whose next line says that so many requests have come."""
    command = [sys.executable, "-m", "tests.bench._hangs", str(many)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process
        finally:
            process.terminate()


async def _serve(many: int) -> None:
    count = 0

    async def takes(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        nonlocal count
        head = await reader.readuntil(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        await reader.readexactly(int(lengths[0].partition(b":")[2]))
        count += 1
        if count == many:
            print("all here", flush=True)
        await asyncio.Event().wait()

    server = await asyncio.start_server(takes, "127.0.0.1", 0, backlog=2000)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
