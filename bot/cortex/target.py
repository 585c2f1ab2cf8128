"""Find out which channel is meant, among those that the admin may inspect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.context.inspector import resolve
from bot.diagnostics.known import heard_of
from bot.domain.access import Caller
from bot.domain.ids import AgentId, ChannelId, ChannelKey, Person
from bot.domain.messages import Place
from bot.errors import DeliveryError, UserError
from bot.messaging.access import Access, Decision
from bot.ports.channels import ChannelDirectory, Channels, KnownChannel
from bot.ports.ledger import Ledger
from bot.ports.platform import Platform

_LISTED = 30


class Target(NamedTuple):
    """A channel that is talked about."""

    key: ChannelKey
    name: str
    place: Place


class Targets:
    """Reads `here`, names, mentions, links and ids. A channel that somebody may not inspect does not exist for them."""

    def __init__(
        self,
        agent: AgentId,
        channels: Channels,
        ledger: Ledger,
        directory: ChannelDirectory,
        platforms: Mapping[str, Platform],
        access: Access,
    ) -> None:
        self.agent = agent
        self._channels = channels
        self._ledger = ledger
        self._directory = directory
        self._platforms = platforms
        self._access = access

    def caller(self, person: Person, name: str) -> Caller:
        """Return somebody with the tier they have now."""
        return self._access.caller(person, name)

    async def of(self, key: ChannelKey) -> Target | None:
        """Return a channel by its key: active, at rest, or one from which nothing was ever let in."""
        found = self._directory.get(key) or await self._channels.load(key) or await heard_of(self._ledger, key)
        return Target(key, found.name, found.place) if found is not None else None

    async def find(self, person: Person, text: str, here: ChannelKey) -> Target:
        """Return the channel that is meant; raise UserError with the closest ones that this person may inspect."""
        known = await self._channels.known(here.agent)
        found = self._resolve(person, text, here, known) or await self._stopped(person, text, here)
        if found is None or not await self._may(person, found):
            found = self._among(person, text, here, await self._inspectable(person, known))
            if not await self._may(person, found):
                raise UserError("There is no such channel that you may inspect.")
        return Target(found.key, found.name, found.place)

    async def decide(self, person: Person, target: Target) -> Decision:
        """Ask, now, whether somebody may inspect a channel, and why not."""
        try:
            return await self._access.may_inspect(person, target.key, target.place)
        except DeliveryError as error:
            return Decision(False, f"the platform could not be asked: {error.code or 'unreachable'}")

    async def may_inspect(self, person: Person, target: Target) -> bool:
        """Ask, now."""
        return (await self.decide(person, target)).allowed

    async def may_read(self, person: Person, target: Target) -> bool:
        """Ask, now, whether content may be shown."""
        try:
            return (await self._access.may_read_content(person, target.key, target.place)).allowed
        except DeliveryError:
            return False

    def _resolve(
        self, person: Person, text: str, here: ChannelKey, known: Sequence[KnownChannel]
    ) -> KnownChannel | None:
        try:
            return self._among(person, text, here, known)
        except UserError:
            return None

    def _among(self, person: Person, text: str, here: ChannelKey, known: Sequence[KnownChannel]) -> KnownChannel:
        written = self._written(person, text)
        key = resolve(written or text, here, known)
        channel = next((c for c in known if c.key == key), None)
        if channel is None:
            raise UserError("There is no such channel that you may inspect.")
        return channel

    async def _stopped(self, person: Person, text: str, here: ChannelKey) -> KnownChannel | None:
        """Find, by its id, a channel from which nothing was ever let in: those are asked about most urgently."""
        written = self._written(person, text) or ChannelId(text)
        try:
            key = resolve(written, here, ())
        except UserError:
            key = key_of(here.agent, written)
        return await heard_of(self._ledger, key)

    def _written(self, person: Person, text: str) -> ChannelId | None:
        own = self._platforms.get(person.platform)
        others = (platform for name, platform in self._platforms.items() if name != person.platform)
        for platform in ([own] if own else []) + list(others):
            found = platform.resolve(text)
            if found is not None:
                return found
        return None

    async def _may(self, person: Person, channel: KnownChannel) -> bool:
        return await self.may_inspect(person, Target(channel.key, channel.name, channel.place))

    async def _inspectable(self, person: Person, known: Sequence[KnownChannel]) -> Sequence[KnownChannel]:
        # the platform is asked for each: the most recently used ones are enough for a hint
        return [channel for channel in known[:_LISTED] if await self._may(person, channel)]


def key_of(agent: AgentId | str, channel: ChannelId) -> ChannelKey:
    """Join what a session stores."""
    return ChannelKey(AgentId(agent), channel)
