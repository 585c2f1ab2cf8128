"""An admin lets a worker do something from the talk: proposed, confirmed, and told to that admin alone, once."""

from __future__ import annotations

import asyncio
import re

from bot.domain.access import Authority, Caller
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import PersonKey, UserId
from bot.domain.messages import ButtonPress
from bot.domain.process import NewProcess, ProcessEnd, ProcessOrigin, ProcessState
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, GENERAL, OWNER, chat, config, dm_of
from tests.fakes.provider import calls, says
from tests.fakes.values import KEY

NOTHING = says('{"findings":[],"summary":"All is well."}')
TASK = "Multiply six by seven and say what it is."
NAME = handle(HandleKind.WORKER, 1)
PROPOSES = (calls(("spawn_worker", {"task": TASK, "name": "sum"})), says("A worker could do that."))
HANDS_IN = calls(("finish", {"outcome": "done", "result": "It is forty-two."}))


async def offered(bot, by=OWNER):
    """Talk until the model has proposed a worker."""
    await bot.hears("are you there?")
    await bot.hears("!cortex why isn't this responding", by)
    bot.provider.script[:] = [*PROPOSES]
    await bot.dm("have it worked out", by)


async def presses_and_leaves(bot):
    """Press, and do not wait for what comes of it."""
    data = bot.button("Send a worker").data
    press = ButtonPress(person=PersonKey("console", UserId(OWNER)), name="root", channel=dm_of(OWNER), data=data)
    assert await bot.manager.pressed(press) == "Sent."


def told(bot, words="forty-two"):
    return [sent for sent in bot.platform.sent if words in sent.text]


async def processes(bot):
    return list(await bot.store.processes.of_channel(KEY, 9))


async def test_it_is_proposed_and_nothing_runs_before_the_press(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await offered(bot)
        assert bot.last.startswith("Send a worker for #general?")
        assert TASK in bot.last and "without tools: none are open to you there" in bot.last
        assert "with your authority (owner)" in bot.last and "cannot be undone" in bot.last
        assert await processes(bot) == []
        result = [part.text for m in bot.provider.requests[-1].messages for part in m.results]
        assert "nothing runs before they press it" in result[0]
        assert "Nothing was changed" in await bot.presses("Leave it")
        assert await processes(bot) == []


async def test_a_press_sends_it_out_and_its_result_comes_to_the_admin_alone(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await offered(bot)
        digest = (await bot.app.inspector.inspect(KEY)).digest
        bot.provider.script[:] = [HANDS_IN]
        assert await bot.presses("Send a worker") == "Sent."
        (result,) = told(bot)
        assert result.to.channel == dm_of(OWNER) and result.to.private_to == OWNER
        assert f"{NAME} has ended: done" in result.text
        (process,) = await processes(bot)
        assert process.body.by.authority.name == "OWNER" and process.relayed_at and not process.row
        assert bot.public == ["yes"], "the channel hears nothing"
        assert (await bot.app.inspector.inspect(KEY)).digest == digest, "and knows nothing"
        assert "Done" in await bot.presses("Send a worker"), "a second press does nothing"
        assert len(await processes(bot)) == 1
        await bot.dm("!cortex work")
        assert re.search(rf"worker “sum” done .* for user1 in private · {NAME}$", bot.last), bot.last


async def test_while_it_runs_the_channel_does_not_see_it_and_an_admin_can_stop_it(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await offered(bot)
        began = asyncio.Event()

        async def thinks(request):
            began.set()
            await asyncio.Event().wait()

        bot.provider.script[:] = [thinks]
        await presses_and_leaves(bot)
        await began.wait()
        state = await bot.store.channels.load(KEY)
        assert state is not None and not state.running and not state.finished
        assert not bot.app.mind.work.roster.of(KEY), "what is stopped with the channel's turn is the channel's"
        await bot.arrives(f"!cortex cancel {NAME}", OWNER, dm_of(OWNER))
        await bot.until(lambda: f"Stop {NAME}?" in bot.last)
        await bot.presses(f"Stop {NAME}")
        assert (await processes(bot))[0].state is ProcessState.CANCELLED
        assert len(told(bot, f"{NAME} has ended: cancelled")) == 1
        assert bot.public == ["yes"]


async def test_where_as_many_run_as_may_it_is_said_and_none_is_sent_out(tmp_path):
    settings = config(tmp_path / "data", work={"workers": 1})
    async with chat(tmp_path, says("yes"), NOTHING, settings=settings) as bot:
        await offered(bot)
        with bot.app.mind.work.roster.place(KEY, ProcessKind.WORKER, 1):
            answer = await bot.presses("Send a worker")
        assert answer.startswith("Not started: as many workers") and "ask again for a new one" in answer
        assert await processes(bot) == []


async def test_a_worker_goes_on_after_a_restart_and_is_told_once(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await offered(bot)
        began = asyncio.Event()

        async def thinks(request):
            began.set()
            await asyncio.Event().wait()

        bot.provider.script[:] = [thinks]
        await presses_and_leaves(bot)
        await began.wait()
    async with chat(tmp_path, HANDS_IN) as bot:
        await bot.settled()
        (result,) = told(bot)
        assert result.to.private_to == OWNER and bot.public == []
    async with chat(tmp_path) as bot:
        await bot.settled()
        assert told(bot) == []


async def test_what_came_back_and_was_not_told_is_told_by_the_next_start(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await offered(bot)
        # the program ends between the end of the work and the word about it
        new = NewProcess(
            agent=KEY.agent,
            channel=KEY.channel,
            kind=ProcessKind.WORKER,
            task=TASK,
            name="sum",
            by=Caller(PersonKey("console", UserId(OWNER)), "root", Authority.OWNER),
            parent_turn=1,
            inbound=0,
            origin=ProcessOrigin(platform="console"),
            session=1,
        )
        begun = await bot.store.processes.begin(new, bot.clock.now())
        done = ProcessEnd(id=1, version=begun.version, state=ProcessState.DONE, result="It is forty-two.", at=1)
        assert await bot.store.processes.end(done) is not None
    for times in (1, 0):
        async with chat(tmp_path) as bot:
            await bot.settled()
            assert [sent.to.private_to for sent in told(bot)] == [OWNER] * times and bot.public == []


async def test_who_lost_the_right_cannot_send_it_out(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await offered(bot, ADMIN)
        button = bot.button("Send a worker").data
        assert "Only the person" in await bot.press_data(button, ADMIN_TOO, dm_of(ADMIN_TOO))
        bot.platform.admins.discard((ADMIN, GENERAL))
        assert "may not" in await bot.press_data(button, ADMIN, dm_of(ADMIN))
        assert await processes(bot) == []


async def test_who_loses_the_right_meanwhile_is_not_told_what_it_found(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await offered(bot, ADMIN)

        async def revoked(request):
            bot.platform.admins.discard((ADMIN, GENERAL))
            return HANDS_IN

        bot.provider.script[:] = [revoked]
        await bot.presses("Send a worker", ADMIN)
        assert told(bot) == [] and "can't show" in bot.last


async def test_those_in_the_channel_can_neither_stop_nor_read_it(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await offered(bot)
        bot.provider.script[:] = [HANDS_IN]
        await bot.presses("Send a worker")

        def looks(request):
            if not any("branch" in block.name for block in request.system):
                return bot.turns.pop(0)
            found = [part.text for message in request.messages for part in message.results]
            return says(" ".join(found)) if found else calls(("worker_inspect", {}), ("worker_inspect", {"id": NAME}))

        bot.turns = [
            calls(("cancel", {"id": NAME}), ("branch", {"task": f"Read what {NAME} found."})),
            says("Looking."),
            says("There is nothing."),
        ]
        bot.provider.script[:] = [looks]
        await bot.hears(f"what did {NAME} find?")
        words = [part.text for r in bot.provider.requests[-4:] for m in r.messages for part in m.results]
        assert any("is no branch or worker of this channel" in text for text in words)
        assert any(f"There is no {NAME} in this channel" in text for text in words)
        assert not any("forty-two" in m.text for r in bot.provider.requests[-4:] for m in r.messages)
        assert not any("forty-two" in text for text in words)
        assert bot.public == ["yes", "Looking.", "There is nothing."]
