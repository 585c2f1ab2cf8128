"""The project speaks of itself alone, in the words of its glossary."""

from __future__ import annotations

import re
import subprocess  # noqa: TID251 - asks git which files are ours

from tests.architecture.tree import ROOT, modules, short


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
    import ast

    for path in modules("bot", "adapters", "prompts"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), f"{short(path)} has no docstring"
