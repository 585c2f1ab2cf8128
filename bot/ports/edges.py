"""The outside world as a whole, opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from bot.domain.health import AdapterHealth, AdapterState
from bot.ports.caller import WebhookCaller
from bot.ports.clock import Clock, Entropy
from bot.ports.embeddings import Embedder
from bot.ports.metrics import NO_METRICS, Metrics, MetricsExporter
from bot.ports.model import LLMProvider, TokenCounter
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.ports.traces import NO_TRACES, RecordWatchers, TracesExporter

if TYPE_CHECKING:
    # what workers and browsers need: no start does
    from bot.ports.page_logins import PageLogins
    from bot.ports.page_server import PageServer
    from bot.ports.sandbox import Sandbox
    from bot.ports.toolservers import ToolServers
    from bot.ports.web import Browser, WebReader
    from bot.ports.workspaces import FormerIds, Workspaces


def alone() -> bool:
    """Say that there is no other process."""
    return True


def not_elsewhere(platform: str) -> None:
    """Say that no other process listens."""


class Edges(NamedTuple):
    """The outside world, chosen by the configuration or by a test. `off`: configured platforms that are disabled.

    Without a `caller` nobody outside the chats is ever called, and without `tool_servers` no MCP server is connected,
    whatever is configured. Workspaces, the sandbox, the web and the browser are opened by whoever needs them first;
    without them no worker has files, programs or pages. The `exporter` counts, where an operator asks for numbers;
    `traces` draws, where one looks. Without a page server nobody looks by a browser, and without page logins the
    only way in there is a link. Without an embedder memories are searched by words alone.
    """

    clock: Clock
    entropy: Entropy
    store: Store
    counter: TokenCounter
    platforms: Mapping[str, Platform]
    providers: Mapping[str, LLMProvider]
    off: tuple[str, ...] = ()
    caller: WebhookCaller | None = None
    tool_servers: ToolServers | None = None
    open_workspaces: Callable[[FormerIds], Workspaces] | None = None
    open_sandbox: Callable[[], Sandbox] | None = None
    open_web: Callable[[], WebReader] | None = None
    open_browser: Callable[[], Browser] | None = None
    open_page_server: Callable[[], PageServer] | None = None
    open_page_logins: Callable[[], PageLogins] | None = None
    exporter: MetricsExporter | None = None
    traces: TracesExporter | None = None
    embedder: Embedder | None = None
    plugins: object = None
    """What plugins bring, as `bot.plugins` loaded it with these edges; None: it is loaded by whoever needs it."""
    listener: Callable[[str], AdapterHealth | None] = not_elsewhere
    """How the process that listens on a platform hears it; None where this one does."""
    is_at_work: Callable[[], bool] = alone
    """Whether no other process can have taken over; where one can, nobody is to be told anything by this one."""

    def health_of(self, name: str) -> AdapterHealth:
        """Say how a platform is: by its adapter, and where another process listens there, also by that one."""
        own = self.platforms[name].health()
        heard = self.listener(name) if own.state is AdapterState.UP else None
        return own if heard is None else heard

    @property
    def metrics(self) -> Metrics:
        """Who is told of what happens, to be counted."""
        return self.exporter or NO_METRICS

    @property
    def watchers(self) -> RecordWatchers:
        """Who is told of what is on record."""
        return RecordWatchers(self.metrics, self.traces or NO_TRACES)
