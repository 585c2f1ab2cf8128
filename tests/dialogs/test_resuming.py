"""An inspection that was cut off by a kill goes on where it stopped, if its admin says so."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, fields, replace

from bot.domain.channel import ProcessKind
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Role
from bot.ports.checkpoints import StoredCheckpoint
from bot.sentences import say
from bot.task_prompt.checkpoint import TaskState
from tests.dialogs.bot import Bot, a_bot
from tests.dialogs.online import types_on
from tests.dialogs.stores import leave_image
from tests.dialogs.test_ledger_walk import SCRIPTED
from tests.fakes.provider import ScriptedProvider, calls, says

REPORT = "I looked, and the sky is blue."


@dataclass
class Reader:
    """Looks something up, then concludes; hangs before the round that it is told to."""

    hangs_at: int = 1
    requests: list[LLMRequest] = field(default_factory=list)
    hung: asyncio.Event = field(default_factory=asyncio.Event)
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, request: LLMRequest) -> LLMResponse:
        if "reply" in {tool.name for tool in request.tools}:
            return says("yes")
        self.requests.append(request)
        done = sum(message.role is Role.TOOL for message in request.messages)
        if done == self.hangs_at and not self.goes_on.is_set():
            self.hung.set()
            await self.goes_on.wait()
        return says(REPORT) if done else calls(("memory_recall", {"query": "sky"}))


async def is_killed(bot: Bot) -> list[str]:
    """Start on what a killed process left on the disk; return what is printed then."""
    world, before = replace(bot.console.world, buttons=dict(bot.console.world.buttons)), len(bot.lines)
    image = bot.data.with_name(f"{bot.data.name}-killed")
    leave_image(bot.data, image)
    await bot.dies()
    del bot.lines[before:]  # of what it says when it is stopped nothing was said
    bot.data = image
    bot.clock.advance(1)

    async def look() -> None:
        for part in fields(world):
            setattr(bot.console.world, part.name, getattr(world, part.name))

    await bot.open(look)
    await bot.app.settled()
    return bot.lines[before:]


async def asks(bot: Bot, reader: Reader) -> None:
    await bot.says("ann", "@glassmind hello")
    await types_on(bot, "[#general] root> !cortex what is wrong here?")
    await reader.hung.wait()


async def kept(bot: Bot) -> list[StoredCheckpoint]:
    found = [await bot.store.checkpoints.of_turn(number) for number in range(1, 9)]
    return [one for one in found if one is not None]


async def calls_made(bot: Bot) -> int:
    """Every call that any inspection made, on record."""
    turns = [turn for number in range(1, 9) if (turn := await bot.store.journal.turn(number)) is not None]
    looking = [turn.id for turn in turns if turn.kind is ProcessKind.INSPECTION]
    return sum([len(await bot.store.journal.calls_of_turn(number)) for number in looking])


def scripted(reader: Reader) -> dict[str, ScriptedProvider]:
    return {"scripted": ScriptedProvider(reader)}


async def test_it_goes_on_behind_what_it_had_looked_up(tmp_path):
    reader = Reader()
    async with a_bot(tmp_path / "data", providers=scripted(reader), more=SCRIPTED) as bot:
        await asks(bot, reader)
        lines = "\n".join(await is_killed(bot))
        assert say("cortex.cut-off") in lines and say("cortex.may-go-on") in lines and "Go on]" in lines
        assert [one.state for one in await kept(bot)] == [TaskState.INTERRUPTED]
        assert await calls_made(bot) == 1

        reader.goes_on.set()
        said = "\n".join(await bot.types("/press Go on"))
        assert "Picking up where it stopped" in said and REPORT in said
        assert "the 1 look-up made before was kept, and was not repeated." in said and "has changed since" not in said
        assert await calls_made(bot) == 1, "what was looked up is not looked up again"
        first, cut_off, resumed = reader.requests
        assert resumed.messages == cut_off.messages and resumed.system == cut_off.system
        assert [one.state for one in await kept(bot)] == [TaskState.COMPLETED]
        (over,) = await kept(bot)
        assert "what is wrong" not in over.body, "what is over keeps no words"

        assert say("cortex.no-more-to-resume") in "\n".join(await bot.types("/press Go on"))
        assert len(reader.requests) == 3 and first.messages == cut_off.messages[:1]


async def test_what_changed_meanwhile_is_said_to_the_model_and_to_the_admin(tmp_path):
    reader = Reader()
    async with a_bot(tmp_path / "data", providers=scripted(reader), more=SCRIPTED) as bot:
        await asks(bot, reader)
        await is_killed(bot)
        await bot.says("james", "@glassmind what about me?")
        reader.goes_on.set()
        await bot.types("/as root", "/dm")
        said = "\n".join(await bot.types("/press Go on"))
        assert "The channel has changed since; I read its newer state." in said and REPORT in said
        note, first = reader.requests[-1].messages[:2]
        assert "something in the channel has changed since" in note.text and first == reader.requests[0].messages[0]


async def test_it_can_be_cut_off_again_and_before_its_first_round(tmp_path):
    reader = Reader(hangs_at=0)
    async with a_bot(tmp_path / "data", providers=scripted(reader), more=SCRIPTED) as bot:
        await asks(bot, reader)
        assert say("cortex.may-go-on") in "\n".join(await is_killed(bot))
        reader.hung.clear()
        await types_on(bot, "/press Go on")
        await reader.hung.wait()
        assert say("cortex.may-go-on") in "\n".join(await is_killed(bot))
        reader.goes_on.set()
        said = "\n".join(await bot.types("/press Go on"))
        assert "the 0 look-ups made before were kept" in said and REPORT in said
        (one,) = await kept(bot)
        assert (one.state, one.session_id) == (TaskState.COMPLETED, "inspection-2")


async def test_a_stop_offers_the_same_and_each_offer_is_taken_once(tmp_path):
    reader = Reader()
    async with a_bot(tmp_path / "data", providers=scripted(reader), more=SCRIPTED) as bot:
        await asks(bot, reader)
        before = len(bot.lines)
        await bot.restart()
        await bot.app.settled()
        lines = "\n".join(bot.lines[before:])
        assert lines.count(say("cortex.may-go-on")) == 1
        reader.goes_on.set()
        said = "\n".join(await bot.types("/press Go on", "/press Go on"))
        assert said.count(REPORT) == 1 and say("cortex.no-more-to-resume") in said


async def test_of_an_unknown_version_is_said_so_and_nothing_runs(tmp_path):
    reader = Reader()
    async with a_bot(tmp_path / "data", providers=scripted(reader), more=SCRIPTED) as bot:
        await asks(bot, reader)
        await is_killed(bot)
        asked = len(reader.requests)
        (one,) = await kept(bot)
        await bot.store.checkpoints.save(one.replace(version=9))
        said = "\n".join(await bot.types("/press Go on"))
        assert "stored in version 9, and I read version 1. Ask again instead." in said
        await bot.store.checkpoints.save(one.replace(body="{}"))
        assert "What was stored of it is damaged. Ask again instead." in "\n".join(await bot.types("/press Go on"))
        assert len(reader.requests) == asked


async def test_a_confirmation_that_has_expired_stays_expired(tmp_path):
    reader = Reader()
    async with a_bot(tmp_path / "data", providers=scripted(reader), more=SCRIPTED) as bot:
        await bot.says("root", "@glassmind /pause lunch")
        await bot.says("root", "!cortex why")
        await bot.types("/as root", "/dm", "/press Resume")
        await bot.types("[#general] root> !cortex what is wrong here?")
        # the rules had the cause, so a model is asked by a press
        await types_on(bot, "/press Ask the model")
        await reader.hung.wait()
        await is_killed(bot)
        bot.clock.advance(3600)
        said = "\n".join(await bot.types("/press Leave it"))
        assert "This offer has expired. Nothing was changed" in said
