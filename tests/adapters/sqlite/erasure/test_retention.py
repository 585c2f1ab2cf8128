from __future__ import annotations

import asyncio
from pathlib import Path
from time import thread_time

from adapters.sqlite import SqliteStore
from adapters.sqlite.erasure.retention import journal_size
from adapters.sqlite.upkeep.integrity import AlteredRow
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.messages import Message
from bot.domain.turn import AttemptRecord, MarkKind, ToolCallRecord, TurnEnd, TurnStatus
from bot.ports.store import RetentionPolicy
from tests.adapters.sqlite.opened import opened
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.inside.store import after_each_commit, database_of, writer_of

DAY = 86_400_000
KEEP = RetentionPolicy(ambient_ms=DAY, messages_ms=DAY, requests_ms=DAY, records_ms=0, audit_ms=DAY, forgotten_ms=DAY)


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
        found: list[AlteredRow] = []

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


FOR_EVER = RetentionPolicy(ambient_ms=0, messages_ms=0, requests_ms=0, records_ms=0, audit_ms=0, forgotten_ms=0)
DEN = ChannelKey(MAIN, ChannelId("console:#den"))


def at_most(size: int) -> RetentionPolicy:
    return FOR_EVER.replace(journal_bytes=size)


async def turns(store: SqliteStore, count: int, key: ChannelKey = v.KEY, words: int = 400) -> list[int]:
    """Run turns, each of which sends something of its own; return their requests."""
    rows = []
    for n in range(count):
        turn = await store.journal.begin_turn(v.turn_start(key), [])
        request = v.llm_request([v.message(f"{key.channel} {n} " + "pear " * words)])
        row = await store.journal.record_request(v.request_record(turn, request, key, at=START + n), [])
        answer = v.llm_response("plum " * words)
        await store.journal.record_attempt(
            AttemptRecord(request=row, number=1, at=START + n, duration_ms=1, response=answer)
        )
        call = ToolCallRecord(
            tool_name="memory_recall",
            raw_arguments_json='{"query":"pears"}',
            result_output="none",
            success=True,
            execution_start=START + n,
            execution_end=START + n,
            duration_ms=1,
            order_index=0,
            round_number=0,
        )
        await store.journal.record_calls(key, turn, [call])
        end = TurnEnd(turn=turn, agent=MAIN, channel=key.channel, at=START + n, status=TurnStatus.REPLIED)
        await store.channels.meet(key, "#x", v.GUILD, v.settings())
        await store.journal.end_turn(end)
        rows.append(row)
    return rows


async def size_of(store: SqliteStore) -> int:
    return await database_of(store).read(journal_size)


async def test_the_oldest_go_first_until_the_rest_fits(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        rows = await turns(store, 60)
        before = await size_of(store)
        gone = await store.sweep(at_most(before // 3), START + 1_000)
        assert 0 < gone["requests_for_room"] < 60 and gone["bytes_for_room"] >= before * 2 // 3
        assert await size_of(store) <= before // 3
        kept = [row for row in rows if await store.journal.request(row) is not None]
        assert kept == rows[-len(kept) :] and len(kept) >= 15
        assert not await store.verify()
        outline = await store.outlines.outline_by_handle(parse_handle(handle(HandleKind.REQUEST, rows[0])))
        assert outline is not None and outline.mark is not None and outline.mark.kind is MarkKind.ROOM
        assert outline.record.wire_bytes > 0 and outline.record.stats.total > 0
        (call,) = await store.journal.calls_of_turn(outline.record.turn)
        assert (call.tool_name, call.raw_arguments_json, call.result_output) == ("memory_recall", "", "")


async def test_every_channel_keeps_its_newest_request_however_small_the_room(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        here, there = await turns(store, 30), await turns(store, 5, DEN)
        await store.sweep(at_most(1), START + 1_000)
        for row in (here[-1], there[-1]):
            assert await store.journal.request(row) is not None
        for row in (*here[:-1], *there[:-1]):
            assert await store.journal.request(row) is None


async def test_what_conversations_hold_does_not_count_and_is_not_touched(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        before = await size_of(store)
        end = TurnEnd(
            turn=await store.journal.begin_turn(v.turn_start(), []),
            agent=MAIN,
            channel=v.GENERAL,
            at=START,
            status=TurnStatus.REPLIED,
        )
        await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
        await store.journal.end_turn(end.replace(messages=(v.message("pear " * 9_000),)))
        assert await size_of(store) == before
        await store.sweep(at_most(1), START + 1_000)
        state = await store.channels.load(v.KEY)
        assert state is not None and "pear pear" in state.history[0].text


async def test_no_limit_takes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await turns(store, 5)
        assert await store.sweep(at_most(0), START + 1_000) == {}
        assert await store.sweep(at_most(10**12), START + 1_000) == {}


async def test_a_running_turn_keeps_its_requests(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        turn = await store.journal.begin_turn(v.turn_start(), [])
        row = await store.journal.record_request(v.request_record(turn, v.llm_request([v.message("pear " * 99)])), [])
        await turns(store, 30)
        await store.sweep(at_most(1), START + 1_000)
        assert await store.journal.request(row) is not None


async def test_nobody_waits_long_for_the_writer(tmp_path: Path) -> None:
    """Each step is a unit of its own, and small; what is measured is the time that the writer is held."""
    async with opened(tmp_path) as store:
        await turns(store, 120, words=60)
        writer, held = writer_of(store), []
        whole = writer.write

        async def timed(work, texts, **how):  # type: ignore[no-untyped-def]
            def watched(connection):  # type: ignore[no-untyped-def]
                begun = thread_time()
                try:
                    return work(connection)
                finally:
                    held.append(thread_time() - begun)

            return await whole(watched, texts, **how)

        vars(writer)["write"] = timed
        await store.sweep(at_most(1), START + 1_000)
        del vars(writer)["write"]
        assert len(held) > 10
        assert sorted(held)[len(held) * 9 // 10] < 0.01


async def test_what_is_left_of_calls_whose_requests_have_no_words_goes_first(tmp_path: Path):
    async with opened(tmp_path) as store:
        first, *_ = await turns(store, 3)
        await store.sweep(FOR_EVER.replace(requests_ms=1), START + 2)
        (left,) = await store.journal.calls_of_turn(1)
        # calls are kept as long as records are, whatever became of the request
        assert await store.journal.request(first) is None and left.raw_arguments_json
        size = await database_of(store).read(journal_size)
        done = await store.sweep(at_most(size - 1), START + 10)
        assert done["calls_for_room"] == 1 and "requests_for_room" not in done
        assert not (await store.journal.calls_of_turn(1))[0].raw_arguments_json
