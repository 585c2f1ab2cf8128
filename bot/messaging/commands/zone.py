"""The command by which people say where they are, so that the model knows what time it is for them."""

from __future__ import annotations

from bot.errors import UserError
from bot.messaging.commands.context import CommandContext, GivenCommand, shown
from bot.runtime import time_zones
from bot.text.times import minute

_HERE = "Here times are told by {zone}."


async def timezone(call: GivenCommand, desk: CommandContext) -> str:
    """Show the asker's time zone, set it by a name or a place, or take it back."""
    words, person, times = call.line.words.strip(), call.inbound.person, desk.times
    own, here = times.own(person), _HERE.format(zone=times.zone_of(call.key.channel))
    example = f"{call.typed('timezone')} Europe/Berlin"
    if not words:
        mine = f"Your time zone is {own}: {_now(call, desk, own)}" if own else "You have told me no time zone."
        return f"{mine} {here} {example} sets yours" + (f", {call.typed('timezone')} off forgets it." if own else ".")
    if words.casefold() in {"off", "none", "forget"}:
        await times.set(person, "")
        return f"Your time zone is forgotten. {here}" if own else f"You have told me no time zone. {here}"
    if not time_zones.has_database():
        raise UserError("I know no time zones: that is for the operator to mend; `doctor` says how.")
    zone = words if words == time_zones.UTC_NAME else time_zones.find_zone(words)
    if not zone:
        raise UserError(f"{shown(words, 60)} {time_zones.zone_problem(words)}. Send {example}.")
    await times.set(person, zone)
    return f"Your time zone is {zone}: {_now(call, desk, zone)} My own reports keep to the clock of your app."


def _now(call: GivenCommand, desk: CommandContext, zone: str) -> str:
    at = desk.clock.now()
    return f"it is {time_zones.local_time(at, zone) or minute(at)}."
