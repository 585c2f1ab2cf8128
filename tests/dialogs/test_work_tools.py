"""Workers that do real work: files of their channel, programs in a sandbox, and tools that fail in every way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.domain.llm import LLMRequest
from bot.domain.messages import Role
from bot.domain.process import ProcessState, StoredProcess
from bot.domain.turn import ToolCallRecord
from bot.ports.sandbox import ProgramOutput, ProgramResult, SandboxCommand
from tests.adapters.bubblewrap.stage import why_not
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.minds import SCRIPTED, Minds, asked, done, until
from tests.dialogs.online import types_on
from tests.fakes.provider import calls, says
from tests.fakes.sandbox import FakeSandbox, wrote

FILES = "[tools.files]\nenabled = true\n"
SHELL = '[tools.shell]\nenabled = true\nchannels = ["console:#general"]\n'
TEA = "notes/tea.md"
RESULT = '"is":"result"'


def orders(request: LLMRequest):
    if RESULT in asked(request):
        return says("It came back.")
    if done(request):
        return says("A worker is at it.")
    return calls(("spawn_worker", {"task": "Do what has to be done.", "name": "work"}))


def told(request: LLMRequest) -> list[str]:
    """What the worker's tools said so far."""
    return [part.text for message in request.messages if message.role is Role.TOOL for part in message.results]


def works(*rounds: Sequence[tuple[str, dict[str, Any]]]) -> Minds:
    """A worker that makes these calls, round by round, and hands in what the last one said."""

    def worker(request: LLMRequest):
        step = done(request)
        if step < len(rounds):
            return calls(*rounds[step])
        return calls(
            ("finish", {"outcome": "done", "result": told(request)[-1][:2000] if told(request) else "nothing"})
        )

    return Minds(channel=orders, worker=worker)


def a_shop(tmp_path: Path, minds: Minds, more: str, sandbox: FakeSandbox):
    return a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED + more, sandbox=lambda: sandbox)


async def played(bot: Bot, name: str = "mod") -> tuple[StoredProcess, list[ToolCallRecord]]:
    await bot.says(name, "@glassmind get to work")
    (process,) = await bot.store.processes.of_channel(GENERAL, 5)
    records = [call for turn in process.turns for call in await bot.store.journal.calls_of_turn(turn)]
    assert process.state is not ProcessState.RUNNING
    assert any("It came back." in line for line in bot.lines), bot.lines
    return process, records


def offered(minds: Minds) -> set[str]:
    return {tool.name for tool in minds.of("worker")[0].tools}


async def test_files_are_written_found_and_changed(tmp_path: Path):
    minds = works(
        [
            ("file_write", {"path": "notes/tea.md", "content": "green tea\nblack tea\n"}),
            ("file_read", {"path": "none"}),
        ],
        [
            ("file_edit", {"path": "notes/tea.md", "old": "black", "new": "white"}),
            ("file_edit", {"path": "notes/tea.md", "old": "tea", "new": "x"}),
        ],
        [
            ("file_list", {}),
            ("file_search", {"text": "white"}),
            ("file_read", {"path": "/workspace/notes/tea.md", "start": 2}),
        ],
        [("file_read", {"path": "../../../glassmind.db"}), ("file_write", {"path": "/etc/x", "content": ""})],
    )
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED + FILES) as bot:
        process, records = await played(bot)
        assert process.state is ProcessState.DONE
        said = {(record.tool_name, record.success): record.result_output for record in records}
        assert said["file_write", True] == "notes/tea.md has 20 bytes now (it is new)."
        assert "leads upwards" in said["file_read", False]
        assert said["file_edit", True] == "notes/tea.md has 20 bytes now. Replaced 1 time."
        assert said["file_edit", False].startswith("Not changed: the text stands there 2 times.")
        assert said["file_list", True].startswith("notes/\nnotes/tea.md 20 bytes 20")
        assert said["file_search", True] == "notes/tea.md:2: white tea\n[1 files were read]"
        assert said["file_read", True] == "white tea\n[lines 2 to 2 of 2]"
        assert '"/etc/x" is outside of the workspace' in said["file_write", False]
        assert offered(minds) & {"shell", "exec"} == set()


@pytest.mark.skipif(bool(why_not()), reason=f"the sandbox is not there: {why_not()}")
async def test_programs_and_file_tools_see_the_same_workspace(tmp_path: Path):
    minds = works(
        [("file_write", {"path": "in.txt", "content": "3\n1\n2\n"})],
        [
            ("shell", {"command": "sort in.txt > out.txt; cat ../../secret.key; exit 3"}),
            ("exec", {"argv": ["/usr/bin/wc", "-l", "in.txt"]}),
        ],
        [("file_read", {"path": "out.txt"}), ("shell", {"command": "sleep 9", "seconds": 0.2})],
    )
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED + FILES + SHELL) as bot:
        _, records = await played(bot)
        said = {(record.tool_name, record.success): record.result_output for record in records}
        assert said["shell", True].startswith("Exit status 3, ") and "No such file" in said["shell", True]
        assert said["exec", True].endswith("--- output ---\n3 in.txt")
        assert said["file_read", True].startswith("1\n2\n3\n")
        assert said["shell", False].startswith("It was stopped, because its time was over (0.")


@pytest.mark.parametrize(
    ("who", "more", "sandbox", "why"),
    [
        ("mod", "", FakeSandbox(), "off"),
        ("ann", FILES + SHELL, FakeSandbox(), "no admin"),
        ("mod", FILES + SHELL.replace("general", "other"), FakeSandbox(), "another channel"),
        ("mod", FILES + SHELL, FakeSandbox(missing="bwrap not found"), "no means"),
    ],
)
async def test_what_is_not_granted_or_not_there_is_not_offered(
    tmp_path: Path, who: str, more: str, sandbox: FakeSandbox, why: str
):
    minds = works([("shell", {"command": "id"})])
    async with a_shop(tmp_path, minds, more, sandbox) as bot:
        process, records = await played(bot, who)
        assert "shell" not in offered(minds) and "exec" not in offered(minds) and sandbox.ran == [], why
        assert ("file_read" in offered(minds)) == (bool(more) and who == "mod")
        shell = next(record for record in records if record.tool_name == "shell")
        assert not shell.success and 'There is no tool "shell" here' in shell.result_output
        assert process.is_over


def broken(command: SandboxCommand) -> ProgramResult:
    match command.argv[-1]:
        case "raise":
            raise RuntimeError("the sandbox fell over: /secret/path")
        case "bytes":
            return ProgramResult(0, ProgramOutput(b"\xff\x00", 2), ProgramOutput("", 0), 0.1)  # type: ignore[arg-type]
        case "none":
            return None  # type: ignore[return-value]
        case "gigabyte":
            return wrote("x" * 3_000_000)
        case "odd":
            return wrote("a\0b\ud800\x1b]0;evil\x07‮", status=139)
        case "memory" | "disk" | "output" as limit:
            return wrote("so far\n", status=137, stopped=limit)
        case _:
            return wrote("fine\n")


BROKEN = ("raise", "bytes", "none", "gigabyte", "odd", "memory", "disk", "output", "fine")


async def test_a_tool_that_breaks_is_a_record_and_words_and_the_turn_goes_on(tmp_path: Path):
    words: list[dict[str, Any]] = [{"argv": ["x\0y"]}, {"argv": []}]
    minds = works([("shell", {"command": line}) for line in BROKEN], [("exec", arguments) for arguments in words])
    # kept, because a log that nobody has set up paints what was raised with everything around it
    with capture_logs() as logs:
        async with a_shop(tmp_path, minds, SHELL, FakeSandbox(broken)) as bot:
            process, records = await played(bot)
    # side by side, so whichever breaks first is told first; the records stand as the model called
    raised = sorted(log["error_type"] for log in logs if log["event"] == "tool_raised")
    assert raised == ["AttributeError", "RuntimeError"]
    assert process.state is ProcessState.DONE
    said = dict(zip(BROKEN, records, strict=False))
    assert [said[name].success for name in BROKEN] == [False, True, False, True, True, False, False, False, True]
    for name in ("raise", "none"):
        assert said[name].result_output.startswith("shell broke (") and "/secret" not in said[name].result_output
    assert "(ended by signal 11)" in said["odd"].result_output and "\0" not in said["odd"].result_output
    assert said["memory"].result_output.endswith("more memory than a program may.\n--- output ---\nso far")
    seen = next(text for text in told(minds.of("worker")[-1]) if "xxxx" in text)
    assert len(seen) < 21_000 and "are not shown" in seen
    assert len(said["gigabyte"].result_output) < 1_000_000
    assert {record.success for record in records[len(BROKEN) : len(BROKEN) + 2]} == {False}


async def test_a_program_that_hangs_ends_with_its_worker(tmp_path: Path):
    minds = works([("shell", {"command": "sleep forever"})])
    sandbox = FakeSandbox()
    async with a_shop(tmp_path, minds, SHELL, sandbox) as bot:
        await types_on(bot, "[#general] mod> @glassmind get to work")
        await sandbox.started.wait()
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert process.state is ProcessState.RUNNING
    assert sandbox.ended == sandbox.ran and len(sandbox.ran) == 1


async def test_while_a_worker_is_at_work_its_record_says_why_each_piece_was_put_before_it(tmp_path: Path):
    def worker(request: LLMRequest):
        if not done(request):
            minds.holds.add("worker")
        return calls(("finish", {"outcome": "done", "result": "It is written."})) if done(request) else begun

    begun = calls(("file_write", {"path": "a.txt", "content": "x"}))
    minds = Minds(channel=orders, worker=worker)
    async with a_shop(tmp_path, minds, FILES, FakeSandbox()) as bot:
        await types_on(bot, "[#general] mod> @glassmind get to work, please")
        await minds.waiting.wait()
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        await types_on(bot, f"[#general] root> !cortex work {process.handle}")
        await until(lambda: shown(bot, "what it was shown, and why"))
        assert any("base +1000 (critical)" in line for line in "\n".join(bot.lines).split("\n"))
        minds.holds.clear()
        minds.goes_on.set()
        await bot.app.settled()


async def shown(bot: Bot, words: str) -> bool:
    return any(words in line for line in bot.lines)


def written_over(folder: Path, name: str, content: str) -> None:
    (path,) = folder.rglob(name)
    path.write_text(content)


async def test_a_worker_hands_a_file_over_and_knows_what_was_typed_and_both_stand_in_its_record(tmp_path: Path):
    typed = "@glassmind get to work: «Umsätze» of  May, in € please"

    def worker(request: LLMRequest):
        if not done(request):
            return calls(("file_write", {"path": "out/may.csv", "content": "day,eur\n1,20\n"}))
        if done(request) == 1:
            return calls(("finish", {"outcome": "done", "result": "x", "files": ["out/june.csv"]}))
        return calls(("finish", {"outcome": "done", "result": "It is written.", "files": ["out/may.csv"]}))

    def channel(request: LLMRequest):
        if "read me" in asked(request):
            name = asked(request).split()[-1]
            return says("No.") if done(request) else calls(("artifact_read", {"worker": name, "path": "out/may.csv"}))
        if RESULT not in asked(request):
            return orders(request)
        handed = [text for text in told(request) if "day,eur" in text]
        if handed:
            return says(f"It came back: {handed[-1].splitlines()[1]}")
        name = asked(request).partition("`artifact_read` with ")[2].partition(" ")[0]
        return calls(("artifact_read", {"worker": name, "path": "out/may.csv"}))

    minds = Minds(channel=channel, worker=worker)
    async with a_shop(tmp_path, minds, FILES, FakeSandbox()) as bot:
        await bot.says("mod", typed)
        assert "[#general] glassmind< It came back: 1,20" in bot.lines
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        (file,) = process.body.artifacts
        assert (file.path, file.size, process.state) == ("out/may.csv", 13, ProcessState.DONE)
        # the words of whoever asked, exact, beside the task that a model made of them
        first = minds.of("worker")[0].messages[0].text
        assert "Do what has to be done." in first and typed in first
        # a file that is not there ends nothing: it is told
        assert any("june.csv" in text for text in told(minds.of("worker")[-1]))
        page = "\n".join(await bot.says("root", f"!cortex work {process.handle}"))
        assert "the message it comes from" in page and "«Umsätze» of  May" in page and "out/may.csv · 13" in page
        assert "what it was shown, and why" not in page, "what is over keeps no words"
        # another channel has no such worker
        await bot.says("mod", f"@glassmind read me {process.handle}", "#tea")
        assert told(minds.of("channel")[-1])[-1].startswith("There is no worker")
        # what was handed over may be written over since, and then that is said
        written_over(tmp_path, "may.csv", "day,eur\n1,99\n")
        await bot.says("mod", f"@glassmind read me {process.handle}")
        assert "1,99" in (told_now := told(minds.of("channel")[-1])[-1])
        assert told_now.endswith(f"[the file has changed since {process.handle} handed it over]")
