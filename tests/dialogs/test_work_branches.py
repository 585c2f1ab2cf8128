"""What a branch may do: remember, read what workers did, and propose that something be forgotten."""

from __future__ import annotations

import re
from pathlib import Path

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import PersonKey, UserId
from bot.domain.messages import Role
from bot.domain.process import ProcessState
from bot.domain.turn import CallState
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.minds import SCRIPTED, Minds, asked, done
from tests.dialogs.test_tools import slowed
from tests.dialogs.test_work import relays
from tests.fakes.provider import calls, says


def result_of(request) -> str:
    return request.messages[-1].results[0].text


async def test_a_branch_remembers_when_it_is_done(tmp_path: Path) -> None:
    def thinks(request):
        saves = calls(("memory_save", {"content": "Ann likes the number 42.", "type": "preference"}))
        return says("noted") if done(request) else saves

    minds = Minds(channel=relays, branch=thinks)
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind what is the number?")
        (memory,) = await bot.store.memories.listed(GENERAL.agent, GENERAL.channel, "")
        provenance = memory.body.provenance
        assert (provenance.author, provenance.process) == ("101", "branch")
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert (provenance.turn, provenance.inbound) == (process.turn, process.body.inbound)


async def test_a_memory_is_forgotten_only_when_an_admin_confirms_in_private(tmp_path: Path) -> None:
    name = handle(HandleKind.MEMORY, 1)

    def thinks(request):
        match done(request):
            case 0:
                return calls(("memory_delete", {"memory": name, "reason": "it is not so any more"}))
            case _:
                return says(result_of(request))

    def channel(request):
        if "remember" in asked(request):
            saves = calls(("memory_save", {"content": "Tea is at five.", "type": "fact"}))
            return says("ok") if done(request) else saves
        return relays(request)

    minds = Minds(channel=channel, branch=thinks)
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind remember the tea")
        await bot.says("ann", "@glassmind what is the number?")
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert process.state is ProcessState.DONE and "Until one confirms, it stays." in process.result
        memory = await bot.store.memories.get(1)
        assert memory is not None and not memory.forgotten_at
        offered = [line for line in bot.private() if f"Forget {name}…" in line or f"{name}, because" in line]
        assert any("it is not so any more" in line for line in offered)
        assert all(line.startswith(("[dm root", "[dm mod")) for line in offered)
        button = next(b for b in bot.console.world.buttons if f"Forget {name}…" in str(bot.console.world.buttons[b]))
        said = await bot.types("/as root", f"/press {button}")
        assert any("Tea is at five." in line for line in said), said
        memory = await bot.store.memories.get(1)
        assert memory is not None and not memory.forgotten_at, "shown, and still there"


PARTS = ["outline", "task", "result", "round:1.0", "nonsense"]


def sends_and_looks(request):
    """The channel: lets a worker count, and a branch look what it did."""
    text = asked(request)
    if '"is":"result"' in text:
        return says("ok")
    if done(request):
        return says("sent")
    worker = ("spawn_worker", {"task": "Count the chairs.", "name": "chairs"})
    return calls(("branch", {"task": "look"}) if "look" in text else worker)


def since_it_began(request) -> list[str]:
    """The results of the tools that a branch called itself."""
    begun = max(n for n, message in enumerate(request.messages) if message.role is Role.USER)
    return [message.results[0].text for message in request.messages[begun:] if message.results]


def reads_on(request):
    """The branch: lists what was done, then reads it part by part."""
    texts = since_it_began(request)
    if not texts:
        return calls(("worker_inspect", {}))
    if len(texts) > len(PARTS):
        return says("seen")
    name = re.match(r"[0-9a-z]+", texts[0].partition("- w")[2])[0]
    return calls(("worker_inspect", {"id": f"w{name}", "part": PARTS[len(texts) - 1], "max_chars": 400}))


def counts(request):
    """The worker: looks around, then hands in more than fits on a page."""
    if not done(request):
        return calls(("list_all_tools", {}), text="I look around")
    return calls(("finish", {"outcome": "done", "result": "there are 40" + " and more" * 100}))


async def test_what_a_worker_did_is_read_by_part_and_within_a_budget(tmp_path: Path) -> None:
    minds = Minds(channel=sends_and_looks, branch=reads_on, worker=counts)
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind how many chairs are there?")
        await bot.says("ann", "@glassmind look what it did")
        listed, outline, task, result, first, wrong = since_it_began(minds.of("branch")[-1])
        assert 'worker "chairs": done' in listed
        assert "round 1.0: I look around · list_all_tools ok" in outline
        assert "Count the chairs." in task
        assert "there are 40" in result and "characters more: read on with offset 400]" in result
        assert "said: I look around" in first and "called list_all_tools" in first
        assert 'There is no part "nonsense"' in wrong


async def test_of_another_channel_nothing_is_read(tmp_path: Path) -> None:
    def channel(request):
        if '"is":"result"' in asked(request):
            return says("ok")
        if "spy" in asked(request):
            return says("looking") if done(request) else calls(("branch", {"task": "spy"}))
        return says("sent") if done(request) else calls(("spawn_worker", {"task": "a secret"}))

    def thinks(request):
        if not done(request):
            return calls(("worker_inspect", {"id": names[0]}), ("worker_inspect", {}))
        return says("seen")

    names: list[str] = []
    minds = Minds(channel=channel, branch=thinks)
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind go")
        (worker,) = await bot.store.processes.of_channel(GENERAL, 5)
        names.append(worker.handle)
        await bot.says("bo", "@glassmind spy", "#hall")
        one, every = (r.text for r in minds.of("branch")[-1].messages[-1].results)
        assert f"There is no {worker.handle} in this channel" in one
        assert "secret" not in one + every


async def test_forgetting_a_person_takes_what_was_done_for_them(tmp_path: Path) -> None:
    canary = "tulip-4711"
    minds = Minds(
        channel=lambda r: relays(r) if '"is":"result"' not in asked(r) else says("done"),
        branch=lambda r: says(f"it is about {canary}"),
    )
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", f"@glassmind what is the number of {canary}?")
        await bot.store.erasures.erase(PersonKey("console", UserId("101")))
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert (process.body.task, process.result, process.body.by.name) == ("", "", "")
        assert await bot.store.probe()
        rows = await bot.store.ledger.recent(GENERAL, 9)
        assert all(canary not in row.inbound.text for row in rows)
        data = b"".join(path.read_bytes() for path in sorted((tmp_path / "data").rglob("*")) if path.is_file())
        assert canary.encode() not in data


async def test_a_call_that_a_branch_left_going_on_ends_with_it(tmp_path: Path) -> None:
    def thinks(request):
        return says("the number is 42") if done(request) else calls(("channel_recall", {"query": "tea"}))

    minds = Minds(channel=relays, branch=thinks)
    more = SCRIPTED + "\n[calls]\ninline_seconds = 0.05\n"
    async with a_bot(tmp_path / "data", providers=minds.providers, more=more) as bot:
        await slowed(bot)
        await bot.says("ann", "@glassmind what is the number?")
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert (process.state, process.result) == (ProcessState.DONE, "the number is 42")
        (call,) = await bot.store.journal.calls_of_turn(process.turn)
        assert (call.tool_name, call.is_at) == ("channel_recall", CallState.CANCELLED)


async def test_where_nothing_is_recorded_task_and_result_go_when_they_were_read(tmp_path: Path) -> None:
    minds = Minds(channel=relays, branch=lambda _: says("the number is 42"))
    more = SCRIPTED + '\n[channels."console:#general"]\nrecord = false\n'
    async with a_bot(tmp_path / "data", providers=minds.providers, more=more) as bot:
        said = await bot.says("ann", "@glassmind what is the number?")
        assert any(line.endswith("< It is 42.") for line in said)
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert process.state is ProcessState.DONE and process.relayed_at
        assert (process.body.task, process.body.name, process.result) == ("", "", "")
        shown = "\n".join(await bot.types("/as root", f"[dm] root> !cortex work {process.handle}"))
        assert "not kept" in shown, shown


async def test_what_was_stopped_is_told_once_where_nothing_is_recorded(tmp_path: Path) -> None:
    def channel(request):
        if done(request):
            return says(result_of(request)) if "stop" in asked(request) else says("Let me see.")
        (name,) = [w for w in asked(request).split() if w.startswith("b")][-1:] or [""]
        stops, sends = ("cancel", {"id": name}), ("branch", {"task": "find the number", "name": "number"})
        return calls(stops if "stop" in asked(request) else sends)

    minds = Minds(channel=channel, holds={"branch"})
    more = SCRIPTED + '\n[channels."console:#general"]\nrecord = false\n'
    async with a_bot(tmp_path / "data", providers=minds.providers, more=more) as bot:
        await bot.console.type("[#general] ann> @glassmind what is the number?", bot.app.manager)
        await minds.waiting.wait()
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        said = await bot.says("ann", f"@glassmind stop {process.handle}")
        assert any(f"{process.handle} is stopped." in line for line in said), said
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert process.state is ProcessState.CANCELLED and not process.body.task
