"""Who watches a conversation: after every step, what was received, kept, shown and foretold must be the same thing."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import orjson

from bot.context.probe_request import WORDS
from bot.context.tokens import BYTES
from bot.context.transcript import as_message
from bot.domain.base import digest
from bot.domain.channel import ChannelState, ProcessKind, ResponseMode
from bot.domain.dialect import Dialect
from bot.domain.ids import MAIN, ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.snapshot import Tokenizer, Trigger
from bot.domain.turn import StoredRequest, StoredTurn
from bot.errors import UserError
from bot.inspect.capture.capture import ContextCapture
from tests.dialogs.bot import Bot
from tests.dialogs.online import client_of
from tests.servers.model import FAILURES, Fails, ModelServer, Reply, Says

TOO_LONG = FAILURES["context_too_long"]


@dataclass(frozen=True)
class Told:
    """A turn, and what the model was told in it."""

    turn: StoredTurn
    requests: tuple[StoredRequest, ...]


@dataclass(frozen=True)
class Foretold:
    """The next request as the inspector showed it in a quiet moment, and what it rests on beside the history."""

    next: ContextCapture
    tokenizer: Tokenizer
    rests_on: object


@dataclass(frozen=True)
class Sent:
    """The bytes of a turn's first request up to its trigger, those of its end, and what they rested on."""

    history: bytes
    end: bytes
    rests_on: object


class Witness:
    """Watches one bot and its model server."""

    def __init__(self, bot: Bot, server: ModelServer, dialect: Sequence[str] = ()) -> None:
        self.bot = bot
        self.server = server
        self.dialect = dialect
        self.requests = 0
        self._heard = len(server.received)
        self._turn = 0
        self._inbound = 0
        self._sent: dict[ChannelKey, Sent] = {}
        self._modes: dict[ChannelKey, ResponseMode] = {}
        self._paused: set[ChannelKey] = set()
        self._unforeseen = 0
        self.follow(())

    def follow(self, script: Sequence[Reply], then: Reply | None = None) -> None:
        """Let the model do this next, no more and no less; `then` is what it does however often it is asked later.

        One that finds a request too long finds it too long once more, where half of it could be left out.
        """
        again = [TOO_LONG] if TOO_LONG in script[-1:] else []

        def answer(request: dict[str, Any]) -> Reply:
            if WORDS in str(request["messages"]) and len(request["messages"]) == 1:
                return Says("yes")  # the doctor asks whether it is there
            if again:
                return again.pop()
            self._unforeseen += then is None
            return then or Fails(400, None, "nobody foresaw this request")

        self.server.script[:], self.server.answer = script, answer

    def rewrote(self, key: ChannelKey) -> None:
        """Note that the history was changed on purpose, so that the next request may begin otherwise."""
        self._sent.pop(key, None)

    def ordered(self, key: ChannelKey, word: str) -> None:
        """Note an order, by what the manual says that it does."""
        modes = {"!active": ResponseMode.ACTIVE, "!quiet": ResponseMode.OBSERVE}
        match word.split()[0]:
            case "!active" | "!quiet" | "!mention-only":
                self._modes[key] = modes.get(word, ResponseMode.MENTION_ONLY)
            case "!pause":
                self._paused.add(key)
            case "!resume":
                self._paused.discard(key)
            case "!new":
                self.rewrote(key)

    def will_ask(self, key: ChannelKey, *, addressed: bool = True) -> bool:
        """Say whether a message there goes to the model, by what the manual says."""
        if key in self._paused:
            return False
        mode = self._modes.get(key, ResponseMode.MENTION_ONLY)
        private = key.channel.startswith("console:dm:")
        return private or mode is ResponseMode.ACTIVE or (addressed and mode is ResponseMode.MENTION_ONLY)

    async def foretell(self, key: ChannelKey) -> Foretold | None:
        """Ask the inspector what comes next; None for a channel that was never heard of."""
        try:
            found = await self.bot.app.inspector.inspect(key)
        except UserError:
            return None
        assert found.snapshot is not None
        tokenizer = await self.bot.app.inspector.contexts.tokenizer(found.snapshot.inputs.limits)
        return Foretold(found, tokenizer, await self._rests_on(found.state))

    async def settled(self) -> tuple[list[Told], list[StoredInbound]]:
        """Check everything that must hold after any step; return the turns and messages that are new."""
        assert (self.server.script, self._unforeseen) == ([], 0), "the model was asked more or less often than foreseen"
        self.follow(())
        told = [Told(turn, await self._requests(turn)) for turn in await self._new_turns()]
        self._account_for(told)
        for one in told:
            for request in one.requests:
                await self._is_shown(one.turn, request)
        for key in await self.keys():
            await self._live_is_stored(key)
        return told, await self._new_inbounds()

    async def came_true(self, key: ChannelKey, foretold: Foretold | None, told: Sequence[Told]) -> None:
        """Check that a turn which began in a quiet moment sent what was foretold, behind what was sent before."""
        one = next((one for one in told if one.turn.key == key and one.turn.kind is ProcessKind.CHANNEL), None)
        if foretold is None or one is None or not one.requests:
            return
        first = one.requests[0]
        trigger = Trigger(messages=await self._trigger(one.turn), at=one.turn.started_at)
        snapshot = foretold.next.snapshot
        assert snapshot is not None
        # whether words must be counted depends on how many there are, so both ways to count were foretold
        tokenizer = first.record.stats.tokenizer
        assert tokenizer in (BYTES, foretold.tokenizer)
        inputs = snapshot.inputs.model_copy(update={"trigger": trigger, "tokenizer": tokenizer})
        again = self.bot.app.inspector.contexts.assembled(inputs)
        assert again.digest == first.record.digest, "next was not what was sent"
        self._continues(key, first, len(trigger.messages), foretold.rests_on)

    @asynccontextmanager
    async def no_trace(self) -> AsyncIterator[None]:
        """Whatever is done inside leaves channels, their requests and the model alone."""
        ratio = self.bot.store.meter.learned_ratio
        model = f"{self.server.language}/test-model"
        before = await self._traces(), await ratio(model)
        async with self.not_asked():
            yield
        assert (await self._traces(), await ratio(model)) == before, "looking left a trace"

    @asynccontextmanager
    async def no_trace_in_channels(self) -> AsyncIterator[None]:
        """Whatever is done inside leaves channels and their requests alone, though the model may be asked."""
        before = await self._traces()
        yield
        assert await self._traces() == before, "the inspection left a trace"

    @asynccontextmanager
    async def not_asked(self) -> AsyncIterator[None]:
        """Nothing inside asks the model."""
        before = self._asked()
        yield
        assert self._asked() == before, "the model was asked"

    async def keys(self) -> list[ChannelKey]:
        """Every channel that the store knows."""
        return [known.key for known in await self.bot.store.channels.known()]

    async def digests(self) -> dict[ChannelKey, str]:
        """The states of all channels as they are at rest, by their names."""
        return {key: digest(await self.bot.store.channels.load(key)) for key in await self.keys()}

    async def outcomes(self) -> Counter[str]:
        """Check that every message has its one outcome, and that no trail tells of drift; count them."""
        found: Counter[str] = Counter()
        for row in range(1, self._inbound + 1):
            trail = await self.bot.store.ledger.trail(row)
            assert trail is not None and trail.inbound.outcome is not None
            assert not any(stage.reason.startswith("drift") for stage in trail.stages)
            found[trail.inbound.outcome.value] += 1
        return found

    async def _new_turns(self) -> list[StoredTurn]:
        found = []
        while (turn := await self.bot.store.journal.turn(self._turn + 1)) is not None:
            found.append(turn)
            self._turn += 1
        return found

    async def _new_inbounds(self) -> list[StoredInbound]:
        found = []
        while (inbound := await self.bot.store.ledger.inbound(self._inbound + 1)) is not None:
            assert inbound.outcome is not None, f"{inbound.inbound.text!r} has no outcome"
            found.append(inbound)
            self._inbound += 1
        return found

    async def _requests(self, turn: StoredTurn) -> tuple[StoredRequest, ...]:
        return tuple(await self.bot.store.journal.requests_of_turn(turn.id))

    def _account_for(self, told: Sequence[Told]) -> None:
        """What the server received is what the journal says was posted: every attempt, and nothing else."""
        received = [one.body for one in self.server.received[self._heard :] if one.is_chat]
        self._heard = len(self.server.received)
        posted = [request.record.wire_sha256 for one in told for request in one.requests for _ in request.attempts]
        assert Counter(hashlib.sha256(body).hexdigest() for body in received) == Counter(posted)
        self.requests += len(received)

    async def _is_shown(self, turn: StoredTurn, stored: StoredRequest) -> None:
        """The journal's request gives the bytes again, with a fresh encoder and to whoever inspects it."""
        record = stored.record
        dialect = Dialect.of_encoder(record.encoder)
        assert bool(dialect.traits) == bool(self.dialect)
        fresh = client_of(self.server).encode(record.request, dialect)
        assert fresh.sha256 == record.wire_sha256 == hashlib.sha256(fresh.body).hexdigest()
        assert (record.digest, record.wire_bytes) == (record.request.digest, len(fresh.body))
        if not turn.channel:
            # the doctor's question for one token is about no channel that could be inspected
            return
        shown = await self.bot.app.inspector.inspect(turn.key, stored.id)
        assert (shown.wire.body, shown.wire.sha256, shown.wire.note) == (fresh.body, record.wire_sha256, "")

    async def _live_is_stored(self, key: ChannelKey) -> None:
        live = self.bot.app.registry.get(key)
        assert live is None or digest(live) == digest(await self.bot.store.channels.load(key)), f"{key} differs at rest"

    async def _trigger(self, turn: StoredTurn) -> tuple:
        rows = [await self.bot.store.ledger.inbound(row) for row in turn.inbounds]
        return tuple(as_message(row.id, row.inbound, ambient=False) for row in rows if row is not None)

    async def _rests_on(self, state: ChannelState) -> object:
        """What the system prompt is made of beside the history: mode, memories, neighbours; and who reads it."""
        store, guild, settings = self.bot.store, state.place.guild_id, state.settings
        memories = {(m.id, m.version) for m in await store.memories.listed(MAIN, state.id, guild)}
        neighbours = {n.id for n in await store.channels.neighbours(state.key, guild, 100)}
        return settings.mode, settings.model, state.epoch, memories, neighbours

    def _continues(self, key: ChannelKey, first: StoredRequest, triggers: int, rests_on: object) -> None:
        """A request begins with all that the one before held up to its trigger, byte for byte."""
        if self.dialect:
            # neighbours are joined and calls are told: there is no message more for each that was said
            return
        body = client_of(self.server).encode(first.record.request).body
        told = _as_chat(body, triggers) if self.server.language == "openai" else _as_messages(body, triggers)
        now = Sent(*told, rests_on)
        before = self._sent.get(key)
        if before is not None and before.rests_on == rests_on and not first.record.dropped_turns:
            assert now.history.startswith(before.history), "the history was sent differently"
            assert now.end == before.end, "the request ended differently"
        self._sent[key] = now

    async def _traces(self) -> object:
        store = self.bot.store
        requests = {key: [r.id for r in await store.journal.recent_requests(key, 1000)] for key in await self.keys()}
        awake = self.bot.app.registry.keys()
        live = {key: digest(state) for key in awake if (state := self.bot.app.registry.get(key))}
        memories = [m for key in await self.keys() for m in await store.memories.listed(MAIN, key.channel, "terminal")]
        return await self.digests(), live, requests, memories

    def _asked(self) -> int:
        """How often the model was asked for a channel; a doctor's question for one token is for none."""
        return sum(received.is_chat and WORDS.encode() not in received.body for received in self.server.received)


def _as_chat(body: bytes, triggers: int) -> tuple[bytes, bytes]:
    """Return the bytes of a chat completion up to its triggers, and those behind the messages."""
    request = orjson.loads(body)
    messages = request["messages"]
    kept = messages[: len(messages) - triggers]
    head = b'{"model":' + orjson.dumps(request["model"]) + b',"tools":' + orjson.dumps(request["tools"])
    history = b"".join([head, b',"messages":[', *[orjson.dumps(message) + b"," for message in kept]])
    assert body.startswith(history)
    return history, body[body.rindex(b'],"tool_choice":') :]


def _as_messages(body: bytes, triggers: int) -> tuple[bytes, bytes]:
    """Return what Anthropic reads up to the triggers, block by block, and all that stands before the messages."""
    # breakpoints move, and are no part of what is read
    bare = body.replace(b',"cache_control":{"type":"ephemeral"}', b"")
    head = bare[: bare.index(b',"messages":[')]
    blocks = [(message["role"], block) for message in orjson.loads(bare)["messages"] for block in message["content"]]
    kept = blocks[: len(blocks) - triggers]
    return head + b"".join(orjson.dumps(block) + b"," for block in kept), head
