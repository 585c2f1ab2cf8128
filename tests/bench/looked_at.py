"""Measure what people who look at the web page cost the bot: `python -m tests.bench.looked_at [--pairs 4]`

200 private chats on Telegram at once, as in `tests.bench.costs`: a bot at whose pages ten people look, each told of
news and reading them, and one without a page, side by side. CPU of an answer, of the whole process; a pair's ratio does
not depend on the machine's moment as much as either figure does.
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import tempfile
import threading
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from adapters.system import SystemClock, SystemEntropy
from bot.cortex.sessions.page_links import LinkSigner
from bot.messaging.policy.access import HOST_PERSON
from tests.bench._loopback import Remote
from tests.bench.floor import come_to_rest
from tests.bench.metered import answers, measured, without
from tests.bench.telegram import a_bot
from tests.peers.processes import free_port

LOOKERS = 10


class Looker:
    """Somebody with the overview open: it is read whenever there is something new."""

    def __init__(self, signer: LinkSigner, port: int) -> None:
        self.port, self.read, self.over = port, 0, False
        token = signer.link(HOST_PERSON, SystemClock().now(), SystemEntropy()).rpartition("/")[2]
        form = {"Origin": signer.address, "Content-Type": "application/x-www-form-urlencoded"}
        entered = self._ask("POST", "/enter", urllib.parse.urlencode({"token": token}), form)
        assert entered.status == 303, entered.status
        self.cookie = {"Cookie": (entered.headers["Set-Cookie"] or "").partition(";")[0]}
        self.looks = threading.Event()
        self.thread = threading.Thread(target=self._look)
        self.thread.start()

    def _ask(
        self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None
    ) -> http.client.HTTPResponse:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.connection.request(method, path, body or None, dict(headers))
        return self.connection.getresponse()

    def _look(self) -> None:
        with suppress(OSError, http.client.HTTPException, AttributeError, ValueError):
            self._ask("GET", "/overview", headers=self.cookie).read()
            stream = self._ask("GET", "/live", headers=self.cookie)
            self.looks.set()
            while not self.over and (line := stream.readline()):
                if line.startswith(b"event: changed"):
                    other = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
                    other.request("GET", "/overview", headers=self.cookie)
                    self.read += other.getresponse().status == 200
                    other.close()

    def goes(self) -> None:
        self.over = True
        with suppress(OSError):
            self.connection.close()


@contextmanager
def looked_at(home: Path, port: int) -> Iterator[list[Looker]]:
    """Let ten people look."""
    signer = LinkSigner((home / "data" / "secret.key").read_bytes(), f"http://127.0.0.1:{port}")
    people = [Looker(signer, port) for _ in range(LOOKERS)]
    try:
        # what is measured is looking, not coming
        for one in people:
            assert one.looks.wait(60)
        yield people
    finally:
        for one in people:
            one.goes()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.looked_at")
    parser.add_argument("--pairs", type=int, default=4)
    pairs, read = parser.parse_args().pairs, list[int]()

    def with_lookers(loopback: Remote, ready: threading.Barrier) -> dict[str, float]:
        port = free_port()
        with tempfile.TemporaryDirectory() as directory:
            home, more = Path(directory), f"[web_page]\nenabled = true\nport = {port}\n"
            with a_bot(loopback, full=True, home=home, more=more) as bot:
                answers(loopback, bot.pid, 1)
                come_to_rest(bot.pid)
                with looked_at(home, port) as people:
                    ready.wait()
                    figures = answers(loopback, bot.pid)
                    read.append(sum(one.read for one in people))
                    return figures

    figures = measured(with_lookers, without, pairs)
    print(json.dumps({"pages_read": statistics.median(read), **{name: round(one, 3) for name, one in figures.items()}}))


if __name__ == "__main__":
    main()
