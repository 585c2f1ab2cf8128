"""What Anthropic keeps of prompts: prefixes under their content, at the breakpoints of the requests that had them.

https://platform.claude.com/docs/en/build-with-claude/prompt-caching: tools, system, messages in this order; up to 20
blocks before a breakpoint are looked through; another `tool_choice` is another conversation. Prompts that are too short
to be kept, and the time after which they are forgotten, are left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

LOOKBACK = 20
Block = Mapping[str, Any]


class PromptCache:
    """Prefixes that were kept, by the hash of everything in them."""

    def __init__(self) -> None:
        self._kept: set[bytes] = set()

    def look(self, request: Mapping[str, Any]) -> tuple[int, int]:
        """Return how many tokens of a request were read from here, and how many are kept from now on."""
        names, sizes, marks = list[bytes](), list[int](), list[int]()
        size = 0
        for at, (content, is_marked) in enumerate(_blocks(request)):
            digest = hashlib.sha256(names[-1] + content if names else content).digest()
            names.append(digest)
            size += len(content)
            sizes.append(size)
            marks += [at] if is_marked else []
        found = max((self._found(names, mark) for mark in marks), default=-1)
        last = marks[-1] if marks else -1
        self._kept |= {names[mark] for mark in marks}
        read = sizes[found] // 4 if found >= 0 else 0
        return read, (sizes[last] // 4 - read if last > found else 0)

    def _found(self, names: list[bytes], mark: int) -> int:
        places = range(mark, max(-1, mark - LOOKBACK), -1)
        return next((at for at in places if names[at] in self._kept), -1)


def _blocks(request: Mapping[str, Any]) -> Iterator[tuple[bytes, bool]]:
    for tool in request.get("tools", ()):
        yield _content("tool", tool), "cache_control" in tool
    system = request.get("system", ())
    for block in [{"type": "text", "text": system}] if isinstance(system, str) else system:
        yield _content("system", block), "cache_control" in block
    for message in request["messages"]:
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            choice = orjson.dumps(request.get("tool_choice")).decode()
            yield _content(f"{message['role']} {choice}", block), "cache_control" in block


def _content(where: str, block: Block) -> bytes:
    bare = {key: value for key, value in block.items() if key != "cache_control"}
    return where.encode() + orjson.dumps(bare, option=orjson.OPT_SORT_KEYS)
