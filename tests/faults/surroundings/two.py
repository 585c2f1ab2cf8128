"""Two bots: on one data directory the second is refused; with one token both back off, and stay up."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from pathlib import Path
from typing import Any

from tests.faults.family import Verdict, seed_of
from tests.faults.processes import a_house
from tests.faults.processes.lives import Life, Start, the_nursery

DATA, TOKEN = "two/", "token/"
SECONDS = 3
"""How many second processes a case starts, one after the other."""
REFUSED = "is in use by"
PATIENCE = 20.0


async def play_data(key: str, directory: Path) -> Verdict:
    """One directory: whoever comes second is refused with a word, and the first does not notice."""
    platform, seed = key.removeprefix(DATA).split("/")
    chance = random.Random(seed_of(seed))
    async with a_house(platform, directory) as house:
        await house.start()
        await house.settled()
        for number in range(SECONDS):
            await house.ask(f"q{number}", number % 2, chance.choice(("ann", "james")))
            await asyncio.sleep(chance.uniform(0, 0.15))
            await _is_refused(house, await house.bear())
            assert house.is_alive, f"the first has ended\n{house.told()}"
        await house.settled()
        await house.kill()
        house.life = await _one_of_two(house)
        await house.ask("q9")
        await house.settled()
        assert await house.stop() == 0, house.told()
        counts = await house.adds_up()
        return Verdict(n=SECONDS + 1, counts=counts)


async def _is_refused(house: Any, second: Life) -> None:
    async with asyncio.timeout(PATIENCE):
        await second.ended.wait()
    house.read()
    assert second.status not in {None, 0}, f"the second ended with {second.status}\n{house.told()}"
    assert (second.status or 0) > 0, f"the second was ended by signal {second.status}\n{house.told()}"
    said = [str(event) for event in house.log if REFUSED in str(event)]
    assert said, f"the second said nothing\n{house.told()}"
    assert not any("Traceback" in str(event) for event in house.log), house.told()
    house.log[:] = [event for event in house.log if REFUSED not in str(event)]


async def _one_of_two(house: Any) -> Life:
    """Start two at once: one of them lives, the other is refused."""
    begun = house.begun
    both = [await house.bear(), await house.bear()]
    ends = [asyncio.create_task(one.ended.wait()) for one in both]  # noqa: TID251 - ends with the test
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    for end in ends:
        end.cancel()
    first = next(one for one in both if one.status is None)
    await _is_refused(house, next(one for one in both if one is not first))
    house.life = first
    await house.until(lambda: house.begun > begun, "it did not start")
    assert first.status is None
    return first


async def play_token(key: str, directory: Path) -> Verdict:
    """One token in two directories: Telegram refuses one of two polls; neither process ends, and one goes on alone."""
    chance = random.Random(seed_of(key))
    async with a_house("telegram", directory) as house:
        await house.start()
        await house.settled()
        await house.ask("q0")
        await house.settled()
        other = await _another(house)
        await house.until(lambda: _conflicts(house) > 0, "nobody noticed")
        await asyncio.sleep(chance.uniform(0, 2))
        assert house.is_alive and other.status is None, f"a conflict ended a process\n{house.told()}"
        other.signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            await other.ended.wait()
        assert other.status == 0, f"status {other.status}\n{house.told()}"
        await house.ask("q1", 1, "james")
        await house.look()
        await house.settled()
        assert await house.stop() == 0
        counts = await house.adds_up()
        return Verdict(counts={**counts, "conflicts": _conflicts(house)})


async def _another(house: Any) -> Life:
    """Start a bot with the same token on a directory of its own."""
    home = house.directory / "other"
    home.mkdir(mode=0o700)
    config = home / "config.toml"
    text = (house.directory / "config.toml").read_text("utf-8")
    config.write_text(text.replace(str(house.data), str(home / "data")), "utf-8")
    files = house.files()
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), "GLASSMIND_TOKEN": house.token}
    order = Start(("run", "--config", str(config)), home, environment, files)
    try:
        return await the_nursery().bear(order)
    finally:
        for file in files:
            os.close(file)


def _conflicts(house: Any) -> int:
    return sum(event.get("code") == "conflict" for event in house.log)
