"""Leave the older half of a conversation out of a request that its service found too long."""

from __future__ import annotations

from bot.context.contexts import Contexts
from bot.domain.snapshot import ContextSnapshot


async def shortened(contexts: Contexts, snapshot: ContextSnapshot) -> ContextSnapshot | None:
    """Return the request at half its length, or as short as it can be; None when nothing of it can be left out.

    What a window is believed to hold may be wrong, and so may our count; the service's word counts. The snapshot's
    window says from then on what the request was made to fit, so that the conversation is shortened for good after it.
    """
    if snapshot.overflow:
        return None
    limits, total = snapshot.inputs.limits, (await contexts.measured(snapshot)).stats.total
    found = await contexts.refit(snapshot, limits.replace(window=total // 2 + limits.max_output))
    if found.overflow:
        found = await contexts.refit(snapshot, limits.replace(window=found.stats.total + limits.max_output))
    is_shorter = len(found.request.messages) < len(snapshot.request.messages)
    return found if is_shorter and not found.overflow else None
