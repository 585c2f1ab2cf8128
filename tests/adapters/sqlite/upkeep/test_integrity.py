"""Whatever is altered in the file behind the program's back is found, and is not used before that."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from adapters.sqlite import SqliteStore
from adapters.sqlite.engine import audit_chain, migrate
from adapters.sqlite.engine.content_store import checked_content
from adapters.sqlite.engine.sealed_rows import altered_rows, row_hash
from adapters.sqlite.engine.tables import SEALED
from bot.domain.channel import ChannelState
from bot.domain.finding import ForgetMemory, ForgetUser, NewSession
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey, UserId
from bot.domain.ledger import InboundTrail, Outcome, Settlement, StreamCursor
from bot.domain.memory import MemoryReach
from bot.domain.messages import Message, Receipt, Role, ToolCall, ToolResult
from bot.domain.tool_pairing import NO_RESULT
from bot.domain.turn import AttemptRecord, ToolCallRecord, TurnEnd, TurnStatus
from bot.errors import DamagedRow, StoreError
from bot.ports.store import RetentionPolicy
from tests.adapters.sqlite.opened import opened
from tests.contracts.test_checkpoints import checkpoint
from tests.contracts.test_compactions import half, new
from tests.contracts.test_processes import new as new_process
from tests.contracts.test_store import audited, invited, offer
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.fakes.lengths import whole_or

DAY = 86_400_000
CHANGED = re.search(r"CREATE TRIGGER cursor_changed.*?END", migrate.steps()[10], re.DOTALL)[0]  # type: ignore[index]
FLIPS = whole_or(100, 70)


async def furnish(directory: Path) -> None:
    """Make a store in which every table has rows."""
    async with opened(directory) as store:
        rows = await store.ledger.arrive([v.arrival(f"text {n}", str(n)) for n in range(8)], None)
        turn = await store.journal.begin_turn(v.turn_start(inbounds=tuple(row for row in rows if row)), [])
        request = await store.journal.record_request(v.request_record(turn), [])
        await store.journal.record_attempt(
            AttemptRecord(request=request, number=1, at=START, duration_ms=1, response=v.llm_response())
        )
        call = ToolCallRecord(
            tool_name="skip",
            raw_arguments_json="{}",
            result_output="ok",
            success=True,
            execution_start=START,
            execution_end=START,
            duration_ms=1,
            order_index=0,
            round_number=1,
        )
        await store.journal.record_calls(v.KEY, turn, [call])
        end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.REPLIED)
        await store.journal.end_turn(end.replace(messages=(v.message(), v.said()), outbox=(v.outgoing(),)))
        await store.memories.add([v.memory(f"memory {n}") for n in range(8)])
        await store.channels.move(ChannelId("console:#gone"), ChannelId("console:#hall"), START)
        await store.invitations.invite(invited())
        await store.checkpoints.save(checkpoint())
        await store.processes.begin(new_process(), START)
        await compact_elsewhere(store)
        erasing = offer(ForgetUser(platform="console", user=UserId("77"))).replace(secret_id="ff" * 10)
        asked = await store.offers.propose(erasing)
        await store.offers.execute(asked.id, audited(action="forget user"))
        await store.memories.add([v.memory("memory 8", relations=tuple(v.relation(n) for n in range(4, 8)))])
        person = {"platform": "console", "actor": UserId("1"), "actor_name": "root", "agent": "main"}
        where = {"target": v.GENERAL, "dm_channel": "console:dm", "dm_thread": "t", "title": "w", "created_at": START}
        await store.sessions.open(NewSession(**person, **where))
        proposal = await store.offers.propose(offer(ForgetMemory(memory=1, version=1)))
        await store.offers.execute(proposal.id, audited())
        for n in range(8):
            await store.audit.append(audited(detail=f"read {n}"))


async def compact_elsewhere(store: SqliteStore) -> None:
    key = ChannelKey(MAIN, ChannelId("console:#den"))
    turn = await store.journal.begin_turn(v.turn_start(key), [])
    end = TurnEnd(turn=turn, agent=MAIN, channel=key.channel, at=START, status=TurnStatus.REPLIED)
    await store.journal.end_turn(end.replace(messages=(v.message("den"), v.said("so"))))
    state = await store.channels.load(key)
    assert state is not None
    await store.compactions.commit(new(state, state.turns, [half(state.turns)]), None, ())


@pytest.fixture
async def furnished(tmp_path: Path) -> Path:
    await furnish(tmp_path / "data")
    return tmp_path / "data"


def found(directory: Path, canary: str) -> dict[str, int]:
    return {path.name: path.read_bytes().count(canary.encode()) for path in directory.iterdir()}


def tamper(directory: Path, sql: str, args: tuple[object, ...] = ()) -> None:
    raw = sqlite3.connect(directory / "glassmind.db")
    raw.create_function("row_hash", -1, row_hash)
    assert raw.execute(sql, args).rowcount
    raw.commit()
    raw.close()


def behind(directory: Path, index: str, sql: str) -> None:
    """Change a table behind the back of one of its indexes, which is then as it was."""
    with closing(sqlite3.connect(directory / "glassmind.db")) as raw:
        schema = raw.execute("SELECT * FROM sqlite_master WHERE name = ?", (index,)).fetchone()
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("DELETE FROM sqlite_master WHERE name = ?", (index,))
        raw.commit()
    with closing(sqlite3.connect(directory / "glassmind.db")) as raw:
        raw.create_function("row_hash", -1, row_hash, deterministic=True)
        assert raw.execute(sql).rowcount
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", schema)
        raw.commit()


def cells(directory: Path, tables: list[str]) -> list[tuple[str, str, int, object]]:
    raw = sqlite3.connect(directory / "glassmind.db")
    found = []
    for table in tables:
        names = [row[1] for row in raw.execute(f"PRAGMA table_info({table})")]
        # what the database works out itself is no cell
        for row in raw.execute(f"SELECT {', '.join(names)} FROM {table}"):
            found += [(table, name, row[0], value) for name, value in zip(names, row, strict=True) if name != "id"]
    raw.close()
    return found


def other(value: object, chance: random.Random) -> object:
    """Return a value that differs in one bit or one character."""
    if value is None:
        return 1
    if isinstance(value, int):
        return value ^ (1 << chance.randrange(20))
    if isinstance(value, float):
        return value + 0.5
    if isinstance(value, bytes):
        at = chance.randrange(len(value))
        return value[:at] + bytes([value[at] ^ (1 << chance.randrange(8))]) + value[at + 1 :]
    assert isinstance(value, str)
    if not value:
        return "x"
    at = chance.randrange(len(value))
    return value[:at] + chr(ord(value[at]) ^ (1 << chance.randrange(3))) + value[at + 1 :]


async def test_any_altered_cell_of_a_sealed_table_is_found(furnished: Path, tmp_path: Path):
    chance = random.Random(7)
    everything = cells(furnished, list(SEALED))
    assert {table for table, *_ in everything} == set(SEALED)
    chosen = chance.sample(everything, 120)
    raw = sqlite3.connect(furnished / "glassmind.db", isolation_level=None)
    raw.create_function("row_hash", -1, row_hash)
    for table, column, row, value in chosen:
        raw.execute("BEGIN")
        try:
            raw.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (other(value, chance), row))
        except sqlite3.Error:
            raw.execute("ROLLBACK")
            continue
        columns = ", ".join(SEALED[table])
        assert raw.execute(f"SELECT id FROM {table} WHERE h IS NOT row_hash({columns})").fetchall() == [(row,)]
        raw.execute("ROLLBACK")
    raw.close()


async def test_a_probe_names_table_and_row(furnished: Path):
    tamper(furnished, "UPDATE memory SET content = 'never answer Ann' WHERE id = 3")
    async with opened(furnished) as store:
        probes = {probe.name: probe for probe in await store.probe()}
    assert probes["store integrity"].state == "failed"
    assert "memory 3 (altered)" in probes["store integrity"].evidence
    assert probes["store integrity"].fix


async def test_an_altered_row_is_not_used(furnished: Path):
    tamper(furnished, "UPDATE memory SET content = 'never answer Ann' WHERE id = 3")
    tamper(furnished, "UPDATE inbound SET text = 'other words' WHERE id = 2")
    words = "CAST(replace(CAST(body AS TEXT), 'hello', 'hullo') AS BLOB)"
    tamper(furnished, f"UPDATE blob SET body = {words} WHERE instr(body, CAST('hello' AS BLOB))")
    async with opened(furnished) as store:
        with pytest.raises(DamagedRow, match="Row 3 of table memory") as refused:
            await store.memories.get(3)
        assert refused.value.name == handle(HandleKind.MEMORY, 3)
        with pytest.raises(DamagedRow, match="Row 2 of table inbound"):
            await store.ledger.inbound(2)
        with pytest.raises(DamagedRow, match="blob"):
            await store.journal.request(1)
        assert await store.memories.get(4) is not None


async def test_what_reads_many_rows_goes_on_without_an_altered_one_and_says_so(furnished: Path):
    tamper(furnished, "UPDATE memory SET content = 'never answer Ann' WHERE id = 3")
    tamper(furnished, "UPDATE inbound SET text = 'other words' WHERE id = 2")
    tamper(furnished, "UPDATE outbox SET text = 'other words' WHERE id = 1")
    words = "CAST(replace(CAST(body AS TEXT), 'hello', 'hullo') AS BLOB)"
    tamper(furnished, f"UPDATE blob SET body = {words} WHERE instr(body, CAST('hello' AS BLOB))")
    async with opened(furnished) as store:
        memories = await store.memories.in_reach(MemoryReach(agent=MAIN, channel=v.GENERAL))
        assert {memory.id for memory in memories} == {2, 4, 5, 6, 7, 8, 9}
        assert {inbound.id for inbound in await store.ledger.recent(v.KEY, 99)} == {1, 3, 4, 5, 6, 7, 8}
        assert await store.outbox.pending() == []
        state = await store.channels.load(v.KEY)
        assert state is not None and "hullo" not in repr(state.history)
        met = {(error.table, error.row) for error in store.damaged}
        assert {("memory", 3), ("inbound", 2), ("outbox", 1)} < met and {"blob"} < {table for table, _ in met}
        assert len(met) == len(store.damaged)
        failed = [probe.evidence for probe in await store.probe() if probe.state == "failed"]
        assert all(f"{table} {row} (altered)" in failed[0] for table, row in met)


async def test_text_that_is_none_any_more_is_one_damaged_row(furnished: Path):
    tamper(furnished, "UPDATE memory SET content = CAST(x'ff6f' AS TEXT) WHERE id = 3")
    async with opened(furnished) as store:
        with pytest.raises(DamagedRow, match="Row 3 of table memory"):
            await store.memories.get(3)
        assert len(await store.memories.in_reach(MemoryReach(agent=MAIN, channel=v.GENERAL))) == 7
        assert (await store.memories.get(4)).body.content == "memory 3"
        assert [str(damage) for damage in await store.verify()] == ["memory 3 (altered)"]


@pytest.mark.parametrize("value", ["834512078", "CAST(x'ff6f' AS TEXT)"])
async def test_how_far_a_stream_was_read_is_not_known_once_it_was_altered(tmp_path: Path, value: str):
    async with opened(tmp_path) as store:
        await store.ledger.arrive([], StreamCursor(adapter="telegram", stream="updates", value="834512077"))
        assert await store.ledger.cursor("telegram", "updates") == "834512077"
    raw = sqlite3.connect(tmp_path / "glassmind.db")
    raw.execute("DROP TRIGGER cursor_changed")
    raw.execute(f"UPDATE cursor SET value = {value}")
    raw.execute(CHANGED)
    raw.commit()
    raw.close()
    async with opened(tmp_path) as store:
        assert await store.ledger.cursor("telegram", "updates") is None
        assert [str(damage) for damage in await store.verify()] == ["cursor: rows altered: 1"]
        await store.ledger.arrive([], StreamCursor(adapter="telegram", stream="updates", value="834512079"))
        assert await store.ledger.cursor("telegram", "updates") == "834512079"
        assert not await store.verify()


async def test_the_other_half_of_a_pair_of_which_one_is_lost_says_so(furnished: Path):
    asked = Message(role=Role.ASSISTANT, parts=(ToolCall(call_id="c1", name="look", arguments="{}"),), at=START)
    found = Message(role=Role.TOOL, parts=(ToolResult(call_id="c1", text="xyzzy", ok=True),), at=START)
    async with opened(furnished) as store:
        turn = await store.journal.begin_turn(v.turn_start(), [])
        end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.REPLIED)
        await store.journal.end_turn(end.replace(messages=(v.message("q"), asked, found, v.said("plugh"))))
        before = await store.channels.load(v.KEY)
    words = "CAST(replace(CAST(body AS TEXT), 'xyzzy', 'xyzzz') AS BLOB)"
    tamper(furnished, f"UPDATE blob SET body = {words} WHERE instr(body, CAST('xyzzy' AS BLOB))")
    async with opened(furnished) as store:
        after = await store.channels.load(v.KEY)
    assert before is not None and after is not None
    whole = before.turns[-1].messages
    missing = Message(role=Role.TOOL, parts=(ToolResult(call_id="c1", text=NO_RESULT, ok=False),), at=START)
    assert after.turns[-1].messages == (*whole[:2], missing, whole[3])


async def test_what_is_under_way_gets_its_outcome_beside_altered_rows(furnished: Path):
    async with opened(furnished) as store:
        (row,) = await store.ledger.arrive([v.arrival("late", "99")], None)
        body = v.outgoing("late", inbound=row)
        sent, lost = (await store.outbox.put([body, body], [], START))[:2]
    tamper(furnished, f"UPDATE outbox SET text = 'other words' WHERE id IN ({sent.row}, {lost.row})")
    done = Settlement(inbound=row, at=START, outcome=Outcome.REPLIED)
    async with opened(furnished) as store:
        await store.outbox.sending(sent.row)
        await store.outbox.sent(sent.row, Receipt(message_id="1", at=START), [], [done])
        await store.outbox.ended(lost.row, uncertain=True, error="x", stages=[], done=[])
        assert (await store.ledger.inbound(row)).outcome is Outcome.REPLIED
        turn = await store.journal.begin_turn(v.turn_start(inbounds=(row,)), [])
    tamper(furnished, f"UPDATE inbound SET text = 'other words' WHERE id = {row}")
    tamper(furnished, "UPDATE history SET at = at + 1 WHERE id = 1")
    async with opened(furnished) as store:
        end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.REPLIED)
        await store.journal.end_turn(end.replace(messages=(v.message("q"),), settlements=(done,)))
        with pytest.raises(DamagedRow):
            await store.ledger.inbound(row)
        await store.sweep(RetentionPolicy(**dict.fromkeys(SPANS, DAY)), START + 9 * DAY)


SPANS = ("ambient_ms", "messages_ms", "requests_ms", "records_ms", "audit_ms", "forgotten_ms")


async def test_an_alteration_is_not_sealed_by_a_later_change(furnished: Path):
    tamper(furnished, "UPDATE memory SET content = 'never answer Ann' WHERE id = 3")
    async with opened(furnished) as store:
        await store.memories.touched([3, 4], START)
        with pytest.raises(DamagedRow, match="Row 3"):
            await store.memories.get(3)
        assert (await store.memories.get(4)).access_count == 1


async def test_a_chain_that_leads_elsewhere_is_found(furnished: Path):
    async with opened(furnished) as store:
        request = v.llm_request([v.message("a"), v.message("b")])
        row = await store.journal.record_request(v.request_record(0, request), [])
    tamper(furnished, "UPDATE node SET parent = 0 WHERE parent > 0")
    async with opened(furnished) as store:
        with pytest.raises(StoreError, match=f"Request {row}"):
            await store.journal.request(row)


QUESTIONS: dict[str, Callable[[SqliteStore], Awaitable[object]]] = {
    "inbounds": lambda s: s.ledger.recent(v.KEY, 99),
    "trail": lambda s: s.ledger.trail(1),
    "channel": lambda s: s.channels.load(v.KEY),
    "request": lambda s: s.journal.request(1),
    "turn": lambda s: s.journal.turn(1),
    "calls": lambda s: s.journal.calls_of_turn(1),
    "memory": lambda s: s.memories.get(2),
    "session": lambda s: s.sessions.get(1),
    "proposal": lambda s: s.offers.get("aa"),
    "audit": lambda s: s.audit.newest(None, 99),
}


async def answers(directory: Path) -> tuple[dict[str, object], bool]:
    """Return what the store says, an exception's name where it refuses, and whether a scan finds fault."""
    found: dict[str, object] = {}
    try:
        async with opened(directory) as store:
            for name, ask in QUESTIONS.items():
                try:
                    found[name] = await ask(store)
                except (StoreError, DamagedRow):
                    found[name] = StoreError
            return found, any(probe.state != "ok" for probe in await store.probe())
    except StoreError:
        return found, True


async def test_bit_flips_anywhere_in_the_file_are_found(furnished: Path, tmp_path: Path):
    """What is read is either what was stored, or refused, or (a row hidden by a damaged index) named by the scan."""
    chance = random.Random(11)
    right, _ = await answers(furnished)
    image = (furnished / "glassmind.db").read_bytes()
    refused = hidden = 0
    for n in range(FLIPS):
        copy = tmp_path / "flipped"
        shutil.copytree(furnished, copy)
        at = chance.randrange(100, len(image))
        flipped = image[:at] + bytes([image[at] ^ (1 << chance.randrange(8))]) + image[at + 1 :]
        (copy / "glassmind.db").write_bytes(flipped)
        found, faulty = await answers(copy)
        for question, answer in found.items():
            if answer is StoreError:
                refused += 1
            elif answer != right[question]:
                hidden += 1
                assert faulty, (n, at, question)
                assert is_less(answer, right[question]), (n, at, question)
        shutil.rmtree(copy)
    assert refused


def is_less(answer: object, right: object) -> bool:
    """Say whether an answer lacks something and holds nothing else."""
    if isinstance(answer, InboundTrail) and isinstance(right, InboundTrail):
        return answer.inbound == right.inbound and set(answer.stages) < set(right.stages)
    if isinstance(answer, ChannelState) and isinstance(right, ChannelState):
        # work is kept in rows of its own
        pairs = ((answer.running, right.running), (answer.finished, right.finished))
        kept = all(one in known for told, known in pairs for one in told)
        return kept and {m.digest for m in answer.history} <= {m.digest for m in right.history}
    if isinstance(answer, list) and isinstance(right, list):
        return all(entry in right for entry in answer)
    return answer is None


@pytest.mark.parametrize("mark", ["", "x", "1:2", "1:2:3:4", "\u0663:a:b", "1::"])
async def test_a_mark_of_the_audit_chain_that_nobody_can_read_is_said_with_what_to_do(furnished: Path, mark: str):
    raw = sqlite3.connect(furnished / "glassmind.db")
    raw.row_factory = sqlite3.Row
    raw.create_function("row_hash", -1, row_hash, deterministic=True)
    raw.execute("UPDATE meta SET value = ? WHERE name = 'audit_head'", (mark,))
    with pytest.raises(StoreError, match=r"audit chain is damaged.*glassmind doctor"):
        audit_chain.append(raw, b"key", audited())
    assert audit_chain.verify(raw, b"key") > 0
    raw.close()


async def test_every_tampering_with_the_audit_chain_is_found(furnished: Path):
    chance = random.Random(3)
    key = (furnished / "secret.key").read_bytes()
    raw = sqlite3.connect(furnished / "glassmind.db", isolation_level=None)
    raw.row_factory = sqlite3.Row
    assert audit_chain.verify(raw, key) == 0
    rows = [row[0] for row in raw.execute("SELECT id FROM audit")]
    names = ["agent", "at", "platform", "actor", "body", "undoes", "prev_hash", "hash"]
    done = 0
    while done < 1000:
        raw.execute("BEGIN")
        row, how = chance.choice(rows), chance.randrange(5)
        try:
            if how == 0:
                raw.execute("DELETE FROM audit WHERE id = ?", (row,))
            elif how == 1:
                raw.execute("DELETE FROM audit WHERE id >= ?", (row,))
            elif how == 2:
                raw.execute("UPDATE audit SET id = id + 1000 WHERE id = ?", (row,))
            else:
                name = chance.choice(names)
                value = raw.execute(f"SELECT {name} FROM audit WHERE id = ?", (row,)).fetchone()[0]
                raw.execute(f"UPDATE audit SET {name} = ? WHERE id = ?", (other(value, chance), row))
        except sqlite3.IntegrityError:
            raw.execute("ROLLBACK")
            continue
        assert audit_chain.verify(raw, key) == row, (how, row)
        raw.execute("ROLLBACK")
        done += 1
    raw.close()


async def test_a_chain_written_anew_from_the_start_is_found(furnished: Path):
    """Somebody with the file but without the key hashes everything again."""
    key = (furnished / "secret.key").read_bytes()
    raw = sqlite3.connect(furnished / "glassmind.db", isolation_level=None)
    raw.create_function("row_hash", -1, row_hash)
    raw.row_factory = sqlite3.Row
    entries = [row.body for row in audit_chain.read(raw, "ORDER BY id", ())]
    raw.execute("DELETE FROM audit")
    raw.execute("DELETE FROM meta WHERE name = 'audit_head'")
    raw.execute("UPDATE sqlite_sequence SET seq = 0 WHERE name = 'audit'")
    for entry in entries[1:]:
        audit_chain.append(raw, b"not the key", entry)
    assert audit_chain.verify(raw, key) == 1
    raw.close()


async def test_what_was_wiped_is_nowhere_in_the_files(tmp_path: Path):
    canary = "zanzibarcanary"
    async with opened(tmp_path) as store:
        row = (await store.ledger.arrive([v.arrival(f"{canary} one")], None))[0]
        assert row
        await store.channels.hear([(v.KEY, v.message(f"{canary} two", ambient=True))], keep=9)
        request = v.llm_request([v.message(f"{canary} three")], system=[("persona", f"{canary} four")])
        await store.journal.record_request(v.request_record(0, request), [])
        await store.journal.record_request(v.request_record(0), [])
        turn = await store.journal.begin_turn(v.turn_start(), [])
        end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.REPLIED)
        out = await store.journal.end_turn(
            end.replace(messages=(v.message(f"{canary} five"),), outbox=(v.outgoing(f"{canary} six"),))
        )
        await store.outbox.ended(out[0].row, uncertain=False, error="", stages=[], done=[])
        await store.memories.add([v.memory(f"{canary} seven"), v.memory("kept")])
        proposal = await store.offers.propose(offer(ForgetMemory(memory=1, version=1)))
        await store.offers.execute(proposal.id, audited())
        assert sum(found(tmp_path, canary).values())
        keep = RetentionPolicy(
            ambient_ms=DAY, messages_ms=DAY, requests_ms=DAY, records_ms=0, audit_ms=0, forgotten_ms=DAY
        )
        await store.sweep(keep, START + 3 * DAY)
        assert set(found(tmp_path, canary).values()) == {0}
        assert {probe.state for probe in await store.probe()} == {"ok"}
        assert len(await store.memories.in_reach(MemoryReach(agent=MAIN, channel=v.GENERAL))) == 1


async def test_an_edge_to_a_memory_that_is_gone_is_named(furnished: Path):
    tamper(furnished, "DELETE FROM memory WHERE id = 4")
    async with opened(furnished) as store:
        found = [str(damage) for damage in await store.verify()]
        assert found == ["memory_edge 1 (something it names is missing)", "memory 4 (missing)"]


def test_a_text_that_has_another_type_is_damaged() -> None:
    """A flipped bit in a row's header makes text of bytes, or nothing at all."""
    raw = sqlite3.connect(":memory:")
    raw.row_factory = sqlite3.Row
    for body in ("'words'", "NULL", "7"):
        with pytest.raises(DamagedRow, match="blob"):
            checked_content(raw.execute(f"SELECT 1 AS id, x'00' AS hash, {body} AS body").fetchone())
    raw.close()


async def test_a_row_that_only_an_index_still_lists_is_named(furnished: Path):
    tamper(furnished, "UPDATE memory SET content = CAST(x'ff6f' AS TEXT) WHERE id = 3")
    with closing(sqlite3.connect(furnished / "glassmind.db")) as raw:
        listed = raw.execute("EXPLAIN QUERY PLAN SELECT id FROM memory").fetchone()[3]
    behind(furnished, re.search(r"INDEX (\w+)", listed)[1], "DELETE FROM memory WHERE id = 1")  # type: ignore[index]
    with closing(sqlite3.connect(furnished / "glassmind.db")) as raw:
        raw.create_function("row_hash", -1, row_hash, deterministic=True)
        assert altered_rows(raw, "memory", 10) == [1, 3]


async def test_no_turn_that_said_something_is_taken_for_one_that_did_not(furnished: Path):
    """Recovery runs a turn again that left nothing behind: an index alone must not say so, whatever its bits are."""
    async with opened(furnished) as store:
        said, silent = [await store.journal.begin_turn(v.turn_start(inbounds=(row,)), []) for row in (7, 8)]
        end = TurnEnd(turn=said, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.REPLIED)
        await store.journal.end_turn(end.replace(outbox=(v.outgoing(inbound=7),)))
        right = [await store.journal.turn(turn) for turn in (said, silent)]
        assert [turn.has_outbox for turn in right if turn] == [True, False]
    # the index says that what the one turn sent is of the other, and the row says as ever that it is not
    tamper(furnished, f"UPDATE outbox SET turn = {silent} WHERE turn = {said}")
    behind(furnished, "outbox_of_turn", f"UPDATE outbox SET turn = {said} WHERE inbound = 7")
    async with opened(furnished) as store:
        assert [await store.journal.turn(turn) for turn in (said, silent)] == right


async def test_a_turn_has_said_something_also_where_nobody_can_read_what(furnished: Path):
    tamper(furnished, "UPDATE outbox SET body = replace(body, 'reply', 'reqly') WHERE turn = 1")
    async with opened(furnished) as store:
        turn = await store.journal.turn(1)
        assert turn is not None and turn.has_outbox
        assert [damage.table for damage in store.damaged] == ["outbox"]


async def test_a_schema_that_nobody_can_read_is_damage_and_says_what_to_do(furnished: Path):
    file = furnished / "glassmind.db"
    whole = file.read_bytes()
    assert b"proposal (\n  id " in whole
    file.write_bytes(whole.replace(b"proposal (\n  id ", b"proposal (\n  i\xe4 "))
    with pytest.raises(StoreError, match=r"is damaged.*Restore a copy") as told:
        async with opened(furnished):
            pass
    assert "CREATE TABLE" not in str(told.value)
