"""Judge what the bot may do in a channel, from what Discord says of it; pure."""

from __future__ import annotations

from typing import Any, NamedTuple

from adapters.discord.people import rights
from adapters.discord.people.channel_access import ChannelAccess, ChannelHidden
from bot.domain.health import ProbeResult
from bot.text.text import quote_line
from bot.text.times import age, clock_time

Json = dict[str, Any]

NEEDED = {
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "read_message_history": "Read Message History",
    "add_reactions": "Add Reactions",
    "attach_files": "Attach Files",
}
"""What the bot needs, as discord.py and as the platform call it; of the first two, what fits the channel.

Nothing that it says unfolds its links, so that it needs no right to embed them.
"""
VIEW, CONNECT = ("view_channel", "View Channel"), ("connect", "Connect")
_UNLOCK = "Unlock the thread, or give the bot Manage Threads."
_TIMEOUT = "End the timeout of the bot (its profile, Remove Timeout), or wait."
_PENDING = "Approve the bot under Members, or switch Membership Screening off; invite it again if that is not offered."
_QUARANTINE = "Give the bot another name or nickname: AutoMod lets who bears this one do nothing."
_POST = "Ask in one of its posts, or open one: the bot hears there."
_QUARANTINED = 1 << 7 | 1 << 10
_VERIFIED = (
    "",
    "a verified e-mail",
    "a verified e-mail and an account of five minutes",
    "to be in the server for ten minutes",
    "a verified phone",
)
"""What people need before they may write, by the server's verification level; roles pass it."""
_AGE_RESTRICTED = 3
_HIDDEN = "Discord does not show it to the bot: View Channel is missing, or it is a private thread of others"
_SHOW = "Let the bot view the channel; into a private thread whoever is in it lets it by mentioning it."
_MAX_ROLES_NAMED = 3
_NAME = 40


class MissingRight(NamedTuple):
    """A right that the bot lacks there: what Discord calls it, who keeps it back, and where that is changed."""

    right: str
    denied: str
    fix: str


def rights_probe(name: str, standing: ChannelAccess, now: int) -> ProbeResult:
    """Say what keeps the bot from reading or writing there, the worst first, and whose doing it is."""
    may, thread = standing.may, standing.thread
    unreached = _missing_access(standing)
    if unreached is not None:
        return _lacking_probe(
            name, [unreached], code="no_access", words=f"{_denied_words(unreached)} ({unreached.denied})"
        )
    shut = _shut_out(name, standing, now)
    if shut is not None:
        return shut
    meta = (thread or {}).get("thread_metadata") or {}
    if meta.get("locked") and not may.manage_threads:
        words = "the thread is locked"
        return ProbeResult(name=name, state="failed", evidence=words, fix=_UNLOCK, code="locked", facts=_facts([]))
    missing = [
        _missing_right(standing, right, label)
        for right, label in _needed_rights(standing).items()
        if not getattr(may, right)
    ]
    if missing:
        which = f"{missing[0].right}: " if len(missing) > 1 else ""
        words = f"the bot lacks: {', '.join(one.right for one in missing)} ({which}{missing[0].denied})"
        return _lacking_probe(name, missing, code="rights", words=words)
    if standing.is_forum:
        words = "it is a forum: the bot hears and answers in its posts"
        return ProbeResult(name=name, state="ok", evidence=words, fix=_POST, facts=_facts([]))
    if meta.get("archived"):
        words = "the thread is archived; the next message opens it again"
        return ProbeResult(name=name, state="warning", evidence=words, code="archived", facts=_facts([]))
    return ProbeResult(name=name, state="ok", evidence="the bot may read and write there", facts=_facts([]))


def hidden_probe(name: str, hidden: ChannelHidden, *, is_channel: bool) -> ProbeResult:
    """Say what can be known of what Discord does not show: whether it is a channel, and whether any role lets it in."""
    own = _role_of_the_bot(hidden.guild, hidden.member)
    if not is_channel:
        return ProbeResult(name=name, state="failed", evidence=_HIDDEN, fix=_SHOW, code="hidden")
    if hidden.is_ungranted:
        fix = f"Server Settings, Roles, {own}: switch {VIEW[1]} on; or in the channel's own permissions."
        missing = MissingRight(VIEW[1], "no role of the bot grants it", fix)
    else:
        has = {str(role) for role in hidden.member.get("roles", ())}
        roles = [_quoted_name(role) for role in hidden.guild.get("roles", ()) if str(role.get("id")) in has]
        doubted = ", ".join(("@everyone", *roles[:_MAX_ROLES_NAMED]))
        fix = f"Edit Channel or its category, Permissions: {VIEW[1]} on for {own}; see {doubted}."
        missing = MissingRight(VIEW[1], "taken away in the channel or its category; Discord does not say by whom", fix)
    words = f"the bot may not view the channel ({missing.denied})"
    return _lacking_probe(name, [missing], code="no_access", words=words)


def limits_probe(name: str, standing: ChannelAccess) -> ProbeResult | None:
    """Say what holds for people there and looks like a bot that does not answer; None where nothing does."""
    place, guild = standing.thread or standing.channel, standing.guild
    pause, level = int(place.get("rate_limit_per_user") or 0), int(guild.get("verification_level") or 0)
    told = []
    if pause:
        told.append(f"slow mode: people write once in {age(pause * 1000)} (bots are not held back)")
    if standing.channel.get("nsfw") or int(guild.get("nsfw_level") or 0) == _AGE_RESTRICTED:
        told.append("age-restricted: only who confirmed their age sees it")
    if 0 < level < len(_VERIFIED):
        told.append(f"without a role people need {_VERIFIED[level]} before they may write")
    if not told:
        return None
    return ProbeResult(name=name, state="ok", evidence="; ".join(told), facts=(("people_wait", str(pause)),))


def _missing_access(standing: ChannelAccess) -> MissingRight | None:
    may = standing.may
    if not may.view_channel:
        return _missing_right(standing, *VIEW)
    return _missing_right(standing, *CONNECT) if standing.is_spoken and not may.connect else None


def _denied_words(missing: MissingRight) -> str:
    if missing.right == VIEW[1]:
        return "the bot may not view the channel"
    return "the bot may not connect to the voice channel, and without that not use its chat"


def _shut_out(name: str, standing: ChannelAccess, now: int) -> ProbeResult | None:
    """Say what keeps the bot's own account from doing anything in the server but look."""
    member, may = standing.member, standing.may
    until = rights.timed_out_until(member, now)
    if until and not may.administrator:
        words, facts = f"the bot is timed out until {clock_time(until)}", (*_facts([]), ("until", str(until)))
        return ProbeResult(name=name, state="failed", evidence=words, fix=_TIMEOUT, code="timed_out", facts=facts)
    if member.get("pending"):
        words = "the bot has not passed the server's membership screening"
        return ProbeResult(name=name, state="failed", evidence=words, fix=_PENDING, code="pending", facts=_facts([]))
    if int(member.get("flags") or 0) & _QUARANTINED:
        words = "AutoMod has put the bot into quarantine for its name"
        return ProbeResult(
            name=name, state="failed", evidence=words, fix=_QUARANTINE, code="quarantined", facts=_facts([])
        )
    return None


def _needed_rights(standing: ChannelAccess) -> dict[str, str]:
    in_thread = standing.thread is not None
    other = "send_messages" if in_thread else "send_messages_in_threads"
    # in a forum nothing is sent but into posts
    other = "send_messages" if standing.is_forum else other
    return {right: label for right, label in NEEDED.items() if right != other}


def _lacking_probe(name: str, missing: list[MissingRight], *, code: str, words: str) -> ProbeResult:
    state = "failed" if code == "no_access" or any(one.right.startswith("Send") for one in missing) else "warning"
    return ProbeResult(name=name, state=state, evidence=words, fix=missing[0].fix, code=code, facts=_facts(missing))


def _facts(missing: list[MissingRight]) -> tuple[tuple[str, str], ...]:
    sends = not any(one.right.startswith("Send") or one.right in {VIEW[1], CONNECT[1]} for one in missing)
    facts = (("missing", ", ".join(one.right for one in missing)), ("may_send", "yes" if sends else "no"))
    return (*facts, ("denied", missing[0].denied)) if missing else facts


def _missing_right(standing: ChannelAccess, right: str, label: str) -> MissingRight:
    """Name who takes a right away: a role or the bot's own overwrite, in the channel or in its category."""
    found = rights.denial(standing.guild, standing.member, standing.channel, right)
    own = _role_of_the_bot(standing.guild, standing.member)
    if found is None or found == rights.RightDenial():
        fix = f"Server Settings, Roles, {own}: switch {label} on; or in the channel's own permissions."
        return MissingRight(label, "no role of the bot grants it", fix)
    who = "the bot itself" if found.is_own else _role_words(standing, found.by)
    category = standing.category
    is_synced = category is not None and rights.is_synced(standing.channel, category)
    where = f"the category {_quoted_name(category)}" if is_synced else "the channel"
    edit = "Edit Category" if is_synced else "Edit Channel"
    whose = "the bot" if found.is_own else own
    fix = f"{edit}{f' ({_quoted_name(category)})' if is_synced else ''}, Permissions, {whose}: switch {label} on."
    return MissingRight(label, f"denied to {who} in {where}", fix)


def _role_words(standing: ChannelAccess, number: str) -> str:
    if number == str(standing.guild["id"]):
        return "@everyone"
    return f"the role {_quoted_name(_role_by(standing, number))}"


def _role_by(standing: ChannelAccess, number: str) -> Json | None:
    return next((one for one in standing.guild.get("roles", ()) if str(one.get("id")) == number), None)


def _role_of_the_bot(guild: Json, member: Json) -> str:
    """Name the role that Discord made for the bot when it was invited with rights."""
    me = str(member["user"]["id"])
    roles = guild.get("roles", ())
    own = next((one for one in roles if str((one.get("tags") or {}).get("bot_id")) == me), None)
    return f"the role {_quoted_name(own)}" if own is not None else "the bot's role"


def _quoted_name(one: Json | None) -> str:
    return quote_line(str((one or {}).get("name") or "?"), _NAME)
