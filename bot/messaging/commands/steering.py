"""Commands that change how the bot behaves in a channel."""

from __future__ import annotations

from bot.domain.access import Authority
from bot.domain.channel import ChannelPause, ChannelSettings, ResponseMode
from bot.domain.finding import NewAudit
from bot.errors import UserError
from bot.messaging.channels.queues import UndoReset
from bot.messaging.commands.context import CommandContext, GivenCommand, shown
from bot.messaging.commands.info import paused_line
from bot.prompts import render

FRESH_START, STOPPED = "fresh start", "stop"
"""What the audit calls them."""
UNDO_MS = 24 * 3_600_000
"""For how long a fresh start can be taken back."""
_DM_IS_ACTIVE = "In a private chat I always answer; modes are for groups."


async def stop(call: GivenCommand, desk: CommandContext) -> str:
    """Cancel the turn that runs, and whatever works for the channel; of ordinary members only what is theirs.

    In a group the answer that is being written is theirs when everything that it answers is.
    """
    channel, lane = desk.registry.live(call.key), desk.registry.queues.lane(call.key)
    may_all = call.inbound.place.is_dm or call.caller.authority >= Authority.MODERATOR
    asked = {stored.inbound.person for stored in lane.running} if lane is not None else set()
    is_theirs = may_all or asked <= {call.caller.person}
    stopped = is_theirs and channel is not None and channel.stop()
    count = await desk.stop_work(call.key, "stopped on command", None if may_all else call.caller.person)
    if stopped or count:
        work = f"{count} in the background" if count else ""
        what = " and ".join(part for part in ("an answer" if stopped else "", work) if part)
        await desk.store.audit.append(_audit(call, desk, STOPPED, f"stopped {what}"))
    if count:
        return f"Stopped, with {count} that worked in the background."
    if stopped:
        return "Stopped."
    return "Nothing is running here." if is_theirs else render("not_yours")


async def new(call: GivenCommand, desk: CommandContext) -> str:
    """Begin the conversation anew, or take that back."""
    words = call.line.words.lower()
    if words == "undo":
        by = _audit(call, desk, f"undo {FRESH_START}")
        desk.undo(call.key, UndoReset(by, by.at - UNDO_MS, call.answer))
        return ""
    if words:
        raise UserError(f"{call.typed('new')} begins anew; {call.typed('new')} undo takes that back.")
    desk.renew(call.key, _audit(call, desk, FRESH_START))
    return render("fresh_start", what="done", undo=f"{call.typed('new')} undo")


def _audit(call: GivenCommand, desk: CommandContext, action: str, detail: str = "") -> NewAudit:
    person = call.caller.person
    return NewAudit(
        at=desk.clock.now(),
        platform=person.platform,
        actor=person.user_id,
        actor_name=call.caller.name,
        action=action,
        target=call.key.channel,
        detail=detail,
        own=call.inbound.place.is_dm,
    )


async def active(call: GivenCommand, desk: CommandContext) -> str:
    return await _set_mode(call, desk, ResponseMode.ACTIVE, "I answer every message here now.")


async def mention_only(call: GivenCommand, desk: CommandContext) -> str:
    return await _set_mode(call, desk, ResponseMode.MENTION_ONLY, "I answer here when somebody addresses me.")


async def quiet(call: GivenCommand, desk: CommandContext) -> str:
    text = f"I read along here and say nothing, until {call.typed('active')} or {call.typed('mention-only')}."
    return await _set_mode(call, desk, ResponseMode.OBSERVE, text)


async def pause(call: GivenCommand, desk: CommandContext) -> str:
    """Be silent until told otherwise."""
    words = call.line.words
    if words.lower() == "off":
        return await resume(call, desk)
    settings = desk.book.of(call.key)
    if settings.pause is not None:
        return f"{paused_line(settings)[0]}. {call.prefix}resume ends it."
    now = ChannelPause(
        by=call.caller.person.user_id,
        by_role=call.caller.authority.word,
        at=desk.clock.now(),
        inbound=call.stored.id,
        reason=words[:500],
    )
    await _change(call, desk, settings.replace(pause=now))
    return f"Paused: I answer nothing here until {call.prefix}resume."


async def resume(call: GivenCommand, desk: CommandContext) -> str:
    settings = desk.book.of(call.key)
    if settings.pause is None:
        return "This channel is not paused."
    was = paused_line(settings)[0]
    await _change(call, desk, settings.replace(pause=None))
    return f"Resumed. ({was})"


async def model(call: GivenCommand, desk: CommandContext) -> str:
    """Show or set the model of this channel."""
    settings, wanted = desk.book.of(call.key), call.line.words
    channel = call.key.channel
    own = desk.config.channel(channel, desk.book.moves.former_ids(channel)).model
    configured = own or desk.config.agent(call.key.agent).model or desk.config.model.name
    if not wanted:
        origin = "set here" if settings.model else "as configured"
        return f"Model here: {settings.model or configured} ({origin}). {call.prefix}model provider/name sets another."
    if wanted.lower() == "default":
        await _change(call, desk, settings.replace(model=""))
        return f"Model here: {configured} (as configured)."
    provider, slash, name = wanted.partition("/")
    if not slash or not name or provider not in desk.config.providers or len(wanted) > 128 or " " in wanted:
        known = ", ".join(f"{provider}/..." for provider in sorted(desk.config.providers))
        raise UserError(f"I cannot ask {shown(wanted, 60)}. Write provider/name, with one of: {known}; or default.")
    await _change(call, desk, settings.replace(model=wanted))
    return f"Model here: {shown(wanted, 128)} (set here). {call.prefix}model default takes it back."


async def _set_mode(call: GivenCommand, desk: CommandContext, mode: ResponseMode, text: str) -> str:
    if call.inbound.place.is_dm:
        return _DM_IS_ACTIVE
    settings = desk.book.of(call.key)
    by, at = call.caller.person.user_id, desk.clock.now()
    await _change(call, desk, settings.replace(mode=mode, mode_by=by, mode_at=at))
    still = f" {paused_line(settings)[0]}; {call.prefix}resume ends that." if settings.pause else ""
    return text + still


async def _change(call: GivenCommand, desk: CommandContext, settings: ChannelSettings) -> None:
    await desk.book.change(call.key, call.inbound.channel_name, call.inbound.place, settings, call.changed_by)
