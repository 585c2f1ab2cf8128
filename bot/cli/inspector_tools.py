"""The looks that other people's programs may take through us, one function each; every one is read-only."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, NamedTuple

from pydantic import Field

from bot.app.adapters import looking_edges, machine
from bot.app.bot import Bot
from bot.cli.host_queries import HostAnswer, HostQueries
from bot.config import LoadedConfig
from bot.cortex.pages.capture_comparer import CONTEXTS, CaptureComparer, named_pair
from bot.cortex.pages.context_capture import Capture
from bot.cortex.pages.diff_page import details, first_text, values
from bot.cortex.pages.find_page import SearchedContext, found_text
from bot.cortex.pages.memory_audit import AuditQuery, author_of
from bot.domain.ids import ChannelKey
from bot.domain.memory import MemoryFilter, MemoryScope, MemoryType, StandsOut
from bot.domain.snapshot import CaptureKind
from bot.domain.turn import MarkKind
from bot.errors import UserError
from bot.inspect.capture.part_reader import PARTS, parse, read
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.capture.redact_view import CaptureReader, view_for_reader
from bot.inspect.diff.diff_side import side_of
from bot.inspect.diff.find_words import find
from bot.inspect.usage.usage import account
from bot.ports.channels import KnownChannel
from bot.ports.edges import Edges
from bot.ports.model import TokenCounter
from bot.sentences import say
from bot.task_prompt.paged_capture import MAX_PAGE_CHARS
from bot.text.redaction import Redactor
from bot.text.text import excerpt, one_line_name
from bot.text.times import plain_times
from bot.tools.runtime.tool import ToolArgs

_DAY_MS = 86_400_000
_CHANNEL_SCOPES = frozenset({MemoryScope.CHANNEL, MemoryScope.GUILD, MemoryScope.GLOBAL})
"""Where a memory may have been learnt that stands in another channel's context; never what is one person's alone."""


class NoArgs(ToolArgs):
    """No arguments."""


class ChannelArgs(ToolArgs):
    channel: str = Field(
        "",
        max_length=300,
        description="A channel: its id (console:#general), its name (#general) or a link. Empty: the one used last.",
    )


class TargetArgs(ToolArgs):
    """One channel, or one thing that was recorded."""

    target: str = Field(
        "",
        max_length=300,
        description="A channel: its id (console:#general), its name (#general) or a link. Empty: the one used last. "
        "Or one message, turn or request by its handle or link.",
    )


class InspectorContextArgs(ChannelArgs):
    """A part of a context."""

    part: str = Field("outline", max_length=300, description=f"One of: {', '.join(PARTS)}; `<part>@<n>` reads on.")
    context: str = Field(
        "next", max_length=40, description="Which one: last, next, running, or the handle of a request (r3x7b)."
    )


class InspectorDiffArgs(ChannelArgs):
    before: str = Field(
        "",
        max_length=40,
        description="Which one: last, next, running, or the handle of a request (r3x7b). Or `worked`. Empty: the usual "
        "pair.",
    )
    after: str = Field(
        "", max_length=40, description="Which one: last, next, running, or the handle of a request (r3x7b)."
    )


class InspectorFindArgs(ChannelArgs):
    words: str = Field(min_length=1, max_length=300, description="What to look for; case and spaces do not matter.")


class InspectorMemoriesArgs(ChannelArgs):
    """Which memories; what is left out lets all through."""

    words: str = Field("", max_length=300, description="Any of these words.")
    by: str = Field("", max_length=64, description="Who caused them: a numeric id or a name.")
    type: MemoryType | None = Field(None, description="One kind.")
    older_than_days: float = Field(0, ge=0, le=100_000, description="Only older ones.")
    newer_than_days: float = Field(0, ge=0, le=100_000, description="Only newer ones.")
    stands_out: StandsOut | None = Field(None, description="Only flagged ones, or those with a counterpart.")
    forgotten: bool = Field(False, description="Only forgotten ones.")
    whole_server: bool = Field(False, description="Of every channel of its server.")
    page: int = Field(1, ge=1, le=10_000, description="Which page.")


class InspectorMemoryArgs(ToolArgs):
    memory: str = Field(min_length=1, max_length=40, description="A memory by its handle: m27d4.")


@dataclass(frozen=True)
class DataDirectory:
    """An opened data directory, and what may be seen of it."""

    edges: Edges
    loaded: LoadedConfig

    @cached_property
    def bot(self) -> Bot:
        """The bot as it would be, which never runs."""
        return Bot(self.edges, self.loaded)

    @cached_property
    def host(self) -> HostQueries:
        """What the commands of the host read with."""
        config, edges = self.loaded.config, self.edges
        return HostQueries(edges.store, config, edges.clock, is_closed=self.is_closed, is_host=False)

    @cached_property
    def redactor(self) -> Redactor:
        return Redactor.of(self.loaded.secrets)

    async def channel(self, target: str) -> tuple[KnownChannel, str]:
        """Return the channel that is meant, and what was named of it; of what is private not even that it exists."""
        try:
            channel, meant = await self.host.meant(target.strip() or None)
        except UserError as error:
            raise UserError(f"{error} {say('mcp_servers.private-closed')}" if self._closes else str(error)) from error
        return channel, meant.name

    def is_closed(self, channel: KnownChannel) -> bool:
        """Say whether a channel is somebody's private conversation, which is nobody else's business."""
        return channel.place.is_dm and self._closes

    @property
    def _closes(self) -> bool:
        return not self.loaded.config.cortex.inspect_dms

    async def keeps_words(self, channel: KnownChannel) -> bool:
        """Say whether the words of a channel are recorded."""
        if (
            self.loaded.config.channel(channel.id, self.edges.store.channels.moves.former_ids(channel.id)).record
            is False
        ):
            return False
        state = await self.edges.store.channels.load(channel.key)
        return state is None or state.settings.unrecorded is None

    async def capture(self, channel: KnownChannel, which: CaptureKind | int) -> Capture:
        """Look at a context; what was not to be recorded is not shown as something older."""
        if which is CaptureKind.SENT:
            mark = await self.edges.store.outlines.newest_mark(channel.key)
            if mark is not None and mark.kind is MarkKind.UNRECORDED:
                raise UserError(say("mcp_servers.not-kept"))
        scopes = _CHANNEL_SCOPES if self._closes else frozenset(MemoryScope)
        words = await self.keeps_words(channel)
        reader = CaptureReader(words, operator=not self._closes, configured=True, scopes=scopes)
        inspection = await self.bot.inspector.inspect(channel.key, which)
        return Capture(inspection, await asyncio.to_thread(view_for_reader, inspection, reader, self.redactor))

    async def named(self, channel: KnownChannel, name: str) -> tuple[KnownChannel, CaptureKind | int]:
        """Return what a name or a handle means, and the channel that it is of."""
        name = name.strip().lower() or "next"
        if name in CONTEXTS:
            return channel, await self.comparing(channel).which(channel.key, name)
        of, _ = await self.channel(name)
        _, row = await self.host.request(name)
        if not row:
            raise UserError(say("mcp_servers.names-no-request", typed=excerpt(name, 40), names=", ".join(CONTEXTS)))
        return of, row

    def comparing(self, channel: KnownChannel) -> CaptureComparer:
        """Return what compares contexts of a channel."""

        async def capture(key: ChannelKey, which: CaptureKind | int) -> Capture:
            known = channel if key == channel.key else (await self.channel(key.channel))[0]
            return await self.capture(known, which)

        return CaptureComparer(self.edges.store, capture, self.edges.clock.now())


async def list_channels(args: NoArgs, eyes: DataDirectory) -> HostAnswer:
    """List them; private ones only where they are open."""
    known = sorted(await eyes.host.known(), key=lambda one: -one.last_at)
    rows = [_row(channel) for channel in known]
    lines = [say("mcp_servers.channel", id=row["id"], name=row["name"], time=row["last_used"]) for row in rows]
    return HostAnswer("\n".join(lines) or say("cli.never-a-message"), {"channels": rows})


def _row(channel: KnownChannel) -> dict[str, Any]:
    return {
        "id": str(channel.id),
        "name": one_line_name(channel.name),
        "private": channel.place.is_dm,
        "last_used": datetime.fromtimestamp(channel.last_at / 1000, UTC).isoformat(timespec="seconds"),
    }


async def read_context(args: InspectorContextArgs, eyes: DataDirectory) -> HostAnswer:
    """Read one part, or a page of it."""
    parse(args.part)
    channel, _ = await eyes.channel(args.channel)
    channel, which = await eyes.named(channel, args.context)
    shown = (await eyes.capture(channel, which)).shown
    text = await asyncio.to_thread(read, args.part, shown, MAX_PAGE_CHARS)
    return HostAnswer(text, {"text": text, "part": args.part, **_facts(shown)})


def _facts(shown: InspectedContext) -> dict[str, Any]:
    return {
        "channel": str(shown.key.channel),
        "context": shown.which.value,
        "request": shown.handle,
        "digest": shown.digest,
        "note": shown.note,
        "redactions": shown.redactions,
        "withheld": shown.withheld,
        "exact": shown.exact,
    }


async def ledger(args: TargetArgs, eyes: DataDirectory) -> HostAnswer:
    """List messages, or show one whole trail."""
    channel, _ = await eyes.channel(args.target)
    words = await eyes.keeps_words(channel)
    shown = await eyes.host.ledger(args.target.strip() or str(channel.id), words=words)
    return HostAnswer(plain_times(shown.text), {"channel": str(channel.id), "trails": shown.value})


async def why(args: TargetArgs, eyes: DataDirectory) -> HostAnswer:
    """Diagnose a channel, or say which ones are silent."""
    if not args.target.strip():
        return await eyes.host.why(None, everywhere=True)
    await eyes.channel(args.target)
    return await eyes.host.why(args.target.strip(), everywhere=False)


async def diff(args: InspectorDiffArgs, eyes: DataDirectory) -> HostAnswer:
    """Compare two contexts of a channel."""
    channel, _ = await eyes.channel(args.channel)
    comparing = eyes.comparing(channel)
    names = named_pair(args.before.strip(), args.after.strip())
    if not any(names):
        names = await comparing.usual(channel.key)
    (before, _), (after, state) = [
        await comparing.side(one.key, which) for one, which in [await eyes.named(channel, name) for name in names]
    ]
    compared = await comparing.compared(before, after, state)
    more = await asyncio.to_thread(details, compared, eyes.redactor)
    text = "\n\n".join(
        filter(None, (first_text(compared, one_line_name(channel.name, 60), say("cli.no-model-asked")), more))
    )
    return HostAnswer(plain_times(text), values(compared))


async def find_words(args: InspectorFindArgs, eyes: DataDirectory) -> HostAnswer:
    """Search the last request, where there is one, and the next."""
    channel, _ = await eyes.channel(args.channel)
    has_sent = await eyes.edges.store.journal.recent_requests(channel.key, 1)
    searched = [
        await _searched(args.words, channel, which, eyes)
        for which in ([CaptureKind.SENT] if has_sent else []) + [CaptureKind.NEXT]
    ]
    text, more = await asyncio.to_thread(found_text, searched, one_line_name(channel.name), eyes.redactor)
    keys = ("context", "where", "line", "source", "handle")
    places = [
        (one.which.value, hit.where, hit.line, hit.source.what, hit.source.handle)
        for one in searched
        for hit in one.hits
    ]
    clean = [dict(zip(keys, (eyes.redactor.redact(text).text for text in place), strict=True)) for place in places]
    return HostAnswer(plain_times("\n\n".join((text, *more))), {"channel": str(channel.id), "places": clean})


async def _searched(words: str, channel: KnownChannel, which: CaptureKind, eyes: DataDirectory) -> SearchedContext:
    capture = await eyes.capture(channel, which)
    side = side_of(capture.inspection, capture.shown, eyes.edges.clock.now())
    hits = await asyncio.to_thread(find, capture.shown, side, words)
    return SearchedContext(side.label, side.which, hits, side.hidden)


async def usage(args: ChannelArgs, eyes: DataDirectory) -> HostAnswer:
    """Write the account of a channel."""
    channel, _ = await eyes.channel(args.channel)
    rows = await eyes.edges.store.meter.usage(channel.key, 0)
    text = account(one_line_name(channel.name), rows)
    return HostAnswer(text, {"channel": str(channel.id), "rows": [row.model_dump(mode="json") for row in rows]})


async def memory_list(args: InspectorMemoriesArgs, eyes: DataDirectory) -> HostAnswer:
    """List what is remembered in a channel, in pages."""
    channel, _ = await eyes.channel(args.channel)
    wanted = MemoryFilter(
        words=args.words,
        type=args.type,
        author=author_of(args.by),
        stands_out=args.stands_out,
        forgotten=True if args.forgotten else None,
    )
    query = AuditQuery(
        wanted,
        args.page,
        args.whole_server,
        round(args.older_than_days * _DAY_MS),
        round(args.newer_than_days * _DAY_MS),
    )
    return await eyes.host.memories(str(channel.id), query, eyes.redactor)


async def memory_show(args: InspectorMemoryArgs, eyes: DataDirectory) -> HostAnswer:
    """Tell a memory's story."""
    return await eyes.host.memory(args.memory.strip().lower(), eyes.redactor)


Look = Callable[[Any, DataDirectory], Awaitable[HostAnswer]]


class InspectorTool(NamedTuple):
    """A look and what it takes."""

    args: type[ToolArgs]
    look: Look


INSPECTOR_TOOLS: dict[str, InspectorTool] = {
    "list_channels": InspectorTool(NoArgs, list_channels),
    "read_context": InspectorTool(InspectorContextArgs, read_context),
    "ledger": InspectorTool(TargetArgs, ledger),
    "why": InspectorTool(TargetArgs, why),
    "diff": InspectorTool(InspectorDiffArgs, diff),
    "find": InspectorTool(InspectorFindArgs, find_words),
    "usage": InspectorTool(ChannelArgs, usage),
    "memory_list": InspectorTool(InspectorMemoriesArgs, memory_list),
    "memory_show": InspectorTool(InspectorMemoryArgs, memory_show),
}


class McpInspector:
    """Takes looks, one after the other or side by side."""

    def __init__(self, loaded: LoadedConfig) -> None:
        self._loaded = loaded
        self._counter: TokenCounter | None = None

    async def look(self, name: str, args: ToolArgs) -> HostAnswer:
        """Open the data directory, look, and close it again: it does not matter what becomes of the bot meanwhile."""
        async with looking_edges(self._loaded, machine()) as edges:
            # its table takes half a second to load, and is the same for every look
            self._counter = self._counter or edges.counter
            return await INSPECTOR_TOOLS[name].look(
                args, DataDirectory(edges._replace(counter=self._counter), self._loaded)
            )
