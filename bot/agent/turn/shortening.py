"""Leave the older half of a conversation out of a request that its service found too long."""

from __future__ import annotations

from bot.context.builder import ContextBuilder
from bot.domain.snapshot import ContextSnapshot, ModelLimits

_MARGIN_SHARE = 0.97
"""Of what a service says that it takes: its count of the same words and ours differ a little."""


async def shorten_request(
    contexts: ContextBuilder, snapshot: ContextSnapshot, limit: int = 0, size: int = 0
) -> ContextSnapshot | None:
    """Return the request as its service takes it, or as short as it can be; None when nothing of it can be left out.

    `limit` is what the service takes and `size` what it counted, by its own words; where it named no limit, or one
    that we thought we had kept, half the length is tried.

    What a window is believed to hold may be wrong, and so may our count; the service's word counts. The snapshot's
    window says from then on what the request was made to fit, so that the conversation is shortened for good after it.
    """
    if snapshot.overflow:
        return None
    limits, total = snapshot.inputs.limits, (await contexts.measured(snapshot)).stats.total
    target = _target(limits, total, limit, size)
    found = await contexts.refit(snapshot, target)
    if found.overflow:
        found = await contexts.refit(snapshot, target.replace(window=found.stats.total + target.max_output))
    is_shorter = len(found.request.messages) < len(snapshot.request.messages)
    return found if is_shorter and not found.overflow else None


def _target(limits: ModelLimits, total: int, limit: int, size: int) -> ModelLimits:
    """Say what the request is made to fit, in our count."""
    if limit <= 0:
        return limits.replace(window=total // 2 + limits.max_output)
    output = min(limits.max_output, max(1, limit // 4))
    room = int((limit - output) * _MARGIN_SHARE)
    if size > total:
        # they count more than we do: ours has to stay below by as much
        room = room * total // size
    elif not size and room >= total:
        room = total // 2
    return limits.replace(window=max(1, min(room, total - 1)) + output, max_output=output)
