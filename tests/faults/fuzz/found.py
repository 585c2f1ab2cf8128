"""Inputs that once broke a promise of a reader, kept so that they never do again."""

from __future__ import annotations

from collections.abc import Mapping

FOUND: Mapping[str, tuple[bytes, ...]] = {}
