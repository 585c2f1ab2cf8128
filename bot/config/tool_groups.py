"""Groups of tools that are off until somebody switches them on: one table `[tools.<group>]` each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from bot.config.config_table import ConfigTable, keys
from bot.config.id_forms import text_id
from bot.sentences import say

KindWord = Literal["channel", "branch", "worker", "cortex"]
ServerName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
AuthorityWord = Literal["everyone", "moderator", "admin", "owner"]


ChannelName = Annotated[str, BeforeValidator(text_id)]
Port = Annotated[int, Field(ge=1, le=65535)]


def _own_host(value: str) -> str:
    host, colon, port = value.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and 0 < int(port) < 65536) or "/" in host:
        raise ValueError(say("config.must-be-host-port"))
    return value.lower()


OwnHost = Annotated[str, AfterValidator(_own_host)]


def _place(value: str) -> str:
    if not value.startswith("/") or not value.strip("/") or "/.." in value or not value.isprintable():
        raise ValueError(say("config.must-be-path"))
    return value.rstrip("/")


Place = Annotated[str, AfterValidator(_place)]
MCP = "mcp"
"""Under `[tools.mcp.<server>]` each server has a table of its own; its group is `mcp:<server>`."""


class GroupConfig(ConfigTable):
    """Who may use a group of tools, and where.

    Without `channels` it is offered in every channel, with an empty list in none.
    """

    live: ClassVar[frozenset[str]] = keys("enabled authority channels")

    enabled: bool = False
    authority: AuthorityWord = "admin"
    channels: tuple[ChannelName, ...] | None = None


class FilesConfig(GroupConfig):
    """File tools, confined to a workspace: one for each channel, which programs see, too.

    Megabytes of one file, of one workspace and of all; `workspace_files` counts names. What was not used for `days`
    is removed (0: never), and the oldest when all of them are too large.
    """

    file_mb: float = Field(10, gt=0, le=1000)
    workspace_mb: float = Field(200, gt=0, le=100_000)
    workspace_files: int = Field(5000, ge=10, le=100_000)
    total_mb: float = Field(5000, gt=0, le=1_000_000)
    days: float = Field(30, ge=0)


class ShellConfig(GroupConfig):
    """Programs, in a sandbox. `seconds` and `memory_mb` are for a program with all that it begins.

    `network` gives it the host's whole network, its own services included. `tmp_mb` is its /tmp, `output_kb` how much
    of what it writes is kept. `readable` are places that it may read beside the system. `uid` is what programs run as
    where the bot itself is root; nobody else may have that user id.
    """

    seconds: float = Field(60, gt=0, le=3600)
    network: bool = False
    memory_mb: int = Field(1024, ge=64, le=1_000_000)
    processes: int = Field(64, ge=8, le=10_000)
    at_once: int = Field(2, ge=1, le=64)
    tmp_mb: int = Field(64, ge=1, le=100_000)
    output_kb: int = Field(18, ge=2, le=1000)
    uid: int = Field(65521, ge=1, le=4_294_967_293)
    readable: tuple[Place, ...] = ()


class WebConfig(GroupConfig):
    """Fetching and searching the web. Seconds; `max_mb` is what is read of one page, unpacked.

    Public addresses only, on these `ports`; `own_hosts` are servers of one's own (`host:port`) that may lie inside.
    `search` is the kind of the search service (empty: none), `search_url` where it is (empty: where it usually is).
    """

    seconds: float = Field(20, gt=0, le=120)
    max_mb: float = Field(2, gt=0, le=50)
    redirects: int = Field(5, ge=0, le=20)
    ports: tuple[Port, ...] = (80, 443)
    own_hosts: tuple[OwnHost, ...] = ()
    blocked_hosts: tuple[str, ...] = ()
    proxy: str = Field("", repr=False)
    search: Literal["", "searxng", "brave"] = ""
    search_url: str = ""
    search_key: str = Field("", repr=False)
    search_seconds: float = Field(10, gt=0, le=60)

    @model_validator(mode="after")
    def _finds_its_service(self) -> Self:
        if self.search_url and not self.search_url.startswith(("http://", "https://", "env:", "file:", "cred:")):
            raise ValueError(say("config.search-url-form"))
        if self.search == "searxng" and not self.search_url:
            raise ValueError(say("config.needs-search-url"))
        if self.search == "brave" and not self.search_key:
            raise ValueError(say("config.needs-search-key"))
        return self


class BrowserConfig(GroupConfig):
    """An installed Chromium without a window. What it may call is said in `[tools.web]`.

    An empty `program` is the first of the usual names that is there. Without its `sandbox` a page that breaks out of
    the browser can do what the bot can. `seconds` are for one page, `max_mb` is what one may load, packed.
    """

    program: str = ""
    sandbox: bool = True
    seconds: float = Field(30, gt=0, le=120)
    max_mb: float = Field(20, gt=0, le=500)
    at_once: int = Field(2, ge=1, le=16)


class McpConfig(GroupConfig):
    """One MCP server: a program to start (`command`), or an address (`url`). Seconds, characters.

    A program gets the variables of `env`, and no others. Without `allow` every tool that `deny` does not list is
    offered; both hold the server's own names. `kinds` are the processes that may use its tools.
    """

    live: ClassVar[frozenset[str]] = GroupConfig.live | keys("kinds allow deny timeout result_chars")

    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict, repr=False)
    cwd: str = ""
    url: str = Field("", pattern="^(https?://[!-~]+|(env|file|cred):.+)?$")
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    kinds: tuple[KindWord, ...] = ("worker",)
    allow: tuple[str, ...] | None = None
    deny: tuple[str, ...] = ()
    timeout: float = Field(30, gt=0, le=3600)
    start_timeout: float = Field(30, gt=0, le=600)
    result_chars: int = Field(20_000, ge=200, le=1_000_000)

    @model_validator(mode="after")
    def _reaches_one(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError(say("config.command-or-url"))
        return self


class ToolsConfig(ConfigTable):
    """The groups; nothing in them is offered until `enabled` is true there."""

    files: FilesConfig = Field(default_factory=FilesConfig)
    shell: ShellConfig = Field(default_factory=ShellConfig)
    web: WebConfig = Field(default_factory=WebConfig)
    browser: BrowserConfig = Field(default_factory=BrowserConfig)
    mcp: dict[ServerName, McpConfig] = Field(default_factory=dict)

    def group(self, name: str) -> GroupConfig | None:
        """Return the table of a group, `mcp:<server>` for a server; None when there is no such group.

        A part of a group, such as `web:search`, has its table.
        """
        kind, colon, server = name.partition(":")
        if colon and kind == MCP:
            return self.mcp.get(server)
        found = getattr(self, kind, None) if kind in type(self).model_fields else None
        return found if isinstance(found, GroupConfig) else None

    @property
    def names(self) -> tuple[str, ...]:
        """Name every group as agents and tools do: `files`, `mcp:<server>`."""
        return tuple(name.replace(".", ":", 1) for name, _ in self.tables())

    def tables(self) -> Iterator[tuple[str, GroupConfig]]:
        """Yield every table under its key below `tools`, in the order of the file."""
        for name in type(self).model_fields:
            if name != MCP:
                yield name, getattr(self, name)
        for server, table in self.mcp.items():
            yield f"{MCP}.{server}", table
