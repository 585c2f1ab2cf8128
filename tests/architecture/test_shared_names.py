"""One name, one thing: who searches for a class or a module of `bot` finds one."""

from __future__ import annotations

import ast
from collections import Counter

from tests.architecture.tree import modules, parsed, short

SHARED_MODULES = {
    "access", "attachments", "base", "block", "branch", "channel", "context", "cortex", "diff", "doctor", "export",
    "files", "ledger", "logs", "memory", "run", "skills", "status", "tables", "tools", "transcript", "turn",
    "usage",
}  # fmt: skip
"""What two modules are still called. The list only shrinks: an entry that is not needed fails the test, too."""


def ours() -> list[str]:
    """The modules of `bot` but the ports, which share the name of what implements them on purpose."""
    return [path for path in map(short, modules("bot")) if not path.startswith("bot/ports/")]


def shared(names: list[str]) -> set[str]:
    return {name for name, times in Counter(names).items() if times > 1}


def test_no_two_public_classes_share_a_name() -> None:
    """A reader who searches for one would read the other."""
    names = [
        node.name
        for path in modules("bot")
        if short(path) in ours()
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert not shared(names)


def test_no_two_modules_share_a_name() -> None:
    """An editor that opens files by name would offer both."""
    stems = [path.rpartition("/")[2].removesuffix(".py") for path in ours()]
    assert shared([stem for stem in stems if stem not in {"__init__", "__main__"}]) == SHARED_MODULES
