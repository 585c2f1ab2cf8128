"""Judge what the bot may do in a channel, from what Discord says of it; pure."""

from __future__ import annotations

from typing import Any, NamedTuple

from adapters.discord.people import rights
from adapters.discord.people.channel_access import ChannelAccess, ChannelHidden
from bot.domain.health import ProbeResult
from bot.sentences import say
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

Nothing that it says unfolds its links.
"""
FOR_LOOKS = {
    "embed_links": ("Embed Links", "discord_rights.cards-as-text"),
    "send_polls": ("Create Polls", "discord_rights.polls-as-text"),
}
"""What a card and a poll need, and the sentence on what becomes of them without it: nothing is lost."""
VIEW, CONNECT = ("view_channel", "View Channel"), ("connect", "Connect")
_QUARANTINED = 1 << 7 | 1 << 10
_MAX_LEVEL = 4
"""The highest verification level of a server: what people need before they may write; roles pass it."""
_AGE_RESTRICTED = 3
_THE_BOT = {"who": "bot", "role": ""}
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
        return _lacking_probe(name, [unreached], code="no_access", words=_denied_words(unreached))
    shut = _shut_out(name, standing, now)
    if shut is not None:
        return shut
    meta = (thread or {}).get("thread_metadata") or {}
    if meta.get("locked") and not may.manage_threads:
        return _shut_probe(name, "locked", say("discord_rights.locked"), say("discord_rights.unlock"))
    missing = [
        _missing_right(standing, right, label)
        for right, label in _needed_rights(standing).items()
        if not getattr(may, right)
    ]
    if missing:
        lacking, count = ", ".join(one.right for one in missing), len(missing)
        first, why = missing[0].right, missing[0].denied
        words = say("discord_rights.lacks", rights=lacking, count=count, first=first, why=why)
        return _lacking_probe(name, missing, code="rights", words=words)
    if standing.is_forum:
        words, fix = say("discord_rights.forum"), say("discord_rights.post")
        return ProbeResult(name=name, state="ok", evidence=words, fix=fix, facts=_facts([]))
    if meta.get("archived"):
        words = say("discord_rights.archived")
        return ProbeResult(name=name, state="warning", evidence=words, code="archived", facts=_facts([]))
    plain = [say(words, right=label) for right, (label, words) in FOR_LOOKS.items() if not getattr(may, right)]
    words = "; ".join((say("discord_rights.may-all"), *plain))
    return ProbeResult(name=name, state="ok", evidence=words, facts=_facts([]))


def hidden_probe(name: str, hidden: ChannelHidden, *, is_channel: bool) -> ProbeResult:
    """Say what can be known of what Discord does not show: whether it is a channel, and whether any role lets it in."""
    own = _role_of_the_bot(hidden.guild, hidden.member)
    if not is_channel:
        words, fix = say("discord_rights.hidden"), say("discord_rights.show")
        return ProbeResult(name=name, state="failed", evidence=words, fix=fix, code="hidden")
    if hidden.is_ungranted:
        fix = say("discord_rights.switch-on-in-role", **own, right=VIEW[1])
        missing = MissingRight(VIEW[1], say("discord_rights.no-role-grants"), fix)
    else:
        has = {str(role) for role in hidden.member.get("roles", ())}
        roles = [_quoted_name(role) for role in hidden.guild.get("roles", ()) if str(role.get("id")) in has]
        doubted = ", ".join(("@everyone", *roles[:_MAX_ROLES_NAMED]))
        fix = say("discord_rights.look-at-roles", **own, right=VIEW[1], roles=doubted)
        missing = MissingRight(VIEW[1], say("discord_rights.taken-away"), fix)
    return _lacking_probe(name, [missing], code="no_access", words=_denied_words(missing))


def limits_probe(name: str, standing: ChannelAccess) -> ProbeResult | None:
    """Say what holds for people there and looks like a bot that does not answer; None where nothing does."""
    place, guild = standing.thread or standing.channel, standing.guild
    pause, level = int(place.get("rate_limit_per_user") or 0), int(guild.get("verification_level") or 0)
    told = []
    if pause:
        told.append(say("discord_rights.slow-mode", age=age(pause * 1000)))
    if standing.channel.get("nsfw") or int(guild.get("nsfw_level") or 0) == _AGE_RESTRICTED:
        told.append(say("discord_rights.age-restricted"))
    if 0 < level <= _MAX_LEVEL:
        told.append(say("discord_rights.verified", level=str(level)))
    if not told:
        return None
    return ProbeResult(name=name, state="ok", evidence="; ".join(told), facts=(("people_wait", str(pause)),))


def _missing_access(standing: ChannelAccess) -> MissingRight | None:
    may = standing.may
    if not may.view_channel:
        return _missing_right(standing, *VIEW)
    return _missing_right(standing, *CONNECT) if standing.is_spoken and not may.connect else None


def _denied_words(missing: MissingRight) -> str:
    cannot_view = missing.right == VIEW[1]
    return say("discord_rights.may-not-view" if cannot_view else "discord_rights.may-not-connect", why=missing.denied)


def _shut_out(name: str, standing: ChannelAccess, now: int) -> ProbeResult | None:
    """Say what keeps the bot's own account from doing anything in the server but look."""
    member, may = standing.member, standing.may
    until = rights.timed_out_until(member, now)
    if until and not may.administrator:
        words, fix = say("discord_rights.timed-out", time=clock_time(until)), say("discord_rights.end-timeout")
        return _shut_probe(name, "timed_out", words, fix, ("until", str(until)))
    if member.get("pending"):
        return _shut_probe(name, "pending", say("discord_rights.pending"), say("discord_rights.approve"))
    if int(member.get("flags") or 0) & _QUARANTINED:
        return _shut_probe(name, "quarantined", say("discord_rights.quarantined"), say("discord_rights.rename"))
    return None


def _shut_probe(name: str, code: str, words: str, fix: str, *facts: tuple[str, str]) -> ProbeResult:
    return ProbeResult(name=name, state="failed", evidence=words, fix=fix, code=code, facts=(*_facts([]), *facts))


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
        fix = say("discord_rights.switch-on-in-role", **own, right=label)
        return MissingRight(label, say("discord_rights.no-role-grants"), fix)
    category = standing.category
    if category is not None and not rights.is_synced(standing.channel, category):
        category = None
    where = {"where": "category" if category else "channel", "category": _quoted_name(category)}
    who = _denier(standing, found)
    fix = say("discord_rights.switch-on-in-channel", **where, **(_THE_BOT if found.is_own else own), right=label)
    return MissingRight(label, say("discord_rights.denied", **who, **where), fix)


def _denier(standing: ChannelAccess, found: rights.RightDenial) -> dict[str, str]:
    if found.is_own:
        return _THE_BOT
    is_everyone = found.by == str(standing.guild["id"])
    name = "@everyone" if is_everyone else _quoted_name(_role_by(standing, found.by))
    return {"who": "everyone" if is_everyone else "role", "role": name}


def _role_by(standing: ChannelAccess, number: str) -> Json | None:
    return next((one for one in standing.guild.get("roles", ()) if str(one.get("id")) == number), None)


def _role_of_the_bot(guild: Json, member: Json) -> dict[str, str]:
    """Name the role that Discord made for the bot when it was invited with rights."""
    me = str(member["user"]["id"])
    roles = guild.get("roles", ())
    own = next((one for one in roles if str((one.get("tags") or {}).get("bot_id")) == me), None)
    return {"who": "role" if own is not None else "unnamed", "role": _quoted_name(own)}


def _quoted_name(one: Json | None) -> str:
    return quote_line(str((one or {}).get("name") or "?"), _NAME)
