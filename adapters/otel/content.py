"""What people, models and tools say, in the form of the conventions; made where a switch asks for it, and redacted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import orjson

from adapters.otel.span import Content
from bot.domain.finding import Finding
from bot.domain.handles import HandleKind, handle
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import ImagePart, Message, Role, TextPart, ToolCall, ToolResult

_MAX_CHARS = 200_000
"""Of one attribute; collectors refuse batches of several megabytes. What is cut off is at the end of a JSON text."""
Json = dict[str, Any]


class ContentWriter:
    """Writes what the switches ask for; whatever it returns is None where one is off."""

    def __init__(self, switches: frozenset[str], redact: Callable[[str], str]) -> None:
        self._on = switches
        self._redact = redact

    def has(self, switch: str) -> bool:
        """Say whether a kind of content is wanted."""
        return switch in self._on

    @property
    def shows_requests(self) -> bool:
        """Whether anything of what a model is asked is wanted."""
        return not self._on.isdisjoint({"system_instructions", "input_messages", "tool_definitions"})

    def system_instructions(self, request: LLMRequest) -> Content | None:
        """Return the system prompt, block by block."""
        return self._when("system_instructions", lambda: [_text(block.text) for block in request.system])

    def tool_definitions(self, request: LLMRequest) -> Content | None:
        """Return the tools that were offered."""
        return self._when(
            "tool_definitions",
            lambda: [
                {
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": orjson.Fragment(tool.parameters),
                }
                for tool in request.tools
            ],
        )

    def input_messages(self, request: LLMRequest) -> Content | None:
        """Return what a model was shown of a conversation."""
        return self._when("input_messages", lambda: [_message(message) for message in request.messages])

    def output_messages(self, response: LLMResponse) -> Content | None:
        """Return what a model answered, with what it thought."""
        return self._when("output_messages", lambda: [_answer(response)])

    def tool_arguments(self, arguments: str) -> Content | None:
        """Return what a tool was called with."""
        return self._said("tool_arguments", arguments)

    def tool_result(self, result: str) -> Content | None:
        """Return what a tool answered."""
        return self._said("tool_results", result)

    def memory(self, name: str, words: str | None) -> Content | None:
        """Return what is remembered."""
        if not words:
            return None
        return self._when("memories", lambda: [{"id": name, "content": words}])

    def explanation(self, finding: Finding) -> Content | None:
        """Return what an admin was told; it may quote."""
        return self._said("findings", " ".join((finding.verdict, *finding.why)))

    def _when(self, switch: str, made: Callable[[], Sequence[Json]]) -> Content | None:
        return (lambda: self._clean(orjson.dumps(made()).decode())) if switch in self._on else None

    def _said(self, switch: str, text: str) -> Content | None:
        return (lambda: self._clean(text)) if text and switch in self._on else None

    def _clean(self, text: str) -> str:
        # cut behind redacting: a secret that is cut in two is no longer known as one
        return self._redact(text)[:_MAX_CHARS]


def memory_name(row: int) -> str:
    """Name a memory."""
    return handle(HandleKind.MEMORY, row)


def _text(words: str) -> Json:
    return {"type": "text", "content": words}


def _message(message: Message) -> Json:
    return {"role": _ROLES[message.role], "parts": [one for part in message.parts if (one := _part(part))]}


_ROLES = {Role.USER: "user", Role.ASSISTANT: "assistant", Role.TOOL: "tool"}


def _part(part: object) -> Json | None:
    match part:
        case TextPart():
            return _text(part.text)
        case ToolCall():
            return {"type": "tool_call", "id": part.call_id, "name": part.name, "arguments": part.arguments}
        case ToolResult():
            return {"type": "tool_call_response", "id": part.call_id, "response": part.text}
        case ImagePart():
            # its bytes are in the record of the request, by its digest
            return _text(part.text)
        case _:
            return None


def _answer(response: LLMResponse) -> Json:
    thought = [{"type": "reasoning", "content": response.reasoning}] if response.reasoning else []
    words = [_text(response.text)] if response.text else []
    calls = [one for call in response.calls if (one := _part(call))]
    return {"role": "assistant", "parts": [*thought, *words, *calls], "finish_reason": response.finish.value}
