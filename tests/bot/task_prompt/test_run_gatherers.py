"""Gatherers run side by side; who fails or is late is an exclusion, and the others' findings are used."""

from __future__ import annotations

import asyncio

import pytest

from bot.context.tokens import by_bytes
from bot.errors import UserError
from bot.task_prompt import (
    ChunkExclusion,
    ExclusionReason,
    compress,
    gather_all,
    log_compressed,
    prepare,
    run_gatherers,
)
from bot.text.redaction import Redactor
from tests.bot.task_prompt.given import chunk, task
from tests.fakes.logs import logged

SECRET = "hunter2-and-more"
REDACTOR = Redactor.of({"model.api_key": SECRET})


class Brings:
    """Brings what it was given, once the others have begun."""

    def __init__(self, name, *chunks, meets=None):
        self.name, self.chunks, self.meets = name, chunks, meets

    async def gather(self, task):
        if self.meets:
            await self.meets.wait()
        return self.chunks


class Fails:
    def __init__(self, name, error):
        self.name, self.error = name, error

    async def gather(self, task):
        raise self.error


class Waits:
    name = "waits"

    async def gather(self, task):
        await asyncio.Event().wait()


async def test_all_are_asked_at_once_and_answers_stay_in_order():
    both = asyncio.Barrier(2)
    found = await gather_all([Brings("a", chunk("1"), meets=both), Brings("b", chunk("2"), meets=both)], task())
    assert [one.content for one in found.chunks] == ["1", "2"] and not found.excluded


async def test_a_failure_is_an_exclusion_with_its_reason():
    broken = [Fails("git", UserError("There is no repository here.")), Fails("files", KeyError("x")), Waits()]
    with logged(run_gatherers) as logs:
        found = await gather_all([*broken, Brings("a", chunk("1"))], task(), seconds=0.01)
    assert [one.content for one in found.chunks] == ["1"]
    assert [(one.source, one.detail) for one in found.excluded] == [
        ("git", "There is no repository here."),
        ("files", "something in it failed: KeyError"),
        ("waits", "not done within 0.01 s"),
    ]
    assert {one.reason for one in found.excluded} == {ExclusionReason.GATHERER_FAILED}
    assert [(one["event"], one["gatherer"]) for one in logs] == [("gatherer_broke", "files")]


async def test_being_cancelled_is_no_failure():
    async def asked():
        await gather_all([Waits()], task())

    running = asyncio.get_running_loop().create_task(asked())
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


def test_the_log_says_what_a_compression_did():
    failed = ChunkExclusion(source="git", reason=ExclusionReason.GATHERER_FAILED, detail="late")
    context = compress([chunk("word " * 40, "a"), chunk("word " * 4000, "b")], 100, by_bytes, (failed,))
    with logged(run_gatherers) as logs:
        log_compressed(context, 2)
    assert logs == [
        {
            "event": "context_compressed", "log_level": "info", "chunks_in": 2, "chunks_out": 1,
            "tokens": context.tokens_used, "budget": 100, "utilization": context.utilization, "excluded": 2,
        }
    ]  # fmt: skip


def test_secrets_are_out_before_anything_is_counted_or_cut():
    found = prepare([chunk(f"key = '{SECRET}'\n", f"{SECRET}.py")], REDACTOR, by_bytes)
    (kept,) = found.chunks
    assert SECRET not in kept.model_dump_json()
    assert kept.tokens and "[redacted:model.api_key:16]" in kept.content


def test_what_held_nothing_but_a_secret_is_left_out():
    found = prepare([chunk(f" {SECRET}\n", "key.txt")], REDACTOR, by_bytes)
    assert not found.chunks
    (left,) = found.excluded
    assert (left.source, left.reason) == ("key.txt", ExclusionReason.REDACTED)


def test_what_cannot_be_seen_is_shown():
    (kept,) = prepare([chunk("a\u200bb\r\nc", "a")], REDACTOR, by_bytes).chunks
    assert kept.content == "a⟨U+200B⟩b\nc"
