"""Try the platform of a plugin: what every chat service must keep, as far as that can be seen without its people."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from bot.domain.health import AdapterHealth, ProbeResult
from bot.domain.ids import ChannelId, PersonKey, UserId, channel_id
from bot.domain.ledger import StreamCursor
from bot.domain.messages import (
    Attachment,
    AttachmentKind,
    Author,
    ButtonPress,
    Inbound,
    OutboundAddress,
    OutgoingMessage,
    Receipt,
)
from bot.domain.rich_messages import Card, CardField, Poll, lay_out
from bot.errors import BotError, DeliveryError, FetchError
from bot.plugins.fault import PluginFault
from bot.plugins.guard import PartGuard
from bot.ports.platform import CommandMenu, Platform, PlatformCapabilities
from bot.sentences import language_spoken, say
from bot.text.text import excerpt, one_line_name

SECONDS, _MOMENT = 5.0, 0.2
_LEAST_UNITS = 1000
_PAYLOAD = "a-b_c"
_CARD = Card(
    title="Tea",
    description="**hot**",
    fields=(CardField(name="Price", value="2 coins"),),
    footer="enjoy",
    colour="green",
)
_POLL = Poll(question="tea", options=("green", "black"), hours=1)


class Wrong(BotError):
    """A platform does not keep what it must; the text says what."""


class TriedStep(NamedTuple):
    """One part of the port that was tried, and why it is not well (empty: it is)."""

    what: str
    why: str = ""


class PlatformTrial:
    """Implements `bot.ports.platform.PlatformListener`, too: what arrives meanwhile is looked at and forgotten."""

    def __init__(self, platform: Platform, odd_texts: Sequence[str], guard: PartGuard) -> None:
        self._platform = platform
        self._guard = guard
        self._odd_texts = odd_texts
        self._nowhere = ChannelId("nonsense")
        self._unknown = channel_id(platform.name, "x", "y", "z")
        self._misnamed = ""

    async def run(self) -> list[TriedStep]:
        """Return a row for each part; the platform is closed afterwards."""
        steps: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            "capabilities": self._capabilities,
            "health": self._health,
            "probe": self._probe,
            "resolve": self._resolve,
            "is_channel_admin": self._rights,
            "send": self._send,
            "react": self._react,
            "fetch": self._fetch,
            "publish": self._publish,
            "handoff": self._handoff,
            "run": self._run,
            "close": self._close,
        }
        rows: list[TriedStep] = []
        for part, step in steps.items():
            what, own = (
                say("plugins.check-platform", platform=one_line_name(self._platform.name), part=part),
                self._guard,
            )
            guard = PartGuard(own.origin, what, own.package, own.folder, _unheard)
            rows.append(TriedStep(what, await _tried(step, guard)))
        return rows

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        """Look by which name things arrive."""
        named = [one for heard in batch for one in (_prefix(heard.adapter), heard.channel)]
        self._note(*named, *([_prefix(cursor.adapter)] if cursor is not None else []))

    async def cursor(self, adapter: str, stream: str) -> str | None:
        """Nothing was ever read."""

    async def pressed(self, press: ButtonPress) -> str:
        """Look by which name it arrives."""
        self._note(_prefix(press.person.platform), press.channel)
        return ""

    async def settled(self) -> None:
        """Nothing is under way."""

    def language(self) -> str:
        """Speak as the terminal does."""
        return language_spoken()

    def _note(self, *named: str) -> None:
        self._misnamed = self._misnamed or next((one for one in named if not self._is_ours(one)), "")

    def _is_ours(self, named: str) -> bool:
        return named.startswith(_prefix(self._platform.name))

    def _own(self, named: str) -> None:
        if not self._is_ours(named):
            raise Wrong(
                say("plugins.check-misnamed", found=excerpt(named, 60), name=one_line_name(self._platform.name))
            )

    async def _capabilities(self) -> None:
        can = _of_kind(PlatformCapabilities, self._platform.capabilities)
        if can.max_units < _LEAST_UNITS:
            raise Wrong(say("plugins.check-room", units=can.max_units, least=_LEAST_UNITS))

    async def _health(self) -> None:
        self._own(_prefix(_of_kind(AdapterHealth, self._platform.health()).name))

    async def _probe(self) -> None:
        for channel in (None, self._nowhere, self._unknown):
            for row in await self._platform.probe(channel):
                _of_kind(ProbeResult, row)

    async def _resolve(self) -> None:
        for text in self._odd_texts:
            if (found := self._platform.resolve(text)) is not None:
                self._own(found.channel)

    async def _rights(self) -> None:
        """Ask about somebody whom nobody knows."""
        stranger = PersonKey(self._platform.name, UserId("999999999"))
        for asked in (self._platform.is_channel_admin, self._platform.moderates):
            try:
                allowed = await asked(stranger, self._unknown)
            except DeliveryError:
                continue
            if allowed:
                raise Wrong(say("plugins.check-stranger"))

    async def _send(self) -> None:
        """Let it say something where nobody can be: words, and what it says that it draws."""
        can = self._platform.capabilities
        drawn = [rich for rich, draws in ((_CARD, can.cards), (_POLL, can.polls)) if draws]
        for number, rich in enumerate((None, *drawn)):
            message = OutgoingMessage(
                nonce=f"trial{number}",
                to=OutboundAddress(platform=self._platform.name, channel=self._unknown),
                text=lay_out(rich).text if rich is not None else "hello",
                rich=rich,
            )
            with suppress(DeliveryError):
                receipt = _of_kind(Receipt, await self._platform.send(message))
                if not receipt.message_id:
                    raise Wrong(say("plugins.check-nameless"))

    async def _react(self) -> None:
        """Let it do something where nobody can be: it says so in its own words, or that it is done."""
        await self._platform.set_typing(self._unknown, False)
        with suppress(DeliveryError):
            await self._platform.react(self._unknown, "1", "👍")

    async def _fetch(self) -> None:
        nothing = Attachment(kind=AttachmentKind.TEXT, name="x.txt", mimetype="text/plain", reference="unknown")
        try:
            found = await self._platform.fetch(nothing, 1000)
        except FetchError:
            return
        raise Wrong(say("plugins.no-such-kind", kind=FetchError.__name__, found=type(found).__name__))

    async def _publish(self) -> None:
        await self._platform.publish(CommandMenu(entries=()))
        link = self._platform.invitation(_PAYLOAD)
        if link and _PAYLOAD not in link:
            raise Wrong(say("plugins.no-such-kind", kind=_PAYLOAD, found=excerpt(link, 60)))

    async def _handoff(self) -> None:
        """Let one process hand over to another what it heard."""
        author = Author(user_id=UserId("7"), name="ann")
        name, where = self._platform.name, self._unknown
        heard = Inbound(
            adapter=name, channel=where, channel_name="x", message_id="1", author=author, text="hello", sent_at=1
        )
        if self._platform.take_up(heard, self._platform.handoff(heard)) != heard:
            raise Wrong(say("plugins.check-changed"))

    async def _run(self) -> None:
        """Let it listen for a moment, and end it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_MOMENT):
                await self._platform.run(self)
        if self._misnamed:
            self._own(self._misnamed)

    async def _close(self) -> None:
        await self._platform.close()
        await self._platform.close()


def _prefix(platform: str) -> str:
    """Return how everything of a platform begins."""
    return channel_id(platform, "")


def _of_kind(kind: type[Any], found: Any) -> Any:
    if not isinstance(found, kind):
        raise Wrong(say("plugins.no-such-kind", kind=kind.__name__, found=type(found).__name__))
    return found


async def _tried(step: Callable[[], Coroutine[Any, Any, None]], guard: PartGuard) -> str:
    """Return what is wrong; empty where nothing is."""
    try:
        await guard.wait(step(), SECONDS)
    except PluginFault as fault:
        return fault.words
    except BotError as error:
        return str(error)
    return ""


def _unheard(_: PartGuard) -> None:
    """Nobody is told that a part is switched off: the rows say it."""
