"""What workers work with is opened when it is needed, and the doctor says what there is and what is missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adapters.workspaces import Settings, create
from bot.app.workshop import WebAccess, WorkerTooling, worker_tools
from bot.config import Config, parse_config
from bot.domain.health import ProbeResult
from bot.errors import ToolError
from bot.ports.sandbox import SandboxCommand
from bot.ports.workspaces import FileSearch
from tests.adapters.bubblewrap.stage import why_not
from tests.dialogs.bot import a_bot
from tests.fakes.sandbox import FakeSandbox
from tests.fakes.values import KEY

ON = "[tools.files]\nenabled = true\n[tools.shell]\nenabled = true\n"


def shop(path: Path, more: str = "", sandbox: FakeSandbox | None = None) -> tuple[WorkerTooling, list[str]]:
    opened: list[str] = []

    def workspaces():
        opened.append("workspaces")
        return create(path, Settings())

    def a_sandbox():
        opened.append("sandbox")
        return sandbox or FakeSandbox()

    config = parse_config(f'[bot]\ndata_dir = "{path}"\n{more}', {}).config
    return WorkerTooling(config, workspaces, a_sandbox, no_web(config)), opened


def no_web(config: Config) -> WebAccess:
    return WebAccess(config.tools, None, None)


async def test_nothing_is_opened_before_it_is_needed(tmp_path: Path):
    workshop, opened = shop(tmp_path)
    assert await workshop.workspaces.sweep(0) == 0
    assert workshop.looks["files"]() == ""
    await workshop.sandbox.close()
    assert opened == []
    await workshop.workspaces.write(KEY, "a", b"x")
    assert await workshop.workspaces.read(KEY, "a") == b"x"
    assert (await workshop.workspaces.search(KEY, FileSearch("x"))).files == 1
    assert await workshop.workspaces.sweep(0) == 0
    assert opened == ["workspaces"]
    assert workshop.looks["shell"]() == "" and opened == ["workspaces", "sandbox"]
    await workshop.sandbox.run(SandboxCommand(("x",), tmp_path))
    await workshop.sandbox.close()
    assert opened == ["workspaces", "sandbox"]


async def test_the_doctor_says_what_is_on_and_what_is_missing(tmp_path: Path):
    async def rows(*given) -> list[tuple[str, str, str]]:
        workshop, _ = shop(tmp_path, *given)
        return [(row.name, row.state, row.evidence) for row in await workshop.probe() if row.name != "web tools"]

    off = "files and shell are off (tools.files.enabled and tools.shell.enabled)"
    assert await rows() == [("worker tools", "ok", off)]
    assert await rows(ON) == [
        ("workspaces", "ok", "each channel has its own"),
        ("sandbox", "ok", "programs run in nothing at all"),
    ]
    (_, sandbox) = await rows(ON, FakeSandbox(missing="bwrap not found"))
    assert sandbox == ("sandbox", "failed", "programs are not offered: bwrap not found")


async def test_where_there_is_nothing_to_open(tmp_path: Path):
    config = parse_config(ON, {}).config
    workshop = WorkerTooling(config, None, None, no_web(config))
    assert workshop.looks["files"]() and workshop.looks["shell"]()
    with pytest.raises(ToolError):
        await workshop.workspaces.read(KEY, "a")
    with pytest.raises(ToolError):
        await workshop.sandbox.run(SandboxCommand(("x",), tmp_path))
    assert [row.state for row in await workshop.probe()][:2] == ["failed", "failed"]


@pytest.mark.skipif(bool(why_not()), reason=f"the sandbox is not there: {why_not()}")
async def test_the_host_tries_it(tmp_path: Path):
    def loaded(more: str):
        return parse_config(f'[bot]\ndata_dir = "{tmp_path / "data"}"\n{ON}{more}', {})

    found: dict[str, ProbeResult] = {row.name: row for row in await worker_tools(loaded(""))}
    assert found["sandbox"].state == "ok" and "without network" in found["sandbox"].evidence
    found = {row.name: row for row in await worker_tools(loaded(f'readable = ["{tmp_path}"]'))}
    assert found["sandbox"].state == "failed" and "programs can read" in found["sandbox"].evidence
    found = {row.name: row for row in await worker_tools(loaded("network = true"))}
    assert found["sandbox"].state == "warning" and "with the host's network" in found["sandbox"].evidence


async def test_the_doctor_in_the_chat_and_the_sweeper(tmp_path: Path):
    sandbox = FakeSandbox(missing="bwrap not found. Install it: apt-get install bubblewrap")
    async with a_bot(tmp_path / "data", more=ON, sandbox=lambda: sandbox) as bot:
        said = "\n".join(await bot.says("root", "!cortex doctor"))
        assert "✗ sandbox: programs are not offered: bwrap not found." in said
        assert "✓ workspaces: each channel has its own" in said
        folder = bot.data / "workspaces" / "main" / "old"
        folder.mkdir(parents=True)
        (bot.data / "workspaces").chmod(0o700)
        (folder / "file").write_bytes(b"x")
        folder.chmod(0o755)  # as a program may leave it; the doctor does not mind what lies in there
        assert "others can use" not in "\n".join(await bot.says("root", "!cortex doctor"))
        os.utime(folder, (0, 0))
        await bot.app.maintenance.sweep()
        assert not folder.exists()
