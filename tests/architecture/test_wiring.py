"""A wired class names its needs itself, and nobody hands it one of them later."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.tree import modules, parsed, short

HANDED_ON_WHOLE = {
    "bot/domain/turn.py": "what is kept of a call",
}
"""Values with such a name, which nobody copies field by field into a class of his own."""


def test_no_class_is_a_bag_for_another() -> None:
    """Its fields were copied one by one, or reached through it; a field too many or too few was seen by nobody."""
    bags = {
        short(path)
        for path in modules("bot", "adapters")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef) and node.name.endswith(("Services", "Desk", "Parts"))
    }
    assert bags == set(HANDED_ON_WHOLE)


def given_later(tree: ast.AST) -> Iterator[str]:
    """Assignments to attributes of anything but the object itself."""
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) != "self":
                yield ast.unparse(target)


def test_the_root_gives_no_part_to_another_after_it_was_made() -> None:
    """The types say that it is there; before somebody gave it, it was an AttributeError."""
    late = {short(path): found for path in modules("bot/app") if (found := [*given_later(parsed(path))])}
    assert late == {}


def test_the_rule_sees_a_part_that_is_given_later() -> None:
    assert [*given_later(ast.parse("self.a = b\nlater.manager = manager"))] == ["later.manager"]
