"""R28: a stranger's commands change nothing of others, whatever they type, edit, press or tap.

A case is a whole bot in which others have a history, memories, work that is under way, an answer that is being written,
a question that waits, settings, files and copies. Blocked people, people of a server that is not allowed, strangers in
their own chats and ordinary members run programs of commands; then everything of others is as it was, and they are
answered. In the same run a moderator does what the others could not.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import Outcome
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Author, ButtonPress, ChannelPlace, Inbound, InboundKind
from bot.domain.process import ProcessState
from bot.messaging.policy.command_syntax import ALIASES
from tests.dialogs.bot import Bot, a_bot
from tests.dialogs.minds import SCRIPTED, asked, done, kind_of, until
from tests.fakes.platform import FakePlatform
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.faults.family import Family, Size, Verdict, seed_of

PROGRAMS = {Size.SLICE: 20, Size.NIGHTLY: 100, Size.RELEASE: 200}
"""How many programs one case stands for."""
CASES = {Size.SLICE: 1, Size.NIGHTLY: 10, Size.RELEASE: 50}
STEPS = 3
"""How many things one program does at most."""
LOOKS = 4
"""After so many programs it is looked what has changed."""

GUILD, ELSEWHERE = "9", "8"
KITCHEN, HALL, YARD = (ChannelId(f"discord:{where}") for where in ("9:1", "9:2", "8:1"))
ANN, BEN, MOD, OWNER = "101", "102", "3", "1"
MEMBER, OTHER_MEMBER, BLOCKED, OUTSIDER, STRANGER = "201", "202", "301", "401", "501"
WORDS = (*ALIASES, *("new", "reset", "stop") * 3)
"""Every word that is a command, and more often those that could end something of others."""
ARGUMENTS = ("", "now", "off", "undo", "a reason", "scripted/other", "default", "enable x", "why", "forget user 101")
LEFT_OUT = frozenset({("forgetme", "now")})
"""What takes out data of the one who asks is played by a family of its own."""
CONFIG = f"""
user_commands_per_minute = 60
channel_commands_per_minute = 60
{{model}}
[platforms.discord]
kind = "console"
script = "nobody-types.txt"
names = ["glass"]
owner_ids = [{OWNER}]
moderator_ids = [{MOD}]
blocked_users = [{BLOCKED}]
allowed_guilds = ["{GUILD}"]
[work]
worker_seconds = 1000000.0
"""
BUSY = 2
"""Ann's question that is being answered in the hall, and the one that waits behind it."""


@dataclass
class Town:
    """A bot among people, and what belongs to those who do no harm."""

    bot: Bot
    platform: FakePlatform
    chance: random.Random
    go_on: asyncio.Event
    held: int = 0
    """How many of Ann's questions are held, or wait behind one that is."""
    ids: int = 0
    said: list[Inbound] = field(default_factory=list)
    buttons: list[str] = field(default_factory=list)

    async def hears(self, who: str, text: str, channel: ChannelId, **changes: Any) -> Inbound:
        """Let somebody write, and wait until something came of it."""
        self.ids += 1
        is_dm = channel.startswith("discord:dm:")
        inbound = Inbound(
            adapter="discord",
            channel=channel,
            channel_name="direct messages" if is_dm else channel,
            place=_place(channel),
            message_id=str(10_000 + self.ids),
            author=Author(user_id=UserId(who), name=f"person{who}"),
            text=text,
            sent_at=self.bot.clock.now(),
            mentions_bot=text.startswith("@glass"),
        ).replace(**changes)
        await self.bot.app.manager.receive([inbound], None)
        await self.quiet()
        return inbound

    async def quiet(self) -> None:
        """Wait until nothing is under way but what is held."""

        async def is_so() -> bool:
            return len(await self.bot.store.ledger.unsettled()) <= self.held

        await self.until(is_so)

    async def until(self, is_so: Callable[[], Awaitable[bool]]) -> None:
        """Wait until something is so; time passes as often as it is looked, however busy the machine is."""

        async def looks() -> bool:
            self.bot.clock.advance(0.05)
            return await is_so()

        await until(looks)

    async def is_busy(self) -> bool:
        """Return whether Ann's question in the hall is being answered."""
        key = ChannelKey(MAIN, HALL)
        lane = self.bot.app.registry.queues.lane(key)
        return bool(lane and lane.running) and await self.bot.store.channels.load(key) is not None

    async def outcome(self, inbound: Inbound) -> Outcome | None:
        recent = await self.bot.store.ledger.recent(ChannelKey(MAIN, inbound.channel), 20)
        return next(one.outcome for one in recent if one.inbound.message_id == inbound.message_id)


def _place(channel: ChannelId) -> ChannelPlace:
    is_dm = channel.startswith("discord:dm:")
    return ChannelPlace(is_dm=is_dm, guild_id="" if is_dm else channel.split(":")[1])


def _dm(who: str) -> ChannelId:
    return ChannelId(f"discord:dm:{who}")


@asynccontextmanager
async def a_town(directory: Path, seed: int) -> AsyncIterator[Town]:
    """Let others live for a while, and leave something of theirs under way."""
    go_on, platform = asyncio.Event(), FakePlatform("discord")

    async def model(request: LLMRequest) -> LLMResponse:
        kind, words = kind_of(request), asked(request)
        if kind == "worker" or "HOLD" in words:
            await go_on.wait()
        if kind == "worker":
            return says("") if done(request) else calls(("finish", {"outcome": "done", "result": "worked"}))
        if "REMEMBER" in words and not done(request):
            return calls(("memory_save", {"content": "Ann likes tea.", "type": "preference"}))
        if "WORK" in words and not done(request):
            return calls(("spawn_worker", {"task": "look around", "name": "a look"}))
        return says("yes")

    more = CONFIG.format(model=SCRIPTED)
    providers = {"scripted": ScriptedProvider(model)}
    async with a_bot(directory / "data", providers=providers, more=more) as bot:
        await bot.close()
        bot.clock.auto = False
        bot.others = {"discord": platform}
        await bot.open()
        town = Town(bot, platform, random.Random(seed), go_on)
        for who, words in ((ANN, "REMEMBER this"), (BEN, "hello"), (ANN, "how are you?")):
            await town.hears(who, f"@glass {words}", KITCHEN)
        await town.hears(ANN, "my secret is a tulip", _dm(ANN))
        await town.hears(ANN, "WORK for me", _dm(ANN))
        await town.hears(ANN, "@glass WORK", KITCHEN)
        await town.hears(MOD, "/model scripted/mine", KITCHEN)
        (directory / "data" / "backups").mkdir(exist_ok=True)
        (directory / "data" / "backups" / "kept.db").write_text("a copy")
        for _ in range(BUSY):
            town.held += 1
            await town.hears(ANN, "@glass HOLD on", HALL)
            await town.until(town.is_busy)
        begun = await of_others(town)
        assert begun[f"memories of {KITCHEN}"] and begun[f"history of {KITCHEN}"] and begun[f"waits in {HALL}"]
        assert [state for _, state in begun[f"work of {KITCHEN}"]] == [ProcessState.RUNNING]  # type: ignore[attr-defined]
        town.buttons = [button.data for sent in platform.sent for button in sent.buttons]
        try:
            yield town
        finally:
            go_on.set()


async def of_others(town: Town) -> dict[str, object]:
    """Everything that belongs to others, in a form that can be compared."""
    bot, found = town.bot, dict[str, object]()
    for channel in (KITCHEN, HALL, _dm(ANN)):
        key = ChannelKey(MAIN, channel)
        state = await bot.store.channels.load(key)
        assert state is not None
        old = [turn for turn in state.turns if any(m.author and m.author.user_id in {ANN, BEN} for m in turn.messages)]
        found[f"history of {channel}"] = [turn.model_dump_json() for turn in old]
        found[f"epoch of {channel}"] = state.epoch
        found[f"settings of {channel}"] = state.settings.model_dump_json()
        memories = await bot.store.memories.listed(MAIN, channel, GUILD)
        found[f"memories of {channel}"] = [memory.body.content for memory in memories]
        work = await bot.store.processes.of_channel(key, 20)
        found[f"work of {channel}"] = sorted((one.id, one.state) for one in work if one.body.by.person.user_id == ANN)
        lane = bot.app.registry.queues.lane(key)
        found[f"waits in {channel}"] = [one.inbound.message_id for one in lane.running] if lane else []
    data = Path(bot.config.config.bot.data_dir)
    found["files"] = sorted(str(path) for part in ("backups", "workspaces") for path in (data / part).rglob("*"))
    found["audit"] = [row.id for row in await bot.store.audit.newest(None, 1000)]
    return found


async def run_program(town: Town) -> None:
    """Let one person, who has no business with others' things, do a few of the things that people can do."""
    chance = town.chance
    who, places = chance.choice(
        (
            (MEMBER, (KITCHEN, HALL, _dm(MEMBER))),
            (OTHER_MEMBER, (KITCHEN, HALL)),
            (BLOCKED, (KITCHEN, HALL, _dm(BLOCKED))),
            (OUTSIDER, (YARD,)),
            (STRANGER, (_dm(STRANGER),)),
        )
    )
    for _ in range(chance.randint(1, STEPS)):
        where = chance.choice(places)
        word, rest = chance.choice(WORDS), chance.choice(ARGUMENTS)
        rest = "" if (ALIASES[word], rest) in LEFT_OUT else rest
        # in the hall whatever is no command would wait behind what is held there
        heads = ("/",) if where == HALL else ("/", "/", "!", "@glass !", "@glass ", "glass, ", "")
        text = f"{chance.choice(heads)}{word} {rest}".rstrip()
        match chance.randrange(8):
            case 0 if town.said:
                await _edits(town, who, text)
            case 1:
                await _presses(town, who, where)
            case 2:
                shown = ChannelId(f"discord:ephemeral:{town.ids}")
                await town.hears(who, f"/{word} {rest}".rstrip(), where, ephemeral=shown, mentions_bot=True)
            case _:
                town.said.append(await town.hears(who, text, where))
        town.bot.clock.advance(chance.choice((0, 0, 1, 20)))


async def the_obvious(town: Town) -> None:
    """Let those who may not end what belongs to others try to, in the plainest words."""
    for who in (MEMBER, BLOCKED):
        for where in (KITCHEN, HALL):
            for text in ("/new", "/stop", "/reset", "/new undo", "/pause", "/model scripted/x"):
                town.said.append(await town.hears(who, text, where))
    town.bot.clock.advance(61)


async def _edits(town: Town, who: str, text: str) -> None:
    own = [one for one in town.said if one.author.user_id == who]
    if own:
        old = town.chance.choice(own[-5:])
        kind = town.chance.choice((InboundKind.EDIT, InboundKind.EDIT, InboundKind.DELETE))
        changed = old.replace(kind=kind, edit=town.bot.clock.now(), text=text)
        await town.bot.app.manager.receive([changed], None)
        await town.quiet()


async def _presses(town: Town, who: str, where: ChannelId) -> None:
    data = town.chance.choice([*town.buttons, "new", "undo", "x" * 64, ""])
    press = ButtonPress(
        person=PersonKey("discord", UserId(who)), name="root", channel=where, data=data, place=_place(where)
    )
    answer = await town.bot.app.manager.pressed(press)
    assert not (who in {BLOCKED, OUTSIDER} and answer), f"{who} was answered: {answer}"


def told_to(town: Town, who: str, since: int) -> list[str]:
    """What was said to somebody, or in answer to them."""
    own = {one.message_id for one in town.said if one.author.user_id == who}
    sent = town.platform.sent[since:]
    return [one.text for one in sent if one.replies_to in own or one.to.private_to == who or one.to.channel == _dm(who)]


async def moderators_can(town: Town) -> list[str]:
    """Do as a moderator what the others could not; return what did not work."""
    wrong, store, kitchen = [], town.bot.store, ChannelKey(MAIN, KITCHEN)
    before = await store.channels.load(kitchen)
    assert before is not None
    town.bot.clock.advance(61)
    await town.hears(MOD, "/new", KITCHEN)

    async def is_fresh() -> bool:
        state = await store.channels.load(kitchen)
        return state is not None and state.epoch == before.epoch + 1 and not state.turns

    await town.until(is_fresh)
    await town.hears(MOD, "/new undo", KITCHEN)

    async def is_back() -> bool:
        state = await store.channels.load(kitchen)
        return state is not None and state.turns == before.turns

    await town.until(is_back)
    await town.hears(MOD, "/pause lunch", KITCHEN)
    paused = await store.channels.load(kitchen)
    if paused is None or paused.settings.pause is None:
        wrong.append("a moderator cannot pause")
    await town.hears(MOD, "/resume", KITCHEN)
    await town.hears(MOD, "/stop", KITCHEN)
    work = await store.processes.of_channel(kitchen, 20)
    if any(one.state is ProcessState.RUNNING for one in work):
        wrong.append("a moderator cannot stop work")
    return wrong


async def _play(key: str, directory: Path) -> Verdict:
    size, _, which = key.partition("/")
    programs, changed = PROGRAMS[Size(size)], list[str]()
    async with a_town(directory, seed_of(which)) as town:
        before, sent = await of_others(town), len(town.platform.sent)
        for number in range(programs):
            await (run_program(town) if number else the_obvious(town))
            if number % LOOKS and number < programs - 1:
                continue
            after = await of_others(town)
            if after != before:
                what = [name for name in before if before[name] != after[name]]
                changed.append(f"up to program {number}: {', '.join(what)}")
                before = after
        heard = [who for who in (BLOCKED, OUTSIDER) if told_to(town, who, sent)]
        asked_last = await town.hears(ANN, "@glass still there?", KITCHEN)
        unanswered = [] if await town.outcome(asked_last) is Outcome.REPLIED else [asked_last.message_id]
        wrong = await moderators_can(town)
        town.go_on.set()
        town.held = 0
        await town.quiet()
        hall = await town.bot.store.ledger.recent(ChannelKey(MAIN, HALL), 5000)
        held = [one for one in hall if one.inbound.author.user_id == ANN]
        ends = {Outcome.REPLIED, Outcome.SUPERSEDED}
        unanswered += [one.inbound.message_id for one in held if one.outcome not in ends]
    told = [f"{who} was told something" for who in heard]
    waits = [f"{one} was not answered" for one in unanswered]
    trouble = "\n".join([*changed[:5], *told, *waits, *wrong])
    counts = {"changed": len(changed) + len(heard) + len(wrong), "unanswered": len(unanswered)}
    return Verdict(n=programs, counts=counts, trouble=trouble)


def _cases(size: Size) -> Iterable[str]:
    yield from (f"{size}/seed{number}" for number in range(CASES[size]))


FAMILY = Family("R28", "a stranger's commands", _cases, _play, seconds=300)
