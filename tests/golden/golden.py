"""Compare a text with the file that somebody reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def matches(config: pytest.Config, name: str, text: str) -> bool:
    """Say whether `text` is what `tests/golden/<name>.md` holds; with `--snapshot-update` it becomes that."""
    path = HERE / f"{name}.md"
    if config.getoption("update_snapshots"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    assert path.exists(), f"{name}: not reviewed yet; run pytest --snapshot-update and read the diff"
    assert text + "\n" == path.read_text(encoding="utf-8")
    return True
