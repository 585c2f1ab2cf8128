"""A model server in a process of its own, so that its work is not counted: `python -m tests.bench._model WORDS`."""

from __future__ import annotations

import asyncio
import subprocess  # noqa: TID251 - a server in this process would be measured along with the bot
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.servers.model import Says, model_server

WORDS = "the quick brown fox jumps over a lazy dog while gray pigeons watch from the wet roof".split()  # noqa: SIM905


def prose(words: int, seed: int) -> str:
    """Return words that differ from seed to seed."""
    return " ".join(WORDS[(seed * 7 + n * (3 + seed % 5)) % len(WORDS)] for n in range(words)) + f" {seed}."


@contextmanager
def a_model(words: int) -> Iterator[str]:
    """Run a model that answers with so many words; yield its URL."""
    command = [sys.executable, "-m", "tests.bench._model", str(words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


async def _serve(words: int) -> None:
    async with model_server() as server:
        server.answer = lambda _: Says(prose(words, len(server.received)))
        print(server.base_url, flush=True)
        while True:
            await asyncio.sleep(60)
            server.received.clear()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
