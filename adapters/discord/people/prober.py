"""Look at the platform live; nothing here is changed, and nothing raises but what nobody foresaw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from discord import ApplicationFlags
from discord.errors import LoginFailure

from adapters.discord.base.places import NAME
from adapters.discord.base.state import SECOND_PROGRAM, DiscordState, fix_words
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
from bot.sentences import say
from bot.text.figures import decimal
from bot.text.text import quote_line
from bot.text.times import clock_time

_ACCOUNT, _CONTENT, _SESSIONS = f"{NAME} account", f"{NAME} message content", f"{NAME} sessions"
_GATEWAY, _COMMANDS = f"{NAME} gateway", f"{NAME} slash commands"
_NOT_THERE_CODES = frozenset({"not_member", "outage"})
_OUTSIDE_CODES = frozenset({"not_member", "no_access"})
"""What Discord says of a server that the bot is not in, and of the bot as a member of it."""
_INSTALL, _INSTALLS, _WEBHOOKS = f"{NAME} install", f"{NAME} installs", f"{NAME} webhook events"
_ENABLED = 2
Asked = dict[str, Any] | Exception
"""What the portal says of the application, or why it did not."""
_IN_SERVERS, _BY_PEOPLE = "0", "1"
"""The kinds of install; by the second somebody has the application for themselves, in no server.

https://discord.com/developers/docs/resources/application#application-object-application-integration-types
"""
_REQUESTS = f"{NAME} requests"
_SECOND_PROGRAM, _DAY_MS = f"{NAME} second program", 86_400_000
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
        return (
            [
                ProbeResult(
                    name=_REQUESTS, state="warning", evidence=words, fix=say("discord_doctor.find-what-is-refused")
                )
            ]
            if words
            else []
        )

    def _second_program(self) -> list[ProbeResult]:
        said = dict(self._state.health().facts).get(SECOND_PROGRAM, "")
        if not said or self._desk.clock.now() - int(said) > _DAY_MS:
            return []
        words, fix = say("discord_doctor.second-program", time=clock_time(int(said))), say("discord_doctor.one-alone")
        return [ProbeResult(name=_SECOND_PROGRAM, state="failed", evidence=words, fix=fix, code=SECOND_PROGRAM)]

    async def _account(self) -> tuple[ProbeResult, int]:
        try:
            me, name = await self._desk.account.ask()
        except LoginFailure:
            words = say("discord_doctor.unknown-token")
            return ProbeResult(name=_ACCOUNT, state="failed", evidence=words, fix=fix_words("token"), code="token"), 0
        except Failure as error:
            return _unreachable_probe(_ACCOUNT, error, failed=True), 0
        facts = (("username", name), ("id", str(me)), (STREAM, BotAccount(str(me), name).stored))
        return ProbeResult(
            name=_ACCOUNT, state="ok", evidence=say("discord_doctor.account", name=name), facts=facts
        ), me

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
            words = say("discord_doctor.content-off")
            fix = fix_words("content_intent")
            return ProbeResult(
                name=_CONTENT, state="failed", evidence=words, fix=fix, code="content_intent", facts=facts
            )
        how = "on" if granted else "off"
        words = say("discord_doctor.content" if wanted else "discord_doctor.content-not-asked", how=how)
        return ProbeResult(name=_CONTENT, state="ok", evidence=words, facts=facts)

    async def _sessions(self) -> ProbeResult:
        try:
            found = await self._desk.rest.call("GET", "/gateway/bot")
        except Failure as error:
            return _unreachable_probe(_SESSIONS, error)
        limit: dict[str, Any] = found.get("session_start_limit") or {}
        left, total = int(limit.get("remaining", 0)), int(limit.get("total", 0))
        hours = int(limit.get("reset_after", 0)) / 3_600_000
        facts = (("sessions_left", str(left)), ("sessions_total", str(total)), ("shards", str(found.get("shards", ""))))
        evidence = say("discord_doctor.sessions", left=left, total=total, hours=decimal(hours, 1))
        if left > total * _FEW_SESSIONS_SHARE:
            return ProbeResult(name=_SESSIONS, state="ok", evidence=evidence, facts=facts)
        state, fix = "warning" if left else "failed", fix_words("session_limit")
        return ProbeResult(name=_SESSIONS, state=state, evidence=evidence, fix=fix, code="session_limit", facts=facts)

    def _gateway(self) -> ProbeResult:
        health = self._state.health()
        evidence = say("discord_doctor.state", state=health.state.value)
        if health.detail:
            evidence = say("discord_doctor.state-because", state=evidence, detail=health.detail)
        return ProbeResult(
            name=_GATEWAY,
            state=_PROBED.get(health.state, "failed"),
            evidence=evidence,
            fix=health.fix,
            code=health.code,
            facts=health.facts,
        )

    def _commands(self, asked: Asked) -> ProbeResult:
        host = "" if isinstance(asked, Exception) else self._desk.account.endpoint
        if host:
            words, named = say("discord_doctor.endpoint", host=quote_line(host, 60)), ((INTERACTIONS, host),)
            fix = say("discord_doctor.endpoint-fix")
            return ProbeResult(name=_COMMANDS, state="failed", evidence=words, fix=fix, code="endpoint", facts=named)
        how = dict(self._state.health().facts).get(menus.COMMANDS, "")
        facts = ((menus.COMMANDS, how),) if how else ()
        if not how:
            return ProbeResult(name=_COMMANDS, state="unknown", evidence=say("discord_doctor.not-registered"))
        if how == menus.SYNCED_FACT:
            return ProbeResult(name=_COMMANDS, state="ok", evidence=say("discord_doctor.registered"), facts=facts)
        words, fix = say("discord_doctor.not-taken", why=how.partition(":")[2]), say("discord_doctor.sync-fix")
        return ProbeResult(name=_COMMANDS, state="warning", evidence=words, fix=fix, code="commands", facts=facts)

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
                words = say("discord_doctor.ephemeral")
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
            fix = say("discord_doctor.open-dm")
            return ProbeResult(name=name, state="failed", evidence=str(failed), fix=fix, code=failed.code)
        return ProbeResult(name=name, state="ok", evidence=say("discord_doctor.private-there"))

    async def _rights(self, name: str, target: DiscordTarget, me: int, asked: Asked) -> list[ProbeResult]:
        away = self._state.away_since(target.guild)
        if away:
            words, facts = say("discord_doctor.server-away", time=clock_time(away)), (("since", str(away)),)
            fix = say("discord_doctor.wait")
            return [ProbeResult(name=name, state="failed", evidence=words, fix=fix, code="outage", facts=facts)]
        try:
            found = await channel_access(self._desk.rest, me, target)
        except WrongGuild:
            words, fix = say("discord_doctor.wrong-server"), say("discord_doctor.name-it")
            return [ProbeResult(name=name, state="failed", evidence=words, fix=fix, code="chat_not_found")]
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
            words, fix = say("discord_doctor.no-scope"), say("discord_doctor.invite")
            return ProbeResult(name=name, state="warning", evidence=words, fix=fix, code="commands_scope")
        return ProbeResult(name=name, state="ok", evidence=say("discord_doctor.commands-there"))


def _unseen_probe(name: str, error: Exception, asked: Asked) -> ProbeResult:
    """Say why the server or the channel cannot be looked at, by Discord's own code."""
    code, words = errors.code_of(error), errors.words_of(error)
    if code == "chat_not_found":
        words, fix = say("discord_doctor.no-channel", words=words), say("discord_doctor.name-it")
        return ProbeResult(name=name, state="failed", evidence=words, fix=fix, code=code)
    if code in _OUTSIDE_CODES:
        # who has it for themselves alone may well think that the server has it
        by_people = not isinstance(asked, Exception) and _BY_PEOPLE in (asked.get("integration_types_config") or {})
        fix = say("discord_doctor.add-for-themselves" if by_people else "discord_doctor.add")
        words = say("discord_doctor.not-in-server", words=words)
        return ProbeResult(name=name, state="failed", evidence=words, fix=fix, code="not_member")
    if not errors.delivery_error(error).permanent:
        return _unreachable_probe(name, error)
    return ProbeResult(name=name, state="unknown", evidence=words, fix=say("discord_doctor.ask-discord"), code=code)


def _install(asked: Asked) -> list[ProbeResult]:
    """Say what of the portal's settings keeps the bot out of servers, and where its webhook events go."""
    if isinstance(asked, Exception):
        return []
    kinds, found = asked.get("integration_types_config") or {}, []
    if kinds and _IN_SERVERS not in kinds:
        words, fix = say("discord_doctor.people-only"), say("discord_doctor.to-servers")
        found.append(ProbeResult(name=_INSTALL, state="failed", evidence=words, fix=fix, code="user_install"))
    elif asked.get("bot_require_code_grant"):
        words, fix = say("discord_doctor.code-grant"), say("discord_doctor.no-grant")
        found.append(ProbeResult(name=_INSTALL, state="warning", evidence=words, fix=fix, code="code_grant"))
    if _BY_PEOPLE in kinds and _IN_SERVERS in kinds:
        # the portal's own default: said, and nothing to be mended
        words, fix = say("discord_doctor.people-may"), say("discord_doctor.servers-alone")
        found.append(ProbeResult(name=_INSTALLS, state="ok", evidence=words, fix=fix))
    webhooks = host_of(asked.get("event_webhooks_url"))
    if webhooks and asked.get("event_webhooks_status") == _ENABLED:
        words = say("discord_doctor.webhook-events", host=quote_line(webhooks, 60))
        found.append(ProbeResult(name=_WEBHOOKS, state="ok", evidence=words))
    return found


def _unreachable_probe(name: str, error: Exception, *, failed: bool = False) -> ProbeResult:
    state, words = "failed" if failed else "unknown", errors.words_of(error)
    return ProbeResult(name=name, state=state, evidence=words, fix=fix_words("network"), code="network")


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
