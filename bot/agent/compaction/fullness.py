"""How full a turn's last request was: what compaction, and the recap of the next turn, are decided by."""

from __future__ import annotations

from bot.context.compaction import Size
from bot.domain.snapshot import ContextSnapshot


def size_of(snapshot: ContextSnapshot | None, reported: int) -> Size:
    """Measure a request, of which the service `reported` so many tokens.

    From one that was too large although everything was left out that may be, nothing follows for the history.
    """
    if snapshot is None or snapshot.overflow:
        return Size(0, 1)
    limits = snapshot.inputs.limits
    used = max(reported, snapshot.stats.total)
    return Size(used, limits.window - limits.max_output, len(snapshot.dropped_turns))
