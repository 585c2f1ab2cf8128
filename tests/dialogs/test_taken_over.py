"""A process stands still in the middle of an answer, another one goes on, and people read one answer."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.ledger import Outcome
from bot.errors import LeaseLost, StoreError
from tests.dialogs import stores
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, says


@pytest.fixture(autouse=True)
def on_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "ON_SERVER", True)
    # one of two that each do all of it; among several: test_several_processes.py
    monkeypatch.setattr(stores, "SEVERAL", False)


async def test_who_wakes_up_too_late_says_nothing_and_stores_nothing(tmp_path):
    thinks, wakes = asyncio.Event(), asyncio.Event()

    async def stands_still(request: object) -> object:
        thinks.set()
        await wakes.wait()
        return says("said by the one that slept")

    model = ScriptedProvider(stands_still, says("said by the one that went on"))
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        bot.say(bot.ann, f"{AT} what is the time?")
        await thinks.wait()
        sleeper, adapter = bot.app, bot.adapter
        await bot._deaf()
        bot.data = stores.another_machine(bot.data)
        await bot.open()
        await bot.settled()
        assert bot.texts() == ["said by the one that went on"]
        wakes.set()
        await sleeper.settled()
        assert isinstance(sleeper.fatal.error, LeaseLost)
        await bot.hears(bot.ann, f"{AT} and now?")
        assert bot.texts() == ["said by the one that went on"] * 2
        # of what it did after it was overtaken there is nothing on record, and it can leave no word either
        assert [one.outcome for one in await bot.store.ledger.recent(bot.key(), 9)] == [Outcome.REPLIED] * 2
        assert await bot.store.verify() == [] and not bot.private(bot.root)
        with pytest.raises(LeaseLost):
            await sleeper.close("it is over")
        with pytest.raises(StoreError):
            await sleeper.edges.store.beat(await bot.store.heartbeat())
        await adapter.close()
        await sleeper.edges.store.close()
