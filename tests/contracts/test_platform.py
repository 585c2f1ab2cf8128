"""What every chat platform must keep, whatever it is: one receipt a message, honest refusals, and nobody overhears."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.console import ConsoleAdapter
from adapters.console import Settings as ConsoleSettings
from bot.app.named_platform import named_platform
from bot.domain.health import AdapterHealth
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.messages import Attachment, AttachmentKind, Button, OutboundAddress, OutgoingMessage, Preview, Receipt
from bot.domain.permalinks import MessageLocation
from bot.domain.rich_messages import Card, CardField, Poll, lay_out
from bot.errors import DeliveryError, FetchError
from bot.ports.platform import WHOLE_DUTY, CommandMenu, MenuEntry, Platform, PlatformDuty
from tests.adapters.discord.listening import listening
from tests.adapters.telegram.connected import connected, eventually
from tests.architecture.tree import ROOT
from tests.fakes.clock import FakeClock
from tests.fakes.platform import FakePlatform

MENU = CommandMenu(entries=(MenuEntry(name="help", help="what I understand"),))


@dataclass
class Service:
    """A platform with one public channel and three people: an admin, a member, and one whose DM is closed.

    `shown` returns everything that stands in channels and private chats; `gone` takes the platform away.
    """

    platform: Platform
    channel: ChannelId
    admin: PersonKey
    member: PersonKey
    closed: PersonKey
    shown: Callable[[], str]
    gone: Callable[[], Awaitable[None]]

    def address(self, thread: str = "") -> OutboundAddress:
        return OutboundAddress(platform=self.platform.name, channel=self.channel, thread=thread)

    async def post(self, text: str, nonce: str = "n1", **more: object) -> Receipt:
        return await self.platform.send(OutgoingMessage(nonce=nonce, to=self.address(), text=text, **more))  # type: ignore[arg-type]


async def _stays() -> None:
    """Nothing is connected that could go away."""


def _people(name: str, *numbers: object) -> list[PersonKey]:
    return [PersonKey(name, UserId(str(number))) for number in numbers]


async def a_fake() -> AsyncIterator[Service]:
    platform = FakePlatform("fake")
    admin, member, closed = _people("fake", 1, 101, 102)
    platform.closed_dms.add(closed.user_id)
    platform.admins.add((admin.user_id, ChannelId("fake:#tea")))
    platform.moderators |= platform.admins
    platform.readers |= platform.admins
    platform.readers |= {(who.user_id, ChannelId(f"fake:dm:{who.user_id}")) for who in (admin, member)}

    def shown() -> str:
        return "\n".join(f"{sent.to.channel} {sent.to.thread} {sent.text}" for sent in platform.sent)

    yield Service(platform, ChannelId("fake:#tea"), admin, member, closed, shown, _stays)


async def a_console() -> AsyncIterator[Service]:
    lines: list[str] = []
    people = {"root": 1, "ann": 101, "bo": 102}
    console = ConsoleAdapter(ConsoleSettings(people=people, platform_admins=(1,)), FakeClock(), lines.append)
    admin, member, closed = _people("console", *people.values())
    console.world.closed.add(closed.user_id)
    yield Service(console, ChannelId("console:#tea"), admin, member, closed, lambda: "\n".join(lines), _stays)


async def a_telegram() -> AsyncIterator[Service]:
    async for made in _telegram(WHOLE_DUTY):
        yield made


async def a_telegram_that_only_speaks() -> AsyncIterator[Service]:
    async for made in _telegram(PlatformDuty(listens=False)):
        yield made


async def _telegram(duty: PlatformDuty) -> AsyncIterator[Service]:
    async with connected() as on:
        on.make(**duty._asdict())
        bo, ann, world = on.world.person("Bo"), on.world.person("Cid"), on.world
        group = world.supergroup("Tea", on.ann, ann, bo)
        world.add_bot(group)
        world.dm(ann).is_started = True
        on.listen()
        if duty.listens:
            await on.caught_up()
        else:
            await eventually(lambda: on.telegram.health().state == "up")

        def shown() -> str:
            return "\n".join(world.transcript(chat) for chat in world.chats.values())

        admin, member, closed = _people("telegram", on.ann.id, ann.id, bo.id)
        here = ChannelId(f"telegram:{group.id}")
        yield Service(on.telegram, here, admin, member, closed, shown, on.server.refuse)


async def a_discord() -> AsyncIterator[Service]:
    async for made in _discord(WHOLE_DUTY):
        yield made


async def a_discord_that_only_speaks() -> AsyncIterator[Service]:
    async for made in _discord(PlatformDuty(listens=False)):
        yield made


async def _discord(duty: PlatformDuty) -> AsyncIterator[Service]:
    async with listening(is_up=False) as on:
        on.make(**duty._asdict())
        cid, world = on.world.person("Cid"), on.world
        cid.takes_dms = False
        on.kitchen.join(cid)
        if duty.listens:
            await on.up()
        else:
            on.listen()
            await on.until(lambda: on.discord.health().state == "up")

        def shown() -> str:
            return "\n".join(channel.transcript() for channel in world.channels.values() if channel.standing)

        admin, member, closed = _people("discord", on.ann.id, on.bob.id, cid.id)
        here = ChannelId(f"discord:{on.kitchen.id}:{on.table.id}")
        yield Service(on.discord, here, admin, member, closed, shown, on.server.refuse)


async def a_telegram_by_another_name() -> AsyncIterator[Service]:
    async for made in _telegram(WHOLE_DUTY):
        yield _renamed(made)


async def a_discord_by_another_name() -> AsyncIterator[Service]:
    async for made in _discord(PlatformDuty(listens=False)):
        yield _renamed(made)


def _renamed(made: Service) -> Service:
    people = _people("support", made.admin.user_id, made.member.user_id, made.closed.user_id)
    channel = ChannelId(f"support:{made.channel.partition(':')[2]}")
    return Service(named_platform(made.platform, "support"), channel, *people, made.shown, made.gone)


MAKERS = {
    "fake": a_fake,
    "console": a_console,
    "telegram": a_telegram,
    "telegram that only speaks": a_telegram_that_only_speaks,
    "discord": a_discord,
    "discord that only speaks": a_discord_that_only_speaks,
    "telegram by another name": a_telegram_by_another_name,
    "discord by another name": a_discord_by_another_name,
}


@pytest.fixture(params=MAKERS)
async def service(request: pytest.FixtureRequest) -> AsyncIterator[Service]:
    async for made in MAKERS[request.param]():
        yield made
        await made.platform.close()


async def test_it_says_what_it_is(service: Service):
    can = service.platform.capabilities
    assert service.platform.name and can.max_units >= 1000 and can.typing_seconds > 0
    guidance = ROOT / f"prompts/en/sections/guidance_{can.guidance}.md.j2"
    assert guidance.is_file(), "the model is told how to write there"
    health = service.platform.health()
    assert isinstance(health, AdapterHealth) and health.name == service.platform.name


async def test_a_message_arrives_and_has_a_name(service: Service):
    first, second = await service.post("green tea", "n1"), await service.post("black tea", "n2")
    assert first.message_id and first.message_id != second.message_id and first.at > 0
    assert service.shown().index("green tea") < service.shown().index("black tea")


async def test_what_it_says_of_repetitions_is_true(service: Service):
    first, second = await service.post("green tea", "n1"), await service.post("green tea", "n1")
    once = service.platform.capabilities.idempotent_sends
    assert (first == second, service.shown().count("green tea")) == ((True, 1) if once else (False, 2))


async def test_long_texts_and_odd_characters_are_taken(service: Service):
    for n, text in enumerate(["x" * service.platform.capabilities.max_units, "😀" * 500, "a\u202eb", "**", "```\nx"]):
        assert (await service.post(text, f"n{n}")).message_id


async def test_buttons_are_shown_where_it_says_so(service: Service):
    if service.platform.capabilities.buttons:
        await service.post("well?", buttons=(Button(label="Resume", data="x" * 64),))
        assert "Resume" in service.shown() or isinstance(service.platform, FakePlatform)


async def test_cards_and_polls_are_drawn_or_their_words_are_text(service: Service):
    card = Card(title="Teas", description="hot", fields=(CardField(name="Price", value="2 coins"),), footer="enjoy")
    poll = Poll(question="Which tea?", options=("green", "black"), hours=1)
    for n, rich in enumerate((card, poll)):
        receipt = await service.post(lay_out(rich).text, f"n{n}", rich=rich)
        assert receipt.message_id and receipt.note == ""
    shown = service.shown()
    assert all(word in shown for word in ("Teas", "hot", "Price", "2 coins", "enjoy", "Which tea?", "green", "black"))


async def test_a_private_thread_is_read_by_one_person(service: Service):
    platform = service.platform
    address = await platform.open_thread(service.admin, "Tea · paused")
    assert address.private_to == service.admin.user_id and address.platform == service.admin.platform
    assert (await platform.send(OutgoingMessage(nonce="n1", to=address, text="secret"))).message_id
    assert await platform.can_read(service.admin, address.channel)
    assert not await platform.can_read(service.member, address.channel)
    other = await platform.open_thread(service.member, "Tea · paused")
    assert other.channel != address.channel


async def test_a_closed_dm_is_closed_for_good(service: Service):
    before = service.shown()
    with pytest.raises(DeliveryError) as caught:
        await service.platform.open_thread(service.closed, "Tea")
    assert caught.value.permanent and not caught.value.uncertain
    assert service.shown() == before, "nothing is said elsewhere instead"


async def test_previews_are_shown_or_refused(service: Service):
    platform = service.platform
    shown = ""
    try:
        for text in ("gre", "green te"):
            shown = await platform.preview(Preview(to=service.address(), text=text, number=1, message_id=shown))
    except DeliveryError as error:
        assert not platform.capabilities.streaming and error.permanent
        return
    done = OutgoingMessage(nonce="n1", to=service.address(), text="green tea", edits=shown)
    assert (await platform.send(done)).message_id
    if shown:
        await platform.retract(service.channel, shown)


async def test_files_that_nobody_sent_cannot_be_fetched(service: Service):
    nothing = Attachment(kind=AttachmentKind.TEXT, name="x.txt", mimetype="text/plain", reference="unknown")
    with pytest.raises(FetchError):
        await service.platform.fetch(nothing, 1000)


async def test_rights_are_asked_for(service: Service):
    platform = service.platform
    assert await platform.is_channel_admin(service.admin, service.channel)
    assert not await platform.is_channel_admin(service.member, service.channel)
    stranger = PersonKey(service.platform.name, UserId("999999999"))
    assert not await platform.is_channel_admin(stranger, service.channel)


async def test_a_channel_has_moderators_and_a_private_chat_has_none(service: Service):
    platform = service.platform
    assert await platform.moderates(service.admin, service.channel)
    stranger = PersonKey(service.platform.name, UserId("999999999"))
    elsewhere = PersonKey("elsewhere", service.admin.user_id)
    for nobody in (service.member, stranger):
        assert not await platform.moderates(nobody, service.channel)
    if not isinstance(platform, FakePlatform | ConsoleAdapter):
        assert not await platform.moderates(elsewhere, service.channel)
    own = await platform.open_thread(service.admin, "Tea")
    for channel in (own.channel, ChannelId("nonsense"), ChannelId(f"{platform.name}:x:y:z")):
        assert isinstance(platform, ConsoleAdapter) or not await platform.moderates(service.admin, channel)
    assert not await platform.moderates(service.admin, own.channel)


async def test_typing_menus_and_invitations_are_harmless(service: Service):
    before = service.shown()
    await service.platform.set_typing(service.channel, True)
    await service.platform.set_typing(service.channel, False)
    await service.platform.publish(MENU)
    link = service.platform.invitation("a-b_c")
    assert not link or "a-b_c" in link
    assert service.shown() == before


async def test_looking_never_raises_and_says_something(service: Service):
    for channel in (None, service.channel, ChannelId("nonsense"), ChannelId(f"{service.platform.name}:x:y:z")):
        for probe in await service.platform.probe(channel):
            assert probe.name and probe.evidence
    await service.gone()
    assert await service.platform.probe(service.channel)
    assert service.platform.health()
    await service.platform.publish(MENU)
    assert not await service.platform.is_channel_admin(service.member, service.channel)
    assert not await service.platform.moderates(service.member, service.channel)


async def test_closing_twice_is_no_fault(service: Service):
    await service.platform.close()
    await service.platform.close()


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60))
async def test_any_text_can_be_resolved_or_not(service: Service, text: str):
    found = service.platform.resolve(text)
    assert found is None or (isinstance(found, MessageLocation) and ":" in found.channel)
    assert service.platform.resolve("two words") is None
