"""Slash commands are answered in time, and what follows is seen by who typed them alone."""

from __future__ import annotations

import asyncio

import pytest

from adapters.discord.interactions import menus
from bot.domain.access import Authority
from bot.domain.ids import UserId, ephemeral_id
from bot.domain.messages import Button, OutboundAddress, OutgoingFile, OutgoingMessage, Preview
from bot.ports.platform import CommandMenu, MenuEntry
from tests.adapters.discord.conversation import eventually, here, message, person, pressed_and_typed, refusal
from tests.fakes.clock import FakeClock
from tests.servers.discord import Drops, Flood, Hangs, Refuses

MENU = CommandMenu(
    entries=(
        MenuEntry(name="why", help="Why is it silent?", argument="question"),
        MenuEntry(name="status", help="How are you?"),
        MenuEntry(name="pause", help="Say nothing", tier=Authority.MODERATOR),
    )
)


@pytest.fixture
async def on():
    async with pressed_and_typed() as found:
        await menus.publish(found.desk, MENU, found.notes.__setitem__)
        yield found


def to(interaction, who=None) -> OutboundAddress:
    private = UserId(str((who or interaction.person).id))
    return OutboundAddress(platform="discord", channel=ephemeral_id("discord", interaction.id), private_to=private)


def shown(interaction, text: str, nonce: str = "n1", **more) -> OutgoingMessage:
    return OutgoingMessage(nonce=nonce, to=to(interaction), text=text, **more)


async def heard(on):
    await on.ears.until(lambda: bool(on.ears.heard_all))
    return on.ears.heard_all[-1]


async def test_a_command_is_promised_an_answer_before_it_is_heard(on):
    typed = await on.ann.slash(on.support, "why", question="so silent, @everyone?")
    said = await heard(on)
    assert typed.answer == {"type": 5, "data": {"flags": 64}}
    assert (said.text, said.mentions_bot, said.channel) == ("/why so silent, @everyone?", True, here(on.support))
    assert (said.author.user_id, said.author.name) == (str(on.ann.id), "Ann")
    assert (said.message_id, said.ephemeral) == (str(typed.id), ephemeral_id("discord", typed.id))
    assert said.place.guild_id == str(on.guild.id) and said.sent_at == on.clock.now()
    await on.ann.slash(on.support, "status")
    await on.ears.until(lambda: on.ears.said[-1] == "/status")


async def test_in_private_it_is_heard_in_the_private_chat(on):
    await on.ann.slash(on.me, "why")
    said = await heard(on)
    assert (said.channel, said.place.is_dm) == (f"discord:dm:{on.ann.id}", True)
    assert on.desk.dms.known(on.ann.id) == on.ann.dm().id


async def test_the_first_answer_takes_the_place_of_the_promise_and_more_follow(on, tmp_path):
    typed = await on.ann.slash(on.support, "why")
    await heard(on)
    first = await on.bot.send(shown(typed, "Paused by <@1> @everyone", buttons=(Button(label="Resume", data="r"),)))
    original = await typed.shows("Paused")
    assert first.message_id == str(original.id) and original.is_for is on.ann and not original.pings
    (tmp_path / "dump.txt").write_text("all of it")
    file = OutgoingFile(name="dump.txt", path=str(tmp_path / "dump.txt"), mimetype="text/plain")
    second = await on.bot.send(shown(typed, "and more", "n2", file=file))
    assert (await typed.shows("and more")).is_for is on.ann
    assert await on.bot.send(shown(typed, "and more", "n2", file=file)) == second, "not shown twice"
    await on.bot.send(shown(typed, "less", "n3", edits=second.message_id))
    await typed.shows("less")
    await on.bot.retract(to(typed).channel, second.message_id)
    await on.bot.retract(to(typed).channel, second.message_id)
    assert [one.text for one in typed.shown] == ["Paused by <@1> @\u2060everyone"]
    assert on.support.transcript() == "", "nobody else sees any of it"
    calls = [
        call for call in on.server.calls() if call.operation in {"edit_original", "create_followup", "edit_followup"}
    ]
    assert all(call.json["allowed_mentions"]["parse"] == [] for call in calls) and len(calls) == 3
    assert [call.json["flags"] for call in on.server.calls("create_followup")] == [4 | 64]
    assert [call.json["flags"] for call in on.server.calls("edit_original")] == [4]


async def test_an_answer_can_be_watched_while_it_is_written(on):
    typed = await on.ann.slash(on.support, "why")
    await heard(on)
    message_id = ""
    for text in ("Pau", "Paused by"):
        message_id = await on.bot.preview(Preview(to=to(typed), text=text, number=1, message_id=message_id))
    await on.bot.send(shown(typed, "Paused by Ann", edits=message_id))
    assert [one.text for one in typed.shown] == ["Paused by Ann"]


async def test_it_is_seen_by_who_began_it_alone(on):
    typed = await on.ann.slash(on.support, "why")
    await heard(on)
    error = await refusal(on.bot.send(OutgoingMessage(nonce="n", to=to(typed, on.ben), text="secret")))
    assert (error.code, error.permanent) == ("not_private", True)
    assert await on.bot.can_read(person(on.ann), to(typed).channel)
    assert not await on.bot.can_read(person(on.ben), to(typed).channel)


async def test_after_fifteen_minutes_it_is_closed(on):
    typed = await on.ann.slash(on.support, "why")
    await heard(on)
    on.clock.advance(15 * 60)
    error = await refusal(on.bot.send(shown(typed, "late")))
    assert (error.code, error.permanent) == ("dm_closed", True)


async def test_after_a_restart_it_is_closed(on):
    typed = await on.ann.slash(on.support, "why")
    await heard(on)
    await on.restart()
    error = await refusal(on.bot.send(shown(typed, "late")))
    assert (error.code, error.permanent) == ("dm_closed", True)


async def test_a_token_that_the_platform_forgot_is_closed(on):
    typed = await on.ann.slash(on.support, "why")
    await heard(on)
    on.server.fault("edit_original", Refuses(404, 10015, "Unknown Webhook"))
    error = await refusal(on.bot.send(shown(typed, "late")))
    assert (error.code, error.permanent) == ("dm_closed", True)


async def test_a_promise_that_was_lost_is_given_again(on):
    on.server.fault("callback", Drops(applied=True))
    typed = await on.ann.slash(on.support, "why")
    said = await heard(on)
    assert said.ephemeral and len(on.server.calls("callback")) == 2
    await on.bot.send(shown(typed, "here I am"))
    await typed.shows("here I am")


async def test_a_promise_that_could_not_be_given_is_given_with_the_first_words(on):
    on.server.fault("callback", Flood(60), times=2)
    typed = await on.ann.slash(on.support, "why")
    said = await heard(on)
    assert said.ephemeral is None and not on.notes.get("late_interactions")
    await on.bot.send(shown(typed, "here I am"))
    assert (await typed.shows("here I am")).is_for is on.ann


async def test_a_press_that_somebody_else_has_answered_gets_its_words_all_the_same(on):
    stone = await button(on)
    on.ears.answer = "done"
    on.server.fault("callback", Refuses(400, 40060, "Interaction has already been acknowledged.", applied=True))
    pressed = await on.ann.presses(stone, "Yes")
    await on.server.called("create_followup")
    assert [one.text for one in pressed.shown].count("done") == 2


async def test_a_server_that_breaks_is_asked_once_more(on):
    stone = await button(on)
    on.ears.answer = "done"
    on.server.fault("callback", Refuses(503, 0, "?", applied=True))
    pressed = await on.ann.presses(stone, "Yes")
    await pressed.shows("done")
    await on.server.called("callback", 2)
    assert [one.text for one in pressed.shown] == ["done"]


async def test_who_is_too_late_is_heard_all_the_same_and_it_is_on_record(on):
    on.server.fault("callback", Refuses(404, 10062, "Unknown interaction"))
    typed = await on.ann.slash(on.support, "why")
    said = await heard(on)
    assert said.ephemeral is None, "what it says goes where everybody hears it"
    assert on.notes["late_interactions"] == "1" and on.notes["last_late_interaction_at"] == str(on.clock.now())
    error = await refusal(on.bot.send(shown(typed, "late")))
    assert (error.code, error.permanent) == ("dm_closed", True)


async def test_what_cannot_be_stored_is_said_to_who_typed_it(on):
    on.ears.deaf = 1
    typed = await on.ann.slash(on.support, "why")
    await typed.shows("cannot store")
    # what is said to French is said in the bot's own language
    on.ears.deaf, on.ears.speaks, on.ann.locale = 1, "de", "fr"
    typed = await on.ann.slash(on.support, "why")
    await typed.shows("Ich kann gerade nichts speichern")


async def test_a_command_that_breaks_something_is_answered(on):
    async def breaks(batch, cursor):
        raise ValueError("boom")

    on.ears.receive = breaks
    typed = await on.ann.slash(on.support, "why")
    await typed.shows("something broke inside")


async def test_a_long_answer_to_a_press_is_cut(on):
    on.ears.answer = "😀" * 1500
    pressed = await on.ann.presses(await button(on), "Yes")
    assert (await pressed.shows("😀")).text == "😀" * 999 + "…"


async def test_a_command_that_the_gateway_repeats_is_taken_once(on):
    from tests.servers.discord import Twice

    on.server.fault_event("INTERACTION_CREATE", Twice())
    await on.ann.slash(on.support, "why")
    await heard(on)
    await on.ann.slash(on.support, "status")
    await on.ears.until(lambda: on.ears.said[-1] == "/status")
    assert on.ears.said == ["/why", "/status"] and len(on.server.calls("callback")) == 2


async def test_a_command_is_no_message_to_react_to(on):
    typed = await on.ann.slash(on.support, "why")
    await heard(on)
    for channel in (here(on.support), to(typed).channel):
        error = await refusal(on.bot.react(channel, str(typed.id), "👍"))
        assert (error.code, error.permanent) == ("message_gone", True)
    await on.bot.set_typing(to(typed).channel, True)
    assert not on.server.calls("add_reaction") and not on.server.calls("typing")
    # an answer in the channel answers nothing that is there
    await on.bot.send(message(on.support, "Ann asked why", replies_to=str(typed.id)))
    assert on.support.transcript() == "glassmind< Ann asked why"


async def button(on, data: str = "p1"):
    await on.bot.send(message(on.support, "well?", nonce="b", buttons=(Button(label="Yes", data=data),)))
    return on.support.last


async def test_a_press_is_answered_to_the_presser_alone(on):
    stone = await button(on, "x" * 64)
    on.ears.answer = "Not yours, <@1> @here."
    pressed = await on.ben.presses(stone, "Yes")
    answer = await pressed.shows("Not yours")
    assert answer.is_for is on.ben and pressed.answer["type"] == 4
    assert pressed.answer["data"]["allowed_mentions"]["parse"] == [] and pressed.answer["data"]["flags"] == 68
    (press,) = on.ears.presses
    assert (press.person, press.name, press.channel) == (person(on.ben), "Ben", here(on.support))
    assert (press.data, press.ephemeral) == ("x" * 64, ephemeral_id("discord", pressed.id))
    assert on.support.transcript().count("\n") == 0


async def test_a_press_without_words_changes_nothing_that_is_seen(on):
    stone = await button(on)
    on.ears.answer = ""
    pressed = await (await on.ann.presses(stone, "Yes")).answered()
    assert pressed.answer == {"type": 6} and not pressed.has_failed
    # what is said for it later is said beside the message, not in its place
    await on.ears.until(lambda: bool(on.ears.presses))
    await on.bot.send(shown(pressed, "and now?"))
    assert (await pressed.shows("and now?")).is_for is on.ann and stone.text == "well?"


class Slow:
    """Ears whose answer to a press takes its time."""

    def __init__(self, ears):
        self.ears, self.go = ears, asyncio.Event()

    async def pressed(self, press):
        await self.ears.pressed(press)
        await self.go.wait()
        return self.ears.answer


@pytest.fixture
async def slow():
    async with pressed_and_typed(FakeClock(auto=False)) as found:
        ears = found.ears
        found.slow = found.ears = Slow(ears)
        found.fast = ears
        yield found


async def test_an_answer_that_takes_longer_is_promised(slow):
    stone = await button(slow)
    slow.fast.answer = "done"
    pressed = await slow.ann.presses(stone, "Yes")
    await slow.fast.until(lambda: bool(slow.fast.presses))
    slow.clock.advance(1.0)
    await pressed.answered()
    assert pressed.answer == {"type": 5, "data": {"flags": 64}}
    slow.slow.go.set()
    assert (await pressed.shows("done")).is_for is slow.ann and len(pressed.shown) == 1


async def test_a_promise_without_words_is_taken_back(slow):
    stone = await button(slow)
    slow.fast.answer = ""
    pressed = await slow.ann.presses(stone, "Yes")
    await slow.fast.until(lambda: bool(slow.fast.presses))
    slow.clock.advance(1.0)
    await pressed.answered()
    slow.slow.go.set()
    await slow.server.called("delete_original")
    assert not pressed.shown


async def test_what_is_shown_while_a_press_is_answered_comes_first(slow):
    stone = await button(slow)
    slow.fast.answer = "That is all."
    pressed = await slow.ann.presses(stone, "Yes")
    await slow.fast.until(lambda: bool(slow.fast.presses))
    await slow.bot.send(shown(pressed, "The report"))
    slow.slow.go.set()
    await pressed.shows("That is all.")
    assert [one.text for one in pressed.shown] == ["The report", "That is all."]
    assert all(one.is_for is slow.ann for one in pressed.shown)


async def test_a_promise_on_its_way_is_never_answered_twice(slow):
    stone = await button(slow)
    slow.fast.answer = "done"
    slow.server.fault("callback", Hangs(applied=True))
    pressed = await slow.ann.presses(stone, "Yes")
    await slow.fast.until(lambda: bool(slow.fast.presses))
    slow.clock.advance(1.0)
    await slow.server.hung()
    slow.slow.go.set()
    await asyncio.sleep(0)
    slow.server.release()
    await pressed.shows("done")
    assert len(pressed.shown) == 1


async def test_a_press_on_what_one_person_was_shown_stands_nowhere_else(on):
    typed = await on.ann.slash(on.support, "why")
    await heard(on)
    await on.bot.send(shown(typed, "Paused", buttons=(Button(label="Resume", data="r"),)))
    await on.ann.presses(await typed.shows("Paused"), "Resume")
    await on.ears.until(lambda: bool(on.ears.presses))
    assert on.ears.presses[0].channel == to(typed).channel
    await on.restart()
    again = await on.ann.presses(typed.shown[0], "Resume")
    await on.ears.until(lambda: len(on.ears.presses) == 2)
    assert on.ears.presses[1].channel == ephemeral_id("discord", again.id), "nobody knows any more where it was"


async def test_a_press_in_private_stands_in_the_private_chat(on):
    await on.bot.send(message(on.ann, "well?", buttons=(Button(label="Yes", data="y"),)))
    await on.ann.presses(on.ann.dm().last, "Yes")
    await on.ears.until(lambda: bool(on.ears.presses))
    assert on.ears.presses[0].channel == f"discord:dm:{on.ann.id}"


async def test_a_press_that_breaks_something_is_answered(on):
    async def breaks(press):
        raise ValueError("boom")

    on.ears.pressed = breaks
    pressed = await on.ann.presses(await button(on), "Yes")
    await pressed.shows("something broke inside")


async def test_a_press_that_is_too_late_is_on_record(on):
    stone = await button(on)
    on.server.fault("callback", Refuses(404, 10062, "Unknown interaction"))
    await on.ann.presses(stone, "Yes")
    await eventually(lambda: "late_interactions" in on.notes)
    assert on.ears.presses


async def test_what_nobody_asked_for_is_answered_too(on):
    pressed = await on.ann.presses(await button(on), "Yes")
    await pressed.answered()
    pressed.modal = {"custom_id": "m"}
    form = await on.ann.submits(pressed, why="because")
    await form.answered()
    assert form.answer == {"type": 6}
