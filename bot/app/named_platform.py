"""A platform under a name of its own: its adapter knows of one bot, and calls everything by the kind.

This is the one place where the two names meet. What goes in bears the adapter's own, what comes out the configured one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import structlog

from bot.domain.health import KIND, AdapterHealth, ProbeResult
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.ledger import StreamCursor
from bot.domain.messages import (
    Attachment,
    Author,
    ButtonPress,
    Inbound,
    OutboundAddress,
    OutgoingMessage,
    Preview,
    Receipt,
)
from bot.domain.permalinks import MessageLocation
from bot.domain.platform_names import SwappedNames
from bot.errors import DeliveryError
from bot.ports.platform import CommandMenu, Heard, Platform, PlatformChannel, PlatformListener


def named_platform(platform: Platform, name: str) -> Platform:
    """Return a platform that goes by this name; one that is called so already is returned as it is."""
    return platform if platform.name == name else NamedPlatform(platform, name)


class _Named:
    """What the parts of a platform share: the adapter, and the two names."""

    def __init__(self, adapter: Platform, names: SwappedNames) -> None:
        self.adapter = adapter
        self._names = names

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Let a refusal name what it is about as everybody here does."""
        try:
            yield
        except DeliveryError as error:
            raise error.reworded(partial(self._said, error)) from error

    def _said(self, error: DeliveryError) -> str:
        return self._names.words(str(error))


class _NamedSender(_Named):
    """Implements `bot.ports.platform.PlatformSender`."""

    async def send(self, message: OutgoingMessage) -> Receipt:
        """Post one chunk."""
        with self._refusing():
            return await self.adapter.send(message.replace(to=_address(message.to, self._names)))

    async def preview(self, preview: Preview) -> str:
        """Show an answer that is still being written."""
        with self._refusing():
            return await self.adapter.preview(preview.replace(to=_address(preview.to, self._names)))

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        """Take back a message."""
        with self._refusing():
            await self.adapter.retract(self._names.channel(channel), message_id)

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        """Put a reaction on a message."""
        with self._refusing():
            await self.adapter.react(self._names.channel(channel), message_id, emoji)

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        """Show or stop showing that an answer is being written."""
        await self.adapter.set_typing(self._names.channel(channel), on)

    async def open_thread(self, person: PersonKey, title: str) -> OutboundAddress:
        """Start a private thread with one person."""
        with self._refusing():
            return _address(await self.adapter.open_thread(self._names.person(person), title), self._names)


class _NamedDirectory(_Named):
    """Implements `bot.ports.platform.PlatformDirectory`."""

    async def is_channel_admin(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the platform whether this person administers this channel."""
        with self._refusing():
            return await self.adapter.is_channel_admin(self._names.person(person), self._names.channel(channel))

    async def moderates(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the platform whether this person moderates this channel."""
        with self._refusing():
            return await self.adapter.moderates(self._names.person(person), self._names.channel(channel))

    async def can_read(self, person: PersonKey, channel: ChannelId) -> bool:
        """Ask the platform whether this person may read this channel."""
        with self._refusing():
            return await self.adapter.can_read(self._names.person(person), self._names.channel(channel))

    async def who_deleted(self, channel: ChannelId, message_id: str, at: int) -> Author | None:
        """Ask the platform who deleted a message of the bot."""
        return await self.adapter.who_deleted(self._names.channel(channel), message_id, at)

    def resolve(self, text: str) -> MessageLocation | None:
        """Read the platform's own way to write a channel or message."""
        found = self.adapter.resolve(self._names.words(text))
        return found._replace(channel=self._names.channel(found.channel)) if found is not None else None

    async def find(self, text: str) -> Sequence[PlatformChannel]:
        """Ask the platform which channels are meant."""
        with self._refusing():
            found = await self.adapter.find(self._names.words(text))
        return [one.replace(channel=self._names.channel(one.channel)) for one in found]

    def invitation(self, payload: str) -> str:
        """Return a link by which somebody opens their DM."""
        return self.adapter.invitation(payload)

    async def fetch(self, attachment: Attachment, most: int) -> bytes:
        """Return the content of a file that came in."""
        return await self.adapter.fetch(attachment, most)


class NamedPlatform(_NamedSender, _NamedDirectory):
    """Implements `bot.ports.platform.Platform`."""

    def __init__(self, adapter: Platform, name: str) -> None:
        super().__init__(adapter, SwappedNames(adapter.name, name))
        self.name = name
        self.capabilities = adapter.capabilities

    async def run(self, ears: PlatformListener) -> None:
        """Deliver what arrives until cancelled; its log lines say which bot they are about."""
        with structlog.contextvars.bound_contextvars(platform=self.name):
            await self.adapter.run(_NamedListener(ears, self._names))

    def handoff(self, heard: Inbound | ButtonPress) -> str:
        """Return what another process needs to know; that one has an adapter of the same kind."""
        if isinstance(heard, Inbound):
            return self.adapter.handoff(_inbound(heard, self._names))
        return self.adapter.handoff(_press(heard, self._names))

    def take_up(self, heard: Heard, handoff: str) -> Heard:
        """Learn what the process that listens knew."""
        if isinstance(heard, Inbound):
            return _inbound(self.adapter.take_up(_inbound(heard, self._names), handoff), self._names)
        return _press(self.adapter.take_up(_press(heard, self._names), handoff), self._names)

    def take(self, channels: Sequence[ChannelId]) -> None:
        """Take that this process alone speaks in channels."""
        self.adapter.take([self._names.channel(channel) for channel in channels])

    def share(self, processes: int) -> None:
        """Keep to one process's part."""
        self.adapter.share(processes)

    async def publish(self, menu: CommandMenu) -> None:
        """Make the commands known."""
        await self.adapter.publish(menu)

    def health(self) -> AdapterHealth:
        """Say how the connection is."""
        said, words = self.adapter.health(), self._names.words
        facts = tuple((fact, words(value)) for fact, value in said.facts)
        return said.replace(name=self.name, detail=words(said.detail), fix=words(said.fix), facts=facts)

    async def probe(self, channel: ChannelId | None) -> Sequence[ProbeResult]:
        """Look at the platform live."""
        asked = self._names.channel(channel) if channel is not None else None
        return [self._probed(one) for one in await self.adapter.probe(asked)]

    async def close(self) -> None:
        """Let go of connections."""
        await self.adapter.close()

    def _probed(self, one: ProbeResult) -> ProbeResult:
        """Name a row of doctor by the platform, which stands in front."""
        words, (first, space, rest) = self._names.words, one.name.partition(" ")
        name = f"{self._names.name(first)}{space}{words(rest)}"
        facts = ((KIND, self.adapter.name), *((fact, words(value)) for fact, value in one.facts))
        return one.replace(name=name, evidence=words(one.evidence), fix=words(one.fix), facts=facts)


class _NamedListener:
    """Implements `bot.ports.platform.PlatformListener`: hands on what an adapter hears."""

    def __init__(self, ears: PlatformListener, names: SwappedNames) -> None:
        self._ears = ears
        self._names = names

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        """Hand on a batch."""
        heard = [_inbound(one, self._names) for one in batch]
        # a stream of an adapter may be one of its channels
        read = cursor and cursor.replace(adapter=self._names.name(cursor.adapter), stream=self._stream(cursor.stream))
        await self._ears.receive(heard, read)

    async def cursor(self, adapter: str, stream: str) -> str | None:
        """Return how far a stream was read."""
        return await self._ears.cursor(self._names.name(adapter), self._stream(stream))

    async def pressed(self, press: ButtonPress) -> str:
        """Hand on a press."""
        return await self._ears.pressed(_press(press, self._names))

    async def settled(self) -> None:
        """Return when everything heard so far has come to its end."""
        await self._ears.settled()

    def language(self) -> str:
        """Return the language of what everybody reads."""
        return self._ears.language()

    def _stream(self, stream: str) -> str:
        return self._names.words(stream)


def _address(to: OutboundAddress, names: SwappedNames) -> OutboundAddress:
    return to.replace(platform=names.name(to.platform), channel=names.channel(to.channel))


def _inbound(heard: Inbound, names: SwappedNames) -> Inbound:
    event, ephemeral = heard.event, heard.ephemeral
    if event is not None and event.moved_to is not None:
        event = event.replace(moved_to=names.channel(event.moved_to))
    return heard.replace(
        adapter=names.name(heard.adapter),
        channel=names.channel(heard.channel),
        event=event,
        ephemeral=names.channel(ephemeral) if ephemeral is not None else None,
    )


def _press(press: ButtonPress, names: SwappedNames) -> ButtonPress:
    others = {"ephemeral": press.ephemeral, "around": press.around}
    return press.replace(
        person=names.person(press.person),
        channel=names.channel(press.channel),
        **{key: names.channel(channel) if channel is not None else None for key, channel in others.items()},
    )
