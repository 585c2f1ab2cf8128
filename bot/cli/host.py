"""Look at a data directory from the host: read-only, beside a running bot or after a dead one."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from functools import partial
from pathlib import Path

from bot.app.adapters import looking_edges, machine
from bot.app.bot import Bot
from bot.app.named_plugins import plugins_of
from bot.cli.host_queries import HostAnswer, HostQueries
from bot.cli.memory import memory_answer
from bot.cli.pictures import with_picture
from bot.cli.run_bot import load_for_reading, with_data
from bot.config import LoadedConfig
from bot.cortex.pages.exports import local_time, write_export
from bot.cortex.pages.usage_page import read_live_view, thresholds_of
from bot.domain.handles import Handle, parse_handle
from bot.domain.ids import ChannelKey
from bot.domain.memory import MemoryScope
from bot.domain.snapshot import CaptureKind
from bot.errors import UserError
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.markdown import dump
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.capture.redact_view import CaptureReader, view_for_reader
from bot.inspect.usage.export import export
from bot.inspect.usage.usage_chart import chart_of
from bot.inspect.usage.usage_json import view_values
from bot.inspect.usage.usage_text import live_view
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import print_text, say_json
from bot.sentences import say
from bot.text.redaction import Redactor

EXIT_OK, EXIT_FOUND = 0, 1
_HOST_READER = CaptureReader(reads_content=True, operator=True, scopes=frozenset(MemoryScope))
"""Whoever can read the files can read what is in them; secrets are redacted all the same."""


def look(args: Namespace, path: Path) -> int:
    """Run one looking command; return its exit status."""
    loaded = load_for_reading(path, args.config)
    loaded = with_data(loaded, args.data)
    configure_logs("error", Redactor.of(loaded.secrets))
    return asyncio.run(_look(args, loaded))


async def _look(args: Namespace, loaded: LoadedConfig) -> int:
    async with looking_edges(loaded, machine()) as edges:
        host = HostQueries(
            edges.store, loaded.config, edges.clock, getattr(args, "agent", ""), rules=plugins_of(loaded).rules
        )
        target = getattr(args, "target", "") or None
        match args.command:
            case "status":
                shown = await host.status()
            case "memory":
                shown = await memory_answer(args, host, Redactor.of(loaded.secrets))
            case "ledger":
                shown = await host.ledger(target)
            case "why":
                since = edges.clock.now() - args.since if args.since else 0
                shown = await host.why(target, everywhere=args.all, since=since)
            case _:
                bot = Bot(edges, loaded)
                key, request = await host.request(target)
                found = await _capture(bot, key, request, getattr(args, "sent", ""), Redactor.of(loaded.secrets))
                shown = await (
                    _context(bot, found, args) if args.command == "context" else _export(bot, found[1], args)
                )
    _print(shown, as_json=args.json)
    return EXIT_FOUND if shown.ill else EXIT_OK


async def _capture(
    bot: Bot, key: ChannelKey, request: int, sent: str, redactor: Redactor
) -> tuple[ContextCapture, InspectedContext]:
    which: CaptureKind | int = request or CaptureKind.NEXT
    if sent:
        stored = await bot.edges.store.journal.request_by_handle(_handle(sent))
        if stored is None:
            raise UserError(say("cli.no-request", name=sent))
        which = stored.id
    inspection = await bot.inspector.inspect(key, which)
    return inspection, view_for_reader(inspection, _HOST_READER, redactor)


async def _context(bot: Bot, found: tuple[ContextCapture, InspectedContext], args: Namespace) -> HostAnswer:
    seen = await read_live_view(bot.edges.store, *found, thresholds_of(bot.config.compaction))
    return await with_picture(args, chart_of(seen), HostAnswer(live_view(seen), view_values(seen)))


async def _export(bot: Bot, context: InspectedContext, args: Namespace) -> HostAnswer:
    data, now = Path(bot.config.bot.data_dir), bot.edges.clock.now()
    as_markdown = getattr(args, "markdown", False)
    content = dump(context).encode() if as_markdown else _document(bot, context)
    write = partial(write_export, suffix=".md") if as_markdown else write_export
    path = await asyncio.to_thread(write, data, context.key.channel, now, content)
    return HostAnswer(
        str(path), {"path": str(path), "digest": context.digest, "wire_sha256": context.written.wire_sha256}
    )


def _document(bot: Bot, context: InspectedContext) -> bytes:
    moment = local_time(bot.edges.clock.now()).isoformat(timespec="seconds")
    return export(context, moment, bot.edges.store.instance)


def _handle(text: str) -> Handle:
    found = parse_handle(text)
    if found is None:
        raise UserError(say("cli.not-a-handle", typed=repr(text)))
    return found


def _print(shown: HostAnswer, *, as_json: bool) -> None:
    if as_json:
        say_json(shown.value)
    else:
        print_text(shown.text)
