"""Every command, in the order in which help lists them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.config.schema import Config
from bot.domain.access import Authority, AuthorityTiers
from bot.messaging.commands import info, language, own_data, steering, zone
from bot.messaging.commands import skills as skills_here
from bot.messaging.commands.context import ChatCommand, CommandContext, GivenCommand
from bot.messaging.policy.command_syntax import CommandLine
from bot.ports.platform import CommandMenu, MenuEntry


async def _help(call: GivenCommand, desk: CommandContext) -> str:
    lines = [
        f"{call.typed(command.name)}  {command.help}"
        for command in usable(call.caller.authority, desk.config, desk.added, is_dm=call.inbound.place.is_dm)
    ]
    where = "" if call.inbound.place.is_dm else "\nIn a group, keep the slash: it says that I am meant."
    return "You may use:\n" + "\n".join(lines) + where


async def _never(call: GivenCommand, desk: CommandContext) -> str:
    raise AssertionError("the cortex answers for itself")


COMMANDS: tuple[ChatCommand, ...] = (
    ChatCommand("help", Authority.EVERYONE, "this list", _help),
    ChatCommand("start", Authority.EVERYONE, "a greeting", info.start),
    ChatCommand("whoami", Authority.EVERYONE, "your ids, to copy into the configuration", info.whoami),
    ChatCommand(
        "privacy", Authority.EVERYONE, "what I keep, how long, and who else reads it", own_data.privacy, private=True
    ),
    ChatCommand("mydata", Authority.EVERYONE, "what I keep of you", own_data.mydata, private=True),
    ChatCommand(
        "forgetme", Authority.EVERYONE, "[now] take out what I keep of you", own_data.forgetme, "now", private=True
    ),
    ChatCommand(
        "optout", Authority.EVERYONE, "[off] keep and answer nothing of yours", own_data.optout, "off", private=True
    ),
    ChatCommand("timezone", Authority.EVERYONE, "[place | off] what time it is for you", zone.timezone, "place"),
    ChatCommand(
        "language", Authority.EVERYONE, "[code | off] in which language I tell you things", language.language, "code"
    ),
    ChatCommand("status", Authority.EVERYONE, "what is set here, what waits, what was ignored", info.status),
    ChatCommand("usage", Authority.EVERYONE, "tokens and cost here in 24 h", info.usage),
    ChatCommand(
        "new",
        Authority.EVERYONE,
        "[undo] start a fresh chat; undo brings the old one back",
        steering.new,
        "undo",
        in_group=Authority.MODERATOR,
    ),
    ChatCommand("stop", Authority.EVERYONE, "cancel the answer being written", steering.stop),
    ChatCommand("active", Authority.MODERATOR, "answer every message here", steering.active),
    ChatCommand("mention-only", Authority.MODERATOR, "answer only when addressed", steering.mention_only),
    ChatCommand("quiet", Authority.MODERATOR, "read along and say nothing", steering.quiet),
    ChatCommand("pause", Authority.MODERATOR, "[reason | off] ignore everything here", steering.pause, "reason"),
    ChatCommand("resume", Authority.MODERATOR, "end a pause", steering.resume),
    ChatCommand(
        "model", Authority.MODERATOR, "[provider/name | default] show or set the model", steering.model, "model"
    ),
    ChatCommand(
        "skills", Authority.MODERATOR, "[enable | disable name] what I can look up here", skills_here.skills, "change"
    ),
    ChatCommand(
        "cortex",
        Authority.MODERATOR,
        "[why | memory | question] why I did what I did, in private",
        _never,
        "question",
        private=True,
        told_to=Authority.MODERATOR,
    ),
)
BY_NAME = {command.name: command for command in COMMANDS}
OWN_WHY = ChatCommand("why", Authority.EVERYONE, "why your message got no answer", info.why, private=True)
"""The shortest way to the cortex, where somebody may hear of their own messages alone."""


def command_of(line: CommandLine, tier: Authority, config: Config, added: Sequence[ChatCommand]) -> ChatCommand:
    """Return which command somebody of a tier gives by a line; `added` are those of plugins."""
    if line.asks_why and _is_for_members(tier, config):
        return OWN_WHY
    return BY_NAME.get(line.name) or next(one for one in added if one.name == line.name)


def usable(tier: Authority, config: Config, added: Sequence[ChatCommand], *, is_dm: bool) -> tuple[ChatCommand, ...]:
    """Return what somebody of a tier may use, in a private chat or in a group."""
    own = (OWN_WHY,) if _is_for_members(tier, config) else ()
    return tuple(command for command in (*COMMANDS, *added, *own) if tier >= command.needs(is_dm=is_dm))


def menu(tiers: AuthorityTiers, config: Config, added: Sequence[ChatCommand] = ()) -> CommandMenu:
    """Return what platforms' own menus show; one definition feeds what is typed and what is tapped."""
    entries = (
        MenuEntry(name=one.name, help=one.help, argument=one.argument, tier=one.tier, private=one.private)
        for one in (*COMMANDS, *added)
    )
    tier = OWN_WHY.tier if config.cortex.why_for_members else Authority.ADMIN
    why = MenuEntry(name=OWN_WHY.name, help="why I am silent here, in private", argument="channel", tier=tier)
    about = MenuEntry(name=OWN_WHY.name, help=why.help, tier=tier, on_message="Why?")
    return CommandMenu(entries=(*entries, why, about), tiers=tiers)


def _is_for_members(tier: Authority, config: Config) -> bool:
    return config.cortex.why_for_members and tier < Authority.ADMIN
