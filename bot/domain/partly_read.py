"""Whether a service read only a part of what it was sent, told from its own count beside ours."""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.llm import LLMRequest
from bot.domain.messages import IMAGE_TOKENS
from bot.domain.snapshot import ContextStats

MAX_READ_SHARE = 0.6
"""Tokenizers differ, but not that much: the catalogue of counts has none that makes this of the same text."""
_MIN_EXCESS_RATIO = 1.1
"""A count that is a window to the token says something only where more than that was sent."""
_MIN_GAP_TOKENS = 1_000
_MIN_READ_TOKENS = 500
"""No server reads less than that; who counts less does not count."""
_MIN_WINDOW_TOKENS = 512


class PartlyRead(NamedTuple):
    """How much the service says that it read, of what we counted.

    `halved` is the window of which it is the half that Ollama keeps; `window` the one that it fills to the token. 0:
    it is no such number.
    """

    read: int
    sent: int
    halved: int
    window: int


def partly_read(request: LLMRequest, stats: ContextStats, read: int | None) -> PartlyRead | None:
    """Compare what was read with what was sent; None where all of it may have been.

    Pictures are left out, whose price nobody knows beforehand.
    """
    if not read:
        return None
    pictures = sum(len(message.images) for message in request.messages)
    # a ratio that was learned from answers like this one would hide it
    sent = round((stats.total - IMAGE_TOKENS * pictures) / min(stats.tokenizer.ratio, 1.0))
    found = PartlyRead(read, sent, _halved(read), _window(read))
    if read < _MIN_READ_TOKENS or sent - read < _MIN_GAP_TOKENS or not _is_less(found):
        return None
    return found


def can_teach_ratio(ours: float, read: int) -> bool:
    """Say whether a count of the same text by another tokenizer can be learned from.

    What was cut, or read from a cache that is not counted, says nothing of how the tokenizers differ.
    """
    cut_to_a_window = read * _MIN_EXCESS_RATIO < ours and bool(_window(read) or _halved(read))
    return read >= MAX_READ_SHARE * ours and not cut_to_a_window


def _is_less(found: PartlyRead) -> bool:
    fills = bool(found.window) and found.read * _MIN_EXCESS_RATIO < found.sent
    return found.read < found.sent * MAX_READ_SHARE or fills


def _halved(read: int) -> int:
    """Return the window of which this is the half that Ollama keeps, and two; 0 when it is no such number.

    https://github.com/ollama/ollama/issues/17427
    """
    half = read - 2
    return half * 2 if half >= _MIN_WINDOW_TOKENS and half & (half - 1) == 0 else 0


def _window(read: int) -> int:
    """Return the window that is full with this, or with one more for the answer; 0 when it is no usual size."""
    for size in (read, read + 1):
        if size >= _MIN_WINDOW_TOKENS and (size & (size - 1) == 0 or size % 1024 == 0):
            return size
    return 0
