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
from bot.sentences import language_spoken, say

FRESH_START, STOPPED = "fresh start", "stop"
"""What the audit calls them."""
UNDO_MS = 24 * 3_600_000
"""For how long a fresh start can be taken back."""


async def stop(call: GivenCommand, desk: CommandContext) -> str:
    """Cancel the turn that runs, and whatever works for the channel; of ordinary members only what is theirs.

    In a group the answer that is being written is theirs when everything that it answers is.
    """
    channel, lane = desk.registry.live(call.key), desk.registry.queues.lane(call.key)
    may_all = call.inbound.place.is_dm or call.caller.authority >= Authority.MODERATOR
    asked = {stored.inbound.person for stored in lane.running} if lane is not None else set()
    is_theirs = may_all or asked <= {call.caller.person}
    stopped = is_theirs and channel is not None and channel.stop()
    count = await desk.stop_work(
        call.key, say("chat_commands.stopped-on-command"), None if may_all else call.caller.person
    )
    if stopped or count:
        if not count:
            what = say("chat_commands.audit-answer")
        elif stopped:
            what = say("chat_commands.audit-answer-and-work", count=count)
        else:
            what = say("chat_commands.audit-work", count=count)
        await desk.store.audit.append(_audit(call, desk, STOPPED, what))
    if count:
        return say("chat_commands.stopped-with-work", count=count)
    if stopped:
        return say("chat_commands.stopped")
    return say("chat_commands.nothing-runs") if is_theirs else render("not_yours")


async def new(call: GivenCommand, desk: CommandContext) -> str:
    """Begin the conversation anew, or take that back."""
    words = call.line.words.lower()
    if words == "undo":
        by = _audit(call, desk, f"undo {FRESH_START}")
        desk.undo(call.key, UndoReset(by, by.at - UNDO_MS, call.answer, language_spoken()))
        return ""
    if words:
        raise UserError(say("chat_commands.new-how", command=call.typed("new")))
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
    return await _set_mode(call, desk, ResponseMode.ACTIVE, say("chat_commands.now-active"))


async def mention_only(call: GivenCommand, desk: CommandContext) -> str:
    return await _set_mode(call, desk, ResponseMode.MENTION_ONLY, say("chat_commands.now-mention-only"))


async def quiet(call: GivenCommand, desk: CommandContext) -> str:
    text = say("chat_commands.now-quiet", active=call.typed("active"), mention=call.typed("mention-only"))
    return await _set_mode(call, desk, ResponseMode.OBSERVE, text)


async def pause(call: GivenCommand, desk: CommandContext) -> str:
    """Be silent until told otherwise."""
    words = call.line.words
    if words.lower() == "off":
        return await resume(call, desk)
    settings = desk.book.of(call.key)
    if settings.pause is not None:
        return say("chat_commands.ends-it", line=paused_line(settings)[0], command=f"{call.prefix}resume")
    now = ChannelPause(
        by=call.caller.person.user_id,
        by_role=call.caller.authority.word,
        at=desk.clock.now(),
        inbound=call.stored.id,
        reason=words[:500],
    )
    await _change(call, desk, settings.replace(pause=now))
    return say("chat_commands.paused-until", command=f"{call.prefix}resume")


async def resume(call: GivenCommand, desk: CommandContext) -> str:
    settings = desk.book.of(call.key)
    if settings.pause is None:
        return say("chat_commands.not-paused")
    was = paused_line(settings)[0]
    await _change(call, desk, settings.replace(pause=None))
    return say("chat_commands.resumed", line=was)


async def model(call: GivenCommand, desk: CommandContext) -> str:
    """Show or set the model of this channel."""
    settings, wanted = desk.book.of(call.key), call.line.words
    channel = call.key.channel
    own = desk.config.channel(channel, desk.book.moves.former_ids(channel)).model
    configured = own or desk.config.agent(call.key.agent).model or desk.config.model.name
    if not wanted:
        told = "chat_commands.model-set-here" if settings.model else "chat_commands.model-configured"
        how = say("chat_commands.model-how", command=f"{call.prefix}model")
        return f"{say(told, model=settings.model or configured)} {how}"
    if wanted.lower() == "default":
        await _change(call, desk, settings.replace(model=""))
        return say("chat_commands.model-configured", model=configured)
    provider, slash, name = wanted.partition("/")
    if not slash or not name or provider not in desk.config.providers or len(wanted) > 128 or " " in wanted:
        known = ", ".join(f"{provider}/..." for provider in sorted(desk.config.providers))
        raise UserError(say("chat_commands.model-unknown", model=shown(wanted, 60), known=known))
    await _change(call, desk, settings.replace(model=wanted))
    back = say("chat_commands.model-back", command=f"{call.prefix}model")
    return f"{say('chat_commands.model-set-here', model=shown(wanted, 128))} {back}"


async def _set_mode(call: GivenCommand, desk: CommandContext, mode: ResponseMode, text: str) -> str:
    if call.inbound.place.is_dm:
        return say("chat_commands.dm-always")
    settings = desk.book.of(call.key)
    by, at = call.caller.person.user_id, desk.clock.now()
    await _change(call, desk, settings.replace(mode=mode, mode_by=by, mode_at=at))
    if not settings.pause:
        return text
    paused, resume_word = paused_line(settings)[0], f"{call.prefix}resume"
    return say("chat_commands.and-paused", line=text, paused=paused, command=resume_word)


async def _change(call: GivenCommand, desk: CommandContext, settings: ChannelSettings) -> None:
    await desk.book.change(call.key, call.inbound.channel_name, call.inbound.place, settings, call.changed_by)
