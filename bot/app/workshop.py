"""Workspaces, the sandbox, the web and the browser, opened by the first worker that needs them: no start waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from bot.app.adapters import open_browser, open_sandbox, open_web, open_workspaces
from bot.config import Config, LoadedConfig
from bot.config.tool_groups import ToolsConfig
from bot.domain.health import ProbeResult
from bot.domain.ids import ChannelKey
from bot.errors import ToolError
from bot.ports.edges import Edges
from bot.ports.sandbox import ProgramResult, Sandbox, SandboxCommand
from bot.ports.web import Browser, BrowserView, WebPage, WebReader
from bot.ports.web import WebHits as WebHits
from bot.ports.workspaces import FileHits, FileSearch, FolderListing, Workspaces, WrittenFile
from bot.runtime.lean_imports import lean_imports
from bot.sentences import say
from bot.tools.runtime.availability import Look

_FOLDER = "workspaces"

T = TypeVar("T")
Opening = Callable[[], T] | None
"""Opens something when it is first needed; None where there is nothing to open."""


class WorkerTooling:
    """What the tools of workers need: files, programs and the web, opened when first asked for."""

    def __init__(
        self, config: Config, workspaces: Opening[Workspaces], sandbox: Opening[Sandbox], web: WebAccess
    ) -> None:
        self._config = config
        self._web = web
        self.workspaces = _Workspaces(workspaces, Path(config.bot.data_dir))
        self.sandbox = _Sandbox(sandbox)

    @classmethod
    def of(cls, edges: Edges, config: Config) -> WorkerTooling:
        """Return the tooling of a running bot."""
        opening = edges.open_workspaces
        moves = edges.store.channels.moves
        web = WebAccess(config.tools, edges.open_web, edges.open_browser)
        return cls(config, None if opening is None else partial(opening, moves.former_ids), edges.open_sandbox, web)

    @property
    def services(self) -> dict[type, object]:
        """What tools ask for by type."""
        return {Workspaces: self.workspaces, Sandbox: self.sandbox, **self._web.services}

    @property
    def looks(self) -> dict[str, Look]:
        """What groups of tools need besides permission."""
        return {"files": self.workspaces.missing, "shell": self.sandbox.missing, **self._web.looks}

    async def probe(self) -> Sequence[ProbeResult]:
        """Say what workers are offered and what not, for the doctor."""
        tools = self._config.tools
        off = [name for name, table in (("files", tools.files), ("shell", tools.shell)) if not table.enabled]
        rows: list[ProbeResult] = []
        if off:
            rows.append(ProbeResult(name=say("worker_tooling.worker-tools"), state="ok", evidence=_off(off)))
        if tools.files.enabled:
            why = self.workspaces.missing()
            state, words = ("failed", why) if why else ("ok", say("worker_tooling.own-workspaces"))
            rows.append(ProbeResult.model_validate({"name": "workspaces", "state": state, "evidence": words}))
        return [*rows, *(await self.sandbox.probe() if tools.shell.enabled else ()), *self._web.probe()]


class WebAccess:
    """What workers read the web with."""

    def __init__(
        self, tables: ToolsConfig, web: Callable[[], WebReader] | None, browser: Callable[[], Browser] | None
    ) -> None:
        self._tables = tables
        self.web = _Web(web)
        self.browser = _Browser(browser)

    @property
    def services(self) -> dict[type, object]:
        """What tools ask for by type."""
        return {WebReader: self.web, Browser: self.browser}

    @property
    def looks(self) -> dict[str, Look]:
        """What groups of tools need besides permission."""
        return {"web": self.web.missing, "web:search": self._no_search, "browser": self.browser.missing}

    def probe(self) -> Sequence[ProbeResult]:
        """Say what workers are offered and what not, for the doctor; nobody is called."""
        tables = {"web": self._tables.web, "browser": self._tables.browser}
        off = [name for name, table in tables.items() if not table.enabled]
        rows = [row for name, row in (("web", self._web_row), ("browser", self._browser_row)) if name not in off]
        if not off:
            return [row() for row in rows]
        said = ProbeResult(name=say("worker_tooling.web-tools"), state="ok", evidence=_off(off))
        return [said, *(row() for row in rows)]

    def _no_search(self) -> str:
        return self.web.missing() or ("" if self._tables.web.search else say("worker_tooling.no-search"))

    def _web_row(self) -> ProbeResult:
        table = self._tables.web
        if why := self.web.missing():
            return ProbeResult(name="web", state="failed", evidence=say("worker_tooling.web-closed", why=why))
        if hosts := ", ".join(table.own_hosts):
            words = say("worker_tooling.own-hosts-unsearched", hosts=hosts)
            if table.search:
                words = say("worker_tooling.own-hosts-read", hosts=hosts, search=table.search)
            return ProbeResult(name="web", state="warning", evidence=words, fix=say("worker_tooling.own-hosts-fix"))
        words = say("worker_tooling.public-pages-unsearched")
        if table.search:
            words = say("worker_tooling.public-pages", search=table.search)
        return ProbeResult(name="web", state="ok", evidence=words)

    def _browser_row(self) -> ProbeResult:
        if why := self.browser.missing():
            fact, _, fix = why.partition("; ")
            words = say("worker_tooling.not-drawn", why=fact)
            return ProbeResult(name="browser", state="failed", evidence=words, fix=_sentence(fix))
        if not self._tables.browser.sandbox:
            words, fix = say("worker_tooling.drawn-unsafely"), say("worker_tooling.sandbox-fix")
            return ProbeResult(name="browser", state="warning", evidence=words, fix=fix)
        return ProbeResult(name="browser", state="ok", evidence=say("worker_tooling.drawn"))


class _Workspaces:
    """Implements `bot.ports.workspaces.Workspaces`."""

    def __init__(self, opening: Opening[Workspaces], data: Path) -> None:
        self._opening = opening
        self._data = data

    @cached_property
    def _real(self) -> Workspaces:
        if self._opening is None:
            raise ToolError(say("worker_tooling.no-files"))
        with lean_imports():
            return self._opening()

    def missing(self) -> str:
        """Return why there are no workspaces; empty where there are."""
        return "" if self._opening is not None else say("worker_tooling.no-files")

    async def folder(self, key: ChannelKey) -> Path:
        """Return where a channel's workspace is."""
        return await self._real.folder(key)

    async def read(self, key: ChannelKey, path: str) -> bytes:
        return await self._real.read(key, path)

    async def write(self, key: ChannelKey, path: str, content: bytes) -> WrittenFile:
        return await self._real.write(key, path, content)

    async def change(self, key: ChannelKey, path: str, how: Callable[[bytes], bytes]) -> WrittenFile:
        return await self._real.change(key, path, how)

    async def listing(self, key: ChannelKey, path: str, depth: int) -> FolderListing:
        """Return what stands in a folder."""
        return await self._real.listing(key, path, depth)

    async def search(self, key: ChannelKey, sought: FileSearch) -> FileHits:
        """Look for a text in files."""
        return await self._real.search(key, sought)

    async def sweep(self, now: int) -> int:
        """Remove what is too old; where nothing was ever written, nothing is opened."""
        return await self._real.sweep(now) if not self.missing() and (self._data / _FOLDER).is_dir() else 0


class _Sandbox:
    """Implements `bot.ports.sandbox.Sandbox`."""

    def __init__(self, opening: Opening[Sandbox]) -> None:
        self._opening = opening

    @cached_property
    def _real(self) -> Sandbox | None:
        with lean_imports():
            return self._opening() if self._opening is not None else None

    def missing(self) -> str:
        """Say why nothing can be run."""
        return self._real.missing() if self._real is not None else say("worker_tooling.no-sandbox")

    async def probe(self) -> Sequence[ProbeResult]:
        if self._real is None:
            words = say("worker_tooling.programs-not-offered", why=self.missing())
            return [ProbeResult(name="sandbox", state="failed", evidence=words)]
        return await self._real.probe()

    async def run(self, command: SandboxCommand) -> ProgramResult:
        if self._real is None:
            raise ToolError(say("worker_tooling.cannot-run", why=self.missing()))
        return await self._real.run(command)

    async def close(self) -> None:
        if "_real" in vars(self) and self._real is not None:
            await self._real.close()


class _Web:
    """Implements `bot.ports.web.WebReader`."""

    def __init__(self, opening: Callable[[], WebReader] | None) -> None:
        self._opening = opening

    @cached_property
    def _real(self) -> WebReader:
        if self._opening is None:
            raise ToolError(say("worker_tooling.cannot-read", why=self.missing()))
        with lean_imports():
            return self._opening()

    def missing(self) -> str:
        """Say why no page can be read."""
        return "" if self._opening is not None else say("worker_tooling.no-web")

    async def fetch(self, url: str, *, anew: bool) -> WebPage:
        return await self._real.fetch(url, anew=anew)

    async def search(self, query: str, most: int) -> WebHits:
        return await self._real.search(query, most)

    async def close(self) -> None:
        """Let go of what is held."""
        if "_real" in vars(self):
            await self._real.close()


class _Browser:
    """Implements `bot.ports.web.Browser`."""

    def __init__(self, opening: Callable[[], Browser] | None) -> None:
        self._opening = opening

    @cached_property
    def _real(self) -> Browser | None:
        with lean_imports():
            return self._opening() if self._opening is not None else None

    def missing(self) -> str:
        """Say why no page can be drawn."""
        return self._real.missing() if self._real is not None else say("worker_tooling.no-browser")

    async def draw(self, url: str, *, picture: bool) -> BrowserView:
        if self._real is None:
            raise ToolError(say("worker_tooling.cannot-draw", why=self.missing()))
        return await self._real.draw(url, picture=picture)

    async def close(self) -> None:
        """End every browser that still runs."""
        if "_real" in vars(self) and self._real is not None:
            await self._real.close()


async def worker_tools(loaded: LoadedConfig) -> Sequence[ProbeResult]:
    """Say what a bot with this configuration would offer its workers on this machine."""
    web = WebAccess(loaded.config.tools, partial(open_web, loaded), partial(open_browser, loaded))
    return await WorkerTooling(
        loaded.config, partial(open_workspaces, loaded, lambda _: ()), partial(open_sandbox, loaded), web
    ).probe()


def _off(names: Sequence[str]) -> str:
    """Say which groups nobody has switched on: one or two."""
    keys = [f"tools.{name}.enabled" for name in names]
    return say("worker_tooling.off", count=len(names), names=_and(names), keys=_and(keys))


def _and(words: Sequence[str]) -> str:
    return say("worker_tooling.and", first=words[0], second=words[1]) if len(words) > 1 else words[0]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}." if words else ""
