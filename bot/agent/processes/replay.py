"""Take up what an earlier turn did: its calls stand with the results on record, and none of them runs again."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.messages import Message, Role, ToolResult

CUT_OFF = "This call was cut off while it ran. It may have had its effect; it was not run again."


def whole_rounds(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return whole rounds: a call without a result gets one that says so, and what belongs to no round is left out."""
    rounds: list[Message] = []
    for at, message in enumerate(messages):
        if message.role is not Role.ASSISTANT or not message.calls:
            continue
        follows = messages[at + 1] if at + 1 < len(messages) else None
        known = {r.call_id: r for r in follows.results} if follows is not None and follows.role is Role.TOOL else {}
        lost = (ToolResult(call_id=call.call_id, text=CUT_OFF, ok=False) for call in message.calls)
        results = tuple(known.get(result.call_id, result) for result in lost)
        answered = follows.at if follows is not None and known else message.at
        rounds += [message, Message(role=Role.TOOL, parts=results, at=answered)]
    return tuple(rounds)
