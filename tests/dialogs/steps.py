"""What may happen in a conversation: steps as values, and how a bot and its model server live through each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from adapters.console.world import ScrollbackLine
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import Outcome
from bot.domain.snapshot import CaptureKind
from bot.domain.turn import TurnStatus
from bot.errors import UserError
from bot.inspect.capture.redact_view import CaptureReader, view_for_reader
from bot.text.redaction import Redactor
from tests.dialogs.online import types_on
from tests.dialogs.plots import FINE, Plot, call
from tests.dialogs.witness import Witness
from tests.fakes.clock import START
from tests.servers.model import Calls, Hangs, Says

FORMS = {
    "mention": "@glassmind please {}",
    "name": "Well, Glassmind: {}",
    "answer": "right, {}",
    "talk": "I think {}",
}
NOT_ASKED = frozenset({Outcome.GATED, Outcome.STORED_ONLY})


class Step(Protocol):
    """Something that happens."""

    async def happen(self, witness: Witness) -> None:
        """Live through it, and check what must have come of it."""


def key_of(witness: Witness, place: str, name: str) -> ChannelKey:
    number = witness.bot.console.world.number(name)
    return ChannelKey(MAIN, ChannelId(f"console:dm:{number}" if place == "dm" else f"console:{place}"))


def said_in(witness: Witness, key: ChannelKey, *, by_bot: bool) -> list[ScrollbackLine]:
    return [said for said in witness.bot.console.world.said if (said.channel, said.by_bot) == (key.channel, by_bot)]


def answers(lines: Sequence[str], place: str, name: str) -> int:
    """Count what the bot said there."""
    label = f"[dm {name}] glassmind<" if place == "dm" else f"[{place}] glassmind<"
    return sum(line.startswith(label) for line in lines)


@dataclass(frozen=True)
class Talk:
    """Somebody says something; if it is for the bot, the model does what the plot says."""

    name: str
    place: str
    form: str
    text: str
    plot: Plot

    async def happen(self, witness: Witness) -> None:
        bot, key = witness.bot, key_of(witness, self.place, self.name)
        line = await self._line(witness, key)
        asked = witness.will_ask(key, addressed=self.form != "talk")
        witness.follow(self.plot.script if asked else ())
        foretold = await witness.foretell(key)
        lines = await bot.types(line)
        told, inbounds = await witness.settled()
        await witness.came_true(key, foretold, told)
        expected = {self.plot.outcome} if asked else NOT_ASKED
        assert [inbound.outcome in expected for inbound in inbounds] == [True], inbounds
        assert answers(lines, self.place, self.name) == (self.plot.lines if asked else 0), lines

    async def _line(self, witness: Witness, key: ChannelKey) -> str:
        heard = said_in(witness, key, by_bot=True)
        if self.form == "answer" and heard:
            await types_on(witness.bot, f"/as {self.name}")
            await types_on(witness.bot, "/dm" if self.place == "dm" else f"/join {self.place}")
            return f"/reply {heard[-1].message_id} {FORMS['answer'].format(self.text)}"
        form = "mention" if self.form == "answer" else self.form
        return f"[{self.place}] {self.name}> {FORMS[form].format(self.text)}"


@dataclass(frozen=True)
class Rewrites:
    """Somebody edits or deletes something that was said before."""

    verb: str
    which: int
    text: str

    async def happen(self, witness: Witness) -> None:
        said = [said for said in witness.bot.console.world.said if not said.by_bot]
        if not said:
            return
        old = said[self.which % len(said)]
        key = ChannelKey(MAIN, old.channel)
        await self._go_there(witness, old)
        await witness.bot.types(f"/{self.verb} {old.message_id} {self.text}")
        witness.rewrote(key)
        _, inbounds = await witness.settled()
        assert [inbound.outcome for inbound in inbounds] == [Outcome.STORED_ONLY]

    async def _go_there(self, witness: Witness, old: ScrollbackLine) -> None:
        place = old.channel.removeprefix("console:")
        await types_on(witness.bot, f"/as {old.name}")
        await types_on(witness.bot, f"/join {place}" if place.startswith("#") else "/dm")


@dataclass(frozen=True)
class Orders:
    """Somebody who may gives an order."""

    word: str
    place: str

    async def happen(self, witness: Witness) -> None:
        key = key_of(witness, self.place, "mod")
        async with witness.not_asked():
            lines = await witness.bot.types(f"[{self.place}] mod> @glassmind {self.word}")
        witness.ordered(key, self.word)
        _, inbounds = await witness.settled()
        assert [inbound.outcome for inbound in inbounds] == [Outcome.COMMAND]
        assert answers(lines, self.place, "mod") == 1


@dataclass(frozen=True)
class Crowd:
    """A turn hangs while more is said, edited and looked at; what waited becomes one turn more."""

    place: str
    busy: bool
    text: str
    then: str
    plot: Plot

    async def happen(self, witness: Witness) -> None:
        bot, key = witness.bot, key_of(witness, self.place, "ann")
        if not witness.will_ask(key):
            return
        before = (Calls([call("memory_recall")]),) if self.busy else ()
        witness.follow((*before, Hangs(reply=Says("that took long")), *self.plot.script))
        foretold = await witness.foretell(key)
        await types_on(bot, f"[{self.place}] ann> @glassmind please {self.text}")
        await witness.server.hung()
        await bot.app.task_groups.background.idle()  # what is learnt from the round before is no trace of looking
        async with witness.no_trace():
            flying = await bot.app.inspector.inspect(key, CaptureKind.IN_FLIGHT)
            assert flying.wire.body == witness.server.received[-1].body
        await self._more(witness, said_in(witness, key, by_bot=False)[-1])
        witness.server.release()
        await bot.app.settled()
        bot.clock.advance(1)
        told, inbounds = await witness.settled()
        await witness.came_true(key, foretold, told[:1])
        witness.rewrote(key)
        edited, deleted, newest = Outcome.SUPERSEDED, Outcome.SUPERSEDED, self.plot.outcome
        edit, deletion, late_edit = Outcome.SUPERSEDED, Outcome.STORED_ONLY, Outcome.STORED_ONLY
        ends = [inbound.outcome for inbound in inbounds]
        assert ends == [Outcome.REPLIED, edited, deleted, newest, edit, deletion, late_edit]

    async def _more(self, witness: Witness, running: ScrollbackLine) -> None:
        """Say three things that wait, edit the first, delete the second; and edit what is being answered."""
        bot = witness.bot
        for number, name in enumerate(("james", "bo", "ann")):
            await types_on(bot, f"[{self.place}] {name}> @glassmind please {self.then} {number}")
        waiting = said_in(witness, key_of(witness, self.place, "ann"), by_bot=False)[-3:]
        await types_on(bot, "/as james")
        await types_on(bot, f"/edit {waiting[0].message_id} please {self.text}")
        await types_on(bot, "/as bo")
        await types_on(bot, f"/delete {waiting[1].message_id}")
        await types_on(bot, "/as ann")
        await types_on(bot, f"/edit {running.message_id} please {self.then}")


@dataclass(frozen=True)
class Meanwhile:
    """Somebody gives an order while one message is being answered and another waits."""

    word: str
    place: str
    plot: Plot

    async def happen(self, witness: Witness) -> None:
        bot, key = witness.bot, key_of(witness, self.place, "ann")
        if not witness.will_ask(key):
            return
        witness.follow((Hangs(reply=Says("that took long")), *self.plot.script))
        await types_on(bot, f"[{self.place}] ann> @glassmind please answer")
        await witness.server.hung()
        await types_on(bot, f"[{self.place}] james> @glassmind me too")
        await types_on(bot, f"[{self.place}] mod> @glassmind {self.word}")
        stopped = self.word in ("!new", "!stop")
        if not stopped:
            witness.server.release()
        await bot.app.settled()
        bot.clock.advance(1)
        witness.ordered(key, self.word)
        _, inbounds = await witness.settled()
        first = Outcome.CANCELLED if stopped else Outcome.REPLIED
        assert [inbound.outcome for inbound in inbounds] == [first, self.plot.outcome, Outcome.COMMAND]


@dataclass(frozen=True)
class Together:
    """People in different places speak at the same time."""

    text: str

    async def happen(self, witness: Witness) -> None:
        bot, places = witness.bot, (("ann", "#general"), ("james", "#random"), ("bo", "dm"))
        keys = [key_of(witness, place, name) for name, place in places]
        asked = [witness.will_ask(key) for key in keys]
        witness.follow(FINE.script * sum(asked))
        foretold = [await witness.foretell(key) for key in keys]
        known = set(await witness.keys())
        await asyncio.gather(*(types_on(bot, f"[{place}] {name}> @glassmind {self.text}") for name, place in places))
        await bot.app.settled()
        bot.clock.advance(1)
        told, inbounds = await witness.settled()
        # a place that was new to the bot may have become a neighbour while the others were answered
        if known >= set(keys):
            for key, before in zip(keys, foretold, strict=True):
                await witness.came_true(key, before, told)
        assert sum(inbound.outcome is Outcome.REPLIED for inbound in inbounds) == sum(asked)


@dataclass(frozen=True)
class Restarts:
    """The process ends and another begins."""

    async def happen(self, witness: Witness) -> None:
        async with witness.not_asked():
            before = await witness.digests()
            await witness.bot.restart()
            await witness.bot.app.settled()
        assert await witness.digests() == before
        await witness.settled()


@dataclass(frozen=True)
class CutOff:
    """The process ends while the model is being asked; the next one answers, once."""

    name: str
    place: str
    text: str
    plot: Plot

    async def happen(self, witness: Witness) -> None:
        bot, key = witness.bot, key_of(witness, self.place, self.name)
        if not witness.will_ask(key):
            return
        witness.follow((Hangs(), *self.plot.script))
        before = len(bot.lines)
        await types_on(bot, f"[{self.place}] {self.name}> @glassmind please {self.text}")
        await witness.server.hung()
        at_rest = await witness.digests()
        await bot.restart(look=lambda: self._unchanged(witness, at_rest))
        await bot.app.settled()
        bot.clock.advance(1)
        told, inbounds = await witness.settled()
        assert [inbound.outcome for inbound in inbounds] == [self.plot.outcome]
        assert told[0].turn.status is TurnStatus.INTERRUPTED
        assert answers(bot.lines[before:], self.place, self.name) == self.plot.lines

    async def _unchanged(self, witness: Witness, before: dict[ChannelKey, str]) -> None:
        assert await witness.digests() == before


@dataclass(frozen=True)
class CutOffBehindAnAnswer:
    """The process ends when the model has spoken through a tool and goes on; what was said is not said again."""

    place: str
    text: str

    async def happen(self, witness: Witness) -> None:
        bot, key = witness.bot, key_of(witness, self.place, "ann")
        if not witness.will_ask(key):
            return
        witness.follow((Calls([call("reply", text=self.text)]), Hangs()))
        before = len(bot.lines)
        await types_on(bot, f"[{self.place}] ann> @glassmind please hurry")
        await witness.server.hung()
        async with witness.not_asked():
            await bot.restart()
            await bot.app.settled()
        _, inbounds = await witness.settled()
        assert [inbound.outcome for inbound in inbounds] == [Outcome.REPLIED]
        assert answers(bot.lines[before:], self.place, "ann") == 1


@dataclass(frozen=True)
class Waits:
    """Nothing happens for a while; what works by the clock does its work."""

    hours: float

    async def happen(self, witness: Witness) -> None:
        bot, before = witness.bot, await witness.digests()
        bot.clock.advance(self.hours * 3600)
        async with witness.not_asked():
            await bot.app.maintenance.beat()
            await bot.app.maintenance.sweep()
            await bot.app.settled()
        if bot.clock.now() - START < bot.app.config.retention.ambient_hours * 3_600_000:
            assert await witness.digests() == before
        else:  # old talk may be gone now, but everywhere alike
            for key in before:
                witness.rewrote(key)
        await witness.settled()


@dataclass(frozen=True)
class Looks:
    """An admin looks at a channel."""

    how: str
    place: str

    async def happen(self, witness: Witness) -> None:
        key = key_of(witness, self.place, "root")
        if self.how == "question":
            async with witness.no_trace_in_channels():
                witness.follow((), then=Says("Nothing unusual in there."))
                await self._typed(witness, "what is in there, and why?")
        else:
            async with witness.no_trace():
                await self._look(witness, key)
        await witness.settled()

    async def _look(self, witness: Witness, key: ChannelKey) -> None:
        bot, inspector = witness.bot, witness.bot.app.inspector
        match self.how:
            case "next" | "sent" | "in_flight":
                await _quietly(inspector.inspect(key, CaptureKind(self.how)))
            case "rows":
                for request in await bot.store.journal.recent_requests(key, 20):
                    found = await inspector.inspect(key, request.id)
                    shown = view_for_reader(found, CaptureReader(reads_content=True, operator=True), Redactor.of({}))
                    assert shown.digest == request.record.digest
                    assert shown.written.body.encode() == found.wire.body or not shown.exact
            case "export":
                await self._export(witness, key)
            case words:
                await self._typed(witness, words)

    async def _typed(self, witness: Witness, words: str) -> None:
        before = len(witness.bot.private())
        await witness.bot.types(f"[{self.place}] root> !cortex {words}")
        assert len(witness.bot.private()) > before

    async def _export(self, witness: Witness, key: ChannelKey) -> None:
        """The file holds the very bytes that the inspector shows."""
        bot = witness.bot
        shown = await _quietly(bot.app.inspector.inspect(key))
        lines = await bot.types(f"[{self.place}] root> !cortex export")
        paths = [line.partition(": ")[2].rstrip(")") for line in lines if line.startswith("  (file ")]
        assert len(paths) == (shown is not None)
        for path in paths:
            content = await asyncio.to_thread(Path(path).read_bytes)
            assert shown.wire.body in content and shown.digest.encode() in content


async def _quietly(looking):
    try:
        return await looking
    except UserError:
        return None
