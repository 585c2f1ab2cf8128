"""Judge what the bot is and may in a chat, from what Telegram says of both; pure.

https://core.telegram.org/bots/api#chatfullinfo and #chatmember, as they came: a field that is not there is its default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.domain.health import Probe
from bot.text.times import age, clock_time

Json = Mapping[str, Any]

_PRIVACY = (
    "Talk to @BotFather: /setprivacy, Disable; then remove the bot from the group and add it again. "
    "Or make it an administrator. Commands and replies to it arrive in any case."
)
_ADD = "Add the bot to the chat."
_UNBAN = "Take the bot off the list of removed users (Manage Group, Permissions), and add it again."
_POST = "Manage Channel, Administrators, the bot: switch Post Messages on."
_LIFT = "Manage Group, Permissions, Exceptions: lift the bot's restriction; or make it an admin."
_EVERYBODY = "Manage Group, Permissions: let members send messages; or make the bot an admin."
_SLOW = "Make the bot an admin, whom slow mode does not hold back, or turn slow mode off (Manage Group, Permissions)."
_PAID = "Make the bot an admin, or let members write for nothing (Manage Group, Permissions)."
_RULES = frozenset({"creator", "administrator"})
_OUT = frozenset({"left", "kicked"})
_KINDS = {"can_send_documents": "Files", "can_send_photos": "Photos"}
"""What else the bot sends, as Telegram's permissions and its settings screen call it."""


def rights_probe(name: str, chat: Json, member: Json, *, reads_all: bool, now: int) -> Probe:
    """Say what keeps the bot from reading or writing there, the worst first."""
    status = str(member.get("status", ""))
    if not _is_in(member):
        words, fix = ("the bot was removed from it, and is banned", _UNBAN) if status == "kicked" else _NOT_IN
        return Probe(name=name, state="failed", evidence=words, fix=fix, code="not_member", facts=_facts(chat, member))
    return (
        _unable(name, chat, member, now)
        or _held_back(name, chat, member, reads_all=reads_all)
        or Probe(
            name=name,
            state="ok",
            evidence=f"the bot is {status} and may send",
            facts=(*_facts(chat, member), ("can_read_all_group_messages", _word(reads_all))),
        )
    )


_NOT_IN = ("the bot is not in there", _ADD)


def _is_in(member: Json) -> bool:
    """Say whether the bot is in the chat; who is restricted may be, or not any more."""
    return member.get("status") not in _OUT and bool(member.get("is_member", True))


def _unable(name: str, chat: Json, member: Json, now: int) -> Probe | None:
    """Say why the bot may not write at all: it alone, or everybody."""
    found = _why_not(chat, member, now)
    if found is None:
        return None
    words, fix = found
    facts = (*_facts(chat, member), ("denied", words))
    evidence = f"the bot may not send: {words}"
    return Probe(name=name, state="failed", evidence=evidence, fix=fix, code="no_rights", facts=facts)


def _why_not(chat: Json, member: Json, now: int) -> tuple[str, str] | None:
    status = member.get("status")
    if chat.get("type") == "channel":
        posts = status == "creator" or bool(member.get("can_post_messages"))
        return None if posts else ("in a channel only admins post, with the right Post Messages", _POST)
    if status in _RULES:
        return None
    if status == "restricted" and not member.get("can_send_messages", True):
        until = int(member.get("until_date") or 0) * 1000
        ends = f" until {clock_time(until)}" if until > now else ""
        return f"an admin restricted the bot{ends}", _LIFT
    if not (chat.get("permissions") or {}).get("can_send_messages", True):
        return "members may not send messages", _EVERYBODY
    if int(chat.get("paid_message_star_count") or 0):
        return f"a message costs {chat['paid_message_star_count']} Stars", _PAID
    return None


def _held_back(name: str, chat: Json, member: Json, *, reads_all: bool) -> Probe | None:
    """Say what the bot may do only in part: hear what is meant for it, write now and then, send words alone."""
    status, facts = member.get("status"), _facts(chat, member)
    facts = (*facts, ("can_read_all_group_messages", _word(reads_all)))
    evidence, lacks = f"the bot is {status} and may send", _lacks(chat, member)
    slow = dict(facts).get("slow_mode", "")
    more = [f"slow mode: one message in {age(int(slow) * 1000)}"] if slow else []
    more += [f"it may not send: {', '.join(lacks)}"] if lacks else []
    if chat.get("type") != "channel" and not reads_all and status not in _RULES:
        words = "; ".join((evidence, "group privacy keeps what is not meant for it away", *more))
        return Probe(name=name, state="warning", evidence=words, fix=_PRIVACY, code="privacy", facts=facts)
    if not more:
        return None
    fix, code = (_SLOW, "slow_mode") if slow else (_LIFT if status == "restricted" else _EVERYBODY, "partly")
    return Probe(name=name, state="warning", evidence="; ".join((evidence, *more)), fix=fix, code=code, facts=facts)


def _facts(chat: Json, member: Json) -> tuple[tuple[str, str], ...]:
    status, slow = str(member.get("status", "")), int(chat.get("slow_mode_delay") or 0)
    sends = _is_in(member) and _why_not(chat, member, 0) is None
    return (
        ("status", status),
        ("may_send", _word(sends)),
        ("is_forum", _word(bool(chat.get("is_forum")))),
        *((("slow_mode", str(slow)),) if slow and status not in _RULES else ()),
    )


def _lacks(chat: Json, member: Json) -> list[str]:
    if chat.get("type") == "channel" or member.get("status") in _RULES:
        return []
    everybody, own = chat.get("permissions") or {}, member if member.get("status") == "restricted" else {}
    return [word for right, word in _KINDS.items() if not (everybody.get(right, True) and own.get(right, True))]


def _word(value: bool) -> str:
    return "yes" if value else "no"
