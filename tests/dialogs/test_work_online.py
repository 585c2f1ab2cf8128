"""The same over real sockets: people on Telegram, the real client of a model service, a kill in between."""

from __future__ import annotations

import gc
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.domain.llm import WireRequest
from bot.domain.process import ProcessState
from tests.dialogs.bot import a_bot
from tests.dialogs.chat_bot import alive
from tests.dialogs.minds import answered
from tests.dialogs.online import client_of, model_config, online, types_on
from tests.dialogs.telegram import TelegramBot
from tests.dialogs.tide import TidalClock
from tests.servers.model import Calls, Hangs, ModelServer, Says, model_server
from tests.servers.telegram import World, telegram_server

TASK = "multiply 6 by 7"


def words_of(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)


class Plot:
    """What the model does: it sends a branch out, that a worker, and tells what comes back. The worker is slow."""

    def __init__(self) -> None:
        self.is_slow = True

    def __call__(self, request: dict[str, Any]) -> Any:
        tools = {tool["function"]["name"] for tool in request.get("tools", ())}
        newest = next(m for m in reversed(request["messages"]) if m["role"] == "user")
        done = request["messages"][-1]["role"] == "tool"
        if "finish" in tools:
            reply = Calls([("finish", json.dumps({"outcome": "done", "result": "it is 42"}))])
            return Hangs(reply) if self.is_slow else reply
        if "worker_inspect" in tools:
            return Says("a worker is at it") if done else Calls([("spawn_worker", json.dumps({"task": TASK}))])
        if '"is":"result"' not in words_of(newest):
            return Says("Let me see.") if done else Calls([("branch", json.dumps({"task": "find the number"}))])
        if "42" in words_of(newest):
            return Says("It is 42.")
        return Calls([("skip", json.dumps({"reason": "not yet", "category": "nothing_to_add"}))])


@asynccontextmanager
async def on_telegram(data: Path, server: ModelServer) -> AsyncIterator[TelegramBot]:
    clock = TidalClock()
    world = World(clock=lambda: clock.now() / 1000)
    provider = client_of(server)
    try:
        async with telegram_server(world) as telegram:
            whole = TelegramBot(
                data=data,
                world=world,
                server=telegram,
                clock=clock,
                providers={"openai": provider},
                more=model_config(),
            )
            async with alive(whole) as bot:
                yield bot
    finally:
        await provider.close()


async def test_user_asks_channel_branches_branch_sends_a_worker_which_finishes_after_a_restart(tmp_path: Path) -> None:
    plot = Plot()
    async with model_server() as server:
        server.answer = plot
        async with on_telegram(tmp_path / "data", server) as bot:
            question = bot.say(bot.ann, "@glassmind_bot what is the number?")
            await server.hung()
            # two of the channel, two of the branch, one of the worker, and one on what the branch came back with
            await server.heard(6)
            await answered(bot)
            assert bot.texts() == ["Let me see."]
            await bot.dies()
            plot.is_slow = False
            await bot.lives_again()
            await bot.settled()
            assert bot.texts() == ["Let me see.", "It is 42."]
            reply = bot.written()[-1]
            assert reply.json["reply_to_message"]["message_id"] == question.id
            worker, branch = await bot.store.processes.of_channel(bot.key(), 9)
            assert (worker.state, worker.body.task) == (ProcessState.DONE, TASK)
            assert worker.body.parent_process == branch.id and len(worker.turns) == 2
            assert not await bot.store.processes.unrelayed()
        assert server.problems == []


async def test_while_a_model_thinks_nobody_keeps_what_it_was_sent(tmp_path: Path) -> None:
    # what other tests have left in this process is theirs
    before = {id(thing): thing for thing in gc.get_objects() if type(thing) is WireRequest}
    async with model_server() as server:
        server.answer = lambda _: Hangs(Says("at last"))
        async with online(tmp_path / "data", server) as bot:
            await types_on(bot, "[#general] ann> @glassmind take your time")
            await server.hung()
            gc.collect()
            assert not [one for one in gc.get_objects() if type(one) is WireRequest and id(one) not in before]
            server.answer = lambda _: Says("at last")
            server.release()
            await bot.app.settled()
            assert bot.lines[-1].startswith("[#general] glassmind<")


async def test_the_simulation_shows_it_without_any_network(tmp_path: Path) -> None:
    async with a_bot(tmp_path / "data") as bot:
        said = await bot.says("ann", "@glassmind branch: worker: say the number is 42")
        assert "Branch b" in said[0] and "is thinking about it" in said[0]
        assert said[-1].endswith("the number is 42 (simulated)") and "Worker w" in said[-1]
        assert len(said) == 2, "of the branch, which only sent the worker out, nobody is told"
