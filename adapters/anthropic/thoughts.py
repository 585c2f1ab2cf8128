"""What the model thought, as the service wants it back: whole, signed, and where it stood.

https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from bot.domain.messages import Message, ProviderData, Role

_KEY = "thinking_blocks"


def added_blocks(blocks: Sequence[dict[str, str]]) -> dict[str, Any] | None:
    """Return thoughts under the key that they are kept by; None where none can go back."""
    whole = [block for block in blocks if block.get("signature") or block.get("data")]
    return {_KEY: whole} if whole else None


def blocks_of(data: ProviderData | None, provider: str) -> list[dict[str, Any]]:
    """Return the thoughts that this provider added; none of another's."""
    if data is None or data.provider != provider:
        return []
    try:
        blocks = orjson.loads(data.data).get(_KEY)
    except (ValueError, AttributeError):
        return []
    return [block for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []


def first_blocks(message: Message, provider: str) -> list[dict[str, Any]]:
    """Return the thoughts that an answer with calls begins with; without calls none have to go back."""
    if not message.calls:
        return []
    return [block for part in message.parts if isinstance(part, ProviderData) for block in blocks_of(part, provider)]


def may_think(messages: Sequence[Message], provider: str) -> bool:
    """Say whether the rounds that are under way allow for thinking with a budget.

    They must have begun with a thought then. What another provider began, or this one while it did not think, has none:
    the whole request would be refused.
    """
    has_results = False
    for message in reversed(messages):
        if message.role is Role.ASSISTANT:
            if not has_results:
                return True
            has_results = False
            if message.calls and not _begins_with_thought(message, provider):
                return False
        has_results = has_results or message.role is Role.TOOL
    return True


def _begins_with_thought(message: Message, provider: str) -> bool:
    if first_blocks(message, provider):
        return True
    return not message.text.strip() and bool(blocks_of(message.calls[0].added, provider))
