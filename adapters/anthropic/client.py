"""Post ready-made bytes to a Messages service, once, and read what comes back."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import PositiveFloat

from adapters.anthropic.encode import ENCODER, Cache, Effort, RequestOptions, Thinking, encode_messages
from adapters.anthropic.stream import AnthropicAnswer
from adapters.model_http.answer_forms import AnswerForms
from adapters.model_http.client import ModelHttpClient
from adapters.model_http.json_cache import JsonFragments
from adapters.model_http.model_list import look_at_list
from adapters.model_http.settings import ServiceSettings
from bot.domain.dialect import NO_SCHEMA, Dialect, DialectTrait
from bot.domain.health import ProbeResult
from bot.domain.llm import LLMRequest, LLMResponse, WireRequest
from bot.ports.model import OnText

VERSION = "2023-06-01"
"""The protocol's only version (https://platform.claude.com/docs/en/api/versioning)."""


class Settings(ServiceSettings):
    """The keys of a `[providers.x]` table with `kind = "anthropic"`. Seconds.

    `first_token_timeout` is also how long the model may think between two words: nothing is sent then.
    """

    base_url: str = "https://api.anthropic.com/v1"
    first_token_timeout: PositiveFloat = 60.0
    stream: bool = True
    cache: Cache = "5m"
    thinking: Thinking = ""
    effort: Effort = ""

    @property
    def manner(self) -> RequestOptions:
        return RequestOptions(stream=self.stream, cache=self.cache, thinking=self.thinking, effort=self.effort)


class AnthropicProvider:
    """A service that speaks the Messages protocol."""

    encoder = ENCODER

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self.patience = settings.patience
        self._settings = settings
        self._manner = settings.manner
        self._fragments = JsonFragments()
        self.dialects = settings.dialects_of((DialectTrait.NO_TOOLS, NO_SCHEMA))
        self._reading = AnswerForms(name, settings)
        key = {"x-api-key": settings.key} if settings.key else {}
        self._line = ModelHttpClient(settings, {"anthropic-version": VERSION, **key})

    def __repr__(self) -> str:
        return f"AnthropicProvider({self.name!r}, {self._settings.base_url!r})"

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        """Return the exact body that `complete` posts."""
        dialect = self.dialects.of(request.model.model) if dialect is None else dialect
        return encode_messages(request, fragments=self._fragments, manner=self._manner, dialect=dialect)

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        """Post these very bytes once and wait for the answer; raise ProviderError. Never retries."""
        answer = AnthropicAnswer(on_text, self._reading.manner(wire))
        posting = self._line.post(wire.path, wire.body, answer)
        model = wire.model
        del wire
        await posting
        response = answer.response()
        self._reading.learn(model, answer.speech, response)
        return response

    async def probe(self) -> Sequence[ProbeResult]:
        """Look at the service's list of models, and whether only the key opens it; no model call, never raises."""
        return await look_at_list(
            f"provider {self.name}", self._line, self._settings, {"anthropic-version": VERSION}, "/models?limit=1000"
        )

    async def close(self) -> None:
        await self._line.close()
