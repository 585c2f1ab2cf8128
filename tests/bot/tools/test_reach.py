"""Threat b7: a thousand questions of each guild, and no tool hands out what another guild said or keeps."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.domain.access import Authority, Caller
from bot.domain.channel import ProcessKind
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.memory import MemoryScope, MemoryType
from bot.domain.messages import ChannelPlace
from bot.ports.embeddings import BY_WORDS_ALONE
from bot.tools.channel_recall import ChannelRecallArgs, channel_recall
from bot.tools.memory_recall import RecallArgs, memory_recall
from tests.bot.cortex.chat import chat, config
from tests.bot.tools.kit import context

GUILDS, QUERIES = 5, 1_000
WORDS = ["CANARY", "tea", "*", '"', "'", "OR", "NEAR(", "guild", "remember", "😀", "--", "content:CANARY", ""]
MODES = ["hybrid", "recent", "important", "typed"]


def room(guild: int) -> ChannelId:
    return ChannelId(f"console:g{guild}:general")


def canary(guild: int, what: str) -> str:
    return f"CANARYg{guild}{what}"


async def fill(bot) -> None:
    for guild in range(GUILDS):
        for scope, whose in (
            (MemoryScope.CHANNEL, room(guild)),
            (MemoryScope.GUILD, str(guild)),
            (MemoryScope.USER, str(900 + guild)),
        ):
            words = f"{canary(guild, scope.value)} tea to remember"
            await bot.remembers(words, room(guild), scope=scope, scope_id=whose, type=MemoryType.FACT)
        words = f"{canary(guild, 'said')} tea"
        await bot.arrives(words, str(900 + guild), room(guild), place=ChannelPlace(guild_id=str(guild)))
    await bot.settled()


@pytest.mark.parametrize("kind", [ProcessKind.CHANNEL, ProcessKind.INSPECTION])
async def test_no_question_leaves_its_guild(tmp_path, kind):
    platforms = {"console": {"default_mode": "mention_only"}}
    async with chat(tmp_path, settings=config(tmp_path / "data", platforms=platforms)) as bot:
        await fill(bot)
        chance, own = random.Random(7), 0
        base = await context(kind, Authority.ADMIN)
        for number in range(QUERIES):
            guild = number % GUILDS
            where = base.origin._replace(key=ChannelKey(MAIN, room(guild)), guild_id=str(guild))
            caller = Caller(PersonKey("console", UserId(str(900 + guild))), "someone", Authority.ADMIN)
            ctx = replace(base, origin=where, caller=caller)
            query = f"{chance.choice(WORDS)} {chance.choice([canary(n, 'said') for n in range(GUILDS)] + WORDS)}"
            mode = chance.choice(MODES)
            args = RecallArgs(query=query, mode=mode, type="fact" if mode == "typed" else None, limit=25)
            told = await memory_recall.run(args, ctx, bot.store.memories, BY_WORDS_ALONE, bot.clock)
            told += await channel_recall.run(ChannelRecallArgs(query=query), ctx, bot.store.history)
            foreign = [n for n in range(GUILDS) if n != guild and f"CANARYg{n}" in told.replace(query, "")]
            assert foreign == [], (query, mode)
            own += f"CANARYg{guild}" in told
        assert own > QUERIES / 4
