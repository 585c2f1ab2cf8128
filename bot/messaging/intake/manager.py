"""Take in what arrives: gates, the ledger, the channel's queue; nothing here waits for an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import structlog

from bot.config.schema import Config
from bot.domain.finding import NewAudit
from bot.domain.ids import ChannelKey
from bot.domain.ledger import (
    DELETED,
    Arrival,
    ArrivalDisposition,
    Outcome,
    Settlement,
    StoredInbound,
    StreamCursor,
    stored_as,
)
from bot.domain.messages import (
    MAX_CHOICE_BYTES,
    Author,
    ButtonPress,
    EventKind,
    Inbound,
    InboundKind,
    ReferenceKind,
    choice_of,
)
from bot.domain.process import StoredProcess
from bot.domain.recovery_scope import EVERYTHING, RecoveryScope
from bot.errors import StoreError, UserError
from bot.messaging.channels.agent_handover import HandoverNotice, hand_over
from bot.messaging.channels.queues import (
    AmbientMessage,
    ChannelQueues,
    QueuedAmendment,
    QueuedMessage,
    QueuedResult,
    QueuedUnfurl,
    ReloadChannel,
    UndoReset,
)
from bot.messaging.channels.registry import ChannelRegistry, OpenChannel
from bot.messaging.channels.runner import ChannelRunner
from bot.messaging.channels.settings import SettingsBook
from bot.messaging.commands.context import ChatCommand, CommandContext, StopWork
from bot.messaging.commands.dispatch import CommandDispatcher
from bot.messaging.commands.own_limit import OwnDataLimiter
from bot.messaging.delivery.after_delivery import DeliveryFollowUp, SecondProgram
from bot.messaging.delivery.outbox import OutboxSender
from bot.messaging.delivery.poster import AdminAlert
from bot.messaging.intake.channel_events import ChannelEvents
from bot.messaging.intake.edit_tracker import EditTracker
from bot.messaging.intake.gatekeeper import Gatekeeper
from bot.messaging.intake.left_work import LeftWork
from bot.messaging.intake.overload_notices import OverloadNotices
from bot.messaging.intake.reaction_questions import ReactionQuestions
from bot.messaging.intake.recovery import RecoveryResult, catch_up, close_talks, resume
from bot.messaging.policy.access import AccessPolicy
from bot.messaging.policy.disk_guard import DiskGuard
from bot.messaging.policy.languages import Languages
from bot.messaging.policy.local_times import LocalTimes
from bot.ports.channels import ChannelStore
from bot.ports.clock import Clock
from bot.ports.cortex import CortexPort
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.tasks import MAX_SHORT_PIECES, TaskSupervisor
from bot.sentences import say, speaking
from bot.skills import SkillLibrary
from bot.text.text import clean, one_line_name

log = structlog.get_logger(__name__)

_LOOK_BACK_HOURS = 72
_MIN_CHANGES = 50


@dataclass(frozen=True, kw_only=True, eq=False)
class MessagingManager:
    """Implements `bot.ports.platform.PlatformListener`.

    `tasks` are its own, apart from the sender's; the cortex is asked for when it is needed. `take_up` goes on with
    branches and workers, told what is run again, and returns results to be queued.
    """

    config: Config
    store: Store
    clock: Clock
    tasks: TaskSupervisor
    platforms: Mapping[str, Platform]
    sender: OutboxSender
    access: AccessPolicy
    book: SettingsBook
    registry: ChannelRegistry
    judge: Gatekeeper
    cortex: Callable[[], CortexPort]
    cortex_tasks: TaskSupervisor
    open_channel: OpenChannel
    alert: AdminAlert
    skills: SkillLibrary
    take_up: Callable[[Sequence[StoredProcess], Sequence[StoredInbound]], Awaitable[Sequence[StoredInbound]]]
    stop_work: StopWork
    times: LocalTimes
    languages: Languages
    happened: Callable[[StoredInbound], None]
    added_commands: Sequence[ChatCommand] = ()
    _changes: EditTracker = field(init=False, default_factory=EditTracker)

    @cached_property
    def _queues(self) -> ChannelQueues:
        return self.registry.queues

    @cached_property
    def _channels(self) -> ChannelStore:
        return self.store.channels

    @cached_property
    def _room(self) -> DiskGuard:
        return DiskGuard(self.store, self.clock)

    @cached_property
    def _excuses(self) -> OverloadNotices:
        return OverloadNotices(self.judge, self.sender, self.clock, self.tasks, self.alert, self.languages)

    @cached_property
    def _drain(self) -> ChannelRunner:
        return ChannelRunner(
            store=self.store,
            clock=self.clock,
            tasks=self.tasks,
            delivery=self.sender,
            access=self.access,
            book=self.book,
            registry=self.registry,
            cortex=self.cortex,
            open_channel=self.open_channel,
            limits=self.config.conversation,
            introducing=HandoverNotice(self.config, self.book, self.sender),
            languages=self.languages,
        )

    @cached_property
    def _commands(self) -> CommandDispatcher:
        desk = CommandContext(
            config=self.config,
            store=self.store,
            clock=self.clock,
            platforms=self.platforms,
            book=self.book,
            registry=self.registry,
            cortex=self.cortex,
            room=self._room,
            renew=self._drain.renew,
            undo=self._drain.put,
            would=self.judge.would,
            stop_work=self.stop_work,
            skills=self.skills,
            own_data=OwnDataLimiter(self.clock),
            times=self.times,
            languages=self.languages,
            added=self.added_commands,
        )
        return CommandDispatcher(desk, self.access, self.sender)

    @cached_property
    def _events(self) -> ChannelEvents:
        return ChannelEvents(
            config=self.config,
            store=self.store,
            clock=self.clock,
            tasks=self.tasks,
            platforms=self.platforms,
            delivery=self.sender,
            book=self.book,
            names=self.judge.names,
            carry_on=self._drain.follow,
            alert=self.alert,
            languages=self.languages,
        )

    @cached_property
    def _second_program(self) -> SecondProgram:
        return SecondProgram(self.store, self.clock, self.tasks, self.alert)

    @cached_property
    def _afterwards(self) -> DeliveryFollowUp:
        return DeliveryFollowUp(store=self.store, tasks=self.tasks, platforms=self.platforms, sender=self.sender)

    @cached_property
    def _signs(self) -> ReactionQuestions:
        return ReactionQuestions(
            self.config.cortex, self.store, self.clock, self.tasks, self.platforms, self.access, self.cortex
        )

    async def start(self) -> RecoveryResult:
        """Take up everything that an earlier process left; run before the adapters."""
        await self.prepare()
        return await self.take_over(EVERYTHING)

    async def prepare(self) -> None:
        """Learn what was set, before anything is taken up or arrives."""
        await hand_over(self.judge.agents, self._channels, self.clock)
        await self.book.load()
        await self.times.load()
        await self.languages.load()
        await self.skills.refresh()

    async def refresh(self) -> None:
        """Read anew what was set, because another process may have set something."""
        await self.book.load()
        await self.times.load()
        await self.languages.load()
        self._drain.follow(self._channels.moves)

    async def take_over(self, scope: RecoveryScope) -> RecoveryResult:
        """Take up what processes that are over left in some channels; run before anything arrives there."""
        left = LeftWork(self.store, scope)
        found = await resume(left, self.clock, lambda turn: self.cortex().pending_report(turn), self.languages)
        for event in found.events:
            await self._events.take(event, resumed=True)
        for stored in found.cut_off:
            may = self.judge.would_act(stored.inbound)
            line = self.judge.facts(stored.inbound).command if may else None
            self.tasks.spawn(f"command {stored.id}", self._commands.cut_off(stored, line))
        came_back = await self.take_up(await left.processes(), found.again)
        moves = self._channels.moves
        flagged = await self.sender.recover(found.previews, scope)
        hours, keep = self.config.retention.ambient_hours, self.config.conversation.ambient_messages
        since = self.clock.now() - round((hours or _LOOK_BACK_HOURS) * 3_600_000)
        missed = await catch_up(self.store.ledger, self._changes, since, max(keep, _MIN_CHANGES), scope)
        for work in missed:
            self._drain.put(moves.key(work.stored.key), work)
        waiting = (*found.again, *came_back)
        again = [stored.model_copy(update={"inbound": moves.as_now(stored.inbound)}) for stored in waiting]
        done = [settlement for stored in again for settlement in self._queue(stored)]
        if done:
            await self.store.ledger.settle(done)
        log.info(
            "resumed",
            again=len(found.again),
            caught_up=len(missed),
            settled=len(found.settled),
            turns_closed=found.closed_turns,
            in_delivery=found.waiting_for_delivery,
            uncertain=flagged,
        )
        return found._replace(uncertain=flagged)

    async def adopt(self, scope: RecoveryScope) -> None:
        """Take up what a process that is over did from channels in which this one is at work.

        What arrived there is under way here: left are an inspection that was begun elsewhere, and what it was to say.
        """
        left = LeftWork(self.store, scope)
        rows = await close_talks(left, self.clock, lambda turn: self.cortex().pending_report(turn))
        self.sender.enqueue(rows)
        flagged = await self.sender.adopt(scope)
        log.info("adopted", reports=len(rows), uncertain=flagged)

    async def receive(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        """Return when the batch and the cursor are stored; raise StoreError when they cannot be.

        On a disk that is almost full nothing but the commands of those who steer the bot is taken in, and whoever else
        asks is told so. That is waited out; whatever else keeps the store from taking a batch is reported, because only
        a new start can mend it.
        """
        if not self._room.short_since():
            await self._take(batch, cursor)
            return
        orders: list[Inbound] = []
        others: list[Inbound] = []
        for inbound in batch:
            (orders if self.judge.is_order(inbound) else others).append(inbound)
        if not others:
            await self._take(orders, cursor)
            return
        if orders:
            await self._take(orders, None)
        self._excuses.make(others)
        raise StoreError(say("messaging.disk-full"))

    async def _take(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        try:
            await self._hear(batch, cursor)
        except StoreError as error:
            if not self._room.short_since():
                await self.tasks.report("hearing", error)
            raise

    async def _hear(self, batch: Sequence[Inbound], cursor: StreamCursor | None) -> None:
        await self.judge.prepare(batch)
        arrivals: list[Arrival] = []
        unfolded = [inbound for inbound in batch if _is_unfolded(inbound)]
        for number, inbound in enumerate(batch, 1):
            if not _is_unfolded(inbound):
                arrivals.append(self._arrival(inbound, arrivals))
            if not number % MAX_SHORT_PIECES:
                await asyncio.sleep(0)
        rows = await self.store.ledger.arrive(arrivals, cursor)
        done: list[Settlement] = []
        for arrival, row in zip(arrivals, rows, strict=True):
            if row is None:
                self.judge.seen_before(arrival)
                continue
            stored = stored_as(arrival, self._channels.moves.as_now(arrival.inbound), row)
            self._afterwards.note(stored)
            self._second_program.note(stored)
            self._signs.note(stored)
            self.happened(stored)
            if arrival.disposition is ArrivalDisposition.EVENT:
                # what comes behind a move in the same batch belongs to where the channel is then
                await self._events.take(stored)
            else:
                done += self._route(stored)
        for inbound in unfolded:
            self._unfold(inbound)
        if done:
            await self.store.ledger.settle(done)
        self._excuses.crowded(arrivals)
        self._excuses.refused([arrival for arrival, row in zip(arrivals, rows, strict=True) if row is not None])

    def reload_channel(self, key: ChannelKey) -> None:
        """Let a channel's next turn begin with what is stored, because more changed there than it knows."""
        self._drain.put(self._channels.moves.key(key), ReloadChannel())

    def renew(self, key: ChannelKey, by: NewAudit) -> None:
        """Begin a conversation anew, as `new` does."""
        self._drain.renew(self._channels.moves.key(key), by)

    def undo_reset(self, key: ChannelKey, wanted: UndoReset) -> None:
        """Take a fresh start back, as `new undo` does."""
        self._drain.put(self._channels.moves.key(key), wanted)

    def receive_result(self, stored: StoredInbound) -> None:
        """Queue a result that came back, for a turn of its own; of one that comes too late the next start tells."""
        if self.tasks.closed:
            return
        self._queue(stored.model_copy(update={"inbound": self._channels.moves.as_now(stored.inbound)}))

    async def cursor(self, adapter: str, stream: str) -> str | None:
        """Return how far a stream was read."""
        return await self.store.ledger.cursor(adapter, stream)

    async def pressed(self, press: ButtonPress) -> str:
        """Return what to tell the presser, and them alone: nothing to those who are not let in here."""
        if not self.judge.may_press(press):
            return ""
        try:
            with speaking(self.languages.of(press.person, press.locale)):
                if words := choice_of(press.data):
                    return await self._chosen(press, words)
                return await self.cortex().pressed(press)
        except UserError as error:
            return str(error)
        except StoreError as error:
            await self.tasks.report("press", error)
            return say("messaging.press-no-store")
        except Exception as error:
            log.error("press_failed", error_type=type(error).__name__, exc_info=error)
            return say("messaging.press-broke")

    async def _chosen(self, press: ButtonPress, words: str) -> str:
        """Take what a button without authority says as a message of whoever pressed it; gates judge it as any other."""
        at, choice = self.clock.now(), one_line_name(clean(words).text, MAX_CHOICE_BYTES)
        inbound = Inbound(
            adapter=press.person.platform,
            channel=press.around or press.channel,
            channel_name="",
            place=press.place,
            message_id=f"press-{press.person.user_id}-{at}",
            author=Author(user_id=press.person.user_id, name=press.name),
            text=render("pressed", choice=choice).strip(),
            sent_at=at,
            mentions_bot=True,
            replies_to_bot=True,
            locale=press.locale,
        )
        known = await self._channels.look_up(self.judge.arrival(inbound, at).key)
        if known is not None:
            inbound = inbound.replace(channel_name=known.name, place=known.place)
        await self.receive([inbound], None)
        return say("chat.choice-pressed", choice=choice)

    async def settled(self) -> None:
        """Return when everything heard so far has come to its end, inspections too."""
        while self.tasks.busy or self.sender.busy or self.cortex_tasks.busy:
            await self.tasks.idle()
            await self.cortex_tasks.idle()
            await self.sender.settled()

    def language(self) -> str:
        """Return the language of what everybody reads."""
        return self.config.bot.language

    def _arrival(self, inbound: Inbound, before: Sequence[Arrival]) -> Arrival:
        arrival = self.judge.arrival(inbound, self.clock.now())
        if arrival.disposition is not ArrivalDisposition.AMEND or inbound.kind is not InboundKind.EDIT:
            return arrival
        lane = self._queues.lane(self._channels.moves.key(arrival.key))
        waits = lane is not None and lane.find(self._channels.moves.as_now(inbound).message_id) is not None
        comes = any(
            one.disposition is ArrivalDisposition.QUEUE and one.key == arrival.key and _same(one.inbound, inbound)
            for one in before
        )
        # an edit of what still waits takes its place, and with it its way to an outcome
        return arrival.replace(disposition=ArrivalDisposition.QUEUE, wordless=False) if waits or comes else arrival

    def _route(self, stored: StoredInbound) -> list[Settlement]:
        """Put an arrival where it belongs; return the outcomes that follow at once."""
        match stored.disposition:
            case ArrivalDisposition.QUEUE if stored.inbound.kind is InboundKind.EDIT:
                return self._replace(stored)
            case ArrivalDisposition.QUEUE:
                return self._queue(stored)
            case ArrivalDisposition.AMBIENT:
                self._drain.put(stored.key, AmbientMessage(stored))
            case ArrivalDisposition.AMEND:
                return self._amend(stored)
            case ArrivalDisposition.COMMAND:
                facts = self.judge.facts(stored.inbound)
                if facts.command is not None:
                    self.tasks.spawn(f"command {stored.id}", self._commands.run(stored, facts.command))
                elif facts.nobodys_command is not None:
                    self.tasks.spawn(
                        f"command {stored.id}",
                        self._commands.refuse(stored, facts.nobodys_command, tells=facts.is_asked),
                    )
            case ArrivalDisposition.DROP | ArrivalDisposition.NOTE | ArrivalDisposition.EVENT:
                pass
        return []

    def _queue(self, stored: StoredInbound) -> list[Settlement]:
        if stored.inbound.kind is InboundKind.RESULT:
            self._drain.put(stored.key, QueuedResult(stored, self.clock.monotonic()))
            return []
        change = self._changes.of(stored.inbound)
        if change is not None and change.kind is InboundKind.DELETE:
            return [stored.settled(self.clock.now(), Outcome.SUPERSEDED, DELETED)]
        if change is not None and change.edit > stored.inbound.edit:
            stored = stored.replace(inbound=stored.inbound.replace(text=change.text))
        self._drain.put(stored.key, QueuedMessage(stored, self.clock.monotonic()))
        return []

    def _replace(self, edit: StoredInbound) -> list[Settlement]:
        lane = self._queues.lane(edit.key)
        old = lane.find(edit.inbound.message_id) if lane else None
        if not self._changes.note(edit.inbound):
            return [edit.settled(self.clock.now(), Outcome.SUPERSEDED, "edited")]
        if lane is None or old is None:  # a turn has taken it meanwhile
            self._drain.put(edit.key, QueuedAmendment(edit))
            return [edit.settled(self.clock.now(), Outcome.STORED_ONLY, "edited")]
        lane.swap(old, QueuedMessage(edit, old.at))
        return [old.stored.settled(self.clock.now(), Outcome.SUPERSEDED, "edited")]

    def _amend(self, change: StoredInbound) -> list[Settlement]:
        if not self._changes.note(change.inbound):
            return []
        lane = self._queues.lane(change.key)
        old = lane.find(change.inbound.message_id) if lane else None
        if lane is not None and old is not None and change.inbound.kind is InboundKind.DELETE:
            lane.swap(old, None)
            return [old.stored.settled(self.clock.now(), Outcome.SUPERSEDED, DELETED)]
        self._drain.put(change.key, QueuedAmendment(change))
        return []

    def _unfold(self, told: Inbound) -> None:
        """Keep what a platform found behind links with the message that has them, as far as that one is kept.

        Nobody said anything, so that it has no row, and nothing is answered.
        """
        key = self.judge.key(told)
        lane, about = self._queues.lane(key), self._channels.moves.as_now(told)
        waits = lane.find(about.replies_to) if lane is not None else None
        if lane is not None and waits is not None:
            inbound = waits.stored.inbound
            others = tuple(one for one in inbound.refers if one.kind is not ReferenceKind.LINKS)
            inbound = inbound.replace(refers=(*others, *about.refers))
            lane.swap(waits, QueuedMessage(waits.stored.replace(inbound=inbound), waits.at))
        else:
            self._drain.put(key, QueuedUnfurl(about))


def _is_unfolded(inbound: Inbound) -> bool:
    return inbound.event is not None and inbound.event.kind is EventKind.UNFOLDED


def _same(one: Inbound, other: Inbound) -> bool:
    return one.message_id == other.message_id
