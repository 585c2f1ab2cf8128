"""Post ready-made bytes to an OpenAI-compatible service, once, and read the stream that comes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import field_validator

from adapters.model_http.answer_forms import AnswerForms
from adapters.model_http.client import ModelHttpClient
from adapters.model_http.json_cache import JsonFragments
from adapters.model_http.model_list import look_at_list
from adapters.model_http.settings import ServiceSettings
from adapters.openai.encode import ENCODER, encode_chat
from bot.domain.dialect import NO_SCHEMA, Dialect, DialectTrait
from bot.domain.health import ProbeResult
from bot.domain.llm import LLMRequest, LLMResponse, WireRequest
from bot.ports.model import OnText
from bot.sentences import say

MaxTokensField = Literal["max_completion_tokens", "max_tokens"]


class Settings(ServiceSettings):
    """The keys of a `[providers.x]` table with `kind = "openai"`. Seconds."""

    base_url: str = "https://api.openai.com/v1"
    organization: str = ""
    max_tokens_field: MaxTokensField = "max_completion_tokens"

    @field_validator("organization")
    @classmethod
    def _is_plain(cls, value: str) -> str:
        if not (value.isascii() and (value.isprintable() or not value)):
            raise ValueError(say("config.must-be-ascii"))
        return value


class OpenAIProvider:
    """A service that speaks chat completions."""

    encoder = ENCODER

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self.patience = settings.patience
        self._settings = settings
        self._fragments = JsonFragments()
        self._line = ModelHttpClient(settings, service_headers(settings))
        older = (DialectTrait.MAX_TOKENS,) if settings.max_tokens_field == "max_tokens" else ()
        self.dialects = settings.dialects_of((*DialectTrait, NO_SCHEMA), older)
        self._reading = AnswerForms(name, settings)

    def __repr__(self) -> str:
        return f"OpenAIProvider({self.name!r}, {self._settings.base_url!r})"

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        """Return the exact body that `complete` posts."""
        dialect = self.dialects.of(request.model.model) if dialect is None else dialect
        return encode_chat(request, fragments=self._fragments, dialect=dialect)

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        """Post these very bytes once and wait for the answer; raise ProviderError. Never retries."""
        # imported here: no start needs to know what an answer looks like
        from adapters.openai.stream import OpenAIAnswer

        manner = self._reading.manner(wire)
        answer = OpenAIAnswer(on_text, manner)
        posting = self._line.post(wire.path, wire.body, answer)
        model = wire.model
        del wire
        await posting
        response = answer.response()
        self._reading.learn(model, answer.speech, response)
        return response

    async def probe(self) -> Sequence[ProbeResult]:
        """Look at the service's list of models, and whether only the key opens it; no model call, never raises."""
        return await look_at_list(f"provider {self.name}", self._line, self._settings, _bare(self._settings))

    async def close(self) -> None:
        await self._line.close()


def service_headers(settings: Settings) -> dict[str, str]:
    """Return what every request carries beside its body."""
    headers = {"Authorization": f"Bearer {settings.key}"} if settings.key else {}
    return headers | _bare(settings)


def _bare(settings: Settings) -> dict[str, str]:
    return {"OpenAI-Organization": settings.organization} if settings.organization else {}
