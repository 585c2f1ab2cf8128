"""Two processes write one database, turn by turn: whatever they do at once is as if one had done it after the other."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import structlog

from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import Outcome, Settlement
from bot.domain.revisions import BY_ITSELF
from bot.domain.turn import TurnEnd, TurnStatus
from bot.errors import LeaseLost, StoreAway
from tests.adapters.postgres.machines import Machines
from tests.contracts.test_store import FOREVER, audited, is_sound
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock
from tests.fakes.lengths import whole_or
from tests.inside.store import writer_of
from tests.servers.pgbouncer import pooled_url
from tests.servers.postgres import SCHEMA
from tests.servers.postgres_proxy import CutsCommit, a_proxy

WORDS = ("tea", "snow", "rent", "moss")
DAY = 86_400_000


@dataclass
class Talk:
    """A channel of one process, and what must be there in the end."""

    store: Any
    key: ChannelKey
    said: list[str] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    asked: dict[int, Any] = field(default_factory=dict)
    came: int = 0

    async def goes_on(self, chance: random.Random) -> None:
        """Play a message from its arrival to the answer's way out, or something beside."""
        channel, store = self.key.channel, self.store
        self.came += 1
        arrival = v.arrival(f"{channel} {self.came}", str(self.came), channel=channel)
        (row,) = await store.ledger.arrive([arrival], None)
        assert row is not None
        assert await store.ledger.arrive([arrival], None) == [None]
        turn = await store.journal.begin_turn(v.turn_start(self.key, (row,)), [])
        # the same words in both processes: they are stored once
        before = [v.message(one) for one in self.said[-4:]]
        question = v.message(f"{chance.choice(WORDS)}?")
        request = v.llm_request([*before, question], system=(("persona", chance.choice(WORDS)),))
        record = v.request_record(turn, request, self.key)
        self.asked[await store.journal.record_request(record, [])] = request
        answer = v.said(chance.choice(WORDS))
        await store.journal.end_turn(
            TurnEnd(
                turn=turn,
                agent=MAIN,
                channel=channel,
                at=START,
                status=TurnStatus.REPLIED,
                messages=(question, answer),
                memories=(v.memory(f"{channel} {self.came}", channel=channel, scope_id=channel),),
                outbox=(v.outgoing(f"{self.came}", to=v.address(channel), inbound=row),),
                settlements=(Settlement(inbound=row, at=START, outcome=Outcome.REPLIED),),
            )
        )
        self.turns.append(turn)
        self.said += [question.text, answer.text]
        if chance.random() < 0.3:
            await store.channels.set_settings(self.key, v.settings(model=f"a/{self.came}"), BY_ITSELF)
        if chance.random() < 0.3:
            await store.audit.append(audited(f"{channel} {self.came}"))

    async def holds(self, reader: Any) -> None:
        """Check that another process finds all of it as it was said."""
        state = await reader.channels.load(self.key)
        assert state is not None
        assert [message.text for turn in state.turns for message in turn.messages] == self.said
        assert [turn.id for turn in state.turns] == self.turns == sorted(self.turns)
        recent = await reader.ledger.recent(self.key, 999)
        numbers = [str(number) for number in range(self.came, 0, -1)]
        assert [stored.inbound.message_id for stored in recent] == numbers
        assert [stored.id for stored in recent] == sorted((stored.id for stored in recent), reverse=True)
        for row, request in self.asked.items():
            stored = await reader.journal.request(row)
            assert stored is not None and stored.record.request == request


@pytest.mark.parametrize("way", whole_or(["direct", "pooled"], ["direct"]))
async def test_what_two_do_at_once_is_all_there_in_order_and_sound(machines: Machines, way: str):
    url = pooled_url() if way == "pooled" else machines.server.url()
    chance = random.Random(way)
    stores = [(await machines.worker(name, url))[1] for name in ("one", "other")]
    talks = [
        Talk(store, ChannelKey(MAIN, ChannelId(f"console:#{who}{number}")))
        for who, store in enumerate(stores)
        for number in range(3)
    ]
    for _ in range(whole_or(60, 4)):
        await asyncio.gather(*(talk.goes_on(chance) for talk in talks))
        if chance.random() < 0.5:
            # content that nothing names goes, also while others name it again
            await asyncio.gather(
                stores[0].sweep(FOREVER.model_copy(update={"requests_ms": 1}), START - DAY),
                *(talk.goes_on(chance) for talk in talks),
            )
    for talk in talks:
        for reader in stores:
            await talk.holds(reader)
    chunks = [chunk.body.text for chunk in await stores[0].outbox.pending()]
    assert sorted(chunks) == sorted(str(number) for talk in talks for number in range(1, talk.came + 1))
    for store in stores:
        assert await store.verify() == [] and await store.audit.verify() == 0 and await is_sound(store)
    twice = "SELECT (SELECT count(*) FROM blob) - (SELECT count(DISTINCT hash) FROM blob)"
    assert machines.server.run(f"SET search_path = {SCHEMA}", twice) == [(0,)]


async def test_content_that_another_process_names_meanwhile_is_not_taken_out(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
):
    from adapters.sqlite.erasure import retention

    _, one = await machines.worker("one")
    _, other = await machines.worker("other")
    request = v.llm_request([v.message("named no more"), v.message("nor this")])
    turn = await one.journal.begin_turn(v.turn_start(), [])
    old = await one.journal.record_request(v.request_record(turn, request), [])
    # the other process knows the rows, and does not look for them again
    again = await other.journal.record_request(v.request_record(turn, request), [])
    machines.server.run(f"DELETE FROM {SCHEMA}.request WHERE id IN ({old}, {again})")
    loop, looked = asyncio.get_running_loop(), retention.dead_content
    named: list[int] = []

    def dead(table: str, connection: Any) -> list[int]:
        found = looked(table, connection)
        if not named:
            writes = other.journal.record_request(v.request_record(turn, request), [])
            named.append(asyncio.run_coroutine_threadsafe(writes, loop).result())
        return found

    monkeypatch.setattr(retention, "dead_content", dead)
    await one.sweep(FOREVER, START)
    stored = await one.journal.request(named[0])
    assert stored is not None and stored.record.request == request
    # and once nobody names it, it goes, and nobody believes that it is still there
    machines.server.run(f"DELETE FROM {SCHEMA}.request")
    await one.sweep(FOREVER, START)
    assert machines.server.run(f"SELECT count(*) FROM {SCHEMA}.node") == [(0,)]
    row = await other.journal.record_request(v.request_record(turn, request), [])
    stored = await one.journal.request(row)
    assert stored is not None and stored.record.request == request


async def test_of_several_that_begin_a_database_at_once_those_that_share_a_key_all_go_on(
    machines: Machines, tmp_path: Path
):
    for name in ("one", "other", "third"):
        (tmp_path / name).mkdir(mode=0o700)
        (tmp_path / name / "secret.key").write_bytes(b"k" * 32)
        (tmp_path / name / "secret.key").chmod(0o600)
    begun = await asyncio.gather(*map(machines.worker, ("one", "other", "third")))
    assert len({store.instance for _, store in begun}) == 1
    for number, (_, store) in enumerate(begun, 1):
        assert await store.ledger.arrive([v.arrival(message_id=str(number))], None) == [number]
        assert await is_sound(store)


async def test_two_sweeps_do_not_run_at_once(machines: Machines):
    from adapters.postgres.engine.sweep_lock import SweepLock

    _, one = await machines.worker("one")
    _, other = await machines.worker("other")
    async with SweepLock(one.address, FakeClock()):
        swept = asyncio.gather(other.sweep(FOREVER, START))
        await other.ledger.arrive([v.arrival()], None)
        assert not swept.done()
    await swept


async def test_one_that_stands_still_in_a_transaction_is_cut_off_and_goes_on_later(machines: Machines):
    _, one = await machines.worker("one")
    _, other = await machines.worker("other")
    stands, goes = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def stand_still(connection: Any) -> int:
        if not stands.is_set():
            loop.call_soon_threadsafe(stands.set)
            asyncio.run_coroutine_threadsafe(goes.wait(), loop).result()
        return connection.execute("SELECT 1").fetchone()[0]

    slow = asyncio.gather(writer_of(one).write(stand_still))
    await stands.wait()
    waits = asyncio.gather(other.ledger.arrive([v.arrival()], None))
    # as the server does by itself after two seconds
    cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE state = 'idle in transaction'"
    await asyncio.to_thread(machines.server.run, cut)
    assert await waits == [[1]]
    goes.set()
    assert await slow == [1]
    assert await one.ledger.arrive([v.arrival(message_id="2")], None) == [2]


async def test_who_is_ended_in_the_middle_of_a_group_stores_none_of_it(machines: Machines):
    leases, one = await machines.worker("one")
    other_leases, other = await machines.worker("other")
    await leases.take_channels([v.GENERAL], 1)
    machines.sleeps("one")
    begun, ended = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def late(connection: Any) -> None:
        loop.call_soon_threadsafe(begun.set)
        asyncio.run_coroutine_threadsafe(ended.wait(), loop).result()

    group = [
        asyncio.gather(writer_of(one).write(late), return_exceptions=True),
        asyncio.gather(one.ledger.arrive([v.arrival()], None), return_exceptions=True),
    ]
    await begun.wait()
    # it passed the turnstile before: nobody can take anything of it until it is over
    assert list(await other_leases.take_channels([v.GENERAL], 1)) == []
    cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE state = 'idle in transaction'"
    await asyncio.to_thread(machines.server.run, cut)
    assert len(await other_leases.take_channels([v.GENERAL], 1)) == 1
    ended.set()
    (first,), (second,) = [await one_of for one_of in group]
    assert isinstance(second, LeaseLost) and isinstance(first, LeaseLost | StoreAway)
    assert await other.ledger.recent(v.KEY, 9) == []


@pytest.mark.parametrize("arrives", [True, False])
async def test_what_became_of_a_commit_is_known_when_others_have_committed_since(machines: Machines, arrives: bool):
    async with a_proxy(machines.server) as proxy:
        await machines.worker("first")
        proxy.cut = sent = CutsCommit()
        _, one = await machines.worker("one", proxy.url)
        _, other = await machines.worker("other")
        await one.ledger.arrive([v.arrival(message_id="1")], None)
        sent.is_armed = True
        # and from then on nobody comes through
        proxy.cut = lambda passed: bool(proxy.cuts) or (passed.says_committed if arrives else sent(passed))
        asked = asyncio.gather(one.ledger.arrive([v.arrival(message_id="2")], None))
        while not proxy.cuts:  # noqa: ASYNC110 - a thread waits for the server
            await asyncio.sleep(0.001)
        for number in "34":
            await other.ledger.arrive([v.arrival(message_id=number)], None)
        proxy.cut = lambda _: False
        with structlog.testing.capture_logs() as logs:
            assert await asked == [[2 if arrives else 4]]
        became = [line["became"] for line in logs if line["event"] == "commit_without_answer"]
        assert became == ["committed" if arrives else "aborted"]
        stored = [one.inbound.message_id for one in await other.ledger.recent(v.KEY, 9)]
        assert stored == (["4", "3", "2", "1"] if arrives else ["2", "4", "3", "1"])


async def test_what_one_changes_that_the_other_keeps_in_memory_counts_at_once(machines: Machines):
    _, one = await machines.worker("one")
    _, other = await machines.worker("other")
    moved = ChannelId("console:#moved")
    await asyncio.gather(*(store.ledger.arrive([v.arrival()], None) for store in (one, other)))
    await one.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
    await one.channels.move(v.GENERAL, moved, START)
    # under which name something belongs is known by the next thing that is written
    await other.channels.hear([(v.KEY, v.message("heard", ambient=True))], keep=3)
    state = await one.channels.load(ChannelKey(MAIN, moved))
    assert state is not None and [message.text for message in state.ambient] == ["heard"]
    # and a row that both change is changed as it is, not as it was
    key = ChannelKey(MAIN, moved)
    for store, model in ((one, "a/1"), (other, "a/2")):
        await store.channels.set_settings(key, v.settings(model=model), BY_ITSELF)
    turn = await one.journal.begin_turn(v.turn_start(key), [])
    ends = TurnEnd(turn=turn, agent=MAIN, channel=moved, at=START, status=TurnStatus.REPLIED, messages=(v.said(),))
    await one.journal.end_turn(ends)
    state = await one.channels.load(key)
    assert state is not None and state.settings.model == "a/2" and await other.verify() == []


async def test_where_a_channels_row_was_is_looked_at_again_when_another_one_wrote(machines: Machines):
    _, one = await machines.worker("one")
    _, other = await machines.worker("other")
    said = v.message("heard", ambient=True)
    await one.channels.hear([(v.KEY, said)], keep=3)
    # another process takes the row away, and makes it anew
    machines.server.run(f"DELETE FROM {SCHEMA}.history", f"DELETE FROM {SCHEMA}.channel")
    await other.channels.meet(v.KEY, "#general", v.GUILD, v.settings(model="a/1"))
    await one.channels.hear([(v.KEY, said)], keep=3)
    for store in (one, other):
        state = await store.channels.load(v.KEY)
        assert state is not None and [message.text for message in state.ambient] == ["heard"]
        assert state.settings.model == "a/1" and len(machines.server.run(f"SELECT 1 FROM {SCHEMA}.channel")) == 1
