"""Stop what goes beyond the messages or commands a minute of a person or a channel, or beyond the queue."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.access import Authority
from bot.domain.ledger import GateVerdict
from bot.messaging.policy.command_syntax import STEERING
from bot.messaging.policy.gates.facts import GateFacts, passed, stopped

NAME = "rate"
CROWDED = "rate_waiting"
"""The reason where too much waits in the channel already."""
COMMANDS = "rate_commands"
"""The reason where somebody gives more commands than a minute holds."""
CHANNEL_COMMANDS = "rate_channel_commands"
"""The reason where all of a group's people together do."""
COUNTED_WITH = "counted_with"
"""The message of the same thought that counts for this one, too."""


def check(facts: GateFacts) -> GateVerdict:
    """Compare the last minute with the limits; 0 means no limit."""
    load, limits = facts.load, facts.limits
    user = (("user_id", facts.inbound.author.user_id), ("user_per_minute", _of(load.user, limits.user_per_minute)))
    channel = ("channel_per_minute", _of(load.channel, limits.channel_per_minute))
    # an admin's private chat is where the cortex answers
    if facts.inbound.place.is_dm and facts.tier >= Authority.ADMIN:
        return passed(NAME, *user, channel)
    if limits.waiting_per_channel and load.waiting >= limits.waiting_per_channel:
        return stopped(NAME, CROWDED, ("waiting_per_channel", _of(load.waiting, limits.waiting_per_channel)))
    if facts.counted_with:
        return passed(NAME, *user, channel, (COUNTED_WITH, facts.counted_with))
    if limits.user_per_minute and load.user >= limits.user_per_minute:
        return stopped(NAME, "rate_user", *user)
    if limits.channel_per_minute and load.channel >= limits.channel_per_minute:
        return stopped(NAME, "rate_channel", channel)
    return passed(NAME, *user, channel)


def has_counted(verdicts: Sequence[GateVerdict]) -> bool:
    """Say whether a message that was let in counted by itself, and not with one that came before it."""
    return all(name != COUNTED_WITH for verdict in verdicts if verdict.gate == NAME for name, _ in verdict.compared)


def check_command(facts: GateFacts) -> GateVerdict:
    """Compare the last minute's commands with the limits; 0 means no limit.

    Those who steer the bot always get through with what steers it. What stops an answer is never refused because of
    what others typed.
    """
    load, limits, line = facts.load, facts.limits, facts.command
    mine, shared = limits.user_commands_per_minute, limits.channel_commands_per_minute
    user = (("user_id", facts.inbound.author.user_id), ("user_commands_per_minute", _of(load.commands, mine)))
    channel = ("channel_commands_per_minute", _of(load.channel_commands, shared))
    if not is_counted(facts):
        return passed(NAME, ("tier", facts.tier.word))
    if 0 < mine <= load.commands:
        return stopped(NAME, COMMANDS, *user, store_text=False)
    is_free = facts.inbound.place.is_dm or facts.goes_unanswered or (line is not None and line.name == "stop")
    if not is_free and 0 < shared <= load.channel_commands:
        return stopped(NAME, CHANNEL_COMMANDS, channel, store_text=False)
    return passed(NAME, *user, channel)


def is_counted(facts: GateFacts) -> bool:
    """Say whether a command counts against the limits: every one but what steers the bot, by those who may."""
    line = facts.command
    if facts.nobodys_command is not None:
        return True
    return line is not None and not (line.name in STEERING and facts.tier >= Authority.MODERATOR)


def _of(count: int, limit: int) -> str:
    return f"{count} of {limit}" if limit else f"{count}, no limit"
