"""How much of each request a service can read from its cache, predicted from what was sent, beside what it reported."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.context.tokens import PER_MESSAGE
from bot.domain.llm import LLMRequest
from bot.domain.turn import StoredRequest
from bot.inspect.diff.shared_prefix import common_length
from bot.ports.model import TokenCounter

_GROWN = 30
"""Tokens by which requests have to differ for their growth to say anything."""
NEAR = 0.02
"""By how much of a request's tokens prediction and report may differ."""


class Pair(NamedTuple):
    """A request and the one before it: how much is new in it by our count, and what the service says of it."""

    new: int
    ours: int
    read: int
    cached: int


class Checked(NamedTuple):
    """How far the reports are from the predictions, as shares of the requests; `scale` is service's tokens for ours."""

    errors: tuple[float, ...]
    scale: float
    predicted: tuple[int, ...]
    reported: tuple[int, ...]

    @property
    def holds(self) -> bool:
        """Whether all are near enough."""
        return all(error <= NEAR for error in self.errors)


def check(requests: Sequence[StoredRequest], counter: TokenCounter) -> Checked | None:
    """Compare; `requests` oldest first. None where the service does not say what it read from its cache.

    Only what is new is counted by us, and the rest taken from the service: what it makes of tools is its own. How
    many of its tokens one of ours is, is told by how both counts grow.
    """
    pairs = [pair for before, after in pairwise(requests) if (pair := _pair(before, after, counter)) is not None]
    if not pairs:
        return None
    scale = _scale(pairs)
    predicted = tuple(max(0, round(pair.read - pair.new * scale)) for pair in pairs)
    errors = tuple(abs(said - pair.cached) / pair.read for said, pair in zip(predicted, pairs, strict=True))
    return Checked(errors, scale, predicted, tuple(pair.cached for pair in pairs))


def _pair(before: StoredRequest, after: StoredRequest, counter: TokenCounter) -> Pair | None:
    response = after.response
    if response is None or before.response is None or response.usage.cached is None or not response.usage.input:
        return None
    first, second = before.record.request, after.record.request
    if (first.system, first.tools) != (second.system, second.tools):
        return None
    ours = _tokens(second, 0, counter)
    return Pair(_new(first, second, counter), ours, response.usage.input, response.usage.cached)


def _new(first: LLMRequest, second: LLMRequest, counter: TokenCounter) -> int:
    """Count what the second has from where the two begin to differ."""
    at = 0
    for old, new in zip(first.messages, second.messages, strict=False):
        if old.digest != new.digest:
            break
        at += 1
    new = _tokens(second, at, counter)
    if at < min(len(first.messages), len(second.messages)):
        old_text, new_text = first.messages[at].text, second.messages[at].text
        new -= counter.count(new_text[: common_length(old_text, new_text)])
    return new


def _tokens(request: LLMRequest, start: int, counter: TokenCounter) -> int:
    messages = request.messages[start:]
    return sum(counter.count(text) for message in messages for text in message.texts) + PER_MESSAGE * len(messages)


def _scale(pairs: Sequence[Pair]) -> float:
    """Say how many of the service's tokens one of ours is, by the requests whose counts differ most; 1 if too few."""
    small, large = min(pairs, key=lambda pair: pair.ours), max(pairs, key=lambda pair: pair.ours)
    if large.ours - small.ours < _GROWN:
        return 1.0
    return min(2.0, max(0.5, (large.read - small.read) / (large.ours - small.ours)))
