"""Threats to private answers and to confirmations, at the sizes that the threat model asks of every change."""

from __future__ import annotations

import asyncio
import itertools
import random
import shutil

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, ChannelKey, UserId
from bot.domain.memory import MemoryType
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, GENERAL, OWNER, chat, config, dm_of
from tests.fakes.lengths import whole_or
from tests.inside.store import after_each_commit

ADMINS, ASKED = 40, whole_or(25, 4)
SPOILT = ("changed", "demoted", "expired", "pressed by another", "pressed elsewhere")


# who asks is who is answered, however many sessions are under way


async def test_a_thousand_interleaved_sessions_answer_whoever_asked(tmp_path):
    console = {"admin_ids": [str(1000 + n) for n in range(ADMINS)], "default_mode": "mention_only"}
    platforms = {"console": console}
    async with chat(tmp_path, settings=config(tmp_path / "data", platforms=platforms)) as bot:
        rooms = {str(1000 + n): ChannelId(f"console:#room{n:02}") for n in range(ADMINS)}
        for person, room in rooms.items():
            bot.platform.admins.add((UserId(person), room))
            bot.platform.readers.add((UserId(person), room))
            await bot.remembers(f"CANARY-{room[-2:]}-", room, type=MemoryType.FACT)
            await bot.arrives("nobody is meant", "100", room)
        await bot.settled()
        asks = [(person, room) for person, room in rooms.items() for _ in range(ASKED)]
        random.Random(20_261_122).shuffle(asks)
        for some in itertools.batched(asks, 50) if hasattr(itertools, "batched") else _batches(asks, 50):
            await asyncio.gather(*(_asks(bot, person, room) for person, room in some))
            await bot.settled()
        answers = [sent for sent in bot.private if "CANARY" in sent.text]
        assert len(answers) == ADMINS * ASKED
        for sent in answers:
            person = sent.to.private_to
            assert sent.to.channel == dm_of(person)
            assert f"CANARY-{rooms[person][-2:]}-" in sent.text and sent.text.count("CANARY") == 1
        assert not any("CANARY" in text for text in bot.public)


async def _asks(bot, person, room):
    """Ask in the channel, or go on in the private session, as it comes."""
    if random.Random(person).random() < 0.5:
        await bot.arrives("!cortex memory list", person, room)
    else:
        await bot.arrives(f"!cortex use {room}", person, dm_of(person))
        await bot.arrives("!cortex memory list", person, room)


def _batches(asks, size):
    return [asks[at : at + size] for at in range(0, len(asks), size)]


# a kill at any step of a press, and then the press again


class Killed:
    """Takes an image of the data directory after every commit and before every message of a press."""

    def __init__(self, bot, directory) -> None:
        self.images = []
        self._bot, self._directory = bot, directory
        after_each_commit(bot.store, self.take)
        self._send = bot.platform.send
        bot.platform.send = self._before_send

    async def _before_send(self, message):
        self.take()
        return await self._send(message)

    def take(self) -> None:
        image = self._directory / f"image-{len(self.images)}"
        shutil.copytree(self._directory / "data", image / "data")
        self.images.append(image)


async def test_a_kill_at_any_step_of_a_press_leaves_one_effect(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await _offered(bot)
        killed = Killed(bot, tmp_path)
        killed.take()
        assert await bot.press_data(data, ADMIN) == "Done."
        clock = bot.clock
    assert len(killed.images) > 3
    answers = []
    for image in killed.images:
        async with chat(image, clock=clock) as again:
            answers.append(await again.press_data(data, ADMIN))
            memory = await again.store.memories.get(row)
            assert memory.forgotten_at and memory.version == 2
            rows = await again.store.audit.newest(None, 50)
            assert sum(entry.body.action == "forget memory" for entry in rows) == 1
            assert await again.store.audit.verify() == 0 and await again.store.verify() == []
            assert await again.presses("Undo", ADMIN) == "Undone." if _hangs(again, "Undo") else True
    assert answers[0] == "Done." and answers[-1].startswith("Done at ")


def _hangs(bot, label):
    return any(button.label.startswith(label) for sent in bot.platform.sent for button in sent.buttons)


async def _offered(bot):
    row = await bot.remembers()
    await bot.hears("hello")
    name = handle(HandleKind.MEMORY, row)
    await bot.hears(f"!cortex memory forget {name}", ADMIN)
    return row, bot.button(f"Forget {name}").data


# an offer is as stale as the stalest thing in it, alone and pairwise


@pytest.mark.parametrize(
    "how",
    [*((one,) for one in SPOILT), *itertools.combinations(SPOILT, 2)],
    ids=" and ".join,
)
async def test_a_spoilt_offer_does_nothing(tmp_path, how):
    async with chat(tmp_path) as bot:
        row, data = await _offered(bot)
        if "changed" in how:
            await bot.hears(f"!cortex memory forget {handle(HandleKind.MEMORY, row)}", OWNER)
            await bot.presses("Forget", OWNER)
            await bot.presses("Undo", OWNER)
        if "demoted" in how:
            bot.platform.admins.discard((ADMIN, GENERAL))
        if "expired" in how:
            bot.clock.advance(601)
        before = await bot.store.memories.get(row)
        by = ADMIN_TOO if "pressed by another" in how else ADMIN
        answer = await bot.press_data(data, by, GENERAL if "pressed elsewhere" in how else None)
        assert answer and not answer.startswith("Done")
        assert await bot.store.memories.get(row) == before and not before.forgotten_at
        assert await bot.store.channels.load(ChannelKey("main", GENERAL)) is not None
