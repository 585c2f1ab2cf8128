"""Every cause has its fix, or says why there is none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cortex.fixes.rule_fixes import RULE_FIXES, FixKind
from tests.bot.diagnostics.rule_ids import written_rules
from tests.bot.diagnostics.scenarios import SCENARIOS

RULES = Path("bot/diagnostics/rules")


def values_of(node: ast.expr, names: dict[str, ast.expr]) -> Iterator[str]:
    """Every text that an expression may be."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from values_of(body, names)
            yield from values_of(other, names)
        case ast.Name(id=name) if name in names:
            yield from values_of(names[name], names)


def rules_of(path: Path) -> set[str]:
    """The ids that the findings of a module can have."""
    tree = ast.parse(path.read_text("utf-8"))
    names = {
        one.targets[0].id: one.value
        for one in tree.body
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
    }
    with_rule = {
        one.name
        for one in tree.body
        if isinstance(one, ast.ClassDef)
        and any(isinstance(row, ast.AnnAssign) and ast.unparse(row.target) == "rule" for row in one.body)
    }
    found: set[str] = set()
    for call in (one for one in ast.walk(tree) if isinstance(one, ast.Call)):
        for keyword in call.keywords:
            if keyword.arg == "rule":
                found.update(values_of(keyword.value, names))
        if isinstance(call.func, ast.Name) and call.func.id in with_rule and call.args:
            found.update(values_of(call.args[0], names))
    return found


TOLD = {rule for rule, _ in SCENARIOS.values()} - {""}
EVERY = sorted({rule for path in RULES.glob("*.py") for rule in rules_of(path)} | written_rules() | TOLD)


def test_the_rules_are_found():
    assert len(EVERY) > 40 and {"PAUSED", "DC-ZOMBIE", "TG-409", "DC-PERMS"} <= set(EVERY)


@pytest.mark.parametrize("rule", EVERY)
def test_every_rule_has_an_offer_or_says_why_there_is_none(rule):
    found = RULE_FIXES.get(rule)
    assert found is not None, f"add {rule} to RULE_FIXES: its fixes, or what helps where no button does"
    assert bool(found.kinds) != bool(found.none), f"{rule}: either fixes, or why there is none"


def test_the_table_holds_no_rule_that_is_gone():
    assert set(RULE_FIXES) == set(EVERY)


def test_every_fix_is_some_rules_or_stands_in_the_list_of_fixes():
    offered = {kind for found in RULE_FIXES.values() for kind in found.kinds}
    assert set(FixKind) - offered == {FixKind.ANSWER_WAITING, FixKind.NEWEST, FixKind.TELL}
