"""The token counts of a request, part by part; what the parts add up to is true by construction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from bot.context.tokens import Count, cost_of_tools, costs, framing, system_pieces
from bot.domain.llm import LLMRequest
from bot.domain.snapshot import ContextStats, SectionTrace, Stability, Tokenizer


@dataclass(frozen=True)
class Numbers:
    """Counts for sections, messages and tools, and their totals."""

    sections: tuple[SectionTrace, ...]
    message_tokens: tuple[int, ...]
    tool_tokens: tuple[int, ...]
    stats: ContextStats


@dataclass(frozen=True)
class Scale:
    """How a request is counted, and against which window."""

    window: int
    tokenizer: Tokenizer
    count: Count


def counted(request: LLMRequest, sections: tuple[SectionTrace, ...], texts: Mapping[str, str], scale: Scale) -> Numbers:
    """Count a request. `texts` are its sections' by name; a section that is not in it keeps its number."""
    count = scale.count
    message_tokens = costs(request.messages, count)
    tool_tokens = cost_of_tools(request.tools, count)
    stats = ContextStats(
        system_prompt=sum(map(count, system_pieces(request.system))),
        tools=sum(tool_tokens),
        history=sum(message_tokens),
        overhead=framing(len(request.messages)),
        window=scale.window,
        tokenizer=scale.tokenizer,
    )
    priced = tuple(_repriced(trace, texts, count) for trace in sections) if texts else sections
    return Numbers(priced, message_tokens, tool_tokens, stats)


def _repriced(trace: SectionTrace, texts: Mapping[str, str], count: Count) -> SectionTrace:
    text = texts.get(trace.name)
    if text is None:
        return trace
    # what is the same in every request need not be copied for each
    return (_priced if trace.stability is Stability.VOLATILE else _priced_once)(trace, count(text))


def _priced(trace: SectionTrace, tokens: int) -> SectionTrace:
    # model_copy: an int for an int
    return trace.model_copy(update={"tokens": tokens})


_priced_once = lru_cache(maxsize=1024)(_priced)
