"""`glassmind migrate`: copy what is stored to a server, or from it into a file."""

from __future__ import annotations

import asyncio
import os
from argparse import Namespace
from pathlib import Path

from bot.app.adapters import copy_store, machine
from bot.cli.run_bot import with_data
from bot.config import load_config, parse_config
from bot.config.schema import is_server_address
from bot.errors import ConfigError
from bot.ports.copying import CopiedStore
from bot.runtime.terminal import print_text, say_json
from bot.sentences import say

EXIT_OK = 0


def migrate(args: Namespace, path: Path) -> int:
    """Run the command; return its exit status."""
    loaded = load_config(path, os.environ) if path.exists() or args.config else parse_config("", os.environ)
    loaded = with_data(loaded, args.data)
    to = _followed(args.to)
    done = asyncio.run(copy_store(loaded, machine(), to))
    if args.json:
        say_json(done.model_dump(mode="json"))
    else:
        print_text("\n".join(_told(done, args.to if to != args.to else "", is_server=is_server_address(to))))
    return EXIT_OK


def _followed(place: str) -> str:
    scheme, _, name = place.partition(":")
    if scheme != "env":
        return place
    if name not in os.environ:
        raise ConfigError([say("copies.variable-not-set", variable=name)])
    return os.environ[name]


def _told(done: CopiedStore, reference: str, *, is_server: bool) -> list[str]:
    lines = [
        say("copies.moved", rows=done.rows, tables=done.tables, place=done.to),
        say("copies.word-search", entries=done.words),
    ]
    if is_server:
        url = reference or say("copies.given-address")
        lines.append(say("copies.now-use-server", url=repr(url)))
    else:
        lines.append(say("copies.now-use-folder"))
    return lines
