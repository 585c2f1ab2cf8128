"""Adapters of plugins: model services, platforms, a token counter, languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.domain.dialect import Dialect
from bot.domain.health import ProbeResult
from bot.domain.llm import LLMRequest, LLMResponse, WireRequest
from bot.domain.patience import Patience
from bot.domain.snapshot import CountMethod, Tokenizer
from bot.errors import ConfigError, ProviderError, ProviderFault
from bot.plugins.fault import PluginFault
from bot.plugins.guard import PartGuard, awaited
from bot.plugins.plugin import PluginAdapter, PluginCounter, PluginLanguage
from bot.ports.model import DialectBook, LLMProvider, OnText
from bot.ports.platform import Platform
from bot.sentences import add_language, say

_PROBE_SECONDS, _ANSWER_SECONDS = 10.0, 900.0
_BYTES_PER_TOKEN = 4


class GuardedProvider:
    """Implements `bot.ports.model.LLMProvider`: a fault of the plugin is one of the service."""

    def __init__(self, inner: LLMProvider, guard: PartGuard) -> None:
        self._inner = inner
        self._guard = guard
        self.name: str = inner.name
        self.encoder: str = inner.encoder
        self.dialects: DialectBook = inner.dialects
        self.patience: Patience = inner.patience

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        """Return the body."""
        try:
            return self._guard.call(self._inner.encode, request, dialect)
        except PluginFault as fault:
            raise self._failed(fault) from None

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        """Post it."""
        try:
            found = await self._guard.wait(self._inner.complete(wire, on_text), _ANSWER_SECONDS)
            if not isinstance(found, LLMResponse):
                raise self._guard.wrong(type(found).__name__)
        except PluginFault as fault:
            raise self._failed(fault) from None
        return found

    async def probe(self) -> Sequence[ProbeResult]:
        """Look at the service."""
        try:
            return await self._guard.wait(awaited(self._inner.probe), _PROBE_SECONDS)
        except PluginFault as fault:
            why = say("plugins.part-fault", plugin=self._guard.origin, why=fault.words)
            return [ProbeResult(name=say("plugins.part-provider", name=self.name), state="failed", evidence=why)]

    async def close(self) -> None:
        """Let go of connections."""
        try:
            await self._guard.wait(self._inner.close(), _PROBE_SECONDS)
        except PluginFault:
            return

    def _failed(self, fault: PluginFault) -> ProviderError:
        why = say("plugins.part-fault", plugin=self._guard.origin, why=fault.words)
        return ProviderError(why, fault=ProviderFault.SERVER)


def guarded_provider(one: PluginAdapter[LLMProvider], guard: PartGuard) -> PluginAdapter[LLMProvider]:
    """Return what makes the service behind its guard."""

    def create(name: str, settings: Mapping[str, Any]) -> LLMProvider:
        made = _made(one, guard, f"providers.{name}", name, settings)
        return GuardedProvider(made, guard)

    return replace(one, create=create)


def guarded_platform(one: PluginAdapter[Platform], guard: PartGuard) -> PluginAdapter[Platform]:
    """Return what makes the platform; how one that fails is told of and begun again is the bot's, as with every one."""

    def create(settings: Mapping[str, Any], clock: object) -> Platform:
        made: Platform = _made(one, guard, f"platforms.{one.name}", settings, clock)
        return made

    return replace(one, create=create)


def _made(one: PluginAdapter[Any], guard: PartGuard, table: str, *values: object) -> Any:
    try:
        return guard.call(one.create, *values)
    except PluginFault as fault:
        cause = fault.__cause__
        if isinstance(cause, ValueError):
            # of pydantic's: what is wrong with the table's keys is said as it is of every adapter
            raise cause from None
        why = say("plugins.part-fault", plugin=guard.origin, why=fault.words)
        raise ConfigError([f"{table}: {why}"]) from None


class GuardedCounter:
    """Implements `bot.ports.model.TokenCounter`; where it breaks, a quarter of a text's bytes is what it counts."""

    def __init__(self, one: PluginCounter, guard: PartGuard) -> None:
        self._inner = one.counter
        self._guard = guard

    def tokenizer(self, model: str) -> Tokenizer:
        """Return who counts."""
        try:
            return self._guard.call(self._inner.tokenizer, model)
        except PluginFault:
            return Tokenizer(name="bytes", method=CountMethod.BYTES)

    def known(self, text: str) -> int | None:
        """Return a count that is known."""
        try:
            return self._guard.call(self._inner.known, text)
        except PluginFault:
            return _by_bytes(text)

    def count(self, text: str) -> int:
        """Count."""
        try:
            return self._guard.call(self._inner.count, text)
        except PluginFault:
            return _by_bytes(text)

    async def warm(self, texts: Sequence[str]) -> None:
        """Count what is not known yet."""
        try:
            await self._guard.wait(self._inner.warm(texts), _ANSWER_SECONDS)
        except PluginFault:
            return

    async def sizes(self, texts: Sequence[str]) -> Mapping[str, int]:
        """Count each text."""
        try:
            return await self._guard.wait(awaited(self._inner.sizes, texts), _ANSWER_SECONDS)
        except PluginFault:
            return {text: _by_bytes(text) for text in texts}

    @property
    def ready(self) -> bool:
        """Whether nothing has to be loaded."""
        return self._guard.is_off or bool(self._inner.ready)

    @property
    def trouble(self) -> BaseException | None:
        """Why texts can only be estimated."""
        return self._guard.last or self._inner.trouble


def _by_bytes(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


def spoken_language(one: PluginLanguage, guard: PartGuard) -> PluginLanguage:
    """Let people be spoken to in a language; its sentences are texts, and need no guard."""
    add_language(one.code, one.folder)
    return one
