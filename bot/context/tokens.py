"""Ways to count: by the byte while nothing depends on it, by the tokenizer when it does."""

from __future__ import annotations

import math
from collections.abc import Callable

from bot.domain.base import quarter_bytes
from bot.domain.messages import Message
from bot.domain.snapshot import CountMethod, Tokenizer
from bot.ports.model import TokenCounter

Count = Callable[[str], int]

BYTES = Tokenizer(name="bytes/4", method=CountMethod.BYTES)
BYTES_PER_TOKEN = 4
PER_MESSAGE = 4
"""What a chat format puts around each message (https://cookbook.openai.com: 3, and the role), the system's included."""
PER_REPLY = 3
"""What primes the answer."""


def by_bytes(text: str) -> int:
    """Estimate a text; BYTES_PER_TOKEN times the result is never less than its tokens."""
    return quarter_bytes(text)


def counting(tokenizer: Tokenizer, counter: TokenCounter) -> Count:
    """Return the function that counts as `tokenizer` says; estimates are scaled by what was learned."""
    match tokenizer.method:
        case CountMethod.BYTES:
            return by_bytes
        case CountMethod.EXACT:
            return counter.count
        case CountMethod.ESTIMATE:
            return lambda text: math.ceil(counter.count(text) * tokenizer.ratio)


def cost(message: Message, count: Count) -> int:
    """Count what a model reads of a message."""
    if count is by_bytes:
        return message.quarter_bytes
    texts = message.texts
    # almost every message is one text
    return count(texts[0]) if len(texts) == 1 else sum(map(count, texts))


def framing(messages: int) -> int:
    """Estimate what a chat format adds around a system prompt and so many messages."""
    return PER_MESSAGE * (messages + 1) + PER_REPLY
