"""Look at the platform live; nothing here polls, and nothing raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from telegram import User
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

from adapters.telegram import errors
from adapters.telegram.api import BotApi
from adapters.telegram.places import NAME, TelegramTarget, target_of
from adapters.telegram.state import BUSINESS_AT, CONFLICT_AT, TelegramState, fix_words, host_of
from bot.domain.bot_accounts import STREAM
from bot.domain.health import AdapterState, ProbeResult
from bot.domain.ids import ChannelId
from bot.errors import DeliveryError
from bot.ports.clock import Clock
from bot.sentences import say
from bot.text.times import age, clock_time

_ACCOUNT, _WEBHOOK, _POLLING = f"{NAME} account", f"{NAME} webhook", f"{NAME} polling"
_OF_BUSINESS = f"{NAME} business"
_DAY_MS = 86_400_000
_PROBED = {
    AdapterState.UP: "ok",
    AdapterState.STARTING: "unknown",
    AdapterState.DEGRADED: "warning",
    AdapterState.DISABLED: "unknown",
}
Json = Mapping[str, Any]
_RULING_STATUSES = frozenset({"creator", "administrator"})
_OUT_STATUSES = frozenset({"left", "kicked"})
_KINDS = {"can_send_documents": "Files", "can_send_photos": "Photos"}
"""What else the bot sends, as Telegram's permissions and its settings screen call it."""


class TelegramProber:
    """Asks the platform about the account, the webhook and one channel."""

    def __init__(self, api: BotApi, clock: Clock, state: TelegramState) -> None:
        self._api = api
        self._clock = clock
        self._state = state

    async def probe(self, channel: ChannelId | None) -> Sequence[ProbeResult]:
        """Return what was found, the connection first."""
        account, me = await self._account()
        if me is None:
            return (account, self._polling())
        found = [account, await self._webhook(), self._polling(), *self._business()]
        if channel is not None:
            found.append(await self._place(channel, me))
        return found

    async def _account(self) -> tuple[ProbeResult, User | None]:
        try:
            me = await self._api.get_me()
        except TelegramError as error:
            code = "token" if isinstance(error, InvalidToken) else "network"
            words = say("telegram_doctor.unknown-token") if code == "token" else error.message
            return ProbeResult(name=_ACCOUNT, state="failed", evidence=words, fix=fix_words(code), code=code), None
        known = self._state.is_me(me)
        privacy = "off" if known.reads_all else "on"
        evidence = say("telegram_doctor.account", name=f"@{known.username}", privacy=privacy)
        facts = (
            ("username", known.username),
            (STREAM, known.account.stored),
            ("can_read_all_group_messages", _yes_or_no(known.reads_all)),
            ("has_topics_enabled", _yes_or_no(known.has_topics)),
        )
        return ProbeResult(name=_ACCOUNT, state="ok", evidence=evidence, facts=facts), me

    def _business(self) -> list[ProbeResult]:
        last = dict(self._state.health().facts).get(BUSINESS_AT, "")
        if not last:
            return []
        words, fix = say("telegram_doctor.business", time=clock_time(int(last))), say("telegram_doctor.no-business")
        return [ProbeResult(name=_OF_BUSINESS, state="warning", evidence=words, fix=fix, code="business")]

    async def _webhook(self) -> ProbeResult:
        try:
            info = await self._api.get_webhook_info()
        except TelegramError as error:
            return ProbeResult(name=_WEBHOOK, state="unknown", evidence=error.message, code="network")
        self._state.note_webhook(info)
        host, waiting = host_of(info.url), info.pending_update_count
        facts = (("webhook_host", host), ("pending_updates", str(waiting)))
        if not info.url:
            evidence = say("telegram_doctor.no-webhook", waiting=waiting)
            return ProbeResult(name=_WEBHOOK, state="ok", evidence=evidence, facts=facts)
        told = dict(self._state.health().facts).get("webhook_error", "")
        evidence = say("telegram_doctor.webhook", host=host, waiting=waiting)
        return ProbeResult(
            name=_WEBHOOK,
            state="failed",
            evidence=say("telegram_doctor.webhook-fails", webhook=evidence, error=told) if told else evidence,
            fix=say("telegram_doctor.nothing-changed", fix=fix_words("webhook")),
            code="webhook",
            facts=facts,
        )

    def _polling(self) -> ProbeResult:
        health = self._state.health()
        facts = tuple(fact for fact in health.facts if fact[0] in {"last_good_poll", "pending_updates"})
        last = dict(health.facts).get("last_good_poll", "never")
        evidence = say("telegram_doctor.state", state=health.state.value)
        if health.detail:
            evidence = say("telegram_doctor.state-because", state=evidence, detail=health.detail)
        state, fix, code = _PROBED.get(health.state, "failed"), health.fix, health.code
        conflict = int(dict(health.facts).get(CONFLICT_AT, "0"))
        if state == "ok" and conflict and self._clock.now() - conflict < _DAY_MS:
            state, fix, code = "warning", fix_words("conflict"), "conflict"
            evidence = say("telegram_doctor.other-program", state=evidence, time=clock_time(conflict))
        if self._state.listens and last == "never":
            evidence = say("telegram_doctor.never-polled", state=evidence)
        elif self._state.listens:
            evidence = say("telegram_doctor.last-poll", state=evidence, time=last)
        return ProbeResult(name=_POLLING, state=state, evidence=evidence, fix=fix, code=code, facts=facts)

    async def _place(self, channel: ChannelId, me: User) -> ProbeResult:
        name = f"{NAME} {channel}"
        try:
            target = target_of(channel)
            chat = await self._api.chat(target.chat)
            if target.is_private:
                return ProbeResult(name=name, state="ok", evidence=say("telegram_doctor.private-open"))
            member = await self._api.member(target.chat, me.id)
        except DeliveryError as error:
            return ProbeResult(name=name, state="failed", evidence=str(error), code=error.code)
        except (BadRequest, Forbidden) as error:
            return _refused_probe(name, target, error)
        except TelegramError as error:
            return ProbeResult(name=name, state="unknown", evidence=error.message, code="network")
        reads_all = bool(me.can_read_all_group_messages)
        return rights_probe(name, chat, member, reads_all=reads_all, now=self._clock.now())


def _refused_probe(name: str, target: TelegramTarget, error: TelegramError) -> ProbeResult:
    code = errors.refusal(error, is_private=target.is_private)
    fix = say("telegram_doctor.press-start" if code == "dm_closed" else "telegram_doctor.add")
    return ProbeResult(name=name, state="failed", evidence=errors.words_of(error), fix=fix, code=code)


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


# https://core.telegram.org/bots/api#chatfullinfo and #chatmember: a field that is not there is its default
def rights_probe(name: str, chat: Json, member: Json, *, reads_all: bool, now: int) -> ProbeResult:
    """Say what keeps the bot from reading or writing there, the worst first."""
    status = str(member.get("status", ""))
    if not _is_in(member):
        words, fix = say("telegram_doctor.not-in"), say("telegram_doctor.add")
        if status == "kicked":
            words, fix = say("telegram_doctor.banned"), say("telegram_doctor.unban")
        return ProbeResult(
            name=name, state="failed", evidence=words, fix=fix, code="not_member", facts=_facts(chat, member)
        )
    return (
        _unable_probe(name, chat, member, now)
        or _held_back(name, chat, member, reads_all=reads_all)
        or ProbeResult(
            name=name,
            state="ok",
            evidence="; ".join((say("telegram_doctor.may-send", status=status), *_besides(chat, member))),
            facts=(*_facts(chat, member), ("can_read_all_group_messages", _yes_or_no(reads_all))),
        )
    )


def _is_in(member: Json) -> bool:
    """Say whether the bot is in the chat; who is restricted may be, or not any more."""
    return member.get("status") not in _OUT_STATUSES and bool(member.get("is_member", True))


def _unable_probe(name: str, chat: Json, member: Json, now: int) -> ProbeResult | None:
    """Say why the bot may not write at all: it alone, or everybody."""
    found = _why_not(chat, member, now)
    if found is None:
        return None
    words, fix = found
    facts = (*_facts(chat, member), ("denied", words))
    evidence = say("telegram_doctor.may-not-send", why=words)
    return ProbeResult(name=name, state="failed", evidence=evidence, fix=fix, code="no_rights", facts=facts)


def _why_not(chat: Json, member: Json, now: int) -> tuple[str, str] | None:
    status = member.get("status")
    if chat.get("type") == "channel":
        posts = status == "creator" or bool(member.get("can_post_messages"))
        return None if posts else (say("telegram_doctor.admins-post"), say("telegram_doctor.post"))
    if status in _RULING_STATUSES:
        return None
    if status == "restricted" and not member.get("can_send_messages", True):
        until = int(member.get("until_date") or 0) * 1000
        if until > now:
            return say("telegram_doctor.restricted-until", time=clock_time(until)), say("telegram_doctor.lift")
        return say("telegram_doctor.restricted"), say("telegram_doctor.lift")
    if not (chat.get("permissions") or {}).get("can_send_messages", True):
        return say("telegram_doctor.members-mute"), say("telegram_doctor.everybody")
    if stars := int(chat.get("paid_message_star_count") or 0):
        return say("telegram_doctor.costs", stars=stars), say("telegram_doctor.paid")
    return None


def _held_back(name: str, chat: Json, member: Json, *, reads_all: bool) -> ProbeResult | None:
    """Say what the bot may do only in part: hear what is meant for it, write now and then, send words alone."""
    status, facts = str(member.get("status", "")), _facts(chat, member)
    facts = (*facts, ("can_read_all_group_messages", _yes_or_no(reads_all)))
    evidence, lacks = say("telegram_doctor.may-send", status=status), _lacking_rights(chat, member)
    slow = dict(facts).get("slow_mode", "")
    more = [say("telegram_doctor.slow-mode", age=age(int(slow) * 1000))] if slow else []
    more += [say("telegram_doctor.lacks", kinds=", ".join(lacks))] if lacks else []
    if chat.get("type") != "channel" and not reads_all and status not in _RULING_STATUSES:
        kept_away = say("telegram_doctor.privacy")
        words = "; ".join((evidence, kept_away, *more, *_besides(chat, member)))
        return ProbeResult(
            name=name,
            state="warning",
            evidence=words,
            fix=say("telegram_doctor.privacy-fix"),
            code="privacy",
            facts=facts,
        )
    if not more:
        return None
    fix = say("telegram_doctor.lift" if status == "restricted" else "telegram_doctor.everybody")
    fix, code = (say("telegram_doctor.slow"), "slow_mode") if slow else (fix, "partly")
    return ProbeResult(
        name=name,
        state="warning",
        evidence="; ".join((evidence, *more, *_besides(chat, member))),
        fix=fix,
        code=code,
        facts=facts,
    )


def _besides(chat: Json, member: Json) -> tuple[str, ...]:
    """Say what only admins are told of, and what goes out in another form."""
    if chat.get("type") == "channel" or member.get("status") in _RULING_STATUSES:
        return ()
    plain = () if _is_allowed(chat, member, "can_send_polls") else (say("telegram_doctor.polls-as-text"),)
    return (*plain, say("telegram_doctor.unheard-reactions"))


def _facts(chat: Json, member: Json) -> tuple[tuple[str, str], ...]:
    status, slow = str(member.get("status", "")), int(chat.get("slow_mode_delay") or 0)
    sends = _is_in(member) and _why_not(chat, member, 0) is None
    return (
        ("status", status),
        ("may_send", _yes_or_no(sends)),
        ("is_forum", _yes_or_no(bool(chat.get("is_forum")))),
        *((("slow_mode", str(slow)),) if slow and status not in _RULING_STATUSES else ()),
    )


def _lacking_rights(chat: Json, member: Json) -> list[str]:
    if chat.get("type") == "channel" or member.get("status") in _RULING_STATUSES:
        return []
    return [word for right, word in _KINDS.items() if not _is_allowed(chat, member, right)]


def _is_allowed(chat: Json, member: Json, right: str) -> bool:
    """Say whether somebody who is no admin may send something there."""
    everybody, own = chat.get("permissions") or {}, member if member.get("status") == "restricted" else {}
    return bool(everybody.get(right, True) and own.get(right, True))
