"""Walk the source tree; shared by the house rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@cache
def modules(*folders: str) -> tuple[Path, ...]:
    found = [path for folder in (folders or ("bot", "adapters")) for path in (ROOT / folder).rglob("*.py")]
    return tuple(sorted(found))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def calls(name: str, *folders: str) -> Iterator[str]:
    """Where something of this name is called."""
    for path in modules(*folders):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and name == getattr(node.func, "id", getattr(node.func, "attr", "")):
                yield short(path)


def stems(folder: str) -> set[str]:
    return {path.stem for path in (ROOT / folder).glob("*.py")} - {"__init__"}
