"""Write memories to a file on the host, or take those of a file in while no bot runs."""

from __future__ import annotations

import asyncio
import os
from argparse import Namespace
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from bot.app.adapters import ClockAndEntropy, looking_store, machine, open_store
from bot.cli.host_queries import HostQueries
from bot.cli.run_bot import load_for_reading, with_data
from bot.config import LoadedConfig
from bot.cortex.pages.memory_audit import places_of
from bot.cortex.pages.memory_file_pages import MAX_SHOWN, ImportPreview, archived_lines, fresh_ones, import_lines
from bot.domain.finding import NewAudit
from bot.domain.ids import MAIN, AgentId, ChannelId, UserId
from bot.domain.memory_file import ImportedMemory
from bot.domain.revisions import ChangedBy
from bot.errors import UserError
from bot.memory.memory_file_format import (
    CheckedFile,
    FileHead,
    FileSeal,
    check_file,
    file_bytes,
    read_lines,
    unpacked_stream,
)
from bot.memory.take_in import MemoryIntake, TakeInRules
from bot.memory.write import MemoryRules
from bot.ports.store import Store
from bot.runtime.files import writing
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import print_text, say_json
from bot.sentences import say
from bot.text.figures import exact_number
from bot.text.redaction import Redactor
from bot.text.times import plain_times

EXIT_OK, EXIT_FOUND = 0, 1
MAX_ON_HOST = 100_000
_STEP = 500
_HOST = "host"


class _Done(NamedTuple):
    preview: ImportPreview
    taken: int


def memory_files(args: Namespace, path: Path) -> int:
    """Run the command; return its exit status: 1 for a file that is not as this instance signed it."""
    loaded = with_data(load_for_reading(path, args.config), args.data)
    configure_logs("error", Redactor.of(loaded.secrets))
    if len(args.words) != 1:
        raise UserError(say("copies.name-one-file", action=args.action))
    file, on = Path(args.words[0]), machine()
    if args.action == "export":
        return asyncio.run(_export(args, loaded, on, file))
    return asyncio.run(_import(args, loaded, on, file))


async def _export(args: Namespace, loaded: LoadedConfig, on: ClockAndEntropy, file: Path) -> int:
    async with looking_store(loaded, on, signs=True) as store:
        agent, channels = await _places(args, loaded, on, store)
        head = FileHead(instance=store.instance, exported_at=on.clock.now())
        lines = archived_lines(store.memory_archive, agent, channels, Redactor.of(loaded.secrets))
        count = 0
        try:
            with writing(file, replace=False) as out:
                async for piece in file_bytes(head, lines, store.memory_archive.sign):
                    out.write(piece)
                    count += 1
        except FileExistsError:
            raise UserError(say("copies.file-exists", file=str(file))) from None
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise UserError(say("cli.cannot-write", file=str(file), why=why)) from error
    count -= 2
    if args.json:
        say_json({"path": str(file), "memories": count})
    else:
        print_text(say("copies.exported", file=str(file), count=count))
    return EXIT_OK


async def _places(
    args: Namespace, loaded: LoadedConfig, on: ClockAndEntropy, store: Store
) -> tuple[AgentId, Collection[ChannelId] | None]:
    """Return whose memories are meant, and of which channels; None: of all."""
    if not args.channel and not args.server:
        return AgentId(args.agent or MAIN), None
    host = HostQueries(store, loaded.config, on.clock, args.agent)
    channel, _ = await host.meant(args.channel or None)
    known = await host.known() if args.server else ()
    return channel.key.agent, places_of(channel.key, channel.place.guild_id, known).channels


async def _import(args: Namespace, loaded: LoadedConfig, on: ClockAndEntropy, file: Path) -> int:
    try:
        with file.open("rb") as opened:
            if args.yes:
                store = await open_store(loaded, on)
                try:
                    done = await _read(args, loaded, on, store, opened)
                finally:
                    await store.close()
            else:
                async with looking_store(loaded, on, signs=True) as looked:
                    done = await _read(args, loaded, on, looked, opened)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise UserError(say("cli.cannot-read", file=str(file), why=why)) from error
    _print_text(args, done, Redactor.of(loaded.secrets))
    return EXIT_OK if done.preview.checked.seal is FileSeal.OWN else EXIT_FOUND


async def _read(args: Namespace, loaded: LoadedConfig, on: ClockAndEntropy, store: Store, opened: BinaryIO) -> _Done:
    archive = store.memory_archive
    checked = await asyncio.to_thread(check_file, unpacked_stream(opened), archive.sign, store.instance, MAX_ON_HOST)
    opened.seek(0)
    intake = MemoryIntake(await _rules(args, loaded, on, store, checked))
    fresh, taken, shown, places, rows = 0, 0, list[ImportedMemory](), Counter[ChannelId](), dict[int, int]()
    by = ChangedBy(process=_HOST)
    for some in _batches(intake.take(read_lines(unpacked_stream(opened)))):
        new = await fresh_ones(archive, intake, some, rows)
        fresh += len(new)
        shown += new[: MAX_SHOWN - len(shown)]
        places.update(one.body.channel for one in new)
        if args.yes and new:
            before = len(rows)
            rows = dict(await archive.take_in(new, rows, on.clock.now(), by))
            taken += len(rows) - before
    if taken:
        await store.audit.append(_audit(on.clock.now(), taken, opened.name))
    return _Done(ImportPreview(checked, fresh, shown, places, intake.left_out, intake.changed), taken)


async def _rules(
    args: Namespace, loaded: LoadedConfig, on: ClockAndEntropy, store: Store, checked: CheckedFile
) -> TakeInRules:
    config, out = loaded.config.memory, frozenset(await store.opt_outs.opted_out())
    known = {one.id: one.place.guild_id for one in await store.channels.known()}
    only: Collection[ChannelId] | None = None
    agent = AgentId(args.agent or MAIN)
    if args.channel or args.server:
        agent, only = await _places(args, loaded, on, store)
    own = checked.seal is FileSeal.OWN
    return TakeInRules(
        agent=agent,
        head=checked.head,
        own=own,
        same=own and checked.head.instance == store.instance,
        now=on.clock.now(),
        limits=MemoryRules(config.importance_cap, config.per_user_per_day, out.__contains__),
        erased=await store.memory_archive.erased(),
        may=lambda channel: only is None or channel in only,
        guild_of=lambda channel: known.get(channel) or _server_in(channel),
        current=store.channels.moves.current_id,
        decides_all=True,
    )


def _server_in(channel: ChannelId) -> str:
    """Return the server in the id of a channel from which nothing came yet; empty where it names none."""
    parts = channel.split(":")
    return parts[1] if len(parts) > 2 else ""


def _batches(lines: Iterator[ImportedMemory]) -> Iterator[Sequence[ImportedMemory]]:
    while some := list(islice(lines, _STEP)):
        yield some


def _audit(at: int, taken: int, path: str) -> NewAudit:
    detail = f"{exact_number(taken)} of {os.path.basename(path)}"
    return NewAudit(
        at=at, platform=_HOST, actor=UserId(_HOST), actor_name=_HOST, action="memory import", target="", detail=detail
    )


def _print_text(args: Namespace, done: _Done, redactor: Redactor) -> None:
    found = done.preview
    if args.json:
        say_json(_value(done))
        return
    names: Mapping[ChannelId, str] = {}
    lines = [*import_lines(found, names, redactor)]
    if done.taken:
        lines.append(say("copies.imported", count=done.taken))
    elif args.yes or not found.fresh:
        lines.append(say("copies.nothing-imported"))
    else:
        lines.append(say("copies.not-imported-yet"))
    print_text(plain_times("\n".join(lines)))


def _value(done: _Done) -> dict[str, object]:
    found = done.preview
    return {
        "seal": found.checked.seal.value,
        "instance": found.checked.head.instance,
        "exported_at": found.checked.head.exported_at,
        "lines": found.checked.lines,
        "new": found.fresh,
        "taken_in": done.taken,
        "left_out": {why.value: many for why, many in found.left_out.items() if many},
        "changed": {what.value: many for what, many in found.changed.items() if many},
    }
