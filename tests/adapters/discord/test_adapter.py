"""The adapter as a whole: it speaks before it hears, begins with a store that fails, and leaves in order."""

from __future__ import annotations

import asyncio
import threading

import pytest
from pydantic import ValidationError

from adapters.discord import create
from bot.domain.messages import OutboundAddress, OutgoingMessage
from bot.errors import StoreError
from tests.adapters.discord.listening import listening
from tests.fakes.clock import FakeClock


def test_a_table_that_is_wrong_is_refused():
    with pytest.raises(ValidationError):
        create({"token": "two words"}, FakeClock())


def test_making_one_touches_nothing():
    adapter = create({"token": "MTAw.abc.def"}, FakeClock())
    assert adapter.health().state == "starting" and adapter.capabilities.idempotent_sends


async def test_it_speaks_without_a_gateway():
    async with listening(is_up=False) as here:
        to = OutboundAddress(platform="discord", channel=here.id_of(here.table))
        receipt = await here.discord.send(OutgoingMessage(nonce="n1", to=to, text="hello"))
        assert here.table.standing[-1].text == "hello" and receipt.message_id == str(here.table.standing[-1].id)
        assert here.server.gateway.connections == []


async def test_a_store_that_cannot_be_read_at_the_start():
    async with listening(is_up=False) as here:
        cursor, failures = here.ears.cursor, 2

        async def failing(adapter, stream):
            nonlocal failures
            if failures:
                failures -= 1
                assert here.discord.health().code == ("store" if failures == 0 else "")
                raise StoreError("the disk is full")
            return await cursor(adapter, stream)

        here.ears.cursor = failing
        await here.up()


async def test_it_says_goodbye_and_leaves_nothing_running():
    async with listening() as here:
        here.server.gateway.interval = 50
        await here.close()
        await here.server.until(lambda: here.server.gateway.connections[-1].closed is not None)
        assert here.server.gateway.connections[-1].closed == 1000
        await here.until(lambda: not any("keep-alive" in one.name for one in threading.enumerate()))
        others = [task for task in asyncio.all_tasks() if "discord" in task.get_name() or "shard" in task.get_name()]
        assert others == []
        here.begin_again()


async def test_two_adapters_with_different_servers_do_not_disturb_each_other():
    async with listening() as one, listening() as other:
        await one.ann.says(one.table, "here")
        await other.ann.says(other.table, "there")
        await one.hears("here")
        await other.hears("there")
