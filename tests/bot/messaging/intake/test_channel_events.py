"""What happens beside messages: the bot comes into a channel, leaves it, or the channel gets another id."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest

from bot.domain.channel import ResponseMode
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import ArrivalDisposition, Outcome
from bot.domain.messages import ChannelPlace, EventKind, Inbound, InboundKind, PlatformEvent
from bot.domain.turn import OutboxState
from bot.messaging.intake.channel_events import outdated_entries
from tests.bot.messaging.house import MODERATOR, House, config, house
from tests.fakes import values as v
from tests.fakes.platform import FakePlatform, refused

OLD, NEW = ChannelId("console:-5"), ChannelId("console:-100")
TOPIC = ChannelId("console:-5:7")
ACTIVE = {"console": {"default_mode": "active"}}
_IDS = itertools.count(1)


def event(kind: EventKind, name: str = "my_chat_member", to: ChannelId | None = None, **changes: Any) -> Inbound:
    base: dict[str, Any] = {"kind": InboundKind.EVENT, "mentions_bot": False, "message_id": f"u{next(_IDS)}"}
    return v.inbound("", event=PlatformEvent(kind=kind, name=name, moved_to=to), **{**base, **changes})


def at(channel: ChannelId) -> dict[str, Any]:
    chat = channel.split(":")[1]
    parents = (chat,) if channel.count(":") > 1 else ()
    return {"channel": channel, "channel_name": "kitchen", "place": ChannelPlace(guild_id=chat, parents=parents)}


async def happens(house: House, one: Inbound) -> tuple[Outcome | None, str]:
    await house.manager.receive([one], None)
    await house.manager.settled()
    stored = (await house.store.ledger.events(ChannelKey(MAIN, one.channel), 0))[0]
    return stored.outcome, stored.outcome_reason


async def moves(house: House, **changes: Any) -> tuple[Outcome | None, str]:
    return await happens(house, event(EventKind.MOVED, "migrate_to_chat_id", NEW, **at(OLD), **changes))


# every event has one row and one outcome


@pytest.mark.parametrize("kind", [EventKind.OTHER, EventKind.LEFT])
async def test_what_means_nothing_is_noted_and_is_neither_history_nor_a_turn(tmp_path, kind):
    async with house(tmp_path, config(**ACTIVE)) as h:
        assert await happens(h, event(kind, "new_chat_title")) == (Outcome.STORED_ONLY, "event: new_chat_title")
        assert (h.taken, h.platform.sent) == ([], [])
        assert await h.store.channels.load(v.KEY) is None
        assert await h.store.ledger.unheard(0, 10) == []
        assert await h.store.ledger.counts(None, 0) == [], "nobody said anything"


async def test_an_event_breaks_no_row_of_bots(tmp_path):
    async with house(tmp_path, config(console={"allow_bots": True}, limits={"loop_guard_messages": 1})) as h:
        bot = v.author("7", "robot", v.AuthorKind.BOT)
        await h.hears("one", author=bot)
        await happens(h, event(EventKind.OTHER, "poll"))
        said = await h.hears("two", author=bot)
        assert await h.outcome(said) == (Outcome.GATED, "loop")


# the bot comes into a channel


@pytest.mark.parametrize("mode", list(ResponseMode))
async def test_it_says_once_how_it_answers_here(tmp_path, mode, snapshot):
    settings = config(console={"default_mode": mode.value, "names": ["glassmind"]})
    async with house(tmp_path, settings) as h:
        joined = event(EventKind.JOINED)
        assert await happens(h, joined) == (Outcome.STORED_ONLY, "event: my_chat_member, greeted")
        await h.manager.receive([joined], None)
        await h.manager.settled()
        assert h.platform.texts == [snapshot]
        assert h.taken == []


async def test_who_comes_back_within_a_day_is_not_greeted_again(tmp_path):
    async with house(tmp_path) as h:
        await happens(h, event(EventKind.JOINED))
        await happens(h, event(EventKind.LEFT))
        again = await happens(h, event(EventKind.JOINED))
        assert again == (Outcome.STORED_ONLY, "event: my_chat_member, greeted less than a day ago")
        assert len(h.platform.sent) == 1
        h.clock.advance(25 * 3600)
        assert (await happens(h, event(EventKind.JOINED)))[1].endswith(", greeted")
        assert len(h.platform.sent) == 2


async def test_where_it_may_not_be_it_says_nothing_and_the_ledger_says_so(tmp_path):
    async with house(tmp_path, config(console={"blocked_channels": ["#general"]})) as h:
        assert await happens(h, event(EventKind.JOINED)) == (Outcome.GATED, "place")
        assert h.platform.tried == []


async def test_a_paused_channel_and_a_private_chat_are_not_greeted(tmp_path):
    async with house(tmp_path) as h:
        private = event(EventKind.JOINED, channel=ChannelId("console:dm:100"), place=ChannelPlace(is_dm=True))
        assert await happens(h, private) == (Outcome.STORED_ONLY, "event: my_chat_member")
        await h.hears("Glass /pause lunch", by="1")
        assert (await happens(h, event(EventKind.JOINED)))[1].endswith("not greeted: the channel is paused")
        assert not any("Hello" in text for text in h.platform.texts)


async def test_a_greeting_that_is_refused_is_on_record(tmp_path):
    async with house(tmp_path) as h:
        h.platform.fails([refused("403")])
        assert await happens(h, event(EventKind.JOINED)) == (Outcome.FAILED, "send:403")


async def test_a_kill_before_the_greeting_and_one_after_it_lead_to_one_greeting(tmp_path):
    platform = FakePlatform()
    async with house(tmp_path, platform=platform) as h:
        joined = h.judge.arrival(event(EventKind.JOINED), h.clock.now())
        assert joined.disposition is ArrivalDisposition.EVENT
        (row,) = await h.store.ledger.arrive([joined], None)
    async with house(tmp_path, platform=platform) as h:
        await h.manager.settled()
        assert len(platform.sent) == 1
        stored = await h.store.ledger.inbound(row)
        assert stored.outcome_reason == "event: my_chat_member, greeted"
        body = (await h.store.outbox.of_inbound(row))[0].body
        again = h.judge.arrival(event(EventKind.JOINED, channel=ChannelId("console:#other")), h.clock.now())
        (other,) = await h.store.ledger.arrive([again], None)
        await h.store.outbox.put([body.replace(inbound=other, to=h.sender.home("console:#other"))], (), 1)
    async with house(tmp_path, platform=platform) as h:
        await h.manager.settled()
        assert len(platform.sent) == 2, "the outbox had it already"
        assert (await h.store.ledger.inbound(other)).outcome_reason.endswith("greeted")


# a channel gets another id


async def test_a_conversation_goes_on_under_the_new_id(tmp_path):
    async with house(tmp_path, config(**ACTIVE)) as h:
        await h.hears("before", **at(OLD))
        await h.hears("in a topic", **at(TOPIC))
        h.held = asyncio.Event()
        during = await h.arrives("during", **at(OLD))
        waiting = await h.arrives("waiting", **at(OLD))
        await h.breathe()
        await h.manager.receive([event(EventKind.MOVED, "migrate_to_chat_id", NEW, **at(OLD))], None)
        await h.arrives("behind the move", message_id=during.message_id, **at(NEW))
        h.held.set()
        await h.manager.settled()
        await h.hears("after", **at(NEW))
        assert h.platform.texts_in(NEW) == ["echo: during", "echo: behind the move", "echo: after"]
        assert next(sent for sent in h.platform.sent if sent.to.channel == NEW).replies_to == ""
        state = await h.state(NEW)
        said = [message.text.split("> ")[-1] for message in state.history]
        assert [text.rsplit("\n")[-1] for text in said] == ["before", "during", "waiting", "behind the move", "after"]
        assert state.id == NEW
        assert [turn.id for turn in state.turns] == sorted(turn.id for turn in state.turns)
        assert await h.state(OLD) == state, "the old id means the same conversation"
        assert (await h.state(ChannelId("console:-100:7"))).history[0].text.endswith("in a topic")
        for one in (during, waiting):
            stored = await h.store.ledger.by_message(ChannelKey(MAIN, OLD), one.message_id)
            assert stored.key.channel in {OLD, NEW}
        assert len(await h.store.ledger.recent(ChannelKey(MAIN, NEW), 100)) == 6
        assert await h.store.ledger.unsettled() == []
        assert await h.store.verify() == []
        assert h.failures == []


async def test_what_was_set_and_listed_for_the_old_id_holds_for_the_new_one(tmp_path, snapshot):
    settings = config(
        console={"allowed_channels": ["-5"], "blocked_channels": ["console:-5:9"], "allowed_guilds": ["-5"]},
        channels={str(OLD): {"model": "simulated/special", "mode": "active"}},
    )
    async with house(tmp_path, settings) as h:
        await h.hears("Glass /model simulated/other", by="1", **at(OLD))
        assert (await moves(h))[1] == f"event: migrate_to_chat_id, now {NEW}"
        await h.hears("hello", mentions_bot=False, **at(NEW))
        blocked = await h.hears("hello", **at(ChannelId("console:-100:9")))
        assert h.platform.texts_in(NEW) == ["echo: hello"]
        assert (await h.outcome(blocked))[0] is Outcome.GATED
        assert h.book.of(ChannelKey(MAIN, NEW)).model == "simulated/other"
        assert h.alerts == [snapshot]
        await moves(h)
        assert len(h.platform.texts_in(NEW)) == 1
    async with house(tmp_path, settings) as h:
        said = await h.hears("again", mentions_bot=False, **at(NEW))
        assert (await h.outcome(said))[0] is Outcome.REPLIED
        assert h.book.of(ChannelKey(MAIN, NEW)).model == "simulated/other"


def test_only_names_that_are_out_of_date_are_told():
    settings = config(console={"allowed_channels": ["-5", "-100", "-55", "other"]}, channels={"console:-55": {}})
    assert outdated_entries(settings, OLD, NEW) == []


async def test_a_pause_holds_and_a_deletion_of_the_history_stays_one(tmp_path):
    async with house(tmp_path, config(**ACTIVE)) as h:
        await h.hears("forget this", **at(OLD))
        await h.hears("said early in the new one", **at(NEW))
        await h.hears("Glass /new", by=MODERATOR, **at(NEW))
        await h.hears("fresh", **at(NEW))
        await h.hears("Glass /pause lunch", by="1", **at(OLD))
        await moves(h)
        paused = await h.hears("hello", **at(NEW))
        assert (await h.outcome(paused))[1] == "pause"
        assert [m.text.rsplit("\n")[-1].split("> ")[-1] for m in (await h.state(NEW)).history] == ["fresh"]
        await h.hears("Glass /resume", by="1", **at(NEW))
        await h.hears("hello again", **at(NEW))
        assert h.platform.texts_in(NEW)[-1] == "echo: hello again"
        assert await h.store.verify() == []


async def test_what_was_said_under_the_new_id_first_stands_behind_what_is_older(tmp_path):
    async with house(tmp_path, config(**ACTIVE)) as h:
        await h.hears("old", **at(OLD))
        await h.hears("Glass /new", by=MODERATOR, **at(OLD))
        await h.hears("older", **at(OLD))
        await h.hears("newer", **at(NEW))
        await moves(h)
        await h.hears("newest", **at(NEW))
        said = [m.text.rsplit("\n")[-1].split("> ")[-1] for m in (await h.state(NEW)).history]
        assert said == ["older", "newer", "newest"]


async def test_a_turn_under_each_id_ends_and_neither_is_forgotten(tmp_path):
    async with house(tmp_path, config(**ACTIVE)) as h:
        h.held = asyncio.Event()
        await h.arrives("one", **at(OLD))
        await h.arrives("two", **at(NEW))
        await h.breathe()
        await h.manager.receive([event(EventKind.MOVED, "moved", NEW, **at(OLD))], None)
        h.held.set()
        await h.manager.settled()
        await h.hears("three", **at(NEW))
        said = sorted(m.text.rsplit("\n")[-1].split("> ")[-1] for m in (await h.state(NEW)).history)
        assert said == ["one", "three", "two"]
        assert len(h.registry.get(ChannelKey(MAIN, NEW)).history) == 3


async def test_what_waits_is_sent_to_the_new_id_after_a_kill_too(tmp_path):
    platform = FakePlatform()
    async with house(tmp_path, config(**ACTIVE), platform=platform) as h:
        h.dies_before_sending = True
        await h.hears("hello", **at(OLD))
        moved = h.judge.arrival(event(EventKind.MOVED, "migrate_to_chat_id", NEW, **at(OLD)), h.clock.now())
        await h.store.ledger.arrive([moved], None)
        again = h.judge.arrival(h.inbound("never answered", **at(OLD)), h.clock.now())
        await h.store.ledger.arrive([again], None)
    async with house(tmp_path, config(**ACTIVE), platform=platform) as h:
        await h.manager.settled()
        assert platform.texts_in(NEW) == ["echo: hello", "echo: never answered"]
        assert platform.texts_in(OLD) == []
        assert await h.store.ledger.unsettled() == []
        rows = await h.store.outbox.of_inbound(1)
        assert [(row.state, row.body.to.channel) for row in rows] == [(OutboxState.SENT, NEW)]


async def test_a_message_of_the_old_channel_and_one_of_the_new_with_its_number_are_two(tmp_path):
    async with house(tmp_path, config(**ACTIVE)) as h:
        await h.hears("old five", message_id="5", **at(OLD))
        await moves(h)
        await h.hears("new five", message_id="5", **at(NEW))
        assert h.platform.texts_in(NEW) == ["echo: new five"]
        await h.manager.receive([h.inbound("old five", message_id="5", **at(OLD))], None)
        await h.manager.settled()
        assert len(h.platform.sent) == 2, "what the platform delivers twice is taken once"
        late = await h.hears("a late one", message_id="6", **at(OLD))
        assert h.platform.texts_in(NEW)[-1] == "echo: a late one"
        assert (await h.store.ledger.by_message(ChannelKey(MAIN, NEW), f"{OLD}#{late.message_id}")).outcome is not None


async def test_a_move_to_nowhere_or_elsewhere_changes_nothing(tmp_path):
    async with house(tmp_path, config(**ACTIVE)) as h:
        for to in (None, ChannelId("telegram:1"), OLD):
            outcome, _ = await happens(h, event(EventKind.MOVED, "moved", to, **at(OLD)))
            assert outcome is Outcome.STORED_ONLY
        assert h.store.channels.moves.pairs == ()
