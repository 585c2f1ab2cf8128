"""Machines that share an empty database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.adapters.postgres.machines import Machines
from tests.servers.postgres import postgres_server


@pytest.fixture
async def machines(tmp_path: Path) -> AsyncIterator[Machines]:
    server = postgres_server()
    server.emptied()
    async with AsyncExitStack() as stack:
        yield Machines(server, tmp_path, stack)
