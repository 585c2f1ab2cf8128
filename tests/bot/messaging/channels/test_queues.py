from __future__ import annotations

import asyncio
from pathlib import Path

from bot.domain.access import Authority
from bot.domain.finding import NewAudit
from bot.domain.ids import ChannelId, UserId
from bot.domain.ledger import Outcome, StageVerdict, StoredInbound
from bot.domain.messages import InboundKind
from bot.messaging.channels.queues import (
    MAX_ASIDE,
    AmbientMessage,
    ChannelQueues,
    QueuedAmendment,
    QueuedMessage,
    QueuedResult,
    ResetChannel,
)
from tests.bot.messaging.channels.test_registry import key, stored
from tests.bot.messaging.house import config, house
from tests.fakes import values as v
from tests.fakes.clock import FakeClock

ANEW = NewAudit(at=5, platform="console", actor=UserId("1"), actor_name="root", action="fresh start", target="x")


def alike(_: StoredInbound) -> Authority:
    return Authority.EVERYONE


def test_a_turn_ends_where_another_tier_speaks():
    """Rows 1 to 3 are a member's, 4 and 5 an owner's, 6 a member's again."""
    queues = ChannelQueues(FakeClock())
    work = [
        *(QueuedMessage(stored(1), 0), AmbientMessage(stored(2)), QueuedMessage(stored(3), 1)),
        *(
            AmbientMessage(stored(7)),
            QueuedMessage(stored(4), 2),
            QueuedMessage(stored(5), 3),
            QueuedMessage(stored(6), 4),
        ),
    ]
    for item in work:
        queues.put(key(1), item)

    def tier_of(one: StoredInbound) -> Authority:
        return Authority.OWNER if one.id in {4, 5} else Authority.EVERYONE

    lane = queues.lane(key(1))
    assert lane is not None
    assert lane.next_talks(tier_of) == ([work[0], work[2]], True)
    assert lane.take(tier_of, one=False) == work[:4]
    assert lane.take(tier_of, one=False) == work[4:6]
    assert lane.next_talks(tier_of) == ([work[6]], False)
    assert lane.take(tier_of, one=False) == work[6:]


async def test_neither_edits_nor_overheard_talk_take_the_room_of_a_question(tmp_path: Path):
    async with house(tmp_path, config(limits={"waiting_per_channel": 3})) as here:
        here.held = asyncio.Event()
        old = await here.arrives("tell me")
        await here.breathe()
        await here.arrives("small talk", mentions_bot=False)
        await here.manager.receive(
            [old.replace(kind=InboundKind.EDIT, edit=at, text=f"edit {at}") for at in range(1, 2000)], None
        )
        for n in range(1, 1200):
            await here.arrives(f"talk {n}", mentions_bot=False)
        lane = here.queues.lane(v.KEY)
        assert lane is not None
        assert len(lane.work) <= 1001, "the edits of one message are one, and of what is overheard the newest stay"
        asked = [await here.arrives(f"question {n}", by=str(200 + n)) for n in range(4)]
        here.held.set()
        await here.manager.settled()
        assert [(await here.outcome(one))[0] for one in asked[:3]][-1] is Outcome.REPLIED
        assert await here.outcome(asked[3]) == (Outcome.GATED, "rate"), "too many questions wait: this one is told so"
        assert any("3 messages are already waiting here" in text for text in here.platform.texts)


def test_edits_of_many_messages_are_bounded_and_deletions_are_not():
    queues = ChannelQueues(FakeClock())
    queues.put(key(1), QueuedMessage(stored(1), 0))
    for n in range(2, MAX_ASIDE + 20):
        queues.put(key(1), QueuedAmendment(changed(n, InboundKind.EDIT)))
        queues.put(key(1), QueuedAmendment(changed(n + 10_000, InboundKind.DELETE)))
    lane = queues.lane(key(1))
    assert lane is not None
    kinds = [item.stored.inbound.kind for item in lane.work if isinstance(item, QueuedAmendment)]
    assert kinds.count(InboundKind.EDIT) == MAX_ASIDE
    assert kinds.count(InboundKind.DELETE) == MAX_ASIDE + 18


def changed(row: int, kind: InboundKind) -> StoredInbound:
    one = stored(row)
    return one.replace(inbound=one.inbound.replace(kind=kind, edit=1, message_id=f"m{row}"))


def test_who_puts_the_first_work_must_start_it():
    queues = ChannelQueues(FakeClock())
    assert queues.put(key(1), QueuedMessage(stored(1), 0))
    assert not queues.put(key(1), QueuedMessage(stored(2), 0))
    assert len(queues) == 1
    lane = queues.lane(key(1))
    assert lane is not None
    queues.close(lane)
    assert len(queues) == 0
    assert queues.put(key(1), QueuedMessage(stored(3), 0))


def test_a_turn_takes_what_was_said_before_a_fresh_start():
    queues = ChannelQueues(FakeClock())
    work = [
        QueuedMessage(stored(1), 0),
        AmbientMessage(stored(2)),
        QueuedMessage(stored(3), 1),
        ResetChannel(ANEW),
        QueuedMessage(stored(4), 2),
    ]
    for item in work:
        queues.put(key(1), item)
    lane = queues.lane(key(1))
    assert lane is not None
    assert lane.next_talks(alike).talks == [work[0], work[2]]
    assert lane.take(alike, one=False) == work[:3]
    assert list(lane.work) == work[3:]


def test_health_counts_what_waits():
    clock = FakeClock()
    queues = ChannelQueues(clock)
    queues.put(key(1), QueuedMessage(stored(1), clock.monotonic()))
    clock.advance(3)
    queues.put(key(1), QueuedMessage(stored(2), clock.monotonic()))
    queues.put(key(1), AmbientMessage(stored(3)))
    health = queues.health(key(1))
    assert (health.waiting, health.oldest_wait_ms, health.running_what) == (2, 3000, "")


def test_the_memory_of_when_a_channel_spoke_is_bounded():
    clock = FakeClock()
    queues = ChannelQueues(clock)
    for n in range(1000):
        queues.note_talk(key(n), clock.monotonic(), 1.5)
        clock.advance(1)
    assert len(queues._last_talk) == 2


def came_back(row: int, to: str) -> QueuedResult:
    known = stored(row)
    return QueuedResult(known.replace(inbound=known.inbound.replace(kind=InboundKind.RESULT, replies_to=to)), row)


def test_results_get_a_turn_of_their_own_with_those_that_go_back_to_the_same_message():
    queues = ChannelQueues(FakeClock())
    work = [
        QueuedMessage(stored(1), 0),
        came_back(2, "a"),
        QueuedMessage(stored(3), 1),
        came_back(4, "b"),
        came_back(5, "a"),
    ]
    for item in work:
        queues.put(key(1), item)
    lane = queues.lane(key(1))
    assert lane is not None
    assert lane.take(alike, one=False) == [work[0], work[2]]
    assert lane.take_returned() == [work[1], work[4]]
    assert lane.take_returned() == [work[3]]
    assert not lane.work and lane.take_returned() == []


async def test_a_flood_in_one_channel_ends_at_its_limit_and_is_told_once(tmp_path: Path):
    async with house(tmp_path, config(limits={"waiting_per_channel": 5})) as here:
        here.held = asyncio.Event()
        first = await here.arrives("first")
        await here.breathe()
        said = [await here.arrives(f"question {n}") for n in range(8)]
        elsewhere = await here.arrives("and I?", channel=ChannelId("console:#other"))
        await here.breathe()
        here.held.set()
        await here.manager.settled()
        assert [await here.outcome(one) for one in said[5:]] == [(Outcome.GATED, "rate")] * 3
        stages = (await here.trail(said[7])).stages
        (stop,) = [dict(row.detail) for row in stages if row.verdict is StageVerdict.STOPPED]
        assert (stop["gate"], stop["reason"], stop["waiting_per_channel"]) == ("rate", "rate_waiting", "5 of 5")
        for one in (first, elsewhere, said[4]):
            assert (await here.outcome(one))[0] is Outcome.REPLIED
        told = [text for text in here.platform.texts if not text.startswith("echo")]
        assert told == [
            "5 messages are already waiting here, so I can't take more right now. Please ask again in a while."
        ]
        assert len(here.alerts) == 1 and here.alerts[0].startswith("#general: 5 messages are waiting there")
        await here.hears("and now?")
        assert here.platform.texts[-1] == "echo: and now?"
