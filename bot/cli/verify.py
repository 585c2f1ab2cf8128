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
from bot.runtime.terminal import print_text, say_json
from bot.sentences import say

EXIT_OK, EXIT_FOUND = 0, 1
_CHAINS = {"audit": "copies.audit-ends", "revision": "copies.versions-end"}
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
        print_text("\n".join(_told(found)))
    return EXIT_FOUND if found.damage or not found.has_key else EXIT_OK


def _told(found: StoreCheck) -> Iterator[str]:
    count = len(found.damage)
    if count:
        yield say("copies.damaged", count=count)
        yield from (f"  {one}" for one in found.damage)
        yield say("copies.damaged-fix")
    else:
        yield say("copies.undamaged")
    yield say("copies.looked-at", rows=found.rows, audit=found.audit, versions=found.versions)
    if not found.has_key:
        yield say("copies.no-key")
    for head in found.heads:
        yield say(_CHAINS[head.table], row=head.row, hash=head.hash[:_SHORT])
    if found.heads:
        yield say("copies.note-the-ends")
