"""Look at the platform live; nothing here polls, and nothing raises."""

from __future__ import annotations

from collections.abc import Sequence

from telegram import User
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

from adapters.telegram import errors
from adapters.telegram.api import Api
from adapters.telegram.judging import rights_probe
from adapters.telegram.places import NAME, Target, target_of
from adapters.telegram.state import BUSINESS_AT, CONFLICT_AT, FIXES, State, host_of
from bot.domain.bot_accounts import STREAM
from bot.domain.health import AdapterState, Probe
from bot.domain.ids import ChannelId
from bot.errors import DeliveryError
from bot.ports.clock import Clock
from bot.text.times import clock_time

_ACCOUNT, _WEBHOOK, _POLLING = f"{NAME} account", f"{NAME} webhook", f"{NAME} polling"
_OF_BUSINESS = f"{NAME} business chats"
_NO_BUSINESS = (
    "@BotFather: Bot Settings, Business Mode, off. Or who connected it: Settings, Telegram Business, Chatbots."
)
_DAY_MS = 86_400_000
_UNTOUCHED = "Nothing was changed."
_PROBED = {
    AdapterState.UP: "ok",
    AdapterState.STARTING: "unknown",
    AdapterState.DEGRADED: "warning",
    AdapterState.DISABLED: "unknown",
}


class Probing:
    """Asks the platform about the account, the webhook and one channel."""

    def __init__(self, api: Api, clock: Clock, state: State) -> None:
        self._api = api
        self._clock = clock
        self._state = state

    async def probe(self, channel: ChannelId | None) -> Sequence[Probe]:
        """Return what was found, the connection first."""
        account, me = await self._account()
        if me is None:
            return (account, self._polling())
        found = [account, await self._webhook(), self._polling(), *self._business()]
        if channel is not None:
            found.append(await self._place(channel, me))
        return found

    async def _account(self) -> tuple[Probe, User | None]:
        try:
            me = await self._api.get_me()
        except TelegramError as error:
            code = "token" if isinstance(error, InvalidToken) else "network"
            words = "Telegram does not know the token" if code == "token" else error.message
            return Probe(name=_ACCOUNT, state="failed", evidence=words, fix=FIXES[code], code=code), None
        known = self._state.is_me(me)
        privacy = "off" if known.reads_all else "on"
        evidence = f"@{known.username} answers; group privacy is {privacy}"
        facts = (
            ("username", known.username),
            (STREAM, known.account.stored),
            ("can_read_all_group_messages", _word(known.reads_all)),
            ("has_topics_enabled", _word(known.has_topics)),
        )
        return Probe(name=_ACCOUNT, state="ok", evidence=evidence, facts=facts), me

    def _business(self) -> list[Probe]:
        last = dict(self._state.health().facts).get(BUSINESS_AT, "")
        if not last:
            return []
        words = f"somebody connected it to their business account (last message {clock_time(int(last))}): "
        words += "this bot answers nobody in other people's names"
        return [Probe(name=_OF_BUSINESS, state="warning", evidence=words, fix=_NO_BUSINESS, code="business")]

    async def _webhook(self) -> Probe:
        try:
            info = await self._api.get_webhook_info()
        except TelegramError as error:
            return Probe(name=_WEBHOOK, state="unknown", evidence=error.message, code="network")
        self._state.webhook(info)
        host, waiting = host_of(info.url), info.pending_update_count
        facts = (("webhook_host", host), ("pending_updates", str(waiting)))
        if not info.url:
            evidence = f"no webhook; {waiting} updates wait"
            return Probe(name=_WEBHOOK, state="ok", evidence=evidence, facts=facts)
        told = dict(self._state.health().facts).get("webhook_error", "")
        failing = f"; it fails there: {told}" if told else ""
        return Probe(
            name=_WEBHOOK,
            state="failed",
            evidence=f"a webhook is set on {host}; {waiting} updates wait for it{failing}",
            fix=f"{_UNTOUCHED} {FIXES['webhook']}",
            code="webhook",
            facts=facts,
        )

    def _polling(self) -> Probe:
        health = self._state.health()
        facts = tuple(fact for fact in health.facts if fact[0] in {"last_good_poll", "pending_updates"})
        last = dict(health.facts).get("last_good_poll", "never")
        said = f": {health.detail}" if health.detail else ""
        state, fix, code = _PROBED.get(health.state, "failed"), health.fix, health.code
        conflict = int(dict(health.facts).get(CONFLICT_AT, "0"))
        if state == "ok" and conflict and self._clock.now() - conflict < _DAY_MS:
            state, fix, code = "warning", FIXES["conflict"], "conflict"
            said = f"; another program polled with this token at {clock_time(conflict)}"
        evidence = f"{health.state.value}{said}; last good poll: {last}"
        return Probe(name=_POLLING, state=state, evidence=evidence, fix=fix, code=code, facts=facts)

    async def _place(self, channel: ChannelId, me: User) -> Probe:
        name = f"{NAME} {channel}"
        try:
            target = target_of(channel)
            chat = await self._api.chat(target.chat)
            if target.is_private:
                return Probe(name=name, state="ok", evidence="the private chat is open")
            member = await self._api.member(target.chat, me.id)
        except DeliveryError as error:
            return Probe(name=name, state="failed", evidence=str(error), code=error.code)
        except (BadRequest, Forbidden) as error:
            return _refused(name, target, error)
        except TelegramError as error:
            return Probe(name=name, state="unknown", evidence=error.message, code="network")
        reads_all = bool(me.can_read_all_group_messages)
        return rights_probe(name, chat, member, reads_all=reads_all, now=self._clock.now())


def _refused(name: str, target: Target, error: TelegramError) -> Probe:
    code = errors.refusal(error, is_private=target.is_private)
    fix = "Press Start in the bot's private chat." if code == "dm_closed" else "Add the bot to the chat."
    return Probe(name=name, state="failed", evidence=errors.words_of(error), fix=fix, code=code)


def _word(value: bool) -> str:
    return "yes" if value else "no"
