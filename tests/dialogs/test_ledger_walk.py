"""The ledger walk: whatever arrives ends in exactly one named outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from bot.domain.ids import ChannelId
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import EventKind, Inbound, InboundKind, PlatformEvent, Role
from bot.errors import DeliveryError
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.stores import leave_image
from tests.fakes import values as v
from tests.fakes.provider import ScriptedProvider, calls, fails, says

SCRIPTED = """
[providers.scripted]
kind = "simulated"
[model]
name = "scripted/scripted-1"
context_window = 128000
retries = 0
rounds = 3
turn_timeout = 0.5
cool_down = 0.5
"""
TOKEN = "sk-proj-" + "abcdefghij0123456789" * 3


class Acts:
    """A model that does what the newest words ask for."""

    def __init__(self) -> None:
        self.hangs = asyncio.Event()

    async def __call__(self, request: LLMRequest) -> LLMResponse:
        newest = next(m for m in reversed(request.messages) if m.role is Role.USER)
        text = newest.text.rsplit("\n", 1)[-1]
        if "broken service" in text:
            raise fails()
        if "for ever" in text:
            self.hangs.set()
            await asyncio.Event().wait()
        if "with a tool" in text and request.messages[-1].role is not Role.TOOL:
            return calls(("reply", {"text": f"by tool: {text}"}))
        answers = {
            "no answer": calls(("skip", {"reason": "it was asked for", "category": "instructed"})),
            "empty": says(""),
            "round and round": calls(("memory_recall", {"query": str(len(request.messages))})),
            "secret": says(f"the token is {TOKEN}"),
        }
        return next((answer for words, answer in answers.items() if words in text), says(f"answer to: {text}"))


def scripted(acts: Acts | None = None) -> dict[str, ScriptedProvider]:
    return {"scripted": ScriptedProvider(acts or Acts())}


# every outcome, through the front door


@dataclass
class Walk:
    """A walk through the ledger; outcomes that were reached stay as they are."""

    bot: Bot
    reached: dict[int, tuple[Outcome, str]]

    async def says(self, text: str, name: str = "ann") -> list[StoredInbound]:
        """Say something, and return what arrived with it, oldest first; whatever arrived has one outcome."""
        await self.bot.says(name, text)
        return await self.arrived()

    async def arrived(self) -> list[StoredInbound]:
        everything = await self.bot.store.ledger.recent(GENERAL, 1000)
        fresh = [one for one in reversed(everything) if one.id not in self.reached]
        for one in everything:
            assert one.outcome is not None, one
            end = (one.outcome, one.outcome_reason)
            assert self.reached.setdefault(one.id, end) == end, "the first outcome stays"
        return fresh

    async def ends(self, text: str, outcome: Outcome, reason: str = "", name: str = "ann") -> StoredInbound:
        (one,) = await self.says(text, name)
        assert (one.outcome, one.outcome_reason.startswith(reason)) == (outcome, True), one
        return one


def never_takes(error: DeliveryError) -> Callable[..., Awaitable[None]]:
    async def send(message):
        raise error

    return send


async def test_every_outcome_is_reached_and_stays(tmp_path):
    acts = Acts()
    async with a_bot(tmp_path / "data", providers=scripted(acts), more=SCRIPTED) as bot:
        walk = Walk(bot, {})
        await walk.ends("@glassmind hello", Outcome.REPLIED)
        await walk.ends("@glassmind speak with a tool", Outcome.REPLIED)
        assert (await walk.ends("@glassmind tell the secret", Outcome.REPLIED)).redacted
        await walk.ends("@glassmind no answer please", Outcome.SKIPPED, "instructed")
        await walk.ends("@glassmind /pause lunch", Outcome.COMMAND, "pause", name="root")
        await walk.ends("@glassmind are you there?", Outcome.GATED, "pause")
        await walk.ends("@glassmind /resume", Outcome.COMMAND, "resume", name="root")
        await walk.ends("just talk", Outcome.STORED_ONLY, "addressing")
        await walk.ends("@glassmind /help", Outcome.COMMAND, "help")
        await _fails(walk)
        await _is_not_delivered(walk)
        await _is_overtaken(walk, acts)
        await _happens(walk)
        await _is_cut_off(walk, tmp_path)
        assert {outcome for outcome, _ in walk.reached.values()} == set(Outcome) - {Outcome.INTERRUPTED}
        assert await bot.store.ledger.unsettled() == []


async def _fails(walk: Walk) -> None:
    for text, reason in (
        ("empty", "empty"),
        ("round and round", "rounds"),
        ("broken service", "provider"),
        ("for ever", "timeout"),
    ):
        before = len(walk.bot.public())
        await walk.ends(f"@glassmind {text}", Outcome.FAILED, reason)
        assert len(walk.bot.public()) == before + 1, "nobody waits in vain"


async def _is_not_delivered(walk: Walk) -> None:
    console, send = walk.bot.console, walk.bot.console.send
    console.send = never_takes(DeliveryError("timed out", code="timeout", uncertain=True))
    await walk.ends("@glassmind may be lost", Outcome.UNCERTAIN, "send:timeout")
    console.send = never_takes(DeliveryError("refused", code="403", permanent=True))
    await walk.ends("@glassmind is refused", Outcome.FAILED, "send:403")
    console.send = send
    await walk.bot.app.settled()


async def _is_overtaken(walk: Walk, acts: Acts) -> None:
    """One is stopped while it is answered; of those that wait, one is edited, one deleted, and two become one turn."""
    bot = walk.bot
    acts.hangs.clear()
    ids = []
    for text in ("for ever and ever", "teh question", "a slip", "one more thing"):
        await bot.console.type(f"[#general] ann> @glassmind {text}", bot.app.manager)
        ids.append(bot.console.world.said[-1].message_id)
    await bot.console.type("/as ann", bot.app.manager)
    await bot.console.type(f"/edit {ids[1]} @glassmind the question", bot.app.manager)
    await bot.console.type(f"/delete {ids[2]}", bot.app.manager)
    await acts.hangs.wait()
    await bot.console.type("[#general] ann> @glassmind /stop", bot.app.manager)
    await bot.app.settled()
    found = [(one.inbound.kind, one.outcome) for one in await walk.arrived()]
    assert found == [
        (InboundKind.MESSAGE, Outcome.CANCELLED),
        (InboundKind.MESSAGE, Outcome.SUPERSEDED),
        (InboundKind.MESSAGE, Outcome.SUPERSEDED),
        (InboundKind.MESSAGE, Outcome.REPLIED),
        (InboundKind.EDIT, Outcome.SUPERSEDED),
        (InboundKind.DELETE, Outcome.STORED_ONLY),
        (InboundKind.MESSAGE, Outcome.COMMAND),
    ]


def event(kind: EventKind, name: str, to: ChannelId | None = None, **changes: object) -> Inbound:
    """Something that happens in #general, as an adapter tells of it."""
    base = {"kind": InboundKind.EVENT, "mentions_bot": False, "event": PlatformEvent(kind=kind, name=name, moved_to=to)}
    return v.inbound("", f"u-{name}", **{**base, **changes})


async def _happens(walk: Walk) -> None:
    """Whatever a platform tells of leaves a row; it is no history, no turn and no talk."""
    bot, before = walk.bot, await walk.bot.store.channels.load(GENERAL)
    for kind in (EventKind.JOINED, EventKind.LEFT, EventKind.OTHER):
        await bot.app.manager.receive([event(kind, kind.value)], None)
        await bot.app.settled()
        (one,) = await walk.arrived()
        assert (one.outcome, one.outcome_reason.startswith(f"event: {kind.value}")) == (Outcome.STORED_ONLY, True)
    assert "Hello, I am Glassmind." in bot.public()[-1]
    assert await bot.store.channels.load(GENERAL) == before


async def _is_cut_off(walk: Walk, directory: Path) -> None:
    """A command is killed while its answer is on its way; it is not run again, and the ledger says so."""
    bot, send = walk.bot, walk.bot.console.send

    async def killed(message):
        if not (directory / "image").exists():
            leave_image(bot.data, directory / "image")
        return await send(message)

    bot.console.send = killed
    await walk.ends("@glassmind /usage", Outcome.COMMAND, "usage")
    bot.console.send = send
    async with a_bot(directory / "image", providers=scripted(), more=SCRIPTED) as other:
        await other.app.settled()
        newest = (await other.store.ledger.recent(GENERAL, 1))[0]
        assert newest.outcome is Outcome.INTERRUPTED
        assert await other.store.ledger.unsettled() == []
