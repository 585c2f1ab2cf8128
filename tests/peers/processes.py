"""Servers that other people wrote, each in a process of its own; none of their code is ever imported here."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

HERE = Path(__file__).parent
NODE_MODULES = Path(os.environ.get("PEERS_NODE_MODULES", Path(sys.prefix, "peers/node_modules")))
PATIENCE = 20.0


def llmock_program() -> str:
    """Return the program, or skip the test visibly."""
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    found = shutil.which("llmock", path=beside)
    if found is None:
        pytest.skip("llmock is not installed: run `make test-peers`")
    return found


def telegram_program() -> Sequence[str]:
    """Return what starts telegram-test-api behind the shim, or skip the test visibly."""
    node, package = shutil.which("node"), NODE_MODULES / "telegram-test-api"
    if node is None:
        pytest.skip("node is not installed (20 or newer is needed)")
    if not package.exists():
        pytest.skip(f"telegram-test-api is not in {NODE_MODULES}: run `make test-peers`")
    return node, str(HERE / "telegram.cjs"), str(package)


def aimock_program() -> Sequence[str]:
    """Return what starts aimock, or skip the test visibly."""
    node, program = shutil.which("node"), NODE_MODULES / "@copilotkit/aimock/dist/cli.js"
    if node is None:
        pytest.skip("node is not installed (20 or newer is needed)")
    if not program.exists():
        pytest.skip(f"@copilotkit/aimock is not in {NODE_MODULES}: run `make test-peers`")
    return node, str(program)


def discord_program() -> Sequence[str]:
    """Return what starts discord-digital-twin behind the shim, or skip the test visibly."""
    node, package = shutil.which("node"), NODE_MODULES / "discord-digital-twin"
    if node is None:
        pytest.skip("node is not installed (20 or newer is needed)")
    if not package.exists():
        pytest.skip(f"discord-digital-twin is not in {NODE_MODULES}: run `make test-peers`")
    return node, str(HERE / "discord.mjs"), str(package)


@asynccontextmanager
async def a_peer(*command: str, port: int, patience: float = PATIENCE) -> AsyncIterator[str]:
    """Run a server until the block ends; yield its address once it answers."""
    address = f"http://127.0.0.1:{port}"
    # what it says goes into a file: one that nobody reads from would wait once a pipe is full
    with tempfile.TemporaryFile() as said:
        process = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL, stderr=said)
        try:
            await _answers(address, process, patience)
            if process.returncode is not None:
                said.seek(0)
                pytest.fail(f"the peer has ended: {said.read().decode()[-2000:]}")
            yield address
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


async def _answers(address: str, process: Process, patience: float) -> None:
    async with aiohttp.ClientSession() as session, asyncio.timeout(patience):
        while process.returncode is None:
            try:
                async with session.get(address):
                    return
            except aiohttp.ClientError:
                await asyncio.sleep(0.05)
