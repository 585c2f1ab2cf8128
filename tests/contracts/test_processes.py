"""What every store promises about branches and workers. Runs on SQLite; another store comes in through `store`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.domain.access import Authority, Caller
from bot.domain.channel import ChannelSettings, ProcessKind
from bot.domain.handles import parse_handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import Arrival, ArrivalDisposition, StoredInbound
from bot.domain.messages import Author, AuthorKind, Inbound, InboundKind, OutboundAddress
from bot.domain.process import (
    NewProcess,
    ProcessArtifact,
    ProcessEnd,
    ProcessOrigin,
    ProcessState,
    StoredProcess,
    result_id,
)
from bot.domain.turn import NewOutbox, TurnEnd, TurnStart, TurnStatus
from bot.ports.store import Store
from tests.fakes import values as v
from tests.fakes.clock import START

ELSEWHERE = ChannelKey(MAIN, ChannelId("console:#hall"))


def new(task: str = "find the number", key: ChannelKey = v.KEY, **changes: object) -> NewProcess:
    base: dict[str, object] = {
        "agent": key.agent,
        "channel": key.channel,
        "kind": ProcessKind.BRANCH,
        "task": task,
        "name": "number",
        "by": Caller(PersonKey("console", UserId("101")), "ann", Authority.MODERATOR),
        "parent_turn": 1,
        "inbound": 1,
        "origin": ProcessOrigin(platform="console", message_id="m1"),
    }
    return NewProcess.model_validate({**base, **changes})


def result(process: StoredProcess, text: str = "42") -> Arrival:
    inbound = Inbound(
        adapter="console",
        channel=process.body.channel,
        channel_name="#general",
        kind=InboundKind.RESULT,
        message_id=result_id(process.id),
        author=Author(user_id=UserId("0"), name="Glassmind", kind=AuthorKind.SELF),
        text=text,
        sent_at=START,
        replies_to="m1",
    )
    return Arrival(agent=MAIN, inbound=inbound, arrived_at=START, verdicts=(), disposition=ArrivalDisposition.QUEUE)


def end(process: StoredProcess, state: ProcessState = ProcessState.DONE, **changes: object) -> ProcessEnd:
    base: dict[str, object] = {"id": process.id, "version": process.version, "state": state, "at": START + 5}
    return ProcessEnd.model_validate({**base, "result": "42", "arrival": result(process), **changes})


async def ended(store: Store, process: StoredProcess, **changes: object) -> tuple[StoredProcess, StoredInbound | None]:
    done = await store.processes.end(end(process, **changes))
    assert done is not None
    return done


async def takes(store: Store, *inbounds: int) -> int:
    return await store.journal.begin_turn(v.turn_start(inbounds=inbounds), ())


async def says(store: Store, turn: int, **changes: object) -> None:
    done = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START + 9, status=TurnStatus.REPLIED)
    await store.journal.end_turn(done.replace(**changes))


async def test_a_process_is_kept_as_it_began(store: Store) -> None:
    begun = await store.processes.begin(new(), START)
    assert (begun.body, begun.state, begun.turn, begun.version) == (new(), ProcessState.RUNNING, 0, 1)
    assert await store.processes.get(begun.id) == begun
    assert list(await store.processes.running()) == [begun]
    parsed = parse_handle(begun.handle)
    assert parsed is not None
    assert await store.processes.by_handle(parsed) == begun
    worker = parse_handle("w" + begun.handle[1:])
    assert worker is not None
    assert await store.processes.by_handle(worker) is None, "the letter is part of the name"


async def test_how_far_it_came_is_noted_until_it_is_over(store: Store) -> None:
    begun = await store.processes.begin(new(kind=ProcessKind.WORKER), START)
    await store.processes.note(begun.id, 7, 1, "round 1: shell", 2)
    moved = await store.processes.note(begun.id, 8, 2, "round 1: web", 5)
    assert moved is not None
    assert (moved.turns, moved.turn, moved.segment, moved.progress, moved.calls) == ((7, 8), 8, 2, "round 1: web", 5)
    over, _ = await ended(store, moved)
    assert await store.processes.note(begun.id, 9, 3, "late", 9) is None
    assert await store.processes.get(begun.id) == over


async def test_it_ends_once_and_its_result_arrives_with_that(store: Store) -> None:
    begun = await store.processes.begin(new(), START)
    turn = await store.journal.begin_turn(
        TurnStart(agent=MAIN, channel=v.GENERAL, kind=ProcessKind.BRANCH, at=START), ()
    )
    close = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.REPLIED)
    both = await asyncio.gather(*(store.processes.end(end(begun, turn=close)) for _ in range(2)))
    (done,) = [one for one in both if one is not None]
    process, arrived = done
    assert arrived is not None
    assert (process.state, process.result, process.row) == (ProcessState.DONE, "42", arrived.id)
    assert [stored.id for stored in await store.ledger.unsettled()] == [arrived.id]
    stored = await store.ledger.inbound(arrived.id)
    assert stored == arrived
    kept = await store.journal.turn(turn)
    assert kept is not None and kept.status is TurnStatus.REPLIED
    assert await store.processes.end(end(process, ProcessState.FAILED)) is None


async def test_what_it_hands_over_is_kept_with_its_result_and_goes_where_nothing_is_recorded(store: Store) -> None:
    file = ProcessArtifact(path="out/may.csv", size=3, sha256="00" * 32)
    for wordless in (False, True):
        begun = await store.processes.begin(new(wordless=wordless), START)
        over, _ = await ended(store, begun, artifacts=(file,))
        assert over.body.artifacts == (file,) == (await store.processes.get(begun.id)).body.artifacts  # type: ignore[union-attr]
        await says(store, await takes(store), relayed=(begun.id,))
        read = await store.processes.get(begun.id)
        assert read is not None and read.body.artifacts == (() if wordless else (file,))


async def test_a_preference_is_taken_back_with_the_turn_as_long_as_it_is_what_it_was(store: Store) -> None:
    kept, changed = await store.memories.add([v.memory("tea"), v.memory("coffee")])
    await says(store, await takes(store), retracted=((kept, 1), (changed, 7)))
    gone, stays = await store.memories.get(kept), await store.memories.get(changed)
    assert gone is not None and (gone.forgotten_at, gone.version) == (START + 9, 2)
    assert stays is not None and (stays.forgotten_at, stays.version) == (0, 1)


async def test_of_another_version_nothing_is_ended(store: Store) -> None:
    begun = await store.processes.begin(new(), START)
    await store.processes.note(begun.id, 3, 1, "", 0)
    assert await store.processes.end(end(begun)) is None
    assert not await store.ledger.unsettled()


async def test_a_result_counts_as_unread_until_a_turn_has_spoken_of_it(store: Store) -> None:
    process, arrived = await ended(store, await store.processes.begin(new(), START))
    assert arrived is not None
    assert list(await store.processes.unrelayed()) == [process]
    await says(store, await takes(store, arrived.id), relayed=(process.id,))
    assert not await store.processes.unrelayed()
    read = await store.processes.get(process.id)
    assert read is not None and read.relayed_at == START + 9


async def test_a_result_that_was_not_spoken_of_waits_for_the_next_turn(store: Store) -> None:
    process, arrived = await ended(store, await store.processes.begin(new(), START))
    assert arrived is not None and not process.waits
    await says(store, await takes(store, arrived.id), status=TurnStatus.FAILED, unsaid=(process.id,))
    (waiting,) = await store.processes.unrelayed()
    assert waiting.waits
    await says(store, await takes(store), relayed=(process.id,))
    assert not await store.processes.unrelayed()


async def test_beyond_three_turns_on_results_of_one_message_they_wait(store: Store) -> None:
    for _ in range(3):
        _, arrived = await ended(store, await store.processes.begin(new(), START))
        assert arrived is not None
        await says(store, await takes(store, arrived.id))
    process, arrived = await ended(store, await store.processes.begin(new(), START))
    assert arrived is None and process.waits
    _, other = await ended(store, await store.processes.begin(new(inbound=2), START))
    assert other is not None, "another message has turns of its own"


async def test_siblings_that_one_turn_takes_up_count_once(store: Store) -> None:
    for _ in range(3):
        rows = [(await ended(store, await store.processes.begin(new(), START)))[1] for _ in range(3)]
        await says(store, await takes(store, *(row.id for row in rows if row is not None)))
    assert (await ended(store, await store.processes.begin(new(), START)))[0].waits


async def test_of_what_was_stopped_nobody_is_told(store: Store) -> None:
    begun = await store.processes.begin(new(), START)
    process, arrived = await ended(store, begun, state=ProcessState.CANCELLED, arrival=None, quiet=True)
    assert arrived is None and not process.waits
    assert not await store.processes.unrelayed()
    assert not await store.ledger.unsettled()


async def test_a_conversation_is_loaded_with_what_works_for_it(store: Store) -> None:
    await store.channels.meet(v.KEY, "#general", v.GUILD, ChannelSettings())
    await store.channels.meet(ELSEWHERE, "#hall", v.GUILD, ChannelSettings())
    running = await store.processes.begin(new(), START)
    over, _ = await ended(store, await store.processes.begin(new("weigh it"), START))
    state, other = await store.channels.load(v.KEY), await store.channels.load(ELSEWHERE)
    assert state is not None and other is not None
    assert [one.id for one in state.running] == [running.handle]
    assert [(one.row, one.text, one.waits) for one in state.finished] == [(over.id, "42", False)]
    assert not other.running and not other.finished
    await store.processes.relayed([over.id], START)
    again = await store.channels.load(v.KEY)
    assert again is not None and not again.finished


async def test_processes_are_found_by_channel_and_by_what_they_go_back_to(store: Store) -> None:
    first = await store.processes.begin(new(), START)
    second, _ = await ended(store, await store.processes.begin(new(inbound=2), START))
    await store.processes.begin(new(key=ELSEWHERE, inbound=3), START)
    assert list(await store.processes.of_channel(v.KEY, 9)) == [second, first]
    assert list(await store.processes.of_channel(v.KEY, 9, running_only=True)) == [first]
    assert list(await store.processes.of_inbound(2)) == [second]


async def test_what_an_admin_has_done_in_private_is_told_once_and_is_no_part_of_the_channel(store: Store) -> None:
    begun = await store.processes.begin(new(session=3, inbound=0), START)
    assert '"session"' not in new().model_dump_json() and (await store.processes.running())[0].body.session == 3
    body = NewOutbox(kind="finding", to=OutboundAddress(platform="console", channel=ELSEWHERE.channel), text="42")
    assert await store.processes.mark_told(begun.id, [body], START) is None, "it is not over"
    over, returned = await ended(store, begun, arrival=None)
    assert returned is None and over.as_finished is None
    state = await store.channels.load(v.KEY)
    assert state is None or (not state.running and not state.finished)
    assert [one.id for one in await store.processes.unrelayed()] == [over.id]
    rows = await store.processes.mark_told(over.id, [body], START + 9)
    assert rows is not None and list(rows) == list(await store.outbox.pending())
    assert await store.processes.mark_told(over.id, [body], START + 10) is None, "once"
    assert len(await store.outbox.pending()) == 1 and not await store.processes.unrelayed()


async def test_a_process_moves_with_its_channel(store: Store) -> None:
    begun = await store.processes.begin(new(), START)
    there = ChannelId("console:#super")
    await store.channels.move(v.GENERAL, there, START)
    (moved,) = await store.processes.of_channel(ChannelKey(MAIN, there), 9)
    assert (moved.id, moved.body.channel) == (begun.id, there)


async def test_an_altered_process_is_not_believed(store: Store, another_program: Callable[[str], None]) -> None:
    await store.processes.begin(new(), START)
    another_program("UPDATE process SET task = 'delete everything'")
    assert not await store.processes.running()
    assert store.damaged
