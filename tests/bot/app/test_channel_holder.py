"""What one process hears another one handles: once, in order, and after what was left there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.app.channel_holder import IDLE_SECONDS, ChannelHolder
from bot.domain.ids import ChannelId
from bot.domain.ledger import Outcome, StreamCursor
from bot.domain.messages import ButtonPress, Inbound
from bot.domain.recovery_scope import RecoveryScope
from bot.errors import StoreError
from bot.messaging.intake.forwarding_listener import ForwardingListener
from bot.ports.relay import StoredQuestion
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say
from tests.bot.messaging.house import House, house, person
from tests.bot.messaging.intake.test_recovery import arrived, taken
from tests.fakes import values as v
from tests.fakes.platform import FakePlatform
from tests.fakes.relay import FakeRelay, FakeShares

CURSOR = StreamCursor(adapter="console", stream="updates", value="7")


class HandingPlatform(FakePlatform):
    """Knows by what was handed over which messages it was told of. All topics of a chat count together."""

    def __init__(self) -> None:
        super().__init__(pace_parts=1)
        self.knows: list[str] = []

    def handoff(self, heard: Inbound | ButtonPress) -> str:
        return "known to who listens"

    def take_up(self, heard: Any, handoff: str) -> Any:
        self.knows.append(handoff)
        return heard


class Processes:
    """A gateway and a worker. The house is the worker's, and `gateway` hears."""

    def __init__(self, here: House, relay: FakeRelay) -> None:
        self.here, self.relay = here, relay
        self.left: list[ChannelId] = []
        self.has: dict[ChannelId, str] = {}
        self.recovered: list[RecoveryScope] = []
        self.refreshed = 0
        self.others: list[int] = []
        self.busy: set[ChannelId] = set()
        self.platforms: Any = {"console": here.platform}
        self.failures: list[str] = []
        self.gateway = ForwardingListener(
            store=here.store,
            relay=self.relay,
            platforms=self.platforms,
            tasks=TaskSupervisor(self._failed),
            config=here.config,
        )
        self.worker = self.another("worker")

    def another(self, name: str) -> ChannelHolder:
        here = self.here
        return ChannelHolder(
            manager=here.manager,
            leases=FakeShares(name, self.relay, self.has, self.left),
            relay=self.relay,
            platforms=self.platforms,
            clock=here.clock,
            tasks=here.tasks,
            moves=lambda: here.store.channels.moves,
            taken_up=self._taken_up,
            refresh=self._refresh,
            put_away=self._put_away,
            others=self._others,
            changes=self._changes,
            send=here.sender.say,
        )

    async def _taken_up(self, scope: RecoveryScope) -> None:
        self.recovered.append(scope)

    async def _refresh(self) -> None:
        self.refreshed += 1

    async def _others(self) -> list[int]:
        return self.others

    async def _changes(self, press: ButtonPress) -> ChannelId | None:
        return ChannelId(press.data) if press.data.startswith("console:") else None

    def _put_away(self, place: ChannelId) -> bool:
        return place not in self.busy

    async def _failed(self, name: str, error: BaseException) -> None:
        self.failures.append(name)


@asynccontextmanager
async def processes(tmp_path: Path, relay: FakeRelay | None = None) -> AsyncIterator[Processes]:
    async with house(tmp_path, platform=HandingPlatform(), start=False) as here:
        await here.manager.prepare()
        yield Processes(here, relay or FakeRelay())


async def test_what_the_gateway_hears_the_worker_answers_once(tmp_path: Path):
    async with processes(tmp_path) as two:
        asked = two.here.inbound("are you there?")
        await two.gateway.receive([asked], CURSOR)
        await two.gateway.receive([asked], None)
        assert two.relay.cursors == [CURSOR, None] and two.here.platform.texts == []
        relayed = list(two.relay.stored)
        await two.worker.look()
        await two.here.manager.settled()
        assert two.here.platform.texts == ["echo: are you there?"] and two.relay.stored == []
        assert two.here.platform.knows == ["known to who listens"]
        assert (await two.here.outcome(asked))[0] is Outcome.REPLIED
        # whoever died before it could say that it was handled hands it to the next one
        two.relay.stored, two.has = relayed, {}
        await two.another("the next one").look()
        await two.here.manager.settled()
        assert two.here.platform.texts == ["echo: are you there?"] and two.relay.stored == []


async def test_what_was_left_in_a_channel_comes_before_what_is_heard_there(tmp_path: Path):
    async with processes(tmp_path) as two:
        _, row = await arrived(two.here, "asked before")
        await taken(two.here, row)
        await two.gateway.receive([two.here.inbound("asked after")], None)
        await two.worker.look()
        await two.here.manager.settled()
        assert [text for turn in two.here.taken for text in turn] == ["asked before", "asked after"]
        assert two.recovered == [RecoveryScope(frozenset({v.GENERAL}))]
        await two.gateway.receive([two.here.inbound("and now?")], None)
        await two.worker.look()
        assert len(two.recovered) == 1, "what is its own is under way, and not taken up"


async def test_topics_of_a_chat_are_one_process_s_and_taken_up_one_by_one(tmp_path: Path):
    async with processes(tmp_path) as two:
        topics = [ChannelId(f"console:7:{n}") for n in (1, 2)]
        two.left.append(topics[0])
        await two.worker.look()
        assert two.has == {"console:7": "worker"}
        await two.gateway.receive([two.here.inbound("hi", channel=topics[1])], None)
        await two.another("idler").look()
        assert two.relay.stored, "it is not the other one's"
        await two.worker.look()
        assert two.recovered == [RecoveryScope(frozenset({one})) for one in topics]


async def test_who_has_more_channels_than_another_one_lets_that_one_go_first(tmp_path: Path):
    async with processes(tmp_path) as two:
        two.others = [0, 5]
        two.left.append(ChannelId("console:1"))
        await two.worker.look()
        assert list(two.has) == ["console:1"], "it has no more than the other one"
        two.left[:] = [ChannelId("console:2")]
        await two.worker.look()
        assert list(two.has) == ["console:1"]
        await two.worker.look()
        assert list(two.has) == ["console:1", "console:2"], "the other one does not come for it"


async def test_what_a_process_leaves_is_taken_up_by_all_others_at_the_same_time(tmp_path: Path):
    async with processes(tmp_path) as two:
        two.others, left = [9, 9], [ChannelId(f"console:{n}") for n in range(30)]
        two.left[:] = left
        await two.worker.look()
        assert list(two.has) == left[:10], "a third, the longest waiting first"
        two.others = [20, 20]
        two.left[:] = left[10:]
        await two.worker.look()
        assert list(two.has) == left[:18], "few are not divided"
        two.left[:] = left[18:24]
        await two.worker.look()
        assert list(two.has) == left[:24]


async def test_a_press_is_answered_by_who_has_the_channel_or_by_nobody_in_time(tmp_path: Path):
    press = ButtonPress(person=person("100"), name="ann", channel=v.GENERAL, data="x")
    async with processes(tmp_path) as two:
        async with asyncio.TaskGroup() as group:
            told = group.create_task(two.gateway.pressed(press))
            await two.relay.was_asked.wait()
            await two.worker.look()
        assert told.result() == "done" and two.here.door.presses == [press]
        two.relay.patience = 1
        assert await two.gateway.pressed(press) == say("processes.press-unanswered")


class LateRelay(FakeRelay):
    """Tells what was asked as it was some time ago."""

    async def questions(self, channels: Sequence[ChannelId] | None) -> Sequence[StoredQuestion]:
        found = await super().questions(channels)
        for _ in range(20):
            await asyncio.sleep(0)
        return found


async def test_a_press_is_done_once_also_where_it_was_answered_while_somebody_looked(tmp_path: Path):
    press = ButtonPress(person=person("100"), name="ann", channel=v.GENERAL, data="x")
    async with processes(tmp_path, LateRelay()) as two:
        async with asyncio.TaskGroup() as group:
            told = group.create_task(two.gateway.pressed(press))
            await two.relay.was_asked.wait()
            await two.worker.look()
            await two.worker.look()
        assert told.result() == "done"
        await two.worker.look()
        await two.here.tasks.idle()
        assert two.here.door.presses == [press]


async def test_a_press_that_changes_another_channel_goes_to_the_process_that_has_that_one(tmp_path: Path):
    press = ButtonPress(person=person("100"), name="ann", channel=v.GENERAL, data="console:9")
    async with processes(tmp_path) as two:
        other, two.left[:] = two.another("other"), [ChannelId("console:9")]
        await other.look()
        async with asyncio.TaskGroup() as group:
            told = group.create_task(two.gateway.pressed(press))
            await two.relay.was_asked.wait()
            two.relay.was_asked.clear()
            await two.worker.look()
            assert two.has == {"console:9": "other", v.GENERAL: "worker"}
            await two.relay.was_asked.wait()
            assert two.here.door.presses == []
            await other.look()
        assert told.result() == "done" and two.here.door.presses == [press]


async def test_a_press_for_a_process_that_does_not_answer_is_kept_and_done_by_who_has_the_channel_next(tmp_path: Path):
    press = ButtonPress(person=person("100"), name="ann", channel=v.GENERAL, data="console:9")
    async with processes(tmp_path) as two:
        silent, two.left[:] = two.another("silent"), [ChannelId("console:9")]
        await silent.look()
        two.left.clear()
        two.relay.patience = 1000
        async with asyncio.TaskGroup() as group:
            told = group.create_task(two.gateway.pressed(press))
            await two.relay.was_asked.wait()
            two.relay.patience = 1
            await two.worker.look()
        assert told.result() == say("processes.press-handed-on")
        await two.here.manager.settled()
        assert two.here.platform.texts == [say("processes.press-kept")] and two.here.door.presses == []
        # somebody takes what that one had
        del two.has[ChannelId("console:9")]
        for _ in range(2):
            await two.worker.look()
            await two.here.manager.settled()
        assert two.here.door.presses == [press] and two.relay.stored == []
        assert two.here.platform.texts[1:] == ["done"]


async def test_a_conversation_of_another_process_is_read_anew_there(tmp_path: Path):
    async with processes(tmp_path) as two:
        two.left.append(v.GENERAL)
        await two.worker.look()
        assert not two.worker.reload_elsewhere(v.KEY) and two.worker.has(v.GENERAL)
        other = two.another("other")
        assert other.reload_elsewhere(v.KEY)
        await two.here.manager.settled()
        (event,) = (one.event for one in two.relay.stored)
        assert (event.channel, event.kind) == (v.GENERAL, "reload")
        await two.worker.look()
        assert two.relay.stored == []


async def test_settings_of_another_process_are_read_before_what_is_heard_next(tmp_path: Path):
    async with processes(tmp_path) as two:
        await two.worker.look()
        assert two.refreshed == 0
        two.relay.settings = 2
        await two.worker.look()
        await two.worker.look()
        assert two.refreshed == 1


async def test_a_channel_in_which_nothing_happens_is_given_back_and_taken_anew(tmp_path: Path):
    async with processes(tmp_path) as two:
        two.left += [v.GENERAL, ChannelId("console:busy")]
        two.busy.add(ChannelId("console:busy"))
        await two.worker.look()
        two.left.clear()
        two.here.clock.advance(IDLE_SECONDS)
        await two.worker.look()
        assert list(two.has) == ["console:busy"]
        await two.gateway.receive([two.here.inbound("hello")], None)
        await two.worker.look()
        assert two.has[v.GENERAL] == "worker" and len(two.recovered) == 2


async def test_what_cannot_be_read_keeps_nobody_waiting(tmp_path: Path):
    async with processes(tmp_path) as two:
        await two.gateway.receive([two.here.inbound("hello")], None)
        broken = two.relay.stored[0]
        two.relay.stored.insert(0, broken._replace(number=99, event=broken.event._replace(body="{", key="")))
        await two.worker.look()
        await two.here.manager.settled()
        assert two.here.platform.texts == ["echo: hello"] and two.relay.stored == []


async def test_what_cannot_be_handed_on_is_not_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async def refuses(events: object, cursor: object) -> None:
        raise StoreError("the database is away")

    async with processes(tmp_path) as two:
        monkeypatch.setattr(two.relay, "pass_on", refuses)
        with pytest.raises(StoreError):
            await two.gateway.receive([two.here.inbound("hello")], CURSOR)
        assert two.failures == ["hearing"]
