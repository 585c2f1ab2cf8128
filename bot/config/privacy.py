"""Say whether a file that holds secrets is its owner's alone."""

from __future__ import annotations

import stat
from pathlib import Path


def open_to_others(path: Path) -> str:
    """Say who else may read or change a file, and the fix; empty when nobody may. Raise OSError."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if not mode & 0o077:
        return ""
    return f"others than its owner may use it (mode {mode:04o}). Run: chmod 600 {path}"
