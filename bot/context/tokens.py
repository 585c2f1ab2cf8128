"""Ways to count: by the byte while nothing depends on it, by the tokenizer when it does."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.domain.base import quarter_bytes
from bot.domain.channel import Turn
from bot.domain.llm import LLMRequest, SystemBlock, ToolDefinition
from bot.domain.messages import IMAGE_TOKENS, Message
from bot.domain.snapshot import ContextStats, CountMethod, SectionStability, SectionTrace, Tokenizer
from bot.ports.model import TokenCounter
from bot.text.joined_text import BLANK_LINE, counts_add_up

Count = Callable[[str], int]

BYTES = Tokenizer(name="bytes/4", method=CountMethod.BYTES)
BYTES_PER_TOKEN = 4
PER_MESSAGE = 4
"""What a chat format puts around each message (https://cookbook.openai.com: 3, and the role), the system's included."""
PER_REPLY = 3
"""Tokens that begin the answer."""


def by_bytes(text: str) -> int:
    """Estimate a text; BYTES_PER_TOKEN times the result is never less than its tokens."""
    return quarter_bytes(text)


def count_function(tokenizer: Tokenizer, counter: TokenCounter) -> Count:
    """Return the function that counts as `tokenizer` says; estimates are scaled by what was learned."""
    match tokenizer.method:
        case CountMethod.BYTES:
            return by_bytes
        case CountMethod.EXACT | CountMethod.ESTIMATE:
            return _scaled(tokenizer, counter.count)


def by_sizes(tokenizer: Tokenizer, sizes: Mapping[str, int]) -> Count:
    """Return what `count_function` does for texts whose plain counts are at hand, without asking for each again."""
    return _scaled(tokenizer, sizes.__getitem__)


class TooManyUnknownError(Exception):
    """More texts would have to be counted than the event loop has time for."""


def by_few(tokenizer: Tokenizer, counter: TokenCounter, most: int) -> Count:
    """Return what `count_function` does, for texts of which at most `most` characters are not known yet.

    Beyond them it raises TooManyUnknownError.
    """
    left = most
    # most texts are asked for twice: what fits, and how much it is
    sizes: dict[str, int] = {}

    def count(text: str) -> int:
        nonlocal left
        size = sizes.get(text)
        if size is None:
            if counter.known(text) is None:
                left -= len(text)
                if left < 0:
                    raise TooManyUnknownError
            size = sizes[text] = counter.count(text)
        return size

    return _scaled(tokenizer, count)


def _scaled(tokenizer: Tokenizer, plain: Count) -> Count:
    if tokenizer.method is not CountMethod.ESTIMATE:
        return plain
    return lambda text: math.ceil(plain(text) * tokenizer.ratio)


def cost(message: Message, count: Count) -> int:
    """Count what a model reads of a message."""
    if count is by_bytes:
        return message.quarter_bytes
    texts = message.texts
    # almost every message is one text
    if len(texts) == len(message.parts) == 1:
        return count(texts[0])
    return sum(map(count, texts)) + IMAGE_TOKENS * len(message.images)


def costs(messages: Sequence[Message], count: Count) -> tuple[int, ...]:
    """Count what a model reads of each message."""
    if count is by_bytes:
        return tuple([message.quarter_bytes for message in messages])
    return tuple([cost(message, count) for message in messages])


def cost_of_turn(turn: Turn, count: Count) -> int:
    """Count what a model reads of a turn."""
    return turn.quarter_bytes if count is by_bytes else sum(costs(turn.messages, count))


def cost_of_tools(tools: Sequence[ToolDefinition], count: Count) -> tuple[int, ...]:
    """Return the tokens of each tool's definition."""
    if count is by_bytes:
        return tuple([tool.quarter_bytes for tool in tools])
    return tuple([count(tool.json_text) for tool in tools])


def system_pieces(blocks: Sequence[SystemBlock]) -> tuple[str, ...]:
    """Cut a system prompt into pieces whose counts add up to its own; nearly all are counted as sections already."""
    texts = [block.text for block in blocks]
    if not counts_add_up(texts):
        return (BLANK_LINE.join(texts),)
    return (*[block.followed for block in blocks[:-1]], *texts[-1:])


def framing_tokens(messages: int) -> int:
    """Estimate what a chat format adds around a system prompt and so many messages."""
    return PER_MESSAGE * (messages + 1) + PER_REPLY


@dataclass(frozen=True)
class TokenCounts:
    """Counts for sections, messages and tools, and their totals."""

    sections: tuple[SectionTrace, ...]
    message_tokens: tuple[int, ...]
    tool_tokens: tuple[int, ...]
    stats: ContextStats


@dataclass(frozen=True)
class TokenScale:
    """How a request is counted, and against which window."""

    window: int
    tokenizer: Tokenizer
    count: Count


def count_request(
    request: LLMRequest, sections: tuple[SectionTrace, ...], texts: Mapping[str, str], scale: TokenScale
) -> TokenCounts:
    """Count a request. `texts` are its sections' by name; a section that is not in it keeps its number."""
    count = scale.count
    message_tokens = costs(request.messages, count)
    tool_tokens = cost_of_tools(request.tools, count)
    stats = ContextStats(
        system_prompt=sum(map(count, system_pieces(request.system))),
        tools=sum(tool_tokens),
        history=sum(message_tokens),
        overhead=framing_tokens(len(request.messages)),
        window=scale.window,
        tokenizer=scale.tokenizer,
    )
    priced = tuple(_repriced(trace, texts, count) for trace in sections) if texts else sections
    return TokenCounts(priced, message_tokens, tool_tokens, stats)


def _repriced(trace: SectionTrace, texts: Mapping[str, str], count: Count) -> SectionTrace:
    text = texts.get(trace.name)
    if text is None:
        return trace
    # what is the same in every request need not be copied for each
    return (_priced if trace.stability is SectionStability.VOLATILE else _priced_once)(trace, count(text))


def _priced(trace: SectionTrace, tokens: int) -> SectionTrace:
    # model_copy: an int for an int
    return trace.model_copy(update={"tokens": tokens})


_priced_once = lru_cache(maxsize=1024)(_priced)
