"""A module is as long as its subject; only what has certainly lost its subject trips here.

Tighter limits were met by slicing: bags of fields, files with one importer. They are no limits to write for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.tree import modules, parsed, short

MODULE_LINES, FUNCTION_LINES, METHODS = 800, 80, 25
STILL_LONGER = {"bot/messaging/channels/runner.py: ChannelRunner"}
"""Classes with more methods. The list only shrinks."""


def tails(path: Path) -> Iterator[str]:
    lines = path.read_text(encoding="utf-8").count("\n")
    if lines > MODULE_LINES:
        yield f"{short(path)}: {lines} lines"
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _function(path, node)


def _function(path: Path, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    if length > FUNCTION_LINES:
        yield f"{short(path)}:{node.lineno}: {node.name} has {length} lines"


def test_no_tail_grows() -> None:
    found = [row for path in modules("bot", "adapters", "prompts") for row in tails(path)]
    assert found == []


def crowded(path: Path) -> Iterator[str]:
    """Classes with too many methods; parts that are made once, on first use, are fields and not counted."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ClassDef):
            methods = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
            counted = [one for one in methods if not any("cached" in ast.unparse(d) for d in one.decorator_list)]
            if len(counted) > METHODS:
                yield f"{short(path)}: {node.name}"


def test_no_class_has_a_crowd_of_methods() -> None:
    assert {row for path in modules("bot", "adapters", "prompts") for row in crowded(path)} == STILL_LONGER
