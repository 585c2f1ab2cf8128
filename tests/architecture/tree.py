"""Walk the source tree; shared by the house rules."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
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
        yield from [short(path)] * called_names(path).get(name, 0)


@cache
def called_names(path: Path) -> Mapping[str, int]:
    """How often a module calls something of a name; all of it is found in one walk."""
    called = (node.func for node in ast.walk(parsed(path)) if isinstance(node, ast.Call))
    return Counter(getattr(one, "id", getattr(one, "attr", "")) for one in called)


def stems(folder: str) -> set[str]:
    return {path.stem for path in (ROOT / folder).glob("*.py")} - {"__init__"}
