"""A question that proves a model is kept before it is posted; a store that fails keeps nobody from asking."""

from __future__ import annotations

import pytest

from bot.agent.turn.model_client import ModelClient
from bot.config import ModelConfig
from bot.context.probe_request import probe_request
from bot.cortex.doctor.probe_journal import ProbeJournal
from bot.domain.llm import WireRequest
from bot.domain.snapshot import ModelLimits
from bot.errors import StoreError
from tests.dialogs.bot import a_bot
from tests.fakes.values import MODEL


class Broken:
    """A journal whose disk is full."""

    async def begin_turn(self, start: object, stages: object) -> int:
        raise StoreError("the disk is full")


async def test_a_question_that_cannot_be_kept_is_asked_all_the_same(tmp_path):
    async with a_bot(tmp_path / "data") as bot:
        models = ModelClient({}, ModelConfig(name=str(MODEL)), bot.clock)
        snapshot = probe_request(ModelLimits(model=MODEL, window=8_000, max_output=100))
        wire = WireRequest(provider="x", model="y", path="/", body=b"{}", sha256="0" * 64)
        assert await ProbeJournal(Broken(), models, bot.clock).begin(snapshot, wire) is None


@pytest.mark.parametrize("lines", [1, 2])
async def test_no_channel_is_known_by_it(tmp_path, lines):
    async with a_bot(tmp_path / "data") as bot:
        before = await bot.store.channels.known()
        for _ in range(lines):
            await bot.says("root", "!cortex doctor", "dm")
        known = {key.channel for key in await bot.store.channels.known()} - {key.channel for key in before}
        assert "" not in known
        await bot.restart()
        assert not await bot.store.journal.running_turns()
