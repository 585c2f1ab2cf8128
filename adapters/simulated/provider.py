"""The simulation as a provider: the usual bytes go in, a rule-made answer comes out."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from adapters.model_http.json_cache import JsonFragments
from adapters.openai.encode import ENCODER, encode_chat
from bot.domain.dialect import PLAIN, Dialect, PlainDialects
from bot.domain.health import ProbeResult
from bot.domain.llm import FinishReason, LLMRequest, LLMResponse, TokenUsage, WireRequest
from bot.domain.messages import ToolCall
from bot.domain.patience import Patience
from bot.ports.model import OnText
from bot.sentences import say

_PIECE = re.compile(r"\S{1,40}\s*|\s+")


class Settings(BaseModel):
    """There is nothing to set."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class SimulatedProvider:
    """Answers from the body alone; equal bodies give equal answers."""

    encoder = ENCODER
    patience = Patience()

    def __init__(self, name: str) -> None:
        self.name = name
        self._fragments = JsonFragments()
        self.dialects = PlainDialects()

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        """Return the exact body that `complete` reads: that of any chat-completions service."""
        return encode_chat(request, fragments=self._fragments, dialect=dialect or PLAIN)

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        """Read the bytes and answer; never fails, whatever they are."""
        # only here: to compile the patterns takes a tenth of a bot's start, and most bots never ask a simulation
        from adapters.simulated.responder import answer

        await asyncio.sleep(0)
        said, model = answer(wire.body)
        for piece in _PIECE.findall(said.text):
            on_text(piece)
        written = len(said.text) + sum(len(call.name) + len(call.arguments) for call in said.calls)
        return LLMResponse(
            text=said.text,
            calls=tuple(ToolCall(call_id=c.id, name=c.name, arguments=c.arguments) for c in said.calls),
            finish=FinishReason.TOOL_CALLS if said.calls else FinishReason.STOP,
            usage=TokenUsage(input=len(wire.body) // 4, output=-(-written // 4), cached=0),
            answered_by=f"{model} (simulation)",
            response_id=f"sim-{hashlib.sha256(wire.body).hexdigest()[:16]}",
        )

    async def probe(self) -> Sequence[ProbeResult]:
        """Say that nothing can be missing."""
        return (ProbeResult(name=f"provider {self.name}", state="ok", evidence=say("service_doctor.simulated")),)

    async def close(self) -> None:
        """There is nothing to close."""
