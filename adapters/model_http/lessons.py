"""What the refusals of services teach: words of theirs, and the trait that they ask for. Pure tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from adapters.model_http.refusal_words import MAX_WORDS_CHARS
from adapters.model_http.schemas import SPARED_KEYWORDS
from bot.domain.dialect import NO_SCHEMA, DialectTrait, TaughtTrait

LONGEST_TEXT = MAX_WORDS_CHARS
_MAX_KEPT_CHARS = 120
_REFUSED_PATTERN = (
    r"(?:extra|unknown|unrecogni[sz]ed|unsupported|unexpected|invalid|forbidden|"
    r"not (?:be )?(?:permitted|supported|allowed|accepted|a valid|known)|"
    r"(?:does|do)(?: not|n't) support|cannot find|only)"
)


def _field(name: str) -> str:
    """Match the name of a field near a word that refuses it, in either order."""
    return rf"\b{name}\b.{{0,100}}?{_REFUSED_PATTERN}|{_REFUSED_PATTERN}.{{0,100}}?\b{name}\b"


class _Row(NamedTuple):
    """Words of a refusal, and what they ask for; the first trait that a dialect lacks is the next to be tried."""

    words: re.Pattern[str]
    traits: tuple[DialectTrait, ...]


def _row(words: str, *traits: DialectTrait) -> _Row:
    return _Row(re.compile(words, re.IGNORECASE | re.DOTALL), traits)


_LESSONS = (
    _row(
        r"tool call id .{0,80}must be|tool_call_id.{0,80}length (?:of )?9|a-z, A-Z, 0-9, with a length",
        DialectTrait.NINE_IDS,
    ),
    _row(
        r"unexpected role '?user'? after role '?tool'?|user.{0,20}(?:cannot|can't|must not|may not) follow.{0,20}tool",
        DialectTrait.NO_USER_AFTER_TOOL,
    ),
    _row(r"roles? must alternate|must alternate (?:between )?user|alternating user", DialectTrait.ALTERNATE),
    _row(
        r"system role (?:is )?not supported|does not support '?(?:the )?'?system'?(?: role)?"
        r"|(?:doesn't|does not) support (?:the )?(?:system|developer) (?:messages?|role|instruction)"
        r"|developer instruction is not enabled|only user(?:,| and) assistant roles",
        DialectTrait.SYSTEM_AS_USER,
    ),
    _row(
        r"(?:use|expected|instead).{0,20}'?developer'? (?:role|message)|'system'.{0,40}use 'developer'",
        DialectTrait.DEVELOPER,
    ),
    _row(
        r"reasoning_content.{0,100}(?:missing|must|required|pass)|missing.{0,20}reasoning_content",
        DialectTrait.REASONING_BESIDE_CALLS,
    ),
    _row(r"thought[_ ]?signature", DialectTrait.SIGNATURES),
    _row(r"(?:only supports?|supports? only) (?:a )?(?:single|one) tool.?call", DialectTrait.SINGLE_CALLS),
    _row(
        r"(?:does not|doesn't|do not) support (?:tool|function)s?\b(?!.{0,3}choice)"
        r"|no endpoints found that support tool use|(?:tool|function) (?:use|calling|calls?)(?: is| are)? not supported"
        r"|[`'\"]?tools[`'\"]? (?:is|are) not supported|--enable-auto-tool-choice|requires? --jinja|use --jinja",
        DialectTrait.NO_TOOLS,
    ),
    _row(_field("stream_options"), DialectTrait.NO_STREAM_OPTIONS),
    _row(_field("max_completion_tokens"), DialectTrait.MAX_TOKENS),
    _row(_field("tool_choice"), DialectTrait.NO_TOOL_CHOICE),
    _row(
        r"content\b.{0,60}(?:\bnull\b|\bNone\b|valid string|must be a (?:valid )?string|expected (?:a )?string"
        r"|should be a (?:valid )?string|field must be|is required|missing)|(?:null|none|missing).{0,40}\bcontent\b",
        DialectTrait.NO_NULL,
    ),
)
"""Words of refusals as services write them, the surest first. What is learnt has to prove itself: the request that is
written so must be answered."""
_WORDS = "|".join(re.escape(word) for word in sorted(SPARED_KEYWORDS, key=len, reverse=True))
_KEYWORD = re.compile(rf"(?:[\"'`.]|keyword:? |name \"?)({_WORDS})(?!\w)")
_OF_A_SCHEMA = re.compile(r"schema|tools?\b|function|parameters|declaration", re.IGNORECASE)
_OF_A_CALL = re.compile(
    r"tool_use_failed|validation failed|did not match|failed to (?:call|parse|generate)", re.IGNORECASE
)
"""What a model wrote is refused, and not what it was sent."""
_IS_REFUSED = re.compile(_REFUSED_PATTERN, re.IGNORECASE)


def lessons(words: str) -> Iterator[TaughtTrait]:
    """Find what a refusal may ask for, the surest first."""
    words = words[:LONGEST_TEXT]
    for row in _LESSONS:
        if found := row.words.search(words):
            # only these words are kept: a service may repeat what people said in the others
            yield from (TaughtTrait(trait, found[0][:_MAX_KEPT_CHARS]) for trait in row.traits)
    if _OF_A_SCHEMA.search(words) and _IS_REFUSED.search(words) and not _OF_A_CALL.search(words):
        for keyword in _KEYWORD.finditer(words):
            yield TaughtTrait(f"{NO_SCHEMA}{keyword[1]}", keyword[0])
