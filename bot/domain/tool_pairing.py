"""Make a stored conversation one that every model service takes: each call with its result directly behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.domain.base import canonical_json
from bot.domain.messages import Message, Role, TextPart, ToolCall, ToolResult

NO_RESULT = "[the result of this call is missing from the stored history]"
NO_CALL = canonical_json({"note": "this call is missing from the stored history"})
UNKNOWN = "unknown_tool"


def pair_tool_calls(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages of a turn with every call answered and every result asked for.

    What is there stays, word for word; what is missing is put in, and says that it was missing. A conversation in which
    nothing is missing comes back as it is.
    """
    return tuple(messages) if _are_paired(messages) else tuple(_mended(messages))


def _are_paired(messages: Sequence[Message]) -> bool:
    asked: tuple[ToolCall, ...] = ()
    for message in messages:
        # nearly every message is words alone; every message of a channel that is loaded comes by here
        if not asked and all([type(part) is TextPart for part in message.parts]):
            continue
        if asked or message.results:
            answered = [result.call_id for result in message.results]
            if sorted(call.call_id for call in asked) != sorted(answered) or len(set(answered)) < len(answered):
                return False
        asked = message.calls
    return not asked


def _mended(messages: Sequence[Message]) -> Iterator[Message]:
    at = 0
    while at < len(messages):
        asked = messages[at] if messages[at].role is not Role.TOOL else None
        at += asked is not None
        results: list[ToolResult] = []
        while at < len(messages) and messages[at].role is Role.TOOL:
            results += messages[at].results
            at += 1
        if asked is not None:
            calls = {call.call_id: call for call in reversed(asked.calls)}
            yield asked if len(calls) == len(asked.calls) else _with(asked, calls.values())
            yield from _answered(asked, results)
            results = _left_over(set(calls), results)
        yield from (message for result in results for message in _found(result))


def _with(message: Message, calls: Iterable[ToolCall]) -> Message:
    """Return a message without the calls that bear the name of another one; both would be answered at once."""
    kept = {id(call) for call in calls}
    parts = tuple(part for part in message.parts if not isinstance(part, ToolCall) or id(part) in kept)
    return message.replace(parts=parts)


def _answered(asked: Message, results: Sequence[ToolResult]) -> Iterator[Message]:
    found = {result.call_id: result for result in reversed(results)}
    names = dict.fromkeys(call.call_id for call in asked.calls)
    parts = tuple(found.get(name) or ToolResult(call_id=name, text=NO_RESULT, ok=False) for name in names)
    if parts:
        yield Message(role=Role.TOOL, parts=parts, at=asked.at)


def _left_over(waiting: set[str], results: Sequence[ToolResult]) -> list[ToolResult]:
    left = []
    for result in results:
        if result.call_id in waiting:
            waiting.remove(result.call_id)
        else:
            left.append(result)
    return left


def _found(result: ToolResult) -> Iterator[Message]:
    call = ToolCall(call_id=result.call_id, name=UNKNOWN, arguments=NO_CALL)
    yield Message(role=Role.ASSISTANT, parts=(call,))
    yield Message(role=Role.TOOL, parts=(result,))
