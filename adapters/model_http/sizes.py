"""Read how much a service takes, and how much it was given, out of the words with which it refuses."""

from __future__ import annotations

import re
from typing import NamedTuple

_N = r"(\d{1,3}(?:[,_. ]\d{3})+|\d{1,12})(?!\d)"
_T = r"(?:\s*tokens?)?"


class Sizes(NamedTuple):
    """Tokens (or bytes) that are taken at most, and that were sent; 0 where the words do not say it."""

    limit: int = 0
    size: int = 0


_BOTH = tuple(
    re.compile(pattern.replace("N", _N).replace("~T", _T), re.IGNORECASE)
    for pattern in (
        # Anthropic: 208310 tokens > 200000 maximum; 199759 + 8192 > 200000
        r"N(?:\s*\+\s*N)~T\s*>\s*N",
        r"N~T\s*>\s*N",
    )
)
_LIMIT = tuple(
    re.compile(pattern.replace("N", _N).replace("~T", _T), re.IGNORECASE)
    for pattern in (
        # Groq, OpenAI by the minute
        r"\blimit:?\s*N\b",
        # OpenAI, Azure, vLLM, DeepSeek, OpenRouter, xAI, Fireworks
        r"max(?:imum)?\s+(?:context|prompt|input|sequence|model|total)\s*(?:length|size|window|tokens)?\s*(?:is|of|:|=)\s*(?:only\s+)?N",
        # Mistral: too large for model with 32768 maximum context length
        r"(?:model|with|than|of)\s+N\s+max(?:imum)?",
        # Gemini: exceeds the maximum number of tokens allowed (1048576)
        r"max(?:imum)?\s+(?:number\s+of\s+)?(?:input\s+|context\s+|prompt\s+)?(?:tokens?|length|size)(?:\s+(?:allowed|limit|of|is))?\s*[(:=]?\s*N",
        # llama.cpp, LM Studio, Ollama
        r"context\s+(?:size|length|window)\s*(?:of|is|limit)?\s*(?:only)?\s*[(:=]?\s*N",
        r"\bn_ctx\W{1,4}N",
        # TGI, Together
        r"(?:must\s+(?:be|have)|have)\s*(?:<=?|less\s+than|at\s+most)\s*N",
        r"(?:cannot|can't|may\s+not|must\s+not)\s+(?:exceed|be\s+(?:more|longer|larger)\s+than)\s*N",
        r"(?:exceeds?|exceeded|over|above)\s+(?:the\s+)?(?:token\s+|model\s+|context\s+)?(?:limit|maximum)\s*(?:of|:|is)?\s*[(]?N",
        r"(?:maxLength|max_input_tokens|max_total_tokens|max_model_len|max_seq_len)\W{1,4}N",
        r"(?:up\s+to|at\s+most|only\s+afford|no\s+more\s+than)\s+N",
    )
)
_SIZE = tuple(
    re.compile(pattern.replace("N", _N).replace("~T", _T), re.IGNORECASE)
    for pattern in (
        r"\brequested:?\s*(?:about\s+)?N",
        r"(?:resulted\s+in|contains?|containing|has|have|received|given:?|got|actual:?)\s+(?:at\s+least\s+|about\s+)?N",
        r"(?:count|tokens?|length|size)\s+(?:of\s+)?[(:=]?\s*N\)?\s+(?:tokens?\s+)?exceed",
        r"request\s*\(N~T\)",
        r"\bn_prompt_tokens\W{1,4}N",
        r"(?:first|too\s+long:?|requested\s+up\s+to)\s+N",
        r"\bN\s+(?:input\s+|prompt\s+)?tokens",
    )
)


def sizes(words: str) -> Sizes:
    """Return what is taken and what was sent, as far as the words say it."""
    for pattern in _BOTH:
        if found := pattern.search(words):
            *parts, limit = (_whole(group) for group in found.groups())
            return Sizes(limit, sum(parts))
    limit, at = _first(_LIMIT, words, (0, 0))
    size, _ = _first(_SIZE, words, at)
    return Sizes(limit, size)


def _first(patterns: tuple[re.Pattern[str], ...], words: str, taken: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    """Return the number of the first pattern that finds one which is not taken, and where it stands."""
    for pattern in patterns:
        for found in pattern.finditer(words):
            if found.span(1) != taken and (number := _whole(found[1])):
                return number, found.span(1)
    return 0, (0, 0)


def _whole(digits: str) -> int:
    return int(re.sub(r"\D", "", digits))
