"""A platform by another name: nothing leaves its adapter under the adapter's own, and nothing else passes for it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.app.adapters import machine, open_edges
from bot.app.named_logins import NamedInitData
from bot.app.named_platform import NamedPlatform, named_platform
from bot.config import parse_config
from bot.domain.health import AdapterHealth, AdapterState, ProbeResult
from bot.domain.ids import ChannelId, PersonKey, UserId, platform_of
from bot.domain.ledger import StreamCursor
from bot.domain.messages import (
    ButtonPress,
    EventKind,
    Inbound,
    InboundKind,
    OutboundAddress,
    OutgoingMessage,
    PlatformEvent,
)
from bot.domain.permalinks import MessageLocation
from bot.errors import DeliveryError
from bot.ports.page_logins import InitData
from tests.fakes import values as v
from tests.fakes.platform import FakePlatform

THEIRS, OURS = ChannelId("discord:11:22"), ChannelId("support:11:22")


def an_inbound(name: str) -> Inbound:
    """One with everything in it that names a channel."""
    moved = PlatformEvent(kind=EventKind.MOVED, name="moved", moved_to=ChannelId(f"{name}:11:23"))
    return v.inbound("hi").replace(
        adapter=name,
        channel=ChannelId(f"{name}:11:22"),
        kind=InboundKind.EVENT,
        event=moved,
        ephemeral=ChannelId(f"{name}:ephemeral:5"),
    )


def a_press(name: str) -> ButtonPress:
    where, beside, around = (ChannelId(f"{name}:{path}") for path in ("11:22", "ephemeral:5", "11:23"))
    person = PersonKey(name, UserId("7"))
    return ButtonPress(person=person, name="Ann", channel=where, data="x", ephemeral=beside, around=around)


class Wire(FakePlatform):
    """An adapter that tells everything by its own name, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__("discord")
        self.asked: list[object] = []
        self.kept: list[str | None] = []

    async def run(self, ears: Any) -> None:
        self.kept += [await ears.cursor("discord", THEIRS), ears.language()]
        await ears.receive([an_inbound("discord")], StreamCursor(adapter="discord", stream=THEIRS, value="9"))
        await ears.pressed(a_press("discord"))

    def health(self) -> AdapterHealth:
        fix = "Set platforms.discord.token."
        return AdapterHealth(name="discord", state=AdapterState.DOWN, since=1, fix=fix, facts=(("where", THEIRS),))

    async def probe(self, channel: ChannelId | None) -> list[ProbeResult]:
        self.asked.append(channel)
        return [ProbeResult(name=f"discord {channel}", state="failed", evidence=f"{channel} is away")]

    def resolve(self, text: str) -> MessageLocation | None:
        return MessageLocation(ChannelId(text)) if text.startswith("discord:") else None

    def take(self, channels: Any) -> None:
        self.asked.append(list(channels))


class Ears:
    def __init__(self) -> None:
        self.heard: list[Any] = []

    async def receive(self, batch: Any, cursor: Any) -> None:
        self.heard += [*batch, cursor]

    async def cursor(self, adapter: str, stream: str) -> str:
        return f"{adapter} {stream}"

    async def pressed(self, press: ButtonPress) -> str:
        self.heard.append(press)
        return ""

    async def settled(self) -> None:
        return

    def language(self) -> str:
        return "de"


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def platform(wire: Wire) -> NamedPlatform:
    found = named_platform(wire, "support")
    assert isinstance(found, NamedPlatform)
    return found


async def test_whatever_arrives_bears_the_name_of_the_table(wire, platform):
    ears = Ears()
    await platform.run(ears)
    assert ears.heard == [
        an_inbound("support"),
        StreamCursor(adapter="support", stream=OURS, value="9"),
        a_press("support"),
    ]
    assert wire.kept == [f"support {OURS}", "de"]
    assert "discord" not in "".join(one.model_dump_json() for one in ears.heard)


async def test_whatever_is_sent_reaches_the_adapter_by_its_own_name(wire, platform):
    to = OutboundAddress(platform="support", channel=OURS)
    await platform.send(OutgoingMessage(nonce="n1", to=to, text="hi"))
    assert [(one.to.platform, one.to.channel) for one in wire.sent] == [("discord", THEIRS)]
    wire.script.append(DeliveryError(f"{THEIRS} is gone", code="chat_not_found", permanent=True))
    with pytest.raises(DeliveryError, match=f"{OURS} is gone") as caught:
        await platform.send(OutgoingMessage(nonce="n2", to=to, text="hi"))
    assert (caught.value.code, caught.value.permanent) == ("chat_not_found", True)
    thread = await platform.open_thread(PersonKey("support", UserId("7")), "Tea")
    assert thread.platform == platform_of(thread.channel) == "support"
    platform.take([OURS])
    assert wire.asked == [[THEIRS]]


async def test_the_same_number_of_another_bot_of_the_service_is_somebody_else(wire, platform):
    wire.admins.add((UserId("7"), THEIRS))
    assert await platform.is_channel_admin(PersonKey("support", UserId("7")), OURS)
    assert not await platform.is_channel_admin(PersonKey("support", UserId("7")), THEIRS)
    assert platform.resolve(OURS) == MessageLocation(OURS)
    assert platform.resolve(THEIRS) is None


async def test_health_and_checks_name_the_table_and_its_keys(platform):
    health, (row,) = platform.health(), await platform.probe(OURS)
    assert (health.name, health.fix, dict(health.facts)["where"]) == ("support", "Set platforms.support.token.", OURS)
    assert (row.name, row.evidence) == (f"support {OURS}", f"{OURS} is away")


def test_what_one_process_heard_is_taken_up_by_another_one_under_the_name(wire, platform):
    heard, press = an_inbound("support"), a_press("support")
    assert platform.take_up(heard, platform.handoff(heard)) == heard
    assert platform.take_up(press, platform.handoff(press)) == press
    assert "support" not in repr(wire.taken_up)


async def test_a_table_without_a_kind_is_its_adapter_itself_and_a_kind_may_have_any_name(tmp_path):
    tables = (
        '[platforms.telegram]\ntoken = "1:x"\n[platforms.help]\nkind = "telegram"\ntoken = "2:x"\n[platforms.console]\n'
    )
    loaded = parse_config(f'[bot]\ndata_dir = "{tmp_path}"\n{tables}', {})
    async with open_edges(loaded, machine()) as edges:
        named = {name: isinstance(one, NamedPlatform) for name, one in edges.platforms.items()}
        assert named == {"telegram": False, "help": True, "console": False}
        assert {name: one.name for name, one in edges.platforms.items()} == {name: name for name in named}
        assert edges.platforms["help"].capabilities == edges.platforms["telegram"].capabilities


class Sealed:
    embedder = "https://web.example"

    def __init__(self, seal: str) -> None:
        self._seal = seal

    def verify(self, said: str) -> InitData | None:
        return InitData(PersonKey("telegram", UserId("7")), 1, b"") if said == self._seal else None


def test_who_opens_the_page_in_an_app_is_somebody_of_the_bot_for_which_that_was_sealed():
    either = NamedInitData({"telegram": Sealed("a"), "help": Sealed("b")})
    found = [either.verify(said) for said in ("a", "b", "c")]
    assert [one.person.platform if one else None for one in found] == ["telegram", "help", None]
