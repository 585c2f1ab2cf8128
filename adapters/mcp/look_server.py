"""Answer MCP clients: over standard input and output, or over HTTP on the loopback address behind a token."""

from __future__ import annotations

import asyncio
import hmac
import socket
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from pydantic_core import from_json
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.domain.base import canonical_json
from bot.errors import UserError
from bot.ports.look_server import LookOffer
from bot.sentences import say

_HOST = "127.0.0.1"
_LEAVING_SECONDS = 5.0


class McpLookServer:
    """Implements `bot.ports.look_server.LookServer`."""

    async def over_stdio(self, desk: LookOffer) -> None:
        """Answer whoever started this program."""
        server = _server(desk)
        async with stdio_server() as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())

    async def over_http(self, desk: LookOffer, port: int, token: str) -> None:
        """Answer on the loopback address; raise UserError when the port is taken."""
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listening.bind((_HOST, port))
                listening.listen()
            except OSError as error:
                why = error.strerror or type(error).__name__
                raise UserError(say("machine.port-taken", port=str(port), host=_HOST, why=why)) from None
            app = _TokenGuard(_server(desk).streamable_http_app(host=_HOST, stateless_http=True), token)
            config = uvicorn.Config(app, log_config=None, access_log=False, server_header=False, lifespan="on")
            server = uvicorn.Server(config)
            async with asyncio.TaskGroup() as group:
                serving = group.create_task(server.serve(sockets=[listening]))
                try:
                    await asyncio.wait([serving])
                finally:
                    # told to end it does so in order; cancelled, it would leave its callers hanging
                    server.should_exit = True
                    await asyncio.wait([serving], timeout=_LEAVING_SECONDS)


class _TokenGuard:
    """Lets nothing in but who shows the token; the others learn nothing of what is behind."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._is_known(scope):
            return await self._app(scope, receive, send)
        if scope["type"] != "http":
            return None
        headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        said = canonical_json({"error": say("mcp_servers.token-wanted")})
        await send({"type": "http.response.body", "body": said.encode()})

    def _is_known(self, scope: Scope) -> bool:
        shown = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        if len(shown) != 1:
            return False
        # RFC 7235: the name of the scheme is read without regard to case
        scheme, _, token = shown[0].partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token, self._wanted)


def _server(desk: LookOffer) -> Server[Any]:
    read_only = types.ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
    tools = [
        types.Tool(
            name=look.name,
            description=look.description,
            input_schema=from_json(look.parameters),
            annotations=read_only,
        )
        for look in desk.looks
    ]

    async def listed(
        context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def called(context: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        told = await desk.ask(params.name, params.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(text=told.text)],
            structured_content=None if told.failed else dict(told.value),
            is_error=told.failed,
        )

    return Server(
        desk.name, version=desk.version, instructions=desk.instructions, on_list_tools=listed, on_call_tool=called
    )


def create_look_server() -> McpLookServer:
    """Build the way to be asked."""
    return McpLookServer()
