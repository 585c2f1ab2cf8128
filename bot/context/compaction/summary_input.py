"""What the writer of a summary reads: one JSON object a line, in portions that fit; nothing of it can end its fence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.context.transcript import parse_header, utc
from bot.domain.base import canonical_json
from bot.domain.messages import ImagePart, Message, ProviderData, Role, TextPart, ToolCall, ToolResult

_HEADING = re.compile(r"^[ \t]*={3} turn (\d{1,4}) ={3}[ \t]*$", re.MULTILINE)
_MIN_PORTION_BYTES = 256
"""Bytes; a portion is never smaller, whatever a window is said to be."""


def lines_of(messages: Sequence[Message]) -> list[str]:
    """Write messages as lines, oldest first."""
    return [canonical_json(entry) for message in messages for entry in _entries(message)]


def portions(messages: Sequence[Message], most: int) -> list[str]:
    """Cut the lines into texts of at most `most` bytes; a message that is longer goes on in the next one."""
    most = max(most, _MIN_PORTION_BYTES)
    found: list[list[str]] = [[]]
    size = 0
    for line in lines_of(messages):
        for piece in _pieces(line, most):
            weight = len(piece.encode("utf-8", "surrogatepass")) + 1
            if found[-1] and size + weight > most:
                found.append([])
                size = 0
            found[-1].append(piece)
            size += weight
    return ["\n".join(lines) for lines in found if lines]


def numbered_turns(turns: Sequence[Sequence[Message]]) -> str:
    """Write several turns one after the other, each behind a line that says its number, from 1 on."""
    parts = ((canonical_json({"turn": number}), *lines_of(messages)) for number, messages in enumerate(turns, 1))
    return "\n".join(line for part in parts for line in part)


def summaries_by_turn(text: str, turns: int) -> tuple[str, ...]:
    """Cut an answer into the summaries of so many turns; () unless each stands behind its own heading, in order.

    Nothing is guessed: what somebody wrote in one turn must not become the summary of another.
    """
    found = list(_HEADING.finditer(text))
    if [int(one[1]) for one in found] != list(range(1, turns + 1)) or text[: found[0].start()].strip():
        return ()
    ends = [*(one.start() for one in found[1:]), len(text)]
    return tuple(text[one.end() : end].strip() for one, end in zip(found, ends, strict=True))


def _pieces(line: str, most: int) -> list[str]:
    if len(line.encode("utf-8", "surrogatepass")) < most:
        return [line]
    # a character has four bytes at most, twice that where JSON escapes it
    step = max(1, (most - 64) // 8)
    cuts = range(0, len(line), step)
    return [
        canonical_json({"part": f"{n} of {len(cuts)}", "piece": line[at : at + step]}) for n, at in enumerate(cuts, 1)
    ]


def _entries(message: Message) -> Iterator[dict[str, object]]:
    if message.summary is not None:
        yield {"summary": message.summary.type.value, "text": message.text}
        return
    for part in message.parts:
        if not isinstance(part, ProviderData):
            yield _entry(message, part)


def _entry(message: Message, part: TextPart | ToolCall | ToolResult | ImagePart) -> dict[str, object]:
    match part:
        case ToolCall(name=name, arguments=arguments):
            return {"call": name, "arguments": arguments}
        case ToolResult(text=text, ok=ok):
            return {"result": text, "ok": ok}
        case ImagePart(name=name):
            return {"picture": name}
        case TextPart(text=text):
            return _said(message, text)


def _said(message: Message, text: str) -> dict[str, object]:
    if message.role is Role.ASSISTANT:
        return {"bot": text, **({"at": utc(message.at)} if message.at else {})}
    headed = parse_header(text) if message.role is Role.USER else None
    return {**headed.header, "text": headed.text} if headed else {"note": text}
