"""Look at the platform live; nothing here is changed, and nothing raises but what nobody foresaw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from discord import ApplicationFlags
from discord.errors import LoginFailure

from adapters.discord.base.places import NAME
from adapters.discord.base.state import FIXES, SECOND_PROGRAM, DiscordState
from adapters.discord.base.targets import DiscordTarget, TargetKind, target_of
from adapters.discord.interactions import menus
from adapters.discord.people.channel_access import ChannelHidden, channel_access
from adapters.discord.people.members import WrongGuild
from adapters.discord.people.permission_check import hidden_probe, limits_probe, rights_probe
from adapters.discord.rest import errors, refusals
from adapters.discord.rest.account import INTERACTIONS, host_of
from adapters.discord.rest.client import Failure
from adapters.discord.speaking.deps import DiscordDeps
from bot.domain.bot_accounts import STREAM, BotAccount
from bot.domain.health import AdapterState, ProbeResult
from bot.domain.ids import ChannelId
from bot.errors import DeliveryError
from bot.text.text import quote_line
from bot.text.times import clock_time

_ACCOUNT, _CONTENT, _SESSIONS = f"{NAME} account", f"{NAME} message content", f"{NAME} sessions"
_GATEWAY, _COMMANDS = f"{NAME} gateway", f"{NAME} slash commands"
_ADD = "Add the bot to the server (again), and let it view the channel (Edit Channel, Permissions)."
_FOR_THEMSELVES = "Who added it to their own account has commands everywhere, and the server has no bot by that."
_GUILD_AWAY_WORDS = "Discord says that the server is unavailable, an outage of its own,"
_WAIT = "Nothing: it comes back by itself, and what was written is read then. discordstatus.com says more."
_WRONG_GUILD_WORDS = "there is no such channel in that server"
_NAME_IT = "Name the channel again: it was deleted, or its number is another's."
_ASK_DISCORD = "Discord's words say why; look them up."
_NOT_THERE_CODES = frozenset({"not_member", "outage"})
_OUTSIDE_CODES = frozenset({"not_member", "no_access"})
"""What Discord says of a server that the bot is not in, and of the bot as a member of it."""
_INSTALL, _INSTALLS, _WEBHOOKS = f"{NAME} install", f"{NAME} installs", f"{NAME} webhook events"
_PORTAL = "Developer Portal, your application"
_ENDPOINT = f"{_PORTAL}, General Information: empty Interactions Endpoint URL, and save. Typed commands work meanwhile."
_TO_SERVERS = f"{_PORTAL}, Installation: switch Guild Install on; then invite the bot."
_NO_GRANT = f"{_PORTAL}, Bot: switch Requires OAuth2 Code Grant off; then invite the bot again."
_ENABLED = 2
Asked = dict[str, Any] | Exception
"""What the portal says of the application, or why it did not."""
_IN_SERVERS, _BY_PEOPLE = "0", "1"
"""The kinds of install; by the second somebody has the application for themselves, in no server.

https://discord.com/developers/docs/resources/application#application-object-application-integration-types
"""
_OPEN_DM = "Allow direct messages from members of a server that the bot is in, or unblock the bot."
_INVITE = "Invite the bot again with the scopes bot and applications.commands; nothing is lost by that."
_SYNC = "Restart the bot later: Discord takes 200 new commands a day. Typed commands (`!help`) work meanwhile."
_REQUESTS = f"{NAME} requests"
_GUILDS_ALONE = (
    "Invite the bot to the server, or write to it in private. In the portal (Installation) leave only Guild Install, "
    "so that nobody expects more."
)
_SECOND_PROGRAM, _DAY_MS = f"{NAME} second program", 86_400_000
_ONE_ALONE = "Stop the other program: one process for each token. If you know of none, revoke the token in the portal."
_REFUSED = "Find what is refused (`!cortex why` where answers fail); it ends ten minutes after the last of it."
_FEW_SESSIONS_SHARE = 0.1
_PROBED = {
    AdapterState.UP: "ok",
    AdapterState.STARTING: "unknown",
    AdapterState.DEGRADED: "warning",
    AdapterState.DISABLED: "unknown",
}


class DiscordProber:
    """Asks the platform about the account, the portal's switch, the sessions left, the commands and one channel.

    `is_channel` says whether the gateway told of a channel by a number, even of one that the bot may not view.
    """

    def __init__(self, desk: DiscordDeps, state: DiscordState, is_channel: Callable[[int], bool]) -> None:
        self._desk = desk
        self._state = state
        self._is_channel = is_channel

    async def probe(self, channel: ChannelId | None) -> Sequence[ProbeResult]:
        """Return what was found, the connection first."""
        account, me = await self._account()
        if not me:
            return (account, self._gateway())
        asked = await self._application()
        found = [account, self._content(asked), await self._sessions(), self._gateway(), self._commands(asked)]
        found += [*self._requests(), *self._second_program(), *_install(asked)]
        if channel is not None:
            found += await self._place(channel, me, asked)
        return found

    async def _application(self) -> Asked:
        """Ask for what the portal says of the application."""
        try:
            asked: Asked = await self._desk.account.application()
        except Failure as error:
            return error
        known, host = dict(self._state.health().facts).get(INTERACTIONS, ""), self._desk.account.endpoint
        if host != known:
            self._state.note(INTERACTIONS, host)
        return asked

    def _requests(self) -> list[ProbeResult]:
        words = self._desk.rest.invalid.words
        return [ProbeResult(name=_REQUESTS, state="warning", evidence=words, fix=_REFUSED)] if words else []

    def _second_program(self) -> list[ProbeResult]:
        said = dict(self._state.health().facts).get(SECOND_PROGRAM, "")
        if not said or self._desk.clock.now() - int(said) > _DAY_MS:
            return []
        words = f"another program spoke with this account at {clock_time(int(said))}"
        return [ProbeResult(name=_SECOND_PROGRAM, state="failed", evidence=words, fix=_ONE_ALONE, code=SECOND_PROGRAM)]

    async def _account(self) -> tuple[ProbeResult, int]:
        try:
            me, name = await self._desk.account.ask()
        except LoginFailure:
            words = "Discord does not know the token"
            return ProbeResult(name=_ACCOUNT, state="failed", evidence=words, fix=FIXES["token"], code="token"), 0
        except Failure as error:
            return _unreachable_probe(_ACCOUNT, error, failed=True), 0
        facts = (("username", name), ("id", str(me)), (STREAM, BotAccount(str(me), name).stored))
        return ProbeResult(name=_ACCOUNT, state="ok", evidence=f"{name} answers", facts=facts), me

    def _content(self, asked: Asked) -> ProbeResult:
        """Read the portal's switch, which alone says why messages come without their words."""
        if isinstance(asked, Exception):
            return _unreachable_probe(_CONTENT, asked)
        flags = ApplicationFlags._from_value(int(asked.get("flags") or 0))
        granted = flags.gateway_message_content or flags.gateway_message_content_limited
        wanted = self._desk.rest.settings.message_content
        self._state.content_intent(granted)
        facts = (("message_content", _yes_or_no(granted)), ("requested_content", _yes_or_no(wanted)))
        if not granted and wanted:
            words = "Message Content Intent is off in the portal: only mentions, replies and DMs have words"
            fix = FIXES["content_intent"]
            return ProbeResult(
                name=_CONTENT, state="failed", evidence=words, fix=fix, code="content_intent", facts=facts
            )
        how = "on" if granted else "off"
        unasked = "" if wanted else ", and message_content = false: it is not asked for"
        return ProbeResult(
            name=_CONTENT, state="ok", evidence=f"the intent is {how} in the portal{unasked}", facts=facts
        )

    async def _sessions(self) -> ProbeResult:
        try:
            found = await self._desk.rest.call("GET", "/gateway/bot")
        except Failure as error:
            return _unreachable_probe(_SESSIONS, error)
        limit: dict[str, Any] = found.get("session_start_limit") or {}
        left, total = int(limit.get("remaining", 0)), int(limit.get("total", 0))
        hours = int(limit.get("reset_after", 0)) / 3_600_000
        facts = (("sessions_left", str(left)), ("sessions_total", str(total)), ("shards", str(found.get("shards", ""))))
        evidence = f"{left:,} of {total:,} sessions of today are left; all of them again in {hours:.1f} h"
        if left > total * _FEW_SESSIONS_SHARE:
            return ProbeResult(name=_SESSIONS, state="ok", evidence=evidence, facts=facts)
        state, fix = "warning" if left else "failed", FIXES["session_limit"]
        return ProbeResult(name=_SESSIONS, state=state, evidence=evidence, fix=fix, code="session_limit", facts=facts)

    def _gateway(self) -> ProbeResult:
        health = self._state.health()
        said = f": {health.detail}" if health.detail else ""
        return ProbeResult(
            name=_GATEWAY,
            state=_PROBED.get(health.state, "failed"),
            evidence=f"{health.state.value}{said}",
            fix=health.fix,
            code=health.code,
            facts=health.facts,
        )

    def _commands(self, asked: Asked) -> ProbeResult:
        host = "" if isinstance(asked, Exception) else self._desk.account.endpoint
        if host:
            words = f"the portal sends slash commands and presses of buttons to {quote_line(host, 60)}, not to this bot"
            named = ((INTERACTIONS, host),)
            return ProbeResult(
                name=_COMMANDS, state="failed", evidence=words, fix=_ENDPOINT, code="endpoint", facts=named
            )
        how = dict(self._state.health().facts).get(menus.COMMANDS, "")
        facts = ((menus.COMMANDS, how),) if how else ()
        if not how:
            return ProbeResult(name=_COMMANDS, state="unknown", evidence="not registered yet by this process")
        if how == menus.SYNCED_FACT:
            return ProbeResult(name=_COMMANDS, state="ok", evidence="registered", facts=facts)
        words = f"Discord did not take them: {how.partition(':')[2]}"
        return ProbeResult(name=_COMMANDS, state="warning", evidence=words, fix=_SYNC, code="commands", facts=facts)

    async def _place(self, channel: ChannelId, me: int, asked: Asked) -> list[ProbeResult]:
        name = f"rights in {channel}"
        try:
            target = target_of(channel)
        except DeliveryError as error:
            return [ProbeResult(name=name, state="failed", evidence=str(error), code=error.code)]
        match target.kind:
            case TargetKind.DM:
                return [await self._private(name, target)]
            case TargetKind.EPHEMERAL:
                words = "what a slash command or a press opened; it closes after fifteen minutes"
                return [ProbeResult(name=name, state="ok", evidence=words)]
            case _:
                found = await self._rights(name, target, me, asked)
                # of a server that is not there for the bot nobody knows how it was invited
                return found if found[0].code in _NOT_THERE_CODES else [*found, await self._scope(channel, target)]

    async def _private(self, name: str, target: DiscordTarget) -> ProbeResult:
        try:
            await self._desk.dms.channel(target.number)
        except Failure as error:
            failed = errors.delivery_error(error, is_private=True)
            if not failed.permanent:
                return _unreachable_probe(name, error)
            return ProbeResult(name=name, state="failed", evidence=str(failed), fix=_OPEN_DM, code=failed.code)
        words = "the private chat is there; whether it takes messages shows when one is sent"
        return ProbeResult(name=name, state="ok", evidence=words)

    async def _rights(self, name: str, target: DiscordTarget, me: int, asked: Asked) -> list[ProbeResult]:
        away = self._state.away_since(target.guild)
        if away:
            words, facts = f"{_GUILD_AWAY_WORDS} since {clock_time(away)}", (("since", str(away)),)
            return [ProbeResult(name=name, state="failed", evidence=words, fix=_WAIT, code="outage", facts=facts)]
        try:
            found = await channel_access(self._desk.rest, me, target)
        except WrongGuild:
            return [
                ProbeResult(name=name, state="failed", evidence=_WRONG_GUILD_WORDS, fix=_NAME_IT, code="chat_not_found")
            ]
        except ChannelHidden as hidden:
            return [hidden_probe(name, hidden, is_channel=self._is_channel(target.number))]
        except Failure as error:
            return [_unseen_probe(name, error, asked)]
        limits = limits_probe(f"limits in {name.rpartition(' ')[2]}", found)
        return [rights_probe(name, found, self._desk.clock.now()), *([limits] if limits else [])]

    async def _scope(self, channel: ChannelId, target: DiscordTarget) -> ProbeResult:
        """Ask for the guild's own commands, which only an application with that scope may."""
        name = f"commands in {channel}"
        try:
            application = await self._desk.account.application_id()
            path = "/applications/{application_id}/guilds/{guild_id}/commands"
            await self._desk.rest.call("GET", path, application_id=application, guild_id=target.guild)
        except Failure as error:
            if errors.refusal(error) != refusals.MISSING_ACCESS:
                return _unreachable_probe(name, error)
            words = "the bot was invited without the scope applications.commands"
            return ProbeResult(name=name, state="warning", evidence=words, fix=_INVITE, code="commands_scope")
        return ProbeResult(name=name, state="ok", evidence="slash commands may be used there")


def _unseen_probe(name: str, error: Exception, asked: Asked) -> ProbeResult:
    """Say why the server or the channel cannot be looked at, by Discord's own code."""
    code, words = errors.code_of(error), errors.words_of(error)
    if code == "chat_not_found":
        words = f"there is no such channel: {words}"
        return ProbeResult(name=name, state="failed", evidence=words, fix=_NAME_IT, code=code)
    if code in _OUTSIDE_CODES:
        # who has it for themselves alone may well think that the server has it
        by_people = not isinstance(asked, Exception) and _BY_PEOPLE in (asked.get("integration_types_config") or {})
        fix = f"{_ADD} {_FOR_THEMSELVES}" if by_people else _ADD
        words = f"the bot is not in that server: {words}"
        return ProbeResult(name=name, state="failed", evidence=words, fix=fix, code="not_member")
    if not errors.delivery_error(error).permanent:
        return _unreachable_probe(name, error)
    return ProbeResult(name=name, state="unknown", evidence=words, fix=_ASK_DISCORD, code=code)


def _install(asked: Asked) -> list[ProbeResult]:
    """Say what of the portal's settings keeps the bot out of servers, and where its webhook events go."""
    if isinstance(asked, Exception):
        return []
    kinds, found = asked.get("integration_types_config") or {}, []
    if kinds and _IN_SERVERS not in kinds:
        words = "it can be added by people for themselves only: it is in no server and hears nothing there"
        found.append(ProbeResult(name=_INSTALL, state="failed", evidence=words, fix=_TO_SERVERS, code="user_install"))
    elif asked.get("bot_require_code_grant"):
        words = "the portal wants a code grant, so that the invite link ends before the bot is in the server"
        found.append(ProbeResult(name=_INSTALL, state="warning", evidence=words, fix=_NO_GRANT, code="code_grant"))
    if _BY_PEOPLE in kinds and _IN_SERVERS in kinds:
        # the portal's own default: said, and nothing to be mended
        words = "people may install it for themselves: in servers and chats without the bot it is never asked anything"
        found.append(ProbeResult(name=_INSTALLS, state="ok", evidence=words, fix=_GUILDS_ALONE))
    webhooks = host_of(asked.get("event_webhooks_url"))
    if webhooks and asked.get("event_webhooks_status") == _ENABLED:
        words = f"webhook events go to {quote_line(webhooks, 60)}; no message and no command is among them"
        found.append(ProbeResult(name=_WEBHOOKS, state="ok", evidence=words))
    return found


def _unreachable_probe(name: str, error: Exception, *, failed: bool = False) -> ProbeResult:
    state, words = "failed" if failed else "unknown", errors.words_of(error)
    return ProbeResult(name=name, state=state, evidence=words, fix=FIXES["network"], code="network")


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
