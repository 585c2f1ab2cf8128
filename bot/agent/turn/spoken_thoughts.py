"""Keep thoughts out of what a tool says to people, as they are kept out of an answer's own words."""

from __future__ import annotations

import orjson

from bot.domain.llm import LLMResponse
from bot.domain.messages import ToolCall
from bot.domain.repairs import Repair
from bot.text.thoughts import parted

_SPEAKS = {"reply": "text", "send_file": "caption", "finish": "result"}
"""The tools that speak to people, or for whom a result is handed on to them, and where they hold the words."""


def spoken_plainly(response: LLMResponse) -> LLMResponse:
    """Return an answer whose tools say none of its thoughts; they join the others in the record."""
    if not any(call.name in _SPEAKS for call in response.calls):
        return response
    pairs = [_plain(call) for call in response.calls]
    calls = tuple([call for call, _ in pairs])
    if calls == response.calls:
        return response
    return response.replace(
        calls=calls,
        reasoning="\n".join(filter(None, (response.reasoning, *[thought for _, thought in pairs]))),
        repairs=(*response.repairs, Repair.THOUGHTS_IN_REPLY),
    )


def _plain(call: ToolCall) -> tuple[ToolCall, str]:
    key = _SPEAKS.get(call.name)
    try:
        arguments = orjson.loads(call.arguments) if key else None
    except ValueError:
        return call, ""
    if not isinstance(arguments, dict) or not isinstance(said := arguments.get(key), str):
        return call, ""
    words, thoughts = parted(said)
    if words == said:
        return call, ""
    return call.replace(arguments=orjson.dumps({**arguments, key: words}).decode()), thoughts
