"""A worker that was cut off and of which nobody can tell what it did ends with a word; nothing of it runs again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path

import orjson
import pytest

from bot.domain.base import canonical_json
from bot.domain.ids import MAIN
from bot.domain.process import ProcessState, StoredProcess
from bot.ports.checkpoints import StoredCheckpoint
from bot.task_prompt.checkpoint import TaskState
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.minds import SCRIPTED, Minds, answered, asked, done, kind_of
from tests.dialogs.online import types_on
from tests.dialogs.test_work_workers import FILES, hands_in, orders, the_worker
from tests.fakes.provider import ScriptedProvider, calls
from tests.inside.store import database_of


class Painter:
    """A worker that writes a file, and hangs before it hands that in; the channel reads out what comes back."""

    def __init__(self) -> None:
        self.minds = Minds(channel=orders)

    async def __call__(self, request):
        if kind_of(request) != "worker":
            return await self.minds(request)
        self.minds.requests.append(("worker", request))
        if not done(request):
            return calls(("file_write", {"path": "chairs.md", "content": "forty\n"}))
        if not self.minds.goes_on.is_set():
            self.minds.waiting.set()
            await self.minds.goes_on.wait()
        return hands_in()


@asynccontextmanager
async def a_painting_bot(data: Path, more: str = ""):
    """A bot whose worker has written its file, and is at its next round."""
    painter = Painter()
    providers = {"scripted": ScriptedProvider(painter)}
    async with a_bot(data, providers=providers, more=SCRIPTED + FILES + more) as bot:
        await types_on(bot, "[#general] ann> @glassmind how many chairs are there?")
        await painter.minds.waiting.wait()
        await answered(bot)
        painter.minds.goes_on.set()
        yield bot, painter


async def kept(bot: Bot) -> StoredCheckpoint:
    found = await bot.store.checkpoints.restore(MAIN, (await the_worker(bot)).handle)
    assert found is not None
    return found


async def made(bot: Bot, process: StoredProcess) -> list[str]:
    return [call.tool_name for turn in process.turns for call in await bot.store.journal.calls_of_turn(turn)]


def of_version_9(stored: StoredCheckpoint) -> StoredCheckpoint:
    return stored.replace(version=9)


def of_version_9_inside(stored: StoredCheckpoint) -> StoredCheckpoint:
    return stored.replace(body=stored.body.replace('\\"schema_version\\":1', '\\"schema_version\\":9'))


def cut_short(stored: StoredCheckpoint) -> StoredCheckpoint:
    return stored.replace(body='{"checkpoint":"{","notes":{}}')


def no_json(stored: StoredCheckpoint) -> StoredCheckpoint:
    return stored.replace(body="{}")


def without_messages(stored: StoredCheckpoint) -> StoredCheckpoint:
    body = orjson.loads(stored.body)
    checkpoint = {**orjson.loads(body["checkpoint"]), "conversation_history": []}
    return stored.replace(body=canonical_json({**body, "checkpoint": canonical_json(checkpoint)}))


def of_no_known_state(stored: StoredCheckpoint) -> StoredCheckpoint:
    return stored.replace(state="asleep")


def ended(stored: StoredCheckpoint) -> StoredCheckpoint:
    return stored.replace(state="completed")


SPOILT = [
    (of_version_9, "is of version 9, and this program reads version 1"),
    (of_version_9_inside, "is damaged"),
    (cut_short, "is damaged"),
    (no_json, "is damaged"),
    (without_messages, "no message is in it"),
    (of_no_known_state, "“asleep”"),
    (ended, "“completed”"),
]


@pytest.mark.parametrize(("spoil", "words"), SPOILT, ids=[spoil.__name__ for spoil, _ in SPOILT])
async def test_what_cannot_be_read_is_not_begun_anew_and_that_is_said(
    tmp_path: Path, spoil: Callable[[StoredCheckpoint], StoredCheckpoint], words: str
) -> None:
    async with a_painting_bot(tmp_path / "data") as (bot, painter):

        async def spoils() -> None:
            await bot.store.checkpoints.save(spoil(await kept(bot)))

        await bot.restart(spoils)
        await bot.app.settled()
        process = await the_worker(bot)
        assert await made(bot, process) == ["file_write"], "what was done is not done again"
        assert process.state is ProcessState.FAILED
        assert process.reason.startswith("not resumed: ") and words in process.reason
        told = asked(painter.minds.of("channel")[-1])
        assert "has failed" in told and "Why: not resumed: " in told and words in told
        assert sum("It came back." in line for line in bot.lines) == 1
        shown = "\n".join(await bot.says("root", "!cortex work"))
        assert "worker “" in shown and process.handle in shown and "failed" in shown and "not resumed: " in shown
        over = await kept(bot)
        assert (over.state, over.body) == (TaskState.FAILED, "{}"), "what is over keeps no words"


async def test_what_is_gone_is_not_begun_anew_once_a_model_was_asked(tmp_path: Path) -> None:
    async with a_painting_bot(tmp_path / "data") as (bot, _):

        async def takes_it_out() -> None:
            await database_of(bot.store).write(lambda connection: connection.execute("DELETE FROM checkpoint"))

        await bot.restart(takes_it_out)
        await bot.app.settled()
        process = await the_worker(bot)
        assert await made(bot, process) == ["file_write"]
        assert process.state is ProcessState.FAILED
        assert process.reason.startswith("not resumed: nothing is kept of how far it had come")


async def test_one_that_had_asked_no_model_begins(tmp_path: Path) -> None:
    async with a_painting_bot(tmp_path / "data") as (bot, _):
        await bot.app.settled()  # the other one is to be over: cut off at its end it would hand in once more
        new = (await the_worker(bot)).body.replace(task="Count the tables.", name="tables")
        await bot.store.processes.begin(new, bot.clock.now())
        await bot.restart()
        await bot.app.settled()
        tables, chairs = await bot.store.processes.of_channel(GENERAL, 5)
        assert (tables.state, chairs.state) == (ProcessState.DONE, ProcessState.DONE)
        assert await made(bot, tables) == await made(bot, chairs) == ["file_write", "finish"]


@pytest.mark.parametrize(
    ("outcome", "state"),
    [("done", TaskState.COMPLETED), ("partial", TaskState.COMPLETED), ("failed", TaskState.FAILED)],
)
async def test_what_is_over_says_how_it_ended(tmp_path: Path, outcome: str, state: TaskState) -> None:
    minds = Minds(channel=orders, worker=lambda _: hands_in("forty", outcome))
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind how many chairs are there?")
        over = await kept(bot)
        assert (over.state, over.body) == (state, "{}")


async def test_what_was_stopped_says_so(tmp_path: Path) -> None:
    minds = Minds(channel=orders, holds={"worker"})
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await types_on(bot, "[#general] ann> @glassmind how many chairs are there?")
        await minds.waiting.wait()
        await answered(bot)
        await types_on(bot, "[#general] root> @glassmind /stop")
        await bot.app.settled()
        assert (await the_worker(bot)).state is ProcessState.CANCELLED
        assert (await kept(bot)).state == TaskState.CANCELLED


async def test_one_that_is_given_up_after_three_deaths_leaves_no_words_behind(tmp_path: Path) -> None:
    minds = Minds(channel=orders, holds={"worker"})
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await types_on(bot, "[#general] ann> @glassmind how many chairs are there?")
        await minds.waiting.wait()
        await answered(bot)
        for _ in range(3):
            minds.waiting.clear()
            await bot.dies()
            await bot.open()
        await bot.app.settled()
        process = await the_worker(bot)
        assert process.state is ProcessState.FAILED and process.reason.startswith("interrupted")
        over = await kept(bot)
        assert (over.state, over.body) == (TaskState.FAILED, "{}")


UNRECORDED = '[channels."console:#general"]\nrecord = false\n'


async def test_where_nothing_is_recorded_nothing_is_done_twice_either(tmp_path: Path) -> None:
    async with a_painting_bot(tmp_path / "data", UNRECORDED) as (bot, _):
        await bot.restart()
        await bot.app.settled()
        process = await the_worker(bot)
        assert await made(bot, process) == ["file_write"]
        assert process.state is ProcessState.FAILED
        assert process.reason == "not resumed", "its words were told, and are kept no longer than that"
