"""Compare the blocks of a system prompt with each other: the same words twice, and orders that exclude each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_request, message
from bot.domain.channel import ResponseMode
from bot.domain.llm import LLMRequest

_MIN_PARAGRAPH_CHARS = 60
"""Characters of a paragraph that nobody writes twice by chance."""
_SPACE = re.compile(r"\s+")
_ANSWER = r"(?:answer|reply|respond|speak|react)"
_ADDRESSED = r"(?:mentioned|addressed|asked|pinged|tagged|called|spoken\s+to|@)"
_ONLY_WHEN_ADDRESSED = re.compile(
    rf"\bonly\s+(?:ever\s+)?{_ANSWER}\b[^.!?\n]{{0,60}}\b(?:when|if|once)\b[^.!?\n]{{0,60}}{_ADDRESSED}"
    rf"|\b{_ANSWER}\b[^.!?\n]{{0,30}}\bonly\s+(?:when|if)\b[^.!?\n]{{0,60}}{_ADDRESSED}"
    rf"|\b(?:never|do not|don't|must not)\s+{_ANSWER}\b[^.!?\n]{{0,30}}\bunless\b[^.!?\n]{{0,60}}{_ADDRESSED}",
    re.IGNORECASE,
)
_OPERATOR_SECTIONS = frozenset({"identity"})
"""The blocks whose words are the operator's; ours agree with each other by the tests of the templates."""


class RepeatedParagraph(NamedTuple):
    """A paragraph that stands in two places, by the names of their blocks."""

    text: str
    first: str
    second: str


def repeated_paragraph(evidence: Evidence) -> RepeatedParagraph | None:
    """Return the longest paragraph of the prompt that stands there twice, one of the two in the operator's words."""
    request = last_request(evidence)
    seen: dict[str, str] = {}
    found: list[RepeatedParagraph] = []
    for name, text in _paragraphs(request.record.request) if request else ():
        if text in seen and _OPERATOR_SECTIONS & {name, seen[text]}:
            found.append(RepeatedParagraph(text, seen[text], name))
        seen.setdefault(text, name)
    return max(found, key=lambda twice: len(twice.text), default=None)


def demands_address(evidence: Evidence) -> bool:
    """Say whether the persona forbids answering a message that the mode wants considered: it addressed nobody."""
    found, request = message(evidence), last_request(evidence)
    if found is None or request is None or found.inbound.mentions_bot or found.inbound.replies_to_bot:
        return False
    if evidence.target.settings.mode is not ResponseMode.ACTIVE and not evidence.target.place.is_dm:
        return False
    blocks = request.record.request.system
    return any(_ONLY_WHEN_ADDRESSED.search(block.text) for block in blocks if block.name in _OPERATOR_SECTIONS)


def _paragraphs(request: LLMRequest) -> Iterator[tuple[str, str]]:
    for block in request.system:
        for paragraph in block.text.split("\n\n"):
            text = _SPACE.sub(" ", paragraph).strip()
            if len(text) >= _MIN_PARAGRAPH_CHARS:
                yield block.name, text
