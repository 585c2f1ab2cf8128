"""Look at the platform live; nothing here is changed, and nothing raises but what nobody foresaw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discord import ApplicationFlags
from discord.errors import LoginFailure

from adapters.discord import faults, menus
from adapters.discord.desk import Desk
from adapters.discord.judging import rights_probe
from adapters.discord.members import Elsewhere, Members
from adapters.discord.places import NAME
from adapters.discord.rest import Failure
from adapters.discord.state import FIXES, SECOND_VOICE, State
from adapters.discord.targets import Kind, Target, target_of
from bot.domain.accounts import STREAM, BotAccount
from bot.domain.health import AdapterState, Probe
from bot.domain.ids import ChannelId
from bot.domain.times import clock_time
from bot.errors import DeliveryError

_ACCOUNT, _CONTENT, _SESSIONS = f"{NAME} account", f"{NAME} message content", f"{NAME} sessions"
_GATEWAY, _COMMANDS = f"{NAME} gateway", f"{NAME} slash commands"
_ADD = "Add the bot to the server again, and let it view the channel (Channel Settings, Permissions)."
_OPEN_DM = "Allow direct messages from members of a server that the bot is in, or unblock the bot."
_INVITE = "Invite the bot again with the scopes bot and applications.commands; nothing is lost by that."
_SYNC = "Restart the bot later: Discord takes 200 new commands a day. Typed commands (`!help`) work meanwhile."
_REQUESTS = f"{NAME} requests"
_INSTALLS, _FOR_ONESELF = f"{NAME} installs", "1"
"""https://discord.com/developers/docs/resources/application#application-object-application-integration-types."""
_GUILDS_ALONE = (
    "Invite the bot to the server, or write to it in private. In the portal (Installation) leave only Guild Install, "
    "so that nobody expects more."
)
_SECOND, _DAY_MS = f"{NAME} second program", 86_400_000
_ONE_ALONE = "Stop the other program: one process for each token. If you know of none, revoke the token in the portal."
_REFUSED = "Find what is refused (`!cortex why` where answers fail); it ends ten minutes after the last of it."
_FEW = 0.1
_PROBED = {
    AdapterState.UP: "ok",
    AdapterState.STARTING: "unknown",
    AdapterState.DEGRADED: "warning",
    AdapterState.DISABLED: "unknown",
}


class Probing:
    """Asks the platform about the account, the portal's switch, the sessions left, the commands and one channel."""

    def __init__(self, desk: Desk, state: State, members: Members) -> None:
        self._desk = desk
        self._state = state
        self._members = members
        self._application: Mapping[str, Any] = {}

    async def probe(self, channel: ChannelId | None) -> Sequence[Probe]:
        """Return what was found, the connection first."""
        account, me = await self._account()
        if not me:
            return (account, self._gateway())
        found = [account, await self._content(), await self._sessions(), self._gateway(), self._commands()]
        found += [*self._requests(), *self._second_voice(), *self._installs()]
        if channel is not None:
            found += await self._place(channel, me)
        return found

    def _requests(self) -> list[Probe]:
        words = self._desk.rest.invalid.words
        return [Probe(name=_REQUESTS, state="warning", evidence=words, fix=_REFUSED)] if words else []

    def _installs(self) -> list[Probe]:
        """Say what the bot hears of people who have installed it for themselves, where the portal lets them."""
        config = self._application.get("integration_types_config")
        if not isinstance(config, Mapping) or _FOR_ONESELF not in config:
            return []
        words = "people may install it for themselves: in servers and chats without the bot it is never asked anything"
        return [Probe(name=_INSTALLS, state="warning", evidence=words, fix=_GUILDS_ALONE, code="user_install")]

    def _second_voice(self) -> list[Probe]:
        said = dict(self._state.health().facts).get(SECOND_VOICE, "")
        if not said or self._desk.clock.now() - int(said) > _DAY_MS:
            return []
        words = f"another program spoke with this account at {clock_time(int(said))}"
        return [Probe(name=_SECOND, state="failed", evidence=words, fix=_ONE_ALONE, code=SECOND_VOICE)]

    async def _account(self) -> tuple[Probe, int]:
        try:
            me, name = await self._desk.account.ask()
        except LoginFailure:
            words = "Discord does not know the token"
            return Probe(name=_ACCOUNT, state="failed", evidence=words, fix=FIXES["token"], code="token"), 0
        except Failure as error:
            return _unreachable(_ACCOUNT, error, failed=True), 0
        facts = (("username", name), ("id", str(me)), (STREAM, BotAccount(str(me), name).stored))
        return Probe(name=_ACCOUNT, state="ok", evidence=f"{name} answers", facts=facts), me

    async def _content(self) -> Probe:
        """Read the portal's switch, which alone says why messages come without their words."""
        try:
            application = self._application = await self._desk.account.application()
        except Failure as error:
            return _unreachable(_CONTENT, error)
        flags = ApplicationFlags._from_value(int(application.get("flags") or 0))
        granted = flags.gateway_message_content or flags.gateway_message_content_limited
        wanted = self._desk.rest.settings.message_content
        self._state.content_intent(granted)
        facts = (("message_content", _word(granted)), ("requested_content", _word(wanted)))
        if not granted and wanted:
            words = "Message Content Intent is off in the portal: only mentions, replies and DMs have words"
            fix = FIXES["content_intent"]
            return Probe(name=_CONTENT, state="failed", evidence=words, fix=fix, code="content_intent", facts=facts)
        how = "on" if granted else "off"
        asked = "" if wanted else ", and message_content = false: it is not asked for"
        return Probe(name=_CONTENT, state="ok", evidence=f"the intent is {how} in the portal{asked}", facts=facts)

    async def _sessions(self) -> Probe:
        try:
            found = await self._desk.rest.call("GET", "/gateway/bot")
        except Failure as error:
            return _unreachable(_SESSIONS, error)
        limit: dict[str, Any] = found.get("session_start_limit") or {}
        left, total = int(limit.get("remaining", 0)), int(limit.get("total", 0))
        hours = int(limit.get("reset_after", 0)) / 3_600_000
        facts = (("sessions_left", str(left)), ("sessions_total", str(total)), ("shards", str(found.get("shards", ""))))
        evidence = f"{left:,} of {total:,} sessions of today are left; all of them again in {hours:.1f} h"
        if left > total * _FEW:
            return Probe(name=_SESSIONS, state="ok", evidence=evidence, facts=facts)
        state, fix = "warning" if left else "failed", FIXES["session_limit"]
        return Probe(name=_SESSIONS, state=state, evidence=evidence, fix=fix, code="session_limit", facts=facts)

    def _gateway(self) -> Probe:
        health = self._state.health()
        said = f": {health.detail}" if health.detail else ""
        return Probe(
            name=_GATEWAY,
            state=_PROBED.get(health.state, "failed"),
            evidence=f"{health.state.value}{said}",
            fix=health.fix,
            code=health.code,
            facts=health.facts,
        )

    def _commands(self) -> Probe:
        how = dict(self._state.health().facts).get(menus.COMMANDS, "")
        facts = ((menus.COMMANDS, how),) if how else ()
        if not how:
            return Probe(name=_COMMANDS, state="unknown", evidence="not registered yet by this process")
        if how == menus.SYNCED:
            return Probe(name=_COMMANDS, state="ok", evidence="registered", facts=facts)
        words = f"Discord did not take them: {how.partition(':')[2]}"
        return Probe(name=_COMMANDS, state="warning", evidence=words, fix=_SYNC, code="commands", facts=facts)

    async def _place(self, channel: ChannelId, me: int) -> list[Probe]:
        name = f"rights in {channel}"
        try:
            target = target_of(channel)
        except DeliveryError as error:
            return [Probe(name=name, state="failed", evidence=str(error), code=error.code)]
        match target.kind:
            case Kind.DM:
                return [await self._private(name, target)]
            case Kind.EPHEMERAL:
                words = "what a slash command or a press opened; it closes after fifteen minutes"
                return [Probe(name=name, state="ok", evidence=words)]
            case _:
                return [await self._rights(name, target, me), await self._scope(channel, target)]

    async def _private(self, name: str, target: Target) -> Probe:
        try:
            await self._desk.dms.channel(target.number)
        except Failure as error:
            failed = faults.failed(error, is_private=True)
            if not failed.permanent:
                return _unreachable(name, error)
            return Probe(name=name, state="failed", evidence=str(failed), fix=_OPEN_DM, code=failed.code)
        words = "the private chat is there; whether it takes messages shows when one is sent"
        return Probe(name=name, state="ok", evidence=words)

    async def _rights(self, name: str, target: Target, me: int) -> Probe:
        try:
            standing = await self._members.standing(me, target)
        except Elsewhere:
            words = "there is no such channel in that server"
            return Probe(name=name, state="failed", evidence=words, fix=_ADD, code="not_member")
        except Failure as error:
            if not faults.failed(error).permanent:
                return _unreachable(name, error)
            return Probe(name=name, state="failed", evidence=faults.words_of(error), fix=_ADD, code="not_member")
        return rights_probe(name, standing, self._desk.clock.now(), _ADD)

    async def _scope(self, channel: ChannelId, target: Target) -> Probe:
        """Ask for the guild's own commands, which only an application with that scope may."""
        name = f"commands in {channel}"
        try:
            application = await self._desk.account.application_id()
            path = "/applications/{application_id}/guilds/{guild_id}/commands"
            await self._desk.rest.call("GET", path, application_id=application, guild_id=target.guild)
        except Failure as error:
            if faults.refusal(error) != faults.MISSING_ACCESS:
                return _unreachable(name, error)
            words = "the bot was invited without the scope applications.commands"
            return Probe(name=name, state="warning", evidence=words, fix=_INVITE, code="commands_scope")
        return Probe(name=name, state="ok", evidence="slash commands may be used there")


def _unreachable(name: str, error: Exception, *, failed: bool = False) -> Probe:
    state, words = "failed" if failed else "unknown", faults.words_of(error)
    return Probe(name=name, state=state, evidence=words, fix=FIXES["network"], code="network")


def _word(value: bool) -> str:
    return "yes" if value else "no"
