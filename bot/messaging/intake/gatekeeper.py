"""Put together what the gates look at, and turn a message into an arrival."""

from __future__ import annotations

from collections.abc import Sequence

from bot.config.schema import Config, PlatformConfig
from bot.domain.access import Authority
from bot.domain.ids import MAIN, AgentId, ChannelKey, PersonKey, is_ephemeral
from bot.domain.ledger import Arrival, ArrivalDisposition, GateVerdict
from bot.domain.messages import Author, AuthorKind, ButtonPress, Inbound, MessageReference, UnseenReason
from bot.messaging.channels.gathering import GatheredMessages, takes_along
from bot.messaging.channels.settings import SettingsBook
from bot.messaging.policy import gates
from bot.messaging.policy.access import AccessPolicy, is_home
from bot.messaging.policy.agent_routing import AgentRouter
from bot.messaging.policy.gates import place, rate, sender
from bot.messaging.policy.gates.facts import GateFacts
from bot.messaging.policy.traffic import TrafficCounters
from bot.runtime.lru_cache import LRUCache

_UNHEARD = frozenset({ArrivalDisposition.NOTE, ArrivalDisposition.AMEND})
"""What the ledger keeps no word of where nothing is to be recorded: nobody takes it up from there."""
_NOT_CONFIGURED = PlatformConfig()
MAX_SPEAKERS = 1000
"""Of so many people at a time it is known what they last said to the bot in a group, to which pieces may belong."""


class Gatekeeper:
    """Asks the gates. Everything it needs is in memory, so an answer costs no waiting.

    `added` and `added_commands` are what plugins bring.
    """

    def __init__(
        self,
        agents: AgentRouter,
        config: Config,
        access: AccessPolicy,
        book: SettingsBook,
        loads: TrafficCounters,
        added: Sequence[gates.Gate] = (),
        added_commands: frozenset[str] = frozenset(),
    ) -> None:
        self.agents = agents
        self._added = added
        self._added_commands = added_commands
        self._config = config
        self._access = access
        self._book = book
        self._loads = loads
        self._addressed: LRUCache[tuple[ChannelKey, PersonKey], Inbound] = LRUCache(MAX_SPEAKERS)
        self._thoughts: LRUCache[tuple[ChannelKey, PersonKey], GatheredMessages] = LRUCache(MAX_SPEAKERS)

    async def prepare(self, batch: Sequence[Inbound]) -> None:
        """Read what must be read before the gates can be asked: today's cost if there is a cap, what is not held."""
        await self._book.prepare(self.key(inbound) for inbound in batch)
        if self._config.limits.daily_cost_usd:
            await self._loads.refresh_cost()
        for inbound in batch:
            # an album may be addressed by the caption of a later picture
            if inbound.album and not inbound.place.is_dm and self.facts(inbound).is_addressed:
                self._note_addressed(self.key(inbound), _wordless(inbound))

    def facts(self, inbound: Inbound) -> GateFacts:
        """Return what the gates look at for one message, now."""
        moves = self._book.moves
        inbound = moves.as_now(inbound)
        return self._facts(inbound, self.agents.key(inbound.channel, inbound.place))

    def _facts(self, inbound: Inbound, key: ChannelKey) -> GateFacts:
        return GateFacts(
            inbound=inbound,
            settings=self._book.of(key),
            platform=self._config.platforms.get(inbound.adapter, _NOT_CONFIGURED),
            limits=self._config.limits,
            tier=self._access.tier(inbound.person),
            names=self.names(inbound.adapter, key.agent),
            load=self._loads.of(key, inbound.person),
            former=self._book.moves.as_before(inbound),
            opted_out=self._book.has_opted_out(inbound.person),
            piece_of=self._piece_of(inbound, key),
            counted_with=self._counted_with(inbound, key),
            members_ask=self._config.cortex.why_for_members,
            added_commands=self._added_commands,
        )

    def _note_addressed(self, key: ChannelKey, inbound: Inbound) -> None:
        self._addressed.put((key, inbound.person), inbound)

    def _counted_with(self, inbound: Inbound, key: ChannelKey) -> str:
        """Return the message that began the thought of which a message is a later piece."""
        thought = self._thoughts.get((key, inbound.person))
        longest = self._config.conversation.debounce_longest
        return thought.first.message_id if thought is not None and thought.holds(inbound, longest) else ""

    def _note_thought(self, key: ChannelKey, newest: Inbound, *, is_new: bool) -> None:
        name = (key, newest.person)
        thought = None if is_new else self._thoughts.get(name)
        self._thoughts.put(name, GatheredMessages(thought.first if thought is not None else newest, newest))

    def _piece_of(self, inbound: Inbound, key: ChannelKey) -> str:
        """Return the message to the bot that a message in a group goes on with: only the first piece has a mention."""
        earlier = None if inbound.place.is_dm else self._addressed.get((key, inbound.person))
        if earlier is None or earlier.message_id == inbound.message_id or not takes_along(earlier, inbound):
            return ""
        return earlier.message_id

    def arrival(self, inbound: Inbound, at: int) -> Arrival:
        """Ask the gates and count the message."""
        inbound = self._heeding(inbound)
        now = self._book.moves.as_now(inbound)
        key = self.agents.key(now.channel, now.place)
        facts = self._facts(now, key)
        verdicts = gates.judge(facts, self._added)
        disposition = gates.dispose(facts, verdicts)
        wordless = facts.settings.unrecorded is not None and disposition in _UNHEARD
        arrival = Arrival(
            agent=key.agent,
            inbound=inbound,
            arrived_at=at,
            verdicts=verdicts,
            disposition=disposition,
            wordless=wordless,
        )
        is_new = not facts.counted_with
        if inbound.event is None:
            self._loads.note(key, inbound, let_in=disposition is ArrivalDisposition.QUEUE and is_new)
        if disposition is ArrivalDisposition.QUEUE:
            kept = _wordless(now)
            self._note_thought(key, kept, is_new=is_new)
            if inbound.author.kind is AuthorKind.PERSON and not inbound.place.is_dm:
                self._note_addressed(key, kept)
        if disposition is ArrivalDisposition.COMMAND and rate.is_counted(facts):
            self._loads.note_command(key, now.person, is_answered=not facts.goes_unanswered)
        return arrival

    def _heeding(self, inbound: Inbound) -> Inbound:
        """Leave out the words of people who want nothing of theirs kept, where somebody else's message brings them."""
        if not inbound.refers:
            return inbound
        kept = tuple(self._without_opted_out(inbound.adapter, one) for one in inbound.refers)
        return inbound if kept == inbound.refers else inbound.replace(refers=kept)

    def _without_opted_out(self, adapter: str, one: MessageReference) -> MessageReference:
        authors = (author.user_id for author in (one.author, one.origin) if author is not None)
        if not any(self._book.has_opted_out(PersonKey(adapter, user)) for user in authors):
            return one
        return MessageReference(kind=one.kind, at=one.at, message_id=one.message_id, unseen=UnseenReason.OPTED_OUT)

    def would_act(self, inbound: Inbound) -> bool:
        """Say whether a turn or a command would follow; nothing is counted."""
        facts = self.facts(inbound)
        return gates.dispose(facts, gates.judge(facts, self._added)) in {
            ArrivalDisposition.QUEUE,
            ArrivalDisposition.COMMAND,
        }

    def is_order(self, inbound: Inbound) -> bool:
        """Say whether it is a command of somebody who steers the bot."""
        facts = self.facts(inbound)
        is_command = gates.dispose(facts, gates.judge(facts, self._added)) is ArrivalDisposition.COMMAND
        return is_command and facts.tier >= Authority.MODERATOR

    def seen_before(self, arrival: Arrival) -> None:
        """Do not count what a platform delivered twice."""
        if arrival.disposition is ArrivalDisposition.QUEUE and rate.has_counted(arrival.verdicts):
            self._loads.forget(self.key(arrival.inbound), arrival.inbound)

    def may_press(self, press: ButtonPress) -> bool:
        """Say whether somebody is let in where they pressed a button; owners and admins always are.

        What one person alone is shown stands in no channel, so that only the presser counts there.
        """
        author = Author(user_id=press.person.user_id, name=press.name, kind=AuthorKind.PERSON)
        where = Inbound(
            adapter=press.person.platform,
            channel=press.channel,
            channel_name="",
            place=press.place,
            message_id="",
            author=author,
            text="",
            sent_at=0,
        )
        facts = self.facts(where)
        if facts.tier >= Authority.ADMIN:
            return True
        # a moderator's private chat is where the cortex answers them
        is_theirs = facts.tier >= Authority.MODERATOR and is_home(press.channel, press.person)
        is_let_in = is_theirs or is_ephemeral(press.channel) or place.check(facts).passed
        verdict = sender.check(facts)
        return is_let_in and (verdict.passed or verdict.reason == sender.OPTED_OUT)

    def would(self, inbound: Inbound) -> tuple[GateVerdict, ...]:
        """Ask every gate about a message that did not arrive; nothing is counted."""
        return gates.would(self.facts(inbound), self._added)

    def names(self, adapter: str, agent: AgentId = MAIN) -> tuple[str, ...]:
        """Return the names that an agent listens to on a platform."""
        platform = self._config.platforms.get(adapter)
        return tuple(dict.fromkeys((self._config.called(agent), *(platform.names if platform else ()))))

    def key(self, inbound: Inbound) -> ChannelKey:
        """Return the channel of a message, as it is called now."""
        moves = self._book.moves
        if not moves.pairs:
            return self.agents.key(inbound.channel, inbound.place)
        now = moves.as_now(inbound)
        return self.agents.key(now.channel, now.place)


def _wordless(inbound: Inbound) -> Inbound:
    # its words are of no use here, and not to be kept; the names of its fields would take 2 KB
    found = inbound.replace(text="", attachments=(), mentioned=(), refers=())
    found.lighten()
    return found
