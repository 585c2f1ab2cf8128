from __future__ import annotations

import asyncio
from pathlib import Path

from adapters.sqlite.upkeep.integrity import Damage
from bot.domain.messages import Message
from bot.ports.store import Retention
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.inside.store import after_each_commit, writer_of

DAY = 86_400_000
KEEP = Retention(ambient_ms=DAY, messages_ms=DAY, requests_ms=DAY, records_ms=0, audit_ms=DAY, forgotten_ms=DAY)


async def test_sweeping_while_requests_are_recorded_takes_nothing_that_is_named(tmp_path: Path):
    """Old requests share messages, prompts and tools with new ones that are written during the sweep."""
    async with opened(tmp_path) as store:
        talk: list[Message] = [v.message(f"line {n}") for n in range(40)]

        async def record(n: int, at: int) -> int:
            request = v.llm_request(talk[n % 7 : n % 7 + n % 30 + 1], [("persona", f"p {n % 3}")])
            sections = (v.section(text=f"section {n % 5}"), v.section("status", text=f"status {n % 50}"))
            return await store.journal.record_request(v.request_record(0, request, at=at, sections=sections), [])

        old = [await record(n, START) for n in range(120)]
        sweep, *fresh = await asyncio.gather(
            store.sweep(KEEP, START + 3 * DAY), *(record(n, START + 3 * DAY) for n in range(300))
        )
        assert isinstance(sweep, dict) and sweep["requests"] == len(old)
        for row in fresh:
            assert isinstance(row, int)
            assert await store.journal.request(row) is not None
        assert not await store.verify()
        later = [await record(n, START + 3 * DAY) for n in range(60)]
        assert all([await store.journal.request(row) for row in later])


async def test_a_sweep_is_cut_into_small_units(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival(f"text {n}", str(n)) for n in range(1000)], None)
        writer = writer_of(store)
        before = writer.groups
        counts = await store.sweep(KEEP, START + 3 * DAY)
        assert counts["message_text"] == 1000
        assert writer.groups - before >= 5


async def test_a_sweep_that_is_cut_off_leaves_nothing_that_names_what_is_gone(tmp_path: Path):
    async with opened(tmp_path) as store:
        talk = [v.message(f"line {n}") for n in range(200)]
        await store.journal.record_request(v.request_record(0, v.llm_request(talk)), [])
        found: list[Damage] = []

        async def look() -> None:
            found.extend(await store.verify())

        after_each_commit(store, look)
        assert (await store.sweep(KEEP, START + 3 * DAY))["node"] == 200
        assert not found


async def test_a_second_sweep_has_nothing_to_do(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([v.arrival()], None)
        await store.journal.record_request(v.request_record(0), [])
        assert await store.sweep(KEEP, START + 3 * DAY)
        assert await store.sweep(KEEP, START + 3 * DAY) == {}
