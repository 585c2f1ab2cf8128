"""Ask a model and get an answer: the one layer that retries, falls back and cools down, and records every attempt."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from bot.agent.turn.circuit_breaker import CircuitBreaker, RequestOwner
from bot.agent.turn.model_attempts import AnswerRequest, ModelAnswer, ModelAttempts, ModelTarget, may_fall_back
from bot.config import ModelConfig
from bot.domain.dialect import PLAIN, Dialect, DialectLesson
from bot.domain.health import ModelHealth, WorkKind
from bot.domain.llm import LLMRequest, ModelName, TokenUsage, WireRequest
from bot.domain.snapshot import ModelLimits
from bot.errors import ProviderError, ProviderFault
from bot.ports.bookkeeping import LessonStore
from bot.ports.clock import Clock
from bot.ports.model import LLMProvider

UNKNOWN_WINDOW = 8_192
"""What nearly every chat model can hold; a finding says that the window is a guess."""
UNKNOWN_OUTPUT = 1_024
MAX_REPLY_TOKENS = 16_384
"""Providers charge the asked-for output against the rate limit, so a chat does not ask for 128,000 tokens."""
_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest)$")


class ServiceObserver(Protocol):
    """Hears of every request that was given up on, and of who answered; returns without waiting."""

    def failed(self, model: ModelName, error: ProviderError, by: RequestOwner) -> None:
        """A request was given up on, after its last attempt."""

    def answered(self, model: ModelName, before: Sequence[ModelName]) -> None:
        """A model answered; those before it in the chain did not."""

    def unanswered(self, models: Sequence[ModelName]) -> None:
        """None of these answered."""


class SilentObserver:
    """Implements it where nobody listens."""

    def failed(self, model: ModelName, error: ProviderError, by: RequestOwner) -> None:
        """Let it pass."""

    def answered(self, model: ModelName, before: Sequence[ModelName]) -> None:
        """Let it pass."""

    def unanswered(self, models: Sequence[ModelName]) -> None:
        """Let it pass."""


class ModelWindow(NamedTuple):
    """Tokens: the whole window, and the most that one answer may have; and whether the model takes pictures."""

    window: int
    max_output: int
    sees_images: bool = False


# 2026-11-21, not read at the source (https://platform.openai.com/docs/models): gpt-5, gpt-5.1, gpt-4o, o3 and the
# windows of gpt-4 and gpt-3.5 from public copies of those pages; the rest from general knowledge. The configuration
# overrides all of it for the main model.
_SIZES = {
    "gpt-5": ModelWindow(400_000, 128_000, sees_images=True),
    "gpt-5-mini": ModelWindow(400_000, 128_000, sees_images=True),
    "gpt-5-nano": ModelWindow(400_000, 128_000, sees_images=True),
    "gpt-5.1": ModelWindow(400_000, 128_000, sees_images=True),
    "gpt-5-chat": ModelWindow(128_000, 16_384, sees_images=True),
    "gpt-5.1-chat": ModelWindow(128_000, 16_384, sees_images=True),
    "gpt-4.1": ModelWindow(1_047_576, 32_768, sees_images=True),
    "gpt-4.1-mini": ModelWindow(1_047_576, 32_768, sees_images=True),
    "gpt-4.1-nano": ModelWindow(1_047_576, 32_768, sees_images=True),
    "gpt-4o": ModelWindow(128_000, 16_384, sees_images=True),
    "gpt-4o-mini": ModelWindow(128_000, 16_384, sees_images=True),
    "gpt-4-turbo": ModelWindow(128_000, 4_096, sees_images=True),
    "gpt-4": ModelWindow(8_192, 4_096),
    "gpt-3.5-turbo": ModelWindow(16_385, 4_096),
    "o3": ModelWindow(200_000, 100_000, sees_images=True),
    "o3-mini": ModelWindow(200_000, 100_000),
    "o4-mini": ModelWindow(200_000, 100_000, sees_images=True),
    "o1": ModelWindow(200_000, 100_000, sees_images=True),
    # 2026-11-22, from public copies of https://platform.claude.com/docs/en/about-claude/models/overview; not found
    # there: opus-4-7 (as its neighbours) and sonnet-4-6 (as people report it)
    **dict.fromkeys(
        (
            *("claude-fable-5-1", "claude-fable-5", "claude-opus-5-5", "claude-opus-5", "claude-opus-4-8"),
            *("claude-opus-4-7", "claude-opus-4-6", "claude-sonnet-5-5", "claude-sonnet-5", "claude-haiku-5-5"),
        ),
        ModelWindow(1_000_000, 128_000, sees_images=True),
    ),
    "claude-sonnet-4-6": ModelWindow(1_000_000, 64_000, sees_images=True),
    **dict.fromkeys(("claude-sonnet-4-5", "claude-haiku-4-5"), ModelWindow(200_000, 64_000, sees_images=True)),
    # ours: the simulation reads any length, and says so
    "simulated-1": ModelWindow(128_000, 4_096),
}


def size_of(model: ModelName) -> ModelWindow | None:
    """Look a model up, whatever service offers it; None when nothing is known."""
    if model.provider == "simulated":
        return _SIZES["simulated-1"]
    # OpenRouter and others put the maker before the name
    name = model.model.rsplit("/", 1)[-1].partition(":")[0].lower()
    bare = _DATED.sub("", name)
    # OpenRouter writes claude-opus-4.6
    return _SIZES.get(name) or _SIZES.get(bare) or _SIZES.get(bare.replace(".", "-"))


def parse_model(text: str, default_provider: str) -> ModelName:
    """Read `provider/model`; a bare name belongs to the default provider."""
    provider, slash, model = text.strip().partition("/")
    return ModelName(provider=provider, model=model) if slash else ModelName(provider=default_provider, model=provider)


class ModelClient:
    """Every configured model, behind one door."""

    def __init__(
        self,
        providers: Mapping[str, LLMProvider],
        config: ModelConfig,
        clock: Clock,
        lessons: LessonStore | None = None,
        observer: ServiceObserver | None = None,
    ) -> None:
        self._observer: ServiceObserver = observer or SilentObserver()
        self._providers = dict(providers)
        self._config = config
        self._clock = clock
        self._lessons = lessons
        self._breakers: dict[tuple[str, WorkKind], CircuitBreaker] = {}
        self._chains: dict[tuple[str, tuple[str, ...] | None], tuple[ModelName, ...]] = {}
        self._limits: dict[str, ModelLimits] = {}
        self._learnt: Sequence[DialectLesson] = ()
        self._main = parse_model(config.name, default_provider="")
        for model in self.chain():
            self._breaker(model, WorkKind.CONVERSATION)

    def chain(self, override: str = "", fallbacks: tuple[str, ...] | None = None) -> tuple[ModelName, ...]:
        """Return the models to try in order: the override or the configured one, then these or the usual fallbacks."""
        # kept, like the limits: people set few models, and every turn asks
        wanted = (override, fallbacks)
        found = self._chains.get(wanted)
        if found is None:
            names = [override or self._config.name, *(self._config.fallbacks if fallbacks is None else fallbacks)]
            found = tuple(dict.fromkeys(parse_model(name, self._main.provider) for name in names))
            self._chains[wanted] = found
        return found

    def limits(self, model: ModelName) -> ModelLimits:
        """Say what a model can hold: the configuration's figures for the main one, else the table's, else a guess."""
        name = str(model)
        known = self._lessons.known if self._lessons is not None else ()
        if known is not self._learnt:
            self._learnt = known
            self._limits.clear()
        found = self._limits.get(name)
        if found is None:
            found = self._limits[name] = self._limits_of(model)
        return found

    def dialect(self, model: ModelName) -> Dialect:
        """Say how requests to a model are written: as is known of its service, and as its refusals taught."""
        provider = self._providers.get(model.provider)
        if provider is None:
            return PLAIN
        return provider.dialects.of(model.model).having(lesson.trait for lesson in self.lessons(model))

    def lessons(self, model: ModelName) -> Sequence[DialectLesson]:
        """Return what was learnt of a model and is still used."""
        provider = self._providers.get(model.provider)
        if self._lessons is None or provider is None or not provider.dialects.learns:
            return ()
        return [lesson for lesson in self._lessons.known if lesson.model == str(model)]

    def _limits_of(self, model: ModelName) -> ModelLimits:
        size = size_of(model)
        window = size.window if size else UNKNOWN_WINDOW
        output = min(size.max_output, MAX_REPLY_TOKENS) if size else UNKNOWN_OUTPUT
        if model == self._main:
            window = self._config.context_window or window
            output = self._config.max_output_tokens or min(output, window // 4)
        known = size is not None or (model == self._main and self._config.context_window > 0)
        sees = size is not None and size.sees_images
        if model == self._main and self._config.sees_images is not None:
            sees = self._config.sees_images
        return ModelLimits(
            model=model,
            window=window,
            max_output=output,
            window_known=known,
            sees_images=sees,
            dialect=self.dialect(model),
        )

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        """Return the bytes that would be posted; raise ProviderError for a provider that is not configured."""
        dialect = self.dialect(request.model) if dialect is None else dialect
        return self._provider(request.model).encode(request, dialect)

    def encoder(self, model: ModelName) -> str:
        """Return the name of the encoder that writes a model's bytes."""
        return self._provider(model).encoder

    def price(self, model: ModelName, usage: TokenUsage) -> float | None:
        """Say what an answer cost in US dollars; None when the price or the usage is not known."""
        config = self._config
        if model.provider == "simulated":
            return 0.0
        if model != self._main or config.price_input is None or config.price_output is None:
            return None
        if usage.input is None or usage.output is None:
            return None
        # what has no price of its own costs what input costs
        cached = min(usage.cached or 0, usage.input)
        written = min(usage.written or 0, usage.input - cached)
        price_cached = config.price_input if config.price_cached is None else config.price_cached
        price_written = config.price_input if config.price_cache_write is None else config.price_cache_write
        dollars = (usage.input - cached - written) * config.price_input + cached * price_cached
        return (dollars + written * price_written + usage.output * config.price_output) / 1_000_000

    def load_seconds(self, chain: Sequence[ModelName]) -> float:
        """Say how long the services of these models may take, one after the other, until they have loaded them."""
        known = (self._providers[one.provider].patience for one in chain if one.provider in self._providers)
        return sum(patience.alive for patience in known if patience.loads)

    def health(self) -> tuple[ModelHealth, ...]:
        """Say how every model is that is configured or was asked, for each kind of work."""
        return tuple(breaker.health() for breaker in self._breakers.values())

    def ask_again(self, model: str) -> bool:
        """End the time for which a model is left alone, for every kind of work; False where it was not."""
        ended = [breaker.end() for (name, _), breaker in self._breakers.items() if name == model]
        return any(ended)

    async def answer(self, ask: AnswerRequest) -> ModelAnswer:
        """Ask each model in turn until one answers; raise the last ProviderError when none does."""
        last: ProviderError | None = None
        failed = 0
        silent: list[ModelName] = []
        for model in ask.chain:
            breaker = self._breaker(model, ask.by.work)
            if (left := breaker.cooling) > 0:
                last = last or _cooling(breaker.health(), left)
                silent.append(model)
                continue
            if model.provider not in self._providers:
                last = self._unknown(model)
                continue
            attempts = ModelAttempts(ask, self._target(model, breaker))
            try:
                answered = await attempts.run(failed)
            except ProviderError as error:
                silent.append(model)
                self._observer.failed(model, error, ask.by)
                if not may_fall_back(error):
                    self._observer.unanswered(silent)
                    raise
                last, failed = error, attempts.row
            else:
                self._observer.answered(model, silent)
                return answered
        self._observer.unanswered(silent)
        raise last or ProviderError("no model is configured", fault=ProviderFault.NOT_FOUND)

    def _provider(self, model: ModelName) -> LLMProvider:
        if model.provider not in self._providers:
            raise self._unknown(model)
        return self._providers[model.provider]

    def _unknown(self, model: ModelName) -> ProviderError:
        known = ", ".join(sorted(self._providers))
        words = f"no provider named {model.provider!r} is configured; known: {known}"
        return ProviderError(words, fault=ProviderFault.NOT_FOUND)

    def _target(self, model: ModelName, breaker: CircuitBreaker) -> ModelTarget:
        return ModelTarget(
            limits=self.limits(model),
            provider=self._provider(model),
            breaker=breaker,
            clock=self._clock,
            retries=self._config.retries,
            retry_wait=self._config.retry_wait,
            price=self.price,
            lessons=self._lessons,
        )

    def _breaker(self, model: ModelName, work: WorkKind) -> CircuitBreaker:
        key = (str(model), work)
        if key not in self._breakers:
            self._breakers[key] = CircuitBreaker(key[0], work, self._clock, self._config.cool_down)
        return self._breakers[key]


def _cooling(health: ModelHealth, left: float) -> ProviderError:
    words = f"{health.model} is left alone for {left:.0f} s more after: {health.error}"
    behind = ProviderFault(health.fault)
    return ProviderError(words, fault=ProviderFault.COOLING_DOWN, retry_after=left, behind=behind)
