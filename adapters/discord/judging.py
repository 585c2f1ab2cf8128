"""Judge what the bot may do in a channel, from what the platform says of it."""

from __future__ import annotations

from discord import Permissions

from adapters.discord import rights
from adapters.discord.members import Standing
from bot.domain.health import Probe
from bot.domain.times import clock_time

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
_GRANT = "Grant it to the bot's role: Server Settings, Roles; or in the channel's own permissions."
_UNLOCK = "Unlock the thread, or give the bot Manage Threads."
_TIMEOUT = "End the timeout of the bot (its profile, Remove Timeout), or wait."


def rights_probe(name: str, standing: Standing, now: int, if_unseen: str) -> Probe:
    """Say what keeps the bot from reading or writing there, the worst first."""
    may, thread = standing.here, standing.thread
    missing = _missing(may, in_thread=thread is not None)
    facts = (("missing", ", ".join(missing)), ("may_send", "no" if _sends(missing) else "yes"))
    if not may.view_channel:
        words = "the bot may not view the channel"
        return Probe(name=name, state="failed", evidence=words, fix=if_unseen, code="not_member", facts=facts)
    until = rights.timed_out_until(standing.member, now)
    if until and not may.administrator:
        words, more = f"the bot is timed out until {clock_time(until)}", (("until", str(until)),)
        return Probe(name=name, state="failed", evidence=words, fix=_TIMEOUT, code="timed_out", facts=(*facts, *more))
    meta = (thread or {}).get("thread_metadata") or {}
    if meta.get("locked") and not may.manage_threads:
        words = "the thread is locked"
        return Probe(name=name, state="failed", evidence=words, fix=_UNLOCK, code="locked", facts=facts)
    if missing:
        state = "failed" if _sends(missing) else "warning"
        words = f"the bot lacks: {', '.join(missing)}"
        return Probe(name=name, state=state, evidence=words, fix=_GRANT, code="rights", facts=facts)
    if meta.get("archived"):
        words = "the thread is archived; the next message opens it again"
        return Probe(name=name, state="warning", evidence=words, code="archived", facts=facts)
    return Probe(name=name, state="ok", evidence="the bot may read and write there", facts=facts)


def _missing(may: Permissions, *, in_thread: bool) -> list[str]:
    other = "send_messages" if in_thread else "send_messages_in_threads"
    return [name for right, name in NEEDED.items() if right != other and not getattr(may, right)]


def _sends(missing: list[str]) -> bool:
    """Say whether writing itself is what is missing."""
    return any(name.startswith("Send") for name in missing)
