"""Commands that only tell something; everybody may use them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.config.owner_claim import CODE_START
from bot.domain.channel import ChannelSettings, ProcessKind, ResponseMode
from bot.domain.health import QueueHealth
from bot.domain.ledger import Outcome, OutcomeCount
from bot.domain.turn import UsageRow
from bot.messaging.commands.context import CommandContext, GivenCommand, shown
from bot.messaging.policy.disk_guard import DiskGuard
from bot.messaging.policy.gates import place, sender
from bot.ports.cortex import CommandCall
from bot.sentences import say
from bot.text.figures import duration, money, quantity
from bot.text.text import one_line_name
from bot.text.times import age, minute

_DAY_MS = 86_400_000
_WHY = {
    "author": "chat_commands.ignored-author",
    "place": "chat_commands.ignored-place",
    "sender": "chat_commands.ignored-sender",
    "pause": "chat_commands.ignored-pause",
    "mode": "chat_commands.ignored-mode",
    "addressing": "chat_commands.ignored-addressing",
    "rate": "chat_commands.ignored-rate",
    "budget": "chat_commands.ignored-budget",
    "loop": "chat_commands.ignored-loop",
}
_UNSEEN = frozenset({ProcessKind.CORTEX, ProcessKind.INSPECTION, ProcessKind.REPLAY})
_MODES = {
    ResponseMode.ACTIVE: "chat_commands.status-active",
    ResponseMode.MENTION_ONLY: "chat_commands.status-mention-only",
    ResponseMode.OBSERVE: "chat_commands.status-observe",
}


async def whoami(call: GivenCommand, desk: CommandContext) -> str:
    """Print the ids to copy into the configuration."""
    inbound, where = call.inbound, call.inbound.place
    lines = [
        say(
            "chat_commands.you-are",
            name=shown(one_line_name(inbound.author.name)),
            tier=call.caller.authority.word,
        ),
        say("chat_commands.user-id", id=inbound.author.user_id),
        say("chat_commands.channel-id", id=inbound.channel),
    ]
    if where.guild_id:
        lines.append(say("chat_commands.server-id", id=where.guild_id))
    lines += [say("chat_commands.lies-in", id=parent) for parent in where.parents]
    lines += [say("chat_commands.agent", agent=agent) for agent in [call.key.agent] if desk.config.agents]
    return "\n".join(lines)


async def why(call: GivenCommand, desk: CommandContext) -> str:
    """Say why the asker's own message got no answer, and nothing of anybody or anything else."""
    return await desk.own_data.run(call.inbound.person, partial(desk.cortex().members.why, call.stored))


async def status(call: GivenCommand, desk: CommandContext) -> str:
    """Show on one screen what is set here, what waits, how the last turn ended, and what was ignored."""
    key, now = call.key, desk.clock.now()
    settings, name = desk.book.of(key), shown(one_line_name(call.inbound.channel_name))
    if is_private := call.inbound.place.is_dm:
        name = say("chat_commands.direct-messages")
    mode = _MODES[ResponseMode.ACTIVE if is_private else settings.mode]
    queue = _queue_line(desk.registry.queue(key))
    agent = (say("chat_commands.status-agent", agent=key.agent),) if desk.config.agents else ()
    head = " · ".join((say(mode, place=name), *agent))
    lines = [head, *_full_line(desk.room), *paused_line(settings), queue]
    turns = await desk.store.journal.recent_turns(key, 1)
    if turns:
        ended, last = turns[0].ended_at, turns[0].status.value
        if ended:
            lines.append(say("chat_commands.last-turn-ago", status=last, age=age(now - ended)))
        else:
            lines.append(say("chat_commands.last-turn", status=last))
    lines.append(_ignored_line(await desk.store.ledger.counts(key, now - _DAY_MS)))
    platform = desk.platforms.get(call.inbound.adapter)
    if platform is not None:
        health = platform.health()
        told, state = platform.name, health.state.value
        if health.last_event_at:
            ago = age(now - health.last_event_at)
            lines.append(say("chat_commands.platform-event", platform=told, state=state, age=ago))
        else:
            lines.append(say("chat_commands.platform-is", platform=told, state=state))
    return "\n".join(lines)


async def usage(call: GivenCommand, desk: CommandContext) -> str:
    """Show what was used here in the last 24 hours."""
    rows = await desk.store.meter.usage(call.key, desk.clock.now() - _DAY_MS)
    if not call.inbound.place.is_dm:
        # everybody reads along, and that an admin looked is between them and the cortex
        rows = [row for row in rows if row.kind not in _UNSEEN]
    if not rows:
        return say("chat_commands.nothing-used")
    priced = desk.config.model.price_input is not None or any(row.cost_usd for row in rows)
    lines = [say("chat_commands.used"), *(_usage_line(row, priced=priced) for row in rows)]
    if not priced:
        lines.append(say("chat_commands.no-price"))
    return "\n".join(lines)


async def start(call: GivenCommand, desk: CommandContext) -> str:
    """Greet, also where nothing else is answered; a link from the cortex arrives as `/start <payload>`."""
    inbound, name = call.inbound, desk.config.called(call.key.agent)
    if call.line.words and (inbound.place.is_dm or call.line.words.startswith(CODE_START)):
        answer = await desk.cortex().started(CommandCall(call.stored, call.caller, call.line.words))
        if answer is not None:
            return answer
    # asked about talk: the commands of an admin get through everywhere
    talk = inbound.replace(text="")
    shut = {verdict.gate for verdict in desk.would(talk) if not verdict.passed} & {place.NAME, sender.NAME}
    if desk.book.has_opted_out(inbound.person):
        return say("chat_commands.hello-opted-out", name=name, command=call.typed("optout"))
    if shut:
        return _not_open(call, desk, sender.NAME in shut)
    hello = "chat_commands.hello-private" if inbound.place.is_dm else "chat_commands.hello-group"
    return say(hello, name=name, help=f"{call.prefix}help")


def _not_open(call: GivenCommand, desk: CommandContext, is_person: bool) -> str:
    """Say politely that talk is not answered, and what has to stand in the lists; only admins get this far."""
    name, user = desk.config.called(call.key.agent), call.inbound.author.user_id
    if call.inbound.place.is_dm:
        return say("chat_commands.not-open-private", name=name, user=user)
    closed = "chat_commands.not-open-person" if is_person else "chat_commands.not-open-here"
    return say(closed, name=name, user=user, channel=call.inbound.channel)


def paused_line(settings: ChannelSettings) -> list[str]:
    """Say who paused a channel, when and why; nothing when nobody did."""
    pause = settings.pause
    if pause is None:
        return []
    time, role = minute(pause.at), pause.by_role
    if pause.reason:
        return [say("chat_commands.paused-since-for", time=time, role=role, words=shown(pause.reason))]
    return [say("chat_commands.paused-since", time=time, role=role)]


def _full_line(room: DiskGuard) -> list[str]:
    since = room.short_since()
    if not since:
        return []
    return [say("chat_commands.disk-full", time=minute(since))]


def _queue_line(queue: QueueHealth) -> str:
    waits, runs = say("chat_commands.queue-empty"), say("chat_commands.queue-idle")
    if queue.waiting:
        oldest = duration(queue.oldest_wait_ms / 1000)
        waits = say("chat_commands.queue-waiting", count=queue.waiting, time=oldest)
    if queue.running_what:
        runs = say("chat_commands.queue-running", what=queue.running_what, time=duration(queue.running_ms / 1000))
    return say("chat_commands.queue", waiting=waits, running=runs)


def _ignored_line(counts: Sequence[OutcomeCount]) -> str:
    stopped = {Outcome.GATED, Outcome.STORED_ONLY}
    ignored = [c for c in counts if c.outcome in stopped and (c.reason in _WHY or c.outcome is Outcome.GATED)]
    total = sum(count.count for count in ignored)
    if not total:
        return say("chat_commands.nothing-ignored")
    why = ", ".join(_why(count) for count in ignored)
    return say("chat_commands.ignored", count=total, why=why)


def _why(count: OutcomeCount) -> str:
    if count.reason in _WHY:
        return say(_WHY[count.reason], count=count.count)
    return say("plugins.ignored", count=count.count, gate=one_line_name(count.reason, 32))


def _usage_line(row: UsageRow, *, priced: bool) -> str:
    values: dict[str, str | float] = {
        "day": row.day,
        "kind": str(row.kind),
        "model": str(row.model),
        "requests": row.requests,
        "input": quantity(row.input),
        "cached": quantity(row.cached),
        "output": quantity(row.output),
    }
    if priced:
        return say("chat_commands.usage-row-cost", cost=money(row.cost_usd), **values)
    return say("chat_commands.usage-row", **values)
