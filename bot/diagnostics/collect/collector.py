"""Collect the evidence of a question, from a live bot or from the store of a dead one; nothing is changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.config.schema import Config, PlatformConfig
from bot.diagnostics import piece_reader
from bot.diagnostics.collect.choose_message import DAY_MS, AskedAbout, ChosenMessage, choose_for
from bot.diagnostics.collect.dropped_messages import dropped_before
from bot.diagnostics.collect.lookup import every_channel, find_message
from bot.diagnostics.collect.nearby_evidence import (
    approvals_of,
    fresh_chat_of,
    handed_out_of,
    routes_of,
    spent_of,
    strangers_of,
    work_of,
)
from bot.diagnostics.collect.sibling_threads import siblings_of
from bot.diagnostics.evidence.evidence import (
    ConfiguredLists,
    DiagnosisTarget,
    DroppedMessages,
    Evidence,
    FreshChat,
    LastAnswer,
    MessageChoice,
    PendingApproval,
    ProcessTool,
    SiblingThread,
    TurnEvidence,
)
from bot.diagnostics.evidence.evidence_reader import GateName
from bot.diagnostics.evidence.past_trouble import past_trouble
from bot.diagnostics.failure_words import unread_part
from bot.diagnostics.piece_reader import PieceReader
from bot.diagnostics.silent_channels import SilentGroup, group_silent
from bot.domain.base import FrozenModel
from bot.domain.channel import ChannelSettings, ChannelState
from bot.domain.handles import parse_handle
from bot.domain.health import (
    AdapterHealth,
    ChannelProcess,
    Heartbeat,
    ModelHealth,
    ProbeResult,
    ProcessVitals,
    QueueHealth,
)
from bot.domain.ids import AgentId, ChannelId, ChannelKey, PersonKey, UserId, platform_of
from bot.domain.ledger import InboundTrail, Outcome, OutcomeCount, StoredInbound
from bot.domain.memory import Memory, MemoryReach
from bot.domain.messages import ChannelPlace
from bot.domain.process import StoredProcess
from bot.domain.snapshot import ContextSnapshot
from bot.domain.stale_config import StaleConfig
from bot.domain.turn import OutboxState, StoredOutbox, StoredRequest, StoredTurn, UsageRow
from bot.ports.channels import ChannelDirectory
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.sentences import say

FRESH_HEARTBEAT_MS = 60_000
"""A sign of life older than this is that of a dead process."""

_MAX_RECENT_MESSAGES = 100
_MAX_TRAILS = 10

Preview = Callable[[ChannelKey], Awaitable[ContextSnapshot | None]]
"""Assembles what the next request would be; left out where nothing can be assembled (on the host)."""

Stale = Callable[[], Awaitable[StaleConfig | None]]
"""Compares the configuration that runs with its files."""

Probing = Callable[[ChannelId], Awaitable[Sequence[ProbeResult]]]
"""Asks the platform of a channel about itself and the channel, without polling it."""


class EvidenceQuery(FrozenModel):
    """Who asks and about what: the message replied to, a ledger row, or neither; nothing before `since` is chosen.

    Nor is `asking`, the message that is the question itself. `words` are those of the question; `knowing`: it asks
    whether the bot knew something.
    """

    asker: PersonKey | None = None
    replied_message_id: str = ""
    inbound: int = 0
    since: int = 0
    asking: int = 0
    about: AskedAbout = AskedAbout.SILENCE
    words: str = ""
    knowing: bool = False


@dataclass(frozen=True)
class LiveSources:
    """What only the running process knows."""

    directory: ChannelDirectory
    adapters: Callable[[], Sequence[AdapterHealth]]
    models: Callable[[], Sequence[ModelHealth]]
    preview: Preview | None = None
    probe: Probing | None = None
    stale: Stale | None = None
    tools: Callable[[ChannelKey], Sequence[ProcessTool]] = lambda _: ()
    vitals: Callable[[ChannelId], ProcessVitals] | None = None
    elsewhere: Callable[[ChannelId], Awaitable[ChannelProcess | None]] | None = None
    """Says which other process has a channel; None where none has, or this one."""
    counting: Callable[[], BaseException | None] | None = None
    """Says why tokens can only be estimated, if that is so."""


class _Channel(NamedTuple):
    """What was read of a channel; None or nothing also stands for what could not be read."""

    heartbeat: Heartbeat | None
    state: ChannelState | None
    choice: ChosenMessage | None
    recent: Sequence[StoredInbound]
    newest: Sequence[StoredRequest]
    turns: Sequence[StoredTurn]
    counts: Sequence[OutcomeCount]
    undelivered: tuple[StoredOutbox, ...]
    preview: ContextSnapshot | None
    stale: StaleConfig | None
    said: tuple[ProbeResult, ...] | None


class _Message(NamedTuple):
    """What was read of the message that is asked about, in the same way."""

    trail: InboundTrail | None
    trails: tuple[InboundTrail, ...]
    answer: LastAnswer | None
    turn: TurnEvidence | None
    namesakes: tuple[ChannelId, ...]
    work: StoredProcess | None
    strangers: tuple[StoredInbound, ...]
    fresh_chat: FreshChat | None
    spent: tuple[UsageRow, ...]
    memories: tuple[Memory, ...]
    approvals: tuple[PendingApproval, ...]
    siblings: tuple[SiblingThread, ...]
    dropped: tuple[DroppedMessages, ...]
    handed_out: tuple[StoredProcess, ...]


@dataclass(frozen=True)
class EvidenceCollector:
    """Reads ports only: no lock of a channel, no model call. `live` is None on the host, where the bot may be dead."""

    store: Store
    clock: Clock
    config: Config
    live: LiveSources | None = None

    async def collect(self, key: ChannelKey, name: str, ask: EvidenceQuery) -> Evidence:
        """Read everything that the rules may look at; works for channels that are not active, and unknown ones.

        Raises nothing: what cannot be read, or not in time, is missing, and the evidence says which and why.
        """
        now, pieces = self.clock.now(), PieceReader()
        found = await self._channel(pieces, key, ask, now)
        state, recent, heartbeat = found.state, found.recent, found.heartbeat
        place = state.place if state else recent[0].inbound.place if recent else ChannelPlace()
        about = await self._message(pieces, key, found, place, now, ask)
        store, take = self.store, pieces.take
        live, platform = self.live, self._platform(key.channel)
        elsewhere = await pieces.read("elsewhere", "unread.elsewhere", lambda: self._elsewhere(key), None)
        is_here = live is not None and elsewhere is None
        known = take("adapter", "unread.adapter", lambda: tuple(self._adapters(heartbeat)), ())
        adapter = next((one for one in known if one.name == platform_of(key.channel)), None)
        models = take("models", "unread.models", lambda: tuple(live.models()) if live else (), ())
        queue = take("queue", "unread.queue", lambda: self._queue(key, is_here=is_here), QueueHealth())
        tools = take("tools", "unread.tools", lambda: tuple(live.tools(key)) if live else (), ())
        vitals = take("vitals", "unread.vitals", lambda: self._vitals(key.channel), ProcessVitals())
        names = take("names", "unread.names", lambda: store.channels.moves.names(key.channel), ())
        self._note_estimates(pieces)
        return Evidence(
            now=now,
            running=live is not None or _is_alive(heartbeat, now),
            live=is_here,
            elsewhere=elsewhere,
            target=DiagnosisTarget(
                agent=key.agent,
                channel=key.channel,
                name=name or (state.name if state else key.channel),
                place=place,
                settings=state.settings if state else ChannelSettings(mode=platform.default_mode),
                about=about.trail,
                about_why=found.choice.why if found.choice else "",
                missing=_missing_of_target(pieces.missing, has_place=bool(state or recent)),
            ),
            adapter=adapter,
            adapter_enabled=self._is_enabled(key.channel, adapter),
            heartbeat=heartbeat,
            models=models,
            queue=queue,
            turn=about.turn,
            recent=about.trails,
            recent_turns=tuple(found.turns),
            last_request=found.newest[0] if found.newest else None,
            next_context=found.preview,
            memories=about.memories,
            counts=tuple(found.counts),
            undelivered=found.undelivered,
            lists=_lists(platform),
            other_ids=_other_ids(key.channel, place, name),
            turn_timeout=self.config.model.turn_timeout,
            debounce_longest=self.config.conversation.debounce_longest,
            admins=(*platform.owner_ids, *platform.admin_ids),
            last_answer=about.answer,
            probes=found.said,
            namesakes=about.namesakes,
            names=names,
            stale=found.stale,
            tools=tools,
            vitals=vitals,
            spent=about.spent,
            routes=routes_of(self.config.providers),
            approvals=about.approvals,
            strangers=about.strangers,
            fresh_chat=about.fresh_chat,
            work=about.work,
            handed_out=about.handed_out,
            siblings=about.siblings,
            dropped=about.dropped,
            question=ask.words if ask.knowing else "",
            past=past_trouble(recent, about.trail.inbound if about.trail else None),
            unread=tuple(pieces.unread),
            missing=self._missing(pieces.missing, key.channel),
        )

    async def _channel(self, pieces: PieceReader, key: ChannelKey, ask: EvidenceQuery, now: int) -> _Channel:
        """Read what is known of the channel, and which message is meant."""
        store, read = self.store, pieces.read
        first = asyncio.gather(
            read("heartbeat", "unread.heartbeat", store.heartbeat, None),
            read("settings", "unread.settings", lambda: self._state(key), None),
            read("about", "unread.which-message", lambda: self._choose(key, ask, now), None),
            read("heard", "unread.newest-messages", lambda: store.ledger.recent(key, _MAX_RECENT_MESSAGES), ()),
            read("last_request", "unread.last-request", lambda: store.journal.recent_requests(key, 1), ()),
            read("recent_turns", "unread.newest-turns", lambda: store.journal.recent_turns(key, _MAX_TRAILS), ()),
        )
        beside = asyncio.gather(
            read("counts", "unread.outcomes", lambda: store.ledger.counts(key, now - DAY_MS), ()),
            read("undelivered", "unread.undelivered", lambda: _undelivered(store, key), ()),
            read("next_context", "unread.next-request", lambda: self._preview(key), None),
            read("stale", "unread.stale", self._stale, None),
            self._probes(pieces, key.channel),
        )
        read_first, read_beside = await asyncio.gather(first, beside)
        return _Channel(*read_first, *read_beside)

    async def _message(
        self, pieces: PieceReader, key: ChannelKey, found: _Channel, place: ChannelPlace, now: int, ask: EvidenceQuery
    ) -> _Message:
        """Read what is known of the message, and of what lies around it."""
        store, read, recent = self.store, pieces.read, found.recent
        trail, trails, answer = await asyncio.gather(
            read("about", "unread.message-trail", lambda: self._trail(found.choice), None, needs=("about",)),
            read("recent", "unread.newest-trails", lambda: self._trails(recent), (), needs=("heard",)),
            read("last_answer", "unread.last-answer", lambda: self._last_answer(recent), None, needs=("heard",)),
        )
        about = trail.inbound if trail else None
        turn, namesakes, work, strangers, fresh_chat, spent = await asyncio.gather(
            read("turn", "unread.turn", lambda: self._turn(pieces, about), None, needs=("about",)),
            read("namesakes", "unread.namesakes", lambda: self._namesakes(key, about), (), needs=("about",)),
            read("work", "unread.own-work", lambda: work_of(store, about), None, needs=("about",)),
            read(
                "strangers",
                "unread.strangers",
                lambda: strangers_of(store, about, recent),
                (),
                needs=("about", "heard"),
            ),
            read("fresh_chat", "unread.fresh-starts", lambda: fresh_chat_of(store, key, about), None, needs=("about",)),
            read("spent", "unread.spent", lambda: spent_of(store, trail, now), (), needs=("about",)),
        )
        memories, approvals, siblings, dropped, handed_out = await asyncio.gather(
            read("memories", "unread.memories", lambda: self._memories(key, place, about, turn), (), needs=("turn",)),
            read("approvals", "unread.approvals", lambda: approvals_of(store, turn), (), needs=("turn",)),
            read("siblings", "unread.siblings", lambda: siblings_of(store, about, turn), (), needs=("turn",)),
            read(
                "dropped",
                "unread.dropped",
                lambda: dropped_before(store, key, about, turn, fresh_chat, asked=ask.knowing),
                (),
                needs=("turn", "fresh_chat"),
            ),
            read("handed_out", "unread.handed-out", lambda: handed_out_of(store, about, turn), (), needs=("turn",)),
        )
        return _Message(
            trail,
            trails,
            answer,
            turn,
            namesakes,
            work,
            strangers,
            fresh_chat,
            spent,
            memories,
            approvals,
            siblings,
            dropped,
            handed_out,
        )

    def _missing(self, pieces: Collection[str], channel: ChannelId) -> frozenset[str]:
        """Name the fields that rest on what could not be read."""
        found = set(pieces)
        if "heartbeat" in found and self.live is None:
            found |= {"running", "adapter"}
        if "adapter" in found and platform_of(channel) not in self.config.platforms:
            found.add("adapter_enabled")
        return frozenset(found)

    def _note_estimates(self, pieces: PieceReader) -> None:
        """Say that tokens can only be estimated, where that is so."""
        trouble = self.live.counting() if self.live and self.live.counting else None
        if trouble is not None:
            pieces.unread.append(unread_part(say("unread.token-counts"), trouble))

    async def silent_channels(self, agents: Sequence[AgentId], since: int) -> tuple[SilentGroup, ...]:
        """Say which channels are silent for the same cause since a time (UTC ms), the largest group first."""
        counts = await self.store.ledger.counts(None, since)
        # where nothing was ever let in, a list is the likely cause: those channels must not be left out
        return group_silent(counts, await every_channel(self.store, agents, since))

    async def _stale(self) -> StaleConfig | None:
        if self.live is not None:
            return await self.live.stale() if self.live.stale else None
        # what a dead process ran with is nobody's trouble: the next one reads the files anew
        beat = await self.store.heartbeat()
        return beat.stale if _is_alive(beat, self.clock.now()) and beat is not None else None

    async def _probes(self, pieces: PieceReader, channel: ChannelId) -> tuple[ProbeResult, ...] | None:
        """Ask the platform, where that is possible from here; None when it does not answer in time."""
        if self.live is None or self.live.probe is None:
            return ()
        try:
            return tuple(await asyncio.wait_for(self.live.probe(channel), piece_reader.PROBE_SECONDS))
        except TimeoutError:
            # the rules know what to make of a platform that does not answer
            return None
        except Exception as error:  # noqa: BLE001 - an adapter in trouble is asked about, and must not end the answer
            pieces.without("", "unread.platform-now", error)
            return None

    async def _preview(self, key: ChannelKey) -> ContextSnapshot | None:
        return await self.live.preview(key) if self.live and self.live.preview else None

    async def _elsewhere(self, key: ChannelKey) -> ChannelProcess | None:
        if self.live is None:
            return await self.store.process_of(key.channel)
        return await self.live.elsewhere(key.channel) if self.live.elsewhere else None

    def _queue(self, key: ChannelKey, *, is_here: bool) -> QueueHealth:
        return self.live.directory.queue(key) if self.live and is_here else QueueHealth()

    def _vitals(self, channel: ChannelId) -> ProcessVitals:
        return self.live.vitals(channel) if self.live and self.live.vitals else ProcessVitals()

    async def _trail(self, choice: ChosenMessage | None) -> InboundTrail | None:
        return await self.store.ledger.trail(choice.inbound.id) if choice else None

    async def _trails(self, recent: Sequence[StoredInbound]) -> tuple[InboundTrail, ...]:
        # asked for at once: one after the other, each would wait for a thread of its own
        found = await asyncio.gather(*(self.store.ledger.trail(inbound.id) for inbound in recent[:_MAX_TRAILS]))
        return tuple(trail for trail in found if trail is not None)

    async def _state(self, key: ChannelKey) -> ChannelState | None:
        active = self.live.directory.get(key) if self.live else None
        return active or await self.store.channels.load(key)

    async def _choose(self, key: ChannelKey, ask: EvidenceQuery, now: int) -> ChosenMessage | None:
        ledger = self.store.ledger
        if ask.inbound and (asked := await ledger.inbound(ask.inbound)) and asked.key == key:
            return ChosenMessage(await self._leader(asked), MessageChoice.ASKED_ABOUT)
        if ask.replied_message_id and (found := await find_message(self.store, key, ask.replied_message_id)):
            return ChosenMessage(await self._leader(found), MessageChoice.REPLIED_TO)
        recent = [
            inbound
            for inbound in await ledger.recent(key, _MAX_RECENT_MESSAGES)
            if inbound.arrived_at >= ask.since and inbound.id != ask.asking
        ]
        return choose_for(ask.about, recent, ask.asker, now, ask.words)

    async def _leader(self, found: StoredInbound) -> StoredInbound:
        """Return the message that carries the outcome when several were taken up together."""
        turn = await self.store.journal.turn(found.turn) if found.turn else None
        if found.outcome is not Outcome.SUPERSEDED or turn is None or not turn.inbounds:
            return found
        return await self.store.ledger.inbound(turn.inbounds[-1]) or found

    async def _turn(self, pieces: PieceReader, about: StoredInbound | None) -> TurnEvidence | None:
        journal, own = self.store.journal, PieceReader(piece_reader.PART_SECONDS)
        turn = await journal.turn(about.turn) if about and about.turn else None
        if turn is None or about is None:
            return None

        async def requests() -> tuple[StoredRequest, ...]:
            whole = await journal.requests_of_turn(turn.id)
            return (*whole, *await self.store.outlines.outlines_of_turn(turn.id))

        asked, calls, outbox = await asyncio.gather(
            own.read("requests", "unread.asked-model", requests, ()),
            own.read("calls", "unread.tool-calls", lambda: journal.calls_of_turn(turn.id), ()),
            own.read("outbox", "unread.sent", lambda: self.store.outbox.of_inbound(about.id), ()),
        )
        pieces.unread += own.unread
        return TurnEvidence(
            turn=turn, requests=asked, calls=tuple(calls), outbox=tuple(outbox), missing=frozenset(own.missing)
        )

    async def _memories(
        self, key: ChannelKey, place: ChannelPlace, about: StoredInbound | None, turn: TurnEvidence | None
    ) -> tuple[Memory, ...]:
        """Read what the request showed, even if it is forgotten now, and what is in the sender's reach."""
        sender = about.inbound.author.user_id if about else None
        reach = MemoryReach(agent=key.agent, channel=key.channel, guild_id=place.guild_id, user_id=sender)
        found = {memory.id: memory for memory in await self.store.memories.in_reach(reach)}
        for name in _shown(turn.requests if turn else ()):
            handle = parse_handle(name)
            memory = await self.store.memories.by_handle(handle) if handle else None
            if memory is not None:
                found[memory.id] = memory
        return tuple(found[row] for row in sorted(found, reverse=True))

    async def _last_answer(self, recent: Sequence[StoredInbound]) -> LastAnswer | None:
        answered = next((inbound for inbound in recent if inbound.outcome is Outcome.REPLIED), None)
        if answered is None:
            return None
        rows = await self.store.outbox.of_inbound(answered.id)
        sent = [row.row for row in rows if row.state is OutboxState.SENT]
        return LastAnswer(inbound=answered.id, at=answered.outcome_at, delivery=sent[-1] if sent else 0)

    async def _namesakes(self, key: ChannelKey, about: StoredInbound | None) -> tuple[ChannelId, ...]:
        if about is None or about.outcome is not Outcome.GATED or about.outcome_reason != GateName.PLACE:
            return ()
        known = await self.store.channels.known(key.agent)
        platform, name = platform_of(key.channel), about.inbound.channel_name
        same = (one for one in known if one.name == name and platform_of(one.id) == platform and one.id != key.channel)
        return tuple(one.id for one in same if one.last_at < about.arrived_at)

    def _platform(self, channel: ChannelId) -> PlatformConfig:
        return self.config.platforms.get(platform_of(channel), PlatformConfig())

    def _adapters(self, heartbeat: Heartbeat | None) -> Sequence[AdapterHealth]:
        return self.live.adapters() if self.live else heartbeat.adapters if heartbeat else ()

    def _is_enabled(self, channel: ChannelId, adapter: AdapterHealth | None) -> bool:
        configured = self.config.platforms.get(platform_of(channel))
        return configured.enabled if configured is not None else adapter is not None


def _missing_of_target(pieces: Collection[str], *, has_place: bool) -> frozenset[str]:
    """Name the fields of the target that rest on what could not be read."""
    found = {"settings"} & set(pieces)
    if "about" in pieces:
        found |= {"about", "about_why"}
    if "settings" in pieces and not has_place:
        found.add("place")
    return frozenset(found)


async def _undelivered(store: Store, key: ChannelKey) -> tuple[StoredOutbox, ...]:
    dead, uncertain = [await store.outbox.in_state(key, doubtful, _MAX_TRAILS) for doubtful in (False, True)]
    return (*dead, *uncertain)


def _is_alive(heartbeat: Heartbeat | None, now: int) -> bool:
    return heartbeat is not None and not heartbeat.exit_reason and now - heartbeat.at <= FRESH_HEARTBEAT_MS


def _shown(requests: Sequence[StoredRequest]) -> tuple[str, ...]:
    sources = (source for request in requests for section in request.record.sections for source in section.sources)
    return tuple(dict.fromkeys(s.removeprefix("memory:") for s in sources if s.startswith("memory:")))


def _lists(platform: PlatformConfig) -> ConfiguredLists:
    return ConfiguredLists(
        allowed_users=platform.allowed_users,
        blocked_users=platform.blocked_users,
        allowed_channels=platform.allowed_channels,
        blocked_channels=platform.blocked_channels,
        allowed_guilds=platform.allowed_guilds,
    )


def _other_ids(channel: ChannelId, place: ChannelPlace, name: str) -> tuple[tuple[str, UserId], ...]:
    path = channel.partition(":")[2]
    parts = path.split(":")
    # behind a guild stands the channel's own id; otherwise what stands first is the chat that a topic is part of
    own = parts[-1] if parts[0] == place.guild_id else parts[0]
    ids = [("channel", channel), ("channel", path), ("channel", own), ("guild", place.guild_id)]
    ids += [("parent", parent) for parent in place.parents]
    ids += [("channel's name", name), ("channel's name", name.lstrip("#"))]
    return tuple(dict.fromkeys((what, UserId(value)) for what, value in ids if value))
