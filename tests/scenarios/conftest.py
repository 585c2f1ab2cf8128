"""What all scenarios share: a busy machine changes no report."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.diagnostics import piece_reader


@pytest.fixture(autouse=True, scope="module")
def a_platform_may_take_its_time() -> Iterator[None]:
    """Wait for a probe longer than the bot does: somebody hangs, and is waited for."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(piece_reader, "PROBE_SECONDS", 4.0)
        yield
