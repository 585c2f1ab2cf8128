"""Tests come in by the front door; what they take from the inside holds the inside as it is.

A test that has to know more asks `tests/inside`, where one function stands for one thing that the product tells nobody.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.tree import modules, parsed, short

LEFT = 112
"""How often tests reach for what is private to the product. The number only falls."""
REACHES = re.compile(r"\._[a-zA-Z]|[\"']_[a-zA-Z]|import[ (].*_[a-zA-Z]")
"""What a file has a piece of that reaches for something private; others need not be read closely."""
OWN = {"self", "cls", "super()"}
NO_SECRET = {"_replace", "_fields", "_asdict", "_exit"}
"""Public, whatever it is called: of named tuples, and of `os`."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in NO_SECRET


def privates(path: Path) -> Iterator[str]:
    """Names that a file of the product gives to what it keeps for itself."""
    for node in ast.walk(parsed(path)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(id=name, ctx=ast.Store()):
                yield name


def reached(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Private names of something else, written out or handed over as a word."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=value, attr=name) if is_private(name) and ast.unparse(value) not in OWN:
                yield node.lineno, name
            case ast.Call(func=ast.Name("getattr" | "setattr") | ast.Attribute(attr="setattr")):
                for one in node.args[1:2]:
                    if isinstance(one, ast.Constant) and isinstance(one.value, str) and is_private(one.value):
                        yield node.lineno, one.value


def test_tests_reach_for_less_and_less_of_the_inside() -> None:
    secrets = {name for path in modules("bot", "adapters", "prompts") for name in privates(path) if is_private(name)}
    found = [
        f"{short(path)}:{line}: {name}"
        for path in modules("tests")
        if REACHES.search(path.read_text(encoding="utf-8"))
        for line, name in reached(parsed(path))
        if name in secrets
    ]
    assert len(found) <= LEFT, "ask in another way, or in tests/inside: " + "\n".join(found)
    assert len(found) > LEFT - 10, f"it has become better: lower LEFT to {len(found)}"


def test_the_rule_sees_who_reaches() -> None:
    for text in (
        "store._database.read(work)",
        "setattr(skills, '_look', look)",
        "patch.setattr(skills, '_look', look)",
    ):
        assert len([*reached(ast.parse(text))]) == 1, text
    for text in ("self._database", "row._replace(at=1)", "os._exit(0)", "thing.__dict__", "getattr(thing, 'look')"):
        assert not [*reached(ast.parse(text))], text
