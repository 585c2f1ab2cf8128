"""An encoder that writes the canonical JSON of a request."""

from __future__ import annotations

import hashlib

from bot.domain.base import canonical_json
from bot.domain.dialect import Dialect
from bot.domain.llm import LLMRequest, ModelName, WireRequest
from bot.errors import ProviderError, ProviderFault


class FakeWires:
    """Implements `bot.inspect.capture.inspector.WireEncoder`; another `version` writes other bytes."""

    def __init__(self, version: int = 1) -> None:
        self.version = version
        self.broken = False

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        if self.broken:
            raise ProviderError("no provider named 'simulated'", fault=ProviderFault.NOT_FOUND)
        system = [{"role": "system", "content": request.system_text}]
        said = [
            {"role": m.role.value, "content": m.text, "calls": [c.arguments for c in m.calls]} for m in request.messages
        ]
        results = [{"role": "tool", "content": r.text} for m in request.messages for r in m.results]
        body = canonical_json({"messages": system + said + results, "version": self.version}).encode()
        sha = hashlib.sha256(body).hexdigest()
        return WireRequest(provider="simulated", model=request.model.model, path="/", body=body, sha256=sha)

    def encoder(self, model: ModelName) -> str:
        return f"fake/{self.version}"
