"""One process has the gateway and another speaks: what is opened, asked and done here is as if both were one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import orjson
import pytest

from adapters.discord import DiscordAdapter
from bot.domain.heard import HeardInbound, read_heard
from bot.domain.ids import ChannelId, PersonKey, UserId, ephemeral_id
from bot.domain.ledger import StreamCursor
from bot.domain.messages import Button, ButtonPress, Inbound, InboundKind, OutboundAddress, OutgoingMessage
from bot.errors import DeliveryError
from bot.ports.platform import CommandMenu, MenuEntry
from tests.adapters.discord.listening import Listening, listening
from tests.adapters.relayed import LISTENER, SPEAKER, Relayed
from tests.inside.discord import presses_of
from tests.servers.discord import Interaction, Person

MENU = CommandMenu(entries=(MenuEntry(name="why", help="Why is it silent?", argument="question"),))


@dataclass
class Apart:
    """The kitchen, with the gateway in one process and a voice in another."""

    on: Listening
    voice: DiscordAdapter
    relay: Relayed

    async def said(self, words: str) -> Inbound:
        """Wait for what somebody says."""
        await self.on.ears.until(lambda: any(words in one for one in self.on.ears.said))
        return next(one for one in self.on.ears.heard_all if words in one.text)

    async def says(self, text: str, *buttons: Button, nonce: str = "n1") -> str:
        to = OutboundAddress(platform="discord", channel=self.on.id_of(self.on.table))
        sent = await self.voice.send(OutgoingMessage(nonce=nonce, to=to, text=text, buttons=buttons))
        return sent.message_id

    def shown(self, began: Interaction, text: str, *buttons: Button, nonce: str = "n1") -> OutgoingMessage:
        to = OutboundAddress(platform="discord", channel=window(began), private_to=UserId(str(began.person.id)))
        return OutgoingMessage(nonce=nonce, to=to, text=text, buttons=buttons)

    @property
    def second_program(self) -> list[tuple[ChannelId, str]]:
        """Where, and which message, another program is heard to have posted."""
        told = [one for one in self.on.ears.heard_all if one.event is not None and one.event.name == "second_program"]
        return [(one.channel, one.replies_to) for one in told]

    def written(self, words: str) -> HeardInbound:
        """Read what was written down of a message again."""
        (line,) = [line for line in self.relay.lines if words in line]
        return read_heard(HeardInbound, line)

    def silent(self) -> DiscordAdapter:
        """Return the voice of one more process."""
        return self.on.another(**SPEAKER)


def window(began: Interaction) -> ChannelId:
    return ephemeral_id("discord", began.id)


def person(who: Person) -> PersonKey:
    return PersonKey("discord", UserId(str(who.id)))


@pytest.fixture
async def apart() -> AsyncIterator[Apart]:
    async with listening(is_up=False) as on:
        voice = on.another(**SPEAKER)
        made = Apart(on, voice, Relayed(on.make(**LISTENER), voice, on.ears, on.clock))
        await voice.publish(MENU)
        on.listen(made.relay)
        await on.until(lambda: on.discord.health().state == "up")
        await on.caught_up()
        on.runs(voice, made.relay)
        await on.until(lambda: voice.health().state == "up")
        yield made
        await voice.close()


async def test_who_only_speaks_says_so_and_opens_no_gateway(apart):
    assert len(apart.on.server.gateway.connections) == 1, "it is the other process's"
    health = apart.voice.health()
    assert health.detail == "this process only sends and asks here; another one listens"
    assert dict(health.facts)["listens"] == "no" and "shards" not in dict(health.facts)
    (gateway,) = [probe for probe in await apart.voice.probe(None) if probe.name == "discord gateway"]
    assert (gateway.state, gateway.evidence) == ("ok", f"up: {health.detail}")
    assert "listens" not in dict(apart.on.discord.health().facts)
    await apart.on.bob.says(apart.on.table, "tea?")
    await apart.said("tea?")
    assert apart.voice.health().last_event_at == apart.on.clock.now()
    assert await apart.says("green") and apart.on.table.standing[-1].text == "green"


async def test_a_voice_of_another_account_says_nothing(apart):
    stored = StreamCursor(adapter="discord", stream="account", value="1 somebody")
    await apart.on.ears.receive([], stored)
    other = apart.silent()
    running = apart.on.runs(other, apart.on.ears)
    await apart.on.until(lambda: other.health().code == "account")
    assert other.health().state == "down" and "somebody" in other.health().detail
    to = OutboundAddress(platform="discord", channel=apart.on.id_of(apart.on.table))
    with pytest.raises(DeliveryError):
        await other.send(OutgoingMessage(nonce="n1", to=to, text="hello"))
    running.cancel()
    await asyncio.wait([running])
    await other.close()


async def test_a_slash_command_that_one_process_hears_is_answered_by_the_other(apart, caplog, capfd):
    typed = await apart.on.ann.slash(apart.on.table, "why", question="so silent?")
    said = await apart.said("/why")
    assert (said.text, said.ephemeral) == ("/why so silent?", window(typed)) and typed.answer["type"] == 5
    assert said.aside is not None and said.aside.channel == window(typed)
    await apart.voice.send(apart.shown(typed, "Paused by Bob."))
    await apart.voice.send(apart.shown(typed, "Resume it?", nonce="n2"))
    assert [one.text for one in typed.shown] == ["Paused by Bob.", "Resume it?"]
    assert all(one.is_for is apart.on.ann for one in typed.shown) and not apart.on.server.calls("get_original")
    assert await apart.voice.is_channel_admin(person(apart.on.ann), window(typed))
    assert not await apart.voice.is_channel_admin(person(apart.on.bob), window(typed))
    # the same is handed over twice where the first process to take it up has died
    written = apart.written("/why")
    assert apart.voice.take_up(written.inbound, written.handoff) == written.inbound
    await apart.voice.send(apart.shown(typed, "Well?", nonce="n3"))
    assert len(typed.shown) == 3
    secret = orjson.loads(written.handoff)["window"]["token"]
    told = capfd.readouterr()
    assert secret == typed.token and secret not in f"{told.out}{told.err}{caplog.text}{written!r}"


async def test_a_window_closes_when_discord_closes_it_whoever_has_it(apart):
    typed = await apart.on.ann.slash(apart.on.table, "why")
    await apart.said("/why")
    apart.on.clock.advance(14 * 60)
    written = apart.written("/why")
    late = apart.silent()
    await late.probe(None)  # by then it has heard what time it is at Discord
    late.take_up(written.inbound, written.handoff)
    assert (await late.send(apart.shown(typed, "Still there."))).message_id
    apart.on.clock.advance(60)
    for voice in (apart.voice, late):
        with pytest.raises(DeliveryError) as caught:
            await voice.send(apart.shown(typed, "Too late.", nonce="n2"))
        assert (caught.value.code, caught.value.permanent) == ("dm_closed", True)
    await late.close()


@pytest.mark.parametrize(("is_promised", "words"), [(False, ""), (True, ""), (False, "Done."), (True, "Done.")])
async def test_a_report_for_a_press_stays_whichever_process_answers_first(apart, is_promised, words):
    on, go, at_work = apart.on, asyncio.Event(), asyncio.Event()
    on.clock.auto = False
    on.ears.answer = words

    async def work(press: ButtonPress) -> None:
        at_work.set()
        await go.wait()
        await apart.voice.send(apart.shown(pressed, "The report"))

    apart.relay.work = work
    await apart.says("Show me?", Button(label="Show", data="s"))
    pressed = await on.ann.presses(on.table.last, "Show")
    await at_work.wait()
    if is_promised:
        on.clock.advance(1.0)
        await pressed.answered()
    go.set()
    await presses_of(on.discord).idle()
    assert sorted(one.text for one in pressed.shown) == sorted(["The report", *([words] if words else [])])
    assert all(one.is_for is on.ann for one in pressed.shown) and on.table.last.text == "Show me?"
    await apart.voice.send(apart.shown(pressed, "and more", nonce="n2"))
    assert pressed.shown[-1].text == "and more"


async def test_a_press_that_shows_nothing_takes_its_promise_back(apart):
    on, go, at_work = apart.on, asyncio.Event(), asyncio.Event()
    on.clock.auto, on.ears.answer = False, ""

    async def work(press: ButtonPress) -> None:
        at_work.set()
        await go.wait()

    apart.relay.work = work
    await apart.says("Sure?", Button(label="Yes", data="y"))
    pressed = await on.ann.presses(on.table.last, "Yes")
    await at_work.wait()
    on.clock.advance(1.0)
    await pressed.answered()
    go.set()
    await on.server.called("delete_original")
    assert pressed.answer["type"] == 5 and not pressed.shown


async def test_a_button_that_one_person_sees_stands_where_it_was_shown(apart):
    on = apart.on
    typed = await on.ann.slash(on.table, "why")
    await apart.said("/why")
    await apart.voice.send(apart.shown(typed, "Paused", Button(label="Resume", data="r")))
    again = await on.ann.presses(await typed.shows("Paused"), "Resume")
    await on.ears.until(lambda: bool(on.ears.presses))
    (press,) = on.ears.presses
    assert (press.channel, press.ephemeral) == (window(typed), window(again))
    assert press.around == on.id_of(on.table), "there it is decided whose process it is for"
    other = apart.silent()
    assert other.take_up(press, "").channel == window(again), "who was not told of it knows the new one alone"
    await other.close()


async def test_what_is_hidden_from_the_bot_is_known_where_it_was_asked_about(apart):
    on = apart.on
    cellar = on.kitchen.channel("cellar")
    cellar.deny(on.kitchen.everyone, "view_channel")
    await on.caught_up()
    where, new = on.id_of(cellar), apart.silent()
    # nobody told it where that is, and Discord does not show it: who runs the server that is named is known
    assert await new.is_channel_admin(person(on.ann), where) and await new.can_read(person(on.ann), where)
    assert not await new.is_channel_admin(person(on.bob), where)
    assert not await new.moderates(person(on.bob), where)
    assert new.resolve(f"<#{cellar.id}>") is None
    await on.ann.says(on.table, f"why is <#{cellar.id}> silent?")
    await apart.said("why is")
    written = apart.written("why is")
    new.take_up(written.inbound, written.handoff)
    assert await new.is_channel_admin(person(on.ann), where)
    assert not await new.is_channel_admin(person(on.bob), where)
    located = new.resolve(f"<#{cellar.id}>")
    assert located is not None and located == on.discord.resolve(f"<#{cellar.id}>") and located.channel == where
    for voice in (new, on.discord):
        (rights,) = [probe for probe in await voice.probe(where) if probe.name == f"rights in {where}"]
        assert (rights.state, rights.code) == ("failed", "no_access")
    pantry = on.world.guild("Pantry", on.bob, on.bot)
    forged = ChannelId(where.replace(str(on.kitchen.id), str(pantry.id)))
    assert not await new.is_channel_admin(person(on.bob), forged), "it was told that it is in another server"
    for shown in (on.table, pantry.channel("shelf")):
        assert not await new.is_channel_admin(person(on.bob), ChannelId(f"discord:{on.kitchen.id}:{shown.id}"))
    await new.close()


async def test_an_outage_of_a_server_is_told_to_who_is_asked_about_it(apart):
    on, where = apart.on, apart.on.id_of(apart.on.table)
    on.kitchen.go_down()
    await on.ann.says(on.bot, f"why is <#{on.table.id}> silent?")
    await apart.said("why is")
    for voice in (apart.voice, on.discord):
        assert [probe.code for probe in await voice.probe(where) if probe.name == f"rights in {where}"] == ["outage"]
    on.kitchen.come_back()
    await on.caught_up()
    await on.ann.says(on.bot, f"and now, <#{on.table.id}>?")
    await apart.said("and now")
    assert [probe.code for probe in await apart.voice.probe(where) if probe.name == f"rights in {where}"] == [""]


async def test_what_the_other_process_posts_and_deletes_is_the_bots_own(apart):
    on = apart.on
    first = await apart.says("green tea")
    await apart.said("green tea")
    await on.bob.reacts(on.table.last, "👍")
    await on.bob.reacts(on.table.last, "👍", back=True)
    await on.until(lambda: on.ears.events == ["reaction_add", "reaction_remove"])
    await apart.voice.send(
        OutgoingMessage(
            nonce="n2",
            to=OutboundAddress(platform="discord", channel=on.id_of(on.table)),
            text="black tea",
            edits=first,
        )
    )
    await apart.voice.retract(on.id_of(on.table), first)
    await on.ears.until(lambda: any(one.kind is InboundKind.DELETE for one in on.ears.heard_all))
    gone = on.newest(InboundKind.DELETE)
    assert (gone.author.kind, gone.author.user_id) == ("self", str(on.bot.id))
    assert "second_program_at" not in dict(on.discord.health().facts) | dict(apart.voice.health().facts)
    assert not apart.second_program


async def test_what_somebody_thinks_in_private_is_heard_in_their_private_chat(apart):
    on = apart.on
    thread = await apart.voice.open_thread(person(on.ann), "Tea")
    await on.ann.reacts(on.ann.dm().last, "👍")
    await on.until(lambda: "reaction_add" in on.ears.events)
    (told,) = [one for one in on.ears.heard_all if one.event is not None]
    assert (told.channel, told.place.is_dm) == (thread.channel, True), "also where they never wrote"


async def test_what_a_process_before_has_shown_of_an_answer_is_no_other_programs(apart):
    on, where = apart.on, apart.on.id_of(apart.on.table)
    to = OutboundAddress(platform="discord", channel=where)
    answer = OutgoingMessage(nonce="n1", to=to, text="Green tea, twice.", answers="m1")
    before = apart.silent()
    await before.send(answer.replace(text="Green"))
    await apart.said("Green")
    on.clock.advance(10)
    apart.voice.take([where, ChannelId("discord:dm:5"), ChannelId("nonsense")])
    on.clock.advance(10)
    receipt = await apart.voice.send(answer)
    assert not receipt.note and on.table.last.text == "Green tea, twice."
    # and the same again is the same message
    assert await apart.voice.send(answer) == receipt
    assert not apart.second_program
    await before.close()


async def test_who_has_a_channel_hears_that_another_program_speaks_there(apart):
    on, where = apart.on, apart.on.id_of(apart.on.table)
    await on.bob.says(on.table, "tea?")
    await apart.said("tea?")
    to = OutboundAddress(platform="discord", channel=where)
    answer = OutgoingMessage(nonce="a1", to=to, text="Green tea.", answers="m1")
    other = apart.silent()
    first = await other.send(answer.replace(nonce="z1", text="I would not know."))
    receipt = await apart.voice.send(answer)
    assert (receipt.message_id, receipt.note) == (first.message_id, "elsewhere")
    assert [one.text for one in on.table.standing][-1] == "I would not know.", "people get one answer"
    await on.until(lambda: len(apart.second_program) == 1)
    assert apart.second_program == [(where, first.message_id)]
    # what this bot names is its own, whichever of its processes sends it; what is named otherwise is not
    await other.send(OutgoingMessage(nonce="a1more", to=to, text="of us"))
    theirs = await other.send(OutgoingMessage(nonce="z2", to=to, text="of nobody here"))
    await on.until(lambda: len(apart.second_program) == 2)
    assert apart.second_program[-1] == (where, theirs.message_id)
    assert "second_program_at" in dict(apart.voice.health().facts)
    await other.close()


async def test_who_deleted_is_asked_of_discord_where_the_bot_may_read_it(apart):
    on = apart.on
    where = on.id_of(on.table)
    number = await apart.says("green tea")
    assert await apart.voice.who_deleted(where, number, on.clock.now()) is None
    on.kitchen.role("readers", "view_audit_log", members=(on.bot,))
    await on.ann.deletes(on.table.last)
    found = await apart.voice.who_deleted(where, number, on.clock.now())
    assert found is not None and (found.name, found.kind) == ("Ann", "person")
    assert await apart.voice.who_deleted(ChannelId("discord:dm:5"), number, on.clock.now()) is None
