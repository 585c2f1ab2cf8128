"""Adding a thing is one file and one line; a file without its line is a thing that silently does nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields

from bot.context.compaction import STRATEGIES
from bot.context.sections import ORDER
from bot.diagnostics.rules import RULES
from bot.messaging.policy.gates import GATES
from bot.tools.runtime.tool import ToolContext
from bot.tools.toolsets import TOOLSETS
from tests.architecture.tree import ROOT, parsed, stems
from tests.scenarios.scenario import HEALTHY
from tests.scenarios.table import FAMILIES


def module_of(thing: object) -> str:
    module = getattr(thing, "__module__", type(thing).__module__)
    return str(module).rsplit(".", 1)[1]


def test_every_rule_is_listed() -> None:
    assert stems("bot/diagnostics/rules") == {module_of(rule) for rule in RULES}


def test_every_cause_of_silence_has_a_scenario() -> None:
    """A rule that was never seen to fire on the whole bot is a guess about it."""
    played = {scenario.rule for scenarios in FAMILIES.values() for scenario in scenarios}
    for rule in RULES:
        claimed = set(claims(f"bot/diagnostics/rules/{module_of(rule)}.py"))
        assert claimed and claimed <= played, f"{module_of(rule)}: no scenario for {sorted(claimed - played)}"
    assert HEALTHY in played


def claims(path: str) -> Iterator[str]:
    """The rule ids of a module's findings; those of several rules come from its table of words, or are chosen."""
    tree = parsed(ROOT / path)
    named = {name: node for node in tree.body if (name := _named(node))}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if getattr(node.func, "id", "") == "Finding":
            for keyword in node.keywords:
                if keyword.arg == "rule":
                    said = [keyword.value, *(named[name] for n in ast.walk(keyword.value) if (name := _id(n)) in named)]
                    found = (c.value for one in said for c in ast.walk(one) if isinstance(c, ast.Constant))
                    yield from (str(value) for value in found if _is_rule(value))
        elif getattr(node.func, "id", "").endswith("Words") and node.args and isinstance(node.args[0], ast.Constant):
            yield from [str(node.args[0].value)] if re.fullmatch(r"[A-Z][A-Z0-9-]+", str(node.args[0].value)) else []


def _named(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef):
        return node.name
    return _id(node.targets[0]) if isinstance(node, ast.Assign) else ""


def _id(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _is_rule(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[A-Z][A-Z0-9-]+", value) is not None


def test_every_section_is_listed() -> None:
    listed = {module_of(type(section)) for order in ORDER.values() for section in order}
    assert stems("bot/context/sections") == listed


def test_every_compaction_strategy_is_listed() -> None:
    machinery = {"block", "checks", "plan", "summary_input"}
    assert stems("bot/context/compaction") - machinery == {module_of(type(strategy)) for strategy in STRATEGIES}


def test_every_gate_is_listed() -> None:
    assert stems("bot/messaging/policy/gates") - {"facts", "gate"} == {module_of(gate) for gate in GATES}


def test_every_tool_is_listed_and_described() -> None:
    listed = [spec for specs in TOOLSETS.values() for spec in specs]
    assert stems("bot/tools") - {"toolsets"} == {module_of(spec.run) for spec in listed}
    described = {path.name.removesuffix(".md.j2") for path in (ROOT / "prompts/en/tools").glob("*.md.j2")}
    assert described == {spec.name for spec in listed}


def test_the_tool_context_stays_small() -> None:
    """A god object begins as one more convenient field."""
    assert len(fields(ToolContext)) <= 5
