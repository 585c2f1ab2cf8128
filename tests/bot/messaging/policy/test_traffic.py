from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.domain.messages import AuthorKind
from bot.domain.turn import UsageRow
from bot.messaging.policy.traffic import TrafficCounters
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock


class Costs:
    """A meter that knows only what was spent."""

    def __init__(self, *usd: float) -> None:
        self.usd, self.asked = usd, []

    async def usage(self, key: Any, since: int) -> Sequence[UsageRow]:
        self.asked.append(since)
        row = {"kind": "channel", "model": "x/y", "day": "d", "requests": 1, "input": 0, "output": 0, "cached": 0}
        return [UsageRow(**row, cost_usd=usd) for usd in self.usd]


def loads(clock: FakeClock, meter: Costs | None = None) -> TrafficCounters:
    return TrafficCounters(clock, meter or Costs(), lambda _: 0)  # type: ignore[arg-type]


def test_a_minute_is_remembered_by_the_monotonic_clock():
    clock = FakeClock()
    known, said = loads(clock), v.inbound()
    for _ in range(3):
        known.note(v.KEY, said, let_in=True)
        clock.advance(10)
    clock.set(0)  # the wall clock may jump
    assert (known.of(v.KEY, said.person).user, known.of(v.KEY, said.person).channel) == (3, 3)
    clock.advance(35)
    assert known.of(v.KEY, said.person).user == 2
    clock.advance(100)
    assert known.of(v.KEY, said.person).user == 0


def test_what_was_stopped_does_not_count():
    known, said = loads(FakeClock()), v.inbound()
    known.note(v.KEY, said, let_in=False)
    assert known.of(v.KEY, said.person).user == 0


def test_bots_in_a_row_are_counted_until_a_person_speaks():
    known = loads(FakeClock())
    robot = v.inbound(author=v.author("9", "robot", AuthorKind.BOT))
    for _ in range(4):
        known.note(v.KEY, robot, let_in=True)
    assert known.of(v.KEY, robot.person).bots_in_a_row == 4
    known.note(v.KEY, v.inbound(), let_in=False)
    assert known.of(v.KEY, robot.person).bots_in_a_row == 0


def test_who_fell_silent_is_forgotten():
    clock = FakeClock()
    known = loads(clock)
    for n in range(100):
        known.note(v.KEY, v.inbound(author=v.author(str(n))), let_in=True)
    clock.advance(61)
    known.note(v.KEY, v.inbound(), let_in=True)
    assert len(known._times) == 2


async def test_the_cost_of_today_is_read_every_few_seconds_at_most():
    clock, meter = FakeClock(), Costs(0.25, 0.5)
    known = loads(clock, meter)
    for _ in range(3):
        await known.refresh_cost()
    assert known.of(v.KEY, v.inbound().person).cost_usd == 0.75
    clock.advance(6)
    await known.refresh_cost()
    assert len(meter.asked) == 2
    assert meter.asked[0] % 86_400_000 == 0
    assert START - 86_400_000 < meter.asked[0] <= START
