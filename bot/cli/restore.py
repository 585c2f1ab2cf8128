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
from bot.runtime.terminal import say, say_json
from bot.text.figures import exact_number, size
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
        return "There is no copy. The bot makes one a day, unless retention.backups_hours is 0."
    lines = [_line(copy, now) for copy in copies]
    return "\n".join([*lines, "Stop the bot and name one to put it in the database's place."])


def _line(copy: StoredCopy, now: int) -> str:
    fate = f"✗ {excerpt(copy.damage, 160)}" if copy.damage else "✓ verified"
    schema = copy.version or "unknown"
    return f"{os.path.basename(copy.path)} · {age(now - copy.at)} old · {size(copy.size)} · schema {schema} · {fate}"


def _told(done: RestoreResult, now: int) -> str:
    newest = f", the newest {age(now - done.newest_at)} old" if done.newest_at else ""
    lines = [f"✓ restored from {done.path}", f"It holds {_messages(done.messages)}{newest}."]
    if done.lost is None and done.replaced:
        lines.append("What is lost cannot be told: the database that was here cannot be read.")
    elif done.lost:
        since = age(now - done.lost_newest_at)
        lines.append(f"Lost: {_messages(done.lost)} that arrived later, the newest {since} old.")
    if done.replaced:
        lines.append(f"The database that was here is now {done.replaced}; it goes as old copies go.")
    if done.uncertain:
        lines.append(f"Not sent again, as they may have been sent since: {exact_number(done.uncertain)} (uncertain).")
    if done.interrupted:
        waiting = f"{_messages(done.interrupted)} (interrupted)"
        lines.append(f"Not answered by itself, as they may have been answered since: {waiting}.")
    lines.append("What was forgotten or changed after the copy was made is back as it was.")
    return "\n".join(lines)


def _messages(count: int) -> str:
    return f"{exact_number(count)} message{'s' * (count != 1)}"


def _print(text: str, value: object, *, as_json: bool) -> None:
    if as_json:
        say_json(value)
    else:
        say(text)
