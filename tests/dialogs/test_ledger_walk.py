"""The ledger walk: whatever arrives ends in exactly one named outcome, wherever the process is killed on the way."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.simulated import create as simulated
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.ledger import Disposition, Outcome, StoredInbound
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Event, EventKind, Inbound, InboundKind, Role
from bot.domain.turn import OutboxState
from bot.errors import DeliveryError
from tests.dialogs.bot import GENERAL, Bot, NoTable, a_bot
from tests.fakes import values as v
from tests.fakes.clock import FakeClock, FakeEntropy
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
    base = {"kind": InboundKind.EVENT, "mentions_bot": False, "event": Event(kind=kind, name=name, moved_to=to)}
    return v.inbound("", f"u-{name}", **{**base, **changes})


async def _happens(walk: Walk) -> None:
    """Whatever a platform tells of leaves a row; it is no history, no turn and no talk."""
    bot, before = walk.bot, await walk.bot.store.channels.load(GENERAL)
    for kind in (EventKind.JOINED, EventKind.LEFT, EventKind.OTHER):
        await bot.app.manager.heard([event(kind, kind.value)], None)
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
            shutil.copytree(bot.data, directory / "image")
        return await send(message)

    bot.console.send = killed
    await walk.ends("@glassmind /usage", Outcome.COMMAND, "usage")
    bot.console.send = send
    async with a_bot(directory / "image", providers=scripted(), more=SCRIPTED) as other:
        await other.app.settled()
        newest = (await other.store.ledger.recent(GENERAL, 1))[0]
        assert newest.outcome is Outcome.INTERRUPTED
        assert await other.store.ledger.unsettled() == []


# a kill at every stage


TALK = ("@glassmind hello", "just talk", "@glassmind speak with a tool", "@glassmind no answer please")


class Killed:
    """Takes an image of the data directory, and of what stood on the terminal, at every step of a conversation."""

    def __init__(self, bot: Bot, directory: Path) -> None:
        self.images: list[tuple[Path, tuple[str, ...]]] = []
        self._bot = bot
        self._directory = directory
        writer, console = bot.store._database.writer, bot.console
        self._commit, self._send = writer._commit, console.send
        writer._commit, console.send = self._after_commit, self._after_send

    async def _after_commit(self, group) -> None:
        await self._commit(group)
        self._take()

    async def _after_send(self, message):
        receipt = await self._send(message)
        self._take()
        return receipt

    def _take(self) -> None:
        image = self._directory / f"image-{len(self.images)}"
        shutil.copytree(self._bot.data, image)
        self.images.append((image, tuple(self._bot.lines)))


@asynccontextmanager
async def reopened(image: Path, *, idempotent: bool) -> AsyncIterator[Bot]:
    """Start on what a killed process left; the platform may or may not recognise what it was sent before."""
    providers = {"simulated": simulated("simulated", {}), **scripted()}
    bot = Bot(image, FakeClock(), FakeEntropy(), providers, NoTable(), SCRIPTED)

    async def look() -> None:
        bot.console.capabilities = bot.console.capabilities.replace(idempotent_sends=idempotent)

    await bot.open(look)
    try:
        await bot.app.settled()
        yield bot
    finally:
        await bot.close()


@pytest.mark.parametrize("idempotent", [True, False])
async def test_a_kill_at_any_step_loses_nothing_and_repeats_nothing(tmp_path, idempotent):
    async with a_bot(tmp_path / "data", providers=scripted(), more=SCRIPTED) as bot:
        killed = Killed(bot, tmp_path)
        await _converse(bot)
    assert len(killed.images) > 40
    seen: Counter[Outcome] = Counter()
    for image, lines in killed.images:
        async with reopened(image, idempotent=idempotent) as bot:
            seen += await _nothing_is_lost(bot, lines, idempotent=idempotent)
            await _talk_is_known(bot)
        shutil.rmtree(image)
    assert seen[Outcome.INTERRUPTED] > 0
    assert (seen[Outcome.UNCERTAIN] > 0) is not idempotent


async def _converse(bot: Bot) -> None:
    """Say something of every kind; at the end talk and an edit wait behind a turn."""
    for text in TALK:
        await bot.says("ann", text)
    await bot.says("root", "@glassmind /usage")
    await bot.says("ann", "a slip of the pen")
    slip = bot.console.world.said[-1]
    for line in (
        "[#general] james> @glassmind first",
        "[#general] ann> behind the turn",
        f"/edit {slip.message_id} a slip of the tongue",
    ):
        await bot.console.type(line, bot.app.manager)
    await bot.app.settled()


async def _talk_is_known(bot: Bot) -> None:
    """Look for all talk that arrived in the history, in its newest form."""
    rows = await bot.store.ledger.recent(GENERAL, 1000)
    edits = {one.inbound.message_id: one.inbound.text for one in rows if one.inbound.kind is InboundKind.EDIT}
    state = await bot.store.channels.load(GENERAL)
    known = {message.inbound: message.text for message in state.history} if state else {}
    for one in rows:
        if one.disposition is Disposition.AMBIENT:
            assert known[one.id].endswith(edits.get(one.inbound.message_id, one.inbound.text))


async def _nothing_is_lost(bot: Bot, before: tuple[str, ...], *, idempotent: bool) -> Counter[Outcome]:
    """Look at every message of a restarted bot; `before` is what the killed process had printed."""
    store = bot.store
    assert await store.ledger.unsettled() == []
    assert await store.journal.running_turns() == []
    assert await store.outbox.pending() == []
    outcomes: Counter[Outcome] = Counter()
    for one in await store.ledger.recent(GENERAL, 1000):
        assert one.outcome is not None
        outcomes[one.outcome] += 1
        answers = [row for row in await store.outbox.of_inbound(one.id) if row.body.kind == "reply"]
        assert len(answers) <= 1, "one question, one answer"
        for row in answers:
            line = f"[#general] glassmind< {row.body.text}"
            printed = before.count(line) + bot.lines.count(line)
            if row.state is OutboxState.SENT:
                assert one.outcome is Outcome.REPLIED
                assert printed == 1 or (idempotent and printed == 2), "the platform knows the nonce"
            else:
                assert (one.outcome, row.state) == (Outcome.UNCERTAIN, OutboxState.UNCERTAIN)
                assert printed <= 1
        if "first" in one.inbound.text or "hello" in one.inbound.text:
            assert answers, "what was asked was answered, or flagged"
    return outcomes


# a kill at every stage of what happens beside messages


HALL = ChannelId("console:#hall")


@pytest.mark.parametrize("idempotent", [True, False])
async def test_a_kill_around_a_greeting_and_a_move_loses_nothing_and_says_nothing_twice(tmp_path, idempotent):
    async with a_bot(tmp_path / "data", providers=scripted(), more=SCRIPTED) as bot:
        killed = Killed(bot, tmp_path)
        await bot.app.manager.heard([event(EventKind.JOINED, "joined")], None)
        await bot.app.settled()
        await bot.says("ann", "@glassmind hello")
        await bot.console.type("[#general] ann> @glassmind and this", bot.app.manager)
        await bot.app.manager.heard([event(EventKind.MOVED, "moved", HALL)], None)
        await bot.app.settled()
        await bot.says("ann", "@glassmind after", "#hall")
    assert len(killed.images) > 25
    for image, lines in killed.images:
        async with reopened(image, idempotent=idempotent) as bot:
            await _nothing_is_lost_with_the_move(bot, lines, idempotent=idempotent)
        shutil.rmtree(image)


async def _nothing_is_lost_with_the_move(bot: Bot, before: tuple[str, ...], *, idempotent: bool) -> None:
    store, printed = bot.store, (*before, *bot.lines)
    assert await store.ledger.unsettled() == []
    assert await store.outbox.pending() == []
    assert await store.verify() == []
    assert sum("Hello, I am" in line for line in printed) <= 1 + idempotent
    key = ChannelKey(GENERAL.agent, store.channels.moves.now(GENERAL.channel))
    rows = await store.ledger.recent(key, 100)
    for one in rows:
        answers = [row for row in await store.outbox.of_inbound(one.id) if row.body.kind == "reply"]
        assert len(answers) == (one.inbound.kind is InboundKind.MESSAGE)
    state = await store.channels.load(key)
    known = {message.inbound for message in state.history if message.role is Role.USER} if state else set()
    assert known == {one.id for one in rows if one.inbound.kind is InboundKind.MESSAGE}
    assert key == GENERAL or await store.channels.load(GENERAL) == state
