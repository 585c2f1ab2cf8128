"""One MCP server under supervision: connected while it is switched on, started again when it dies."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog
from pydantic import ConfigDict
from pydantic_core import from_json

from bot.config.tool_groups import MCP, McpConfig
from bot.domain.access import Authority
from bot.domain.base import Digest, canonical_json, digest_text
from bot.domain.channel import ProcessKind
from bot.domain.health import AdapterHealth, AdapterState
from bot.domain.ids import PersonKey
from bot.errors import ToolError, ToolServerError, UserError
from bot.ports.clock import Clock
from bot.ports.toolservers import ServedFile, ServedResult, ServedTool, ServerAddress, ToolServer, ToolServers
from bot.prompts import render
from bot.sentences import ENGLISH, Words, later, said_in, say
from bot.text.figures import exact_number
from bot.text.text import excerpt
from bot.tools.mcp.approvals import ApprovedTools, ServerApprovals, digests
from bot.tools.mcp.server_offer import OfferedTool, ServerOffer, offer
from bot.tools.runtime.executor import cut_result
from bot.tools.runtime.tool import Tool, ToolArgs, ToolContext, ToolSpec

log = structlog.get_logger(__name__)

FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS = 1.0, 300.0
"""Seconds before it is started again, doubling."""
_STEADY_SECONDS = 60.0
"""Seconds after which a connection counts as having been a good one."""
_LISTING_INTERVAL_SECONDS = 60.0
"""Seconds between two looks at the list of a server that does not say when it changes."""
_MIN_LISTING_INTERVAL_SECONDS = 1.0
"""Seconds between two looks, however often it says so."""
_TIMEOUT_SLACK_SECONDS = 5.0
Tell = Callable[[Words], Awaitable[None]]
NO_RESULT_TEXT = "(it returned nothing)"
_MAX_FILES = 10
_ASKER_PURPOSE, _ASKER_CHARS = "mcp asker", 32


class ForeignArgs(ToolArgs):
    """Arguments that are checked against the server's own schema, when the call is made."""

    model_config = ConfigDict(extra="allow")


@dataclass(frozen=True)
class ForeignServerContext:
    """What every server needs. `tell` lets those who run the bot hear of something; `redact` hides our secrets.

    By the `key` of this instance servers are told who asks, without who that is.
    """

    servers: ToolServers
    approvals: ServerApprovals
    clock: Clock
    tell: Tell
    redact: Callable[[str], str]
    key: bytes


def asker_id(key: bytes, server: str, person: PersonKey) -> str:
    """Name somebody for one server: always the same there, another one elsewhere, and nobody's real id."""
    of = "\0".join((_ASKER_PURPOSE, server, *person))
    return hmac.new(key, of.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:_ASKER_CHARS]


class ForeignServer:
    """A server that is configured."""

    def __init__(self, name: str, table: McpConfig, supplies: ForeignServerContext) -> None:
        self.name = name
        self.table = table
        self._supplies = supplies
        self._stirred = asyncio.Event()
        self._settled = asyncio.Event()
        self._server: ToolServer | None = None
        self._offer = ServerOffer()
        self._tools: tuple[Tool, ...] = ()
        self._health = AdapterHealth(name=name, state=AdapterState.DISABLED, since=supplies.clock.now())
        self._detail: Words = _nothing
        self._told: frozenset[tuple[str, Digest]] = frozenset()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Its tools, while it is there."""
        return self._tools

    @property
    def offer(self) -> ServerOffer:
        """What came of its list."""
        return self._offer

    def health(self) -> AdapterHealth:
        """Say how it is; `detail` says how many tools it has, or what went wrong last, to who reads it now."""
        return self._health.replace(detail=self._detail())

    def stir(self) -> None:
        """Look again now: something about it, or about the configuration, has changed."""
        self._stirred.set()

    async def reload(self) -> None:
        """Ask for its list now, or try to reach it where it is not there; what it is like then its health says."""
        if not self.table.enabled:
            return
        server = self._server
        if server is not None and not server.ended:
            try:
                await self._list(server)
            except ToolServerError:
                # whoever keeps it connected finds that out, too, and says so
                self.stir()
            return
        self._settled.clear()
        self.stir()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.table.start_timeout + _TIMEOUT_SLACK_SECONDS):
                await self._settled.wait()

    async def run(self) -> None:
        """Keep it connected while it is switched on; returns only when cancelled."""
        wait = FIRST_WAIT_SECONDS
        while True:
            while not self.table.enabled:
                self._is(AdapterState.DISABLED, _nothing)
                await self._rest(None)
            began = self._supplies.clock.monotonic()
            why = await self._connected()
            # its end has stirred already
            self._stirred.clear()
            if not self.table.enabled:
                continue
            if self._supplies.clock.monotonic() - began >= _STEADY_SECONDS:
                wait = FIRST_WAIT_SECONDS
            shown = partial(self._shown, why)
            log.warning("mcp_server_ended", server=self.name, why=said_in(ENGLISH, shown), again_in=wait)
            minutes = f"{MAX_WAIT_SECONDS / 60:.0f}"
            self._is(AdapterState.DOWN, later("mcp_servers.tried-again", why=shown, minutes=minutes))
            await self._rest(wait)
            wait = min(2 * wait, MAX_WAIT_SECONDS)

    def _shown(self, why: Words) -> str:
        return self._supplies.redact(excerpt(why(), 500))

    async def _connected(self) -> Words:
        """Connect and stay so; return why it ended."""
        self._is(AdapterState.STARTING, _nothing)
        try:
            async with self._supplies.servers.connect(address_of(self.table), self.stir) as server:
                await self._stay(server)
                return server.ended or _nothing
        except ToolServerError as error:
            return error.words
        except UserError as error:
            said = str(error)
            return lambda: said
        except Exception as error:
            # whatever a server has found to break us with: the others go on, and this one is tried again
            log.error("mcp_server_broke_us", server=self.name, error_type=type(error).__name__, exc_info=error)
            return later("mcp_servers.not-understood", error=type(error).__name__)
        finally:
            self._server, self._offer, self._tools = None, ServerOffer(), ()

    async def _stay(self, server: ToolServer) -> None:
        since = 0
        while self.table.enabled and not server.ended:
            self._stirred.clear()
            since = since or self._supplies.clock.now()
            await self._list(server, since)
            self._server = server
            await self._rest(_LISTING_INTERVAL_SECONDS)
            if not server.ended:
                await self._supplies.clock.sleep(_MIN_LISTING_INTERVAL_SECONDS)

    async def _list(self, server: ToolServer, since: int = 0) -> None:
        await self._take(server, await server.tools())
        state = AdapterState.DEGRADED if self._offer.held or self._offer.refused else AdapterState.UP
        self._is(state, partial(self._counted, excerpt(server.title, 60)), since)

    async def _take(self, server: ToolServer, served: Sequence[ServedTool]) -> None:
        approved = await asyncio.to_thread(self._approved, digests(served))
        self._offer = await asyncio.to_thread(offer, self.name, self.table, served, approved.tools)
        self._tools = tuple(map(self._tool, self._offer.tools))
        held = frozenset(pair for pair in digests(served).items() if pair[0] in self._offer.held)
        if held - self._told:
            log.warning("mcp_tools_held", server=self.name, tools=dict(self._offer.held))
            names = [f"{excerpt(name, 60)} ({what})" for name, what in sorted(self._offer.held.items())]
            await self._supplies.tell(partial(render, "cortex/alert_held_tools", server=self.name, tools=names))
        self._told = held

    def _approved(self, now: dict[str, Digest]) -> ApprovedTools:
        """Return what was agreed to; what a server first offers is agreed to by having configured it. Blocks."""
        address = address_digest(self.table)
        approved = self._supplies.approvals.of(self.name)
        if approved is None or approved.address != address:
            approved = ApprovedTools(address=address, at=self._supplies.clock.now(), tools=now)
            self._supplies.approvals.keep(self.name, approved)
        return approved

    def _tool(self, offered: OfferedTool) -> Tool:
        spec = ToolSpec(
            name=offered.definition.name,
            run=partial(self._run, offered),
            kinds=frozenset(map(ProcessKind, self.table.kinds)),
            authority=Authority.EVERYONE,  # who may is in the table of its group
            timeout=self.table.timeout + _TIMEOUT_SLACK_SECONDS,
            group=f"{MCP}:{self.name}",
        )
        return Tool(spec, offered.definition, ForeignArgs, "args", "ctx", {})

    async def _run(self, offered: OfferedTool, args: ForeignArgs, ctx: ToolContext) -> str:
        server, name = self._server, offered.definition.name
        if server is None or not self.table.enabled or offered not in self._offer.tools:
            gone = said_in(ENGLISH, lambda: self._detail() or say("mcp_servers.tools-changed"))
            raise ToolError(f"{name} is not there any more ({excerpt(gone, 200)}). Go on without it.")
        arguments: dict[str, Any] = dict(args.model_extra or {})
        try:
            problems = await self._supplies.servers.misfits(offered.definition.parameters, arguments)
            if problems:
                listed = "; ".join(problems)
                raise ToolError(f"{name} was not run: {listed}. Expected: {offered.definition.parameters}.")
            asker = asker_id(self._supplies.key, self.name, ctx.caller.person)
            served = await server.call(offered.name, arguments, self.table.timeout, asker)
        except ToolServerError as error:
            raise ToolError(
                f"{name} gave no result: {said_in(ENGLISH, error.words)}. Go on without it, or try once more."
            ) from None
        text = await asyncio.to_thread(result_text, self.name, served, self.table.result_chars)
        if served.is_error:
            raise ToolError(f"{name} failed. {text}")
        return text

    def _counted(self, title: str) -> str:
        count = len(self._tools)
        has = (
            say("mcp_servers.has-tools-of", count=count, title=title)
            if title
            else say("mcp_servers.has-tools", count=count)
        )
        parts = [has]
        if self._offer.held:
            parts.append(say("mcp_servers.held-back", count=len(self._offer.held)))
        parts += [said() for said in self._offer.refused[:3]]
        if len(self._offer.refused) > 3:
            parts.append(say("mcp_servers.more-of-that-kind", count=len(self._offer.refused) - 3))
        return "; ".join(parts)

    def _is(self, state: AdapterState, detail: Words, since: int = 0) -> None:
        before = self._health
        since = since or (before.since if before.state is state else self._supplies.clock.now())
        self._health = AdapterHealth(name=self.name, state=state, since=since)
        self._detail = detail
        if state is not AdapterState.STARTING:
            self._settled.set()

    async def _rest(self, seconds: float | None) -> None:
        """Wait so long, or until something stirs."""
        async with asyncio.TaskGroup() as group:
            waits: list[asyncio.Task[Any]] = [group.create_task(self._stirred.wait())]
            if seconds is not None:
                waits.append(group.create_task(self._supplies.clock.sleep(seconds)))
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()


def _nothing() -> str:
    return ""


def address_of(table: McpConfig) -> ServerAddress:
    """Return where a server is."""
    return ServerAddress(table.command, table.args, table.env, table.cwd, table.url, table.headers, table.start_timeout)


def address_digest(table: McpConfig) -> Digest:
    """Return what tells one server from another; keys and variables may change, it stays the same one."""
    return digest_text(canonical_json([table.command, table.args, table.cwd, table.url]))


def result_text(server: str, served: ServedResult, limit: int) -> str:
    """Return at most about `limit` characters of a result."""
    return render(
        "mcp/result",
        server=server,
        text=cut_result(_words(served), limit),
        notes=[*map(_note, served.files[:_MAX_FILES]), *_more(len(served.files) - _MAX_FILES)],
    )


def _words(served: ServedResult) -> str:
    texts = [text for text in served.texts if text]
    if served.structured and not _is_told(served):
        texts.append(served.structured)
    return "\n".join(texts) or NO_RESULT_TEXT


def _is_told(served: ServedResult) -> bool:
    """Say whether the texts hold the structured result already, as the protocol asks servers to do."""
    if len(served.texts) != 1:
        return False
    text = served.texts[0]
    if canonical_json({"result": text}) == served.structured:
        return True
    try:
        value = from_json(text)
    except ValueError:
        return False
    return served.structured in (canonical_json(value), canonical_json({"result": value}))


def _note(file: ServedFile) -> str:
    kind = excerpt(file.mimetype, 60) or "of an unknown kind"
    name = f', "{excerpt(file.name, 100)}"' if file.name else ""
    if not file.size:
        return f"[it returned a file ({kind}{name}) that cannot be read]"
    return (
        f"[it returned a file ({kind}{name}, {exact_number(file.size)} bytes), which is not kept and cannot be shown]"
    )


def _more(count: int) -> Iterator[str]:
    if count > 0:
        yield f"[and {count} more files]"
