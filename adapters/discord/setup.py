"""Introduce a new bot: who it is on Discord, whether it may read messages, and the link that invites it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from discord import Permissions

from adapters.discord.base.settings import Settings
from adapters.discord.people.permission_check import NEEDED
from adapters.discord.rest.account import DiscordAccount
from adapters.discord.rest.client import Failure, RestClient
from adapters.failures import failure_words
from bot.domain.health import ProbeResult

# https://discord.com/developers/docs/resources/application#application-object-application-flags
_MESSAGE_CONTENT = 1 << 18 | 1 << 19
_PORTAL = "https://discord.com/developers/applications"
_REFUSED = "Copy the token anew: {portal}, your application, Bot, Reset Token."
_UNREACHABLE = "Look at the network, the proxy and rest_url; then try again."


def permissions() -> int:
    """Return the least that the bot needs, which is what a probe of a channel looks for, as one number."""
    return Permissions(view_channel=True, **dict.fromkeys(NEEDED, True)).value


def invitation(application: int) -> str:
    """Return the link by which somebody who manages a server adds the bot to it."""
    asked = {"client_id": application, "scope": "bot applications.commands", "permissions": permissions()}
    return f"https://discord.com/oauth2/authorize?{urlencode(asked)}"


async def introduce(settings: Mapping[str, object]) -> Sequence[ProbeResult]:
    """Ask Discord about a token; never raises but pydantic's ValidationError for bad keys.

    The facts of `discord account` are `name`, `id` and `invite`.
    """
    rest = RestClient(Settings.model_validate(dict(settings)))
    account = DiscordAccount(rest)
    try:
        user, name = await account.ask()
        application = await account.application()
    except Failure as error:
        return (_refusal_probe(error),)
    finally:
        await rest.close_connections()
    number = int(application["id"])
    facts = (("name", name), ("id", str(user)), ("invite", invitation(number)))
    row = ProbeResult(
        name="discord account", state="ok", evidence=f"{name} (id {user}) is known to Discord", facts=facts
    )
    return row, _content(int(application.get("flags") or 0), number, wanted=rest.settings.message_content)


def _refusal_probe(error: Exception) -> ProbeResult:
    kind = getattr(error, "kind", "") or failure_words(error)[0]
    is_token = getattr(error, "status", 0) in (401, 403) or type(error).__name__ == "LoginFailure"
    if is_token:
        fix = _REFUSED.format(portal=_PORTAL)
        return ProbeResult(name="discord account", state="failed", evidence="Discord does not know the token", fix=fix)
    return ProbeResult(
        name="discord account", state="failed", evidence=f"{kind}: {error}", fix=_UNREACHABLE, code="network"
    )


def _content(flags: int, application: int, *, wanted: bool) -> ProbeResult:
    granted = bool(flags & _MESSAGE_CONTENT)
    facts = (("message_content", "yes" if granted else "no"),)
    if granted or not wanted:
        evidence = "the message content intent is on" if granted else "the message content intent is off, as configured"
        return ProbeResult(name="discord message content", state="ok", evidence=evidence, facts=facts)
    return ProbeResult(
        name="discord message content",
        state="warning",
        evidence="the message content intent is off: only mentions, replies, direct messages and slash commands arrive",
        fix=f"Switch it on: {_PORTAL}/{application}/bot, Message Content Intent; or set message_content = false.",
        code="content_intent",
        facts=facts,
    )
