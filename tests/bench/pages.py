"""Measure the web page of a bot with a thousand channels: `python -m tests.bench.pages` prints JSON.

What a server needs for a page, from the request to the last byte, with every right asked for: the overview, a channel
with 200 messages, a request of 10,000 parts. CPU beside the time, which depends on the machine's moment.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from importlib.resources import files
from pathlib import Path

from bot.app.window import site_of
from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey
from bot.domain.ledger import Outcome, Settlement
from bot.domain.messages import Message, OutboundAddress, Role, TextPart
from bot.domain.turn import NewOutbox, TurnEnd, TurnStart, TurnStatus
from bot.messaging.policy.access import HOST_PERSON
from bot.ports.page_server import PageRequest
from bot.ports.store import Store
from bot.window.site import Site
from bot.window.talk import MESSAGES_A_PAGE
from tests.bench._bot import Setup, a_bot
from tests.bench._model import prose
from tests.bench.inspect_many import CHANNELS, key, populate
from tests.bot.window.browser import of
from tests.fakes import values as v

LOOKS, PARTS = 7, 10_000
ADDRESS = "127.0.0.1:8787"


async def talk(store: Store, where: ChannelKey, many: int) -> None:
    """Let people say so much in a channel, each answered."""
    said = [
        v.arrival(f"{number}: {prose(30, number)}", f"{number}", channel=where.channel, channel_name="#room")
        for number in range(many)
    ]
    rows = [row for row in await store.ledger.arrive(said, None) if row]
    to = OutboundAddress(platform="console", channel=where.channel)
    await store.outbox.put([NewOutbox(kind="reply", to=to, text=prose(40, row), inbound=row) for row in rows], (), 2)
    await store.ledger.settle([Settlement(inbound=row, outcome=Outcome.REPLIED, at=3) for row in rows])


async def long_talk(store: Store, where: ChannelKey, parts: int) -> None:
    """Let a channel's history have so many messages."""
    agent, name = where
    row = await store.journal.begin_turn(TurnStart(agent=agent, channel=name, kind=ProcessKind.CHANNEL, at=1), ())
    said = tuple(
        Message(role=(Role.USER, Role.ASSISTANT)[n % 2], parts=(TextPart(text=f"{n} {prose(6, n)}"),), at=1)
        for n in range(parts)
    )
    end = TurnEnd(turn=row, agent=agent, channel=name, at=1, status=TurnStatus.REPLIED, messages=said)
    await store.journal.end_turn(end)


async def looked(site: Site, cookie: str, address: str) -> tuple[float, float, int]:
    """Look so often; return the median of the milliseconds and of the CPU, and the bytes."""
    path, _, query = address.partition("?")
    asked = PageRequest("GET", path, query, {"host": [ADDRESS], "cookie": [cookie]})
    times, spent, size = list[float](), list[float](), 0
    for _ in range(LOOKS):
        began, cpu = time.perf_counter(), time.process_time()
        found = await site.answer(asked)
        times.append((time.perf_counter() - began) * 1000)
        spent.append((time.process_time() - cpu) * 1000)
        assert found.status == 200, (address, found.status)
        size = len(found.body)
    return statistics.median(times), statistics.median(spent), size


async def measure(data: Path) -> dict[str, float]:
    async with a_bot(Setup(data, more="[web_page]\nenabled = true\n")) as bot:
        store = bot.app.edges.store
        await populate(store)
        for number in range(CHANNELS):
            await talk(store, key(number), 6)
        await talk(store, key(1), MESSAGES_A_PAGE)
        await long_talk(store, key(2), PARTS)
        await bot.app.edges.counter.warm(["load the table"])
        site = site_of(bot.app, bot.app.config.web_page, bot.app.cortex_wiring)
        clock, entropy = bot.app.edges.clock, bot.app.edges.entropy
        link = site.sessions.signer.link(HOST_PERSON, clock.now(), entropy)
        entered = site.sessions.enter(link.rpartition("/")[2])
        assert entered is not None
        cookie = f"{site.address.cookie}={entered[0]}"
        found: dict[str, float] = {"channels": CHANNELS}
        for name, address in (
            ("overview", "/overview"),
            (f"talk_{MESSAGES_A_PAGE}", f"/channel?of={of(key(1).channel)}"),
            (f"parts_{PARTS}", f"/context?which=next&of={of(key(2).channel)}"),
        ):
            took, cpu, size = await looked(site, cookie, address)
            found |= {f"{name}_ms": took, f"{name}_cpu_ms": cpu, f"{name}_kb": size / 1000}
        static = files("bot.window").joinpath("static")
        found["vendored_kb"] = sum(len(one.read_bytes()) for one in static.iterdir()) / 1000
        return found


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        print(json.dumps(asyncio.run(measure(Path(directory)))))


if __name__ == "__main__":
    main()
