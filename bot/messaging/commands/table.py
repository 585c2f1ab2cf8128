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
from bot.sentences import say


async def _help(call: GivenCommand, desk: CommandContext) -> str:
    lines = [
        f"{call.typed(command.name)}  {command.help}"
        for command in usable(call.caller.authority, desk.config, desk.added, is_dm=call.inbound.place.is_dm)
    ]
    where = () if call.inbound.place.is_dm else (say("chat_commands.keep-the-slash"),)
    return "\n".join((say("chat_commands.you-may-use"), *lines, *where))


async def _never(call: GivenCommand, desk: CommandContext) -> str:
    raise AssertionError("the cortex answers for itself")


COMMANDS: tuple[ChatCommand, ...] = (
    ChatCommand("help", Authority.EVERYONE, "chat_commands.help", _help),
    ChatCommand("start", Authority.EVERYONE, "chat_commands.start", info.start),
    ChatCommand("whoami", Authority.EVERYONE, "chat_commands.whoami", info.whoami),
    ChatCommand("privacy", Authority.EVERYONE, "chat_commands.privacy", own_data.privacy, private=True),
    ChatCommand("mydata", Authority.EVERYONE, "chat_commands.mydata", own_data.mydata, private=True),
    ChatCommand("forgetme", Authority.EVERYONE, "chat_commands.forgetme", own_data.forgetme, "now", private=True),
    ChatCommand("optout", Authority.EVERYONE, "chat_commands.optout", own_data.optout, "off", private=True),
    ChatCommand("timezone", Authority.EVERYONE, "chat_commands.timezone", zone.timezone, "place"),
    ChatCommand("language", Authority.EVERYONE, "chat_commands.language", language.language, "code"),
    ChatCommand("status", Authority.EVERYONE, "chat_commands.status", info.status),
    ChatCommand("usage", Authority.EVERYONE, "chat_commands.usage", info.usage),
    ChatCommand(
        "new",
        Authority.EVERYONE,
        "chat_commands.new",
        steering.new,
        "undo",
        in_group=Authority.MODERATOR,
    ),
    ChatCommand("stop", Authority.EVERYONE, "chat_commands.stop", steering.stop),
    ChatCommand("active", Authority.MODERATOR, "chat_commands.active", steering.active),
    ChatCommand("mention-only", Authority.MODERATOR, "chat_commands.mention-only", steering.mention_only),
    ChatCommand("quiet", Authority.MODERATOR, "chat_commands.quiet", steering.quiet),
    ChatCommand("pause", Authority.MODERATOR, "chat_commands.pause", steering.pause, "reason"),
    ChatCommand("resume", Authority.MODERATOR, "chat_commands.resume", steering.resume),
    ChatCommand("model", Authority.MODERATOR, "chat_commands.model", steering.model, "model"),
    ChatCommand("skills", Authority.MODERATOR, "chat_commands.skills", skills_here.skills, "change"),
    ChatCommand(
        "cortex",
        Authority.MODERATOR,
        "chat_commands.cortex",
        _never,
        "question",
        private=True,
        told_to=Authority.MODERATOR,
    ),
)
BY_NAME = {command.name: command for command in COMMANDS}
OWN_WHY = ChatCommand("why", Authority.EVERYONE, "chat_commands.own-why", info.why, private=True)
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
    why = MenuEntry(name=OWN_WHY.name, help=say("chat_commands.menu-why"), argument="channel", tier=tier)
    about = MenuEntry(name=OWN_WHY.name, help=why.help, tier=tier, on_message=say("chat_commands.menu-why-message"))
    return CommandMenu(entries=(*entries, why, about), tiers=tiers)


def _is_for_members(tier: Authority, config: Config) -> bool:
    return config.cortex.why_for_members and tier < Authority.ADMIN
