"""The command by which people say where they are, so that the model knows what time it is for them."""

from __future__ import annotations

from bot.errors import UserError
from bot.messaging.commands.context import CommandContext, GivenCommand, shown
from bot.runtime import time_zones
from bot.sentences import say
from bot.text.times import minute


async def timezone(call: GivenCommand, desk: CommandContext) -> str:
    """Show the asker's time zone, set it by a name or a place, or take it back."""
    words, person, times = call.line.words.strip(), call.inbound.person, desk.times
    own, here = times.own(person), say("chat_commands.zone-here", zone=times.zone_of(call.key.channel))
    example = f"{call.typed('timezone')} Europe/Berlin"
    if not words:
        if not own:
            return f"{say('chat_commands.no-zone')} {here} {say('chat_commands.zone-how', command=example)}"
        mine = say("chat_commands.your-zone", zone=own, time=_now(desk, own))
        return f"{mine} {here} {say('chat_commands.zone-how-off', command=example, off=call.typed('timezone'))}"
    if words.casefold() in {"off", "none", "forget"}:
        await times.set(person, "")
        return f"{say('chat_commands.zone-forgotten' if own else 'chat_commands.no-zone')} {here}"
    if not time_zones.has_database():
        raise UserError(say("chat_commands.no-zones"))
    zone = words if words == time_zones.UTC_NAME else time_zones.find_zone(words)
    if not zone:
        problem = time_zones.zone_problem(words)
        raise UserError(say("chat_commands.zone-unknown", words=shown(words, 60), problem=problem, command=example))
    await times.set(person, zone)
    mine = say("chat_commands.your-zone", zone=zone, time=_now(desk, zone))
    return f"{mine} {say('chat_commands.reports-keep')}"


def _now(desk: CommandContext, zone: str) -> str:
    at = desk.clock.now()
    day, _, time = time_zones.local_time(at, zone).partition(" ")
    return say("chat_commands.local-time", day=day.lower(), time=time) if time else minute(at)
