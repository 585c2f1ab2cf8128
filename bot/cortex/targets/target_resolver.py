"""Find out what is meant, among the channels that the admin may inspect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.cortex.targets.named_in_words import channels_in_words
from bot.cortex.targets.target_parser import ParsedTarget, TargetParser, lost_message_error, unknown_channel_error
from bot.cortex.targets.unheard_places import ambiguous_text, ask_platforms
from bot.diagnostics.collect.lookup import every_channel, known_channel
from bot.domain.access import AccessRight, Caller
from bot.domain.handles import parse_handle
from bot.domain.ids import AgentId, ChannelId, ChannelKey, PersonKey, platform_of
from bot.domain.messages import ChannelPlace
from bot.domain.permalinks import MessageLocation, locate
from bot.domain.record_access import RecordOwner, RecordReader, may_read, of_channel, of_inbound
from bot.errors import DeliveryError, UserError
from bot.messaging.policy.access import AccessDecision, AccessPolicy
from bot.messaging.policy.agent_routing import AgentRouter
from bot.ports.channels import ChannelDirectory, KnownChannel
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.sentences import say
from bot.text.text import quote_line

_MAX_LISTED_CHANNELS = 30
_HERE_WORDS = frozenset({"", "here"})


class TargetChannel(NamedTuple):
    """A channel that is talked about."""

    key: ChannelKey
    name: str
    place: ChannelPlace


class ResolvedTarget(NamedTuple):
    """What is talked about: a channel, and what was named of it."""

    target: TargetChannel
    meant: ParsedTarget


class TargetResolver:
    """Reads `here`, names, mentions, links, ids and handles. What somebody may not inspect does not exist for them."""

    def __init__(
        self,
        agents: AgentRouter,
        store: Store,
        finder: TargetParser,
        directory: ChannelDirectory,
        platforms: Mapping[str, Platform],
        access: AccessPolicy,
    ) -> None:
        self.agents = agents
        self.finder = finder
        self._store = store
        self._directory = directory
        self._platforms = platforms
        self._access = access

    def caller(self, person: PersonKey, name: str) -> Caller:
        """Return somebody with the tier they have now."""
        return self._access.caller(person, name)

    async def of(self, key: ChannelKey) -> TargetChannel | None:
        """Return a channel by its key: active, at rest, or one from which nothing was ever let in."""
        store, key = self._store, self._store.channels.moves.key(key)
        found = self._directory.get(key) or await store.channels.look_up(key) or await known_channel(store.ledger, key)
        return TargetChannel(key, found.name, found.place) if found is not None else None

    async def of_session(self, person: PersonKey, key: ChannelKey) -> TargetChannel | None:
        """Return the channel that a thread is about, also where nothing ever came from there; UserError.

        None where nobody knows it, or where this person may not inspect it.
        """
        target = await self.of(key)
        if target is not None:
            return target
        found = await self.ask(person, "here", key)
        return found.target if found is not None else None

    async def find(
        self, person: PersonKey, text: str, here: ChannelKey, right: AccessRight = AccessRight.INSPECT
    ) -> ResolvedTarget:
        """Return what is meant; raise UserError with the closest channels over which this person has the right."""
        whole = text
        known = await self._named_by_id(text, here) or await self._store.channels.known()
        known, text = named_agent(known, self.agents, text)
        written = self._written(person, text, known)
        found = await self._allowed(person, await self.finder.find(text, written, here, known), right)
        if found is None:
            # a name that several channels bear may be that of only one among those, or of one where nobody ever talked
            every = await every_channel(self._store, self.agents.names, 0)
            known = await self._allowing(person, named_agent(every, self.agents, whole)[0], right)
            found = await self._allowed(person, await self.finder.find(text, written, here, known), right)
        if found is None:
            raise unknown_channel_error(text, written, here, known)
        if found.meant.lost:
            raise lost_message_error(found.meant, found.target.name)
        return found

    async def _named_by_id(self, text: str, here: ChannelKey) -> Sequence[KnownChannel]:
        """Look up what is named by its id, or by nothing where one is: of thousands of channels one is read."""
        word = text.strip()
        channel = here.channel if word in _HERE_WORDS else ChannelId(word)
        if platform_of(channel) not in self._platforms:
            return ()
        found = [await self._store.channels.look_up(ChannelKey(agent, channel)) for agent in self.agents.names]
        return [one for one in found if one is not None]

    async def ask(self, person: PersonKey, text: str, here: ChannelKey) -> ResolvedTarget | None:
        """Return what is meant by what the platforms themselves say, though nothing ever came from there; UserError.

        What somebody may not inspect does not exist for them here either.
        """
        if text.strip() in _HERE_WORDS:
            text = here.channel
        elif parse_handle(text) is not None:
            return None
        _, text = named_agent([*await self._store.channels.known()], self.agents, text)
        try:
            found = await ask_platforms(self._in_order(person), text)
        except DeliveryError as error:
            raise UserError(say("targets.cannot-ask-platform", why=quote_line(str(error), 120))) from None
        targets = [TargetChannel(self.agents.key(one.channel, one.place), one.name, one.place) for one in found]
        allowed = [target for target in targets if await self.may_inspect(person, target)]
        if len(allowed) > 1:
            raise UserError(ambiguous_text(text, [target.key.channel for target in allowed]))
        return ResolvedTarget(allowed[0], ParsedTarget(allowed[0].key)) if allowed else None

    async def named(self, person: PersonKey, words: str, here: TargetChannel) -> Sequence[TargetChannel]:
        """Return the channels that a question names in words, among those that this person may inspect.

        Those of the guild or platform in which it was asked come before all others; where `here` is named, it is meant.
        """
        known = named_agent(await every_channel(self._store, self.agents.names, 0), self.agents, "")[0]
        named = channels_in_words(words, known)
        if here.key in {channel.key for channel in named}:
            return (here,)
        near = [channel for channel in named if _is_near(channel, here)]
        found = [TargetChannel(c.key, c.name, c.place) for c in (near or named)[:_MAX_LISTED_CHANNELS]]
        return [target for target in found if await self.may_inspect(person, target)]

    async def audited(self, person: PersonKey) -> Sequence[TargetChannel]:
        """Return the channels whose memories this person may look through, most recently used first."""
        known = named_agent(await every_channel(self._store, self.agents.names, 0), self.agents, "")[0]
        found = await self._allowing(person, known, AccessRight.AUDIT)
        return [TargetChannel(one.key, one.name, one.place) for one in found if not one.place.is_dm]

    def is_message_link(self, person: PersonKey, word: str) -> bool:
        """Say whether a word is the link of a message on one of our platforms, be it known or not."""
        found = (self._written(person, word, ()) or locate(word)) if "://" in word else None
        return found is not None and bool(found.message_id)

    async def anywhere(self, channel: ChannelId) -> TargetChannel | None:
        """Return a channel, whichever agent has it or had it."""
        found = [await self.of(ChannelKey(agent, channel)) for agent in self.agents.names]
        return next((target for target in found if target is not None), None)

    async def decide(
        self, person: PersonKey, target: TargetChannel, right: AccessRight = AccessRight.INSPECT
    ) -> AccessDecision:
        """Ask, now, whether somebody has a right over a channel, and why not."""
        try:
            return await self._access.may(right, person, target.key, target.place)
        except DeliveryError as error:
            return AccessDecision(False, say("targets.could-not-ask", why=error.code or "unreachable"))

    async def may(self, right: AccessRight, person: PersonKey, target: TargetChannel) -> bool:
        """Whether somebody has a right over this now."""
        return (await self.decide(person, target, right)).allowed

    async def may_inspect(self, person: PersonKey, target: TargetChannel) -> bool:
        """Whether somebody may inspect this now."""
        return await self.may(AccessRight.INSPECT, person, target)

    async def inspectable(self, person: PersonKey, keys: Iterable[ChannelKey]) -> frozenset[ChannelKey]:
        """Return those of some channels that somebody may inspect now."""
        found: set[ChannelKey] = set()
        for key in dict.fromkeys(keys):
            target = await self.of(key)
            if target is not None and await self.may_inspect(person, target):
                found.add(key)
        return frozenset(found)

    async def reader(
        self,
        person: PersonKey,
        target: TargetChannel | None,
        *also: ChannelKey,
        right: AccessRight = AccessRight.INSPECT,
    ) -> RecordReader:
        """Return as what somebody reads records about a channel, now; `also` are names that it had before."""
        if target is None or not await self.may(right, person, target):
            return RecordReader(person=person)
        # what was kept before a channel moved is about it all the same
        return RecordReader(frozenset({target.key, *also}), person)

    async def may_read(self, person: PersonKey, target: TargetChannel) -> bool:
        """Ask, now, whether content may be shown."""
        return await self.may(AccessRight.READ, person, target)

    def _written(self, person: PersonKey, text: str, known: Sequence[KnownChannel]) -> MessageLocation | None:
        """Read how a platform writes places: the person's own first, of several that can the one that knows it."""
        found = [read for one in self._in_order(person) if (read := one.resolve(text)) is not None]
        if len(found) < 2:
            return found[0] if found else None
        return next((read for read in found if any(_is_in(one.id, read.channel) for one in known)), found[0])

    def _in_order(self, person: PersonKey) -> Sequence[Platform]:
        """Return the platforms, the person's own first."""
        own = self._platforms.get(person.platform)
        return [*([own] if own else []), *(one for name, one in self._platforms.items() if name != person.platform)]

    async def _allowed(
        self, person: PersonKey, meant: ParsedTarget | None, right: AccessRight
    ) -> ResolvedTarget | None:
        target = await self.of(meant.key) if meant else None
        if meant is None or target is None:
            return None
        reader = await self.reader(person, target, meant.key, right=right)
        return ResolvedTarget(target, meant) if may_read(reader, await self._owner(meant, target)) else None

    async def _owner(self, meant: ParsedTarget, target: TargetChannel) -> RecordOwner:
        """Return whose that is which was named of a channel."""
        if meant.turn:
            return await self._store.journal.owner_of(meant.turn)
        # only what is said in private may be more private than its channel
        said = await self._store.ledger.inbound(meant.inbound) if meant.inbound and target.place.is_dm else None
        return of_inbound(said) if said is not None else of_channel(target.key)

    async def _allowing(
        self, person: PersonKey, known: Sequence[KnownChannel], right: AccessRight
    ) -> Sequence[KnownChannel]:
        # the platform is asked for each: the most recently used ones are enough for a hint
        return [
            c
            for c in known[:_MAX_LISTED_CHANNELS]
            if await self.may(right, person, TargetChannel(c.key, c.name, c.place))
        ]


def _is_in(channel: ChannelId, place: ChannelId) -> bool:
    """Say whether a channel is a place, or a topic in it."""
    return channel == place or channel.startswith(f"{place}:")


def _is_near(channel: KnownChannel, here: TargetChannel) -> bool:
    guild = here.place.guild_id
    return platform_of(channel.id) == platform_of(here.key.channel) and (not guild or channel.place.guild_id == guild)


def named_agent(known: Sequence[KnownChannel], agents: AgentRouter, text: str) -> tuple[Sequence[KnownChannel], str]:
    """Read `agent/channel`; a channel without an agent in front is that of the agent that has it now, if that met it.

    Return the channels that can be meant, and the text without the agent.
    """
    agent, slash, rest = text.partition("/")
    if slash and rest and agent in {*agents.names, *(channel.agent for channel in known)}:
        return [channel for channel in known if channel.agent == agent], rest
    held = {channel.key for channel in known if channel.agent == agents.of(channel.id, channel.place)}
    met = {key.channel for key in held}
    return [channel for channel in known if channel.key in held or channel.id not in met], text


def key_of(agent: AgentId | str, channel: ChannelId) -> ChannelKey:
    """Join what a session stores."""
    return ChannelKey(AgentId(agent), channel)
