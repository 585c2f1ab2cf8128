"""Raids: somebody changes memories, modes, lists and summaries within an hour, among what everybody else does."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from adapters.sqlite import SqliteStore
from bot.domain.channel import ChannelPause, ChannelSettings, ResponseMode
from bot.domain.finding import Fix, ForgetMemory, RestoreMemory
from bot.domain.ids import MAIN, ChannelId, ChannelKey, UserId
from bot.domain.memory import MemoryProvenance, MemoryType
from bot.domain.revisions import ChangedBy
from bot.domain.setting_fixes import AdmitPerson
from bot.domain.turn import TurnEnd, TurnStatus
from tests.contracts.test_compactions import half, new
from tests.contracts.test_store import audited, offer
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock

HOUR = 3_600_000
RAIDER = UserId("666")
FOLK = tuple(map(UserId, ("100", "101", "102")))
ROOMS = tuple(ChannelKey(MAIN, ChannelId(f"console:#room{n}")) for n in range(3))
_MODELS = ("", "a/b", "c/d")


class Meaning(NamedTuple):
    """What a store means to the bot: memories that count, what is set, and what each conversation holds."""

    memories: dict[int, tuple[str, ...]]
    settings: dict[str, str]
    talk: dict[str, tuple[str, ...]]


async def meaning(store: SqliteStore) -> Meaning:
    """Read it: words, importance, scope and counts of memories; settings; the conversations as models are told them."""
    memories = dict[int, tuple[str, ...]]()
    for row in range(1, 100_000):
        memory = await store.memories.get(row)
        if memory is None:
            break
        body = memory.body
        if not memory.forgotten_at:
            said = (body.content, body.type.value, repr(body.importance), body.scope.value, body.scope_id)
            memories[row] = (*said, str(body.confirmed))
    settings, talk = dict[str, str](), dict[str, tuple[str, ...]]()
    for key in ROOMS:
        state = await store.channels.load(key)
        assert state is not None
        settings[key.channel] = state.settings.model_dump_json()
        talk[key.channel] = tuple(message.digest for turn in state.turns for message in turn.messages)
    return Meaning(memories, settings, talk)


class Town:
    """Three rooms with some history, in which people and a raider do things at random."""

    def __init__(self, store: SqliteStore, clock: FakeClock, seed: int) -> None:
        self.store, self.clock, self.chance = store, clock, random.Random(seed)
        self._offers = 0
        self.begun = 0

    async def settle(self) -> None:
        """What was there before anybody raids."""
        for key in ROOMS:
            await self.store.channels.meet(key, "#room", v.GUILD, ChannelSettings(mode=ResponseMode.ACTIVE))
            for _ in range(4):
                await self.talk(key, self.chance.choice(FOLK))
            await self.save(key, self.chance.choice(FOLK), 4)
        for _ in range(12):
            await self.act(self.chance.choice(FOLK), ROOMS)
        self.clock.at += 60_000
        self.begun = self.clock.at
        self.clock.at += 1000

    async def act(self, who: UserId, rooms: Sequence[ChannelKey]) -> None:
        """One thing that somebody does in one of some rooms."""
        key = self.chance.choice(rooms)
        self.clock.at += self.chance.randrange(1, 2000)
        what = self.chance.choice(("save", "forget", "restore", "confirm", "mode", "pause", "model", "tool", "admit"))
        match what:
            case "save":
                await self.save(key, who, self.chance.randrange(1, 4))
            case "forget" | "restore":
                await self._remember(key, who, gone=what == "forget")
            case "confirm":
                await self._confirm(key, who)
            case "admit":
                user = UserId(str(self.chance.randrange(200, 205)))
                await self.fix(AdmitPerson(channel=key.channel, user=user, on=self.chance.random() < 0.7), who)
            case _:
                await self._set(key, who, what)

    async def save(self, key: ChannelKey, who: UserId, count: int) -> None:
        """Have some memories kept."""
        kind = self.chance.choice(list(MemoryType))
        await self.store.memories.add(
            [
                v.memory(
                    f"{who} says {self.chance.random()}",
                    type=kind,
                    importance=round(self.chance.random(), 2),
                    channel=key.channel,
                    scope_id=key.channel,
                    created_at=self.clock.at,
                    provenance=MemoryProvenance(author=who, author_name=f"name{who}"),
                )
                for _ in range(count)
            ]
        )

    async def talk(self, key: ChannelKey, who: UserId, confirmed: tuple[int, ...] = ()) -> int:
        """Say something, which is answered; perhaps it confirms memories."""
        name = f"{key.channel}{self.clock.at}{self.chance.random()}"
        sent = v.arrival(name, name, channel=key.channel, author=v.author(who, f"name{who}"), at=self.clock.at)
        (asked,) = await self.store.ledger.arrive([sent], None)
        assert asked is not None
        turn = await self.store.journal.begin_turn(v.turn_start(key, inbounds=(asked,), at=self.clock.at), ())
        said = v.message(name, inbound=asked, message_id=name, author=v.author(who), at=self.clock.at)
        end = TurnEnd(turn=turn, agent=MAIN, channel=key.channel, at=self.clock.at, status=TurnStatus.REPLIED)
        await self.store.journal.end_turn(end.replace(messages=(said, v.said(f"re {name}")), confirmed=confirmed))
        return turn

    async def summarise(self, key: ChannelKey, who: UserId) -> None:
        """Have the older half of a conversation summarised, because somebody asked for it."""
        state = await self.store.channels.load(key)
        assert state is not None
        taken = state.turns[: max(2, len(state.turns) // 2)]
        if len(state.turns) < 2:
            return
        turn = await self.talk(key, who)
        made = new(state, taken, [half(taken)], turn=turn, at=self.clock.at, started_at=self.clock.at)
        await self.store.compactions.commit(made, None, ())

    async def fix(self, fix: Fix, who: UserId) -> int | None:
        """Confirm a fix; None where it does not fit any more."""
        if not await self.store.offers.is_current(fix):
            return None
        self._offers += 1
        times = {"created_at": self.clock.at, "expires_at": 0}
        asked = await self.store.offers.propose(offer(fix, f"{self._offers:020x}", **times))
        done = await self.store.offers.execute(asked.id, audited(at=self.clock.at, actor=who))
        assert done is not None
        return done.id

    async def _remember(self, key: ChannelKey, who: UserId, *, gone: bool) -> None:
        known = [m for m in await self.store.memories.listed(MAIN, key.channel, "") if bool(m.forgotten_at) is not gone]
        if known:
            one = self.chance.choice(known)
            change = ForgetMemory if gone else RestoreMemory
            await self.fix(change(memory=one.id, version=one.version), who)

    async def _confirm(self, key: ChannelKey, who: UserId) -> None:
        known = [m.id for m in await self.store.memories.listed(MAIN, key.channel, "") if not m.forgotten_at]
        if known:
            await self.talk(key, who, (self.chance.choice(known),))

    async def _set(self, key: ChannelKey, who: UserId, what: str) -> None:
        state = await self.store.channels.load(key)
        assert state is not None
        settings, chance = state.settings, self.chance
        match what:
            case "mode":
                mode = chance.choice(list(ResponseMode))
                settings = settings.replace(mode=mode, mode_by=who, mode_at=self.clock.at)
            case "pause":
                pause = ChannelPause(by=who, by_role="member", at=self.clock.at, inbound=1, reason=f"{chance.random()}")
                settings = settings.replace(pause=None if settings.pause else pause)
            case "model":
                settings = settings.replace(model=chance.choice(_MODELS))
            case "tool":
                off = set(settings.tools_off) ^ {chance.choice(("shell", "exec", "web_fetch"))}
                settings = settings.replace(tools_off=tuple(sorted(off)))
        by = ChangedBy(platform="console", actor=who, process="command")
        await self.store.channels.set_settings(key, settings, by)


def fresh_clock() -> FakeClock:
    """A clock for one town."""
    return FakeClock(START)
