"""What a service added to its own calls and messages goes back unchanged, and to that service only."""

from __future__ import annotations

from typing import Any

import orjson

from bot.domain.messages import Message, ProviderData, ToolCall

_OUR_KEYS = frozenset({"role", "content", "tool_calls", "tool_call_id", "id", "type", "function", "name", "input"})
"""What we write ourselves: nobody adds these."""


def has_added(message: Message) -> bool:
    """Whether a service added anything to it."""
    # a loop, as every message of a model's is asked with every request
    for part in message.parts:
        kind = type(part)
        if kind is ProviderData or (kind is ToolCall and part.added is not None):  # type: ignore[union-attr]
            return True
    return False


def added_to_message(message: Message, provider: str) -> dict[str, Any]:
    """Return what this provider added to a message, by its own keys, beside those that we write."""
    return {key: value for key, value in all_added(message, provider).items() if key not in _OUR_KEYS}


def all_added(message: Message, provider: str) -> dict[str, Any]:
    """Return what this provider added to a message, by its own keys."""
    found: dict[str, Any] = {}
    for part in message.parts:
        if isinstance(part, ProviderData):
            found |= _keys(part, provider)
    return found


def added_to_call(call: ToolCall, provider: str) -> dict[str, Any]:
    """Return what this provider added to a call, by its own keys."""
    added = _keys(call.added, provider) if call.added is not None else {}
    return {key: value for key, value in added.items() if key not in _OUR_KEYS}


def _keys(data: ProviderData, provider: str) -> dict[str, Any]:
    if data.provider != provider:
        return {}
    try:
        value = orjson.loads(data.data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
