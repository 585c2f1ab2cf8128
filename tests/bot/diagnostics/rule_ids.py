"""The ids that rules can find, read from their own files."""

from __future__ import annotations

import ast
import re

from tests.architecture.tree import modules, parsed

_RULE = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")


def written_rules() -> set[str]:
    """Return every name in the rules' own files that is spelt like a rule of two words."""
    constants = (node for path in modules("bot/diagnostics/rules") for node in ast.walk(parsed(path)))
    words = {node.value for node in constants if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {word for word in words if _RULE.fullmatch(word)}
