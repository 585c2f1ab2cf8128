"""Collect the evidence of a question, from a live bot or from the store of a dead one; nothing is changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from bot.config.schema import Config, PlatformConfig
from bot.diagnostics.around import what_lies_around
from bot.diagnostics.beside import siblings_of
from bot.diagnostics.choose import DAY_MS, Choice, choose
from bot.diagnostics.evidence import ConfiguredLists, Evidence, LastAnswer, Offered, Target, TurnEvidence
from bot.diagnostics.known import every_channel, message_of
from bot.diagnostics.reading import Gate
from bot.diagnostics.silent import SilentGroup, group_silent
from bot.domain.base import Frozen
from bot.domain.channel import ChannelSettings, ChannelState
from bot.domain.handles import parse_handle
from bot.domain.health import AdapterHealth, Heartbeat, ModelHealth, Probe, QueueHealth, Vitals
from bot.domain.ids import AgentId, ChannelId, ChannelKey, Person, UserId, platform_of
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.memory import Memory, MemoryReach
from bot.domain.messages import Place
from bot.domain.snapshot import ContextSnapshot
from bot.domain.stale import StaleConfig
from bot.domain.turn import OutboxState, StoredOutbox, StoredRequest
from bot.ports.channels import ChannelDirectory
from bot.ports.clock import Clock
from bot.ports.store import Store

log = structlog.get_logger(__name__)

FRESH_MS = 60_000
"""A sign of life older than this is that of a dead process."""

_RECENT = 100
_TRAILS = 10
_PROBE_SECONDS = 1.0
"""How long a platform may take to speak of itself; the whole answer is promised within two seconds."""

Preview = Callable[[ChannelKey], Awaitable[ContextSnapshot | None]]
"""Assembles what the next request would be; left out where nothing can be assembled (on the host)."""

Stale = Callable[[], Awaitable[StaleConfig | None]]
"""Compares the configuration that runs with its files."""

Probing = Callable[[ChannelId], Awaitable[Sequence[Probe]]]
"""Asks the platform of a channel about itself and the channel, without polling it."""


class Ask(Frozen):
    """Who asks and about what: the message replied to, a ledger row, or neither; nothing before `since` is chosen.

    Nor is `asking`, the message that is the question itself.
    """

    asker: Person | None = None
    replied_message_id: str = ""
    inbound: int = 0
    since: int = 0
    asking: int = 0


@dataclass(frozen=True)
class Live:
    """What only the running process knows."""

    directory: ChannelDirectory
    adapters: Callable[[], Sequence[AdapterHealth]]
    models: Callable[[], Sequence[ModelHealth]]
    preview: Preview | None = None
    probe: Probing | None = None
    stale: Stale | None = None
    tools: Callable[[ChannelKey], Sequence[Offered]] = lambda _: ()
    vitals: Callable[[ChannelId], Vitals] | None = None


@dataclass(frozen=True)
class Collector:
    """Reads ports only: no lock of a channel, no model call. `live` is None on the host, where the bot may be dead."""

    store: Store
    clock: Clock
    config: Config
    live: Live | None = None

    async def collect(self, key: ChannelKey, name: str, ask: Ask) -> Evidence:
        """Read everything that the rules may look at; works for channels that are not active, and unknown ones."""
        read, probes, stale = self._read(key, name, ask), self._probes(key.channel), self._stale()
        evidence, said, unread = await asyncio.gather(read, probes, stale)
        vitals = self.live.vitals(key.channel) if self.live and self.live.vitals else Vitals()
        around = await what_lies_around(self.store, self.config.providers, key, evidence)
        return evidence.model_copy(update={"probes": said, "stale": unread, "vitals": vitals, **around})

    async def _read(self, key: ChannelKey, name: str, ask: Ask) -> Evidence:
        now, heartbeat = self.clock.now(), await self.store.heartbeat()
        state = await self._state(key)
        choice = await self._choose(key, ask, now)
        about = await self.store.ledger.trail(choice.inbound.id) if choice else None
        turn = await self._turn(about.inbound) if about else None
        recent = await self.store.ledger.recent(key, _RECENT)
        place = state.place if state else recent[0].inbound.place if recent else Place()
        trails = [await self.store.ledger.trail(inbound.id) for inbound in recent[:_TRAILS]]
        requests = await self.store.journal.recent_requests(key, 1)
        platform = self._platform(key.channel)
        return Evidence(
            now=now,
            running=self.live is not None or _is_alive(heartbeat, now),
            live=self.live is not None,
            target=Target(
                agent=key.agent,
                channel=key.channel,
                name=name or (state.name if state else key.channel),
                place=place,
                settings=state.settings if state else ChannelSettings(mode=platform.default_mode),
                about=about,
                about_why=choice.why if choice else "",
            ),
            adapter=self._adapter(key.channel, heartbeat),
            adapter_enabled=self._is_enabled(key.channel, heartbeat),
            heartbeat=heartbeat,
            models=tuple(self.live.models()) if self.live else (),
            queue=self.live.directory.queue(key) if self.live else QueueHealth(),
            turn=turn,
            recent=tuple(trail for trail in trails if trail is not None),
            recent_turns=tuple(await self.store.journal.recent_turns(key, _TRAILS)),
            last_request=requests[0] if requests else None,
            next_context=await self.live.preview(key) if self.live and self.live.preview else None,
            memories=await self._memories(key, place, about.inbound if about else None, turn),
            counts=tuple(await self.store.ledger.counts(key, now - DAY_MS)),
            undelivered=await _undelivered(self.store, key),
            lists=_lists(platform),
            other_ids=_other_ids(key.channel, place, name),
            turn_timeout=self.config.model.turn_timeout,
            debounce_longest=self.config.conversation.debounce_longest,
            admins=(*platform.owner_ids, *platform.admin_ids),
            last_answer=await self._last_answer(recent),
            namesakes=await self._namesakes(key, about.inbound) if about else (),
            names=self.store.channels.moves.names(key.channel),
            tools=tuple(self.live.tools(key)) if self.live else (),
            siblings=await siblings_of(self.store, about.inbound, turn) if about else (),
        )

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

    async def _probes(self, channel: ChannelId) -> tuple[Probe, ...] | None:
        """Ask the platform, where that is possible from here; None when it does not answer in time."""
        if self.live is None or self.live.probe is None:
            return ()
        try:
            return tuple(await asyncio.wait_for(self.live.probe(channel), _PROBE_SECONDS))
        except TimeoutError:
            return None
        except Exception as error:  # noqa: BLE001 - an adapter in trouble is asked about, and must not end the answer
            log.warning("probe_failed", channel=channel, error_type=type(error).__name__)
            return None

    async def _state(self, key: ChannelKey) -> ChannelState | None:
        active = self.live.directory.get(key) if self.live else None
        return active or await self.store.channels.load(key)

    async def _choose(self, key: ChannelKey, ask: Ask, now: int) -> Choice | None:
        ledger = self.store.ledger
        if ask.inbound and (asked := await ledger.inbound(ask.inbound)) and asked.key == key:
            return Choice(await self._leader(asked), "asked about")
        if ask.replied_message_id and (found := await message_of(self.store, key, ask.replied_message_id)):
            return Choice(await self._leader(found), "replied to")
        recent = [
            inbound
            for inbound in await ledger.recent(key, _RECENT)
            if inbound.arrived_at >= ask.since and inbound.id != ask.asking
        ]
        return choose(recent, ask.asker, now)

    async def _leader(self, found: StoredInbound) -> StoredInbound:
        """Return the message that carries the outcome when several were taken up together."""
        turn = await self.store.journal.turn(found.turn) if found.turn else None
        if found.outcome is not Outcome.SUPERSEDED or turn is None or not turn.inbounds:
            return found
        return await self.store.ledger.inbound(turn.inbounds[-1]) or found

    async def _turn(self, about: StoredInbound) -> TurnEvidence | None:
        journal = self.store.journal
        turn = await journal.turn(about.turn) if about.turn else None
        if turn is None:
            return None
        return TurnEvidence(
            turn=turn,
            requests=(*await journal.requests_of_turn(turn.id), *await self.store.outlines.outlines_of_turn(turn.id)),
            calls=tuple(await journal.calls_of_turn(turn.id)),
            outbox=tuple(await self.store.outbox.of_inbound(about.id)),
        )

    async def _memories(
        self, key: ChannelKey, place: Place, about: StoredInbound | None, turn: TurnEvidence | None
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

    async def _namesakes(self, key: ChannelKey, about: StoredInbound) -> tuple[ChannelId, ...]:
        if about.outcome is not Outcome.GATED or about.outcome_reason != Gate.PLACE:
            return ()
        known = await self.store.channels.known(key.agent)
        platform, name = platform_of(key.channel), about.inbound.channel_name
        same = (one for one in known if one.name == name and platform_of(one.id) == platform and one.id != key.channel)
        return tuple(one.id for one in same if one.last_at < about.arrived_at)

    def _platform(self, channel: ChannelId) -> PlatformConfig:
        return self.config.platforms.get(platform_of(channel), PlatformConfig())

    def _adapter(self, channel: ChannelId, heartbeat: Heartbeat | None) -> AdapterHealth | None:
        known = self.live.adapters() if self.live else heartbeat.adapters if heartbeat else ()
        return next((adapter for adapter in known if adapter.name == platform_of(channel)), None)

    def _is_enabled(self, channel: ChannelId, heartbeat: Heartbeat | None) -> bool:
        configured = self.config.platforms.get(platform_of(channel))
        if configured is not None:
            return configured.enabled
        return self._adapter(channel, heartbeat) is not None


async def _undelivered(store: Store, key: ChannelKey) -> tuple[StoredOutbox, ...]:
    dead, uncertain = [await store.outbox.in_state(key, doubtful, _TRAILS) for doubtful in (False, True)]
    return (*dead, *uncertain)


def _is_alive(heartbeat: Heartbeat | None, now: int) -> bool:
    return heartbeat is not None and not heartbeat.exit_reason and now - heartbeat.at <= FRESH_MS


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


def _other_ids(channel: ChannelId, place: Place, name: str) -> tuple[tuple[str, UserId], ...]:
    path = channel.partition(":")[2]
    parts = path.split(":")
    # behind a guild stands the channel's own id; otherwise what stands first is the chat that a topic is part of
    own = parts[-1] if parts[0] == place.guild_id else parts[0]
    ids = [("channel", channel), ("channel", path), ("channel", own), ("guild", place.guild_id)]
    ids += [("parent", parent) for parent in place.parents]
    ids += [("channel's name", name), ("channel's name", name.lstrip("#"))]
    return tuple(dict.fromkeys((what, UserId(value)) for what, value in ids if value))
