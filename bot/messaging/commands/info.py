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
from bot.text.figures import duration, exact_number, money, quantity
from bot.text.text import one_line_name
from bot.text.times import age, minute

_DAY_MS = 86_400_000
_WHY = {
    "author": "from bots",
    "place": "place not allowed",
    "sender": "user not allowed",
    "pause": "while paused",
    "mode": "while observing",
    "addressing": "not addressed",
    "rate": "too many a minute",
    "budget": "over today's budget",
    "loop": "bots talking to each other",
}
_UNSEEN = frozenset({ProcessKind.CORTEX, ProcessKind.INSPECTION, ProcessKind.REPLAY})
_MODES = {
    ResponseMode.ACTIVE: "answers every message",
    ResponseMode.MENTION_ONLY: "answers when addressed",
    ResponseMode.OBSERVE: "observes silently",
}


async def whoami(call: GivenCommand, desk: CommandContext) -> str:
    """Print the ids to copy into the configuration."""
    inbound, where = call.inbound, call.inbound.place
    lines = [
        f"You are {shown(one_line_name(inbound.author.name))}, tier: {call.caller.authority.word}.",
        f"user id: {inbound.author.user_id} (owner_ids, admin_ids, moderator_ids, allowed_users, blocked_users)",
        f"channel id: {inbound.channel} (allowed_channels, blocked_channels)",
    ]
    if where.guild_id:
        lines.append(f"server id: {where.guild_id} (allowed_guilds)")
    lines += [f"lies in: {parent} (allowed_channels)" for parent in where.parents]
    lines += [f"agent: {agent} (agents.{agent}.channels)" for agent in [call.key.agent] if desk.config.agents]
    return "\n".join(lines)


async def why(call: GivenCommand, desk: CommandContext) -> str:
    """Say why the asker's own message got no answer, and nothing of anybody or anything else."""
    return await desk.own_data.run(call.inbound.person, partial(desk.cortex().members.why, call.stored))


async def status(call: GivenCommand, desk: CommandContext) -> str:
    """Show on one screen what is set here, what waits, how the last turn ended, and what was ignored."""
    key, now = call.key, desk.clock.now()
    settings, name = desk.book.of(key), shown(one_line_name(call.inbound.channel_name))
    mode = "answers every message" if call.inbound.place.is_dm else _MODES[settings.mode]
    queue = _queue_line(desk.registry.queue(key))
    agent = f" · agent {key.agent}" if desk.config.agents else ""
    lines = [f"{name}: {mode}{agent}", *_full_line(desk.room), *paused_line(settings), queue]
    turns = await desk.store.journal.recent_turns(key, 1)
    if turns:
        ended = turns[0].ended_at
        lines.append(f"Last turn: {turns[0].status}{f', {age(now - ended)} ago' if ended else ''}")
    lines.append(_ignored_line(await desk.store.ledger.counts(key, now - _DAY_MS)))
    platform = desk.platforms.get(call.inbound.adapter)
    if platform is not None:
        health = platform.health()
        seen = f", last event {age(now - health.last_event_at)} ago" if health.last_event_at else ""
        lines.append(f"{platform.name}: {health.state}{seen}")
    return "\n".join(lines)


async def usage(call: GivenCommand, desk: CommandContext) -> str:
    """Show what was used here in the last 24 hours."""
    rows = await desk.store.meter.usage(call.key, desk.clock.now() - _DAY_MS)
    if not call.inbound.place.is_dm:
        # everybody reads along, and that an admin looked is between them and the cortex
        rows = [row for row in rows if row.kind not in _UNSEEN]
    if not rows:
        return "Nothing was asked of a model here in 24 h."
    priced = desk.config.model.price_input is not None or any(row.cost_usd for row in rows)
    lines = ["Used here in 24 h:", *(_usage_line(row, priced=priced) for row in rows)]
    if not priced:
        lines.append("Cost: not known, no price is configured.")
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
        return f"Hello, I am {name}. You opted out, so I keep and answer nothing. {call.typed('optout')} off ends that."
    if shut:
        return _not_open(call, desk, sender.NAME in shut)
    how = "Just write." if inbound.place.is_dm else f"Mention me, reply to me, or say my name: {name}."
    return f"Hello, I am {name}. {how} {call.prefix}help shows what I understand."


def _not_open(call: GivenCommand, desk: CommandContext, is_person: bool) -> str:
    """Say politely that talk is not answered, and what has to stand in the lists; only admins get this far."""
    ids = f"your id: {call.inbound.author.user_id}"
    if not call.inbound.place.is_dm:
        ids += f", this channel's id: {call.inbound.channel}"
    to = "to you" if is_person or call.inbound.place.is_dm else "here"
    name = desk.config.called(call.key.agent)
    return f"Hello, I am {name}. I am sorry, I am not open {to}. An admin can change that ({ids})."


def paused_line(settings: ChannelSettings) -> list[str]:
    """Say who paused a channel, when and why; nothing when nobody did."""
    pause = settings.pause
    if pause is None:
        return []
    reason = f": {shown(pause.reason)}" if pause.reason else ", no reason given"
    return [f"Paused since {minute(pause.at)} UTC by {_article(pause.by_role)}{reason}"]


def _full_line(room: DiskGuard) -> list[str]:
    since = room.short_since()
    if not since:
        return []
    return [f"The disk is almost full since {minute(since)} UTC: I hear commands of those who steer me, and no talk."]


def _article(role: str) -> str:
    return f"an {role}" if role[:1] in "aeiou" else f"a {role}"


def _queue_line(queue: QueueHealth) -> str:
    waits = f"{queue.waiting} waiting, the oldest for {duration(queue.oldest_wait_ms / 1000)}"
    runs = f"{queue.running_what} for {duration(queue.running_ms / 1000)}"
    return f"Queue: {waits if queue.waiting else 'nothing waits'}; {runs if queue.running_what else 'nothing runs'}"


def _ignored_line(counts: Sequence[OutcomeCount]) -> str:
    stopped = {Outcome.GATED, Outcome.STORED_ONLY}
    ignored = [c for c in counts if c.outcome in stopped and (c.reason in _WHY or c.outcome is Outcome.GATED)]
    total = sum(count.count for count in ignored)
    if not total:
        return "No message was ignored here in 24 h."
    what = ", ".join(f"{exact_number(count.count)} {_why(count.reason)}" for count in ignored)
    return f"{exact_number(total)} message{'s' * (total != 1)} ignored here in 24 h: {what}"


def _why(gate: str) -> str:
    return _WHY.get(gate) or say("plugins.ignored", gate=one_line_name(gate, 32))


def _usage_line(row: UsageRow, *, priced: bool) -> str:
    tokens = f"{quantity(row.input)} tokens in ({quantity(row.cached)} cached), {quantity(row.output)} out"
    cost = f", {money(row.cost_usd)}" if priced else ""
    return f"{row.day} {row.kind}, {row.model}: {exact_number(row.requests)} requests, {tokens}{cost}"
