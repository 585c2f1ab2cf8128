"""Whoever is asked finds what is there; whoever fails is named, and the others are used."""

from __future__ import annotations

import asyncio

import pytest

from bot.errors import StoreError
from bot.task_prompt import gatherers
from bot.task_prompt.chunk import ChunkPriority, ChunkType
from bot.task_prompt.compressed_context import ExclusionReason
from bot.task_prompt.gatherers import WANTED, GatherGrounds, gather_for
from bot.task_prompt.task import TaskType
from tests.architecture.tree import stems
from tests.bot.task_prompt.gatherers.grounds import captured, task

MACHINERY = {"gatherer", "paths", "history_pieces"}


def test_every_gatherer_is_listed():
    listed = {call.__module__.rsplit(".", 1)[1] for wanted in WANTED.values() for call in wanted}
    assert stems("bot/task_prompt/gatherers") - MACHINERY == listed
    assert {call.__name__ for wanted in WANTED.values() for call in wanted} == listed


def test_every_kind_of_task_wants_somebody_and_what_it_is_about():
    assert set(WANTED) == set(TaskType)
    assert all(wanted[gatherers.pins] is ChunkPriority.CRITICAL for wanted in WANTED.values())
    assert len(WANTED[TaskType.ANALYZE]) == len(stems("bot/task_prompt/gatherers") - MACHINERY)


async def test_a_capture_is_gathered_whole():
    found = await gather_for(task(), await captured())
    kinds = {chunk.chunk_type for chunk in found.chunks}
    assert kinds >= {
        ChunkType.HISTORY, ChunkType.MEMORY, ChunkType.TOOL_RECORD, ChunkType.STATUS, ChunkType.LEDGER,
        ChunkType.CONFIG, ChunkType.SECTION, ChunkType.STRUCTURE, ChunkType.DEPENDENCY,
    }  # fmt: skip
    assert found.excluded == ()


@pytest.mark.parametrize("kind", TaskType)
async def test_on_no_grounds_nothing_is_found_and_nobody_fails(kind):
    assert await gather_for(task(kind=kind), GatherGrounds()) == ((), ())


async def test_whoever_fails_or_hangs_is_named_and_the_others_are_used(monkeypatch):
    async def ledger(task, grounds, priority):
        raise StoreError("The disk is gone.")

    async def status(task, grounds, priority):
        await asyncio.Event().wait()

    wanted = {**WANTED[TaskType.DEBUG], ledger: ChunkPriority.HIGH, status: ChunkPriority.HIGH}
    monkeypatch.setattr(gatherers, "WANTED", {TaskType.DEBUG: wanted})
    found = await gather_for(task(), await captured(), seconds=0.5)
    said = {one.source: one.detail for one in found.excluded}
    assert {one.reason for one in found.excluded} == {ExclusionReason.GATHERER_FAILED}
    assert said["ledger"] == "The disk is gone." and "0.5 s" in said["status"]
    assert any(chunk.chunk_type is ChunkType.HISTORY for chunk in found.chunks)
