"""Names and terminals: one function each, and nothing that goes around it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.tree import ROOT, modules, parsed, short

OTHERS_WROTE = {"name", "title", "channel_name", "author_name", "actor_name", "display_name", "filename", "tool_name"}
"""Attributes in which words of people, of platforms and of foreign servers stand."""
SHOWN_BY = {"one_line_name", "quote_line", "file_name", "channel_word", "by_model", "quoted", "shown", "repr", "_dead"}
PEOPLE_READ = ("bot/cortex", "bot/diagnostics", "bot/messaging", "bot/cli")
PAGES = tuple(
    ROOT / "bot/inspect" / f"{name}.py"
    for name in (
        "capture/visibility_gap",
        "usage/usage_text",
        "usage/usage",
        "capture/channel_lookup",
        "usage/usage_chart",
    )
)
"""Of the context, what a person reads; the rest is written for the model, or into a file."""
OURS = {
    # tools, sections, skills, commands, checks, classes and files, whose names the code or the operator gave
    "adapter.name", "command.name", "error.filename", "error.name",
    "file.name", "health.name", "kind.name", "level.name", "meant.name", "one.name", "other.name",
    "path.name", "platform.name",
    "s.name", "section.name", "skill.name", "t.name", "tool.definition.name", "tool.name", "trace.name",
}  # fmt: skip
"""What may stand in a text as it is; whoever adds a line here says that no stranger chooses it."""


def _raw(node: ast.AST) -> Iterator[ast.Attribute]:
    """Find such attributes in what is put into a text, but for those that a function shows."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in SHOWN_BY:
        return
    if isinstance(node, ast.Attribute) and node.attr in OTHERS_WROTE:
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _raw(child)


def _texts(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue):
            yield node.value
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            if any(isinstance(side, ast.Constant | ast.JoinedStr) for side in (node.left, node.right)):
                yield node
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"join", "format"}:
            yield from node.args
            yield from (keyword.value for keyword in node.keywords)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"say", "later"}:
            yield from (keyword.value for keyword in node.keywords)


def going_around(tree: ast.AST) -> set[str]:
    return everything(tree) - OURS


def everything(tree: ast.AST) -> set[str]:
    return {ast.unparse(name) for text in _texts(tree) for name in _raw(text)}


def test_a_name_comes_into_a_text_through_one_function() -> None:
    around = {short(path): found for path in (*modules(*PEOPLE_READ), *PAGES) if (found := going_around(parsed(path)))}
    assert around == {}, "show it with one_line_name, or say in OURS why no stranger chooses it"


def test_the_list_names_only_what_is_there() -> None:
    assert {name for path in (*modules(*PEOPLE_READ), *PAGES) for name in everything(parsed(path))} >= OURS


def test_the_rule_sees_a_new_place() -> None:
    raw = ('f"{target.name}: none"', '"by " + body.author_name', '", ".join(one.author.name for one in all)')
    for text in (*raw, 'say("usage.title", name=target.name)', 'later("usage.title", name=target.name)'):
        assert going_around(ast.parse(text))
    for text in ('f"{one_line_name(target.name)}: none"', 'f"{channel_word(target)}: none"', "target.name == other"):
        assert not going_around(ast.parse(text))


WRITES = re.compile(r"\bprint\(|\bsys\.(?:__)?std(?:out|err)(?:__)?\.(?:write|writelines|buffer)|\bos\.write\((?:1|2),")


def test_one_module_writes_to_the_terminal() -> None:
    """A terminal obeys what it is sent; `print` anywhere else sends it what a stranger wrote."""
    users = {short(path) for path in modules() if WRITES.search(path.read_text(encoding="utf-8"))}
    # the table's own colours go past it, with cells that are shown by `visible`
    users -= {"bot/cli/tables.py"}
    assert users == {"bot/runtime/terminal.py"}
