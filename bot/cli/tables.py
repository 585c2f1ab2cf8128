"""Show rows: as a table to somebody at a terminal, as plain lines to a program, a file or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from bot.runtime.terminal import complain, say_json
from bot.sentences import say
from bot.text.text import visible


def write_json(value: Any) -> None:
    """Write a value as indented JSON."""
    say_json(value)


def is_terminal() -> bool:
    """Say whether a person reads what is written."""
    return sys.stdout.isatty()


def write_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Draw a table as wide as the terminal; cells are text, whatever they hold."""
    try:
        _draw(head, rows)
    except (ImportError, OSError, SyntaxError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        # the library only makes it prettier
        complain(say("cli.no-table", why=f"{type(error).__name__}: {error}"))
        for row in (head, *rows):
            sys.stdout.write("  ".join(visible(cell) for cell in row).rstrip() + "\n")


def _draw(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    # imported here: it takes 50 ms, and only a terminal shows what it draws
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for title in head:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell), style=_style(cell)) for cell in row))
    Console(file=sys.stdout).print(table)


def _style(cell: str) -> str:
    return {"✓": "green", "✗": "bold red", "!": "yellow", "○": "cyan"}.get(cell, "")
