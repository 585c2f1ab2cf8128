"""Lists of tools, entry by entry: one that is broken costs itself, and not its server.

The SDK checks a list as a whole, and gives all of it up for one bad entry. So each entry travels past that check inside
a plain one, and is read on the other side.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any, TypeVar

import mcp_types as types
from mcp.client._transport import Transport, TransportStreams
from mcp.shared._stream_protocols import ReadStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from bot.domain.base import JsonText, canonical_json, digest_text
from bot.ports.toolservers import ServedTool
from bot.text.text import clean, excerpt

_ENTRY = "glassmind/entry"
"""Where the entry is that a plain one carries."""
_UNREADABLE = (ValueError, TypeError, RecursionError)
_Reads = ReadStream[SessionMessage | Exception]
Self = TypeVar("Self", bound="_Packing")


@asynccontextmanager
async def packing(transport: Transport) -> AsyncIterator[TransportStreams]:
    """Carry messages on, with the entries of a list of tools inside plain ones."""
    async with transport as (reads, writes):
        yield _Packing(reads), writes


def served(tool: types.Tool, place: int) -> ServedTool:
    """Read the entry that a plain one carries; `place` is where it stands in its list, from 1 on."""
    raw = (tool.meta or {}).get(_ENTRY)
    try:
        return _read(types.Tool.model_validate(raw, by_name=False))
    except _UNREADABLE as error:
        return _broken(raw, place, _why(error))


class _Packing:
    """Implements the SDK's `ReadStream`."""

    def __init__(self, reads: _Reads) -> None:
        self._reads = reads

    async def receive(self) -> SessionMessage | Exception:
        return _packed(await self._reads.receive())

    async def aclose(self) -> None:
        await self._reads.aclose()

    def __aiter__(self: Self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return _packed(await self._reads.__anext__())

    async def __aenter__(self: Self) -> Self:
        await self._reads.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._reads.__aexit__(kind, error, trace)

    @property
    def last_context(self) -> Any:
        """Whatever the SDK's own streams bring beside a message."""
        return getattr(self._reads, "last_context", None)


def _packed(message: SessionMessage | Exception) -> SessionMessage | Exception:
    if isinstance(message, Exception) or not isinstance(message.message, types.JSONRPCResponse):
        return message
    result = message.message.result
    if not isinstance(result.get("tools"), list):
        return message
    # nothing but a list of tools has such a list
    plain = [{"name": "-", "inputSchema": {"type": "object"}, "_meta": {_ENTRY: raw}} for raw in result["tools"]]
    answer = message.message.model_copy(update={"result": {**result, "tools": plain}})
    return replace(message, message=answer)


def _read(tool: types.Tool) -> ServedTool:
    said = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
    words = clean(tool.description or tool.title or "").text
    parameters = canonical_json(tool.input_schema)
    return ServedTool(clean(tool.name).text, words, parameters, digest_text(canonical_json(said)))


def _broken(raw: Any, place: int, why: str) -> ServedTool:
    said = raw if isinstance(raw, dict) else {}
    name, words = said.get("name"), said.get("description")
    called = clean(name).text if isinstance(name, str) and name.strip() else f"tool {place} of its list"
    try:
        digest = digest_text(canonical_json(raw))
    except _UNREADABLE:
        digest = digest_text(called)
    return ServedTool(called, clean(words).text if isinstance(words, str) else "", JsonText("{}"), digest, why)


def _why(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return f"it cannot be read ({type(error).__name__})"
    wrong = error.errors(include_input=False, include_url=False)
    places = [".".join(map(str, item["loc"])) for item in wrong]
    if not any(places):
        return "it is no object"
    if schema := [item["type"] for item in wrong if item["loc"][0] == "inputSchema"]:
        return f"its schema cannot be used: {'there is none' if schema == ['missing'] else 'it is no object'}"
    return f"its {excerpt(', '.join(dict.fromkeys(places)), 80)} cannot be read"
