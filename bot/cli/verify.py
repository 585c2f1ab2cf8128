"""Check the records of a data directory from start to end, with nothing running and nobody asked."""

from __future__ import annotations

import asyncio
import os
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from bot.app.adapters import verify_store
from bot.cli.run_bot import with_data
from bot.config import load_config, parse_config
from bot.ports.verifying import StoreCheck
from bot.runtime.terminal import say, say_json
from bot.text.figures import exact_number

EXIT_OK, EXIT_FOUND = 0, 1
_CHAINS = {"audit": "The audit ends at row", "revision": "The versions end at row"}
_SHORT = 16


def verify(args: Namespace, path: Path) -> int:
    """Run the command; return its exit status: 1 when something is not what was written."""
    loaded = load_config(path, None) if path.exists() or args.config else parse_config("", None)
    if loaded.config.store.url:
        # the address of a server stands in the environment as a rule, and nobody gets in without it
        loaded = load_config(path, os.environ)
    loaded = with_data(loaded, args.data)
    found = asyncio.run(verify_store(loaded))
    if args.json:
        say_json(found.model_dump(mode="json"))
    else:
        say("\n".join(_told(found)))
    return EXIT_FOUND if found.damage or not found.has_key else EXIT_OK


def _told(found: StoreCheck) -> Iterator[str]:
    count = len(found.damage)
    if count:
        yield f"✗ {exact_number(count)} {'thing is' if count == 1 else 'things are'} not what was written:"
        yield from (f"  {one}" for one in found.damage)
        yield "Stop the bot and run `glassmind restore`; it keeps the damaged file for inspection."
    else:
        yield "✓ Everything is what was written."
    rows, audit, versions = map(exact_number, (found.rows, found.audit, found.versions))
    yield f"Looked at {rows} rows, {audit} audit entries and {versions} versions."
    if not found.has_key:
        yield "✗ secret.key is missing: whether both records were signed by this instance cannot be told."
    for head in found.heads:
        yield f"{_CHAINS[head.table]} {exact_number(head.row)} · {head.hash[:_SHORT]}"
    if found.heads:
        yield "Note these ends: nobody who puts an older copy back can show them again."
