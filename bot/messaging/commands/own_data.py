"""What everybody may ask about themselves: what is kept, and that it goes, or is not kept from now on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from urllib.parse import urlsplit

from bot.config.schema import Config
from bot.domain.erasure import footprint_text
from bot.domain.handles import HandleKind, handle
from bot.domain.memory import Memory
from bot.errors import UserError
from bot.messaging.commands.context import CommandContext, GivenCommand, shown
from bot.prompts import render
from bot.sentences import say

_MAX_MEMORIES = 20


async def privacy(call: GivenCommand, desk: CommandContext) -> str:
    """Say what is kept, how long, and which services see it, as it is configured now."""
    config, keep = desk.config, desk.config.retention
    many, hours = config.conversation.ambient_messages, keep.ambient_hours
    if many:
        talk = say("chat_commands.ambient-kept", count=many, time=_hours(hours))
    else:
        talk = say("chat_commands.ambient-not-kept")
    kept = _days(keep.requests_days)
    if keep.journal_mb:
        kept = say("chat_commands.at-most-mb", time=kept, megabytes=keep.journal_mb)
    return render(
        "own/privacy",
        name=config.called(call.key.agent),
        messages=_days(keep.messages_days),
        ambient=talk,
        requests=kept,
        records=_days(keep.records_days),
        backups=_hours(keep.backups_hours) if keep.backups_hours else say("chat_commands.no-backups"),
        recorded=desk.book.of(call.key).unrecorded is None,
        services=list(_services(config, desk.book.of(call.key).model)),
        **_commands(call),
    )


async def mydata(call: GivenCommand, desk: CommandContext) -> str:
    """Say in numbers what is kept of the asker, and what they told it to remember."""
    return await desk.own_data.run(call.inbound.person, partial(_mydata, call, desk))


async def forgetme(call: GivenCommand, desk: CommandContext) -> str:
    """Say what would go; with `now`, have it done. The receipt comes when it is."""
    return await desk.own_data.run(call.inbound.person, partial(_forgetme, call, desk))


async def _mydata(call: GivenCommand, desk: CommandContext) -> str:
    person = call.inbound.person
    found = await desk.store.erasures.footprint(person)
    memories = await desk.store.erasures.memories_of(person)
    lines = [_remembered(memory, memory.body.provenance.author == person.user_id) for memory in memories]
    if len(lines) > _MAX_MEMORIES:
        lines = [*lines[:_MAX_MEMORIES], say("chat_commands.and-more", count=len(lines) - _MAX_MEMORIES)]
    return render(
        "own/mydata",
        user=person.user_id,
        lines=footprint_text(found, "yours"),
        memories=lines,
        opted_out=desk.book.has_opted_out(person),
        **_commands(call),
    )


async def _forgetme(call: GivenCommand, desk: CommandContext) -> str:
    person, words = call.inbound.person, call.line.words.lower()
    if words not in ("", "now"):
        raise UserError(say("chat_commands.forgetme-how", command=call.typed("forgetme")))
    if not words:
        found = await desk.store.erasures.footprint(person)
        out, lines = render("own/out_of_reach"), footprint_text(found, "yours")
        told = {"copies": render("own/copies"), "out_of_reach": out, **_commands(call)}
        return render("own/forgetme", user=person.user_id, lines=lines, **told)
    if any((one.platform, one.user_id) == person for one in await desk.store.erasures.unfinished()):
        return say("chat_commands.forgetting-already")
    await desk.cortex().forgetting.at_own_request(person, call.answer)
    return say("chat_commands.forgetting")


async def optout(call: GivenCommand, desk: CommandContext) -> str:
    """Keep and answer nothing of the asker from now on, or do so again."""
    person, words = call.inbound.person, call.line.words.lower()
    if words not in ("", "off"):
        raise UserError(say("chat_commands.optout-how", command=call.typed("optout")))
    is_out = desk.book.has_opted_out(person)
    if words:
        await desk.book.opt_out(person, 0)
        return say("chat_commands.listens-again" if is_out else "chat_commands.not-opted-out")
    await desk.book.opt_out(person, desk.clock.now())
    return say("chat_commands.opted-out", optout=call.typed("optout"), forgetme=call.typed("forgetme"))


def _commands(call: GivenCommand) -> dict[str, str]:
    return {name: call.typed(name) for name in ("privacy", "mydata", "forgetme", "optout")}


def _remembered(memory: Memory, own: bool) -> str:
    body, name = memory.body, handle(HandleKind.MEMORY, memory.id)
    # what somebody else told it may have been said in private
    what = shown(body.content, 200) if own else say("chat_commands.withheld-memory")
    return f"{name} {body.type.value}: {what}"


def _services(config: Config, set_here: str) -> Iterator[str]:
    """Name each service that a configured model belongs to, and its address."""
    models = [config.model.name, *config.model.fallbacks, config.cortex.model, config.compaction.summarization_model]
    models += [channel.model or "" for channel in config.channels.values()]
    models += [agent.model for agent in config.agents.values()]
    for name in dict.fromkeys(model.partition("/")[0] for model in (set_here, *models) if model):
        provider = config.providers.get(name)
        host = urlsplit(str(provider.settings.get("base_url", ""))).hostname if provider else None
        yield f"{name} ({host})" if host else name


def _days(days: float) -> str:
    return say("chat_commands.days", days=days) if days else say("chat_commands.for-ever")


def _hours(hours: float) -> str:
    return say("chat_commands.hours", hours=hours) if hours else say("chat_commands.for-ever")
