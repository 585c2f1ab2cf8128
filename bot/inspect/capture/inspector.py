"""Look at what a channel's model was, is or would be told. Looking changes nothing and makes no model call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Protocol

from bot.context.builder import ContextBuilder
from bot.context.gather import ContextAsk
from bot.context.sections.status import StatusSection, status_text
from bot.context.tokens import TokenCounts
from bot.context.transcript import ParsedMessage, join_header, utc
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.dialect import Dialect
from bot.domain.handles import parse_handle
from bot.domain.health import QueueHealth
from bot.domain.ids import ChannelKey
from bot.domain.llm import LLMRequest, ModelName, WireRequest
from bot.domain.memory import Memory, MemoryReach
from bot.domain.messages import Message, Role, TextPart
from bot.domain.snapshot import (
    CaptureKind,
    ContextSnapshot,
    LocalTime,
    ModelLimits,
    SectionTrace,
    TellLocalTimes,
    Trigger,
    utc_alone,
)
from bot.domain.turn import StoredRequest
from bot.errors import ProviderError, UserError
from bot.inspect.capture.capture import CapturedWire, ContextCapture
from bot.inspect.capture.channel_lookup import resolve
from bot.ports.channels import ChannelDirectory, ChannelStore
from bot.ports.clock import Clock
from bot.ports.journal import Journal
from bot.ports.memories import MemoryStore
from bot.sentences import say
from bot.text.times import age, minute, plain_times

__all__ = ["AskFor", "ChannelContextInspector", "WireEncoder", "placeholder", "resolve"]

AskFor = Callable[[ChannelState, Trigger], ContextAsk]
"""Says with which tools and limits a channel would answer; the turn itself uses the same function."""
PLACEHOLDER = "(the next message, not written yet)"


class WireEncoder(Protocol):
    """Who writes requests as bytes."""

    def encode(self, request: LLMRequest, dialect: Dialect) -> WireRequest:
        """Return the bytes that would be posted; raise ProviderError when there is no such provider."""

    def encoder(self, model: ModelName) -> str:
        """Name the encoder and its version."""


def placeholder(at: int, local: tuple[LocalTime, ...] = ()) -> Trigger:
    """Stand in for a message that has not arrived."""
    return Trigger(messages=(_stand_in(at - at % 1000),), at=at, placeholder=True, local=local)


@lru_cache(maxsize=8)
def _stand_in(second: int) -> Message:
    # somebody who looks at every channel gets the same for all of them, written and counted once
    header: dict[str, object] = {"at": utc(second), "from": "someone", "id": "0"}
    return Message(role=Role.USER, parts=(TextPart(text=join_header(ParsedMessage(header, PLACEHOLDER))),), at=second)


@dataclass(frozen=True)
class ChannelContextInspector:
    """Captures contexts of active and inactive channels alike."""

    contexts: ContextBuilder
    journal: Journal
    channels: ChannelStore
    directory: ChannelDirectory
    memories: MemoryStore
    wires: WireEncoder
    ask_for: AskFor
    clock: Clock
    local_times: TellLocalTimes = utc_alone

    async def inspect(
        self,
        key: ChannelKey,
        which: CaptureKind | int = CaptureKind.NEXT,
        at: int = 0,
        unmet: ChannelState | None = None,
    ) -> ContextCapture:
        """Capture a context; a number means that request of the journal. Raise UserError when there is none.

        `at` is the moment as of which the next one is made (UTC ms; 0: now). `unmet` is what a channel begins as from
        which nothing was ever let in: its next request is that of its first message.
        """
        state = self.directory.get(key) or await self.channels.load(key) or unmet
        stored = await self._recorded(key, which)
        if state is None:
            if stored is None:
                raise UserError(say("capture.never-heard", channel=str(key)))
            # an inspection asked a model about it, though nothing ever came from there
            state = ChannelState(agent=key.agent, id=key.channel, name=key.channel)
        if stored is not None:
            return await self._of_stored(state, stored)
        if which is CaptureKind.IN_FLIGHT:
            flying = self.directory.in_flight(key)
            if flying is None:
                raise UserError(say("capture.none-in-flight"))
            return await self._of_snapshot(state, which, await self.contexts.measured(flying))
        if which is not CaptureKind.NEXT:
            raise UserError(say("capture.none-sent"))
        moment = at or self.clock.now()
        trigger = placeholder(moment, self.local_times(moment, key.channel, ()))
        snapshot = await self.contexts.snapshot(self.ask_for(state, trigger), exact=True)
        return await self._of_snapshot(state, which, snapshot)

    async def _recorded(self, key: ChannelKey, which: CaptureKind | int) -> StoredRequest | None:
        """Return the request of the journal that is meant, if one is."""
        if which is CaptureKind.SENT:
            return next(iter(await self.journal.recent_requests(key, 1)), None)
        if isinstance(which, CaptureKind):
            return None
        stored = await self.journal.request(which)
        if stored is not None and (stored.record.agent, stored.record.channel) != key:
            raise UserError(say("capture.of-another-channel"))
        return stored

    async def preview(self, key: ChannelKey) -> ContextSnapshot | None:
        """Assemble the next request of a channel, at once; None where nothing was ever heard."""
        state = self.directory.get(key) or await self.channels.load(key)
        if state is None:
            return None
        at = self.clock.now()
        trigger = placeholder(at, self.local_times(at, state.id, ()))
        return await self.contexts.preview(self.ask_for(state, trigger))

    async def _of_snapshot(self, state: ChannelState, which: CaptureKind, snapshot: ContextSnapshot) -> ContextCapture:
        queue = self.directory.queue(state.key)
        numbers = TokenCounts(snapshot.sections, snapshot.message_tokens, snapshot.tool_tokens, snapshot.stats)
        return ContextCapture(
            key=state.key,
            state=state,
            which=which,
            request=snapshot.request,
            numbers=numbers,
            write=partial(self._wire, snapshot.request, snapshot.inputs.limits.dialect, None),
            tell=partial(_status, state, queue, snapshot),
            queue=queue,
            ratio=snapshot.stats.tokenizer.ratio,
            usage=await self.journal.last_usage(state.key),
            memories=await self._named(state, snapshot.sections),
            dropped_turns=snapshot.dropped_turns,
            overflow=snapshot.overflow,
            snapshot=snapshot,
        )

    async def _of_stored(self, state: ChannelState, stored: StoredRequest) -> ContextCapture:
        record, queue = stored.record, self.directory.queue(state.key)
        request = record.request
        limits = ModelLimits(model=request.model, window=record.stats.window, max_output=request.max_output_tokens)
        numbers = await self.contexts.numbers(request, record.sections, limits)
        return ContextCapture(
            key=state.key,
            state=state,
            which=CaptureKind.SENT,
            request=request,
            numbers=numbers,
            write=partial(self._wire, request, Dialect.of_encoder(record.encoder), stored),
            tell=partial(_status, state, queue),
            queue=queue,
            ratio=numbers.stats.tokenizer.ratio,
            usage=stored.response.usage if stored.response else None,
            memories=await self._named(state, record.sections),
            dropped_turns=record.dropped_turns,
            stored=stored,
        )

    def _wire(self, request: LLMRequest, dialect: Dialect, stored: StoredRequest | None) -> CapturedWire:
        recorded = stored.record.wire_sha256 if stored else ""
        try:
            wire, encoder = self.wires.encode(request, dialect), dialect.signed(self.wires.encoder(request.model))
        except ProviderError as error:
            note = say("capture.no-bytes", why=str(error))
            return CapturedWire(b"", recorded, stored.record.encoder if stored else "", note)
        if stored is None or wire.sha256 == recorded:
            return CapturedWire(wire.body, wire.sha256, encoder, "")
        if stored.mark is not None:
            note = say("capture.redacted", time=plain_times(minute(stored.mark.at)))
            return CapturedWire(wire.body, recorded, stored.record.encoder, note)
        note = say("capture.other-encoder", before=stored.record.encoder, now=encoder)
        return CapturedWire(wire.body, recorded, stored.record.encoder, note)

    async def _named(self, state: ChannelState, sections: Sequence[SectionTrace]) -> tuple[Memory, ...]:
        names = [s.removeprefix("memory:") for t in sections for s in t.sources if s.startswith("memory:")]
        if not names:
            return ()
        reach = MemoryReach(agent=state.key.agent, channel=state.id, guild_id=state.place.guild_id)
        slots = {handle.slot: handle for name in names if (handle := parse_handle(name))}
        here = {slot: await self.memories.find(reach, handle) for slot, handle in slots.items()}
        # forgotten since, or moved out of reach
        others = [await self.memories.by_handle(handle) for slot, handle in slots.items() if here[slot] is None]
        found = sorted((memory for memory in here.values() if memory is not None), key=lambda memory: -memory.id)
        return (*found, *(memory for memory in others if memory is not None))


def _status_data(snapshot: ContextSnapshot) -> JsonText | None:
    return next((one.data for one in snapshot.inputs.loaded if one.name == StatusSection.name), None)


def _status(state: ChannelState, queue: QueueHealth, snapshot: ContextSnapshot | None = None) -> str:
    waits = say("capture.queue", count=queue.waiting)
    if queue.waiting:
        waits = say("capture.queue-oldest", count=queue.waiting, age=age(queue.oldest_wait_ms))
    lines = [status_text(state, _status_data(snapshot) if snapshot else None), waits]
    if queue.running_turn:
        lines.append(say("capture.now", what=queue.running_what or "none", age=age(queue.running_ms)))
    return "\n".join(lines)
