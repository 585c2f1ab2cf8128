"""List the copies of the database, or put one in its place while no bot runs."""

from __future__ import annotations

import asyncio
import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from bot.app.adapters import machine, restore_copy, stored_copies
from bot.cli.run_bot import with_data
from bot.config import load_config, parse_config
from bot.ports.backups import RestoreResult, StoredCopy
from bot.runtime.terminal import print_text, say_json
from bot.sentences import say
from bot.text.figures import size
from bot.text.text import excerpt
from bot.text.times import age

EXIT_OK, EXIT_FOUND = 0, 1


def restore(args: Namespace, path: Path) -> int:
    """Run the command; return its exit status: 1 when a copy does not hold, or when there is none."""
    loaded = load_config(path, None) if path.exists() or args.config else parse_config("", None)
    loaded, on = with_data(loaded, args.data), machine()
    if args.file:
        done = asyncio.run(restore_copy(loaded, on, args.file))
        _print(_told(done, on.clock.now()), done.model_dump(mode="json"), as_json=args.json)
        return EXIT_OK
    copies = asyncio.run(stored_copies(loaded))
    _print(_listed(copies, on.clock.now()), [copy.model_dump(mode="json") for copy in copies], as_json=args.json)
    return EXIT_OK if copies and not any(copy.damage for copy in copies) else EXIT_FOUND


def _listed(copies: Sequence[StoredCopy], now: int) -> str:
    if not copies:
        return say("copies.none")
    lines = [_line(copy, now) for copy in copies]
    return "\n".join([*lines, say("copies.name-one")])


def _line(copy: StoredCopy, now: int) -> str:
    fate = f"✗ {excerpt(copy.damage, 160)}" if copy.damage else say("copies.verified")
    facts = {"age": age(now - copy.at), "size": size(copy.size)}
    schema = str(copy.version) if copy.version else say("copies.unknown-schema")
    return say("copies.copy", file=os.path.basename(copy.path), **facts, schema=schema, state=fate)


def _told(done: RestoreResult, now: int) -> str:
    newest = age(now - done.newest_at) if done.newest_at else "none"
    lines = [say("copies.restored", file=done.path), say("copies.holds", messages=done.messages, age=newest)]
    if done.lost is None and done.replaced:
        lines.append(say("copies.cannot-tell-lost"))
    elif done.lost:
        lines.append(say("copies.lost", messages=done.lost, age=age(now - done.lost_newest_at)))
    if done.replaced:
        lines.append(say("copies.replaced", file=done.replaced))
    if done.uncertain:
        lines.append(say("copies.uncertain", count=done.uncertain))
    if done.interrupted:
        lines.append(say("copies.interrupted", messages=done.interrupted))
    lines.append(say("copies.as-it-was"))
    return "\n".join(lines)


def _print(text: str, value: object, *, as_json: bool) -> None:
    if as_json:
        say_json(value)
    else:
        print_text(text)
