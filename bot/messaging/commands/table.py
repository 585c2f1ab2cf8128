"""Every command, in the order in which help lists them."""

from __future__ import annotations

from bot.domain.access import Authority, Tiers
from bot.messaging.commands import info, own_data, steering, zone
from bot.messaging.commands import skills as skills_here
from bot.messaging.commands.context import Call, Command, Desk
from bot.ports.platform import Menu, MenuEntry


async def _help(call: Call, desk: Desk) -> str:
    lines = [
        f"{call.typed(command.name)}  {command.help}"
        for command in usable(call.caller.authority, is_dm=call.inbound.place.is_dm)
    ]
    where = "" if call.inbound.place.is_dm else "\nIn a group, keep the slash: it says that I am meant."
    return "You may use:\n" + "\n".join(lines) + where


async def _never(call: Call, desk: Desk) -> str:
    raise AssertionError("the cortex answers for itself")


COMMANDS: tuple[Command, ...] = (
    Command("help", Authority.EVERYONE, "this list", _help),
    Command("start", Authority.EVERYONE, "a greeting", info.start),
    Command("whoami", Authority.EVERYONE, "your ids, to copy into the configuration", info.whoami),
    Command(
        "privacy", Authority.EVERYONE, "what I keep, how long, and who else reads it", own_data.privacy, private=True
    ),
    Command("mydata", Authority.EVERYONE, "what I keep of you", own_data.mydata, private=True),
    Command(
        "forgetme", Authority.EVERYONE, "[now] take out what I keep of you", own_data.forgetme, "now", private=True
    ),
    Command(
        "optout", Authority.EVERYONE, "[off] keep and answer nothing of yours", own_data.optout, "off", private=True
    ),
    Command("timezone", Authority.EVERYONE, "[place | off] what time it is for you", zone.timezone, "place"),
    Command("status", Authority.EVERYONE, "what is set here, what waits, what was ignored", info.status),
    Command("usage", Authority.EVERYONE, "tokens and cost here in 24 h", info.usage),
    Command(
        "new",
        Authority.EVERYONE,
        "[undo] start a fresh chat; undo brings the old one back",
        steering.new,
        "undo",
        in_group=Authority.MODERATOR,
    ),
    Command("stop", Authority.EVERYONE, "cancel the answer being written", steering.stop),
    Command("active", Authority.MODERATOR, "answer every message here", steering.active),
    Command("mention-only", Authority.MODERATOR, "answer only when addressed", steering.mention_only),
    Command("quiet", Authority.MODERATOR, "read along and say nothing", steering.quiet),
    Command("pause", Authority.MODERATOR, "[reason | off] ignore everything here", steering.pause, "reason"),
    Command("resume", Authority.MODERATOR, "end a pause", steering.resume),
    Command("model", Authority.MODERATOR, "[provider/name | default] show or set the model", steering.model, "model"),
    Command(
        "skills", Authority.MODERATOR, "[enable | disable name] what I can look up here", skills_here.skills, "change"
    ),
    Command(
        "cortex", Authority.ADMIN, "[why | question] why I did what I did, in private", _never, "question", private=True
    ),
)
BY_NAME = {command.name: command for command in COMMANDS}
_WHY = MenuEntry(name="why", help="why I am silent here, in private", argument="channel", tier=BY_NAME["cortex"].tier)
"""The shortest way to the cortex: another word for one of its questions, with its own button."""


def usable(tier: Authority, *, is_dm: bool) -> tuple[Command, ...]:
    """Return what somebody of a tier may use, in a private chat or in a group."""
    return tuple(command for command in COMMANDS if tier >= command.needs(is_dm=is_dm))


def menu(tiers: Tiers) -> Menu:
    """Return what platforms' own menus show; one definition feeds what is typed and what is tapped."""
    entries = (MenuEntry(name=one.name, help=one.help, argument=one.argument, tier=one.tier) for one in COMMANDS)
    return Menu(entries=(*entries, _WHY), tiers=tiers)
