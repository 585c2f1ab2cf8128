"""What holds for the contracts of stores: every one that there is has to keep them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from bot.ports.store import Store
from tests.contracts.stores import STORES, open_store_of, run_behind


@pytest.fixture(params=STORES)
def kind_of_store(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def open_store(kind_of_store: str, tmp_path: Path) -> Callable[[], Awaitable[Store]]:
    """Open the store of this test; once it is closed, open it again as it was left."""
    return partial(open_store_of, kind_of_store, tmp_path / "data")


@pytest.fixture
def another_program(kind_of_store: str, tmp_path: Path) -> Callable[[str], None]:
    """Run a statement as another program would."""
    return partial(run_behind, kind_of_store, tmp_path / "data")


@pytest.fixture
async def store(open_store: Callable[[], Awaitable[Store]]) -> AsyncIterator[Store]:
    opened = await open_store()
    yield opened
    await opened.close()
