"""What the commands of the host share with the chat: they read the store of a bot that may be dead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.config.schema import Config
from bot.cortex.alerts.admin_alerts import alert_routes_probe
from bot.cortex.doctor.heartbeat_status import is_alive, pulse
from bot.cortex.fixes.privacy_offers import UNRECORDED_BY_FILE, not_recorded
from bot.cortex.pages.memory_audit import (
    MEMORIES_A_PAGE,
    AuditedPage,
    AuditQuery,
    AuditReach,
    memory_value,
    page_text,
    places_of,
    since_now,
)
from bot.cortex.pages.memory_chart_page import ChartQuery, Teacher, ordered, teaching_chart, timeline_text
from bot.cortex.targets.record_lookup import RecordLookup, trail_line
from bot.cortex.targets.record_viewer import record_text
from bot.cortex.targets.target_parser import (
    ParsedTarget,
    TargetParser,
    about_message,
    lost_message_error,
    unknown_channel_error,
)
from bot.cortex.targets.target_resolver import named_agent
from bot.cortex.words.report import first_message
from bot.diagnostics.collect.collector import EvidenceCollector, EvidenceQuery
from bot.diagnostics.collect.lookup import every_channel
from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.failure_words import unread_line
from bot.diagnostics.piece_reader import PATIENT_SECONDS, PieceReader
from bot.diagnostics.rules import Rule
from bot.diagnostics.silent_channels import SilentGroup
from bot.domain.access import Authority
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.health import ProbeResult
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey
from bot.domain.ledger import InboundTrail
from bot.domain.memory_timeline import TimelineSpan
from bot.domain.record_access import HOST as HOST_READER
from bot.domain.record_access import RecordReader, may_read, of_channel
from bot.domain.turn import MarkKind
from bot.errors import UserError
from bot.inspect.charts.memory_values import MAX_TEACHERS, TeachingChart
from bot.messaging.policy.access import AccessPolicy, tiers_of
from bot.messaging.policy.agent_routing import AgentRouter
from bot.ports.channels import KnownChannel
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.sentences import say
from bot.text.figures import exact_number
from bot.text.redaction import Redactor
from bot.text.text import one_line_name, quote_line
from bot.text.times import age, plain_times

_DAY_MS = 86_400_000
_MAX_TRAILS = 20
HOST = "host"
"""Stands where a chat shows the session's handle."""


class HostAnswer(NamedTuple):
    """An answer for a person, and the same as plain values for `--json`; `ill` when it says that something is wrong."""

    text: str
    value: Any
    ill: bool = False


class TaughtAnswer(NamedTuple):
    """Who taught the bot how much, and the picture of it (None: there is nothing to draw)."""

    answer: HostAnswer
    chart: TeachingChart | None


@dataclass(frozen=True)
class HostQueries:
    """A store opened for looking, and what is configured.

    `agent` is whose channels are meant (empty: each belongs to the agent that has it). `is_closed` says which channels
    do not exist for whoever asks. Where that is not the `host` itself, what an admin did in private does not exist.
    """

    store: Store
    config: Config
    clock: Clock
    agent: str = ""
    is_closed: Callable[[KnownChannel], bool] = lambda _: False
    is_host: bool = True
    rules: Sequence[Rule] = ()

    async def why(self, target: str | None, *, everywhere: bool, since: int = 0) -> HostAnswer:
        """Diagnose one channel (the most recently used one when none is named), or group all silent ones by cause."""
        if everywhere:
            return await self._everywhere(since or self.clock.now() - _DAY_MS)
        channel, meant = await self.meant(target)
        ask = EvidenceQuery(since=since, inbound=about_message(meant))
        evidence = await self._collector().collect(channel.key, channel.name, ask)
        diagnosis = diagnose(evidence, self.rules)
        text = first_message(diagnosis, HOST, Authority.OWNER, has_buttons=False)
        return HostAnswer(
            plain_times(text),
            _plain(diagnosis.model_dump(mode="json")),
            ill=bool(diagnosis.findings or diagnosis.unread),
        )

    async def ledger(self, target: str | None, *, words: bool = True) -> HostAnswer:
        """List how the newest messages of a channel ended, or show the whole trail of one, with its words or not."""
        channel, meant = await self.meant(target)
        if meant.name:
            return await self._trail(about_message(meant), words=words)
        trails = []
        for stored in await self.store.ledger.recent(channel.key, _MAX_TRAILS):
            trail = await self.store.ledger.trail(stored.id)
            trails += [trail] if trail is not None else []
        name, count = one_line_name(channel.name), len(trails)
        lines = [say("cli.newest-messages", name=name, id=str(channel.key), count=count)]
        lines += [trail_line(trail) for trail in trails]
        return HostAnswer(plain_times("\n".join(lines)), [_trail(trail) for trail in trails])

    async def memories(self, target: str | None, query: AuditQuery, redactor: Redactor) -> HostAnswer:
        """List what is remembered in a channel, or on its server, in pages."""
        channel, _ = await self.meant(target)
        reach, now = await self._reach(channel, everywhere=query.everywhere), self.clock.now()
        wanted, skip = since_now(query, now), (query.page - 1) * MEMORIES_A_PAGE
        found, total = await self.store.memory_audit.page(reach.places, reach.open_ones, wanted, skip, MEMORIES_A_PAGE)
        edges = await self.store.memories.edges([memory.id for memory in found], None)
        page = AuditedPage(found, total, reach.hidden)
        text = page_text(page, edges, query, one_line_name(channel.name), now, redactor)
        listed = [memory_value(memory, redactor) for memory in found]
        value = {"channel": str(channel.id), "total": total, "page": query.page, "pages": page.pages}
        return HostAnswer(plain_times(text), {**value, "withheld": page.hidden, "memories": listed})

    async def taught(self, target: str | None, query: ChartQuery, redactor: Redactor) -> TaughtAnswer:
        """Say who taught a channel how much, or its server, and when."""
        channel, _ = await self.meant(target)
        span = TimelineSpan.back(self.clock.now(), query.span_ms)
        reach = await self._reach(channel, everywhere=query.everywhere)
        found = await self.store.memory_audit.timeline(reach.places, reach.open_ones, span, MAX_TEACHERS)
        tier = AccessPolicy(tiers_of(self.config), {}, self.config.cortex.inspect_dms).tier
        teachers, name = ordered(found, tier, redactor), one_line_name(channel.name)
        name = say("cli.server-of", name=name) if query.everywhere else name
        text = timeline_text(found, teachers, name, reach.hidden, redactor)
        value = {
            "channel": str(channel.id),
            "since": span.since,
            "until": span.until,
            "total": found.total.total,
            "forgotten": found.total.forgotten,
            "older": found.older,
            "withheld": reach.hidden,
            "teachers": [_taught(one) for one in teachers],
        }
        chart = teaching_chart(found, teachers, name) if found.total.total else None
        return TaughtAnswer(HostAnswer(plain_times(text), value), chart)

    async def _reach(self, channel: KnownChannel, *, everywhere: bool) -> AuditReach:
        known = await self.known()
        places = places_of(channel.key, channel.place.guild_id, known if everywhere else ())
        sources = await self.store.memory_audit.sources(places)
        open_ones = frozenset(one for one in sources if self.is_host or any(one == channel.id for channel in known))
        return AuditReach(places, open_ones, sum(many for one, many in sources.items() if one not in open_ones))

    async def memory(self, name: str, redactor: Redactor) -> HostAnswer:
        """Tell the story of a memory."""
        parsed = parse_handle(name)
        found = await self.store.memories.by_handle(parsed) if parsed and parsed.kind is HandleKind.MEMORY else None
        record = await RecordLookup(self.store, self.clock, self.config.platform_names).read(name) if found else None
        is_known = self.is_host or (found and found.body.channel in {one.id for one in await self.known()})
        if found is None or record is None or not is_known:
            raise UserError(say("cli.no-memory", typed=quote_line(name, 40)))
        text = record_text(
            record,
            redactor,
            words=may_read(self._reader(ChannelKey(found.body.agent, found.body.channel)), record.owner),
        )
        return HostAnswer(plain_times(text), memory_value(found, redactor))

    async def status(self) -> HostAnswer:
        """Say whether the bot is alive, from its last sign of life, and what happened in the last 24 h."""
        now, pieces = self.clock.now(), PieceReader(*PATIENT_SECONDS)
        beat = await pieces.read("heartbeat", "unread.heartbeat", self.store.heartbeat, None)
        counts = await pieces.read("counts", "unread.ended", lambda: self.store.ledger.counts(None, now - _DAY_MS), ())
        alive = is_alive(beat, now)
        lost = "heartbeat" in pieces.missing
        lines = [say("cli.unknown-running" if lost else "cli.running" if alive else "cli.not-running")]
        if beat is not None:
            facts = {"pid": str(beat.pid), "version": beat.version, "age": age(now - beat.at)}
            lines = [say("cli.sign-of-life", running=lines[0], **facts)]
            lines += [
                f"  {one_line_name(a.name)}: {a.state.value} {quote_line(a.detail, 80)}".rstrip() for a in beat.adapters
            ]
            lines += [
                f"  mcp {one_line_name(s.name)}: {s.state.value} {quote_line(s.detail, 80)}".rstrip()
                for s in beat.servers
            ]
            ended = one_line_name(beat.exit_reason, 120)
            lines += [f"  {say('cli.ended', why=ended)}"] if beat.exit_reason else []
        outcomes: dict[str, int] = {}
        for count in counts:
            outcomes[count.outcome.value] = outcomes.get(count.outcome.value, 0) + count.count
        listed = ", ".join(f"{exact_number(n)} {name}" for name, n in outcomes.items()) or say("cli.no-messages")
        lines.append(say("cli.last-day", counts=listed))
        alerts = alert_routes_probe(self.config).evidence
        lines.append(say("cli.alerts", how=alerts))
        lines += [say("cli.could-not-read", what=unread_line(one)) for one in pieces.unread]
        heartbeat = beat.model_dump(mode="json") if beat is not None else None
        value = {"running": alive, "heartbeat": heartbeat, "outcomes": outcomes, "alerts": alerts}
        return HostAnswer(plain_times("\n".join(lines)), _plain(value), ill=not alive or bool(pieces.unread))

    async def pulse(self) -> tuple[ProbeResult, ...]:
        """Say how the process and its platforms are, from the last sign of life."""
        return pulse(await self.store.heartbeat(), self.clock.now())

    async def request(self, target: str | None) -> tuple[ChannelKey, int]:
        """Return the channel that is meant, and the recorded request (0: none was named); raise UserError."""
        _, meant = await self.meant(target)
        return meant.key, await self._finder.request_of(meant) if meant.name else 0

    async def check_recorded(self, key: ChannelKey) -> None:
        """Raise UserError where the last request of a channel was not to be recorded: an older one is not the last."""
        mark = await self.store.outlines.newest_mark(key)
        if mark is None or mark.kind is not MarkKind.UNRECORDED:
            return
        by_file = self.config.channel(key.channel, self.store.channels.moves.former_ids(key.channel)).record is False
        state = None if by_file else await self.store.channels.load(key)
        raise UserError(not_recorded(UNRECORDED_BY_FILE if by_file else state.settings.unrecorded if state else None))

    async def meant(self, target: str | None) -> tuple[KnownChannel, ParsedTarget]:
        """Return what is meant and its channel (the one used last when none is named); raise UserError."""
        agents, everywhere = self._agents(), await self.known()
        if not everywhere:
            raise UserError(say("cli.never-a-message"))
        known = self._of_agent(everywhere)
        if target is None:
            newest = max(known, key=lambda channel: channel.last_at)
            return newest, ParsedTarget(newest.key)
        if not self.agent:
            # whoever has a channel now is meant; one that nobody of today has is found by its agent's name
            known, target = named_agent(everywhere, agents, target)
        nowhere = ChannelKey(MAIN, ChannelId(""))
        found = await self._finder.find(target, None, nowhere, known)
        if found is not None and not await self._may_read(found):
            found = None
        # a handle means its own record, whoever has the channel now
        channel = next((channel for channel in everywhere if found and channel.key == found.key), None)
        if found is None or channel is None:
            raise unknown_channel_error(target, None, nowhere, known)
        if found.lost:
            raise lost_message_error(found, channel.name)
        return channel, found

    @property
    def _finder(self) -> TargetParser:
        return TargetParser(self.store, self.config.platform_names)

    async def known(self) -> Sequence[KnownChannel]:
        """Return every channel from which something ever arrived, whoever had it, but for those that are closed."""
        agents = self._agents()
        every = await every_channel(self.store, (*agents.names, *await self._others(agents)), 0)
        return [channel for channel in every if not self.is_closed(channel)]

    async def _may_read(self, meant: ParsedTarget) -> bool:
        owner = await self.store.journal.owner_of(meant.turn) if meant.turn else of_channel(meant.key)
        return may_read(self._reader(meant.key), owner)

    def _reader(self, key: ChannelKey) -> RecordReader:
        return HOST_READER if self.is_host else RecordReader(frozenset({key}))

    def _agents(self) -> AgentRouter:
        return AgentRouter(self.config.agents, lambda: self.store.channels.moves)

    def _of_agent(self, everywhere: Sequence[KnownChannel]) -> Sequence[KnownChannel]:
        if not self.agent:
            return everywhere
        known = [channel for channel in everywhere if channel.agent == self.agent]
        if not known:
            names = ", ".join(sorted({channel.agent for channel in everywhere}))
            raise UserError(say("cli.agent-has-no-channel", agent=quote_line(self.agent, 40), names=names))
        return known

    async def _others(self, agents: AgentRouter) -> Sequence[AgentId]:
        """Return agents of the past: the configuration does not name them any more."""
        known = {AgentId(channel.agent) for channel in await self.store.channels.known()}
        return sorted(known.difference(agents.names))

    async def _trail(self, inbound: int, *, words: bool) -> HostAnswer:
        name, trail = handle(HandleKind.INBOUND, inbound), await self.store.ledger.trail(inbound)
        record = await RecordLookup(self.store, self.clock, self.config.platform_names).read(name)
        if trail is None or record is None or not may_read(self._reader(trail.inbound.key), record.owner):
            raise UserError(say("cli.not-in-ledger", name=name))
        return HostAnswer(record_text(record, Redactor.of({}), words=words), [_trail(trail)])

    async def _everywhere(self, since: int) -> HostAnswer:
        every = await self._collector().silent_channels((MAIN, *map(AgentId, self.config.agents)), since)
        groups = every if self.is_host else _only({str(channel.id) for channel in await self.known()}, every)
        alive = is_alive(await self.store.heartbeat(), self.clock.now())
        lines = [] if alive else [say("cli.nobody-answers")]
        lines += [] if groups or not alive else [say("cli.none-silent")]
        for group in groups:
            cause = f"{group.outcome.value}{f': {quote_line(group.reason, 60)}' if group.reason else ''}"
            lines.append(say("cli.silent-by-cause", cause=cause, channels=len(group.channels)))
            for one in group.channels:
                name, of = quote_line(one.name, 40), str(one.channel)
                lines.append(f"  {say('cli.silent-channel', name=name, id=of, messages=one.count)}")
        value = {"running": alive, "silent": [group.model_dump(mode="json") for group in groups]}
        return HostAnswer(plain_times("\n".join(lines)), _plain(value), ill=bool(groups) or not alive)

    def _collector(self) -> EvidenceCollector:
        return EvidenceCollector(self.store, self.clock, self.config)


def _only(known: Collection[str], groups: Sequence[SilentGroup]) -> list[SilentGroup]:
    """Leave out channels that do not exist for whoever asks, and groups of nothing else."""
    kept = [group.replace(channels=tuple(one for one in group.channels if one.channel in known)) for group in groups]
    return [group for group in kept if group.channels]


def _plain(value: Any) -> Any:
    """Write every time out, for programs that read this."""
    if isinstance(value, str):
        return plain_times(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _trail(trail: InboundTrail) -> dict[str, Any]:
    stored = trail.inbound
    return {
        "handle": handle(HandleKind.INBOUND, stored.id),
        "arrived_at": stored.arrived_at,
        "outcome": stored.outcome.value if stored.outcome else None,
        "reason": stored.outcome_reason,
        "stages": [row.model_dump(mode="json") for row in trail.stages],
    }


def _taught(teacher: Teacher) -> dict[str, Any]:
    person, total = teacher.counts.person, teacher.counts.total
    return {
        "name": teacher.name,
        "id": person.user_id if person is not None else "",
        "people": teacher.counts.people,
        "role": teacher.role.word if teacher.role is not None else "",
        "saved": total.total,
        "forgotten": total.forgotten,
    }
