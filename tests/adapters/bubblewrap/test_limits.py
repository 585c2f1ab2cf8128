"""Programs that take all they can get: they are stopped, nothing of them stays, and the bot goes on."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adapters.bubblewrap import BubblewrapSandbox, Settings, requirements
from adapters.bubblewrap.program_runner import OutputBuffer
from adapters.bubblewrap.sandbox_arguments import SandboxMode
from bot.errors import ToolError
from bot.ports.sandbox import ProgramResult, SandboxCommand
from tests.adapters.bubblewrap.stage import PYTHON, Stage, a_stage, forms, why_not
from tests.architecture.tree import ROOT

needed = pytest.mark.skipif(bool(why_not()), reason=f"the sandbox is not there: {why_not()}")


# every form with FAULTS=1 (make escapes), otherwise the one that a bot run by the same user would have
@pytest.fixture(params=forms() if os.environ.get("FAULTS") else forms()[:1])
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    with a_stage(request.param) as made:
        yield made


def left(stage: Stage) -> list[str]:
    """Every process of the machine that has to do with this sandbox."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                words = Path("/proc", entry, "cmdline").read_bytes().decode(errors="replace")
                if not words:  # the kernel's own, and the dead
                    continue
                mounts = Path("/proc", entry, "mountinfo").read_text(errors="replace")
            except OSError:
                continue
            if str(stage.workspace) in words or str(stage.workspace) in mounts:
                found.append(words)
    return found


async def shell(stage: Stage, line: str, seconds: float = 10, **settings: object) -> ProgramResult:
    sandbox = stage.sandbox(**settings)
    ran = await sandbox.run(SandboxCommand(("/bin/sh", "-c", line), stage.workspace, seconds=seconds))
    assert left(stage) == []
    return ran


async def python(stage: Stage, text: str, seconds: float = 10, **settings: object) -> ProgramResult:
    stage.put("program.py", text)
    return await shell(stage, f"exec {PYTHON} -I program.py", seconds, **settings)


@needed
async def test_what_it_leaves_is_the_workspace(stage: Stage):
    ran = await shell(stage, "umask 022; echo kept > kept.txt; pwd; echo lost > /tmp/lost; ls /tmp; id -un; echo $HOME")
    pwd, tmp, name, home = ran.out.text.split()
    # who the sandbox's user is outside is not known to it where root plays somebody else
    assert (pwd, tmp, home) == ("/workspace", "lost", "/workspace") and (
        name == "worker" or stage.form is SandboxMode.USER
    )
    ran = await shell(stage, "cat kept.txt /tmp/lost")
    assert ran.out.text == "kept\n" and "No such file" in ran.err.text


@needed
async def test_it_starts_where_it_is_told(stage: Stage):
    sandbox = stage.sandbox()
    await shell(stage, "mkdir -p a/b; ln -s / way")
    ran = await sandbox.run(SandboxCommand(("/bin/pwd",), stage.workspace, folder="a/b"))
    assert ran.out.text == "/workspace/a/b\n"
    for folder in ("../other", "/etc", "a/none"):
        with pytest.raises(ToolError):
            await sandbox.run(SandboxCommand(("/bin/pwd",), stage.workspace, folder=folder))
    ran = await sandbox.run(SandboxCommand(("/bin/ls",), stage.workspace, folder="way"))
    assert "work" in ran.out.text  # the root of the sandbox: still inside


@needed
async def test_a_program_that_is_not_there(stage: Stage):
    with pytest.raises(ToolError, match="could not be begun"):
        await stage.sandbox().run(SandboxCommand(("/bin/none",), stage.workspace))
    with pytest.raises(ToolError):
        await stage.sandbox().run(SandboxCommand(("/bin/true",), stage.workspace / "none"))


@needed
async def test_its_input_is_empty_and_its_terminal_is_none(stage: Stage):
    ran = await shell(stage, "cat; read x || echo nothing; tty; cat < /dev/tty")
    assert ran.out.text == "nothing\nnot a tty\n" and ran.stopped == ""


@needed
async def test_it_runs_without_end(stage: Stage):
    ran = await shell(stage, "while :; do :; done", seconds=0.3)
    assert ran.stopped == "time" and 0.3 <= ran.seconds < 5


@needed
async def test_it_writes_without_end(stage: Stage):
    ran = await shell(stage, "yes glass & yes mind >&2", output_kb=8)
    assert ran.stopped == "output" and len(ran.out.text + ran.err.text) < 9000
    assert "bytes are left out here" in ran.out.text + ran.err.text


@needed
async def test_it_writes_what_is_no_text(stage: Stage):
    ran = await shell(stage, r"printf 'a\000b\377\r\033[31mred'; head -c 300000 /dev/urandom >&2")
    assert ran.out.text == "a\0b\ufffd\r\033[31mred" and ran.err.size == 300_000


@needed
async def test_it_forks_without_end(stage: Stage):
    ran = await shell(stage, "bomb() { bomb | bomb & }; bomb; sleep 0.5; :", processes=40)
    assert ran.stopped == "" and "fork" in ran.err.text.lower()
    ran = await python(
        stage,
        "import os\ncount = 0\ntry:\n"
        "    while count < 500:\n        os.fork() or __import__('time').sleep(9)\n        count += 1\n"
        "except OSError as error: print(count, error.strerror)",
        processes=40,
    )
    assert int(ran.out.text.split()[0]) < 40


@needed
async def test_it_takes_all_memory(stage: Stage):
    ran = await python(stage, "x = b'x' * 900_000_000; print('had it')", memory_mb=300)
    assert "MemoryError" in ran.err.text and ran.out.text == ""


@needed
async def test_many_together_take_all_memory(stage: Stage):
    """Each keeps below its own limit; a watcher counts what they have together."""
    ran = await python(
        stage,
        "import os, time\nfor _ in range(5): os.fork()\nx = bytearray(os.urandom(1 << 20)) * 40\ntime.sleep(9)",
        memory_mb=150,
        processes=60,
    )
    assert ran.stopped == "memory" and ran.seconds < 8


@needed
async def test_it_fills_the_disk(stage: Stage):
    fill = "i=0; while :; do head -c 3000000 /dev/zero > fill-$i; i=$((i+1)); done"
    ran = await shell(stage, fill, workspace_mb=20)
    assert ran.stopped == "disk"
    size = sum(path.stat().st_size for path in stage.workspace.iterdir())
    assert size < 4_000_000_000  # as much as a disk takes in a fifth of a second, and no more
    ran = await shell(stage, "echo", workspace_mb=20)
    assert ran.stopped == ""  # it can tidy up
    ran = await shell(stage, "head -c 100000000 /dev/zero > large; ls -s large; rm fill-*", workspace_mb=2000)
    assert "File size limit" in ran.err.text or ran.status


@needed
async def test_it_fills_the_disk_with_what_has_no_name(stage: Stage):
    ran = await python(
        stage,
        "import time\nkept = []\nwhile True:\n    kept.append(open('x', 'wb'))\n    kept[-1].write(b'x' * 3_000_000)\n"
        "    kept[-1].flush()\n    __import__('os').unlink('x')\n    time.sleep(0.02)",
        workspace_mb=20,
    )
    assert ran.stopped == "disk" and ran.seconds < 9


@needed
async def test_it_fills_the_disk_with_names(stage: Stage):
    many = "import os, time\nfor n in range(10**6): open(f'{n}', 'w'); time.sleep(0.0002)"
    ran = await python(stage, many, workspace_files=600)
    assert ran.stopped == "disk"


@needed
async def test_nothing_outlives_it(stage: Stage):
    daemons = (
        "setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 1; done' & nohup sleep 99 >/dev/null 2>&1 & "
        "(sleep 99 &) ; echo begun"
    )
    ran = await shell(stage, daemons)
    assert ran.out.text == "begun\n" and ran.stopped == ""
    ran = await shell(stage, "exec >&- 2>&-; sleep 99", seconds=0.2)
    assert ran.stopped == "time"
    ran = await shell(stage, "kill -9 -1; kill -9 1; kill -STOP 1; sleep 99", seconds=0.3)
    assert ran.stopped in ("time", "")


@needed
async def test_whoever_stops_waiting_ends_it_at_every_moment(stage: Stage):
    """Cancelled while it is being made, just made, and running: no process is left, whenever it was."""
    sandbox = stage.sandbox()
    for wait in (0, 0.001, 0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.03, 0.05, 0.12):
        running = asyncio.ensure_future(  # noqa: TID251 - cancelled below
            sandbox.run(SandboxCommand(("/bin/sh", "-c", "sleep 99 & sleep 99"), stage.workspace))
        )
        await asyncio.sleep(wait)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert left(stage) == [], wait


def until(is_so: Callable[[], bool]) -> None:
    for _ in range(250):
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError("it never came to be")


LONE = """
import asyncio, sys
from pathlib import Path
from adapters.bubblewrap import create
from bot.ports.sandbox import SandboxCommand

async def main():
    program = "setsid sleep 97 & trap '' TERM HUP INT; echo > begun; sleep 97; sleep 97"
    await create({}).run(SandboxCommand(("/bin/sh", "-c", program), Path(sys.argv[1])))

asyncio.run(main())
"""


@needed
async def test_a_bot_that_is_killed_takes_them_along():
    with a_stage(forms()[0]) as stage:
        bot = await asyncio.create_subprocess_exec(sys.executable, "-c", LONE, str(stage.workspace), cwd=ROOT)
        await asyncio.to_thread(until, (stage.workspace / "begun").exists)
        assert len(left(stage)) >= 4
        bot.kill()
        await bot.wait()
        await asyncio.to_thread(until, lambda: left(stage) == [])


@needed
async def test_closing_ends_what_runs(stage: Stage):
    sandbox = stage.sandbox()
    running = asyncio.ensure_future(sandbox.run(SandboxCommand(("/bin/sleep", "99"), stage.workspace)))  # noqa: TID251 - closed
    await asyncio.sleep(0.1)
    await sandbox.close()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert left(stage) == []


@needed
async def test_no_more_at_once_than_there_may_be(stage: Stage):
    sandbox = stage.sandbox(at_once=1)
    line = "test -e busy && echo together; touch busy; sleep 0.05; rm busy"
    ran = await asyncio.gather(
        *(sandbox.run(SandboxCommand(("/bin/sh", "-c", line), stage.workspace)) for _ in range(3)),
    )
    assert [one.out.text for one in ran] == ["", "", ""]


@needed
async def test_the_bot_goes_on_while_programs_run(stage: Stage):
    """No step of starting, watching or ending a program holds the loop."""
    sandbox, lags, over = stage.sandbox(), [], asyncio.Event()

    async def tick() -> None:
        while not over.is_set():
            began = time.thread_time()
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            lags.append((time.thread_time() - began, time.perf_counter() - before))

    ticking = asyncio.ensure_future(tick())  # noqa: TID251 - ends below
    commands = ("true", "yes | head -c 4000000", "head -c 2000000 /dev/zero > f")
    await asyncio.gather(*(sandbox.run(SandboxCommand(("/bin/sh", "-c", one), stage.workspace)) for one in commands))
    over.set()
    await ticking
    assert max(cpu for cpu, _ in lags) < 0.05


@needed
async def test_with_a_network_the_services_of_the_host_are_there(stage: Stage):
    """As SECURITY.md says: this is what the switch does, and what the attempts in test_escapes would find."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        line = f"{PYTHON} -c 'import socket; socket.create_connection((\"127.0.0.1\", {server.getsockname()[1]}), 3)'"
        assert (await shell(stage, line, network=True)).status == 0
        assert (await shell(stage, line)).status != 0
        # those of the kind that knows no other owner than who is there stay closed
        abstract = f"{PYTHON} -c 'import socket; socket.socket(socket.AF_UNIX)'"
        assert "not supported" in (await shell(stage, abstract, network=True)).err.text


def test_output_keeps_its_beginning_and_its_end():
    for size in (0, 1, 9, 10, 11, 19, 20, 21, 100, 1000):
        for step in (1, 3, 7, 50):
            capture, whole = OutputBuffer(20), bytes(97 + n % 26 for n in range(size))
            for start in range(0, size, step):
                capture.take(whole[start : start + step])
            found = capture.output()
            assert found.size == size
            if size <= 20:
                assert found.text.encode() == whole
            else:
                assert found.text.encode().startswith(whole[:10]) and found.text.encode().endswith(whole[-10:])
                assert f"{size - 20:,} of {size:,} bytes" in found.text


def test_who_lacks_a_program_is_told_which_and_what_to_do():
    assert requirements.missing_program(SandboxMode.USER, {"prlimit": "/usr/bin/prlimit"}, 1) == (
        "bwrap not found. Install them: apt-get install bubblewrap"
    )
    assert "setpriv not found" in requirements.missing_program(SandboxMode.ROOT, {"bwrap": "/b", "prlimit": "/p"}, 1)
    everything = {name: f"/usr/bin/{name}" for name in ("bwrap", "prlimit", "setpriv")}
    assert "the bot runs as root, to which process limits do not apply" in requirements.missing_program(
        SandboxMode.ROOT, everything, 0
    )
    assert "the user id 2 is that of " in requirements.missing_program(SandboxMode.ROOT, everything, 2)
    assert (
        requirements.missing_program(SandboxMode.ROOT, everything, 65521)
        == requirements.missing_program(SandboxMode.USER, everything, 0)
        == ""
    )


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("bwrap: No permissions to create new namespace, likely because the kernel", "unprivileged_userns_clone=1"),
        ("bwrap: setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns=0"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "no fresh /proc"),
        ("bwrap: something else", "it does not start: bwrap: something else"),
        ("", "without a word"),
    ],
)
def test_why_it_does_not_start(said: str, words: str):
    assert words in requirements.complaint_reason(SandboxMode.USER, said)


def test_what_is_the_bots_own_is_never_readable(tmp_path: Path):
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "way").symlink_to(data)
    assert (
        requirements.exposed_places([], [data]) == requirements.exposed_places([str(tmp_path / "other")], [data]) == ""
    )
    for readable in (tmp_path, data, tmp_path / "way", data / "below"):
        assert "Keep the bot's data and configuration elsewhere" in requirements.exposed_places([str(readable)], [data])
    assert "programs can read /usr" in requirements.exposed_places([], [Path("/usr/local/etc/glassmind.toml")])


async def test_without_it_nothing_runs_and_the_doctor_says_why(tmp_path: Path):
    sandbox = BubblewrapSandbox(Settings(), SandboxMode.USER, {})
    assert "bwrap and prlimit not found" in sandbox.missing()
    with pytest.raises(ToolError, match="Programs cannot be run here: bwrap"):
        await sandbox.run(SandboxCommand(("/bin/true",), tmp_path))
    (row,) = await sandbox.probe()
    assert row.state == "failed" and row.fix.startswith("Install them")


async def test_a_sandbox_that_breaks_is_found_out(tmp_path: Path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    sandbox = BubblewrapSandbox(
        Stage(forms()[0], tmp_path).settings(), SandboxMode.USER, {"bwrap": str(broken), "prlimit": "x"}
    )
    assert sandbox.missing() == ""
    (row,) = await sandbox.probe()
    assert row.state == "failed" and "unprivileged_userns_clone" in row.evidence + row.fix
    assert "namespaces" in sandbox.missing()
