"""Check a configuration, or show every value of it with where it came from; secrets only as that."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from pathlib import Path

from bot.app.adapters import adapter_defaults, looking_store, machine
from bot.cli.run_bot import load_checked_config, with_data
from bot.cli.tables import is_terminal, write_json, write_table
from bot.config import LoadedConfig
from bot.config.explained_keys import ExplainedKey, explain, explain_learnt, shown
from bot.errors import ConfigError, StoreError
from bot.runtime.terminal import print_text
from bot.sentences import say

EXIT_OK, EXIT_BROKEN = 0, 2


def config_command(args: Namespace, path: Path) -> int:
    """Run `config check` or `config explain`; return the exit status."""
    try:
        loaded = load_checked_config(path)
    except ConfigError as error:
        if args.json:
            write_json({"path": str(path), "problems": list(error.problems)})
            return EXIT_BROKEN
        raise
    if args.action == "check":
        _check(path, loaded, as_json=args.json)
    else:
        there = with_data(loaded, args.data)
        _explain((*_rows(there), *asyncio.run(_learnt(there))), as_json=args.json)
    return EXIT_OK


def _rows(loaded: LoadedConfig) -> tuple[ExplainedKey, ...]:
    defaults = adapter_defaults(loaded.config).items()
    return (*explain(loaded), *(ExplainedKey(key, shown(value), "default", "restart") for key, value in defaults))


async def _learnt(loaded: LoadedConfig) -> tuple[ExplainedKey, ...]:
    try:
        async with looking_store(loaded, machine()) as store:
            return tuple(explain_learnt(store.lessons.known))
    except StoreError:
        # there is no data yet, or none that can be read; the doctor says which
        return ()


def _check(path: Path, loaded: LoadedConfig, *, as_json: bool) -> None:
    if as_json:
        return write_json({"path": str(path), "problems": []})
    count = len(_rows(loaded))
    print_text(say("cli.config-good", file=str(path), keys=count, set=len(loaded.origins)))


def _explain(rows: tuple[ExplainedKey, ...], *, as_json: bool) -> None:
    if as_json:
        return write_json([row._asdict() for row in rows])
    if is_terminal():
        head = (
            say("cli.column-key"),
            say("cli.column-value"),
            say("cli.column-from"),
            say("cli.column-takes"),
        )
        return write_table(head, rows)
    print_text("\n".join(f"{row.key} = {row.value} · {row.origin} · {row.takes}" for row in rows))
