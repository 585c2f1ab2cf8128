"""What waits in front of a platform, and how fast messages may go out; the port of sending tells nobody."""

from __future__ import annotations

from bot.messaging.delivery.outbox import OutboxSender
from bot.messaging.delivery.retry_policy import SendPacing


def waits_for_a_platform(sender: OutboxSender) -> bool:
    """Whether something is to go out as soon as a platform can be reached again."""
    return bool(sender.queues._waiting or sender._poster.outages.any)


def pacing_of(sender: OutboxSender) -> SendPacing:
    return sender._poster.pacing
