"""Check a configuration, or show every value of it with where it came from; secrets only as that."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bot.cli.running import checked, with_data
from bot.cli.tables import is_terminal, write_json, write_table
from bot.config import LoadedConfig
from bot.config.dotenv import NAME as DOTENV
from bot.config.lines import key_lines
from bot.config.values import flat
from bot.domain.redaction import Redactor
from bot.domain.text import visible
from bot.edges import adapter_defaults
from bot.errors import ConfigError

WELL, BROKEN = 0, 2
_SECRET = "(secret)"
_UNSET = "(not set)"


class Explained(NamedTuple):
    """One key: its value as it may be shown, where it comes from, and what a change of it takes."""

    key: str
    value: str
    origin: str
    takes: str


def config_command(args: Namespace, path: Path) -> int:
    """Run `config check` or `config explain`; return the exit status."""
    try:
        loaded = checked(path)
    except ConfigError as error:
        if args.json:
            write_json({"path": str(path), "problems": list(error.problems)})
            return BROKEN
        raise
    if args.action == "check":
        _check(path, loaded, as_json=args.json)
    else:
        _explain(tuple(explain(with_data(loaded, args.data))), as_json=args.json)
    return WELL


def explain(loaded: LoadedConfig) -> Iterator[Explained]:
    """Say of every key what it is and where that comes from."""
    redact = Redactor.of(loaded.secrets).redact
    lines = key_lines(loaded.path.read_text(encoding="utf-8")) if loaded.path else {}
    for value in flat(loaded.config):
        shown = _SECRET if value.key in loaded.secrets else redact(_shown(value.value)).text
        origin = _origin(loaded, value.key, lines.get(value.key, 0))
        yield Explained(value.key, shown, origin, "reload" if value.live else "restart")
    for key, default in adapter_defaults(loaded.config).items():
        yield Explained(key, _shown(default), "default", "restart")


def _shown(value: Any) -> str:
    return _UNSET if value is None else visible(orjson.dumps(value, default=str).decode())


def _origin(loaded: LoadedConfig, key: str, line: int) -> str:
    origin = loaded.origins.get(key) or _written_inside(loaded.origins, key)
    if not origin:
        return "default"
    place = f"{loaded.path.name if loaded.path else 'config'}{f':{line}' if line else ''}"
    if origin == "file":
        return place
    scheme, colon, name = origin.partition(":")
    if not colon:
        return origin
    if scheme != "env":
        return f"{place} → {origin}"
    return f"{place} → {origin}, from {DOTENV if name in loaded.dotenv else 'the environment'}"


def _written_inside(origins: Mapping[str, str], key: str) -> str:
    # a list or an inline table: its entries have origins of their own
    return "file" if any(name.startswith((f"{key}[", f"{key}.")) for name in origins) else ""


def _check(path: Path, loaded: LoadedConfig, *, as_json: bool) -> None:
    if as_json:
        return write_json({"path": str(path), "problems": []})
    count = sum(1 for _ in explain(loaded))
    sys.stdout.write(f"✓ {path} can be used: {count} keys, {len(loaded.origins)} of them set.\n")


def _explain(rows: tuple[Explained, ...], *, as_json: bool) -> None:
    if as_json:
        return write_json([row._asdict() for row in rows])
    if is_terminal():
        return write_table(("key", "value", "from", "a change takes a"), rows)
    sys.stdout.write("".join(f"{row.key} = {row.value} · {row.origin} · {row.takes}\n" for row in rows))
