"""Tell a silence that the model wanted, and was refused, from an answer that merely came out empty."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.turn import CallState, ToolCallRecord

_SKIP_TOOL = "skip"


def refused_skip(calls: Sequence[ToolCallRecord]) -> ToolCallRecord | None:
    """Return the last call by which a turn wanted to be silent, where none of those calls was taken."""
    skips = [call for call in calls if call.tool_name == _SKIP_TOOL]
    return skips[-1] if skips and all(call.is_at is CallState.FAILED for call in skips) else None
