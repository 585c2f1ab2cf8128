"""A flood of messages, two hundred thousand of them: what is held in memory stays as it is, and the flood is noted."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import Outcome
from tests.faults.family import Verdict
from tests.faults.runaway.scene import a_scene

ROOMS, PEOPLE, BATCH = 20, 100, 100
WARM = 0.2
"""What share of the flood comes before memory is looked at for the first time."""
MORE = 0.10


def rss_mib() -> float:
    """What this process holds in memory now."""
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * 4096 / 2**20


async def play_flood(messages: int, directory: Path) -> Verdict:
    """Let it come as fast as it is taken."""
    chance, passed = random.Random(messages), []
    async with a_scene(directory) as scene:
        warm = 0.0
        for number in range(0, messages, BATCH):
            said = [
                scene.said(
                    f"question {number + n} {'word ' * chance.randrange(40)}",
                    f"{1000 + chance.randrange(PEOPLE)}",
                    ChannelId(f"console:#room{chance.randrange(ROOMS)}"),
                )
                for n in range(BATCH)
            ]
            await scene.bot.manager.receive(said, None)
            await scene.clock.sleep(0.1)
            if not warm and number >= messages * WARM:
                warm = rss_mib()
            scene.platform.sent.clear()
            scene.platform.tried.clear()
        end = rss_mib()
        await scene.bot.settled()
        outcomes: Counter[Outcome | None] = Counter()
        for room in range(ROOMS):
            key = ChannelKey(MAIN, ChannelId(f"console:#room{room}"))
            outcomes.update(row.outcome for row in await scene.bot.store.ledger.recent(key, 1000))
        minutes = messages / BATCH * 0.1 / 60
        turns = scene.model.asked
    # before twenty thousand it is caches that fill, which have an end of their own
    if messages >= 20_000 and end > warm * (1 + MORE):
        passed.append(f"memory grew from {warm:.0f} to {end:.0f} MiB")
    most = ROOMS * 60 * (minutes + 1)
    if turns > most:
        passed.append(f"{turns} turns in {minutes:.1f} minutes, {most:.0f} are allowed")
    if messages >= 2000 and not outcomes[Outcome.GATED]:
        passed.append(f"nobody was told to wait: {outcomes}")
    if None in outcomes:
        passed.append(f"{outcomes[None]} messages have no outcome")
    figures = {"rss_grew_percent": round(100 * (end / warm - 1), 1), "rss_mib": round(end, 1)}
    return Verdict(n=1, counts={"passed": len(passed)}, figures=figures, trouble="; ".join(passed))
