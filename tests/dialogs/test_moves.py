"""A group becomes a supergroup in the middle of a conversation: nobody notices, but for its number."""

from __future__ import annotations

import asyncio

from adapters.simulated import create as simulated
from bot.domain.ids import ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import Outcome
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import EventKind, Inbound, InboundKind, PlatformEvent
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.fakes import values as v
from tests.fakes.provider import ScriptedProvider, says

HALL = ChannelKey(GENERAL.agent, ChannelId("console:#hall"))
MODEL = """
[providers.scripted]
kind = "simulated"
[model]
name = "scripted/scripted-1"
context_window = 128000
retries = 0
[channels."console:#general"]
persona = "You are the cook of this kitchen."
"""


def moved(message_id: str = "u1") -> Inbound:
    event = PlatformEvent(kind=EventKind.MOVED, name="migrate_to_chat_id", moved_to=HALL.channel)
    return v.inbound("", message_id, kind=InboundKind.EVENT, event=event, mentions_bot=False)


class Cook:
    """A model that waits to be let on when it is asked to."""

    def __init__(self) -> None:
        self.asked, self.goes_on = asyncio.Event(), asyncio.Event()

    async def __call__(self, request: LLMRequest) -> LLMResponse:
        if "slowly" in request.messages[-1].text.rsplit("\n", 1)[-1]:
            self.asked.set()
            await self.goes_on.wait()
        return says(f"answer {len(request.messages)}")


async def test_a_conversation_before_during_and_after_a_move(tmp_path):
    cook = Cook()
    provider = ScriptedProvider(cook)
    providers = {"scripted": provider, "simulated": simulated("simulated", {})}
    async with a_bot(tmp_path / "data", providers=providers, more=MODEL) as bot:
        await bot.says("ann", "@glassmind soup or salad?")
        await bot.store.memories.add([v.memory("Ann eats no leek.")])
        await bot.says("root", "!cortex why")
        await bot.console.type("[#general] ann> @glassmind and slowly?", bot.app.manager)
        await cook.asked.wait()
        await bot.console.type("[#general] ann> @glassmind this waits", bot.app.manager)
        await bot.app.manager.receive([moved()], None)
        await bot.app.manager.receive([moved("u2")], None)
        cook.goes_on.set()
        await bot.app.settled()
        await bot.says("ann", "@glassmind after", "#hall")
        answers = [line for line in bot.public() if "glassmind<" in line]
        assert answers == ["[#general] glassmind< answer 1", *(f"[#hall] glassmind< answer {n}" for n in (3, 5, 7))]
        _is_told_everything(provider.requests[-1])
        await _is_one_conversation(bot)
        session = await bot.store.sessions.of_thread(PersonKey("console", UserId("1")), "console:dm:1", "")
        assert session is not None and session.body.target == HALL.channel
        alerts = [line for line in bot.private() if "put the new id" in line]
        assert len(alerts) == 1
        await bot.restart()
        await bot.says("ann", "@glassmind and after a restart", "#hall")
        assert bot.public()[-1] == "[#hall] glassmind< answer 9"
        assert await bot.store.verify() == []


def _is_told_everything(newest: LLMRequest) -> None:
    said = "\n".join((*(message.text for message in newest.messages), *(block.text for block in newest.system)))
    for words in ("soup or salad", "and slowly", "this waits", "after", "Ann eats no leek.", "cook of this kitchen"):
        assert words in said


async def _is_one_conversation(bot: Bot) -> None:
    for key in (GENERAL, HALL):
        shown = await bot.app.inspector.inspect(key)
        assert "after" in "\n".join(message.text for message in shown.snapshot.request.messages)
        rows = [one for one in await bot.store.ledger.recent(key, 50) if one.inbound.kind is InboundKind.MESSAGE]
        assert [one.outcome for one in rows if "glassmind" in one.inbound.text] == [Outcome.REPLIED] * 4


async def test_what_is_paused_stays_so(tmp_path):
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("root", "@glassmind /pause lunch")
        await bot.app.manager.receive([moved()], None)
        await bot.says("ann", "@glassmind hello?", "#hall")
        assert not any(line.startswith("[#hall] glassmind<") for line in bot.lines)
        assert "lunch" in "\n".join(await bot.says("ann", "@glassmind /status", "#hall"))
        await bot.says("root", "!cortex why #hall")
        assert "is paused" in "\n".join(bot.private())
