"""Parsers for other languages, from the optional extra `code`; none where it is not installed."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

GRAMMARS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "c": ("tree_sitter_c", "language"),
        "go": ("tree_sitter_go", "language"),
        "java": ("tree_sitter_java", "language"),
        "javascript": ("tree_sitter_javascript", "language"),
        "jsx": ("tree_sitter_javascript", "language"),
        "rust": ("tree_sitter_rust", "language"),
        "tsx": ("tree_sitter_typescript", "language_tsx"),
        "typescript": ("tree_sitter_typescript", "language_typescript"),
    }
)
"""By language: the package of its grammar, and what to call in it."""


def parser(language: str) -> Any | None:
    """Return a parser of one's own (two threads may not share one), None if there is none here."""
    grammar = _grammar(language)
    return grammar and importlib.import_module("tree_sitter").Parser(grammar)


@cache
def _grammar(language: str) -> Any | None:
    package, maker = GRAMMARS.get(language, ("", ""))
    if not package:
        return None
    try:
        # imported here: most bots never see a line of code
        return importlib.import_module("tree_sitter").Language(getattr(importlib.import_module(package), maker)())
    except (ImportError, AttributeError, ValueError):
        # not installed, or a grammar that this library does not read
        return None
