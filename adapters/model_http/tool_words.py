"""What tools did, in words, for a model that takes no tools: a conversation may have begun with another one."""

from __future__ import annotations

from bot.domain.messages import Message

_HEAD = "[What your tools did, which you cannot call any more]"
_RETURNED_HEAD = "[What your tools returned]"


def tools_in_words(asked: Message | None, answered: Message, *, may_call: bool = False) -> str:
    """Tell it as a user's message: what stands among a model's own words it soon writes itself.

    `may_call`: it calls tools by writing so.
    """
    calls = {call.call_id: f"{call.name} {call.arguments}" for call in (asked.calls if asked is not None else ())}
    lines = [f"{calls.get(result.call_id, 'a tool')}\n→ {result.text}" for result in answered.results]
    return "\n".join((_RETURNED_HEAD if may_call else _HEAD, *lines)) if lines else ""
