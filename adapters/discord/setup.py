"""Introduce a new bot: who it is on Discord, whether it may read messages, and the link that invites it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from discord import Permissions

from adapters.discord.base.places import NAME
from adapters.discord.base.settings import Settings
from adapters.discord.people.permission_check import FOR_LOOKS, NEEDED
from adapters.discord.rest.account import DiscordAccount
from adapters.discord.rest.client import Failure, RestClient
from adapters.failures import failure_said, failure_words
from bot.domain.health import ProbeResult
from bot.sentences import say

# https://discord.com/developers/docs/resources/application#application-object-application-flags
_MESSAGE_CONTENT = 1 << 18 | 1 << 19
_PORTAL = "https://discord.com/developers/applications"
_ACCOUNT, _CONTENT = f"{NAME} account", "discord message content"


def permissions() -> int:
    """Return the least that the bot needs, which is what a probe of a channel looks for, as one number."""
    return Permissions(view_channel=True, **dict.fromkeys((*NEEDED, *FOR_LOOKS), True)).value


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
    words = say("discord_setup.account", name=name, id=str(user))
    row = ProbeResult(name=_ACCOUNT, state="ok", evidence=words, facts=facts)
    return row, _content_probe(int(application.get("flags") or 0), number, wanted=rest.settings.message_content)


def _refusal_probe(error: Exception) -> ProbeResult:
    kind = getattr(error, "kind", "") or failure_words(error)[0]
    is_token = getattr(error, "status", 0) in (401, 403) or type(error).__name__ == "LoginFailure"
    if is_token:
        words, fix = say("discord_state.unknown-token"), say("discord_setup.new-token", portal=_PORTAL)
        return ProbeResult(name=_ACCOUNT, state="failed", evidence=words, fix=fix)
    fix = say("discord_setup.check-network")
    return ProbeResult(
        name=_ACCOUNT, state="failed", evidence=failure_said(f"{kind}: {error}"), fix=fix, code="network"
    )


def _content_probe(flags: int, application: int, *, wanted: bool) -> ProbeResult:
    granted = bool(flags & _MESSAGE_CONTENT)
    facts = (("message_content", "yes" if granted else "no"),)
    if granted or not wanted:
        words = say("discord_setup.content-on" if granted else "discord_setup.content-off-as-set")
        return ProbeResult(name=_CONTENT, state="ok", evidence=words, facts=facts)
    words, fix = say("discord_setup.content-off"), say("discord_setup.switch-on", page=f"{_PORTAL}/{application}/bot")
    return ProbeResult(name=_CONTENT, state="warning", evidence=words, fix=fix, code="content_intent", facts=facts)
