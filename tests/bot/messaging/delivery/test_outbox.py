from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from bot.domain.health import AdapterState
from bot.domain.ids import ChannelId, UserId
from bot.domain.ledger import LedgerStage, Outcome, StageVerdict
from bot.domain.messages import Button, OutboundAddress, OutgoingFile
from bot.domain.turn import NewOutbox, OutboxState
from bot.errors import DeliveryError
from bot.ports.delivery import PendingAnswer, ShownAnswer
from tests.bot.messaging.house import SECRET, House, config, house
from tests.fakes import values as v
from tests.fakes.clock import FakeClock
from tests.fakes.platform import FakePlatform, flood, hiccup, lost, refused

PRIVATE = OutboundAddress(platform="console", channel=ChannelId("console:dm:2"), thread="root", private_to=UserId("2"))


async def rows(here: House, state: OutboxState) -> int:
    uncertain = await here.store.outbox.in_state(v.KEY, True, 100)
    dead = await here.store.outbox.in_state(v.KEY, False, 100)
    return len(uncertain if state is OutboxState.UNCERTAIN else dead)


def kept(folder: Path) -> OutgoingFile:
    (folder / "a.md").write_text("what was dumped")
    return OutgoingFile(name="a.md", path=str(folder / "a.md"), mimetype="text/markdown")


async def test_what_was_said_has_an_id(tmp_path: Path):
    async with house(tmp_path) as here:
        assert await here.sender.say(v.outgoing("hello", "command")) == ("p1",)
        assert await here.store.outbox.pending() == []


async def test_who_may_have_been_overtaken_says_nothing_until_it_is_sure(tmp_path: Path):
    async with house(tmp_path) as here:
        sure = here.clock.monotonic() + 7
        here.is_at_work = lambda: here.clock.monotonic() >= sure
        assert not await here.sender.react(v.GENERAL, "1", "+")
        assert await here.sender.say(v.outgoing("hello", "command")) == ("p1",)
        assert here.clock.monotonic() >= sure


@pytest.mark.parametrize("kind", ["finding", "file"])
async def test_private_content_goes_to_one_person_or_nowhere(tmp_path: Path, kind: str):
    async with house(tmp_path) as here:
        body = v.outgoing("what the model was told", kind)
        with pytest.raises(DeliveryError, match="one person"):
            await here.sender.parts(body)
        with pytest.raises(DeliveryError, match="one person"):
            await here.sender.say(body)
        # even a row that got into the store in some other way
        stored = await here.store.outbox.put([body], [], here.clock.now())
        with pytest.raises(DeliveryError, match="one person"):
            await here.sender.deliver(stored)
        assert here.platform.tried == []
        assert await here.sender.say(body.replace(to=PRIVATE)) == ("p1",)


async def test_long_text_goes_in_parts_and_buttons_with_the_last(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform(max_units=100)) as here:
        offered = Button(label="Undo", data="x")
        dump = kept(tmp_path)
        body = v.outgoing("word " * 60, "command", buttons=(offered,), file=dump)
        ids = await here.sender.say(body)
        assert len(ids) == len(here.platform.sent) > 2
        assert [m.buttons for m in here.platform.sent] == [()] * (len(ids) - 1) + [(offered,)]
        assert [m.file for m in here.platform.sent] == [None] * (len(ids) - 1) + [dump]
        assert len({m.nonce for m in here.platform.sent}) == len(ids)
        assert all(len(m.nonce) <= 25 for m in here.platform.sent)


async def test_a_file_may_go_without_words(tmp_path: Path):
    async with house(tmp_path) as here:
        dump = kept(tmp_path)
        await here.sender.say(v.outgoing("", "file", to=PRIVATE, file=dump))
        assert here.platform.sent[0].file == dump


async def test_a_file_that_is_gone_is_not_handed_over(tmp_path: Path):
    async with house(tmp_path) as here:
        dump = kept(tmp_path)
        os.unlink(dump.path)
        with pytest.raises(DeliveryError, match=r"a\.md is gone"):
            await here.sender.say(v.outgoing("", "file", to=PRIVATE, file=dump))
        assert here.platform.tried == []


async def test_secrets_never_leave(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.sender.say(v.outgoing(f"the key is {SECRET}", "command"))
        assert here.platform.texts == ["the key is [redacted:token:14]"]


async def test_a_hiccup_is_tried_again_with_the_same_nonce(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([hiccup(), hiccup()])
        asked = await here.hears("hello")
        assert [m.nonce for m in here.platform.tried] == [here.platform.sent[0].nonce] * 3
        assert here.clock.slept == [1.0, 2.0]
        assert (await here.outcome(asked))[0] is Outcome.REPLIED


async def test_after_the_last_attempt_the_person_and_the_admins_are_told(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([hiccup()] * 4)
        asked = await here.hears("hello")
        assert await here.outcome(asked) == (Outcome.FAILED, "send:502")
        assert "could not be delivered (502)" in here.platform.texts[0]
        assert "502" in here.alerts[0]
        assert "echo" not in here.alerts[0]
        last = (await here.trail(asked)).stages
        assert (LedgerStage.DELIVERED, StageVerdict.FAILED) in [(row.stage, row.verdict) for row in last]


async def test_a_flood_limit_is_honoured_and_costs_no_attempt(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([flood(7.5)] * 6)
        asked = await here.hears("hello")
        assert here.clock.slept.count(7.5) == 6
        assert (await here.outcome(asked))[0] is Outcome.REPLIED


async def test_a_flood_limit_slows_the_channel_down_and_no_other(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([flood(3.0)])
        await here.hears("one")
        here.clock.slept.clear()
        await here.hears("two", channel=ChannelId("console:#other"))
        assert here.clock.slept == []


async def test_where_a_limit_is_about_a_chat_its_topics_wait_together(tmp_path: Path):
    clock, topics = FakeClock(auto=False), [ChannelId(f"console:-100:{n}") for n in range(3)]
    async with house(tmp_path, clock=clock, platform=FakePlatform(pace_parts=1)) as here:
        said = [
            await here.store.outbox.put([v.outgoing("x", "command", to=v.address(topic))], [], clock.now())
            for topic in topics
        ]
        here.platform.fails([flood(7)])
        here.sender.enqueue(said[0])
        await here.breathe()
        here.sender.enqueue([*said[1], *said[2]])
        await here.breathe()
        assert len(here.platform.tried) == 1
        await here.sender.say(v.outgoing("elsewhere", "command", to=v.address(ChannelId("console:-200:1"))))
        assert here.platform.texts == ["elsewhere"]
        clock.advance(7)
        # they follow each other, no faster than was learned
        for sent in (2, 3, 4):
            await here.breathe()
            assert len(here.platform.sent) == sent
            clock.advance(1)


async def test_a_refusal_is_final(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([refused(), refused()])
        asked = await here.hears("hello")
        assert await here.outcome(asked) == (Outcome.FAILED, "send:50013")
        assert len(here.platform.tried) == 2  # the answer, then the notice
        # where not even the notice may be written, a reaction may still get through
        assert here.platform.reactions == [(v.GENERAL, asked.message_id, "⚠️")]
        assert len(here.alerts) == 1  # that the notice did not arrive either is no second news


async def test_what_may_have_arrived_is_never_sent_twice(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([lost()])
        asked = await here.hears("hello")
        assert await here.outcome(asked) == (Outcome.UNCERTAIN, "send:timeout")
        assert [m.text for m in here.platform.tried].count("echo: hello") == 1
        assert "may not have arrived" in here.platform.texts[0]
        assert await rows(here, OutboxState.UNCERTAIN) == 1


async def test_where_the_platform_knows_repeats_it_is_sent_again(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform(idempotent=True)) as here:
        here.platform.fails([lost()])
        asked = await here.hears("hello")
        assert (await here.outcome(asked))[0] is Outcome.REPLIED
        assert len({m.nonce for m in here.platform.tried}) == 1


async def test_a_repetition_says_since_when_it_may_have_arrived(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform(idempotent=True)) as here:
        here.platform.fails([lost()])
        began = here.clock.now()
        await here.sender.say(v.outgoing("hello", "command"))
        first, again = here.platform.tried
        assert (first.since, again.since) == (0, began) and first.nonce == again.nonce
        # and so does the one after a restart
        row = (await here.store.outbox.put([v.outgoing("more", "command")], [], began))[0]
        await here.store.outbox.sending(row.row)
    async with house(tmp_path, platform=FakePlatform(idempotent=True)) as here:
        await here.manager.settled()
        assert [m.since for m in here.platform.tried] == [began]


async def test_an_adapter_that_breaks_counts_as_uncertain(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([RuntimeError("a bug in the adapter")])
        asked = await here.hears("hello")
        assert await here.outcome(asked) == (Outcome.UNCERTAIN, "send:internal")


async def test_later_parts_do_not_go_out_behind_a_refused_one(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform(max_units=100)) as here:
        here.platform.fails([None, refused()])
        asked = await here.hears("word " * 60)
        assert (await here.outcome(asked))[0] is Outcome.FAILED
        assert len(here.platform.sent) == 2  # the first part, and the notice
        assert await here.store.outbox.pending() == []


async def test_order_holds_while_one_waits(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([flood(5)])
        async with asyncio.TaskGroup() as group:
            for n in range(10):
                group.create_task(here.sender.say(v.outgoing(f"line {n}", "command")))
        assert here.platform.texts == [f"line {n}" for n in range(10)]


async def test_answers_to_commands_let_everything_else_go_first(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform()) as here:
        kinds = ["command"] * 5 + ["reply"] + ["command"] + ["notice", "reply"]
        rows = [
            row
            for n, kind in enumerate(kinds)
            for row in await here.store.outbox.put([v.outgoing(f"{kind} {n}", kind)], [], here.clock.now())
        ]
        await here.sender.deliver(rows)
        # the first one was on its way already
        told = ["command 0", "reply 5", "notice 7", "reply 8", "command 1", "command 2", "command 3", "command 4"]
        assert here.platform.texts == [*told, "command 6"]


async def test_who_waits_for_a_delivery_hears_of_its_failure(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.closed_dms.add("2")
        with pytest.raises(DeliveryError) as caught:
            await here.sender.say(v.outgoing("a finding", "finding", to=PRIVATE))
        assert (caught.value.code, caught.value.permanent) == ("50007", True)
        assert here.alerts == []


async def test_a_platform_that_is_not_connected_refuses(tmp_path: Path):
    async with house(tmp_path) as here:
        with pytest.raises(DeliveryError, match="not connected"):
            await here.sender.say(v.outgoing(to=v.address(ChannelId("gone:1"), "gone"), kind="command"))
        assert not await here.sender.react(ChannelId("gone:1"), "1", "👍")
        async with here.sender.writing(PendingAnswer(v.address(ChannelId("gone:1"), "gone"), 1, 0, ())) as stream:
            stream.listen()("nobody sees this")
            assert await stream.stop() == ShownAnswer()


async def test_an_alert_that_fails_raises_no_alert(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([refused()])
        with pytest.raises(DeliveryError):
            await here.sender.say(v.outgoing("the adapter is deaf", "notice"))
        await here.sender.settled()
        assert here.alerts == []


async def test_what_was_left_waits_for_a_platform_that_is_starting(tmp_path: Path):
    platform = FakePlatform()
    async with house(tmp_path) as here:
        await here.store.outbox.put([v.outgoing("later", "command")], [], here.clock.now())
    platform.state = AdapterState.STARTING
    clock = FakeClock(auto=False)
    async with house(tmp_path, platform=platform, clock=clock) as here:
        await here.breathe()
        assert platform.tried == []
        platform.state = AdapterState.UP
        clock.advance(0.5)
        await here.manager.settled()
        assert platform.texts == ["later"]


async def test_a_platform_that_never_starts_is_waited_for_once_and_not_for_ever(tmp_path: Path):
    platform = FakePlatform()
    async with house(tmp_path) as here:
        await here.store.outbox.put([v.outgoing(f"later {n}", "command") for n in range(3)], [], here.clock.now())
    platform.state = AdapterState.STARTING
    async with house(tmp_path, platform=platform) as here:
        await here.sender.say(v.outgoing("new", "command"))
        assert sum(here.clock.slept) == 120
        assert platform.texts == ["later 0", "later 1", "later 2", "new"]


async def test_a_fixed_pace_is_kept(tmp_path: Path):
    settings = config(limits={"sends_per_second": 2})
    async with house(tmp_path, settings) as here:
        for n in range(3):
            await here.sender.say(v.outgoing(f"line {n}", "command"))
        assert here.clock.slept == [0.5, 0.5]


async def test_rows_on_their_way_are_not_sent_again(tmp_path: Path):
    async with house(tmp_path) as here:
        stored = await here.store.outbox.put([v.outgoing("once", "command")], [], here.clock.now())
        here.sender.enqueue(stored)
        here.sender.enqueue(stored)
        assert await here.sender.deliver(stored) == ("p1",)
        await here.sender.settled()
        assert here.platform.texts == ["once"]


async def test_who_stops_waiting_does_not_stop_the_sending(tmp_path: Path):
    async with house(tmp_path, clock=FakeClock(auto=False)) as here:
        here.platform.fails([flood(5)])
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(here.sender.say(v.outgoing("hello", "command")))
            await here.breathe()
            waiting.cancel()
        here.clock.advance(5)
        await here.sender.settled()
        assert here.platform.texts == ["hello"]


async def test_closing_keeps_what_waits_for_the_next_start(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.sender_tasks.close()
        with pytest.raises(DeliveryError, match="next start"):
            await here.sender.say(v.outgoing("later", "command"))
        assert len(await here.store.outbox.pending()) == 1
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.platform.texts == ["later"]


CRASHES = [
    ("before the intent", False, 1, OutboxState.SENT),
    ("after the intent", False, 0, OutboxState.UNCERTAIN),
    ("before the intent", True, 1, OutboxState.SENT),
    ("after the intent", True, 1, OutboxState.SENT),
]


@pytest.mark.parametrize(("point", "idempotent", "sends", "state"), CRASHES)
async def test_a_crash_between_intent_and_receipt(
    tmp_path: Path, point: str, idempotent: bool, sends: int, state: OutboxState
):
    platform = FakePlatform(idempotent=idempotent)
    async with house(tmp_path, platform=platform) as here:
        here.dies_before_sending = True
        asked = await here.hears("hello")
        row = (await here.store.outbox.pending())[0]
        if point == "after the intent":
            await here.store.outbox.sending(row.row)
    async with house(tmp_path, platform=platform) as here:
        await here.manager.settled()
        assert platform.texts.count("echo: hello") == sends
        known = await here.store.outbox.of_inbound(row.body.inbound)
        assert known[0].state is state
        expected = Outcome.REPLIED if state is OutboxState.SENT else Outcome.UNCERTAIN
        assert (await here.outcome(asked))[0] is expected
        assert here.taken == []


@pytest.mark.parametrize(("uncertain", "words"), [(True, "may not have arrived"), (False, "not be delivered (cut)")])
async def test_a_crash_before_anybody_was_told_is_made_up_for_once(tmp_path: Path, uncertain: bool, words: str):
    platform = FakePlatform()
    async with house(tmp_path, platform=platform) as here:
        here.dies_before_sending = True
        await here.hears("hello")
        row = (await here.store.outbox.pending())[0]
        await here.store.outbox.ended(row.row, uncertain=uncertain, error="cut: it broke", stages=[], done=[])
    for _ in range(2):
        async with house(tmp_path, platform=platform) as here:
            await here.manager.settled()
    (told,) = [text for text in platform.texts if not text.startswith("A reply to")]
    assert words in told


async def test_a_crash_after_the_platform_took_it_is_told_apart_by_the_nonce(tmp_path: Path):
    platform = FakePlatform(idempotent=True)
    async with house(tmp_path, platform=platform) as here:
        here.dies_before_sending = True
        await here.hears("hello")
        row = (await here.store.outbox.pending())[0]
        await here.store.outbox.sending(row.row)
        await here.sender.post_to_platform(row)
    async with house(tmp_path, platform=platform) as here:
        await here.manager.settled()
        assert platform.texts == ["echo: hello"]
        assert len(platform.tried) == 2


async def test_a_postponed_chunk_waits_for_its_time_after_a_restart(tmp_path: Path):
    async with house(tmp_path) as here:
        stored = await here.store.outbox.put([v.outgoing("later", "command")], [], here.clock.now())
        await here.store.outbox.postponed(stored[0].row, "429", here.clock.now() + 4000)
    clock = FakeClock()
    async with house(tmp_path, clock=clock) as here:
        await here.manager.settled()
        assert clock.slept == [4.0]
        assert here.platform.texts == ["later"]


def test_a_body_without_anything_is_one_part(tmp_path: Path):
    assert NewOutbox(kind="notice", to=v.address(), text="").parts == 1


async def test_what_a_platform_says_of_a_secret_is_in_no_record(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([DeliveryError(f"later, {SECRET}", code="502"), DeliveryError(SECRET, permanent=True)])
        inbound = await here.hears("hello")
        trail = await here.trail(inbound)
        rows = await here.store.outbox.of_inbound(trail.inbound.id)
        assert "[redacted:token:" in rows[0].error
        assert SECRET not in f"{rows} {trail} {here.alerts}"
    for path in (tmp_path / "data").rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes(), path.name
