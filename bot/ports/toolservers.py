"""Programs of other people that offer tools (MCP servers). What they say is untrusted, whoever started them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple, Protocol

from bot.domain.base import Digest, JsonText
from bot.sentences import Words


class ServerAddress(NamedTuple):
    """Where a server is: a program to start (`command`), or an address (`url`); exactly one of the two is set.

    A program gets the variables of `env` and no others. `start_timeout` is seconds until it has named its tools.
    """

    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = {}
    start_timeout: float = 30.0


class ServedTool(NamedTuple):
    """A tool in its server's words, as they came. `digest` covers everything that was said of it.

    `broken` says why nobody can be offered it (None: it can be read); the others of its server are none the worse.
    """

    name: str
    description: str
    parameters: JsonText
    digest: Digest
    broken: Words | None = None


class ServedFile(NamedTuple):
    """A file that came with a result; `data` is empty when it was larger than is taken. `size` is in bytes."""

    data: bytes
    mimetype: str
    name: str
    size: int


class ServedResult(NamedTuple):
    """What a call returned. `structured` is JSON text; empty when there was none."""

    texts: tuple[str, ...]
    files: tuple[ServedFile, ...] = ()
    structured: str = ""
    is_error: bool = False


class ToolServer(Protocol):
    """An open connection. Whatever fails raises ToolServerError, whose words may be shown to a model."""

    @property
    def title(self) -> str:
        """What the server calls itself, with its version; not to be believed."""

    @property
    def ended(self) -> Words | None:
        """Why the connection has ended; None while it is open."""

    async def tools(self) -> tuple[ServedTool, ...]:
        """Ask for the list, in the server's order."""

    async def call(self, name: str, arguments: Mapping[str, Any], timeout: float, asker: str = "") -> ServedResult:
        """Call a tool and wait `timeout` seconds for its result.

        `asker` tells one who asks from another (`_meta`, key `glassmind/asker`), and nothing else of them.
        """

    def last_words(self) -> str:
        """Return the end of what it wrote to its standard error."""


OnServerChange = Callable[[], None]
"""Called when a connection has ended, or its list of tools has changed."""


class ToolServers(Protocol):
    """The way to such servers."""

    def missing(self) -> str:
        """Say why no server can be reached at all, and what to install; empty when nothing is missing."""

    def connect(self, address: ServerAddress, stir: OnServerChange) -> AbstractAsyncContextManager[ToolServer]:
        """Connect, and on the way out end the program with everything that it started; raise ToolServerError."""

    async def misfits(self, schema: JsonText, arguments: Mapping[str, Any]) -> tuple[str, ...]:
        """Say what of the arguments does not fit a JSON schema; raise ToolServerError when that takes too long."""
