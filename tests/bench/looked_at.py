"""Measure what people who look at the page cost the bot: `python -m tests.bench.looked_at [--pairs 4] [--people 200]`

200 private chats on Telegram at once, as in `tests.bench.costs`: a bot at whose pages ten people look, each told of
news and reading them as the page's own script does (`bot/window/static/keys.js`), and one without a page, side by side.
CPU of an answer, of the whole process; a pair's ratio does not depend on the machine's moment as much as either figure
does.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import statistics
import tempfile
import threading
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from adapters.system import SystemClock, SystemEntropy
from bot.cortex.sessions.page_links import LinkSigner
from bot.messaging.policy.access import HOST_PERSON
from tests.bench._loopback import Remote
from tests.bench.floor import come_to_rest
from tests.bench.metered import answers, how_many, measured, without
from tests.bench.telegram import a_bot
from tests.peers.processes import free_port

LOOKERS = 10
_LIVE, _VERSION = re.compile(r'data-live="([^"]+)"'), re.compile(r'data-(?:version|same)="([^"]+)"')


class Looker:
    """Somebody with the overview open: it is read whenever there is something new."""

    def __init__(self, signer: LinkSigner, port: int) -> None:
        self.port, self.read, self.over = port, 0, False
        # a browser keeps its connections: one for what it is told, one for what it asks
        self.other = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
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
            page = self._ask("GET", "/overview", headers=self.cookie).read().decode()
            stream = self._ask("GET", _LIVE.findall(page)[0], headers=self.cookie)
            self.looks.set()
            while not self.over and (line := stream.readline()):
                if line.startswith(b"event: changed"):
                    page = self._reads(_VERSION.findall(page))

    def _reads(self, have: Sequence[str]) -> str:
        """Ask for what has changed since."""
        address = f"/overview?have={'.'.join(have)}"
        try:
            self.other.request("GET", address, headers=self.cookie)
            answer = self.other.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError):
            # it was not used for so long that the server let it go
            self.other.close()
            self.other.request("GET", address, headers=self.cookie)
            answer = self.other.getresponse()
        page = answer.read().decode()
        self.read += answer.status == 200
        return page

    def goes(self) -> None:
        self.over = True
        for one in (self.connection, self.other):
            with suppress(OSError):
                one.close()


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
    parser.add_argument("--people", type=int, default=how_many.people, help="fewer where the machine has other work")
    pairs, read = parser.parse_args(namespace=how_many).pairs, list[int]()

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
