"""A connection to a server: the handshake, its list of tools, calls. Nothing that it asks of us is granted."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any, Protocol, TypeVar

import mcp_types as types
from mcp.client._transport import Transport, TransportStreams
from mcp.client.client import Client
from mcp.client.session import MessageHandlerFnT
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._stream_protocols import ReadStream
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import TypeAdapter, ValidationError

from adapters.mcp.stdio import MESSAGE_BYTES, Streams, start_server
from adapters.mcp.streamable_http import BoundedTransport, client_of
from bot import __version__
from bot.domain.base import JsonText, canonical_json, digest_text
from bot.errors import ToolServerError
from bot.ports.toolservers import OnServerChange, ServedFile, ServedResult, ServedTool, ServerAddress
from bot.sentences import Words, later, say
from bot.text.text import clean, excerpt

_MAX_PAGES = 20
_MAX_TOOLS = 500
_LIST_SECONDS = 30.0
_SESSION_OVER = "Session terminated"
_CLIENT_INFO = types.Implementation(name="glassmind", version=__version__)
_SERVER_REQUESTS = {
    "sampling/createMessage": "mcp_servers.wants-sampling",
    "elicitation/create": "mcp_servers.wants-elicitation",
    "roots/list": "mcp_servers.wants-roots",
}
_Result: TypeAdapter[types.CallToolResult | types.InputRequiredResult] = TypeAdapter(
    types.CallToolResult | types.InputRequiredResult
)
_ASKER = "glassmind/asker"
_ENTRY = "glassmind/entry"
"""Where the entry is that a plain one carries."""
_READ_ERRORS = (ValueError, TypeError, RecursionError)
_Reads = ReadStream[SessionMessage | Exception]
Self = TypeVar("Self", bound="_Packing")


class ServerTransport(Protocol):
    """What carries the messages. `trouble` is what it saw last that no message tells."""

    ended: Words | None
    trouble: Words | None

    def end(self, why: Words) -> None:
        """Say that the connection is over."""

    def last_words(self) -> str:
        """Return the end of what the server wrote to its standard error."""


class ServerConnection:
    """Implements `bot.ports.toolservers.ToolServer`."""

    def __init__(self, client: Client, line: ServerTransport) -> None:
        self._client = client
        self._line = line

    @property
    def title(self) -> str:
        """What the server calls itself."""
        info = self._client.server_info
        return f"{info.name} {info.version}".strip() if info is not None else ""

    @property
    def ended(self) -> Words | None:
        """Why the connection has ended; None while it is open."""
        return self._line.ended

    def last_words(self) -> str:
        """Return the end of what it wrote to its standard error."""
        return self._line.last_words()

    async def tools(self) -> tuple[ServedTool, ...]:
        """Ask for the list, page by page."""
        found: list[types.Tool] = []
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            params = types.PaginatedRequestParams(cursor=cursor)
            page = await self._asked(types.ListToolsRequest(params=params), types.ListToolsResult, _LIST_SECONDS)
            found += page.tools
            cursor = page.next_cursor
            if not cursor or len(found) > _MAX_TOOLS:
                break
        if cursor or len(found) > _MAX_TOOLS:
            raise ToolServerError(later("mcp_servers.list-endless", count=min(len(found), _MAX_TOOLS)))
        return tuple(packed_entry(tool, place) for place, tool in enumerate(found, 1))

    async def call(self, name: str, arguments: Mapping[str, Any], timeout: float, asker: str = "") -> ServedResult:
        # named by its alias: the SDK's type knows no keys of others
        meta = {"_meta": {_ASKER: asker}} if asker else {}
        params = types.CallToolRequestParams.model_validate({"name": name, "arguments": dict(arguments), **meta})
        # not the SDK's `call_tool`: it would check the result by the server's own schema, patterns and all
        result = await self._asked(types.CallToolRequest(params=params), _Result, timeout)
        if isinstance(result, types.InputRequiredResult):
            raise ToolServerError(later("mcp_servers.asked-for-more", asked=_asked_for(result)))
        return await asyncio.to_thread(_read_result, result)

    async def _asked(self, request: types.ClientRequest, wanted: Any, timeout: float) -> Any:
        try:
            return await self._client.session.send_request(request, wanted, request_read_timeout_seconds=timeout)
        except MCPError as error:
            raise self._said(error, timeout) from None
        except ValidationError as error:
            where = ", ".join(".".join(map(str, item["loc"])) for item in error.errors(include_input=False)[:3])
            raise ToolServerError(later("mcp_servers.answer-unreadable", where=excerpt(where, 200))) from None

    def _said(self, error: MCPError, timeout: float) -> ToolServerError:
        line = self._line
        if error.code == types.REQUEST_TIMEOUT:
            return ToolServerError(later("mcp_servers.no-answer", seconds=f"{timeout:g}"))
        if line.trouble or error.message == _SESSION_OVER:
            line.end(line.trouble or later("mcp_servers.session-over"))
        if line.ended:
            return ToolServerError(later("mcp_servers.connection-over", why=line.ended))
        return ToolServerError(later("mcp_servers.answered-error", words=excerpt(error.message, 500)))


@asynccontextmanager
async def connect_server(address: ServerAddress, stir: OnServerChange) -> AsyncIterator[ServerConnection]:
    """Connect and shake hands; raise ToolServerError."""
    lines: list[ServerTransport] = []
    try:
        async with _open_transport(address, stir) as (line, transport), AsyncExitStack() as stack:
            lines.append(line)
            client = Client(
                packed_entries(transport),
                cache=None,
                client_info=_CLIENT_INFO,
                message_handler=_notification_handler(stir),
            )
            await _shake_hands(stack, client, line, address.start_timeout)
            yield ServerConnection(client, line)
    except BaseExceptionGroup as group:
        # the groups of the tasks that carry messages: what went wrong there is what went wrong with the server
        raise _unwrap_group(group, lines[0] if lines else None) from None


async def _shake_hands(stack: AsyncExitStack, client: Client, line: ServerTransport, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stack.enter_async_context(client)
    except TimeoutError:
        raise ToolServerError(_with_words(later("mcp_servers.not-ready", seconds=f"{seconds:g}"), line)) from None
    except (MCPError, ValidationError, RuntimeError) as error:
        raise ToolServerError(_broken_reason(error, line)) from None


def _unwrap_group(group: BaseExceptionGroup[BaseException], line: ServerTransport | None) -> BaseException:
    for kind in (ToolServerError, asyncio.CancelledError):
        while (found := group.subgroup(kind)) is not None:
            first = found.exceptions[0]
            if not isinstance(first, BaseExceptionGroup):
                return first
            group = first
    return ToolServerError(_broken_reason(_leaf_error(group), line))


def _leaf_error(error: BaseException) -> BaseException:
    return _leaf_error(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def _broken_reason(error: BaseException, line: ServerTransport | None) -> Words:
    if line is not None and (why := line.ended or line.trouble):
        return _with_words(why, line)
    if said := excerpt(error.message if isinstance(error, MCPError) else "", 300):
        return later("mcp_servers.handshake-failed", words=said)
    return later("mcp_servers.connection-broke", error=type(error).__name__)


def _notification_handler(stir: OnServerChange) -> MessageHandlerFnT:
    async def heard(message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            stir()

    return heard


@asynccontextmanager
async def _open_transport(
    address: ServerAddress, stir: OnServerChange
) -> AsyncIterator[tuple[ServerTransport, Transport]]:
    if address.command:
        async with start_server(address, stir) as (program, streams):
            yield program, _ready_streams(streams)
    else:
        carrier = BoundedTransport(stir)
        async with client_of(address, carrier) as web:
            yield carrier, streamable_http_client(address.url, http_client=web, max_sse_event_size=MESSAGE_BYTES)


@asynccontextmanager
async def _ready_streams(streams: Streams) -> AsyncIterator[Streams]:
    yield streams


def _with_words(why: Words, line: ServerTransport) -> Words:
    words = excerpt(line.last_words(), 300)
    return later("mcp_servers.it-wrote", why=why, words=words) if words else why


def _asked_for(result: types.InputRequiredResult) -> Words:
    methods = sorted({request.method for request in (result.input_requests or {}).values()})
    if not methods:
        return later("mcp_servers.wants-more")
    return lambda: ", ".join(
        say(_SERVER_REQUESTS[method]) if method in _SERVER_REQUESTS else excerpt(method, 60) for method in methods
    )


def _read_result(result: types.CallToolResult) -> ServedResult:
    texts: list[str] = []
    files: list[ServedFile] = []
    for block in result.content:
        match block:
            case types.TextContent(text=text):
                texts.append(text)
            case types.ImageContent(data=data, mime_type=kind) | types.AudioContent(data=data, mime_type=kind):
                files.append(_file(data, kind, ""))
            case types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, text=text)):
                texts.append(f"[{excerpt(str(uri), 200)}]\n{text}")
            case types.EmbeddedResource(resource=types.BlobResourceContents(uri=uri, blob=data, mime_type=kind)):
                files.append(_file(data, kind or "", str(uri)))
            case types.ResourceLink(uri=uri, name=name):
                texts.append(f"[a resource that can be asked for: {excerpt(name, 100)}, {excerpt(str(uri), 200)}]")
            case _:
                texts.append("[a piece of a kind that is not known here]")
    structured = "" if result.structured_content is None else canonical_json(result.structured_content)
    return ServedResult(tuple(texts), tuple(files), structured, result.is_error)


def _file(data: str, mimetype: str, name: str) -> ServedFile:
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return ServedFile(b"", mimetype, name, 0)
    return ServedFile(content, mimetype, name, len(content))


@asynccontextmanager
async def packed_entries(transport: Transport) -> AsyncIterator[TransportStreams]:
    """Carry messages on, with the entries of a list of tools inside plain ones."""
    async with transport as (reads, writes):
        yield _Packing(reads), writes


def packed_entry(tool: types.Tool, place: int) -> ServedTool:
    """Read the entry that a plain one carries; `place` is where it stands in its list, from 1 on."""
    raw = (tool.meta or {}).get(_ENTRY)
    try:
        return _read(types.Tool.model_validate(raw, by_name=False))
    except _READ_ERRORS as error:
        return _broken_tool(raw, place, _listing_why(error))


# the SDK checks a list as a whole, and gives all of it up for one bad entry; so each entry travels past that check
# inside a plain one, and is read on the other side
class _Packing:
    """Implements the SDK's `ReadStream`."""

    def __init__(self, reads: _Reads) -> None:
        self._reads = reads

    async def receive(self) -> SessionMessage | Exception:
        return _packed_message(await self._reads.receive())

    async def aclose(self) -> None:
        await self._reads.aclose()

    def __aiter__(self: Self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return _packed_message(await self._reads.__anext__())

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


def _packed_message(message: SessionMessage | Exception) -> SessionMessage | Exception:
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


def _broken_tool(raw: Any, place: int, why: Words) -> ServedTool:
    said = raw if isinstance(raw, dict) else {}
    name, words = said.get("name"), said.get("description")
    called = clean(name).text if isinstance(name, str) and name.strip() else f"tool {place} of its list"
    try:
        digest = digest_text(canonical_json(raw))
    except _READ_ERRORS:
        digest = digest_text(called)
    return ServedTool(called, clean(words).text if isinstance(words, str) else "", JsonText("{}"), digest, why)


def _listing_why(error: Exception) -> Words:
    if not isinstance(error, ValidationError):
        return later("mcp_servers.entry-unreadable", error=type(error).__name__)
    wrong = error.errors(include_input=False, include_url=False)
    places = [".".join(map(str, item["loc"])) for item in wrong]
    if not any(places):
        return later("mcp_servers.not-an-object")
    if schema := [item["type"] for item in wrong if item["loc"][0] == "inputSchema"]:
        is_missing = schema == ["missing"]
        return later(
            "mcp_servers.bad-schema",
            why=later("mcp_servers.schema-missing") if is_missing else later("mcp_servers.not-an-object"),
        )
    return later("mcp_servers.keys-unreadable", keys=excerpt(", ".join(dict.fromkeys(places)), 80))
