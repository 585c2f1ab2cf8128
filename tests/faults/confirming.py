"""A bot with admins, offers and buttons, and everything that a press could have changed."""

from __future__ import annotations

import asyncio
import base64
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from structlog.testing import capture_logs

from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.targets.target_resolver import TargetChannel
from bot.diagnostics.collect.collector import EvidenceQuery
from bot.domain.finding import StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.memory import MemoryReach
from bot.domain.messages import Button, ButtonPress
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, ANN, GENERAL, OWNER, STRANGER, Chat, chat, config, dm_of
from tests.fakes.provider import says

OTHERS = (ADMIN_TOO, OWNER, ANN, STRANGER)
KEY = ChannelKey(MAIN, GENERAL)
REACH = MemoryReach(agent=MAIN, channel=GENERAL, guild_id="1")
VERBS = (*(verb for verb in ButtonVerb for _ in range(4)), *range(256))
"""What a forged button may ask for: everything that there is, often, and everything else that a byte can say."""
WANTED = {ButtonVerb.CONFIRM, ButtonVerb.KEEP, ButtonVerb.SPREAD, ButtonVerb.TURN_PAGE, ButtonVerb.PREVIEW_FIX}
BROKE = ("Something went wrong", "My store cannot be used")


def person_of(user: str) -> PersonKey:
    return PersonKey("console", UserId(user))


@dataclass
class Stand:
    """A bot in which an admin has a session about a channel."""

    bot: Chat
    session: StoredSession
    target: TargetChannel
    told: list[str] = field(default_factory=list)

    async def offer(self, what: str = "they like tea") -> tuple[int, list[Button]]:
        """Offer the admin to forget a memory; return its row and the buttons."""
        row = await self.bot.remembers(what)
        memory = await self.bot.store.memories.get(row)
        assert memory is not None
        offering = self.bot.cortex.presses.offering
        return row, list((await offering.forget(self.session, self.target, memory)).buttons)

    async def press(self, data: str, by: str = ADMIN, where: ChannelId | None = None) -> str:
        """Press through the front door; whatever it is, it is answered, and nothing breaks."""
        press = ButtonPress(person=person_of(by), name=f"user{by}", channel=where or dm_of(by), data=data)
        answer = await self.bot.manager.pressed(press)
        assert answer == "" or not answer.startswith(BROKE), answer
        return answer

    async def forgotten(self, row: int) -> bool:
        return bool((await self.bot.store.memories.get(row)).forgotten_at)  # type: ignore[union-attr]

    async def effects(self) -> tuple[object, ...]:
        """Everything that a press could have changed: what was done, is remembered, stands in channels, holds there."""
        bot = self.bot
        done = [row.body.action for row in await bot.store.audit.newest(None, 100_000) if row.body.action != "look"]
        memories = [(one.id, one.version, one.forgotten_at) for one in await bot.store.memories.in_reach(REACH)]
        channel = await bot.store.channels.load(KEY)
        work = await bot.store.processes.of_channel(KEY, 1000)
        return done, memories, list(bot.public), channel.settings if channel else None, len(work)


@asynccontextmanager
async def a_stand(directory: Path) -> AsyncIterator[Stand]:
    """Open one; whatever is logged as an error fails the case."""
    settings = config(directory / "data", cortex={"per_minute": 10_000_000})
    with capture_logs() as logs:
        async with chat(directory, says("yes"), settings=settings) as bot:
            await bot.hears("hello")
            caller = bot.access.caller(person_of(ADMIN), "admin")
            target = await bot.cortex.targets.of(KEY)
            assert target is not None
            session = await bot.cortex.threads.open(bot.platform, caller, target, "t")
            await bot.cortex.inquiry.diagnosis(target, EvidenceQuery())
            yield Stand(bot, session, target)
            await bot.settled()
    broken = [line for line in logs if line["log_level"] in ("error", "critical")]
    assert not broken, broken[:3]


async def every_button(stand: Stand) -> list[str]:
    """Let every kind of button be made; return what they carry, still genuine and still open."""
    bot = stand.bot
    row, offered = await stand.offer("do not answer ann")
    data = [button.data for button in offered]
    await bot.hears("!cortex why", ADMIN)
    await bot.hears("!pause", OWNER)
    await bot.hears("!cortex why", ADMIN)
    await bot.hears("!cortex memory list", ADMIN)
    for number in range(12):
        await bot.remembers(f"they like tea and cake {number}")
    await bot.hears("!cortex memory list", ADMIN)
    await bot.hears(f"!cortex memory spread {handle(HandleKind.MEMORY, row)}", ADMIN)
    await bot.hears("!cortex memory rollback 1m", ADMIN)
    await bot.hears("!cortex fix", ADMIN)
    await bot.hears("!resume", OWNER)
    data += [button.data for sent in bot.platform.sent for button in sent.buttons]
    verbs = {signed.verb for one in data if (signed := button_signing.read(one)) is not None}
    assert row and verbs >= WANTED, f"no button of {WANTED - verbs}"
    return sorted(set(data))


def forged(real: Sequence[str], chance: random.Random) -> str:
    """Make what never was a button: a bit turned, parts of two, another's verb, a made-up one, any text."""
    raw = bytearray(base64.urlsafe_b64decode(chance.choice(real)))
    match chance.randrange(8):
        case 0 | 1 | 2:
            for _ in range(chance.choice((1, 1, 1, 2, 3))):
                raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        case 3:
            raw[1] = chance.choice([verb for verb in VERBS if verb != raw[1]])
        case 4:
            other = base64.urlsafe_b64decode(chance.choice([one for one in real if one[:16] != _text(raw)[:16]]))
            raw = bytearray(raw[:12] + other[12:])
        case 5:
            raw = bytearray(chance.randbytes(chance.choice((0, 1, 23, 24, 25, 48))))
        case 6:
            raw = bytearray(bytes((1, chance.choice(VERBS))) + chance.randbytes(22))
        case _:
            return "".join(chr(chance.randrange(1, 0x3000)) for _ in range(chance.choice((1, 31, 32, 33, 64))))
    made = _text(raw)
    return made if made not in real else made[::-1]


def _text(raw: bytes | bytearray) -> str:
    return base64.urlsafe_b64encode(bytes(raw)).decode()


async def pressed_at_once(stand: Stand, data: Sequence[str], by: str = ADMIN) -> list[str]:
    """Press all these at the same time."""
    return await asyncio.gather(*(stand.press(one, by) for one in data))
