"""In a storm of refusals and losses every message arrives once and in order, by the outbox's own rules."""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.config.schema import LimitsConfig
from bot.errors import DeliveryError
from bot.messaging.delivery.retry_policy import Retry, RouteStatus, SendAttempts, decide
from tests.adapters.discord.conversation import message, speaking
from tests.servers.discord import CLOUDFLARE, Answers, BadGateway, Drops, Flood, Refuses

PLAN = (
    (0.30, lambda: Flood(0.005)),
    (0.05, lambda: Flood(0.005, is_global=True)),
    (0.02, lambda: CLOUDFLARE),
    (0.03, lambda: Drops(applied=True)),
    (0.03, lambda: Drops(applied=False)),
    (0.02, lambda: BadGateway(503, applied=True)),
    (0.02, lambda: Refuses(503, 0, "?")),
    (0.02, lambda: Answers(b"nonsense", applied=True)),
)
CHANNELS, EACH = 8, 30


def brew(on, chance: random.Random) -> None:
    """Plan what goes wrong, call by call."""
    for nth in range(1, CHANNELS * EACH * 3):
        dice = chance.random()
        for share, fault in PLAN:
            if dice < share:
                on.server.fault("create_message", fault(), nth=nth)
                break
            dice -= share


async def delivered(on, channel, n: int):
    """Send as the outbox does: again and again, as its rules say."""
    tries, began, nonce = SendAttempts(), on.clock.now(), f"{channel.name}-{n}"
    while True:
        since = began if tries != SendAttempts() else 0
        try:
            return await on.bot.send(message(channel, f"{channel.name} says {n}", nonce=nonce, since=since))
        except DeliveryError as error:
            fate = decide(error, tries, LimitsConfig(send_attempts=20), RouteStatus(idempotent=True))
            assert isinstance(fate, Retry), f"given up: {error.code}"
            tries = fate.tries


async def talk(on, channel):
    return [await delivered(on, channel, n) for n in range(EACH)]


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_message_arrives_once_and_in_order(seed):
    async with speaking() as on:
        channels = [on.guild.channel(f"c{n}") for n in range(CHANNELS)]
        brew(on, random.Random(seed))
        async with asyncio.TaskGroup() as group:
            told = [group.create_task(talk(on, channel)) for channel in channels]
        for channel, receipts in zip(channels, (task.result() for task in told), strict=True):
            assert channel.transcript() == "\n".join(f"glassmind< {channel.name} says {n}" for n in range(EACH))
            assert [receipt.message_id for receipt in receipts] == [str(one.id) for one in channel.standing]
        assert len(on.server.limited) > CHANNELS * EACH * 0.2
