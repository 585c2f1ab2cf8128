"""Compare two contexts on the host: requests of the data directory, exported files, or one with the other."""

from __future__ import annotations

import asyncio
import os
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from bot.app.adapters import looking_edges, machine
from bot.app.bot import Bot
from bot.cli.host_queries import HostAnswer, HostQueries
from bot.cli.run_bot import load_for_reading, with_data
from bot.config import LoadedConfig
from bot.cortex.pages.cache_page import cached_text, cached_values
from bot.cortex.pages.capture_comparer import CONTEXTS, LAST, CaptureComparer, named_pair
from bot.cortex.pages.context_capture import Capture
from bot.cortex.pages.diff_page import ExplainedDiff, details, explain_diff, first_text, values
from bot.domain.channel import ChannelState
from bot.domain.handles import parse_handle
from bot.domain.ids import ChannelKey
from bot.domain.memory import MemoryScope
from bot.domain.snapshot import CaptureKind
from bot.errors import UserError
from bot.inspect.capture.redact_view import CaptureReader, view_for_reader
from bot.inspect.diff.change_events import NO_RECORDS
from bot.inspect.diff.context_diff import compare
from bot.inspect.diff.diff_side import DiffSide
from bot.inspect.diff.export_reader import MAX_BYTES, read_export
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import print_text, say_json
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import excerpt
from bot.text.times import plain_times

EXIT_SAME, EXIT_DIFFERENT = 0, 1
_HOST_READER = CaptureReader(reads_content=True, operator=True, scopes=frozenset(MemoryScope))
"""Whoever can read the files can read what is in them; secrets are redacted all the same."""
_EMPTY_REDACTOR = Redactor.of({})


def diff(args: Namespace, path: Path) -> int:
    """Compare, print, and return 0 when nothing differs; raise UserError when they cannot be compared."""
    names = named_pair(args.before, args.after)
    if all(map(_is_file, names)) and not args.cache:
        # nothing is read but the two, so that they can be compared anywhere
        shown = asyncio.run(_of_files(*names))
    else:
        loaded = load_for_reading(path, args.config)
        loaded = with_data(loaded, args.data)
        configure_logs("error", Redactor.of(loaded.secrets))
        shown = asyncio.run(_of_records(args, loaded, names))
    if args.json:
        say_json(shown.value)
    else:
        print_text(plain_times(shown.text))
    return EXIT_DIFFERENT if shown.ill else EXIT_SAME


async def _of_files(before: str, after: str) -> HostAnswer:
    first, second = await _filed(before), await _filed(after)
    return _as_shown(explain_diff(compare(first, second), NO_RECORDS), second.channel, _EMPTY_REDACTOR)


async def _of_records(args: Namespace, loaded: LoadedConfig, names: tuple[str, str]) -> HostAnswer:
    async with looking_edges(loaded, machine()) as edges:
        return await _On(Bot(edges, loaded), Redactor.of(loaded.secrets)).shown(args, names)


@dataclass(frozen=True)
class _On:
    """A data directory that is looked at."""

    bot: Bot
    redactor: Redactor

    async def shown(self, args: Namespace, names: tuple[str, str]) -> HostAnswer:
        """Compare, or measure what the cache held."""
        edges = self.bot.edges
        host = HostQueries(edges.store, self.bot.config, edges.clock, args.agent)
        comparing = CaptureComparer(edges.store, self._capture, edges.clock.now())
        if args.cache:
            return await self._cached(args, host, comparing)
        if not any(names) or LAST in names:
            await host.check_recorded((await host.request(args.channel or None))[0])
        if not any(names):
            names = await comparing.usual((await host.request(args.channel or None))[0])
        by_content = any(map(_is_file, names))
        (before, state), (after, latest) = [
            await self._side(name, args.channel, host, comparing, by_content=by_content) for name in names
        ]
        compared = await comparing.compared(before, after, latest or state)
        return _as_shown(compared, after.channel, self.redactor)

    async def _cached(self, args: Namespace, host: HostQueries, comparing: CaptureComparer) -> HostAnswer:
        if args.after or _is_file(args.before):
            raise UserError(say("cli.cache-takes-one"))
        named = args.before if args.before not in CONTEXTS else ""
        key, row = await host.request(named or args.channel or None)
        which = row or await comparing.which(key, args.before or LAST)
        if not row:
            await host.check_recorded(key)
        cached = await comparing.cached(key, which)
        return HostAnswer(
            cached_text(cached, key.channel, say("cli.no-model-asked")),
            cached_values(cached),
            ill=not cached.prefix.well,
        )

    async def _side(
        self, name: str, channel: str, host: HostQueries, comparing: CaptureComparer, *, by_content: bool
    ) -> tuple[DiffSide, ChannelState | None]:
        if _is_file(name):
            return await _filed(name), None
        key, row = await host.request((channel if name in CONTEXTS else name) or None)
        which = await comparing.which(key, name) if name in CONTEXTS else row
        if not which:
            raise UserError(say("cli.names-no-request", typed=name, names=", ".join(CONTEXTS)))
        return await comparing.side(key, which, by_content=by_content)

    async def _capture(self, key: ChannelKey, which: CaptureKind | int) -> Capture:
        inspection = await self.bot.inspector.inspect(key, which)
        return Capture(inspection, view_for_reader(inspection, _HOST_READER, self.redactor))


def _as_shown(compared: ExplainedDiff, name: str, redactor: Redactor) -> HostAnswer:
    more = details(compared, redactor)
    text = "\n\n".join(filter(None, (first_text(compared, excerpt(name, 60), say("cli.no-model-asked")), more)))
    return HostAnswer(text, values(compared), ill=not compared.diff.same)


def _is_file(name: str) -> bool:
    """Tell a file from a name or a handle, by how it is written; what is written otherwise is one if it is there."""
    if name in CONTEXTS or not name:
        return False
    written = os.sep in name or name.endswith((".json", ".gz"))
    return written or (parse_handle(name) is None and Path(name).is_file())


async def _filed(name: str) -> DiffSide:
    try:
        content = await asyncio.to_thread(_read, Path(name))
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise UserError(say("cli.cannot-read", file=name, why=why)) from None
    return read_export(content, Path(name).name)


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)
