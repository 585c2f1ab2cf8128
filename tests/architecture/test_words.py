"""The project speaks of itself alone, in the words of its glossary."""

from __future__ import annotations

import ast
import re
import subprocess  # noqa: TID251 - asks git which files are ours
from pathlib import Path

from tests.architecture.tree import ROOT, modules, parsed, short


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_no_path_of_a_machine() -> None:
    pattern = re.compile(r"(?<![\w.])/(home|root|work|Users)/\w")
    for name in tracked():
        if name.endswith((".xz", ".png")):
            continue
        text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
        if name != "tests/architecture/test_words.py":
            assert not pattern.search(text), f"{name} names a path of a machine"


def test_managers_are_one() -> None:
    """`Manager` says nothing; only the one that the owner named may be called so."""
    found = set()
    for path in modules():
        found |= set(re.findall(r"class (\w*Manager)\b", path.read_text(encoding="utf-8")))
    assert found <= {"MessagingManager"}


def test_every_module_says_what_it_is_for() -> None:
    for path in modules("bot", "adapters", "prompts"):
        assert ast.get_docstring(parsed(path)), f"{short(path)} has no docstring"


def test_what_a_room_exports_says_what_it_is() -> None:
    """Whoever comes to a room from outside reads of its doors; inside, a name that says it all needs no sentence."""
    for path in modules("bot", "adapters"):
        if path.name == "__init__.py":
            assert [name for name in exported(path) if not described(path, name)] == [], f"{short(path)} does not say"


def exported(path: Path) -> list[str]:
    for node in parsed(path).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def described(path: Path, name: str) -> bool:
    """Whether a class or a function has a docstring; what is neither says itself what it is."""
    for node in parsed(path).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            return ast.get_docstring(node) is not None
        if isinstance(node, ast.ImportFrom) and any(one.name == name for one in node.names):
            there = ROOT.joinpath(*(node.module or "").split("."))
            source = there.with_suffix(".py") if there.with_suffix(".py").is_file() else there / "__init__.py"
            return not source.is_file() or described(source, name)
    return True
