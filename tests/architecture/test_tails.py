"""Long modules, functions and parameter lists hide a missing type; the tails are guarded, not the averages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.tree import modules, parsed, short

MODULE_LINES, FUNCTION_LINES, PARAMETERS, METHODS = 400, 50, 6, 15


def tails(path: Path) -> Iterator[str]:
    lines = path.read_text(encoding="utf-8").count("\n")
    if lines > MODULE_LINES:
        yield f"{short(path)}: {lines} lines"
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _function(path, node)
        elif isinstance(node, ast.ClassDef):
            methods = sum(isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) for item in node.body)
            if methods > METHODS:
                yield f"{short(path)}:{node.lineno}: {node.name} has {methods} methods"


def _function(path: Path, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    args = node.args
    width = len(args.posonlyargs) + len(args.args) + len(args.kwonlyargs)
    width -= bool(args.args and args.args[0].arg in {"self", "cls"})
    if length > FUNCTION_LINES:
        yield f"{short(path)}:{node.lineno}: {node.name} has {length} lines"
    if width > PARAMETERS:
        yield f"{short(path)}:{node.lineno}: {node.name} has {width} parameters"


def test_no_tail_grows() -> None:
    found = [row for path in modules("bot", "adapters", "prompts") for row in tails(path)]
    assert found == []
