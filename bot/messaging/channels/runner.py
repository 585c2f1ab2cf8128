"""Work off what waits in a channel, in order; a task exists only while there is work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import structlog

from bot.agent.turn.limits import RETURN_PAUSE
from bot.config.schema import ConversationConfig
from bot.context.transcript import as_message, with_links, without_answered
from bot.diagnostics.failure_words import recorded_error
from bot.domain.access import Authority
from bot.domain.channel import ChannelReset, ChannelState, MessageEdited, ResponseMode, SettingsChanged
from bot.domain.channel_moves import ChannelMoves
from bot.domain.finding import NewAudit
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey, UserId
from bot.domain.ledger import OF_ALBUM, FailReason, LedgerStage, Outcome, StageRow, StageVerdict, StoredInbound
from bot.domain.messages import AuthorKind, Inbound, InboundKind, Message
from bot.domain.process import process_of
from bot.domain.turn import NewOutbox
from bot.errors import DamagedRow, DeliveryError, StoreError
from bot.messaging.channels.agent_handover import HandoverNotice
from bot.messaging.channels.ambient import AmbientListener
from bot.messaging.channels.gathering import DebounceWindow, signs_of
from bot.messaging.channels.queues import (
    AmbientMessage,
    ChannelQueue,
    ChannelQueues,
    QueuedAmendment,
    QueuedMessage,
    QueuedResult,
    QueuedUnfurl,
    ReloadChannel,
    ResetChannel,
    UndoReset,
    Work,
)
from bot.messaging.channels.registry import ChannelRegistry, LiveChannel, OpenChannel
from bot.messaging.channels.settings import SettingsBook
from bot.messaging.policy.access import AccessPolicy, is_home
from bot.messaging.policy.languages import Languages
from bot.ports.clock import Clock
from bot.ports.cortex import CortexPort
from bot.ports.delivery import Delivery
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.tasks import TaskSupervisor, Turnstile
from bot.sentences import ENGLISH, say, speaking
from bot.text.figures import duration
from bot.text.times import clock_time

log = structlog.get_logger(__name__)

_NO_TIER = Authority.EVERYONE
_MAX_PAUSE_SECONDS = 4 * RETURN_PAUSE
"""Results that keep coming are not waited for any longer than this."""
_MAX_LOOKED_BACK = 20
"""How many of the newest overheard messages may be of an album, which has ten pictures at most."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ChannelRunner:
    """Starts a task for a channel when work arrives, and lets it end when the work is done."""

    store: Store
    clock: Clock
    tasks: TaskSupervisor
    delivery: Delivery
    access: AccessPolicy
    book: SettingsBook
    registry: ChannelRegistry
    cortex: Callable[[], CortexPort]
    open_channel: OpenChannel
    limits: ConversationConfig
    introducing: HandoverNotice
    languages: Languages
    _turnstile: Turnstile = field(init=False, default_factory=Turnstile)

    @cached_property
    def _queues(self) -> ChannelQueues:
        return self.registry.queues

    @cached_property
    def _debounce(self) -> DebounceWindow:
        return DebounceWindow(self.limits.debounce, self.limits.debounce_longest)

    @cached_property
    def _overhearing(self) -> AmbientListener:
        return AmbientListener(self.store.channels, self.registry, self.book, self.limits, self.tasks, self._start)

    def put(self, key: ChannelKey, work: Work) -> None:
        """Add work to a channel and see that somebody does it."""
        is_idle = self._queues.put(key, work)
        lane = self._queues.lane(key)
        assert lane is not None
        if isinstance(work, QueuedMessage):
            self._join(lane, work)
        if is_idle:
            if self._overhearing.takes(lane):
                self._overhearing.put(lane)
            else:
                self._start(lane)

    def _join(self, lane: ChannelQueue, talk: QueuedMessage) -> None:
        """Let the turn that runs begin again with a message that belongs to what it was asked, once."""
        if lane.gave_way or lane.gives_way or not lane.goes_on(talk):
            return
        if self._tier_of(talk.stored) != self._tier_of(lane.running[-1]):
            return
        live = self.registry.live(lane.key)
        lane.gives_way = not lane.is_handed_over or (live is not None and live.give_way())

    def renew(self, key: ChannelKey, by: NewAudit) -> None:
        """Stop the turn that runs, and begin the conversation anew when what came before is done."""
        live = self.registry.live(key)
        if live is not None:
            live.stop()
        self.put(key, ResetChannel(by))

    def follow(self, moves: ChannelMoves) -> None:
        """Go on under the ids that channels have now; a turn that runs ends first."""
        self._overhearing.forget()
        self._queues.follow(moves)
        self.registry.follow(moves)

    def _start(self, lane: ChannelQueue) -> None:
        # what a model reads is in English, in whatever language the one is spoken to who made it begin
        with speaking(ENGLISH):
            self.tasks.spawn(f"drain {lane.key}", self._run(lane))

    async def _run(self, lane: ChannelQueue) -> None:
        goes_on = False
        try:
            if isinstance(lane.work[0], QueuedMessage):
                await self._turnstile.wait()
            while lane.work and not goes_on:
                # a step at least: what could not be stored with others' is stored here
                await self._step(lane.key, lane)
                goes_on = bool(lane.work) and self._overhearing.takes(lane)
        finally:
            if goes_on:
                self._overhearing.put(lane)
            else:
                self._queues.close(lane)

    async def _step(self, key: ChannelKey, lane: ChannelQueue) -> None:
        first = lane.work[0]
        if isinstance(first, QueuedResult):
            await self._results(key, lane)
            return
        if not isinstance(first, QueuedMessage):
            lane.work.popleft()
            await self._apply(key, first)
            return
        private = first.stored.inbound.place.is_dm
        following = lane.next_pieces() if private else lane.next_talks(self._tier_of)
        wait = self._wait(key, following.talks, private=private)
        if wait > 0 and not following.is_complete:
            began = self.clock.monotonic()
            await self.clock.sleep(wait)
            lane.waited += self.clock.monotonic() - began
            return
        await self._turn(key, lane, lane.take(self._tier_of, one=private))

    def _wait(self, key: ChannelKey, talks: list[QueuedMessage], *, private: bool) -> float:
        """Return the seconds to wait for more: in private chats only where the newest message shows a sign of it."""
        burst, now = self._queues.burst(key, talks), self.clock.monotonic()
        wait = 0.0 if private else self._debounce.wait(burst, now)
        return max(wait, self._debounce.left(burst, now)) if talks[-1].stored.inbound.sign is not None else wait

    def _tier_of(self, stored: StoredInbound) -> Authority:
        """Return the authority of who wrote a message: bots and webhooks have none, whatever their number."""
        author = stored.inbound.author
        return self.access.tier(stored.inbound.person) if author.kind is AuthorKind.PERSON else _NO_TIER

    async def _results(self, key: ChannelKey, lane: ChannelQueue) -> None:
        """Gather the results that belong together, and have one turn about them; a silent channel hears later."""
        now = self.clock.monotonic()
        times = [item.at for item in lane.waiting_results]
        if (wait := min(times[-1] + RETURN_PAUSE, times[0] + _MAX_PAUSE_SECONDS) - now) > 0:
            await self.clock.sleep(wait)
            return
        taken, settings = lane.take_returned(), self.book.of(key)
        stored = tuple(item.stored for item in taken if isinstance(item, QueuedResult))
        quiet = settings.mode is ResponseMode.OBSERVE and not stored[-1].inbound.place.is_dm
        if settings.pause is None and not quiet:
            await self._turn(key, lane, taken)
            return
        await self._settle(stored, Outcome.GATED, "mode" if quiet else "pause")
        await self.store.processes.put_back([process_of(one.inbound) for one in stored])
        self.registry.forget(key)

    async def _turn(self, key: ChannelKey, lane: ChannelQueue, taken: list[Work]) -> None:
        talks = [item for item in taken if isinstance(item, QueuedMessage | QueuedResult)]
        lane.running = tuple(talk.stored for talk in talks)
        lane.running_since = self.clock.monotonic()
        lane.asked_at = talks[-1].at
        again: list[Work] = []
        try:
            for item in taken:
                if not isinstance(item, QueuedMessage | QueuedResult):
                    await self._apply(key, item)
            if isinstance(talks[-1], QueuedMessage):
                self._queues.note_talk(key, talks[-1].at, self.limits.debounce)
            rows = await self._answer(key, lane)
            again.extend(talk for talk in talks if talk.stored.id in rows)
        finally:
            lane.over(again)

    async def _answer(self, key: ChannelKey, lane: ChannelQueue) -> tuple[int, ...]:
        """Answer what a turn is asked; return the rows that are to be asked again with what has come since."""
        triggers = lane.running
        try:
            triggers = await self._without_cortex(triggers)
            if not triggers:
                return ()
            channel = await self._open(key, triggers[-1])
            overheard = await self._rest_of_album(key, channel, triggers)
            await self._note_gathered(triggers, lane, overheard)
            if channel.state.settings.came_from:
                with speaking(self.languages.of_answer(triggers[-1].inbound)):
                    await self.introducing.introduce(key, triggers[-1])
            lane.is_handed_over = True
            if lane.gives_way or await channel.take(triggers):
                return tuple(stored.id for stored in triggers)
        except StoreError:
            raise
        except Exception as error:
            log.error("turn_failed", channel=str(key), error_type=type(error).__name__, exc_info=error)
            await self._settle(triggers, Outcome.FAILED, f"{FailReason.INTERNAL}: {recorded_error(error)}")
            with speaking(self.languages.of_answer(triggers[-1].inbound)):
                await self._apologise(triggers[-1])
        return ()

    async def _rest_of_album(
        self, key: ChannelKey, channel: LiveChannel, triggers: tuple[StoredInbound, ...]
    ) -> list[StoredInbound]:
        """Let the model see the pictures of an album that came before the one that was meant for the bot.

        They were only overheard, because nothing in them called it, and stand in the history as files that nobody
        looked at: from now on they stand there as pictures.
        """
        albums = {_album(one) for one in triggers if one.inbound.album and not one.inbound.place.is_dm}
        authors = {author for author, _ in albums}
        found: list[StoredInbound] = []
        for message in channel.state.ambient[-_MAX_LOOKED_BACK:] if albums else ():
            stored = await self._heard(message) if message.author and message.author.user_id in authors else None
            if stored is None or _album(stored) not in albums:
                continue
            found.append(stored)
            if not message.images and stored.text_kept:
                seen = await channel.look_at(stored)
                await self.store.channels.amend(key, seen)
                channel.record(MessageEdited(message=seen))
        return found

    async def _heard(self, message: Message) -> StoredInbound | None:
        try:
            return await self.store.ledger.inbound(message.inbound)
        except DamagedRow:
            return None  # it stands in the history as it is

    async def _without_cortex(self, triggers: tuple[StoredInbound, ...]) -> tuple[StoredInbound, ...]:
        """Let the cortex answer what is said in its own conversation, message by message; return the rest."""
        left = []
        for stored in triggers:
            if await self._is_for_cortex(stored):
                await self._settle((stored,), Outcome.COMMAND, "cortex")
            else:
                left.append(stored)
        return tuple(left)

    async def _is_for_cortex(self, stored: StoredInbound) -> bool:
        inbound = stored.inbound
        if not inbound.place.is_dm or inbound.kind is InboundKind.RESULT:
            return False
        # a topic of the cortex stays one, also for who is no admin any more
        if self.access.tier(inbound.person) < Authority.MODERATOR and is_home(inbound.channel, inbound.person):
            return False
        return await self.cortex().claim_message(stored)

    async def _open(self, key: ChannelKey, stored: StoredInbound) -> LiveChannel:
        inbound = stored.inbound
        live = self.registry.live(key)
        if live is not None:
            return live
        settings = self.book.of(key)
        state = await self.store.channels.meet(key, inbound.channel_name, inbound.place, settings)
        self._overhearing.note(key, inbound.channel_name)
        channel = self.open_channel(state)
        self.registry.register(channel)
        # the book is newer than what was read if somebody changed it meanwhile
        settings = self.book.of(key)
        if channel.state.settings != settings:
            channel.record(SettingsChanged(settings=settings))
        return channel

    async def _apply(self, key: ChannelKey, work: Work) -> None:
        try:
            match work:
                case AmbientMessage(stored=stored):
                    await self._overhearing.hear([(key, stored)])
                case QueuedAmendment(stored=stored):
                    await self._amend(key, stored)
                case QueuedUnfurl(inbound=told):
                    await self._unfold(key, told)
                case ResetChannel(by=by):
                    await self.store.channels.reset(key, by.at, by)
                    live = self.registry.live(key)
                    if live is not None:
                        live.record(ChannelReset())
                case UndoReset():
                    await self._bring_back(key, work)
                case ReloadChannel():
                    self.registry.forget(key)
                case QueuedMessage() | QueuedResult():
                    raise AssertionError("talk and results become turns")
        except DamagedRow as error:
            # what waits behind it can still be answered, if only with the news that something is broken
            log.error("work_dropped", channel=str(key), work=type(work).__name__, error=str(error))

    async def _bring_back(self, key: ChannelKey, wanted: UndoReset) -> None:
        channels = self.store.channels
        found = await channels.fresh_start(key, wanted.since)
        is_back = found is not None and await channels.bring_back(key, found.id, wanted.by)
        if is_back:
            # the next turn begins with what is stored
            self.registry.forget(key)
        with speaking(wanted.language):
            if found is None:
                words = render("fresh_start", what="none")
            else:
                what = "undone" if is_back else "gone_on"
                words = render("fresh_start", what=what, at=clock_time(found.body.at))
            await wanted.tell(words)

    async def _amend(self, key: ChannelKey, stored: StoredInbound) -> None:
        live, channels = self.registry.live(key), self.store.channels
        state = live.state if live is not None else await channels.load(key)
        old = _said(state, stored.inbound.message_id) if state else None
        if stored.inbound.kind is InboundKind.DELETE:
            await self._withdraw_quotations(key, state, stored.inbound.message_id)
        if old is None:
            await self._amend_source(key, stored, state)
            return
        new = _amended(old, stored)
        if new == old:
            return
        await channels.amend(key, new)
        if live is not None:
            live.record(MessageEdited(message=new))

    async def _unfold(self, key: ChannelKey, told: Inbound) -> None:
        live, channels = self.registry.live(key), self.store.channels
        state = live.state if live is not None else await channels.load(key)
        old = _said(state, told.replies_to) if state else None
        new = with_links(old, [link for one in told.refers for link in one.links]) if old is not None else None
        if new is None or new == old:
            return
        await channels.amend(key, new)
        if live is not None:
            live.record(MessageEdited(message=new))

    async def _withdraw_quotations(self, key: ChannelKey, state: ChannelState | None, message_id: str) -> None:
        """Let nobody's message quote one any more that was deleted."""
        for message in state.history if state else ():
            new = without_answered(message, message_id) if message.inbound else None
            if new is not None:
                await self.store.channels.amend(key, new)
                live = self.registry.live(key)
                if live is not None:
                    live.record(MessageEdited(message=new))

    async def _apologise(self, stored: StoredInbound) -> None:
        name, delivery = handle(HandleKind.INBOUND, stored.id), self.delivery
        body = NewOutbox(
            kind="notice",
            to=delivery.home(stored.inbound.channel),
            text=say("messaging.broke", handle=name),
            inbound=stored.id,
            replies_to=stored.inbound.message_id,
        )
        try:
            await delivery.say(body)
        except DeliveryError as error:
            log.warning("apology_not_delivered", channel=stored.inbound.channel, code=error.code)

    async def _amend_source(self, key: ChannelKey, stored: StoredInbound, state: ChannelState | None) -> None:
        """Amend a message that was summarised: the summaries go, because they tell of what is not said any more."""
        message_id = stored.inbound.message_id
        # imported here: only an edit asks, and it brings along everything that compacts
        from bot.context.compaction.plan import standing_for

        rows = standing_for(state.turns, message_id) if state else ()
        if not rows:
            return
        old = await self.store.compactions.source(rows, message_id)
        if old is not None:
            new = _amended(old, stored)
            if new == old:
                return
            await self.store.channels.amend(key, new)
        deleted, at = stored.inbound.kind is InboundKind.DELETE, self.clock.now()
        count = await self.store.compactions.withdraw(rows, message_id, deleted=deleted, at=at)
        log.info("compactions_withdrawn", channel=str(key), count=count, deleted=deleted)
        # the next turn begins with what is stored, where the sources stand again
        self.registry.forget(key)

    async def _settle(self, stored: tuple[StoredInbound, ...], outcome: Outcome, reason: str) -> None:
        at = self.clock.now()
        await self.store.ledger.settle([one.settled(at, outcome, reason) for one in stored])

    async def _note_gathered(
        self, triggers: tuple[StoredInbound, ...], lane: ChannelQueue, overheard: Sequence[StoredInbound]
    ) -> None:
        """Note which messages are one turn, for how long more were waited for, and why."""
        together = (*overheard, *triggers)
        signs = signs_of([stored.inbound for stored in together])
        if len(together) == 1 and not signs:
            return
        newest, now = handle(HandleKind.INBOUND, triggers[-1].id), self.clock.now()
        pictures = sum(bool(stored.inbound.album) for stored in together)
        detail = [("into", newest), ("messages", str(len(together)))]
        detail += [(OF_ALBUM, str(pictures))] if pictures else []
        detail += [("sign", signs)] if signs else []
        detail += [("waited", duration(lane.waited))] if lane.waited else []
        detail += [("began_again", "yes")] if lane.gave_way else []
        await self.store.ledger.note(
            [
                StageRow(
                    inbound=stored.id,
                    at=now,
                    stage=LedgerStage.COALESCED,
                    verdict=StageVerdict.NOTED,
                    detail=tuple(detail),
                )
                for stored in together
            ]
        )


def _album(stored: StoredInbound) -> tuple[UserId, str]:
    return stored.inbound.author.user_id, stored.inbound.album


def _said(state: ChannelState, message_id: str) -> Message | None:
    found = (m for m in reversed(state.history) if m.message_id == message_id and m.inbound)
    return next(found, None)


def _amended(old: Message, stored: StoredInbound) -> Message:
    """Return the new form of a message; its place, time, ledger row and files stay. A deletion leaves a tombstone."""
    inbound = stored.inbound
    deleted = inbound.kind is InboundKind.DELETE
    author = old.author if deleted and old.author else inbound.author
    new = as_message(old.inbound, inbound.replace(author=author, sent_at=old.at), ambient=old.ambient)
    files = () if deleted else old.parts[:-1]
    return new.replace(parts=(*files, *new.parts)) if files else new
