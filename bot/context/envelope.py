"""Find again which section is which part of a request, by the names of its texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.domain.base import digest_text
from bot.domain.llm import LLMRequest
from bot.domain.messages import Message, TextPart
from bot.domain.snapshot import SectionFate, SectionStability, SectionTrace


class EnvelopeCarrier(NamedTuple):
    """The message that carries the volatile sections: its place in the request, and how many parts they are."""

    at: int
    parts: int


def find_carrier(request: LLMRequest, sections: Sequence[SectionTrace]) -> EnvelopeCarrier | None:
    """Return the newest message whose first parts are exactly the kept volatile sections; None when none is."""
    wanted = [trace.digest for trace in _volatile(sections)]
    if not wanted:
        return None
    for index in range(len(request.messages) - 1, -1, -1):
        if _opening(request.messages[index], len(wanted)) == wanted:
            return EnvelopeCarrier(at=index, parts=len(wanted))
    return None


def section_texts(request: LLMRequest, sections: Sequence[SectionTrace]) -> dict[str, str]:
    """Return the text of every section that is in the request, by name."""
    texts = {block.name: block.text for block in request.system}
    carrier = find_carrier(request, sections)
    if carrier is not None:
        parts = request.messages[carrier.at].parts
        texts.update(
            (t.name, p.text) for t, p in zip(_volatile(sections), parts, strict=False) if isinstance(p, TextPart)
        )
    return texts


def _volatile(sections: Sequence[SectionTrace]) -> list[SectionTrace]:
    return [t for t in sections if t.stability is SectionStability.VOLATILE and t.fate is SectionFate.KEPT]


def _opening(message: Message, count: int) -> list[str] | None:
    if len(message.parts) <= count:
        return None
    return [digest_text(part.text) if isinstance(part, TextPart) else "" for part in message.parts[:count]]
