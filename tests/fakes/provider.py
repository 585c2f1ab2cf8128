"""A model service that follows a script."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any

from bot.domain.base import canonical_json
from bot.domain.dialect import Dialect, PlainDialects
from bot.domain.health import ProbeResult
from bot.domain.llm import FinishReason, LLMRequest, LLMResponse, TokenUsage, WireRequest
from bot.domain.messages import ToolCall
from bot.domain.patience import Patience
from bot.errors import ProviderError, ProviderFault
from bot.ports.clock import Clock
from bot.ports.model import OnText

Step = LLMResponse | BaseException | Callable[[LLMRequest], Any]


def says(text: str, **changes: Any) -> LLMResponse:
    """The model answers with words."""
    usage = TokenUsage(input=100, output=10, cached=0)
    return LLMResponse(**{"text": text, "usage": usage, "answered_by": "scripted-1", **changes})


def calls(*wanted: tuple[str, Any], text: str = "", ids: Sequence[str] = (), **changes: Any) -> LLMResponse:
    """The model asks for tools: (name, arguments as a dict or as raw text)."""
    made = tuple(
        ToolCall(
            call_id=ids[n] if n < len(ids) else f"c{n}",
            name=name,
            arguments=arguments if isinstance(arguments, str) else canonical_json(arguments),
        )
        for n, (name, arguments) in enumerate(wanted)
    )
    return says(text, **{"calls": made, "finish": FinishReason.TOOL_CALLS, **changes})


def fails(fault: ProviderFault = ProviderFault.SERVER, message: str = "it broke") -> ProviderError:
    """The service fails."""
    return ProviderError(message, fault=fault)


class Writes:
    """The model writes word by word, `pause` seconds apart by a clock, and then answers, or fails, as `then` says."""

    def __init__(self, clock: Clock, text: str, pause: float, then: LLMResponse | ProviderError | None = None) -> None:
        self.clock, self.text, self.pause, self.then = clock, text, pause, then or says(text)

    async def write(self, on_text: OnText) -> LLMResponse:
        for piece in re.findall(r"\S+\s*|\s+", self.text):
            await self.clock.sleep(self.pause)
            on_text(piece)
        if isinstance(self.then, ProviderError):
            raise self.then
        return self.then


class ScriptedProvider:
    """Implements `bot.ports.model.LLMProvider`; the last step of the script is repeated for ever."""

    encoder = "scripted/1"
    patience = Patience()

    def __init__(self, *script: Step, name: str = "scripted") -> None:
        self.name = name
        self.script = list(script)
        self.requests: list[LLMRequest] = []
        self._encoded: dict[str, LLMRequest] = {}
        self.dialects = PlainDialects()

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        body = canonical_json(request).encode("utf-8", "surrogatepass")
        sha = hashlib.sha256(body).hexdigest()
        self._encoded[sha] = request
        return WireRequest(provider=self.name, model=request.model.model, path="/", body=body, sha256=sha)

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        request = self._encoded[wire.sha256]
        self.requests.append(request)
        step: Any = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if callable(step) and not isinstance(step, LLMResponse | BaseException):
            step = step(request)
            if asyncio.iscoroutine(step):
                step = await step
        if isinstance(step, Writes):
            return await step.write(on_text)
        if isinstance(step, BaseException):
            raise step
        if step.text:
            on_text(step.text)
        return step

    async def probe(self) -> Sequence[ProbeResult]:
        return ()
