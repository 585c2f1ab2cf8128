"""Buttons on Discord that somebody else presses, forges, repeats, or presses too late: nothing comes of it."""

from __future__ import annotations

import base64
import os
import random

import pytest

from bot.domain.ids import MAIN
from bot.domain.memory import MemoryReach
from bot.sentences import say
from tests.dialogs.discord import DiscordBot, a_discord_bot, labels_of
from tests.servers.discord import Interaction, Message, Person

WHY = "!cortex why isn't this responding"
AT_ONCE = 50
REFUSALS = (
    "Only the person this was made for can press it.",
    "That button isn't mine, or its offer is gone. Nothing was changed.",
    "I did not make this link for you. Nothing was done.",
)
LATE = ("Done at", "This offer has expired.", "Declined at")


@pytest.fixture
async def bot(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        await bot.app.publish("discord")
        yield bot


async def state(bot: DiscordBot) -> tuple[list[str], list[str], list[str]]:
    """Everything that a press could have changed: what was done, what is remembered, what stands in the channel."""
    reach = MemoryReach(agent=MAIN, channel=bot.key().channel, guild_id=str(bot.house.id))
    done = [row.body.action for row in await bot.store.audit.newest(None, 5000) if row.body.action != "look"]
    return done, [memory.body.content for memory in await bot.store.memories.in_reach(reach)], bot.texts()


async def presses(bot: DiscordBot, wanted: list[tuple[Person, Message, str]]) -> list[str]:
    """Let all these be pressed, fifty at a time; return what each presser was told."""
    told = []
    for at in range(0, len(wanted), AT_ONCE):
        made: list[Interaction] = []
        for who, message, data in wanted[at : at + AT_ONCE]:
            made.append(await who.presses(message, data, raw=True))
        await bot.settled()
        bot.clock.advance(61)
        for one in made:
            assert one.answer is not None and not one.has_failed
            assert all(message.is_for is one.person for message in one.shown)
            told.append("\n".join(message.text for message in one.shown))
    assert say("cortex.too-fast") not in told
    return told


async def made(bot: DiscordBot) -> tuple[Message, list[str]]:
    """Let every kind of button be made; return the message of an open offer, and the data of all of them."""
    await bot.hears(bot.james, f"{bot.at} remember as decision with importance 0.9: James asked for silence from you.")
    await bot.hears(
        bot.james, f"{bot.at} remember as decision with importance 0.9: James asked Glassmind to be silent."
    )
    await bot.hears(bot.james, f"{bot.at} are you there?")
    await bot.hears(bot.mod, f"{bot.at} {WHY}")
    await bot.hears(bot.mod, "memory forget m2krxn", bot.me)
    await bot.presses(bot.mod, "Forget m", bot.written(bot.dm(bot.mod))[-1])
    bot.mod.takes_dms = False
    await bot.hears(bot.mod, "!cortex why")
    bot.mod.takes_dms = True
    await bot.hears(bot.mod, "!cortex memory forget m7hva")
    offer = [message for message in bot.written(bot.dm(bot.mod)) if labels_of(message, "Keep it")][-1]
    every = [message for channel in (bot.dm(bot.mod), bot.kitchen) for message in bot.written(channel)]
    return offer, sorted({one["custom_id"] for message in every for one in message.buttons})


PRESSES = 1000 if os.environ.get("FAULTS") else 100


async def test_presses_that_do_not_count(bot):
    """By others, at other messages, with bits turned, made up: none of them does anything, and each is answered."""
    chance = random.Random(7)
    offer, real = await made(bot)
    assert len(real) >= 8
    before, sent = await state(bot), len(bot.written(bot.dm(bot.mod)))
    elsewhere = bot.kitchen.standing[-1] if bot.kitchen.standing[-1].author is bot.me else bot.written(bot.kitchen)[-1]
    wanted: list[tuple[Person, Message, str]] = []
    for number in range(PRESSES):
        data = chance.choice(real)
        match number % 4:
            case 0:
                wanted.append((chance.choice([bot.root, bot.james, bot.ann]), chance.choice([offer, elsewhere]), data))
            case 1:
                at_home = [one for one in real if len(one) == 32]
                wanted.append((bot.mod, elsewhere, chance.choice(at_home)))
            case 2:
                wanted.append((chance.choice([bot.mod, bot.james]), offer, mutated(data, chance)))
            case _:
                wanted.append((bot.mod, offer, base64.urlsafe_b64encode(chance.randbytes(24)).decode()))
    told = await presses(bot, wanted)
    assert {text for text in told if not text.startswith(REFUSALS)} == set()
    assert await state(bot) == before and len(bot.written(bot.dm(bot.mod))) == sent


def mutated(data: str, chance: random.Random) -> str:
    """Turn one bit of what a button carries, or one letter of what a link does."""
    if len(data) != 32:
        at = chance.randrange(len(data))
        return data[:at] + ("a" if data[at] != "a" else "b") + data[at + 1 :]
    raw = bytearray(base64.urlsafe_b64decode(data))
    raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    return base64.urlsafe_b64encode(bytes(raw)).decode()


async def test_what_was_done_or_has_expired_is_not_done_again(bot):
    offer, _ = await made(bot)
    confirm, keep = (one["custom_id"] for one in offer.buttons)
    first, second = await presses(bot, [(bot.mod, offer, confirm), (bot.mod, offer, confirm)])
    assert "Done." in first + second and "Done at" in first + second, "two presses at once do it once"
    before = await state(bot)
    assert before[0].count("forget memory") == 2
    told = await presses(bot, [(bot.mod, offer, chance) for chance in (confirm, keep) * 50])
    assert all(text.startswith("Done at") for text in told) and await state(bot) == before
    await bot.hears(bot.mod, "!cortex memory restore m7hva")
    late = [message for message in bot.written(bot.dm(bot.mod)) if labels_of(message, "Keep it")][-1]
    bot.clock.advance(601)
    told = await presses(bot, [(bot.mod, late, one["custom_id"]) for one in late.buttons] * 20)
    assert all(text.startswith("This offer has expired.") for text in told) and await state(bot) == before


async def test_what_changed_since_or_who_lost_the_right_changes_nothing(bot):
    offer, _ = await made(bot)
    confirm = offer.buttons[0]["custom_id"]
    (keepers,) = (role for role in bot.house.roles.values() if role.name == "keepers")
    before = await state(bot)
    bot.house.take(bot.mod, keepers)
    (told,) = await presses(bot, [(bot.mod, offer, confirm)])
    assert told == "You may not change that channel now. Nothing was changed." and await state(bot) == before
    bot.house.give(bot.mod, keepers)
    await bot.hears(bot.root, "!cortex memory forget m7hva")
    await bot.presses(bot.root, "Forget m", bot.written(bot.dm(bot.root))[-1])
    (told,) = await presses(bot, [(bot.mod, offer, confirm)])
    assert told.startswith("Nothing was changed:")
