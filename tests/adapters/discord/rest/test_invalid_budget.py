"""Who is refused too often goes slowly, long before Discord shuts the bot out."""

from __future__ import annotations

import asyncio
from bisect import bisect_left

import pytest

from adapters.discord.rest.invalid_budget import InvalidRequestBudget
from tests.faults.leaping import leaping

USER = {"X-RateLimit-Scope": "user"}


@pytest.fixture
async def invalid():
    loop = asyncio.get_running_loop()
    with leaping(lambda: False):
        yield InvalidRequestBudget(loop.time)


async def passed(invalid: InvalidRequestBudget, calls: int) -> float:
    """Let so many calls take their turn; return the seconds that it took."""
    began = asyncio.get_running_loop().time()
    await asyncio.gather(*(invalid.turn() for _ in range(calls)))
    return asyncio.get_running_loop().time() - began


async def test_a_few_refusals_cost_nothing(invalid):
    for status in (401, 403, 429, 404, 500) * 100:
        invalid.note(status, USER)
    assert not invalid.is_exceeded and await passed(invalid, 50) < 5


async def test_after_many_calls_go_one_by_one_until_ten_minutes_are_over(invalid):
    for _ in range(500):
        invalid.note(429, USER)
    assert invalid.is_exceeded and 15 < await passed(invalid, 10) < 25
    await asyncio.sleep(601)
    assert not invalid.is_exceeded and await passed(invalid, 50) < 5


async def test_even_when_everything_is_refused_it_stays_below_a_tenth_of_what_is_borne(invalid):
    loop, at = asyncio.get_running_loop(), []
    until = loop.time() + 1800
    while loop.time() < until:
        await invalid.turn()
        at.append(loop.time())
        invalid.note(403, {})
        await asyncio.sleep(0.01)
    assert max(bisect_left(at, began + 600) - n for n, began in enumerate(at)) < 1000


async def test_a_limit_that_others_have_used_up_does_not_count(invalid):
    for _ in range(1000):
        invalid.note(429, {"X-RateLimit-Scope": "shared"})
    assert not invalid.is_exceeded


@pytest.mark.parametrize("seconds", ["30", "9999999", "soon", ""])
async def test_a_limit_of_everything_holds_everything(invalid, seconds):
    for _ in range(500):
        invalid.note(429, {"X-RateLimit-Global": "true", "Retry-After": seconds})
    waited = await passed(invalid, 1)
    assert {"30": 29 < waited < 35, "9999999": 59 < waited < 65}.get(seconds, waited < 5)


async def test_who_would_wait_is_told_how_long(invalid):
    assert (invalid.hold, invalid.words) == (0.0, "")
    for _ in range(500):
        invalid.note(403, {})
    assert invalid.hold == 0.0  # the first one goes at once
    waiting = asyncio.gather(*(invalid.turn() for _ in range(4)))
    await asyncio.sleep(0)
    assert 7 < invalid.hold < 9
    assert invalid.words == (
        "Discord refused 500 requests within 10 minutes, so calls go one by one, every 2 s; 3 wait"
    )
    await waiting
    await asyncio.sleep(601)
    assert (invalid.hold, invalid.words) == (0.0, "")
