"""The outside world as a whole, opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.ports.caller import Caller
from bot.ports.clock import Clock, Entropy
from bot.ports.model import LLMProvider, TokenCounter
from bot.ports.platform import Platform
from bot.ports.store import Store


@dataclass(frozen=True)
class Edges:
    """The outside world, chosen by the configuration or by a test. `off`: configured platforms that are disabled.

    Without a `caller` nobody outside the chats is ever called, whatever is configured.
    """

    clock: Clock
    entropy: Entropy
    store: Store
    counter: TokenCounter
    platforms: Mapping[str, Platform]
    providers: Mapping[str, LLMProvider]
    off: tuple[str, ...] = ()
    caller: Caller | None = None
