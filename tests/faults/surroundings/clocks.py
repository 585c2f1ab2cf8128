"""The wall clock jumps while people talk: order, expiries and limits go by what has really passed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from tests.dialogs.bot import a_bot
from tests.fakes.clock import START, FakeClock
from tests.faults.failpoints.adding import adds_up
from tests.faults.failpoints.house import House
from tests.faults.failpoints.houses import SCRIPTED, Furniture, a_house
from tests.faults.failpoints.mind import CUT, FOUND, Mind
from tests.faults.failpoints.scenes import a_memory_offered, all_came_back, audited, memories
from tests.faults.family import Verdict
from tests.faults.processes import PLATFORMS
from tests.faults.story import ANSWERED

PREFIX = "clock/"
_HOUR = 3_600_000
JUMPS: dict[str, Callable[[int], int]] = {
    "minute-back": lambda now: now - 60_000,
    "hour-back": lambda now: now - _HOUR,
    "hour-ahead": lambda now: now + _HOUR,
    "1970": lambda now: _HOUR,
    "spring": lambda now: 1_774_745_999_000,  # 2026-03-29 00:59:59 UTC: clocks are put forward in Europe
    "autumn": lambda now: 1_792_889_999_000,  # 2026-10-25 00:59:59 UTC: and back
    "leap-day": lambda now: 1_835_481_599_000,  # 2028-02-28 23:59:59 UTC
    "2038": lambda now: 2_147_483_646_000,  # two seconds before 32 bits are full
    "2100": lambda now: 4_102_444_799_000,
}
EXPIRES = 600
"""Seconds for which an offer stands, as configured."""
Play = Callable[[House, Callable[[int], int]], Awaitable[None]]


def cases(jumps: Iterable[str] = tuple(JUMPS)) -> list[str]:
    """Give every jump in everything that is done, everywhere."""
    return [f"{PREFIX}{jump}/{what}/{where}" for jump in jumps for what in PLAYS for where in PLATFORMS]


def jumps(house: House, jump: Callable[[int], int]) -> None:
    """Set the wall clock; what passes is not affected."""
    clock = house.bot.clock
    clock.skew = jump(clock.at) - clock.at


async def talk(house: House, jump: Callable[[int], int]) -> None:
    """People talk on, a process dies, and all is answered in the order in which it was asked."""
    await house.asks("ann")
    await house.rests()
    jumps(house, jump)
    await house.asks("james")
    await house.asks("ann")
    await house.asks("james")
    await house.rests()
    house.bot.clock.skew = 0
    await house.asks("ann", "remember for")
    await house.rests()
    await house.says("root", "!cortex why", owes="rules only, no model used")
    await _is_in_order(house)


async def death(house: House, jump: Callable[[int], int]) -> None:
    """Another process begins at another time than the one that died, and goes on with what was left."""
    await house.asks("ann")
    await house.rests()
    await house.asks("james")
    await house.asks("ann")
    house.falls()
    jumps(house, jump)
    await house.rises()
    await house.asks("ann")
    await house.rests()
    await house.bot.app.maintenance.beat()
    await _is_in_order(house)


async def work(house: House, jump: Callable[[int], int]) -> None:
    """A worker is out while the clock jumps."""
    house.expects("the number", FOUND, CUT)
    await house.asks("ann", "let somebody work for")
    jumps(house, jump)
    await house.rests()
    found = await house.bot.store.processes.of_channel(house.key("ann", "kitchen"), 9)
    assert found and all(one.is_over for one in found)


async def offer(house: House, jump: Callable[[int], int]) -> None:
    """An offer of ten minutes is void after ten minutes, whatever the clock on the wall says."""
    await a_memory_offered(house)
    jumps(house, jump)
    house.bot.clock.advance(EXPIRES + 1)
    await house.presses("root", "Forget m")
    (memory,) = await memories(house, "takes her tea")
    assert not memory.forgotten_at and await audited(house, "forget memory") == 0, "an offer of long ago was taken up"


async def late(house: House, jump: Callable[[int], int]) -> None:
    """The same, when the clock comes back to where it was."""
    await a_memory_offered(house)
    jumps(house, jump)
    house.bot.clock.advance(EXPIRES + 1)
    house.bot.clock.skew = -EXPIRES * 1000
    await house.presses("root", "Forget m")
    (memory,) = await memories(house, "takes her tea")
    assert not memory.forgotten_at, "an offer of long ago was taken up"


async def pressed(house: House, jump: Callable[[int], int]) -> None:
    """What is pressed at once is done once; a clock that has gone ahead may make it void."""
    await a_memory_offered(house)
    before = house.bot.clock.now()
    jumps(house, jump)
    went_back = house.bot.clock.now() <= before
    for _ in range(2):
        await house.presses("root", "Forget m")
    (memory,) = await memories(house, "takes her tea")
    done = await audited(house, "forget memory")
    assert done == int(bool(memory.forgotten_at)) and (done or not went_back), f"done {done} times"


PLAYS: dict[str, Play] = {"talk": talk, "death": death, "work": work, "offer": offer, "late": late, "pressed": pressed}


async def play(key: str, directory: Path) -> Verdict:
    """Play one case."""
    jump, what, platform = key.removeprefix(PREFIX).split("/")
    if what == "limit":
        return await _limit(JUMPS[jump], directory)
    furniture = Furniture(Mind(), SCRIPTED.format(model=""))
    async with a_house(platform, directory, furniture, None) as house:
        house.points.armed = what not in {"offer", "late", "pressed"}
        try:
            await PLAYS[what](house, JUMPS[jump])
        except AssertionError as error:
            raise AssertionError(f"{error}\n{house}") from error
        await adds_up(house)
        if what == "work":
            await all_came_back(house)
    return Verdict()


async def _limit(jump: Callable[[int], int], directory: Path) -> Verdict:
    """Three questions to the cortex a minute are three a minute."""
    async with a_bot(directory / "data", more="[cortex]\nper_minute = 3\n") as bot:
        assert isinstance(bot.clock, FakeClock) and bot.clock.now() == START

        async def answered() -> bool:
            before = len(bot.private())
            await bot.console.type("[#general] root> !cortex why", bot.app.manager)
            await bot.app.settled()
            return any("rules only" in line for line in bot.private()[before:])

        assert [await answered() for _ in range(3)] == [True] * 3
        bot.clock.set(jump(bot.clock.now()))
        assert not await answered(), "a jump of the clock lifted a limit"
        bot.clock.advance(61)
        assert await answered(), "a jump of the clock keeps somebody out"
    return Verdict()


async def _is_in_order(house: House) -> None:
    asked = [one.name for one in house.owed if one.is_question]
    said = [match[1] for where, text in house.told() if (match := ANSWERED.fullmatch(text))]
    assert said == sorted(said, key=asked.index), f"out of order: {said}"
    heard = await house.messages(house.key("ann", "kitchen"))
    state = await house.bot.store.channels.load(house.key("ann", "kitchen"))
    rows, known = [row.id for row in heard], [message.inbound for message in state.history if message.inbound]
    assert known == [row for row in rows if row in known], f"the history is out of order: {known}"


def limits() -> list[str]:
    """Give a case of the limit for every jump."""
    return [f"{PREFIX}{jump}/limit/console" for jump in JUMPS]
